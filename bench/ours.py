"""Our side of the benchmark: the reference interpreter and the engine."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from typing import Protocol

import attrs

import ruledsl
from bench.games import Entry
from ruledsl.lab.simulation import play_one
from ruledsl.table.table import Table


class Engine(Protocol):
    """What is measured of the engine."""

    def playouts(self, count: int, seed: int) -> object:
        """Play so many random games."""

    def iterations(self, count: int, seed: int) -> object:
        """Search from the first decision of a game."""


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
            self.choices += row.choices
            self.games += 1

    def compiled(self) -> tuple[Engine, float] | None:
        """The engine for this table and the seconds it took to make; none if there is no engine."""
        make = _engine()
        if make is None:
            return None
        start = perf_counter()
        engine: Engine = make(self.table)
        return engine, perf_counter() - start


def _engine() -> Callable[[Table], Engine] | None:
    if find_spec("ruledsl.engine") is None:
        return None
    found: Callable[[Table], Engine] | None = getattr(
        import_module("ruledsl.engine"), "Engine", None
    )
    return found


def our_game(entry: Entry) -> OurGame:
    game = ruledsl.load(entry.name)
    return OurGame(Table(game.checked, entry.players, entry.options))
