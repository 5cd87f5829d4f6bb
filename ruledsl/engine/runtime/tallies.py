"""What games add up to, kept in the module: nobody has to look at a single game.

All counters are declared here by name, as words of 64 bits; a call that plays games begins them
anew, and whoever called reads them once. What else is to be counted is one more line here and a
place that counts it.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import TypeAlias

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    eq,
    load,
    load64,
    mul,
    op,
    select,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.memory.control import CHOICES, HOW, HOWS, OPTIONS_SEEN, WINNERS
from ruledsl.engine.runtime.results import Results

LOW = (1 << 32) - 1

Sums: TypeAlias = Mapping[str, tuple[int, ...]]
"""By name, what was counted."""


@attrs.frozen
class Tallied:
    """Words in a row, each of them a sum, a least or a greatest value."""

    address: int
    size: int


class Tallies(Part):
    """Writes how games are added up."""

    def __init__(self, context: Context, results: Results) -> None:
        super().__init__(context)
        self.results = results
        players = self.layout.players
        self.counters: dict[str, Tallied] = {}
        self.declare("endings", 2 * len(HOWS))
        """for each way to end, games that nobody won, and games with winners"""
        self.declare("won", players * (players + 1))
        """for each seat, how often it won with so many others that the win is shared with"""
        self.declare("ranks", players)
        self.declare("payoffs", players)
        self.declare("payoff_squares", 2 * players)
        self.declare("counted", 1)
        """games in which choices and options were counted; the others say nothing of these"""
        self.declare("choices", 1)
        self.declare("choice_squares", 2)
        self.declare("shortest", 1)
        self.declare("longest", 1)
        self.declare("options", 1)

    def declare(self, name: str, size: int) -> None:
        """Make room for a counter of so many words."""
        assert name not in self.counters, name
        self.counters[name] = Tallied(self.layout.scratch(8 * size, 8), size)

    # ------------------------------------------------------------ counting

    def write_begin(self, w: Writer) -> None:
        """Nothing is counted yet."""
        for counter in self.counters.values():
            if counter.size <= 2:
                for word in range(counter.size):
                    w.store64(counter.address + 8 * word, ("i64", 0))
            else:
                with w.counting(0, counter.size) as at:
                    w.store64(add(mul(at, 8), counter.address), ("i64", 0))

    def count(self, w: Writer, name: str, at: Code = 0, more: Code = 1) -> None:
        """Add a number to a word of a counter."""
        self._add(w, name, at, ("i64.extend_i32_s", more))

    def count_square(self, w: Writer, name: str, at: int, value: Code) -> None:
        """Add a square, its halves apart: so large sums stay exact."""
        wide = ("i64.extend_i32_s", w.once(value))
        square = w.once(("i64.mul", wide, wide), "i64")
        self._add(w, name, 2 * at, ("i64.and", square, ("i64", LOW)))
        self._add(w, name, 2 * at + 1, ("i64.shr_u", square, ("i64", 32)))

    def _add(self, w: Writer, name: str, at: Code, more: Code) -> None:
        address = w.once(add(mul(at, 8), self.counters[name].address))
        w.store64(address, ("i64.add", load64(address), more))

    def write_game(self, w: Writer, counted: Code) -> None:
        """Add the game that is over; `counted` says whether its options were."""
        players = self.layout.players
        winners = w.once(load(WINNERS))
        how = load(HOW)
        self.count(w, "endings", add(mul(how, 2), op("i32.ne", winners, 0)))
        among = w.once(self._among(winners))
        left = w.variable(winners)
        with w.loop() as label:
            w.leave_if(label, eq(left, 0))
            self.count(w, "won", add(mul(("i32.ctz", left), players + 1), among))
            w.set(left, ("i32.and", left, sub(left, 1)))
        for seat in range(players):
            self.count(w, "ranks", seat, load(self.results.ranks + 4 * seat))
            payoff = w.once(load(self.results.payoffs + 4 * seat))
            self.count(w, "payoffs", seat, payoff)
            self.count_square(w, "payoff_squares", seat, payoff)
        with w.when(counted):
            self._write_lengths(w)

    def _among(self, winners: Code) -> Code:
        """How many share a win: those whom `win` named, and teams, have all of it."""
        ranking = self.game.ranking
        if ranking is not None and ranking.team is not None:
            return 1
        return select(eq(load(HOW), HOWS.index("win")), 1, ("i32.popcnt", winners))

    def _write_lengths(self, w: Writer) -> None:
        choices = w.once(load(CHOICES))
        shortest, longest = (self.counters[name].address for name in ("shortest", "longest"))
        first = eq(load(self.counters["counted"].address), 0)
        with w.when(("i32.or", first, op("i32.lt_s", choices, load(shortest)))):
            w.store(shortest, choices)
        with w.when(op("i32.gt_s", choices, load(longest))):
            w.store(longest, choices)
        self.count(w, "counted")
        self.count(w, "choices", 0, choices)
        self.count_square(w, "choice_squares", 0, choices)
        self.count(w, "options", 0, load(OPTIONS_SEEN))

    # ------------------------------------------------------------ reading

    @property
    def room(self) -> tuple[int, int]:
        """From where up to where counters lie: they are read in one go."""
        counters = list(self.counters.values())
        return counters[0].address, counters[-1].address + 8 * counters[-1].size

    def read(self, data: bytes) -> Sums:
        """The counters by name, from the bytes of their room."""
        start, _ = self.room
        return {
            name: struct.unpack_from(f"<{each.size}q", data, each.address - start)
            for name, each in self.counters.items()
        }
