"""What happens in compiled games, counted where it happens; compiled in only when asked for.

What players do is noted in a log: which counter, and for which seat. When a game is over, its log
is added up: by then it is known who won, and what was a third of the game. So noting costs a few
instructions, and nothing is done for counters that a game does not touch.

Statements, rolls and forced decisions are many. They are counted in every game, but by seat and
third only in the games that are watched: the first ones and a small share of the others. In these
options are listed, too, where a game could be drawn without that, and it is noted who leads.
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
    "action",
    "value",
    "met",
    "allowed",
    "line",
    "refused",
    "roll",
    "forced",
    "options",
    "out",
    "changed",
    "short",
    "tied",
    "told apart",
]

LOGGED = 1 << 20
"""Events of a game before they are added up without telling thirds apart."""
THIRDS = 3
SPLIT = THIRDS + 1
"""Numbers of uses that are kept: for each third, and for what could not be split."""
RECORD = SPLIT + 3
"""Cells of a counter for a seat: uses, games with any, parts of wins in these, the last game."""
GAMES, WON, STAMP = SPLIT, SPLIT + 1, SPLIT + 2
FIRST_WATCHED, WATCHED = 512, 64
"""The first games and one of so many others are watched, as that costs time."""
FIRST_JUDGED, JUDGED = 128, 512
"""In these it is looked at what requirements refuse, which costs more."""
MOST_VALUES = 512
"""Values of a choice that are told apart."""
WIDTHS = (1, 2, 3, 4, 8, 16, 32, 64)
"""Numbers of options up to which decisions are counted together."""
MORE, UNLISTED = "more", "unlisted"
"""Stands for larger numbers, and for decisions whose options nobody listed."""
NEVER = 1 << 30
LENGTHS = 1 << 14
"""Numbers of choices that are told apart; longer games are counted with the last one."""


@attrs.frozen
class Counter:
    """What is counted: its sort, what it is about, and where the rules say it.

    A `value` belongs to the action or choice `of`, a `roll` to its statement. A value is `met`
    where it might be chosen, whatever requirements say, and `allowed` if they let it. Players are
    `tied` up to a line of the
    ranking, and `told apart` by it.
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
        self.ticks = layout.scratch(4)
        """decisions in the log: by them the time of a game is counted"""
        self.overflown = layout.scratch(4)
        """whether the log of this game was full, so that thirds are not known"""
        self.moves = layout.scratch(4)
        """pieces that came to another place"""
        self.game = layout.scratch(4)
        """the number of the game and one more, to know what is new in it"""
        self.judged = layout.scratch(4)
        """requirements are tried out in games whose number has none of these bits, besides the
        first ones"""
        self.watched = layout.scratch(4)
        """and games are watched whose number has none of these"""
        self.judging = layout.scratch(4)
        """whether this is such a game"""
        self.watching = layout.scratch(4)
        self.listed = layout.scratch(4)
        """whether it is known in this game how many options there were"""
        self.real = layout.scratch(4)
        """1, and 0 while something is only tried out"""
        self.barred = layout.scratch(4)
        """a counter whose action or value somebody does without, and who: both -1 if nobody does"""
        self.barred_seat = layout.scratch(4)
        self._kept = self._left = 0
        self.plain: dict[int, int] = {}
        """cells of counters that count neither seats nor thirds"""
        self.highest: dict[str, int] = {}
        """for each state, where the highest number is that it ever had"""
        self.lengths = self.cells(LENGTHS)
        """games by their number of choices, where it is known"""
        self.shares = layout.scratch(4 * self.stride)
        """for each seat, its part of the win"""
        self.records = 0
        # These come first: in the log they tell that somebody decided.
        widths = [self.number(Counter("options", str(width), NOWHERE)) for width in WIDTHS]
        more, self.unlisted = (
            self.number(Counter("options", name, NOWHERE)) for name in (MORE, UNLISTED)
        )
        self.deciding = len(self.found)
        self.widths = layout.numbers(
            [
                next((widths[at] for at, width in enumerate(WIDTHS) if number <= width), more)
                for number in range(WIDTHS[-1] + 2)
            ]
        )
        """for each number of options, its counter"""
        self.write_note()

    def cells(self, number: int = 1) -> int:
        """Cells in a row that outlast a game that goes wrong: large pieces are not cleared then."""
        if number > self._left:
            self._left = max(LARGE // 4, number)
            self._kept = self.layout.scratch(4 * self._left)
        address = self._kept
        self._kept += 4 * number
        self._left -= number
        return address

    # ------------------------------------------------------------ noting

    def number(self, counter: Counter) -> int:
        if counter not in self._numbers:
            self._numbers[counter] = len(self.found)
            self.found.append(counter)
        return self._numbers[counter]

    def write_note(self) -> None:
        """Note an event, which is where its record lies among all."""
        function = Function("note_for", [("event", "i32")], None)
        w = Writer(self.program.add(function))
        at = w.variable(load(self.at))
        w.store(at, "event")
        w.store(self.at, add(at, 4))
        with w.when(op("i32.ge_u", at, self.log + 4 * LOGGED)):
            w.store(self.overflown, 1)
            w.emit("do", ("call", "add_up", 0))

        function = Function("note_event", [("counter", "i32")], None)
        w = Writer(self.program.add(function))
        you = w.once(select(op("i32.lt_s", load(CHOOSER), 0), load(ACTIVE), load(CHOOSER)))
        seat = w.once(sub(you, self.layout.first_player))
        who = select(op("i32.lt_u", seat, self.players), seat, self.players)
        w.emit("do", ("call", "note_for", self._event("counter", who)))

    def _event(self, counter: Code, who: Code) -> Code:
        if isinstance(counter, int):
            return add(mul(who, 4 * RECORD), 4 * RECORD * self.stride * counter)
        return mul(add(mul(counter, self.stride), who), 4 * RECORD)

    def note_seat(self, w: Writer, number: Code, seat: Code) -> None:
        """For the seat with this number among the things."""
        who = sub(seat, self.layout.first_player)
        w.emit("do", ("call", "note_for", self._event(number, who)))

    def happened(self, w: Writer, counter: Counter) -> None:
        """Something happened to whoever chooses or is active: noted where games are watched."""
        number = self.number(counter)
        with w.when(load(self.watching)):
            w.emit("do", ("call", "note_event", number))
        with w.otherwise():
            self._more(w, number, load(self.real))

    def _more(self, w: Writer, number: int, more: Code) -> None:
        """Count without telling for whom, or when."""
        cell = self._cell(number)
        w.store(cell, add(load(cell), more))

    def _cell(self, number: int) -> int:
        if number not in self.plain:
            self.plain[number] = self.cells()
        return self.plain[number]

    @property
    def mark(self) -> Code:
        """How far the log is: what is only tried out is taken back to there."""
        return load(self.at)

    def back_to(self, w: Writer, mark: Code) -> None:
        w.store(self.at, mark)

    def only_tried(self, w: Writer) -> Code:
        """What follows is only tried out; returns what was so before, for `for_real`."""
        before = w.variable(load(self.real))
        w.store(self.real, 0)
        return before

    def for_real(self, w: Writer, before: Code) -> None:
        w.store(self.real, before)

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
        self.happened(w, counter)

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

    def looked_at(
        self,
        w: Writer,
        sort: Literal["met", "allowed"],
        info: ActionInfo | core.ChooseValue,
        at: int,
        value: Code,
        seat: Code,
    ) -> None:
        """A piece might be chosen, whether it is refused or not, or may be."""
        of = _chosen(info, at)
        if not self.layout.is_piece(of):
            return
        numbers = self._numbered(of, value_owner(info, at), info.span, sort)
        if numbers is not None:
            self.note_seat(w, self.layout.lookup(self.layout.numbers(numbers), value), seat)

    def _values(self, info: ActionInfo | core.ChooseValue, at: int) -> int | None:
        return self._table(_chosen(info, at), value_owner(info, at), info.span)

    def is_barred(self, info: ActionInfo, values: list[Code]) -> Code:
        """Whether an action, or one of its values, is what somebody does without."""
        barred = load(self.barred)
        found = eq(barred, self.number(Counter("action", info.key, info.span)))
        for at, value in enumerate(values):
            found = either(found, self.is_barred_value(info, at, value))
        return found

    def is_barred_value(self, info: ActionInfo | core.ChooseValue, at: int, value: Code) -> Code:
        """Whether a value is what somebody does without."""
        table = self._values(info, at)
        return 0 if table is None else eq(self.layout.lookup(table, value), load(self.barred))

    def rolled(self, w: Writer, node: core.Roll, outcome: Code) -> None:
        name = node.target.name if isinstance(node.target, core.Local) else node.target.state
        of = element_of(node.domain.type)
        numbers = self._numbered(of, f"roll {name} {node.span.line}", node.span, "roll")
        if numbers is None:
            return
        counter = w.once(self.layout.lookup(self.layout.numbers(numbers), outcome))
        with w.when(op("i32.ge_s", counter, 0)):
            with w.when(load(self.watching)):
                w.emit("do", ("call", "note_event", counter))
            with w.otherwise():
                cells = self.layout.numbers(0 if each < 0 else self._cell(each) for each in numbers)
                cell = w.once(self.layout.lookup(cells, outcome))
                w.store(cell, add(load(cell), load(self.real)))

    def changes(self, w: Writer, node: core.Stmt, whether: Code) -> None:
        """Whether a statement changed anything."""
        self.note_if(w, Counter("changed", type(node).__name__, node.span), whether)

    def note_if(self, w: Writer, counter: Counter, whether: Code) -> None:
        """Count how often something was so; nobody asks for whom, or when."""
        self._more(w, self.number(counter), ("i32.and", whether, load(self.real)))

    def reached(self, w: Writer, state: str, value: Code) -> None:
        """A state gets a number: is it the highest so far?"""
        if state not in self.highest:
            self.highest[state] = self.cells()
        highest = self.highest[state]
        with w.when(both(op("i32.gt_s", value, load(highest)), load(self.real))):
            w.store(highest, value)

    def moved(self, w: Writer, piece: Code, place: Code, stacked: Code) -> None:
        """A piece is laid somewhere: to another place, or perhaps to another height of a stack."""
        other = either(ne(self.layout.where(piece), place), stacked)
        w.store(self.moves, add(load(self.moves), other))

    def asked(self, w: Writer, number: Code, seat: Code) -> None:
        """Somebody decided among so many options."""
        most = WIDTHS[-1] + 1
        known = w.once(select(op("i32.lt_s", number, most), number, most))
        self._tick(w, self.layout.lookup(self.widths, known), seat)

    def decided(self, w: Writer, seat: Code) -> None:
        """Somebody decided among nobody knows how many."""
        self._tick(w, self.unlisted, seat)

    def _tick(self, w: Writer, counter: Code, seat: Code) -> None:
        w.store(self.ticks, add(load(self.ticks), 1))
        self.note_seat(w, counter, seat)

    def _table(self, of: Type, owner: str, span: Span) -> int | None:
        """For each value its counter, in a table by the numbers of things."""
        numbers = self._numbered(of, owner, span, "value")
        return None if numbers is None else self.layout.numbers(numbers)

    def _numbered(self, of: Type, owner: str, span: Span, sort: Sort) -> list[int] | None:
        """For each value its counter, -1 for others; None if they can't be told apart."""
        if category(of) == "number":
            return self._numbered_numbers(of, owner, span, sort)
        within = self.layout.span(of) if category(of) == "thing" else None
        if within is None:
            return None
        first, size = within
        names = [subject_of(thing) for thing in self.layout.things[first : first + size]]
        if len({*names}) > MOST_VALUES:
            return None
        numbers = [-1] * len(self.layout.things)
        for at, name in enumerate(names):
            numbers[first + at] = self.number(Counter(sort, name, span, owner))
        return numbers

    def _numbered_numbers(self, of: Type, owner: str, span: Span, sort: Sort) -> list[int] | None:
        low, high = getattr(of, "low", None), getattr(of, "high", None)
        if not isinstance(low, int) or not isinstance(high, int):
            return None
        if low < 0 or high > MOST_VALUES:
            return None
        counters = (Counter(sort, str(each), span, owner) for each in range(low, high + 1))
        return [-1] * low + [self.number(each) for each in counters]

    # ------------------------------------------------------------ adding up

    def write_add_up(self) -> None:
        """Add up the log of a game; of one that goes on, uses alone: nobody has won it yet."""
        size = 4 * RECORD * self.stride * max(1, len(self.found))
        # What is large is not cleared when a game goes wrong.
        self.records = self.layout.scratch(max(size, LARGE))
        function = Function("add_up", [("over", "i32")], None)
        w = Writer(self.program.add(function))
        ticks = w.once(load(self.ticks))
        split = w.once(both("over", no(load(self.overflown))))
        third = w.variable(select(split, 0, THIRDS))
        made = w.variable(0)
        second_starts = ("i32.div_u", add(ticks, 2), 3)
        last_starts = w.once(("i32.div_u", add(mul(ticks, 2), 2), 3))
        next_starts = w.variable(select(split, second_starts, NEVER))
        end = w.once(load(self.at))
        game = w.once(load(self.game))
        at = w.variable(self.log)
        with w.loop() as label:
            w.leave_if(label, op("i32.ge_u", at, end))
            event = w.once(load(at))
            w.set(at, add(at, 4))
            with w.when(op("i32.lt_u", event, 4 * RECORD * self.stride * self.deciding)):
                with w.when(op("i32.ge_u", made, next_starts)):
                    w.set(next_starts, select(third, NEVER, last_starts))
                    w.set(third, add(third, 1))
                w.set(made, add(made, 1))
            record = w.once(add(event, self.records))
            uses = w.once(cell_at(record, third))
            w.store(uses, add(load(uses), 1))
            with w.when(both("over", ne(load(record, 4 * STAMP), game))):
                who = w.once(("i32.rem_u", ("i32.div_u", event, 4 * RECORD), self.stride))
                self._first_use(w, record, game, load(cell_at(self.shares, who)))
                anybody = w.once(add(record, mul(sub(self.stride - 1, who), 4 * RECORD)))
                with w.when(ne(load(anybody, 4 * STAMP), game)):
                    self._first_use(w, anybody, game, 0)
        w.store(self.at, self.log)
        w.store(self.ticks, 0)

    def _first_use(self, w: Writer, record: Code, game: Code, share: Code) -> None:
        w.store(record, game, 4 * STAMP)
        w.store(record, add(load(record, 4 * GAMES), 1), 4 * GAMES)
        w.store(record, add(load(record, 4 * WON), share), 4 * WON)

    def begin(self, w: Writer, number: Code | None, listed: Code) -> None:
        """A game begins; its number tells what is looked at in it, or it is the next one.

        It is `listed` if it will be known how many options there are.
        """
        w.store(self.at, self.log)
        w.store(self.ticks, 0)
        w.store(self.overflown, 0)
        w.store(self.real, 1)
        number = w.once(load(self.game) if number is None else number)
        w.store(self.game, add(number, 1))
        w.store(self.judging, _sampled(number, FIRST_JUDGED, self.judged))
        w.store(self.watching, self.is_watched(number))
        w.store(self.listed, listed)

    def is_watched(self, number: Code) -> Code:
        """Whether the game of a number is one of those that are watched."""
        return _sampled(number, FIRST_WATCHED, self.watched)

    def data(self) -> list[tuple[int, bytes]]:
        return [
            (self.at, struct.pack("<i", self.log)),
            (self.judged, struct.pack("<i", JUDGED - 1)),
            (self.watched, struct.pack("<i", WATCHED - 1)),
            (self.barred, struct.pack("<i", -1)),
            (self.barred_seat, struct.pack("<i", -1)),
        ]

    def over(self, w: Writer, choices: Code, winners: Code, share: Code) -> None:
        """A game is over: so much is each winner's part."""
        for seat in range(self.players):
            won = ("i32.and", ("i32.shr_u", winners, seat), 1)
            w.store(self.shares + 4 * seat, mul(won, share))
        w.emit("do", ("call", "add_up", 1))
        with w.when(load(self.listed)):
            most = LENGTHS - 1
            length = w.once(choices)
            known = select(op("i32.lt_u", length, most), length, most)
            cell = w.once(cell_at(self.lengths, known))
            w.store(cell, add(load(cell), 1))


def _sampled(number: Code, first: int, bits: int) -> Code:
    return either(op("i32.lt_u", number, first), no(("i32.and", number, load(bits))))


def is_watched(number: int) -> bool:
    """Whether the game of a number is watched."""
    return number < FIRST_WATCHED or number % WATCHED == 0


def games_judged(games: int) -> int:
    """In how many of so many games it is looked at what requirements refuse."""
    return min(games, FIRST_JUDGED) + len(range(FIRST_JUDGED, games, JUDGED))


def has_lines(game: CheckedGame) -> bool:
    """Whether there is a ranking by which somebody leads before the end."""
    return game.ranking is not None and bool(game.ranking.keys)


def subject_of(thing: Thing) -> str:
    """What pieces that are told apart by nothing have in common; others stand for themselves."""
    if thing.face is not None:
        return thing.face.name
    return thing.kind if thing.indexes and is_nameless(thing) else str(thing)


def _chosen(info: ActionInfo | core.ChooseValue, at: int) -> Type:
    """What kind of thing is chosen."""
    domain = info.picks[at].domain if isinstance(info, ActionInfo) else info.domain
    return element_of(domain.type)


def value_owner(info: ActionInfo | core.ChooseValue, at: int = 0) -> str:
    """What a value is chosen for: a parameter of an action, or a choice of values."""
    if isinstance(info, ActionInfo):
        return f"{info.key}.{info.picks[at].local.name}"
    return f"{_choice(info)}.{info.element.name}"


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
