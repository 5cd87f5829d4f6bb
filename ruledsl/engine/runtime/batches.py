"""Whole batches of games in one call."""

from __future__ import annotations

from ruledsl.engine.choices.candidates import DecisionSites
from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Width,
    Writer,
    add,
    cell_at,
    load,
    load64,
    signed,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.memory.control import (
    ANSWER,
    ASK_ALWAYS,
    ASKED,
    CHOICES,
    DECISIONS,
    FRESH,
    GENERATOR,
    HOW,
    MIND,
    MODE,
    OPTIONS_SEEN,
    STOP,
    SUSPECT,
    VECTOR,
    WINNERS,
)
from ruledsl.engine.runtime.leads import Leads
from ruledsl.engine.runtime.results import Results

ROWS = 4096
"""Games that one call plays at most."""
ONE = 1 << 16
"""A whole win, or the best reward: shares are counted in parts of it."""

_STREAMS = 0xD1342543DE82EF95


class Batches(Part):
    """Writes how games are started, one or many."""

    def __init__(
        self, context: Context, sites: DecisionSites, results: Results, leads: Leads | None
    ) -> None:
        super().__init__(context)
        self.leads = leads
        self.sites = sites
        self.results = results
        players = self.layout.players
        self.row_cells = 5 + 2 * players
        self.rows = self.layout.scratch(4 * self.row_cells * ROWS)
        self.played = self.layout.scratch(4)
        self.won = self.layout.scratch(8 * players, 8)
        """for each seat, the sum of its shares in games won"""

    def write(self, start: int) -> None:
        """Whole batches of games; `start` holds the first position."""
        size = self.layout.vector_size
        players = self.layout.players
        params: list[tuple[str, Width]] = [("seed", "i64"), ("first", "i32")]
        params += [("games", "i32"), ("mode", "i32")]
        function = Function("playouts", params, exported=True)
        w = Writer(self.context.program.add(function))
        w.store(MODE, "mode")
        w.store(ASK_ALWAYS, 0)
        w.store(self.played, 0)
        row = w.variable(self.rows)
        with w.counting(0, "games") as game:
            stream = ("i64.mul", "seed", ("i64", signed(_STREAMS)))
            twice = ("i64.mul", ("i64.extend_i32_u", add("first", game)), ("i64", 2))
            base = w.once(("i64.add", stream, twice), "i64")
            w.emit("copy", VECTOR, start, size)
            # Chance and players have generators of their own, each started by a first draw.
            w.store64(GENERATOR, base)
            seeded = w.once(("call", "next"), "i64")
            w.store64(MIND, ("i64.add", base, ("i64", 1)))
            minded = w.once(("call", "mind_next"), "i64")
            w.store64(GENERATOR, seeded)
            w.store64(MIND, minded)
            w.store(CHOICES, 0)
            w.store(OPTIONS_SEEN, 0)
            with w.counting(0, self.sites.most) as site:
                w.store(cell_at(self.sites.failures, site), 0)
            if self.context.lightly:
                w.store(SUSPECT, 0)
            self.context.refuel(w)
            self._begin_counting(w)
            w.emit("do", ("drop", ("call", "run")))
            if self.context.lightly:
                with w.when(load(SUSPECT)):
                    w.store(MODE, STOP)
                    w.give_back(0)
            self._count(w, load(CHOICES))
            w.store(row, load(HOW))
            w.store(row, load(WINNERS), 4)
            w.store(row, load(CHOICES), 8)
            w.store(row, load(OPTIONS_SEEN), 12)
            w.store(row, load(DECISIONS), 16)
            w.emit("copy", add(row, 20), self.results.ranks, 4 * players)
            w.emit("copy", add(row, 20 + 4 * players), self.results.payoffs, 4 * players)
            w.set(row, add(row, 4 * self.row_cells))
            w.store(self.played, add(game, 1))
            with w.when(load(WINNERS)):
                share = w.once(self.results.part_of_win(w, ONE))
                for player in range(players):
                    with w.when(("i32.and", load(WINNERS), 1 << player)):
                        wins = self.won + 8 * player
                        more = ("i64.add", load64(wins), ("i64.extend_i32_u", share))
                        w.store64(wins, more)
        w.store(MODE, STOP)
        w.give_back(0)

        if self.context.counters is not None:
            w = self.context.function("count_game", "choices", result=False, exported=True)
            self._count(w, "choices")

        w = self.context.function("start", exported=True)
        w.emit("copy", VECTOR, start, size)
        w.store64(GENERATOR, load64(ASKED))
        w.store(MODE, STOP)
        w.store(ASK_ALWAYS, load(ASKED + 8))
        w.store(SUSPECT, 0)
        w.store(ANSWER, -1)
        w.store(FRESH, 0)
        self.context.refuel(w)
        self._begin_counting(w)
        w.give_back(("call", "run"))

    def _begin_counting(self, w: Writer) -> None:
        if self.context.counters is not None:
            self.context.counters.begin(w)
        if self.leads is not None:
            self.leads.begin(w)

    def _count(self, w: Writer, choices: Code) -> None:
        """Add up what was noted in a game that is over."""
        counters = self.context.counters
        if counters is None:
            return
        share = w.once(self.results.part_of_win(w, ONE))
        counters.over(w, choices, load(WINNERS), share)
        if self.leads is not None:
            with w.when(counters.in_sample(counters.watched)):
                w.emit("do", ("call", "add_leads"))
