"""What happens in compiled games, counted where it happens; compiled in only when asked for.

Whatever happens is noted in a log: which counter, and for which seat. When a game is over, its log
is added up: by then it is known who won, and what was a third of the game. So noting costs a few
instructions, and nothing is done for counters that a game does not touch.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Literal, TypeAlias

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Program,
    Writer,
    add,
    both,
    cell_at,
    either,
    eq,
    load,
    mul,
    ne,
    no,
    op,
    select,
    sub,
)
from ruledsl.engine.memory.control import ACTIVE, CHOOSER
from ruledsl.engine.memory.layout import LARGE, Layout, category, element_of
from ruledsl.model import core
from ruledsl.model.game import ActionInfo, CheckedGame
from ruledsl.model.types import Type
from ruledsl.model.walk import walk
from ruledsl.table.things import Thing, is_nameless

Sort: TypeAlias = Literal[
    "action", "value", "line", "refused", "roll", "forced", "options", "out", "changed", "short"
]

LOGGED = 1 << 20
"""Events of a game before they are added up without telling thirds apart."""
THIRDS = 3
SPLIT = THIRDS + 1
"""Numbers of uses that are kept: for each third, and for what could not be split."""
RECORD = SPLIT + 3
"""Cells of a counter for a seat: uses, games with any, parts of wins in these, the last game."""
GAMES, WON, STAMP = SPLIT, SPLIT + 1, SPLIT + 2
JUDGED, WATCHED = 64, 8
"""One of so many games is looked at for what refuses, and for who leads: both cost time."""
MOST_VALUES = 512
"""Values of a choice that are told apart."""
WIDTHS = (2, 3, 4, 8, 16, 32, 64)
"""Numbers of options up to which choices are counted together."""


@attrs.frozen
class Counter:
    """What is counted: its sort, what it is about, and where the rules say it.

    A `value` belongs to the action or choice `of`, a `roll` to its statement.
    """

    sort: Sort
    name: str
    span: Span
    of: str = ""


class Counters:
    """Writes what counts. All counters have to be known before they are added up."""

    def __init__(self, layout: Layout, program: Program) -> None:
        self.layout = layout
        self.program = program
        self.found: list[Counter] = []
        self._numbers: dict[Counter, int] = {}
        self.lines: dict[Span, int] = {}
        """for each statement, the counter that counts how often it is carried out"""
        self.players = layout.players
        self.stride = self.players + 2
        """seats, nobody, and anybody"""
        self.log = layout.scratch(4 * LOGGED + 8)
        self.at = layout.scratch(4)
        """where the next event is noted"""
        self.moves = layout.scratch(4)
        """pieces that came to another place"""
        self.game = layout.scratch(4)
        """the number of the game, to know what is new in it"""
        self.judged = layout.scratch(4)
        """requirements are tried out in games whose number has none of these bits"""
        self.watched = layout.scratch(4)
        """and in these it is noted who leads"""
        self.barred = layout.scratch(4)
        """a counter whose action or value somebody does without, and who: both -1 if nobody does"""
        self.barred_seat = layout.scratch(4)
        self.plain: dict[int, int] = {}
        """cells of counters that count neither seats nor thirds"""
        self.highest: dict[str, int] = {}
        """for each state, where the highest number is that it ever had"""
        self.shares = layout.scratch(4 * self.stride)
        """for each seat, its part of the win"""
        self.records = 0
        # These come first: in the log they tell that somebody chose.
        for width in (*map(str, WIDTHS), "more"):
            self.number(Counter("options", width, NOWHERE))
        self.choices = len(self.found)
        self.write_note()

    # ------------------------------------------------------------ noting

    def number(self, counter: Counter) -> int:
        if counter not in self._numbers:
            self._numbers[counter] = len(self.found)
            self.found.append(counter)
        return self._numbers[counter]

    def write_note(self) -> None:
        """Note an event of a counter, for whoever chooses or is active."""
        function = Function("note_for", [("event", "i32")], None)
        w = Writer(self.program.add(function))
        at = w.variable(load(self.at))
        w.store(at, "event")
        w.store(self.at, add(at, 4))
        with w.when(op("i32.ge_u", at, self.log + 4 * LOGGED)):
            w.emit("do", ("call", "add_up", 0, 0))

        function = Function("note_event", [("counter", "i32")], None)
        w = Writer(self.program.add(function))
        you = w.once(select(op("i32.lt_s", load(CHOOSER), 0), load(ACTIVE), load(CHOOSER)))
        seat = w.once(sub(you, self.layout.first_player))
        who = select(op("i32.lt_u", seat, self.players), seat, self.players)
        w.emit("do", ("call", "note_for", add(mul("counter", self.stride), who)))

    def note(self, w: Writer, counter: Counter) -> None:
        w.emit("do", ("call", "note_event", self.number(counter)))

    def note_seat(self, w: Writer, number: Code, seat: Code) -> None:
        """For the seat with this number among the things."""
        who = sub(seat, self.layout.first_player)
        w.emit("do", ("call", "note_for", add(mul(number, self.stride), who)))

    @property
    def mark(self) -> Code:
        """How far the log is: what is only tried out is taken back to there."""
        return load(self.at)

    def back_to(self, w: Writer, mark: Code) -> None:
        w.store(self.at, mark)

    # ------------------------------------------------------------ what is noted

    def statements(self, w: Writer, block: core.Block, at: int) -> None:
        """A statement comes next; those behind it that surely follow are counted with it."""
        if at and not _may_leave(block[at - 1]):
            return
        counter = Counter("line", type(block[at]).__name__, block[at].span)
        number = self.number(counter)
        for statement in block[at:]:
            self.lines[statement.span] = number
            if _may_leave(statement):
                break
        w.emit("do", ("call", "note_event", number))

    def picked(
        self, w: Writer, info: ActionInfo | core.ChooseValue, at: int, value: Code, seat: Code
    ) -> None:
        """A value was chosen: a parameter of an action, or in a choice of values."""
        table = self._values(info, at)
        if table is None:
            return
        counter = w.once(self.layout.lookup(table, w.once(value)))
        with w.when(op("i32.ge_s", counter, 0)):
            self.note_seat(w, counter, seat)

    def _values(self, info: ActionInfo | core.ChooseValue, at: int) -> int | None:
        if isinstance(info, ActionInfo):
            of, name = info.picks[at].domain.type, info.picks[at].local.name
            owner, span = info.key, info.span
        else:
            of, name, owner, span = info.domain.type, info.element.name, _choice(info), info.span
        return self._table(element_of(of), f"{owner}.{name}", span)

    def is_barred(self, info: ActionInfo, values: list[Code]) -> Code:
        """Whether an action, or one of its values, is what somebody does without."""
        barred = load(self.barred)
        found = eq(barred, self.number(Counter("action", info.key, info.span)))
        for at, value in enumerate(values):
            table = self._values(info, at)
            if table is not None:
                found = either(found, eq(self.layout.lookup(table, value), barred))
        return found

    def rolled(self, w: Writer, node: core.Roll, outcome: Code) -> None:
        name = node.target.name if isinstance(node.target, core.Local) else node.target.state
        of = element_of(node.domain.type)
        table = self._table(of, f"roll {name} {node.span.line}", node.span, "roll")
        if table is None:
            return
        counter = w.once(self.layout.lookup(table, outcome))
        with w.when(op("i32.ge_s", counter, 0)):
            w.emit("do", ("call", "note_event", counter))

    def changes(self, w: Writer, node: core.Stmt, whether: Code) -> None:
        """Whether a statement changed anything."""
        self.note_if(w, Counter("changed", type(node).__name__, node.span), whether)

    def note_if(self, w: Writer, counter: Counter, whether: Code) -> None:
        """Count how often something was so; nobody asks for whom, or when."""
        number = self.number(counter)
        if number not in self.plain:
            self.plain[number] = self.layout.scratch(4)
        cell = self.plain[number]
        w.store(cell, add(load(cell), whether))

    def reached(self, w: Writer, state: str, value: Code) -> None:
        """A state gets a number: is it the highest so far?"""
        if state not in self.highest:
            self.highest[state] = self.layout.scratch(4)
        highest = self.highest[state]
        with w.when(op("i32.gt_s", value, load(highest))):
            w.store(highest, value)

    def moved(self, w: Writer, piece: Code, place: Code, stacked: Code) -> None:
        """A piece is laid somewhere: to another place, or perhaps to another height of a stack."""
        other = either(ne(self.layout.where(piece), place), stacked)
        w.store(self.moves, add(load(self.moves), other))

    def asked(self, w: Writer, number: Code, seat: Code) -> None:
        """Somebody chose among so many options: by this the time of a game is counted."""
        counter: Code = len(WIDTHS)
        for each, width in reversed(list(enumerate(WIDTHS))):
            counter = select(op("i32.le_s", number, width), each, counter)
        self.note_seat(w, w.once(counter), seat)

    def _table(self, of: Type, owner: str, span: Span, sort: Sort = "value") -> int | None:
        """For each value its counter, in a table by the numbers of things."""
        if category(of) == "number":
            return self._number_table(of, owner, span, sort)
        if category(of) != "thing":
            return None
        within = self.layout.span(of)
        if within is None:
            return None
        first, size = within
        names = [subject_of(thing) for thing in self.layout.things[first : first + size]]
        if len({*names}) > MOST_VALUES:
            return None
        numbers = [-1] * len(self.layout.things)
        for at, name in enumerate(names):
            numbers[first + at] = self.number(Counter(sort, name, span, owner))
        return self.layout.numbers(numbers)

    def _number_table(self, of: Type, owner: str, span: Span, sort: Sort) -> int | None:
        low, high = getattr(of, "low", None), getattr(of, "high", None)
        if not isinstance(low, int) or not isinstance(high, int):
            return None
        if low < 0 or high > MOST_VALUES:
            return None
        counters = (Counter(sort, str(each), span, owner) for each in range(low, high + 1))
        return self.layout.numbers([-1] * low + [self.number(each) for each in counters])

    # ------------------------------------------------------------ adding up

    def write_add_up(self) -> None:
        """Add up the log of a game; of one that goes on, without telling thirds apart."""
        size = 4 * RECORD * self.stride * max(1, len(self.found))
        # What is large is not cleared when a game goes wrong.
        self.records = self.layout.scratch(max(size, LARGE))
        function = Function("add_up", [("choices", "i32"), ("over", "i32")], None)
        w = Writer(self.program.add(function))
        third = w.variable(select("over", 0, THIRDS))
        made = w.variable(0)
        end = w.once(load(self.at))
        game = w.once(load(self.game))
        at = w.variable(self.log)
        with w.loop() as label:
            w.leave_if(label, op("i32.ge_u", at, end))
            event = w.once(load(at))
            w.set(at, add(at, 4))
            with w.when(both("over", op("i32.lt_u", event, self.choices * self.stride))):
                passed = w.once(("i32.div_u", mul(made, THIRDS), add("choices", no("choices"))))
                w.set(third, select(op("i32.lt_u", passed, 2), passed, 2))
                w.set(made, add(made, 1))
            record = w.once(add(mul(event, 4 * RECORD), self.records))
            uses = w.once(cell_at(record, third))
            w.store(uses, add(load(uses), 1))
            with w.when(ne(load(record, 4 * STAMP), game)):
                who = w.once(("i32.rem_u", event, self.stride))
                self._first_use(w, record, game, load(cell_at(self.shares, who)))
                anybody = add(mul(sub(event, who), 4 * RECORD), self.records)
                anybody = w.once(add(anybody, 4 * RECORD * (self.stride - 1)))
                with w.when(ne(load(anybody, 4 * STAMP), game)):
                    self._first_use(w, anybody, game, 0)
        w.store(self.at, self.log)

    def _first_use(self, w: Writer, record: Code, game: Code, share: Code) -> None:
        w.store(record, game, 4 * STAMP)
        w.store(record, add(load(record, 4 * GAMES), 1), 4 * GAMES)
        w.store(record, add(load(record, 4 * WON), share), 4 * WON)

    def begin(self, w: Writer, number: Code | None) -> None:
        """A game begins; its number tells what is looked at in it, or it is the next one."""
        w.store(self.at, self.log)
        w.store(self.game, add(load(self.game) if number is None else number, 1))

    def data(self) -> list[tuple[int, bytes]]:
        return [
            (self.at, struct.pack("<i", self.log)),
            (self.judged, struct.pack("<i", JUDGED - 1)),
            (self.watched, struct.pack("<i", WATCHED - 1)),
            (self.barred, struct.pack("<i", -1)),
            (self.barred_seat, struct.pack("<i", -1)),
        ]

    def in_sample(self, bits: int) -> Code:
        """Whether a game is one of those in which something is looked at."""
        return no(("i32.and", load(self.game), load(bits)))

    def over(self, w: Writer, choices: Code, winners: Code, share: Code) -> None:
        """A game is over: so much is each winner's part."""
        for seat in range(self.players):
            won = ("i32.and", ("i32.shr_u", winners, seat), 1)
            w.store(self.shares + 4 * seat, mul(won, share))
        w.emit("do", ("call", "add_up", choices, 1))


def has_lines(game: CheckedGame) -> bool:
    """Whether there is a ranking by which somebody leads before the end."""
    return game.ranking is not None and bool(game.ranking.keys)


def subject_of(thing: Thing) -> str:
    """What pieces that are told apart by nothing have in common; others stand for themselves."""
    if thing.face is not None:
        return thing.face.name
    return thing.kind if thing.indexes and is_nameless(thing) else str(thing)


def _choice(node: core.ChooseValue) -> str:
    return f"choose {node.element.name} {node.span.line}"


def _may_leave(statement: core.Statement) -> bool:
    """Whether what follows may not come after it: something in it may end, or ask too often."""
    leaves = (core.End, core.Win, core.Call, core.Roll, core.ChooseValue, core.ChooseAction)
    return any(isinstance(part, (*leaves, core.Together)) for part in walk((statement,)))


def endings(block: core.Block) -> Iterator[core.Win | core.End]:
    """The statements of a block that end the game."""
    for part in walk(block):
        if isinstance(part, core.Win) or (isinstance(part, core.End) and part.target == "game"):
            yield part
