"""Who leads while a game goes on, by the lines of the ranking; in some of the games."""

from __future__ import annotations

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    cell_at,
    eq,
    load,
    mul,
    ne,
    no,
    op,
    select,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.memory.control import WINNERS
from ruledsl.engine.runtime.results import Results

MOMENTS = 1 << 14
"""Choices of a game after which it is no longer looked at."""
TENTHS = 10
MOST_CHANGES = 1 << 10
"""Changes of the lead from which on games are counted together."""
NOBODY = -1


class Leads(Part):
    """Writes who leads at each choice, and what follows from that when a game is over.

    The cells of the tally: games; in how many somebody led alone in each tenth; in how many of
    these he won; games by the number of changes of the lead; games won by one alone; these by the
    tenth in which he took the lead for good, the last being the end itself; and for each tenth how
    far those who led alone were ahead by the first key, all games together.
    """

    def __init__(self, context: Context, results: Results) -> None:
        super().__init__(context)
        self.results = results
        self.leaders = self.layout.scratch(4 * MOMENTS)
        self.margins = self.layout.scratch(4 * MOMENTS)
        self.moments = self.layout.scratch(4)
        self.tally_cells = 2 + 2 * TENTHS + MOST_CHANGES + TENTHS + 1 + TENTHS
        assert context.counters is not None
        self.tally = context.counters.cells(self.tally_cells)
        self.games = self.tally
        self.led = self.games + 4
        self.held = self.led + 4 * TENTHS
        self.changes = self.held + 4 * TENTHS
        self.alone = self.changes + 4 * MOST_CHANGES
        self.settled = self.alone + 4
        self.ahead = self.settled + 4 * (TENTHS + 1)

    def begin(self, w: Writer) -> None:
        w.store(self.moments, 0)

    def write(self) -> None:
        self.results.write_leader()
        w = self.context.function("note_leader", result=False)
        at = w.once(load(self.moments))
        with w.when(op("i32.lt_s", at, MOMENTS)):
            w.store(cell_at(self.leaders, at), ("call", "leader"))
            w.store(cell_at(self.margins, at), load(self.results.ahead))
            w.store(self.moments, add(at, 1))
        self._write_add_leads()

    def _write_add_leads(self) -> None:
        w = self.context.function("add_leads", result=False)
        number = w.once(load(self.moments))
        with w.when(no(number)):
            w.give_back()
        self._more(w, self.games)
        winners = w.once(load(WINNERS))
        with w.counting(0, TENTHS) as tenth:
            middle = ("i32.div_u", mul(add(mul(tenth, 2), 1), number), 2 * TENTHS)
            leader = w.once(load(cell_at(self.leaders, middle)))
            with w.when(op("i32.ge_s", leader, 0)):
                self._more(w, cell_at(self.led, tenth))
                total = w.once(cell_at(self.ahead, tenth))
                w.store(total, add(load(total), load(cell_at(self.margins, middle))))
                with w.when(("i32.and", ("i32.shr_u", winners, leader), 1)):
                    self._more(w, cell_at(self.held, tenth))
        before = w.variable(NOBODY)
        changes = w.variable(0)
        with w.counting(0, number) as at:
            leader = w.once(load(cell_at(self.leaders, at)))
            with w.when(op("i32.ge_s", leader, 0)):
                another = both(op("i32.ge_s", before, 0), ne(before, leader))
                w.set(changes, add(changes, another))
                w.set(before, leader)
        most = MOST_CHANGES - 1
        changes_kept = w.once(select(op("i32.lt_s", changes, most), changes, most))
        self._more(w, cell_at(self.changes, changes_kept))
        with w.when(eq(("i32.popcnt", winners), 1)):
            self._more(w, self.alone)
            winner = w.once(("i32.ctz", winners))
            since = w.variable(number)
            with w.loop() as label:
                w.leave_if(label, no(since))
                w.leave_if(label, ne(load(cell_at(self.leaders, sub(since, 1))), winner))
                w.set(since, sub(since, 1))
            self._more(w, cell_at(self.settled, ("i32.div_u", mul(since, TENTHS), number)))

    def _more(self, w: Writer, cell: Code) -> None:
        at = w.once(cell)
        w.store(at, add(load(at), 1))
