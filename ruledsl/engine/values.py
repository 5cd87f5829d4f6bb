"""Expressions as code."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, TypeAlias, assert_never

import attrs

from ruledsl.engine.code import (
    Code,
    Function,
    Program,
    Writer,
    add,
    both,
    either,
    eq,
    load,
    load64,
    mul,
    ne,
    no,
    op,
    select,
    sub,
    within,
)
from ruledsl.engine.layout import (
    ACTIVE,
    CHOOSER,
    HOW,
    NO_NUMBER,
    NO_THING,
    PLAYING,
    WINNERS,
    Category,
    Layout,
    PlaceLayout,
    category,
    none_of,
)
from ruledsl.engine.sets import (
    WORD,
    Backward,
    Bits,
    Everything,
    Filtered,
    Guarded,
    InCell,
    Listed,
    Nothing,
    Numbers,
    SetCode,
    Turned,
    Words,
    bit_of,
)
from ruledsl.model import core
from ruledsl.model.facts import changes_in_play
from ruledsl.model.game import DefineInfo
from ruledsl.model.types import (
    AnyType,
    FaceType,
    MaybeType,
    SetType,
    Type,
    may_be_none,
    plain,
)
from ruledsl.model.walk import walk
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import frame_size
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value, face_kind

Binding: TypeAlias = "Code | SetCode | Lazy"
Env: TypeAlias = dict[int, Binding]

MOST_ENTRIES = 4096
"""Entries of a table that replaces an expression."""
MOST_UNROLLED = 8
"""Values that a loop is written out for."""
SMALL = 16
"""Definitions of so few parts are written out where they are used."""

_TABLED_FEATURES = frozenset(
    ("face", "index", "col", "row", "seat", "go", "opposite", "ray", "beside", "around", "paths")
)
"""Features that are look-ups in a table themselves."""


@attrs.frozen
class Still:
    """What an expression that never changes depends on."""

    locals: dict[int, Type]
    you: bool


@attrs.frozen(eq=False)
class Lazy:
    """A value that is worked out when it is first wanted, and then kept."""

    node: core.Expr
    env: Env
    known: str
    held: str


class Values:
    """Lowers expressions. What runs rules (`would`, `can`) is supplied by the procedures."""

    def __init__(self, table: Table, layout: Layout, program: Program, checked: bool) -> None:
        self.table = table
        self.game = table.game
        self.layout = layout
        self.program = program
        self.checked = checked
        self.chooser_set = False
        """whether the code being written only runs while somebody has chosen"""
        self.sites: list[tuple[str, str, object]] = []
        """what can go wrong: the guard, its message, and the place in the rules"""
        self._lists: dict[tuple[int, ...], int] = {}
        self._lengths: dict[int, int] = {}
        self._longest: dict[int, int] = {}
        """of a table of lists, how long its longest list is"""
        self._still: dict[str, bool] = {}
        self._defines: set[str] = set()
        self._tables: dict[object, int] = {}
        self._fresh = 0
        parts = [part for block in self._blocks() for part in walk(block)]
        self.players_leave = any(
            isinstance(part, core.Eliminate)
            or (isinstance(part, core.Slot) and part.state == "playing")
            for part in parts
        )

    def _blocks(self) -> Iterator[core.Block]:
        for step in self.game.steps.values():
            if step.body is not None:
                yield step.body
            for row in step.rows:
                yield row.body
        for action in self.game.actions.values():
            yield action.requirements
            yield action.body
        for trigger in self.game.triggers.values():
            yield trigger.body

    @abstractmethod
    def would(self, w: Writer, node: core.Would, env: Env) -> Code:
        """The value of an expression in the position after a step."""

    @abstractmethod
    def can(self, w: Writer, node: core.Can, env: Env) -> Code:
        """Whether an action could be chosen."""

    def fail(self, w: Writer, kind: str, message: str, span: object) -> None:
        """Stop with an error."""
        self.sites.append((kind, message, span))
        w.emit("do", ("call", "fail", len(self.sites)))
        w.emit("trap")

    # ------------------------------------------------------------ static parts

    def list_of(self, values: tuple[int, ...]) -> int:
        """The address of a constant list."""
        if values not in self._lists:
            self._lists[values] = self.layout.numbers((len(values), *values, 0))
            self._lengths[self._lists[values]] = len(values)
        return self._lists[values]

    def still(self, node: core.Expr) -> Still | None:
        """What an expression depends on if it never changes on this table; otherwise None."""
        locals_: dict[int, Type] = {}
        bound: set[int] = set()
        nameless: set[int] = set()
        you = False
        for part in walk((node,)):
            match part:
                case core.Local(number=number):
                    if id(part) not in nameless:
                        locals_.setdefault(number, part.type)
                case core.Draw(local=core.Local(name="") as local):
                    nameless.add(id(local))  # A set as a whole is drawn from without a name.
                case core.Draw(local=local) | core.Reach(local=local) | core.ByKind(local=local):
                    bound.add(local.number)
                    if isinstance(part, core.Reach | core.ByKind) and changes_in_play(part):
                        return None
                case core.CallDefine(define=key):
                    if not self.define_is_still(key):
                        return None
                case core.Special(word="you"):
                    you = True
                case core.Would() | core.Can() | core.Knows():
                    return None
                case core.Expression() if changes_in_play(part):  # type: ignore[arg-type]
                    return None
                case _:
                    pass
        return Still({n: t for n, t in locals_.items() if n not in bound}, you)

    def define_is_still(self, key: str) -> bool:
        if key not in self._still:
            self._still[key] = False
            info = self.game.defines[key]
            bodies = [b for b in (info.body, *(row.body for row in info.rows)) if b is not None]
            self._still[key] = all(self._never_changes(body) for body in bodies)
        return self._still[key]

    def _never_changes(self, body: core.Expr) -> bool:
        found = self.still(body)
        return found is not None and not found.you

    def domain(self, of: Type) -> list[Value] | None:
        """All things of a type, if it is one of things."""
        kinds = self.layout.kinds_of(of)
        if not kinds:
            return None
        things: list[Value] = []
        for kind in kinds:
            start = self.layout.first[kind]
            things.extend(self.layout.things[start : start + self.layout.size[kind]])
        return things

    def _tabled(self, w: Writer, node: core.Expr, env: Env) -> Code | SetCode | None:
        """A still expression as a constant, or as a look-up in a table of all its values."""
        found = self.still(node)
        if found is None:
            return None
        wanted: list[tuple[int | None, list[Value], Code]] = []
        total = 1
        players: list[Value] = list(self.table.things("Player"))
        if found.you:
            wanted.append((None, players, self.you(w)))
            total *= len(players)
        for number, of in found.locals.items():
            things = self.domain(of)
            binding = env.get(number)
            if things is None or not things or isinstance(binding, SetCode | Lazy):
                return None
            if binding is None:
                return None
            if may_be_none(of):
                return None
            wanted.append((number, things, binding))
            total *= len(things)
        queries = sum(
            isinstance(p, core.Query | core.Reach | core.CallDefine) for p in walk((node,))
        )
        if total * (1 + 3 * queries) > MOST_ENTRIES * 2 or (wanted and not _worth(node)):
            return None
        key = (node, tuple(number for number, _, _ in wanted))
        kind = category(node.type)
        if key not in self._tables:
            self._tables[key] = self._make_table(node, wanted, kind)
        return self._looked_up(w, self._tables[key], wanted, kind, node.type)

    def _looked_up(
        self,
        w: Writer,
        table: int,
        wanted: list[tuple[int | None, list[Value], Code]],
        kind: Category,
        of: Type,
    ) -> Code | SetCode:
        index: Code = 0
        for _, things, code in wanted:
            index = add(mul(index, len(things)), self._ordinal(code, things))
        value = self.layout.lookup(table, index)
        if kind != "set":
            return value
        element = plain(of)
        span = self.layout.span(element.element) if isinstance(element, SetType) else None
        return Listed(w.once(value), self._longest[table], False, span)

    def _ordinal(self, code: Code, things: list[Value]) -> Code:
        """The number of a thing among some things, most often of one kind."""
        ids = [self.layout.encode(thing, "thing") for thing in things]
        if ids == list(range(ids[0], ids[0] + len(ids))):
            return sub(code, ids[0])
        gaps = {number: at for at, number in enumerate(ids)}
        size = max(ids) + 1
        table = self.layout.numbers([gaps.get(number, 0) for number in range(size)])
        return self.layout.lookup(table, code)

    def _make_table(
        self, node: core.Expr, wanted: list[tuple[int | None, list[Value], Code]], kind: Category
    ) -> int:
        evaluate = self.table.evaluator.compile(node)
        size = frame_size(node) + 1
        values: list[int] = []
        self.table.evaluator.fuel = 10**9
        for combination in product(*(things for _, things, _ in wanted)):
            frame: list[Value] = [None] * size
            active: Thing | None = None
            for (number, _, _), value in zip(wanted, combination, strict=True):
                if number is None:
                    assert isinstance(value, Thing)
                    active = value
                else:
                    frame[number] = value
            try:
                found = evaluate(Position({}, {}, {}, active, ()), frame)
            except RulesError:
                found = None  # The rules never ask for it.
            values.append(self.static_value(found, kind))
        table = self.layout.numbers(values)
        if kind == "set":
            self._longest[table] = max((self._lengths[each] for each in values), default=0)
        return table

    def static_value(self, value: Value, kind: Category) -> int:
        """A value as a number; a set as the address of its list."""
        if isinstance(value, tuple):
            inner: Category = "set" if any(isinstance(v, tuple) for v in value) else "thing"
            return self.list_of(tuple(self.static_value(each, inner) for each in value))
        if kind == "set":
            return self.list_of(())
        return self.layout.encode(value, kind)

    def _column_table(self, name: str, kinds: list[str], of: Type) -> int:
        """A constant table over the things of some kinds."""
        kind = category(of)
        size = max(self.layout.first[k] + self.layout.size[k] for k in kinds)
        empty = self.list_of(()) if kind == "set" else none_of(kind)
        values = [empty] * size
        for each in kinds:
            start = self.layout.first[each]
            for at in range(start, start + self.layout.size[each]):
                thing = self.layout.things[at]
                source = thing.indexes if name.startswith("@") else thing.columns
                found = source.get(name.removeprefix("@"))
                values[at] = self.static_value(found, kind)
        return self.layout.numbers(values, empty)

    # ------------------------------------------------------------ scalars

    def condition(self, w: Writer, node: core.Expr, env: Env) -> Code:
        """Whether a flag is set; none is not."""
        code = self.value(w, node, env)
        if may_be_none(node.type) and not isinstance(
            node, core.Compare | core.Member | core.Not | core.Both | core.Either | core.Empty
        ):
            return eq(code, 1)
        return code

    def number(self, w: Writer, node: core.Expr, env: Env) -> Code:
        return self.value(w, node, env, "number")

    def you(self, w: Writer) -> Code:
        if self.chooser_set:
            return load(CHOOSER)
        return w.once(("select", load(ACTIVE), load(CHOOSER), op("i32.lt_s", load(CHOOSER), 0)))

    def value(self, w: Writer, node: core.Expr, env: Env, want: Category | None = None) -> Code:
        """A number, a flag or a thing; none as `want` has it where the type does not tell."""
        kind = want or category(node.type)
        match node:
            case core.Constant(value=None):
                return none_of(kind)
            case core.Constant(value=literal):
                assert literal is not None
                return int(literal)
            case core.Local(number=number):
                bound = env[number]
                assert not isinstance(bound, SetCode), node.name
                return self._wanted(w, bound, kind) if isinstance(bound, Lazy) else bound
            case core.Value() | core.Face() | core.Copy() | core.OptionValue():
                return self.static_value(self.table.evaluator.compile(node)(_NOWHERE, []), kind)
            case core.Special(word=word):
                return self._special(w, word)
            case _:
                pass
        tabled = self._tabled(w, node, env)
        if tabled is not None and not isinstance(tabled, SetCode):
            return tabled
        match node:
            case core.PlaceAt(place=place, indexes=indexes):
                return self._at(w, place, indexes, env)
            case core.Nth():
                return self._nth(w, node, env)
            case core.Indexed(kind=name, indexes=indexes):
                return self._at(w, name, indexes, env)
            case core.ReadColumn(subject=subject, name=name):
                table = self._column_table(name, self.layout.kinds_of(subject.type), node.type)
                return self.layout.lookup(table, self.value(w, subject, env))
            case core.ReadIndex(subject=subject, name=name):
                table = self._column_table(
                    "@" + name, self.layout.kinds_of(subject.type), node.type
                )
                return self.layout.lookup(table, self.value(w, subject, env))
            case core.ReadState(state=state, subject=subject):
                return self._read_state(w, state, subject, env)
            case core.ReadHistory(history=name):
                return ("call", f"times_{name}")
            case core.ReadFeature():
                return self._feature(w, node, env)
            case core.ByKind():
                return self._by_kind(w, node, env, kind)
            case core.CallDefine():
                return self._call(w, node, env, kind)
            case core.Negate(operand=operand):
                return sub(0, self.number(w, operand, env))
            case core.Arithmetic():
                return self._arithmetic(w, node, env)
            case core.Compare():
                return self._compare(w, node, env)
            case core.Member(element=element, whole=whole):
                return self._member(w, element, whole, env)
            case core.IsFace(subject=subject, face=face):
                shown = self.value(w, subject, env)
                return eq(self._face(shown, subject.type), self.value(w, face, env))
            case core.IsKind(subject=subject, kind=name):
                size = self.layout.size[name]
                return within(self.value(w, subject, env), self.layout.first[name], size)
            case core.Not(operand=operand):
                return no(self.condition(w, operand, env))
            case core.Both(left=left, right=right):
                return self._shortcut(w, left, right, env, 0)
            case core.Either(left=left, right=right):
                return self._shortcut(w, left, right, env, 1)
            case core.Conditional(condition=test, yes=yes, no=other):
                return self._conditional(w, test, yes, other, env, kind)
            case core.Case():
                return self._case(w, node, env, kind)
            case core.Query():
                return self.query(w, node, env, kind)
            case core.The(value=inner):
                return self._the(w, self.value(w, inner, env, kind), kind, node)
            case core.Extreme(word=most, items=items):
                return self._extreme(w, most, items, env)
            case core.Empty(whole=whole):
                return no(self.set(w, whole, env).filled(w))
            case core.Clamp(value=inner, low=low, high=high):
                x = w.once(self.number(w, inner, env))
                last = w.once(self.number(w, high, env))
                first = w.once(self.number(w, low, env))
                x = w.once(select(op("i32.gt_s", x, last), last, x))
                return select(op("i32.lt_s", x, first), first, x)
            case core.Abs(value=inner):
                x = w.once(self.number(w, inner, env))
                return select(op("i32.lt_s", x, 0), sub(0, x), x)
            case core.Would():
                return self.would(w, node, env)
            case core.Can():
                return self.can(w, node, env)
            case core.Knows():
                raise NotImplementedError("`knows` stands in tests only")
            case (
                core.AllThings()
                | core.AllFaces()
                | core.Contents()
                | core.Combine()
                | core.Interval()
                | core.SetOf()
                | core.Reach()
            ):
                raise AssertionError(f"a set where a value is wanted: {type(node).__name__}")
            case _:
                assert_never(node)

    def _special(self, w: Writer, word: core.SpecialWord) -> Code:
        match word:
            case "you":
                return self.you(w)
            case "active":
                return load(ACTIVE)
            case "players":
                return self.layout.players
            case "finished":
                return ne(load(HOW), 0)
            case "playing" | "winners":
                raise AssertionError("a set where a value is wanted")
            case _:
                assert_never(word)

    def _guarded(
        self, w: Writer, node: core.Expr, env: Env, none: int, read: Callable[[Code], Code]
    ) -> Code:
        """What is read from a thing; none if there is no thing."""
        subject = self.value(w, node, env)
        if not may_be_none(node.type):
            return read(w.once(subject))
        x = w.once(subject)
        found = w.variable(none)
        with w.when(op("i32.ge_s", x, 0)):
            w.set(found, read(x))
        return found

    def _at(self, w: Writer, name: str, indexes: tuple[core.Expr, ...], env: Env) -> Code:
        """A place of a family, or any thing by its indexes."""
        family = self.table.family(name)
        if not indexes:
            return self.layout.id(family[()])
        kind = self.game.kinds[name]
        domains = [list(self.table.domain(index)) for index in kind.indexes]
        entries = []
        for combination in product(*domains):
            thing = family.get(combination)
            entries.append(NO_THING if thing is None else self.layout.id(thing))
        table = self.layout.numbers(entries)
        index: Code = 0
        inside: Code = 1
        for node, domain in zip(indexes, domains, strict=True):
            code = w.once(self.value(w, node, env))
            first = self.static_value(domain[0], "thing") if domain else 0
            if not isinstance(domain[0], Thing):
                inside = both(inside, within(code, first, len(domain)))
            elif may_be_none(node.type):
                inside = both(inside, op("i32.ge_s", code, 0))
            index = add(mul(index, len(domain)), sub(code, first))
        if inside == 1:
            return self.layout.lookup(table, index)
        return self.layout.lookup(table, ("select", index, -1, inside))

    def _nth(self, w: Writer, node: core.Nth, env: Env) -> Code:
        first, size = self.layout.first[node.kind], self.layout.size[node.kind]
        if len(node.numbers) == 1:
            number = w.once(self.number(w, node.numbers[0], env))
            return select(within(number, 1, size), add(number, first - 1), NO_THING)
        shape = self.table.size(node.kind)
        assert shape is not None
        width, height = shape
        col = w.once(self.number(w, node.numbers[0], env))
        row = w.once(self.number(w, node.numbers[1], env))
        inside = both(within(col, 1, width), within(row, 1, height))
        return select(inside, add(add(mul(row, width), col), first - width - 1), NO_THING)

    def _read_state(self, w: Writer, state: str, subject: core.Expr | None, env: Env) -> Code:
        slot = self.layout.states[state]
        if subject is None:
            return load(slot.base)
        none = none_of(slot.category)
        return self._guarded(w, subject, env, none, lambda x: load(slot.address(x)))

    def _face(self, shown: Code, of: Type) -> Code:
        """The face of a piece; a face, or any other thing, is its own."""
        kinds = self.layout.kinds_of(of)
        if isinstance(plain(of), FaceType):
            return shown
        size = max(self.layout.first[k] + self.layout.size[k] for k in kinds)
        faces = [
            self.layout.id(thing if thing.face is None else thing.face)
            for thing in self.layout.things[:size]
        ]
        return self.layout.lookup(self.layout.numbers(faces), shown)

    def _thing_table(self, kinds: list[str], read: Callable[[Thing], Value], kind: Category) -> int:
        size = max(self.layout.first[k] + self.layout.size[k] for k in kinds)
        empty = self.list_of(()) if kind == "set" else none_of(kind)
        values = [empty] * size
        for name in kinds:
            start = self.layout.first[name]
            for at in range(start, start + self.layout.size[name]):
                values[at] = self.static_value(read(self.layout.things[at]), kind)
        return self.layout.numbers(values, empty)

    def _feature(self, w: Writer, node: core.ReadFeature, env: Env) -> Code:
        table = self.table
        subject = node.subject
        kinds = self.layout.kinds_of(subject.type)

        def looked_up(read: Callable[[Thing], Value], kind: Category) -> Code:
            at = self.value(w, subject, env)
            return self.layout.lookup(self._thing_table(kinds, read, kind), at)

        match node.feature:
            case "place":
                return self._guarded(
                    w, subject, env, NO_THING, lambda x: load(add(mul(x, 4), self.layout.place_of))
                )
            case "face":
                return looked_up(lambda thing: thing.face, "thing")
            case "index" | "seat":
                return looked_up(lambda thing: thing.index + 1, "number")
            case "col":
                return looked_up(lambda thing: thing.col, "number")
            case "row":
                return looked_up(lambda thing: thing.row, "number")
            case "opposite":
                return looked_up(table.opposite, "thing")
            case "go":
                return self._go(w, node, env)
            case "top" | "lowest":
                top = node.feature == "top"
                return self._guarded(
                    w, subject, env, NO_THING, lambda x: self.end_piece(w, x, kinds, top)
                )
            case "next":
                if not self.players_leave:
                    seats = table.things("Player")
                    return looked_up(lambda p: seats[(p.index + 1) % len(seats)], "thing")
                return ("call", "next_player", self.value(w, subject, env))
            case (
                "ray"
                | "beside"
                | "around"
                | "onward"
                | "backward"
                | "paths"
                | "round"
                | "others"
                | "reversed"
            ):
                raise AssertionError("a set where a value is wanted")
            case _:
                assert_never(node.feature)

    def _go(self, w: Writer, node: core.ReadFeature, env: Env) -> Code:
        kinds = self.layout.kinds_of(node.subject.type)
        ways = self.table.things("Dir")
        place = self.value(w, node.subject, env)
        way = self.value(w, node.arguments[0], env)
        size = max(self.layout.first[k] + self.layout.size[k] for k in kinds)
        low = min(self.layout.first[k] for k in kinds)
        entries = []
        for thing in self.layout.things[low:size]:
            for each in ways:
                found = self.table.go(thing, each) if thing.col is not None else None
                entries.append(NO_THING if found is None else self.layout.id(found))
        table = self.layout.numbers(entries)
        first = self.layout.id(ways[0])
        place = w.once(place)
        way = w.once(way)
        index = add(mul(sub(place, low), len(ways)), sub(way, first))
        inside: Code = 1
        if may_be_none(node.subject.type):
            inside = op("i32.ge_s", place, 0)
        if may_be_none(node.arguments[0].type):
            inside = both(inside, op("i32.ge_s", way, 0))
        return self.layout.lookup(table, select(inside, index, -1))

    def by_place(
        self, w: Writer, place: Code, kinds: list[str], write: Callable[[PlaceLayout], None]
    ) -> None:
        """Write what is done for a place of one of several kinds."""
        layouts = [self.layout.places[kind] for kind in kinds if self.layout.size[kind]]
        for at, each in enumerate(layouts):
            if at == len(layouts) - 1:
                write(each)
                return
            inner: list[tuple[object, ...]] = []
            with w.into(inner):
                write(each)
            other: list[tuple[object, ...]] = []
            w.out.append(("if", within(place, each.first, each.count), inner, other))
            # What follows belongs to the other branch.
            w.out = other

    def for_place(
        self, w: Writer, place: Code, kinds: list[str], write: Callable[[PlaceLayout], None]
    ) -> None:
        outer = w.out
        try:
            self.by_place(w, place, kinds, write)
        finally:
            w.out = outer

    def end_piece(self, w: Writer, place: Code, kinds: list[str], top: bool) -> Code:
        """The piece on top of a place, or the lowest; -1 if there is none."""
        if len(kinds) == 1 and self.layout.places[kinds[0]].form == "cell":
            return load(self.layout.places[kinds[0]].address(place))
        found = w.variable(NO_THING)

        def read(at: PlaceLayout) -> None:
            match at.form:
                case "cell":
                    w.set(found, load(at.address(place)))
                case "stack":
                    address = w.once(at.address(place))
                    number = w.once(load(address))
                    with w.when(number):
                        where = add(address, mul(number, 4)) if top else add(address, 4)
                        w.set(found, load(where))
                case "bits":
                    self._end_bit(w, at, place, top, found)
                case _:
                    assert_never(at.form)

        self.for_place(w, place, kinds, read)
        return found

    def _end_bit(self, w: Writer, at: PlaceLayout, place: Code, top: bool, found: str) -> None:
        address = w.once(at.address(place))
        order = range(at.words) if top else range(at.words - 1, -1, -1)
        for number in order:
            word = w.once(load64(address, 8 * number), "i64")
            with w.when(("i64.ne", word, ("i64", 0))):
                if top:
                    bit: Code = sub(63, ("i32.wrap_i64", ("i64.clz", word)))
                else:
                    bit = ("i32.wrap_i64", ("i64.ctz", word))
                w.set(found, add(bit, at.low + WORD * number))

    def _by_kind(self, w: Writer, node: core.ByKind, env: Env, kind: Category) -> Code:
        subject = w.once(self.value(w, node.subject, env))
        found = w.variable(none_of(kind))
        inner = {**env, node.local.number: subject}
        with w.block() as label:
            for kinds, arm in node.arms:
                test: Code = 0
                for name in kinds:
                    size = self.layout.size[name]
                    test = either(test, within(subject, self.layout.first[name], size))
                with w.when(test):
                    w.set(found, self.value(w, arm, inner, kind))
                    w.leave(label)
        return found

    # ------------------------------------------------------------ definitions

    def _bodies(self, info: DefineInfo) -> list[core.Expr]:
        return [body for body in (info.body, *(r.body for r in info.rows)) if body is not None]

    def _call(self, w: Writer, node: core.CallDefine, env: Env, kind: Category) -> Code:
        info = self.game.defines[node.define]
        sets = any(category(param.type) == "set" for param in info.params)
        strict = self._strict(info, node)
        if self.define_is_still(node.define) and not sets:
            tabled = self._tabled_call(w, node, info, env, kind)
            if tabled is not None:
                assert not isinstance(tabled, SetCode)
                return tabled
        size = sum(1 for body in self._bodies(info) for _ in walk((body,)))
        if sets or (size <= SMALL and not info.rows):
            inner = self._arguments(w, node, info, env)
            if not strict:
                return self._body(w, info, inner, kind)
            found = w.variable(none_of(kind))
            with w.when(_all_there(inner, strict)):
                w.set(found, self._body(w, info, inner, kind))
            return found
        name = self._define_function(info, kind)
        arguments = []
        for param, argument in zip(info.params, node.arguments, strict=True):
            arguments.append(self.value(w, argument, env, category(param.type)))
        if not strict:
            return ("call", name, *arguments)
        plain_arguments: Env = {n: w.once(code) for n, code in enumerate(arguments)}
        found = w.variable(none_of(kind))
        with w.when(_all_there(plain_arguments, strict)):
            w.set(found, ("call", name, *plain_arguments.values()))
        return found

    def _strict(self, info: DefineInfo, node: core.CallDefine) -> list[tuple[int, int]]:
        """Parameters that may be none here, although the definition wants something."""
        return [
            (number, none_of(category(param.type)))
            for number, (param, given) in enumerate(zip(info.params, node.arguments, strict=True))
            if not isinstance(param.type, MaybeType | AnyType)
            and category(param.type) != "set"
            and may_be_none(given.type)
        ]

    def _tabled_call(
        self, w: Writer, node: core.CallDefine, info: DefineInfo, env: Env, kind: Category
    ) -> Code | SetCode | None:
        """A definition that never changes, as a table over its parameters."""
        domains: list[list[Value]] = []
        total = 1
        for param, argument in zip(info.params, node.arguments, strict=True):
            if category(param.type) == "number":
                if param.bounds is None:
                    return None
                low, high = (
                    self.table.number(param.bounds.low),
                    self.table.number(param.bounds.high),
                )
                things: list[Value] | None = list(range(low, high + 1))
            else:
                things = self.domain(param.type)
            if not things or isinstance(param.type, MaybeType | AnyType):
                return None
            if may_be_none(argument.type):
                return None
            domains.append(things)
            total *= len(things)
        if total > MOST_ENTRIES:
            return None
        key = ("define", node.define)
        if key not in self._tables:
            call = attrs.evolve(
                node,
                arguments=tuple(core.Local(p.local.name, n) for n, p in enumerate(info.params)),
            )
            wanted = [(n, things, 0) for n, things in enumerate(domains)]
            self._tables[key] = self._make_table(call, wanted, kind)  # type: ignore[arg-type]
        index: Code = 0
        for things, argument in zip(domains, node.arguments, strict=True):
            code = self.value(w, argument, env)
            if isinstance(things[0], Thing):
                code = self._ordinal(code, things)
            else:
                assert isinstance(things[0], int)
                code = sub(code, things[0])
            index = add(mul(index, len(things)), code)
        value = self.layout.lookup(self._tables[key], index)
        if kind != "set":
            return value
        element = plain(node.type)
        span = self.layout.span(element.element) if isinstance(element, SetType) else None
        return Listed(w.once(value), self._longest[self._tables[key]], False, span)

    def _arguments(self, w: Writer, node: core.CallDefine, info: DefineInfo, env: Env) -> Env:
        inner: Env = {}
        for param, argument in zip(info.params, node.arguments, strict=True):
            if category(param.type) == "set":
                inner[param.local.number] = self.kept(w, self.set(w, argument, env))
            else:
                code = self.value(w, argument, env, category(param.type))
                inner[param.local.number] = w.once(code)
        return inner

    def _body(self, w: Writer, info: DefineInfo, env: Env, kind: Category) -> Code:
        if not info.rows:
            assert info.body is not None
            return self.value(w, info.body, env, kind)
        found = w.variable(none_of(kind))
        self._by_row(w, info, env, lambda body: w.set(found, self.value(w, body, env, kind)))
        return found

    def _by_row(
        self, w: Writer, info: DefineInfo, env: Env, write: Callable[[core.Expr], None]
    ) -> None:
        first = info.params[0]
        subject = env[first.local.number]
        assert not isinstance(subject, SetCode | Lazy)
        with w.block() as label:
            for row in info.rows:
                with w.when(self.is_row(subject, first.type, row.row)):
                    write(row.body)
                    w.leave(label)
            if info.body is not None:
                write(info.body)
            else:
                self.fail(w, "body", f"{info.name} says nothing about this", info.span)

    def is_row(self, subject: Code, of: Type, row: str) -> Code:
        """Whether a thing is, or shows, the row of this name."""
        wanted = [
            number
            for number, thing in enumerate(self.layout.things)
            if thing.name == row and thing.face is None and thing.kind in self._row_kinds(of)
        ]
        test: Code = 0
        for number in wanted:
            test = either(test, eq(self._face(subject, of), number))
        return test

    def _row_kinds(self, of: Type) -> set[str]:
        kinds = set(self.layout.kinds_of(of))
        pieces = {k for k in kinds if k in self.game.kinds and self.game.kinds[k].sort == "piece"}
        return kinds | {face_kind(kind) for kind in pieces}

    def _define_function(self, info: DefineInfo, kind: Category) -> str:
        name = f"define_{len(self._defines)}"
        key = f"{info.key}/{kind}"
        known = self._tables.get(("function", key))
        if known is not None:
            return f"define_{known}"
        self._tables[("function", key)] = len(self._defines)
        self._defines.add(key)
        function = self.program.add(
            Function(name, [(f"p{n}", "i32") for n in range(len(info.params))])
        )
        w = Writer(function)
        env: Env = {param.local.number: f"p{n}" for n, param in enumerate(info.params)}
        outer, self.chooser_set = self.chooser_set, False
        w.give_back(self._body(w, info, env, kind))
        self.chooser_set = outer
        return name

    # ------------------------------------------------------------ operators

    def _arithmetic(self, w: Writer, node: core.Arithmetic, env: Env) -> Code:
        left = self.number(w, node.left, env)
        right = self.number(w, node.right, env)
        match node.sign:
            case "+":
                return add(left, right)
            case "-":
                return sub(left, right)
            case "*":
                return self._product(w, left, right, node)
            case "/" | "mod":
                by = w.once(right)
                with w.when(no(by)):
                    self.fail(w, "division", "a division by zero", node.span)
                return ("call", "divide" if node.sign == "/" else "modulo", left, by)
            case _:
                assert_never(node.sign)

    def _product(self, w: Writer, left: Code, right: Code, node: core.Expr) -> Code:
        if not self.checked or isinstance(left, int) or isinstance(right, int):
            return mul(left, right)
        wide = (("i64.extend_i32_s", left), ("i64.extend_i32_s", right))
        product = w.once(("i64.mul", *wide), "i64")
        narrow = w.once(("i32.wrap_i64", product))
        with w.when(("i64.ne", ("i64.extend_i32_s", narrow), product)):
            self.fail(w, "large", "a number beyond all measure", node.span)
        return narrow

    def _compare(self, w: Writer, node: core.Compare, env: Env) -> Code:
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, core.Constant) and side.value is None:
                if category(other.type) == "set":
                    there = self.set(w, other, env).there
                    return no(there) if node.sign == "=" else there
                none = none_of(category(other.type))
                code = self.value(w, other, env)
                return eq(code, none) if node.sign == "=" else ne(code, none)
        if category(node.left.type) == "set":
            same = self._same_sets(w, node.left, node.right, env)
            return same if node.sign == "=" else no(same)
        left = self._side(w, node.left, node.right, env)
        right = self._side(w, node.right, node.left, env)
        if node.sign in ("=", "!="):
            if may_be_none(node.left.type) and may_be_none(node.right.type):
                left = w.once(left)
                none = none_of(category(node.left.type))
                same = both(eq(left, right), ne(left, none))
            else:
                same = eq(left, right)
            return same if node.sign == "=" else no(same)
        signs = {"<": "i32.lt_s", "<=": "i32.le_s", ">": "i32.gt_s", ">=": "i32.ge_s"}
        left, right = w.once(left), w.once(right)
        holds = op(signs[node.sign], left, right)
        for side, code in ((node.left, left), (node.right, right)):
            if may_be_none(side.type):
                holds = both(holds, ne(code, none_of(category(side.type))))
        return holds

    def _side(self, w: Writer, node: core.Expr, other: core.Expr, env: Env) -> Code:
        """One side of a comparison; nothing is counted further than the other side needs."""
        match node, other:
            case core.Query(word="count", running=None), core.Constant(value=int() as most):
                if self.still(node) is None:
                    return self._count_to(w, node, env, most)
            case _:
                pass
        return self.value(w, node, env)

    def _count_to(self, w: Writer, node: core.Query, env: Env, most: int) -> Code:
        if len(node.draws) == 1 and node.where is None:
            return self.set(w, node.draws[0].domain, env).count_to(w, most)
        number = w.variable(0)
        with w.block() as label:

            def one(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
                w.set(number, add(number, 1))
                w.leave_if(label, op("i32.gt_s", number, most))

            self.draw(w, node.draws, node.where, None, env, one)
        return number

    def _same_sets(self, w: Writer, left: core.Expr, right: core.Expr, env: Env) -> Code:
        one = self.kept(w, self.set(w, left, env))
        other = self.kept(w, self.set(w, right, env))
        if isinstance(one, Bits) and isinstance(other, Bits) and one.low == other.low:
            return ("i64.eq", one.word, other.word)
        same = w.variable(eq(one.count(w), other.count(w)))
        with w.when(same), w.block() as label:

            def missing(x: Code) -> None:
                with w.when(no(other.member(w, x))):
                    w.set(same, 0)
                    w.leave(label)

            one.each(w, missing)
        return same

    def _member(self, w: Writer, element: core.Expr, whole: core.Expr, env: Env) -> Code:
        if isinstance(whole, core.Contents) and self._is_piece(element.type):
            place = w.once(self.value(w, whole.place, env))
            piece = self.value(w, element, env)
            if may_be_none(element.type):
                piece = w.once(piece)
                found = w.variable(0)
                with w.when(op("i32.ge_s", piece, 0)):
                    w.set(found, self._lies_in(piece, place, whole.place.type))
                return found
            return self._lies_in(piece, place, whole.place.type)
        x = self.value(w, element, env)
        if may_be_none(element.type):
            x = w.once(x)
            found = w.variable(0)
            with w.when(ne(x, none_of(category(element.type)))):
                w.set(found, self.set(w, whole, env).member(w, x))
            return found
        return self.set(w, whole, env).member(w, x)

    def _is_piece(self, of: Type) -> bool:
        kinds = self.layout.kinds_of(of)
        return bool(kinds) and all(
            kind in self.game.kinds and self.game.kinds[kind].sort == "piece" for kind in kinds
        )

    def _lies_in(self, piece: Code, place: Code, of: Type) -> Code:
        there = eq(load(add(mul(piece, 4), self.layout.place_of)), place)
        return both(there, op("i32.ge_s", place, 0)) if may_be_none(of) else there

    def _shortcut(
        self, w: Writer, left: core.Expr, right: core.Expr, env: Env, decided: int
    ) -> Code:
        """`and` and `or`: the right side is worked out only if it matters and costs something."""
        one = self.condition(w, left, env)
        if isinstance(one, int):
            return int(bool(one)) if bool(one) == bool(decided) else self.condition(w, right, env)
        aside: list[tuple[object, ...]] = []
        with w.into(aside):
            other = self.condition(w, right, env)
        if not aside and _cheap(other):
            return either(one, other) if decided else both(one, other)
        found = w.variable(one)
        with w.when(no(found) if decided else found):
            w.out.extend(aside)
            w.set(found, other)
        return found

    def _conditional(
        self,
        w: Writer,
        test: core.Expr,
        yes: core.Expr,
        other: core.Expr,
        env: Env,
        kind: Category,
    ) -> Code:
        condition = self.condition(w, test, env)
        if isinstance(condition, int):
            return self.value(w, yes if condition else other, env, kind)
        condition = w.once(condition)
        then: list[tuple[object, ...]] = []
        otherwise: list[tuple[object, ...]] = []
        with w.into(then):
            one = self.value(w, yes, env, kind)
        with w.into(otherwise):
            two = self.value(w, other, env, kind)
        if not then and not otherwise and _cheap(one) and _cheap(two):
            return select(condition, one, two)
        found = w.temp()
        then.append(("set", found, one))
        otherwise.append(("set", found, two))
        w.emit("if", condition, then, otherwise)
        return found

    def _arms(
        self,
        w: Writer,
        node: core.Case,
        env: Env,
        write: Callable[[core.Expr | None], None],
        subject: Code | None = None,
    ) -> None:
        kind = category(node.subject.type)
        if subject is None:
            subject = w.once(self.value(w, node.subject, env))
        with w.block() as label:
            for key, value in node.arms:
                same = eq(subject, self.value(w, key, env, kind))
                if may_be_none(node.subject.type) and may_be_none(key.type):
                    same = both(same, ne(subject, none_of(kind)))
                if same == 0:
                    continue
                if same == 1:
                    write(value)
                    return
                with w.when(same):
                    write(value)
                    w.leave(label)
            write(node.otherwise)

    def _case(self, w: Writer, node: core.Case, env: Env, kind: Category) -> Code:
        found = w.temp()

        def write(value: core.Expr | None) -> None:
            w.set(found, none_of(kind) if value is None else self.value(w, value, env, kind))

        self._arms(w, node, env, write)
        return found

    def _extreme(self, w: Writer, word: str, items: tuple[core.Expr, ...], env: Env) -> Code:
        sign = "i32.gt_s" if word == "max" else "i32.lt_s"
        best = w.once(self.number(w, items[0], env))
        for item in items[1:]:
            x = w.once(self.number(w, item, env))
            best = w.once(select(op(sign, x, best), x, best))
        return best

    # ------------------------------------------------------------ queries

    def _wanted(self, w: Writer, lazy: Lazy, kind: Category) -> Code:
        with w.when(no(lazy.known)):
            w.set(lazy.held, self.value(w, lazy.node, lazy.env, kind))
            w.set(lazy.known, 1)
        return lazy.held

    def costly(self, node: core.Expr) -> bool:
        """Whether an expression goes through something, so that it should be worked out once."""
        for part in walk((node,)):
            match part:
                case core.Query(word="count" | "any" | "first", where=None, draws=(draw,)) if (
                    isinstance(draw.domain, core.Contents)
                ):
                    pass
                case core.Query() | core.Reach() | core.Would() | core.Can():
                    return True
                case core.CallDefine(define=key):
                    if self._costly_define(key):
                        return True
                case _:
                    pass
        return False

    def _costly_define(self, key: str) -> bool:
        known = self._tables.get(("costly", key))
        if known is None:
            known = 0
            if not self.define_is_still(key):
                bodies = self._bodies(self.game.defines[key])
                known = int(any(self.costly(body) for body in bodies))
            self._tables[("costly", key)] = known
        return bool(known)

    def hoisted(
        self, w: Writer, node: core.Expr, changing: set[int], env: Env
    ) -> tuple[core.Expr, Env]:
        """An expression whose costly parts that do not depend on some names are worked out once.

        Only what is wanted is worked out: here just the flags are cleared.
        """
        if not self.costly(node):
            return node, env
        found: dict[core.Expr, core.Local] = {}
        inner = dict(env)

        def replace(part: core.Expr, bound: frozenset[int], top: bool) -> core.Expr:
            if isinstance(part, core.Would):
                return part
            free = {p.number for p in walk((part,)) if isinstance(p, core.Local)}
            if (
                not top
                and isinstance(part, core.Query | core.CallDefine | core.Can)
                and category(part.type) != "set"
                and self.costly(part)
                and not free & changing
                and not free & bound
                and all(n in env for n in free - bound_in(part))
            ):
                if part not in found:
                    local = core.Local(
                        "hoisted", 1_000_000 + self._fresh, type=part.type, span=part.span
                    )
                    self._fresh += 1
                    found[part] = local
                    known, held = w.variable(0), w.temp()
                    inner[local.number] = Lazy(part, dict(env), known, held)
                return found[part]
            deeper = bound | _bound_in_node(part)
            return _rebuilt(part, lambda child: replace(child, deeper, False))

        return replace(node, frozenset(), False), inner

    def draw(
        self,
        w: Writer,
        draws: tuple[core.Draw, ...],
        where: core.Expr | None,
        running: core.Expr | None,
        env: Env,
        body: Callable[[Env, list[Code]], None],
        *,
        loosely: bool = False,
    ) -> None:
        """Write a loop over all draws that pass; loosely, in any order and perhaps repeated."""

        numbers = [each.local.number for each in draws]

        def further(at: int, inner: Env, values: list[Code], tests: list[core.Expr]) -> None:
            # Conditions are tested as soon as what they depend on is drawn.
            changing = set(numbers[at:])
            now: list[core.Expr] = []
            later: list[core.Expr] = []
            for test in tests:
                free = {p.number for p in walk((test,)) if isinstance(p, core.Local)}
                (later if free & changing else now).append(test)
            passes: Code = 1
            with w.block() as skip:
                for test in now:
                    passes = self.condition(w, test, inner)
                    w.leave_if(skip, no(passes))
                if at == len(draws):
                    body(inner, values)
                    return
                remaining: list[core.Expr] = []
                for test in later:
                    hoisted, inner = self.hoisted(w, test, changing, inner)
                    remaining.append(hoisted)
                number = draws[at].local.number
                whole = self.set(w, draws[at].domain, inner)
                of = plain(draws[at].domain.type)
                nested = isinstance(of, SetType) and category(of.element) == "set"
                tail = [draw.domain for draw in draws[at + 1 :]]

                def one(x: Code) -> None:
                    bound = dict(inner)
                    if draws[at].local.name:
                        bound[number] = _bound(x, nested)
                    further(at + 1, bound, [*values, x], remaining)

                if isinstance(whole, Everything) and self._unrolls(whole, number, tail):
                    for each in range(whole.low, whole.low + whole.size):
                        one(each)
                elif loosely:
                    whole.each_loosely(w, one)
                else:
                    whole.each(w, one)

        if running is None or len(draws) > 1:
            further(0, env, [], [] if where is None else _conjuncts(where))
            return
        number = draws[0].local.number
        running, env = self.hoisted(w, running, {number}, env)
        if where is not None:
            where, env = self.hoisted(w, where, {number}, env)

        def bind(x: Code) -> Env:
            return {**env, number: x}

        passes = None
        if where is not None:
            passes = lambda w, x: self.condition(w, where, bind(x))  # noqa: E731
        filtered = Filtered(
            self.set(w, draws[0].domain, env),
            passes,
            lambda w, x: self.condition(w, running, bind(x)),
        )
        filtered.each(w, lambda x: body(bind(x), [x]))

    def _unrolls(self, whole: Everything, number: int, tail: list[core.Expr]) -> bool:
        """Whether a loop over a few values picks a different set for each of them."""
        if whole.size > MOST_UNROLLED:
            return False
        todo = list(tail)
        for part in walk(tuple(todo)):
            match part:
                case core.Case(subject=core.Local(number=name)) if name == number:
                    return True
                case core.CallDefine(define=key, arguments=arguments):
                    info = self.game.defines[key]
                    for param, argument in zip(info.params, arguments, strict=True):
                        if isinstance(argument, core.Local) and argument.number == number:
                            body = info.body
                            if isinstance(body, core.Case) and isinstance(body.subject, core.Local):
                                if body.subject.number == param.local.number:
                                    return True
                case _:
                    pass
        return False

    def query(self, w: Writer, node: core.Query, env: Env, kind: Category) -> Code:
        whole = len(node.draws) == 1 and node.where is None and node.running is None
        match node.word:
            case "count":
                if whole:
                    return self.set(w, node.draws[0].domain, env).count(w)
                number = w.variable(0)
                self.draw(
                    w, node.draws, node.where, node.running, env,
                    lambda inner, values: w.set(number, add(number, 1)),
                )  # fmt: skip
                return number
            case "any":
                if whole:
                    return self.set(w, node.draws[0].domain, env).filled(w)
                return self._exists(w, node, env)
            case "all":
                return no(self._exists(w, node, env))
            case "first" | "the":
                if node.word == "the" and self.checked:
                    return self._only(w, node, env, kind)
                if node.order:
                    return self._best(w, node, env)
                if whole:
                    return self.set(w, node.draws[0].domain, env).first(w, none_of(kind))
                found = w.variable(none_of(kind))
                with w.block() as label:

                    def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
                        w.set(found, values[0])
                        w.leave(label)

                    self.draw(w, node.draws, node.where, node.running, env, note)
                return found
            case "sum" | "max" | "min":
                return self._fold(w, node, env)
            case "filter" | "image":
                raise AssertionError("a set where a value is wanted")
            case _:
                assert_never(node.word)

    def _the(self, w: Writer, code: Code, kind: Category, node: core.Expr) -> Code:
        """Something that must not be none."""
        if not self.checked:
            return code
        value = w.once(code)
        with w.when(eq(value, none_of(kind))):
            self.fail(w, "the", "there is none, although the rules say `the`", node.span)
        return value

    def _only(self, w: Writer, node: core.Query, env: Env, kind: Category) -> Code:
        """The only draw there is, and no other."""
        found, number = w.variable(none_of(kind)), w.variable(0)

        def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
            w.set(found, values[0])
            w.set(number, add(number, 1))

        self.draw(w, node.draws, node.where, node.running, env, note)
        with w.when(ne(number, 1)):
            self.fail(w, "the", "the rules say `the`, but there is not just one", node.span)
        return found

    def _exists(self, w: Writer, node: core.Query, env: Env) -> Code:
        found = w.variable(0)
        with w.block() as label:

            def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
                test: Code = 1
                if node.body is not None:
                    test = no(self.condition(w, node.body, inner))
                with w.when(test):
                    w.set(found, 1)
                    w.leave(label)

            self.draw(w, node.draws, node.where, node.running, env, note, loosely=True)
        return found

    def _fold(self, w: Writer, node: core.Query, env: Env) -> Code:
        assert node.body is not None
        body = node.body
        total = w.variable(0 if node.word == "sum" else NO_NUMBER)

        def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
            x = self.number(w, body, inner)
            if node.word == "sum":
                w.set(total, add(total, x))
                return
            x = w.once(x)
            sign = "i32.gt_s" if node.word == "max" else "i32.lt_s"
            better = op(sign, x, total)
            if node.word == "min":
                better = either(better, eq(total, NO_NUMBER))
            with w.when(better):
                w.set(total, x)

        self.draw(w, node.draws, node.where, node.running, env, note)
        return total

    def _keys(self, w: Writer, order: tuple[core.Order, ...], env: Env) -> list[Code]:
        """The keys of a draw, such that lower is better and none comes last."""
        keys: list[Code] = []
        for each in order:
            key = w.once(self.number(w, each.key, env))
            rank: Code = sub(0, key) if each.way == "highest" else key
            if may_be_none(each.key.type):
                rank = select(eq(key, NO_NUMBER), 2**31 - 1, rank)
            keys.append(w.once(rank))
        return keys

    def _best(self, w: Writer, node: core.Query, env: Env) -> Code:
        """The first in some order: nothing need be sorted."""
        found = w.variable(none_of(category(node.type)))
        some = w.variable(0)
        best = [w.temp() for _ in node.order]

        def note(inner: Env, values: list[Code]) -> None:
            keys = self._keys(w, node.order, inner)
            better: Code = 0
            for key, top in reversed(list(zip(keys, best, strict=True))):
                better = either(op("i32.lt_s", key, top), both(eq(key, top), better))
            with w.when(either(no(some), better)):
                w.set(some, 1)
                w.set(found, values[0])
                for key, top in zip(keys, best, strict=True):
                    w.set(top, key)

        self.draw(w, node.draws, node.where, node.running, env, note)
        return found

    # ------------------------------------------------------------ sets

    def kept(self, w: Writer, whole: SetCode) -> SetCode:
        """A set that may be used several times."""
        if isinstance(whole, Everything | Nothing):
            return whole
        if isinstance(whole, Listed) and not whole.live:
            return whole
        if isinstance(whole, Bits):
            return Bits(w.once(whole.word, "i64"), whole.low, whole.size)
        if whole.ordered and whole.span is not None and whole.span[1] <= WORD:
            return Bits(w.once(whole.bits(w), "i64"), *whole.span)
        return self.listed(w, whole)

    def listed(self, w: Writer, whole: SetCode) -> Listed:
        """A set as a list in scratch memory."""
        if isinstance(whole, Listed) and not whole.live:
            return whole
        capacity = whole.most()
        address = self.layout.scratch(4 * (capacity + 2))
        self.fill_list(w, address, whole, capacity)
        return Listed(address, capacity, whole.ordered, whole.span)

    def fill_list(self, w: Writer, address: int, whole: SetCode, capacity: int) -> None:
        end = w.variable(address + 4)

        def append(x: Code) -> None:
            if self.checked:
                with w.when(op("i32.ge_u", end, address + 4 + 4 * capacity)):
                    self.fail(w, "size", "a set is larger than expected", None)
            w.store(end, x)
            w.set(end, add(end, 4))

        whole.each(w, append)
        w.store(address, ("i32.shr_u", sub(end, address + 4), 2))

    def set(self, w: Writer, node: core.Expr, env: Env) -> SetCode:
        """A set of things, numbers, or lists."""
        of = plain(node.type)
        span = self.layout.span(of.element) if isinstance(of, SetType) else None
        match node:
            case core.Local(number=number):
                bound = env[number]
                assert isinstance(bound, SetCode), node.name
                return bound
            case core.AllThings(kind=kind):
                return Everything(self.layout.first[kind], self.layout.size[kind])
            case core.AllFaces(kind=kind):
                faces = face_kind(kind)
                return Everything(self.layout.first[faces], self.layout.size[faces])
            case core.Constant(value=None):
                return Nothing()
            case core.Special(word="playing"):
                if not self.players_leave:
                    return Everything(self.layout.first_player, self.layout.players)
                return self._seats(load(PLAYING))
            case core.Special(word="winners"):
                return self._seats(load(WINNERS))
            case _:
                pass
        tabled = self._tabled(w, node, env)
        if isinstance(tabled, SetCode):
            assert isinstance(tabled, Listed)
            ordered = _is_ordered(node)
            return attrs.evolve(tabled, ordered=ordered, span=span)
        if tabled is not None:
            return Listed(tabled, span[1] if span else 64, _is_ordered(node), span)
        match node:
            case core.ReadColumn(subject=subject, name=name):
                table = self._column_table(name, self.layout.kinds_of(subject.type), node.type)
                address = w.once(self.layout.lookup(table, self.value(w, subject, env)))
                return Listed(address, span[1] if span else 64, True, span)
            case core.ReadState(state=state, subject=subject):
                return self._state_set(w, state, subject, env)
            case core.ReadFeature():
                return self._feature_set(w, node, env)
            case core.Contents(place=place):
                return self.contents(w, place, env, span)
            case core.CallDefine():
                return self._call_set(w, node, env)
            case core.Combine():
                return self._combine(w, node, env)
            case core.Interval(low=low, high=high):
                first = w.once(self.number(w, low, env))
                return Numbers(first, w.once(self.number(w, high, env)))
            case core.SetOf(items=items):
                return self._written(w, items, env, span)
            case core.Query(word="filter"):
                return self._filter(w, node, env)
            case core.Query(word="image"):
                return Image(self, node, env, span)
            case core.Reach():
                return self._reach(w, node, env)
            case core.Conditional() | core.Case() | core.ByKind():
                return self._one_of_sets(w, node, env)
            case core.The(value=inner):
                return self.set(w, inner, env)
            case _:
                if category(node.type) == "set":
                    return Listed(self.value(w, node, env, "set"), 64, False, span)
                raise AssertionError(f"no set: {type(node).__name__}")

    def _seats(self, mask: Code) -> Bits:
        word = ("i64.extend_i32_u", mask)
        return Bits(word, self.layout.first_player, self.layout.players)

    def _state_set(self, w: Writer, state: str, subject: core.Expr | None, env: Env) -> SetCode:
        slot = self.layout.states[state]
        there: Code = 1
        owner: Code | None = None
        if subject is not None:
            owner = w.once(self.value(w, subject, env))
            if may_be_none(subject.type):
                there = op("i32.ge_s", owner, 0)
        address = w.once(slot.address(owner))
        if slot.words == 1:
            whole: SetCode = Bits(load64(address), slot.low, WORD)
        else:
            whole = Words(address, slot.low, slot.words, slot.words * WORD)
        return whole if there == 1 else Guarded(there, whole)

    def contents(
        self, w: Writer, node: core.Expr, env: Env, span: tuple[int, int] | None
    ) -> SetCode:
        """The pieces in a place."""
        place = w.once(self.value(w, node, env))
        there: Code = op("i32.ge_s", place, 0) if may_be_none(node.type) else 1
        kinds = [k for k in self.layout.kinds_of(node.type) if self.layout.size[k]]
        if len(kinds) == 1:
            at = self.layout.places[kinds[0]]
            if at.form == "cell":
                return InCell(at, place, there, span)
            return _guard(there, self._held(w, at, place, span))
        capacity = max((self.layout.places[kind].capacity for kind in kinds), default=0)
        address = self.layout.scratch(4 * (capacity + 2))
        w.store(address, 0)
        with w.when(there):
            self.for_place(
                w,
                place,
                kinds,
                lambda at: self.fill_list(w, address, self._any_held(w, at, place), capacity),
            )
        return Listed(address, capacity, False, span)

    def _any_held(self, w: Writer, at: PlaceLayout, place: Code) -> SetCode:
        if at.form == "cell":
            return InCell(at, place, 1, None)
        return self._held(w, at, place, None)

    def _held(
        self, w: Writer, at: PlaceLayout, place: Code, span: tuple[int, int] | None
    ) -> SetCode:
        address = w.once(at.address(place))
        if at.form == "stack":
            return Listed(address, at.capacity, False, span, live=True)
        if at.words == 1:
            return Bits(load64(address), at.low, min(WORD, max(1, self.layout.pieces - at.low)))
        return Words(address, at.low, at.words, at.words * WORD)

    def _feature_set(self, w: Writer, node: core.ReadFeature, env: Env) -> SetCode:
        subject = node.subject
        table = self.table
        of = plain(node.type)
        span = self.layout.span(of.element) if isinstance(of, SetType) else None
        kinds = self.layout.kinds_of(subject.type)
        match node.feature:
            case "beside" | "around" | "paths":
                read: dict[str, Callable[[Thing], Value]] = {
                    "beside": table.beside,
                    "around": table.around,
                    "paths": table.paths,
                }
                lists = self._thing_table(kinds, read[node.feature], "set")
                address = w.once(self.layout.lookup(lists, self.value(w, subject, env)))
                return Listed(address, span[1] if span else 64, node.feature != "paths", span)
            case "ray":
                return self._ray(w, node, env, span)
            case "onward" | "backward" | "round" | "others":
                return self._turned(w, node, env)
            case "reversed":
                whole = self.set(w, subject, env)
                return Backward(self.listed(w, whole))
            case _:
                raise AssertionError(f"no set: {node.feature}")

    def _ray(
        self, w: Writer, node: core.ReadFeature, env: Env, span: tuple[int, int] | None
    ) -> SetCode:
        (kind,) = self.layout.kinds_of(node.subject.type)
        ways = self.table.things("Dir")
        place = w.once(self.value(w, node.subject, env))
        way = w.once(self.value(w, node.arguments[0], env))
        key = ("ray", kind)
        if key not in self._tables:
            lists = []
            for cell in self.table.things(kind):
                for each in ways:
                    ids = tuple(self.layout.id(x) for x in self.table.ray(cell, each))
                    lists.append(self.list_of(ids))
            self._tables[key] = self.layout.numbers(lists, self.list_of(()))
        first = self.layout.id(ways[0])
        index = add(mul(sub(place, self.layout.first[kind]), len(ways)), sub(way, first))
        inside: Code = 1
        if may_be_none(node.subject.type):
            inside = op("i32.ge_s", place, 0)
        if may_be_none(node.arguments[0].type):
            inside = both(inside, op("i32.ge_s", way, 0))
        address = w.once(self.layout.lookup(self._tables[key], select(inside, index, -1)))
        longest = max(self.table.size(kind) or (1, 1))
        return Listed(address, longest, False, span)

    def _turned(self, w: Writer, node: core.ReadFeature, env: Env) -> SetCode:
        (kind,) = self.layout.kinds_of(node.subject.type)
        start = w.once(self.value(w, node.subject, env))
        low, size = self.layout.first[kind], self.layout.size[kind]
        mask = load(PLAYING) if kind == "Player" and self.players_leave else None
        match node.feature:
            case "round":
                turned = Turned(start, low, size, 0, size, 1, mask)
            case "others":
                turned = Turned(start, low, size, 1, size - 1, 1, mask)
            case "onward":
                turned = Turned(start, low, size, 1, size, 1, mask)
            case _:
                turned = Turned(start, low, size, 1, size, -1, mask)
        if may_be_none(node.subject.type):
            return Guarded(op("i32.ge_s", start, 0), turned)
        return turned

    def _call_set(self, w: Writer, node: core.CallDefine, env: Env) -> SetCode:
        info = self.game.defines[node.define]
        sets = any(category(param.type) == "set" for param in info.params)
        if self.define_is_still(node.define) and not sets:
            tabled = self._tabled_call(w, node, info, env, "set")
            if tabled is not None:
                assert isinstance(tabled, Listed)
                bodies = self._bodies(info)
                return attrs.evolve(tabled, ordered=all(_is_ordered(body) for body in bodies))
        inner = self._arguments(w, node, info, env)
        strict = self._strict(info, node)
        if not info.rows:
            assert info.body is not None
            if strict:
                return self._chosen(
                    w,
                    node.type,
                    lambda write: self._when_there(w, inner, strict, info.body, write),
                    inner,
                )
            return self.set(w, info.body, inner)
        return self._chosen(w, node.type, lambda write: self._by_row(w, info, inner, write), inner)

    def _when_there(
        self,
        w: Writer,
        inner: Env,
        strict: list[tuple[int, int]],
        body: core.Expr | None,
        write: Callable[[core.Expr], None],
    ) -> None:
        assert body is not None
        with w.when(_all_there(inner, strict)):
            write(body)

    def _chosen(
        self,
        w: Writer,
        of: Type,
        branches: Callable[[Callable[[core.Expr], None]], None],
        env: Env,
    ) -> SetCode:
        """One of several sets, by conditions."""
        element = plain(of)
        span = self.layout.span(element.element) if isinstance(element, SetType) else None
        probe: list[tuple[object, ...]] = []
        sets: list[SetCode] = []
        with w.into(probe):
            branches(lambda body: sets.append(self.set(w, body, env)))
        in_order = all(each.ordered for each in sets)
        largest = max((each.most() for each in sets), default=0)
        return OneOf(self, branches, env, span, in_order, largest)

    def _one_of_sets(
        self, w: Writer, node: core.Conditional | core.Case | core.ByKind, env: Env
    ) -> SetCode:
        match node:
            case core.Conditional(condition=test, yes=yes, no=other):
                condition = self.condition(w, test, env)
                if isinstance(condition, int):
                    return self.set(w, yes if condition else other, env)
                condition = w.once(condition)

                def branches(write: Callable[[core.Expr], None]) -> None:
                    with w.when(condition):
                        write(yes)
                    with w.when(no(condition)):
                        write(other)

                return self._chosen(w, node.type, branches, env)
            case core.Case():
                chosen = w.once(self.value(w, node.subject, env))

                def arms(write: Callable[[core.Expr], None]) -> None:
                    self._arms(w, node, env, lambda v: None if v is None else write(v), chosen)

                return self._chosen(w, node.type, arms, env)
            case core.ByKind():
                subject = w.once(self.value(w, node.subject, env))
                inner = {**env, node.local.number: subject}

                def by_kind(write: Callable[[core.Expr], None]) -> None:
                    for kinds, arm in node.arms:
                        test: Code = 0
                        for name in kinds:
                            size = self.layout.size[name]
                            test = either(test, within(subject, self.layout.first[name], size))
                        with w.when(test):
                            write(arm)

                return self._chosen(w, node.type, by_kind, inner)
            case _:
                assert_never(node)

    def _combine(self, w: Writer, node: core.Combine, env: Env) -> SetCode:
        left, right = self.set(w, node.left, env), self.set(w, node.right, env)
        span = _hull(left, right)
        if node.sign == "-":
            if left.ordered:
                kept = right if isinstance(right, Everything | Bits) else self.kept(w, right)
                return Filtered(left, lambda w, x: no(kept.member(w, x)), None)
            span = left.span
        if span is not None and node.sign == "+":
            return Union(self, left, right, span)
        if span is not None and span[1] <= WORD:
            word = w.variable(("i64", 0), "i64")
            self._or_into(w, word, left, span[0])
            if node.sign == "-":
                other = w.variable(("i64", 0), "i64")
                self._or_into(w, other, right, span[0])
                w.set(word, ("i64.and", word, ("i64.xor", other, ("i64", -1))))
            return Bits(word, *span)
        if span is None:
            return self._combined_numbers(w, node.sign, left, right)
        words = -(-span[1] // WORD)
        address = self.layout.scratch(8 * words, 8)
        for number in range(words):
            w.store64(address, ("i64", 0), 8 * number)
        left.each_loosely(w, lambda x: set_bit(w, address, sub(x, span[0]), True))
        right.each_loosely(w, lambda x: set_bit(w, address, sub(x, span[0]), False))
        return Words(address, span[0], words, words * WORD)

    def _or_into(self, w: Writer, word: str, whole: SetCode, low: int) -> None:
        if isinstance(whole, Bits) and whole.low == low:
            w.set(word, ("i64.or", word, whole.word))
        else:
            whole.each_loosely(w, lambda x: w.set(word, ("i64.or", word, bit_of(x, low))))

    def _combined_numbers(self, w: Writer, sign: str, left: SetCode, right: SetCode) -> SetCode:
        """Numbers, collected in order."""
        capacity = left.most() + (right.most() if sign == "+" else 0)
        address = self.layout.scratch(4 * (capacity + 2))
        w.store(address, 0)
        if sign == "+":
            for whole in (left, right):
                whole.each(w, lambda x: w.emit("do", ("call", "insert", address, x)))
        else:
            kept = self.kept(w, right)

            def unless_there(x: Code) -> None:
                x = w.once(x)
                with w.when(no(kept.member(w, x))):
                    w.emit("do", ("call", "insert", address, x))

            left.each(w, unless_there)
        return Listed(address, capacity, True)

    def _written(
        self, w: Writer, items: tuple[core.Expr, ...], env: Env, span: tuple[int, int] | None
    ) -> SetCode:
        codes = [(w.once(self.value(w, item, env)), may_be_none(item.type)) for item in items]
        if span is not None and span[1] <= WORD:
            word: Code = ("i64", 0)
            for code, maybe in codes:
                bit = bit_of(code, span[0])
                if maybe:
                    bit = ("select", bit, ("i64", 0), op("i32.ge_s", code, 0))
                word = bit if word == ("i64", 0) else ("i64.or", word, bit)
            return Chosen(w.once(word, "i64"), *span, codes=tuple(codes))
        address = self.layout.scratch(4 * (len(items) + 2))
        w.store(address, 0)
        none = NO_THING if span is not None else NO_NUMBER
        for code, _ in codes:
            with w.when(ne(code, none)):
                w.emit("do", ("call", "insert", address, code))
        return Listed(address, len(items), True, span)

    def _filter(self, w: Writer, node: core.Query, env: Env) -> SetCode:
        draw = node.draws[0]
        number = draw.local.number
        if len(node.draws) > 1:
            raise AssertionError("a filter draws from one set")
        whole = self.set(w, draw.domain, env)
        where, running = node.where, node.running
        if where is not None:
            where, env = self.hoisted(w, where, {number}, env)
        if running is not None:
            running, env = self.hoisted(w, running, {number}, env)
        passes = goes_on = None
        if where is not None:
            passes = lambda w, x: self.condition(w, where, {**env, number: x})  # noqa: E731
        if running is not None:
            goes_on = lambda w, x: self.condition(w, running, {**env, number: x})  # noqa: E731
        filtered = whole if passes is None and goes_on is None else Filtered(whole, passes, goes_on)
        if not node.order:
            return filtered
        return self._sorted(w, node, filtered, env)

    def _sorted(self, w: Writer, node: core.Query, whole: SetCode, env: Env) -> Listed:
        """A list in the order of keys; equal ones stay as they were."""
        number = node.draws[0].local.number
        capacity = whole.most()
        keys = len(node.order)
        address = self.layout.scratch(4 * (capacity + 2))
        ranks = [self.layout.scratch(4 * (capacity + 2)) for _ in range(keys)]
        w.store(address, 0)

        def insert(x: Code) -> None:
            x = w.once(x)
            key = self._keys(w, node.order, {**env, number: x})
            at = w.variable(load(address))
            w.store(address, add(at, 1))
            with w.loop() as label:
                w.leave_if(label, eq(at, 0))
                before = w.once(mul(sub(at, 1), 4))
                better: Code = 0
                for own, base in reversed(list(zip(key, ranks, strict=True))):
                    other = load(add(before, base))
                    better = either(op("i32.lt_s", own, other), both(eq(own, other), better))
                w.leave_if(label, no(better))
                here = w.once(mul(at, 4))
                w.store(add(here, address + 4), load(add(before, address + 4)))
                for base in ranks:
                    w.store(add(here, base), load(add(before, base)))
                w.set(at, sub(at, 1))
            here = w.once(mul(at, 4))
            w.store(add(here, address + 4), x)
            for own, base in zip(key, ranks, strict=True):
                w.store(add(here, base), own)

        whole.each(w, insert)
        return Listed(address, capacity, False, whole.span)

    def _reach(self, w: Writer, node: core.Reach, env: Env) -> SetCode:
        of = plain(node.type)
        assert isinstance(of, SetType)
        span = self.layout.span(of.element)
        assert span is not None
        low, size = span
        words = -(-size // WORD)
        met = self.layout.scratch(8 * words, 8)
        number = node.local.number

        def clear(address: int) -> None:
            for at in range(words):
                w.store64(address, ("i64", 0), 8 * at)

        def onward(x: Code, note: Callable[[Code], None]) -> None:
            following = self.set(w, node.via, {**env, number: x})

            def one(y: Code) -> None:
                y = w.once(y)
                test: Code = 1
                if node.where is not None:
                    test = self.condition(w, node.where, {**env, number: y})
                with w.when(test):
                    note(y)

            following.each(w, one)

        result = Words(met, low, words, words * WORD)
        if node.exactly is None:
            queue = self.layout.scratch(4 * (size + 2))
            end = w.variable(queue)
            clear(met)

            def push(y: Code) -> None:
                y = w.once(y)
                with w.when(no(result.member(w, y))):
                    set_bit(w, met, sub(y, low), True)
                    w.store(end, y)
                    w.set(end, add(end, 4))

            self.set(w, node.start, env).each(w, push)
            at = w.variable(queue)
            with w.loop() as label:
                w.leave_if(label, op("i32.ge_u", at, end))
                x = w.variable(load(at))
                w.set(at, add(at, 4))
                onward(x, push)
            return self._as_bits(w, result)
        other = self.layout.scratch(8 * words, 8)
        clear(met)
        self.set(w, node.start, env).each(w, lambda x: set_bit(w, met, sub(x, low), True))
        times = w.once(self.number(w, node.exactly, env))
        with w.counting(0, times):
            clear(other)
            result.each(w, lambda x: onward(x, lambda y: set_bit(w, other, sub(y, low), True)))
            w.emit("copy", met, other, 8 * words)
        return self._as_bits(w, result)

    def _as_bits(self, w: Writer, found: Words) -> SetCode:
        if found.words > 1:
            return found
        return Bits(w.once(load64(found.address), "i64"), found.low, WORD)


@attrs.frozen
class Chosen(Bits):
    """A set written out: whether something is in it is told without the bits."""

    codes: tuple[tuple[Code, bool], ...] = attrs.field(kw_only=True)

    def member(self, w: Writer, element: Code) -> Code:
        x = w.once(element)
        found: Code = 0
        for code, _ in self.codes:
            found = either(found, eq(x, code))
        return found


@attrs.frozen(eq=False)
class Union(SetCode):
    """All elements of two sets, in order."""

    values: Values
    left: SetCode
    right: SetCode
    span: tuple[int, int]

    def most(self) -> int:
        return min(self.left.most() + self.right.most(), self.span[1])

    def each(self, w: Writer, body: Callable[[Code], None]) -> None:
        low, size = self.span
        if size <= WORD:
            Bits(self.bits(w), low, size).each(w, body)
            return
        words = -(-size // WORD)
        address = self.values.layout.scratch(8 * words, 8)
        for number in range(words):
            w.store64(address, ("i64", 0), 8 * number)
        self.each_loosely(w, lambda x: set_bit(w, address, sub(x, low), True))
        Words(address, low, words, words * WORD).each(w, body)

    def each_loosely(self, w: Writer, body: Callable[[Code], None]) -> None:
        self.left.each_loosely(w, body)
        self.right.each_loosely(w, body)

    def bits(self, w: Writer) -> Code:
        word = w.variable(("i64", 0), "i64")
        self.values._or_into(w, word, self.left, self.span[0])  # noqa: SLF001
        self.values._or_into(w, word, self.right, self.span[0])  # noqa: SLF001
        return word

    def count(self, w: Writer) -> Code:
        if self.span[1] <= WORD:
            return Bits(self.bits(w), *self.span).count(w)
        return super().count(w)

    def member(self, w: Writer, element: Code) -> Code:
        x = w.once(element)
        found = w.variable(self.left.member(w, x))
        with w.when(no(found)):
            w.set(found, self.right.member(w, x))
        return found


@attrs.frozen(eq=False)
class OneOf(SetCode):
    """One of several sets, by conditions."""

    values: Values
    branches: Callable[[Callable[[core.Expr], None]], None]
    env: Env
    span: tuple[int, int] | None
    ordered: bool
    largest: int

    def most(self) -> int:
        return self.largest

    def each(self, w: Writer, body: Callable[[Code], None]) -> None:
        values = self.values
        if self.ordered and self.span is not None and self.span[1] <= WORD:
            Bits(self.bits(w), *self.span).each(w, body)
            return
        capacity = self.largest
        address = values.layout.scratch(4 * (capacity + 2))
        w.store(address, 0)
        self.branches(
            lambda node: values.fill_list(w, address, values.set(w, node, self.env), capacity)
        )
        Listed(address, capacity).each(w, body)

    def each_loosely(self, w: Writer, body: Callable[[Code], None]) -> None:
        self.branches(lambda node: self.values.set(w, node, self.env).each_loosely(w, body))

    def bits(self, w: Writer) -> Code:
        assert self.span is not None
        low = self.span[0]
        word = w.variable(("i64", 0), "i64")
        self.branches(
            lambda node: self.values._or_into(w, word, self.values.set(w, node, self.env), low)  # noqa: SLF001
        )
        return word

    def member(self, w: Writer, element: Code) -> Code:
        x = w.once(element)
        found = w.variable(0)
        self.branches(lambda node: w.set(found, self.values.set(w, node, self.env).member(w, x)))
        return found


@attrs.frozen(eq=False)
class Image(SetCode):
    """The values of an expression for all draws, each once, as they come."""

    values: Values
    node: core.Query
    env: Env
    span: tuple[int, int] | None
    ordered = False

    def most(self) -> int:
        return 4 * 64 if self.span is None else self.span[1]

    def _each_value(
        self, w: Writer, body: Callable[[Code], None], *, loosely: bool = False
    ) -> None:
        node = self.node
        assert node.body is not None
        expression = node.body
        kind = category(expression.type)

        def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
            x = w.once(self.values.value(w, expression, inner))
            if may_be_none(expression.type):
                with w.when(ne(x, none_of(kind))):
                    body(x)
            else:
                body(x)

        if not node.order:
            self.values.draw(
                w, node.draws, node.where, node.running, self.env, note, loosely=loosely
            )
            return
        filtered = attrs.evolve(node, word="filter", body=None)
        whole = self.values.set(w, attrs.evolve(filtered, type=node.draws[0].domain.type), self.env)
        number = node.draws[0].local.number
        whole.each(w, lambda x: note({**self.env, number: x}, [x]))

    def each(self, w: Writer, body: Callable[[Code], None]) -> None:
        if self.span is not None and self.span[1] <= WORD:
            seen = w.variable(("i64", 0), "i64")
            low = self.span[0]

            def new(x: Code) -> None:
                bit = w.once(bit_of(x, low), "i64")
                with w.when(("i64.eqz", ("i64.and", seen, bit))):
                    w.set(seen, ("i64.or", seen, bit))
                    body(x)

            self._each_value(w, new)
            return
        if self.span is not None:
            low, size = self.span
            words = -(-size // WORD)
            seen_words = self.values.layout.scratch(8 * words, 8)
            for number in range(words):
                w.store64(seen_words, ("i64", 0), 8 * number)
            known = Words(seen_words, low, words, words * WORD)

            def fresh(x: Code) -> None:
                with w.when(no(known.member(w, x))):
                    set_bit(w, seen_words, sub(x, low), True)
                    body(x)

            self._each_value(w, fresh)
            return
        capacity = self.most()
        address = self.values.layout.scratch(4 * (capacity + 2))
        w.store(address, 0)
        self._each_value(w, lambda x: w.emit("do", ("call", "append_new", address, x)))
        Listed(address, capacity).each(w, body)

    def each_loosely(self, w: Writer, body: Callable[[Code], None]) -> None:
        self._each_value(w, body, loosely=True)

    def member(self, w: Writer, element: Code) -> Code:
        wanted = w.once(element)
        found = w.variable(0)
        with w.block() as label:

            def compare(x: Code) -> None:
                with w.when(eq(x, wanted)):
                    w.set(found, 1)
                    w.leave(label)

            self._each_value(w, compare, loosely=True)
        return found

    def filled(self, w: Writer) -> Code:
        found = w.variable(0)
        with w.block() as label:

            def note(x: Code) -> None:  # noqa: ARG001
                w.set(found, 1)
                w.leave(label)

            self._each_value(w, note, loosely=True)
        return found

    def bits(self, w: Writer) -> Code:
        assert self.span is not None
        low = self.span[0]
        found = w.variable(("i64", 0), "i64")
        self._each_value(w, lambda x: w.set(found, ("i64.or", found, bit_of(x, low))), loosely=True)
        return found


_NOWHERE = Position({}, {}, {}, None, ())


def set_bit(w: Writer, address: Code, bit: Code, on: bool) -> None:
    """Set or clear one bit of several words in memory."""
    at = w.once(bit)
    where = w.once(add(mul(("i32.shr_u", at, 6), 8), address))
    mask = ("i64.shl", ("i64", 1), ("i64.extend_i32_u", ("i32.and", at, 63)))
    if on:
        w.store64(where, ("i64.or", load64(where), mask))
    else:
        w.store64(where, ("i64.and", load64(where), ("i64.xor", mask, ("i64", -1))))


def _conjuncts(node: core.Expr) -> list[core.Expr]:
    if isinstance(node, core.Both):
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def bound_in(node: core.Expr) -> set[int]:
    """The names bound somewhere inside an expression."""
    return {
        part.local.number
        for part in walk((node,))
        if isinstance(part, core.Reach | core.ByKind)
        or (isinstance(part, core.Draw) and part.local.name)
    }


def _bound_in_node(node: core.Expr) -> frozenset[int]:
    """The names that an expression itself binds."""
    match node:
        case core.Query(draws=draws):
            return frozenset(draw.local.number for draw in draws if draw.local.name)
        case core.Reach(local=local) | core.ByKind(local=local):
            return frozenset({local.number})
        case _:
            return frozenset()


def _rebuilt(node: core.Expr, change: Callable[[core.Expr], core.Expr]) -> core.Expr:
    """An expression with its parts changed; the same object if none is."""
    changes: dict[str, Any] = {}
    for field in attrs.fields(type(node)):
        if field.name in ("type", "span"):
            continue
        before = getattr(node, field.name)
        after = _changed(before, change)
        if after is not before:
            changes[field.name] = after
    return attrs.evolve(node, **changes) if changes else node


def _changed(value: object, change: Callable[[core.Expr], core.Expr]) -> object:
    if isinstance(value, core.Local):
        return value
    if isinstance(value, core.Expression):
        return change(value)  # type: ignore[arg-type]
    if isinstance(value, core.Draw):
        domain = change(value.domain)
        return value if domain is value.domain else attrs.evolve(value, domain=domain)
    if isinstance(value, core.Order):
        key = change(value.key)
        return value if key is value.key else attrs.evolve(value, key=key)
    if isinstance(value, tuple):
        items = [_changed(item, change) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return tuple(items)
    return value


def _bound(x: Code, nested: bool) -> Binding:
    return Listed(x, 64) if nested else x


def _guard(there: Code, whole: SetCode) -> SetCode:
    return whole if there == 1 else Guarded(there, whole)


def _all_there(env: Env, strict: list[tuple[int, int]]) -> Code:
    test: Code = 1
    for number, none in strict:
        code = env[number]
        assert not isinstance(code, SetCode | Lazy)
        test = both(test, ne(code, none))
    return test


def _hull(left: SetCode, right: SetCode) -> tuple[int, int] | None:
    if isinstance(left, Nothing):
        return right.span
    if isinstance(right, Nothing):
        return left.span
    if left.span is None or right.span is None:
        return None
    low = min(left.span[0], right.span[0])
    return low, max(left.span[0] + left.span[1], right.span[0] + right.span[1]) - low


def _worth(node: core.Expr) -> bool:
    """Whether an expression costs more than a look-up in a table."""
    if isinstance(node, core.Local | core.Constant | core.ReadColumn | core.ReadIndex):
        return False
    if isinstance(node, core.ReadFeature):
        return node.feature not in _TABLED_FEATURES
    return not isinstance(node, core.PlaceAt | core.Indexed | core.Nth)


def _is_ordered(node: core.Expr) -> bool:
    """Whether a set that never changes certainly comes in the table's order."""
    match node:
        case core.AllThings() | core.AllFaces() | core.Interval() | core.SetOf() | core.Combine():
            return True
        case core.Reach():
            return True
        case core.Query(word="filter", order=(), draws=(draw,)):
            return _is_ordered(draw.domain)
        case core.ReadFeature(feature="beside" | "around"):
            return True
        case core.Conditional(yes=yes, no=other):
            return _is_ordered(yes) and _is_ordered(other)
        case core.Case(arms=arms, otherwise=otherwise):
            rest = () if otherwise is None else (otherwise,)
            return all(_is_ordered(value) for value in (*(v for _, v in arms), *rest))
        case core.ReadColumn():
            return True
        case _:
            return False


def _cheap(code: Code) -> bool:
    """Whether a code may be worked out for nothing: no calls, few loads."""
    if not isinstance(code, tuple):
        return True
    if code[0] == "call" or (code[0] == "i32.shl" and isinstance(code[2], int) and code[2] > 3):
        return False
    if code[0] == "i32.mul":
        return False
    return all(_cheap(part) for part in code[1:] if isinstance(part, tuple))
