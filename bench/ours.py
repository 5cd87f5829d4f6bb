"""Our side of the benchmark: the reference interpreter and the engine."""

from __future__ import annotations

from time import perf_counter

import attrs

import ruledsl
from bench.games import Entry
from ruledsl.engine import Engine
from ruledsl.lab.simulation import play_one
from ruledsl.table.table import Table


@attrs.define
class OurGame:
    """A game of ours at its table."""

    table: Table
    choices: int = 0
    """choices with more than one option in the games of `reference`"""
    games: int = 0
    """games of `reference`"""

    def reference(self, count: int, seed: int) -> None:
        """Random games by the interpreter."""
        for number in range(count):
            row = play_one(self.table, seed, number)
            assert row.failure is None, row.failure
            self.choices += row.choices or 0
            self.games += 1

    def compiled(self) -> tuple[Engine, float]:
        """The engine for this table, and the seconds it took to make."""
        start = perf_counter()
        engine = Engine(self.table)
        return engine, perf_counter() - start


def our_game(entry: Entry) -> OurGame:
    game = ruledsl.load(entry.name)
    return OurGame(Table(game.checked, entry.players, entry.options))
