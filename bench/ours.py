"""Our side of the benchmark: the reference interpreter and the engine."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

import attrs

import ruledsl
from bench.entries import Entry
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

    def checked(self) -> Engine:
        """The engine with the checks that `simulate` makes."""
        return Engine(self.table, checked=True, lightly=True)


def our_game(entry: Entry) -> OurGame:
    game = ruledsl.load(entry.source)
    return OurGame(Table(game.checked, entry.players, entry.options))


@attrs.define
class Command:
    """`ruledsl simulate` as users call it, in a process of its own.

    Only the games count: from the processor time of many games that of a few is taken off, and with
    it the start.
    """

    entry: Entry

    def seconds(self, games: int, seed: int) -> float:
        entry = self.entry
        options = [f"--option={name}={value}" for name, value in entry.options.items()]
        asked = [entry.source, f"--games={games}", f"--players={entry.players}", f"--seed={seed}"]
        before = _of_children()
        words = [str(Path(sys.executable).with_name("ruledsl")), "simulate", *asked, *options]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own words
        return _of_children() - before

    def rate(self, usual: float, seconds: float, rounds: int) -> float:
        """Games in a second, over about so many seconds; `usual` is the engine's rate.

        The median of some rounds, as for all others: in a single one, whatever else the machine
        does while the command starts would count as games.
        """
        few, many = max(100, int(usual * seconds / 20)), int(100 + usual * seconds)

        def measured(seed: int) -> float:
            start = min(self.seconds(few, seed) for _ in range(2))
            return (many - few) / max(1e-6, self.seconds(many, seed) - start)

        return median(measured(seed) for seed in range(1, rounds + 1))


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
