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
    either,
    eq,
    load,
    load64,
    no,
    op,
    select,
    signed,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.counters import is_watched
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
    QUICK,
    RANDOM,
    SAMPLED,
    STOP,
    SUSPECT,
    VECTOR,
    WINNERS,
)
from ruledsl.engine.runtime.leads import Leads
from ruledsl.engine.runtime.notes import NoteTaking
from ruledsl.engine.runtime.results import Results
from ruledsl.engine.runtime.tallies import Tallies

ROWS = 4096
"""Games whose rows one call keeps at most."""
ONE = 1 << 16
"""The best reward: shares are counted in parts of it."""
FIRST_COUNTED = 100
COUNTED_SHARE = 200
"""Where counting options would cost time, it is done in the first games and in each of so many."""
NOT_COUNTED = -1
"""Stands in a row for the choices and the options of other games."""

_STREAMS = 0xD1342543DE82EF95


class Batches(Part):
    """Writes how games are started, one or many."""

    def __init__(
        self,
        context: Context,
        sites: DecisionSites,
        results: Results,
        tallies: Tallies,
        notes: NoteTaking,
        leads: Leads | None,
    ) -> None:
        super().__init__(context)
        self.leads = leads
        self.sites = sites
        self.results = results
        self.tallies = tallies
        self.notes = notes
        players = self.layout.players
        self.row_cells = 5 + 2 * players
        self.rows = self.layout.scratch(4 * self.row_cells * ROWS)
        self.played = self.layout.scratch(4)

    @property
    def always_counted(self) -> bool:
        """Whether options are counted in every game, as that costs nothing.

        Then quick games are those in which options are listed.
        """
        return not self.sites.unsure

    def write(self, start: int) -> None:
        """Whole batches of games; `start` holds the first position."""
        size = self.layout.vector_size
        players = self.layout.players
        params: list[tuple[str, Width]] = [("seed", "i64"), ("first", "i32")]
        params += [("games", "i32"), ("mode", "i32"), ("keep", "i32")]
        function = Function("playouts", params, exported=True)
        w = Writer(self.context.program.add(function))
        w.store(ASK_ALWAYS, 0)
        w.store(self.played, 0)
        w.store(self.notes.at, 0)
        self.tallies.write_begin(w)
        row = w.variable(self.rows)
        with w.counting(0, "games") as game:
            mode = w.once(self._mode(add("first", game)))
            w.store(MODE, mode)
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
            counted: Code = 1
            if not self.always_counted:
                counted = w.once(op("i32.ne", ("i32.and", mode, QUICK), QUICK))
            self._begin_counting(w, add("first", game), counted)
            w.emit("do", ("drop", ("call", "run")))
            if self.context.lightly:
                with w.when(load(SUSPECT)):
                    w.store(MODE, STOP)
                    w.give_back(0)
            self._count(w, load(CHOICES))
            self.tallies.write_game(w, counted)
            with w.when("keep"):
                w.store(row, load(HOW))
                w.store(row, load(WINNERS), 4)
                w.store(row, select(counted, load(CHOICES), NOT_COUNTED), 8)
                w.store(row, select(counted, load(OPTIONS_SEEN), NOT_COUNTED), 12)
                w.store(row, load(DECISIONS), 16)
                w.emit("copy", add(row, 20), self.results.ranks, 4 * players)
                w.emit("copy", add(row, 20 + 4 * players), self.results.payoffs, 4 * players)
                w.set(row, add(row, 4 * self.row_cells))
            w.store(self.played, add(game, 1))
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
        self._begin_counting(w, None, 1)
        w.give_back(("call", "run"))

    def _begin_counting(self, w: Writer, number: Code | None, listed: Code) -> None:
        if self.context.counters is not None:
            self.context.counters.begin(w, number, listed)
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
            with w.when(load(counters.watching)):
                w.emit("do", ("call", "add_leads"))

    def is_listed(self, number: int) -> bool:
        """Whether options are listed in the game of a number, if games are sampled."""
        if self.always_counted:
            return True
        if self.context.counters is not None:
            return is_watched(number)
        return number < FIRST_COUNTED or number % COUNTED_SHARE == 0

    def _mode(self, number: Code) -> Code:
        """How the game of a number is played."""
        if self.always_counted:
            return select(eq("mode", SAMPLED), QUICK, "mode")
        counters = self.context.counters
        if counters is None:
            one_of_many = no(("i32.rem_u", number, COUNTED_SHARE))
            listed = either(op("i32.lt_u", number, FIRST_COUNTED), one_of_many)
        else:
            listed = counters.is_watched(number)
        return select(eq("mode", SAMPLED), select(listed, RANDOM, QUICK), "mode")
