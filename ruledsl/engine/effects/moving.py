"""Moving pieces, shuffling, and refilling."""

from __future__ import annotations

from typing import assert_never

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    cell_at,
    eq,
    item,
    load,
    load64,
    mul,
    ne,
    no,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.counters import Counter
from ruledsl.engine.effects.dirty_triggers import DirtyTriggers
from ruledsl.engine.effects.move_guards import Destination, MoveGuards, Source
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.expressions.boards import Boards
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.reading import Reading
from ruledsl.engine.memory.layout import NO_THING, PlaceLayout, category
from ruledsl.engine.sets.basic import (
    SetCode,
    set_bit,
)
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.model import core
from ruledsl.model.types import SetType, Type, plain
from ruledsl.table import mishaps
from ruledsl.table.limits import SHUFFLED

CELL, STACK, BITS = 0, 1, 2
"""The forms of places, in a table."""

MANY_PIECES = 500
"""Where there are fewer, moving them takes no time worth counting."""


class Moving(Part):
    """Lowers moves."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        reading: Reading,
        boards: Boards,
        seeing: Seeing,
        dirty: DirtyTriggers,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.reading = reading
        self.boards = boards
        self.seeing = seeing
        self.dirty = dirty
        self.guards = MoveGuards(context, keeping, seeing)
        self._place_tables()
        self._moving_functions()

    # ------------------------------------------------------------ single pieces

    def _place_tables(self) -> None:
        """Tables over all places: their form, where they lie in memory, and what they hold."""
        forms = {"cell": CELL, "stack": STACK, "bits": BITS}
        total = len(self.layout.things)
        form, address, low = [0] * total, [0] * total, [0] * total
        for at in self.layout.places.values():
            for number in range(at.count):
                here = at.first + number
                form[here] = forms[at.form]
                address[here] = at.base + number * at.stride
                low[here] = at.low
        self.place_form = self.layout.numbers(form)
        self.place_address = self.layout.numbers(address)
        self.place_low = self.layout.numbers(low)

    def _moving_functions(self) -> None:
        """Take a piece from where it lies, lay it somewhere, or both."""
        look = self.layout.lookup
        w = self.context.function("lift", "piece", result=False)
        place = w.once(self.layout.where("piece"))
        address = w.once(look(self.place_address, place))
        form = w.once(look(self.place_form, place))
        with w.when(eq(form, CELL)):
            w.store(address, NO_THING)
            self.boards.toggle_anywhere(w, "piece", place)
            w.give_back()
        with w.when(eq(form, BITS)):
            set_bit(w, address, sub("piece", look(self.place_low, place)), False)
            w.give_back()
        number = w.once(load(address))
        at = w.variable(add(address, mul(number, 4)))
        taken = w.variable("piece")
        with w.loop() as label:
            # From the top down, each piece takes the place of the one below it.
            held = w.variable(load(at))
            w.store(at, taken)
            w.set(taken, held)
            w.leave_if(label, eq(held, "piece"))
            w.set(at, sub(at, 4))
        w.store(address, sub(number, 1))

        w = self.context.function("lay", "piece", "place", "bottom", result=False)
        if self.context.checked or any(map(self._is_tight, self.layout.places.values())):
            self.guards.find_room(w)
        if self.context.counters is not None:
            laid = look(self.place_form, "place")
            stacked = eq(laid, STACK)
            self.context.counters.moved(w, "piece", "place", stacked)
        w.store(self.layout.where_cell("piece"), "place")
        self.seeing.note_moved(w, "piece")
        address = w.once(look(self.place_address, "place"))
        form = w.once(look(self.place_form, "place"))
        with w.when(eq(form, CELL)):
            w.store(address, "piece")
            self.boards.toggle_anywhere(w, "piece", "place")
            w.give_back()
        with w.when(eq(form, BITS)):
            set_bit(w, address, sub("piece", look(self.place_low, "place")), True)
            w.give_back()
        number = w.once(load(address))
        w.store(address, add(number, 1))
        with w.when(no("bottom")):
            w.store(add(add(address, mul(number, 4)), 4), "piece")
            w.give_back()
        w.emit("copy", add(address, 8), add(address, 4), mul(number, 4))
        w.store(address, "piece", 4)

        w = self.context.function("move", "piece", "place", "bottom", result=False)
        w.emit("do", ("call", "lift", "piece"))
        w.emit("do", ("call", "lay", "piece", "place", "bottom"))

    # ------------------------------------------------------------ statements

    def move(
        self, w: Writer, node: core.Move | core.MoveSome | core.MoveAll | core.Put, env: Env
    ) -> None:
        target = w.once(self.expressions.value(w, node.target, env))
        kinds = self.layout.kinds_of(node.target.type)
        written: set[object] = {("place", kind) for kind in kinds}
        self.must_be_place(w, target, node.target.span)
        match node:
            case core.Move(pieces=pieces, bottom=bottom):
                to = Destination(target, kinds, bottom, node.span)
                written |= self.dirty.wherever(self._held_kinds(pieces.type))
                self.dirty.touched(w, *written)
                if category(pieces.type) == "set":
                    self._move_set(w, self.expressions.set(w, pieces, env), to)
                else:
                    piece = w.once(self.expressions.value(w, pieces, env))
                    self.context.must_be(w, piece, 0, self.layout.pieces, pieces.span)
                    self._move_one(w, piece, to)
            case core.MoveSome(amount=amount, source=source, bottom=bottom):
                to = Destination(target, kinds, bottom, node.span)
                self.dirty.touched(w, *written, *self._source_kinds(source))
                number = w.once(self.expressions.number(w, amount, env))
                counters = self.context.counters
                before = None if counters is None else w.variable(load(counters.moves))
                self._move_some(w, number, source, to, env)
                if counters is not None and before is not None:
                    short = op("i32.gt_s", number, sub(load(counters.moves), before))
                    counters.note_if(w, Counter("short", "", node.span), short)
            case core.MoveAll(source=source, bottom=bottom):
                to = Destination(target, kinds, bottom, node.span)
                self.dirty.touched(w, *written, *self._source_kinds(source))
                self._move_all(w, source, to, env)
            case core.Put():
                raise AssertionError("`put` stands in tests only")
            case _:
                assert_never(node)

    def must_be_place(self, w: Writer, place: Code, span: object) -> None:
        places = self.layout.places.values()
        first = min(at.first for at in places)
        self.context.must_be(w, place, first, sum(at.count for at in places), span)

    def _held_kinds(self, of: Type) -> list[str]:
        """The kinds of pieces in a set, or of a piece."""
        inner = plain(of)
        return self.layout.kinds_of(inner.element if isinstance(inner, SetType) else inner)

    def _source_kinds(self, source: core.Expr) -> set[object]:
        """What changes when pieces are taken from somewhere."""
        if category(source.type) == "set":
            return self.dirty.wherever(self._held_kinds(source.type))
        written: set[object] = set()
        for kind in self.layout.kinds_of(source.type):
            written.add(("place", kind))
            info = self.game.kinds[kind].place
            if info is not None and info.refilled is not None:
                written.add(("place", info.refilled))
        return written

    def _is_tight(self, at: PlaceLayout) -> bool:
        """Whether a stack has memory for fewer pieces than may come: none must lie beyond."""
        info = self.game.kinds[at.kind].place
        assert info is not None
        return at.form == "stack" and at.capacity < sum(self.layout.size[k] for k in info.holds)

    def _move_by(self, w: Writer, function: str, to: Destination, *arguments: Code) -> None:
        """Several pieces by a function, which looks after their room."""
        self.guards.note_room(w, to.span)
        w.emit("do", ("call", function, *arguments))

    def _lay(self, w: Writer, piece: Code, to: Destination) -> None:
        layouts = [self.layout.places[kind] for kind in to.kinds]
        if len(layouts) > 1 or to.bottom:
            w.emit("do", ("call", "lay", piece, to.place, int(to.bottom)))
            return
        (at,) = layouts
        if self.context.counters is not None:
            self.context.counters.moved(w, piece, to.place, int(at.form == "stack"))
        w.store(self.layout.where_cell(piece), to.place)
        self.seeing.note_moved(w, piece)
        match at.form:
            case "cell":
                w.store(at.address(to.place), piece)
                self.boards.toggle(w, at.kind, piece, to.place)
            case "bits":
                self._set_bit(w, at, to.place, piece, on=True)
            case "stack":
                address = w.once(at.address(to.place))
                number = w.once(add(load(address), 1))
                if not self.context.checked and self._is_tight(at):
                    with w.when(op("i32.gt_s", number, at.capacity)):
                        self.context.fail(w, mishaps.NO_ROOM, to.span)
                w.store(address, number)
                w.store(add(address, mul(number, 4)), piece)
            case _:
                assert_never(at.form)

    def _set_bit(self, w: Writer, at: PlaceLayout, place: Code, piece: Code, *, on: bool) -> None:
        bit = sub(piece, at.low)
        if at.words > 1:
            set_bit(w, at.address(place), bit, on)
            return
        address = w.once(at.address(place))
        word = ("i64.shl", ("i64", 1), ("i64.extend_i32_u", bit))
        # It is there, or not there, before.
        w.store64(address, ("i64.xor", load64(address), word))

    def _move_one(
        self, w: Writer, piece: Code, to: Destination, source: Source | None = None
    ) -> None:
        if self.context.checked and self.guards.can_be_full(to.kinds):
            with w.when(ne(self.layout.where(piece), to.place)):
                self.guards.room(w, to)
        self.seeing.know_one_moving(w, piece, to.place)
        if source is not None and source.at.form == "bits":
            self._set_bit(w, source.at, source.place, piece, on=False)
        else:
            w.emit("do", ("call", "lift", piece))
        self._lay(w, piece, to)

    def _is_stack_of(self, to: Destination) -> bool:
        return any(self.layout.places[kind].form == "stack" for kind in to.kinds)

    def _move_set(
        self, w: Writer, whole: SetCode, to: Destination, source: Source | None = None
    ) -> None:
        """Move pieces, in this order, source by source."""
        kept = self.keeping.kept(w, whole)
        if self.layout.pieces > MANY_PIECES:
            self.context.burn(w, to.span, kept.count(w))
        if not self._is_stack_of(to) and not self.seeing.track:
            anywhere = attrs.evolve(to, bottom=False)
            kept.each(w, lambda x: self._move_one(w, x, anywhere, source))
            return
        pieces = self.keeping.listed(w, kept)
        self._move_by(w, "move_list", to, pieces.address, to.place, int(to.bottom))

    def _move_some(
        self, w: Writer, number: Code, source: core.Expr, to: Destination, env: Env
    ) -> None:
        if category(source.type) == "set":
            alike = self.guards.surely_alike(source)
            self._move_first(w, self.expressions.set(w, source, env), number, to, alike=alike)
            return
        kinds = [kind for kind in self.layout.kinds_of(source.type) if self.layout.size[kind]]
        place = w.once(self.expressions.value(w, source, env))
        self.must_be_place(w, place, source.span)

        def from_kind(at: PlaceLayout) -> None:
            info = self.game.kinds[at.kind].place
            assert info is not None
            if at.form == "bits":
                held = self.reading.held_in(w, at, place, None)
                self._move_first(w, held, number, to, Source(at, place))
                return
            reserve: Code = NO_THING
            if info.refilled is not None:
                reserve = self._reserve(at.kind, info.refilled, place)
            if at.form == "stack" and number == 1 and info.refilled is None:
                if not self.seeing.track and not to.bottom:
                    self._move_top(w, at, place, to)
                    return
            self._move_by(w, "deal", to, number, place, to.place, int(to.bottom), reserve)

        self.reading.for_place(w, place, kinds, from_kind)

    def _move_top(self, w: Writer, at: PlaceLayout, place: Code, to: Destination) -> None:
        """The piece on top of a stack, if there is one."""
        address = w.once(at.address(place))
        number = w.once(load(address))
        with w.when(number):
            piece = w.once(load(add(address, mul(number, 4))))
            w.store(address, sub(number, 1))
            if self.context.checked:
                self.guards.room(w, to)
            self._lay(w, piece, to)

    def _reserve(self, kind: str, refilled: str, place: Code) -> Code:
        """The place that a stack is refilled from."""
        entries = [
            self.layout.id(self.table.place_at(refilled, tuple(stack.indexes.values())))
            for stack in self.table.things(kind)
        ]
        if len(entries) == 1:
            return entries[0]
        table = self.layout.numbers(entries)
        return self.layout.lookup(table, sub(place, self.layout.first[kind]))

    def _move_first(
        self,
        w: Writer,
        whole: SetCode,
        number: Code,
        to: Destination,
        source: Source | None = None,
        *,
        alike: bool = False,
    ) -> None:
        """Move the first so many of some pieces, which have to be alike."""
        if self.context.checked and not alike:
            whole = self.guards.alike(w, whole, number, to, source)
        if number == 1 and not self.seeing.track:
            piece = w.once(whole.first(w, NO_THING))
            with w.when(op("i32.ge_s", piece, 0)):
                self._move_one(w, piece, to, source)
            return
        address = self.layout.list_memory(whole.most())
        count = w.variable(0)
        with w.block() as label:

            def take(x: Code) -> None:
                w.leave_if(label, op("i32.ge_s", count, number))
                w.set(count, add(count, 1))
                w.store(cell_at(address, count), x)

            whole.each(w, take)
        w.store(address, count)
        if self._is_stack_of(to) or self.seeing.track:
            self._move_by(w, "move_list", to, address, to.place, int(to.bottom))
            return
        with w.counting(0, count) as at:
            piece = w.once(load(cell_at(address + 4, at)))
            self._move_one(w, piece, to, source)

    def _move_all(self, w: Writer, source: core.Expr, to: Destination, env: Env) -> None:
        if category(source.type) == "set":
            self._move_set(w, self.expressions.set(w, source, env), to)
            return
        kinds = [kind for kind in self.layout.kinds_of(source.type) if self.layout.size[kind]]
        place = w.once(self.expressions.value(w, source, env))
        self.must_be_place(w, place, source.span)

        def from_kind(at: PlaceLayout) -> None:
            sure = not self.context.checked or not self.guards.can_be_full(to.kinds)
            if at.form == "stack" and not to.bottom and sure:
                self._move_stack(w, at, place, to)
                return
            if at.form != "cell":
                held = self.reading.held_in(w, at, place, None)
                self._move_set(w, held, to, Source(at, place))
                return
            address = w.once(at.address(place))
            piece = w.once(load(address))
            with w.when(op("i32.ge_s", piece, 0)):
                if self.context.checked and self.guards.can_be_full(to.kinds):
                    with w.when(ne(place, to.place)):
                        self.guards.room(w, to)
                w.store(address, NO_THING)
                self.boards.toggle(w, at.kind, piece, place)
                self._lay(w, piece, to)

        self.reading.for_place(w, place, kinds, from_kind)

    def _move_stack(self, w: Writer, at: PlaceLayout, place: Code, to: Destination) -> None:
        """A whole stack goes on top of another place, its lowest piece first."""
        with w.when(ne(place, to.place)):
            address = w.once(at.address(place))
            if self.layout.pieces > MANY_PIECES:
                self.context.burn(w, to.span, load(address))
            with w.counting(0, load(address)) as step:
                piece = w.once(load(cell_at(add(address, 4), step)))
                self._lay(w, piece, to)
            w.store(address, 0)

    # ------------------------------------------------------------ several pieces

    def write_moving_functions(self) -> None:
        """Functions that move many pieces; they depend on what is known."""
        self._write_held()
        self._write_move_list()
        self._write_deal()

    def _write_held(self) -> None:
        """The number of pieces in a place."""
        words = [0] * len(self.layout.things)
        for at in self.layout.places.values():
            words[at.first : at.first + at.count] = [at.words] * at.count
        w = self.context.function("held", "place")
        address = w.once(self.layout.lookup(self.place_address, "place"))
        form = w.once(self.layout.lookup(self.place_form, "place"))
        with w.when(eq(form, CELL)):
            w.give_back(op("i32.ge_s", load(address), 0))
        with w.when(eq(form, STACK)):
            w.give_back(load(address))
        count = w.variable(("i64", 0), "i64")
        table = self.layout.numbers(words)
        with w.counting(0, self.layout.lookup(table, "place")) as number:
            word = load64(add(address, mul(number, 8)))
            w.set(count, ("i64.add", count, ("i64.popcnt", word)))
        w.give_back(("i32.wrap_i64", count))

    def _write_move_list(self) -> None:
        """A list of pieces to a place, those of one source after those of another."""
        w = self.context.function("move_list", "list", "place", "bottom", result=False)
        sources = self.layout.list_memory(self.layout.pieces)
        group = self.layout.list_memory(self.layout.pieces)
        number = w.once(load("list"))
        with w.counting(0, number) as at:
            here = w.once(mul(at, 4))
            piece = load(add(add("list", here), 4))
            w.store(add(here, sources), self.layout.where(piece))
        with w.counting(0, number) as at:
            source = w.once(load(cell_at(sources, at)))
            with w.when(op("i32.ge_s", source, 0)):
                size = w.variable(0)
                with (
                    w.counting(at, number) as other,
                    w.when(eq(load(cell_at(sources, other)), source)),
                ):
                    w.store(cell_at(sources, other), -1)
                    w.set(size, add(size, 1))
                    w.store(cell_at(group, size), item("list", other))
                w.store(group, size)
                self.seeing.know_group_moving(w, group, source, "place")
                # Of a stack that is moved as a whole, no piece need be looked for.
                address = w.once(self.layout.lookup(self.place_address, source))
                stack = w.variable(eq(self.layout.lookup(self.place_form, source), STACK))
                with w.when(stack):
                    w.set(stack, eq(load(address), size))
                    with w.when(stack):
                        w.store(address, 0)
                with w.counting(0, size) as step:
                    index = ("select", sub(sub(size, 1), step), step, "bottom")
                    piece = w.once(load(cell_at(group + 4, index)))
                    with w.when(no(stack)):
                        w.emit("do", ("call", "lift", piece))
                    w.emit("do", ("call", "lay", piece, "place", "bottom"))

    def _write_deal(self) -> None:
        """Pieces from the top of a stack, or from a cell."""
        params = ("number", "source", "place", "bottom", "reserve")
        w = self.context.function("deal", *params, result=False)
        address = w.once(self.layout.lookup(self.place_address, "source"))
        with w.when(eq(self.layout.lookup(self.place_form, "source"), CELL)):
            piece = w.once(load(address))
            with w.when(both(op("i32.gt_s", "number", 0), op("i32.ge_s", piece, 0))):
                w.emit("do", ("call", "move", piece, "place", "bottom"))
            w.give_back()
        with w.when(both("bottom", op("i32.lt_s", "reserve", 0))):
            taken = self.layout.list_memory(self.layout.pieces)
            held = w.once(load(address))
            dealt = w.once(("select", "number", held, op("i32.lt_s", "number", held)))
            w.store(taken, dealt)
            with w.counting(0, dealt) as at:
                top = load(add(address, mul(sub(held, at), 4)))
                w.store(cell_at(taken + 4, at), top)
            w.emit("do", ("call", "move_list", taken, "place", 1))
            w.give_back()
        with w.counting(0, "number"):
            with w.when(both(no(load(address)), op("i32.ge_s", "reserve", 0))):
                self._refill(w)
            with w.when(no(load(address))):
                w.give_back()
            held = w.once(load(address))
            piece = w.once(load(add(address, mul(held, 4))))
            w.store(address, sub(held, 1))
            w.emit("do", ("call", "lay", piece, "place", "bottom"))

    def _refill(self, w: Writer) -> None:
        """Shuffle what lies in the reserve into an empty stack."""
        reserves = {
            info.place.refilled
            for info in self.game.kinds.values()
            if info.place is not None and info.place.refilled is not None
        }
        if not reserves:
            return
        capacity = self.layout.pieces
        copied = self.layout.list_memory(capacity)
        kinds = sorted(reserves, key=lambda kind: self.layout.first[kind])

        def from_kind(at: PlaceLayout) -> None:
            self.keeping.fill_list(w, copied, self.reading.any_held(w, at, "reserve"), capacity)

        self.reading.for_place(w, "reserve", kinds, from_kind)
        self.dirty.touched(w, *(("place", kind) for kind in kinds))
        w.emit("do", ("call", "move_list", copied, "source", 0))
        w.emit("do", ("call", "shuffle", "source"))

    def write_shuffle(self) -> None:
        """Mix a stack; in any place, what was known of its pieces is forgotten."""
        w = self.context.function("shuffle", "place", result=False)
        address = w.once(self.layout.lookup(self.place_address, "place"))
        with w.when(eq(self.layout.lookup(self.place_form, "place"), STACK)):
            if self.layout.pieces > MANY_PIECES:
                self.context.burn(w, None, mul(load(address), SHUFFLED))
            last = w.variable(sub(load(address), 1))
            with w.loop() as label:
                w.leave_if(label, op("i32.le_s", last, 0))
                other = w.once(("call", "below", add(last, 1)))
                one = w.once(add(add(address, 4), mul(last, 4)))
                two = w.once(add(add(address, 4), mul(other, 4)))
                held = w.variable(load(one))
                w.store(one, load(two))
                w.store(two, held)
                w.set(last, sub(last, 1))
        self.seeing.know_shuffled(w, "place")
