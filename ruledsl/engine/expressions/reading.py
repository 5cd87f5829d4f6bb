"""What is read from things and places: features, states, and what lies where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Statement,
    Writer,
    add,
    both,
    either,
    eq,
    load,
    load64,
    mul,
    op,
    select,
    sub,
    within,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions, Lazy
from ruledsl.engine.expressions.unchanging import Unchanging
from ruledsl.engine.memory.control import PLAYING
from ruledsl.engine.memory.layout import NO_THING, PlaceLayout, Span, category, none_of
from ruledsl.engine.sets.basic import Bits, SetCode, Turned
from ruledsl.engine.sets.derived import Guarded
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.shapes import WORD
from ruledsl.engine.sets.stored import Backward, InCell, Listed, Words
from ruledsl.model import core
from ruledsl.model.builtins import IN_ORDER
from ruledsl.model.forms import SIXTHS
from ruledsl.model.game import DefineInfo, StepInfo
from ruledsl.model.symbols import DIRECTION, DIRECTION_SETS
from ruledsl.model.types import (
    FaceType,
    Type,
    may_be_none,
    plain,
)
from ruledsl.table import mishaps
from ruledsl.table.things import Thing, Value, face_kind


class Reading(Part):
    """Lowers what is read from the table."""

    def __init__(
        self, context: Context, expressions: Expressions, keeping: KeptSets, unchanging: Unchanging
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.unchanging = unchanging
        self._rays: dict[str, int] = {}
        """by kind of place: a table of its rays in all directions"""

    # ------------------------------------------------------------ values

    def _guarded(
        self, w: Writer, node: core.Expr, env: Env, none: int, read: Callable[[Code], Code]
    ) -> Code:
        """What is read from a thing; none if there is no thing."""
        subject = self.expressions.value(w, node, env)
        if not may_be_none(node.type):
            return read(w.once(subject))
        x = w.once(subject)
        found = w.variable(none)
        with w.when(op("i32.ge_s", x, 0)):
            w.set(found, read(x))
        return found

    def read_column(self, w: Writer, node: core.ReadColumn, env: Env) -> Code:
        """What is written on a thing; of a set, the address of its list."""

        def read(thing: Thing) -> Value:
            return thing.columns.get(node.name)

        kinds = self.layout.kinds_of(node.subject.type)
        table = self.unchanging.thing_table(f"column {node.name}", kinds, read, category(node.type))
        return self.layout.lookup(table, self.expressions.value(w, node.subject, env))

    def read_index(self, w: Writer, node: core.ReadIndex, env: Env) -> Code:
        """By what a thing of a family is told from others."""

        def read(thing: Thing) -> Value:
            return thing.indexes.get(node.name)

        kinds = self.layout.kinds_of(node.subject.type)
        table = self.unchanging.thing_table(f"index {node.name}", kinds, read, category(node.type))
        return self.layout.lookup(table, self.expressions.value(w, node.subject, env))

    def read_state(self, w: Writer, state: str, subject: core.Expr | None, env: Env) -> Code:
        slot = self.layout.states[state]
        if subject is None:
            return load(slot.base)
        none = none_of(slot.category)
        return self._guarded(w, subject, env, none, lambda x: load(slot.address(x)))

    def face_of(self, shown: Code, of: Type) -> Code:
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

    def by_row(
        self, w: Writer, info: DefineInfo | StepInfo, env: Env, write: Callable[[Any], None]
    ) -> None:
        """Write what is said about the row that the first argument is."""
        first = info.params[0]
        subject = env[first.local.number]
        assert not isinstance(subject, SetCode | Lazy)
        with w.block() as done:
            for row in info.rows:
                with w.when(self.is_row(subject, first.type, row.row)):
                    write(row.body)
                    w.leave(done)
            if info.body is not None:
                write(info.body)
            else:
                self.context.fail(w, mishaps.nothing_said(info.name), info.span)

    def is_row(self, subject: Code, of: Type, row: str) -> Code:
        """Whether a thing is, or shows, the row of this name."""
        wanted = [
            number
            for number, thing in enumerate(self.layout.things)
            if thing.name == row and thing.face is None and thing.kind in self._row_kinds(of)
        ]
        test: Code = 0
        for number in wanted:
            test = either(test, eq(self.face_of(subject, of), number))
        return test

    def _row_kinds(self, of: Type) -> set[str]:
        kinds = set(self.layout.kinds_of(of))
        return kinds | {face_kind(kind) for kind in kinds if self.layout.is_piece_kind(kind)}

    def lies_in(self, piece: Code, place: Code, of: Type) -> Code:
        """Whether a piece lies in a place of this type."""
        there = eq(self.layout.where(piece), place)
        return both(there, op("i32.ge_s", place, 0)) if may_be_none(of) else there

    def feature(self, w: Writer, node: core.ReadFeature, env: Env) -> Code:
        """An attribute that is no set; what never changes is looked up."""
        subject = node.subject
        match node.feature:
            case "place":
                return self._guarded(w, subject, env, NO_THING, self.layout.where)
            case "turned":
                ways = range(self.layout.size[DIRECTION])
                return self._turned_way(w, node, env, [*ways])
            case "sixths" if self._is_form(subject.type):
                return self._turned_form(w, node, env)
            case "sixths":
                names = [way.name for way in self.table.things(DIRECTION)]
                hexagonal = sorted(map(names.index, DIRECTION_SETS["Hexagonal"]))
                return self._turned_way(w, node, env, hexagonal)
            case "go":
                return self._go(w, node, env)
            case "top" | "lowest":
                kinds = self.layout.kinds_of(subject.type)
                top = node.feature == "top"
                return self._guarded(
                    w, subject, env, NO_THING, lambda x: self.end_piece(w, x, kinds, top)
                )
            case "next":
                if not self.context.players_leave:
                    seats = self.table.things("Player")
                    return self._looked_up(
                        w, node, env, lambda p: seats[(p.index + 1) % len(seats)]
                    )
                return ("call", "next_player", self.expressions.value(w, subject, env))
            case _:
                return self._looked_up(w, node, env, self.unchanging.lasting(node.feature))

    def _looked_up(
        self, w: Writer, node: core.ReadFeature, env: Env, read: Callable[[Thing], Value]
    ) -> Code:
        kinds, of = self.layout.kinds_of(node.subject.type), category(node.type)
        at = self.expressions.value(w, node.subject, env)
        return self.layout.lookup(self.unchanging.thing_table(node.feature, kinds, read, of), at)

    def _turned_way(self, w: Writer, node: core.ReadFeature, env: Env, ways: Sequence[int]) -> Code:
        """A direction turned among some of them; none if it is none of these."""
        first, size = self.layout.first[DIRECTION], self.layout.size[DIRECTION]
        way = w.once(self.expressions.value(w, node.subject, env))
        number = w.once(self.expressions.number(w, node.arguments[0], env))
        if len(ways) == size:
            turned: Code = ("call", "modulo", add(sub(way, first), number), size)
            return select(op("i32.lt_s", way, 0), NO_THING, add(turned, first))
        places = [ways.index(at) if at in ways else -1 for at in range(size)]
        inside = select(within(way, first, size), sub(way, first), -1)
        place = w.once(self.layout.lookup(self.layout.numbers(places, -1), inside))
        ids = self.layout.numbers([first + at for at in ways])
        turned = self.layout.lookup(ids, ("call", "modulo", add(place, number), len(ways)))
        return select(op("i32.lt_s", place, 0), NO_THING, turned)

    def _is_form(self, of: Type) -> bool:
        return any(self.game.kinds[kind].forms for kind in self.layout.kinds_of(of))

    def _turned_form(self, w: Writer, node: core.ReadFeature, env: Env) -> Code:
        """A form of hexagons turned by sixths: a table of all of them."""
        (kind,) = self.layout.kinds_of(node.subject.type)
        forms = self.table.things(kind)
        turns = [self.table.forms.turned(form, 60 * n) for form in forms for n in range(SIXTHS)]
        form = w.once(self.expressions.value(w, node.subject, env))
        number = self.expressions.number(w, node.arguments[0], env)
        at = add(
            mul(sub(form, self.layout.first[kind]), SIXTHS), ("call", "modulo", number, SIXTHS)
        )
        inside = select(op("i32.lt_s", form, 0), -1, at)
        return self.layout.lookup(
            self.layout.numbers([self.layout.id(each) for each in turns]), inside
        )

    def _go(self, w: Writer, node: core.ReadFeature, env: Env) -> Code:
        kinds = self.layout.kinds_of(node.subject.type)
        ways = self.table.things("Dir")
        place = self.expressions.value(w, node.subject, env)
        way = self.expressions.value(w, node.arguments[0], env)
        end = max(self.layout.first[k] + self.layout.size[k] for k in kinds)
        low = min(self.layout.first[k] for k in kinds)
        entries = []
        for thing in self.layout.things[low:end]:
            for each in ways:
                found = self.table.boards.go(thing, each)
                entries.append(NO_THING if found is None else self.layout.id(found))
        table = self.layout.numbers(entries)
        return self.layout.lookup(table, self._on_board(node, w.once(place), w.once(way), low))

    def _on_board(self, node: core.ReadFeature, place: Code, way: Code, low: int) -> Code:
        """The index of a place and a direction in a table of both; -1 if one is none."""
        ways = self.table.things("Dir")
        first = self.layout.id(ways[0])
        index = add(mul(sub(place, low), len(ways)), sub(way, first))
        inside: Code = 1
        if may_be_none(node.subject.type):
            inside = op("i32.ge_s", place, 0)
        if may_be_none(node.arguments[0].type):
            inside = both(inside, op("i32.ge_s", way, 0))
        return select(inside, index, -1)

    # ------------------------------------------------------------ places

    def for_place(
        self, w: Writer, place: Code, kinds: list[str], write: Callable[[PlaceLayout], None]
    ) -> None:
        """Write what is done for a place of one of several kinds."""
        layouts = [self.layout.places[kind] for kind in kinds if self.layout.size[kind]]
        branch = w.out
        for at, each in enumerate(layouts):
            inner: list[Statement] = []
            with w.into(inner):
                write(each)
            if at == len(layouts) - 1:
                branch.extend(inner)
            else:
                other: list[Statement] = []
                branch.append(("if", within(place, each.first, each.count), inner, other))
                branch = other

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

    def contents(self, w: Writer, node: core.Expr, env: Env, span: Span | None) -> SetCode:
        """The pieces in a place."""
        place = w.once(self.expressions.value(w, node, env))
        there: Code = op("i32.ge_s", place, 0) if may_be_none(node.type) else 1
        kinds = [k for k in self.layout.kinds_of(node.type) if self.layout.size[k]]
        if len(kinds) == 1:
            at = self.layout.places[kinds[0]]
            if at.form == "cell":
                return InCell(at, place, there, span)
            return _guard(there, self.held_in(w, at, place, span))
        capacity = max((self.layout.places[kind].capacity for kind in kinds), default=0)
        address = self.layout.list_memory(capacity)
        w.store(address, 0)
        with w.when(there):
            self.for_place(
                w,
                place,
                kinds,
                lambda at: self.keeping.fill_list(
                    w, address, self.any_held(w, at, place), capacity
                ),
            )
        return Listed(address, capacity, False, span)

    def any_held(self, w: Writer, at: PlaceLayout, place: Code) -> SetCode:
        """What a place holds, whatever its form."""
        if at.form == "cell":
            return InCell(at, place, 1, None)
        return self.held_in(w, at, place, None)

    def held_in(self, w: Writer, at: PlaceLayout, place: Code, span: Span | None) -> SetCode:
        """What a place for several pieces holds."""
        address = w.once(at.address(place))
        if at.form == "stack":
            return Listed(address, at.capacity, False, span, live=True)
        if at.words == 1:
            return Bits(load64(address), at.low, min(WORD, max(1, self.layout.pieces - at.low)))
        return Words(address, at.low, at.words)

    # ------------------------------------------------------------ sets

    def seats_in(self, mask: Code) -> Bits:
        """The players of a mask of seats."""
        word = ("i64.extend_i32_u", mask)
        return Bits(word, self.layout.first_player, self.layout.players)

    def state_set(self, w: Writer, state: str, subject: core.Expr | None, env: Env) -> SetCode:
        slot = self.layout.states[state]
        there: Code = 1
        owner: Code | None = None
        if subject is not None:
            owner = w.once(self.expressions.value(w, subject, env))
            if may_be_none(subject.type):
                there = op("i32.ge_s", owner, 0)
        address = w.once(slot.address(owner))
        if slot.words == 1:
            whole: SetCode = Bits(load64(address), slot.low, WORD)
        else:
            whole = Words(address, slot.low, slot.words)
        return _guard(there, whole)

    def feature_set(self, w: Writer, node: core.ReadFeature, env: Env) -> SetCode:
        subject = node.subject
        match node.feature:
            case "ray":
                return self._ray(w, node, env)
            case "cover":
                return self._cover(w, node, env)
            case "onward" | "backward" | "round" | "others":
                return self._turned(w, node, env)
            case "reversed":
                whole = self.expressions.set(w, subject, env)
                return Backward(self.keeping.listed(w, whole))
            case _:
                found = self._looked_up_set(w, node, env)
                return attrs.evolve(found, ordered=node.feature in IN_ORDER)

    def _looked_up_set(self, w: Writer, node: core.ReadFeature, env: Env) -> Listed:
        """A set that each thing has for ever."""
        kinds = self.layout.kinds_of(node.subject.type)
        read = self.unchanging.lasting(node.feature)
        lists = self.unchanging.thing_table(node.feature, kinds, read, "set")
        address = self.layout.lookup(lists, self.expressions.value(w, node.subject, env))
        longest = self.unchanging.longest(lists)
        return self.unchanging.constant_list(w.once(address), node.type, longest)

    def _ray(self, w: Writer, node: core.ReadFeature, env: Env) -> SetCode:
        (kind,) = self.layout.kinds_of(node.subject.type)
        place = w.once(self.expressions.value(w, node.subject, env))
        way = w.once(self.expressions.value(w, node.arguments[0], env))
        if kind not in self._rays:
            lists = [self.unchanging.list_of(ray) for ray in self.unchanging.rays(kind)]
            self._rays[kind] = self.layout.numbers(lists, self.unchanging.list_of(()))
        index = self._on_board(node, place, way, self.layout.first[kind])
        address = w.once(self.layout.lookup(self._rays[kind], index))
        found = self.unchanging.constant_list(address, node.type, self.unchanging.longest_ray(kind))
        return attrs.evolve(found, straight=found.one_word and self.unchanging.goes_straight(kind))

    def _cover(self, w: Writer, node: core.ReadFeature, env: Env) -> SetCode:
        """The cells below a form: a table of the lists for each cell and each form."""
        (kind,) = self.layout.kinds_of(node.subject.type)
        place = w.once(self.expressions.value(w, node.subject, env))
        form = w.once(self.expressions.value(w, node.arguments[0], env))
        cover = self.unchanging.cover(kind, self.layout.kinds_of(node.arguments[0].type))
        index = add(mul(sub(place, self.layout.first[kind]), cover.forms), sub(form, cover.first))
        inside = both(op("i32.ge_s", place, 0), op("i32.ge_s", form, 0))
        address = w.once(self.layout.lookup(cover.table, select(inside, index, -1)))
        found = self.unchanging.constant_list(address, node.type, cover.longest)
        return attrs.evolve(found, ordered=True)

    def _turned(self, w: Writer, node: core.ReadFeature, env: Env) -> SetCode:
        (kind,) = self.layout.kinds_of(node.subject.type)
        if self.game.kinds[kind].indexes:
            return self._looked_up_set(w, node, env)
        start = w.once(self.expressions.value(w, node.subject, env))
        low, size = self.layout.first[kind], self.layout.size[kind]
        mask = load(PLAYING) if kind == "Player" and self.context.players_leave else None
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


def _guard(there: Code, whole: SetCode) -> SetCode:
    return whole if there == 1 else Guarded(there, whole)
