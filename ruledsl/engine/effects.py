"""Statements that ask nobody: moving pieces, setting slots, chance, showing, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

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
    signed,
    sub,
)
from ruledsl.engine.knowledge import KnowledgeCode
from ruledsl.engine.layout import (
    ACTIVE,
    CUT,
    DECISIONS,
    DIRTY,
    HOW,
    HOWS,
    MODE,
    NO_NUMBER,
    OUT,
    PLAYING,
    STOPS,
    Layout,
    PlaceLayout,
    category,
)
from ruledsl.engine.sets import Bits, Everything, SetCode
from ruledsl.engine.values import Env, set_bit
from ruledsl.model import core
from ruledsl.model.types import SetType, Type, may_be_none, plain
from ruledsl.model.walk import walk
from ruledsl.play.chance import weight
from ruledsl.table.table import Table

TREE = 2
"""The mode in which the search tree answers decisions."""
OVER = 2
"""What a procedure returns when the game is over."""


class Effects(KnowledgeCode):
    """Lowers effects."""

    def __init__(self, table: Table, layout: Layout, program: Program, checked: bool) -> None:
        super().__init__(table, layout, program, checked)
        self._reads = {name: self._read_by(name) for name in self.game.triggers}
        self._trigger_bits = {name: at for at, name in enumerate(self.game.triggers)}
        self._place_tables()
        self._moving_functions()

    # ------------------------------------------------------------ triggers that may have changed

    def _read_by(self, name: str) -> set[object] | None:
        """What a trigger's condition reads; None for anything."""
        trigger = self.game.triggers[name]
        if trigger.when is None:
            return None
        found: set[object] = set()
        todo: list[object] = [*(draw.domain for draw in trigger.picks), trigger.when]
        seen: set[str] = set()
        while todo:
            node = todo.pop()
            for part in walk((node,)):
                match part:
                    case core.ReadState(state=state):
                        found.add(("state", state))
                    case core.ReadHistory() | core.Would() | core.Can():
                        return None
                    case core.Special(word="you"):
                        return None
                    case core.Special(word="active" | "playing" as word):
                        found.add(word)
                    case core.Contents(place=place):
                        found.update(("place", kind) for kind in self.layout.kinds_of(place.type))
                    case core.ReadFeature(feature="top" | "lowest", subject=subject):
                        found.update(("place", k) for k in self.layout.kinds_of(subject.type))
                    case core.ReadFeature(feature="place", subject=subject):
                        found.update(self._wherever(self.layout.kinds_of(subject.type)))
                    case core.ReadFeature(feature="next" | "round" | "others" | "onward"):
                        found.add("playing")
                    case core.Member(element=element) if self._is_piece(element.type):
                        found.update(self._wherever(self.layout.kinds_of(element.type)))
                    case core.CallDefine(define=key) if key not in seen:
                        seen.add(key)
                        todo.extend(self._bodies(self.game.defines[key]))
                    case _:
                        pass
        return found

    def _wherever(self, pieces: list[str]) -> set[object]:
        """All kinds of places that may hold some kinds of pieces."""
        return {
            ("place", name)
            for name, kind in self.game.kinds.items()
            if kind.place is not None and set(kind.place.holds) & set(pieces)
        }

    def touched(self, w: Writer, *what: object) -> None:
        """Something changes: note which triggers may hold now."""
        mask = 0
        for name, reads in self._reads.items():
            if reads is None or any(each in reads for each in what):
                mask |= 1 << self._trigger_bits[name]
        if mask:
            w.store64(DIRTY, ("i64.or", load64(DIRTY), ("i64", signed(mask))))

    # ------------------------------------------------------------ moving

    def _place_tables(self) -> None:
        forms = {"cell": 0, "stack": 1, "bits": 2}
        total = len(self.layout.things)
        form, address, low, room = [0] * total, [0] * total, [0] * total, [0] * total
        for name, at in self.layout.places.items():
            for number, place in enumerate(self.table.things(name)):
                here = at.first + number
                form[here] = forms[at.form]
                address[here] = at.base + number * at.stride
                low[here] = at.low
                limit = self.table.rooms[place]
                room[here] = 2**30 if limit is None else limit
        self._form = self.layout.numbers(form)
        self._address = self.layout.numbers(address)
        self._low = self.layout.numbers(low)
        self._room = self.layout.numbers(room)

    def _moving_functions(self) -> None:
        look = self.layout.lookup
        w = Writer(self.program.add(Function("lift", [("piece", "i32")], None)))
        place = w.once(load(add(mul("piece", 4), self.layout.place_of)))
        address = w.once(look(self._address, place))
        form = w.once(look(self._form, place))
        with w.when(eq(form, 0)):
            w.store(address, -1)
            w.give_back()
        with w.when(eq(form, 2)):
            set_bit(w, address, sub("piece", look(self._low, place)), False)
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

        w = Writer(
            self.program.add(
                Function("lay", [("piece", "i32"), ("place", "i32"), ("bottom", "i32")], None)
            )
        )
        w.store(add(mul("piece", 4), self.layout.place_of), "place")
        address = w.once(look(self._address, "place"))
        form = w.once(look(self._form, "place"))
        with w.when(eq(form, 0)):
            w.store(address, "piece")
            w.give_back()
        with w.when(eq(form, 2)):
            set_bit(w, address, sub("piece", look(self._low, "place")), True)
            w.give_back()
        number = w.once(load(address))
        w.store(address, add(number, 1))
        with w.when(no("bottom")):
            w.store(add(add(address, mul(number, 4)), 4), "piece")
            w.give_back()
        w.emit("copy", add(address, 8), add(address, 4), mul(number, 4))
        w.store(address, "piece", 4)

        w = Writer(
            self.program.add(
                Function("move", [("piece", "i32"), ("place", "i32"), ("bottom", "i32")], None)
            )
        )
        w.emit("do", ("call", "lift", "piece"))
        w.emit("do", ("call", "lay", "piece", "place", "bottom"))

    def _held_kinds(self, of: Type) -> list[str]:
        """The kinds of pieces in a set, or of a piece."""
        inner = plain(of)
        return self.layout.kinds_of(inner.element if isinstance(inner, SetType) else inner)

    def move(
        self,
        w: Writer,
        node: core.Move | core.MoveSome | core.MoveAll | core.Put,
        env: Env,
    ) -> None:
        target = w.once(self.value(w, node.target, env))
        targets = self.layout.kinds_of(node.target.type)
        written: set[object] = {("place", kind) for kind in targets}
        if self.checked and may_be_none(node.target.type):
            with w.when(op("i32.lt_s", target, 0)):
                self.fail(w, "none", "there is none", node.target.span)
        match node:
            case core.Move(pieces=pieces, bottom=bottom):
                written |= self._wherever(self._held_kinds(pieces.type))
                self.touched(w, *written)
                if category(pieces.type) == "set":
                    self._move_set(w, self.set(w, pieces, env), target, targets, bottom, node)
                else:
                    piece = w.once(self.value(w, pieces, env))
                    if self.checked and may_be_none(pieces.type):
                        with w.when(op("i32.lt_s", piece, 0)):
                            self.fail(w, "none", "there is nothing to move", pieces.span)
                    self._move_one(w, piece, target, targets, bottom, node)
            case core.MoveSome(amount=amount, source=source, bottom=bottom):
                self.touched(w, *written, *self._source_kinds(source))
                number = w.once(self.number(w, amount, env))
                self._move_some(w, number, source, target, targets, bottom, env, node)
            case core.MoveAll(source=source, bottom=bottom):
                self.touched(w, *written, *self._source_kinds(source))
                self._move_all(w, source, target, targets, bottom, env, node)
            case core.Put():
                raise AssertionError("`put` stands in tests only")
            case _:
                assert_never(node)

    def _source_kinds(self, source: core.Expr) -> set[object]:
        if category(source.type) == "set":
            return self._wherever(self._held_kinds(source.type))
        written: set[object] = set()
        for kind in self.layout.kinds_of(source.type):
            written.add(("place", kind))
            info = self.game.kinds[kind].place
            if info is not None and info.refilled is not None:
                written.add(("place", info.refilled))
        return written

    def _guard_room(self, w: Writer, target: Code, more: Code, node: core.Stmt) -> None:
        if not self.checked:
            return
        with w.when(
            op(
                "i32.gt_s",
                add(("call", "held", target), more),
                self.layout.lookup(self._room, target),
            )
        ):
            self.fail(w, "room", "there is no room for so many pieces", node.span)

    def _lay(self, w: Writer, piece: Code, target: Code, targets: list[str], bottom: bool) -> None:
        layouts = [self.layout.places[kind] for kind in targets]
        if len(layouts) == 1 and layouts[0].form == "cell":
            w.store(add(mul(piece, 4), self.layout.place_of), target)
            w.store(layouts[0].address(target), piece)
        else:
            w.emit("do", ("call", "lay", piece, target, int(bottom)))

    def _move_one(
        self,
        w: Writer,
        piece: Code,
        target: Code,
        targets: list[str],
        bottom: bool,
        node: core.Stmt,
    ) -> None:
        if self.checked:
            with w.when(ne(load(add(mul(piece, 4), self.layout.place_of)), target)):
                self._guard_room(w, target, 1, node)
        self.know_one_moving(w, piece, target)
        w.emit("do", ("call", "lift", piece))
        self._lay(w, piece, target, targets, bottom)
        self.know_moved(w, piece)

    def _move_set(
        self,
        w: Writer,
        whole: SetCode,
        target: Code,
        targets: list[str],
        bottom: bool,
        node: core.Stmt,
    ) -> None:
        """Move pieces, in this order, source by source."""
        kept = self.kept(w, whole)
        stacked = any(self.layout.places[kind].form == "stack" for kind in targets)
        if not stacked and not self.track:
            kept.each(w, lambda x: self._move_one(w, x, target, targets, False, node))
            return
        pieces = self.listed(w, kept)
        w.emit("do", ("call", "move_list", pieces.address, target, int(bottom)))

    def _move_some(
        self,
        w: Writer,
        number: Code,
        source: core.Expr,
        target: Code,
        targets: list[str],
        bottom: bool,
        env: Env,
        node: core.Stmt,
    ) -> None:
        if category(source.type) == "set":
            self._move_first(w, self.set(w, source, env), number, target, targets, bottom, node)
            return
        kinds = [kind for kind in self.layout.kinds_of(source.type) if self.layout.size[kind]]
        place = w.once(self.value(w, source, env))

        def from_kind(at: PlaceLayout) -> None:
            info = self.game.kinds[at.kind].place
            assert info is not None
            if at.form == "bits":
                held = self._held(w, at, place, None)
                self._move_first(w, held, number, target, targets, bottom, node)
                return
            reserve: Code = -1
            if info.refilled is not None:
                reserve = self._reserve(at.kind, info.refilled, place)
            w.emit("do", ("call", "deal", number, place, target, int(bottom), reserve))

        self.for_place(w, place, kinds, from_kind)

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
        target: Code,
        targets: list[str],
        bottom: bool,
        node: core.Stmt,
    ) -> None:
        """Move the first so many of some alike pieces."""
        stacked = any(self.layout.places[kind].form == "stack" for kind in targets)
        if number == 1 and not self.track:
            piece = w.once(whole.first(w, -1))
            with w.when(op("i32.ge_s", piece, 0)):
                self._move_one(w, piece, target, targets, bottom, node)
            return
        capacity = whole.most()
        address = self.layout.scratch(4 * (capacity + 2))
        count = w.variable(0)
        with w.block() as label:

            def take(x: Code) -> None:
                w.leave_if(label, op("i32.ge_s", count, number))
                w.set(count, add(count, 1))
                w.store(add(mul(count, 4), address), x)

            whole.each(w, take)
        w.store(address, count)
        if stacked or self.track:
            w.emit("do", ("call", "move_list", address, target, int(bottom)))
            return
        with w.counting(0, count) as at:
            piece = w.once(load(add(mul(at, 4), address + 4)))
            self._move_one(w, piece, target, targets, bottom, node)

    def _move_all(
        self,
        w: Writer,
        source: core.Expr,
        target: Code,
        targets: list[str],
        bottom: bool,
        env: Env,
        node: core.Stmt,
    ) -> None:
        if category(source.type) == "set":
            self._move_set(w, self.set(w, source, env), target, targets, bottom, node)
            return
        kinds = [kind for kind in self.layout.kinds_of(source.type) if self.layout.size[kind]]
        place = w.once(self.value(w, source, env))

        def from_kind(at: PlaceLayout) -> None:
            if at.form == "cell":
                address = w.once(at.address(place))
                piece = w.once(load(address))
                with w.when(op("i32.ge_s", piece, 0)):
                    if self.checked:
                        with w.when(ne(place, target)):
                            self._guard_room(w, target, 1, node)
                    w.store(address, -1)
                    self._lay(w, piece, target, targets, bottom)
                    self.know_moved(w, piece)
                return
            self._move_set(w, self._held(w, at, place, None), target, targets, bottom, node)

        self.for_place(w, place, kinds, from_kind)

    def write_moving_functions(self) -> None:
        """Functions that move many pieces; they depend on what is known."""
        place_of = self.layout.place_of
        # The number of pieces in a place.
        w = Writer(self.program.add(Function("held", [("place", "i32")])))
        address = w.once(self.layout.lookup(self._address, "place"))
        form = w.once(self.layout.lookup(self._form, "place"))
        with w.when(eq(form, 0)):
            w.give_back(op("i32.ge_s", load(address), 0))
        with w.when(eq(form, 1)):
            w.give_back(load(address))
        most = max((at.words for at in self.layout.places.values()), default=1) or 1
        count = w.variable(("i64", 0), "i64")
        words = self._place_words()
        with w.counting(0, self.layout.lookup(words, "place")) as at:
            word = load64(add(address, mul(at, 8)))
            w.set(count, ("i64.add", count, ("i64.popcnt", word)))
        w.give_back(("i32.wrap_i64", count))
        assert most

        # A list of pieces to a place, those of one source after those of another.
        w = Writer(
            self.program.add(
                Function("move_list", [("list", "i32"), ("place", "i32"), ("bottom", "i32")], None)
            )
        )
        sources = self.layout.scratch(4 * (self.layout.pieces + 2))
        group = self.layout.scratch(4 * (self.layout.pieces + 2))
        number = w.once(load("list"))
        with w.counting(0, number) as at:
            here = w.once(mul(at, 4))
            piece = load(add(add("list", here), 4))
            w.store(add(here, sources), load(add(mul(piece, 4), place_of)))
        with w.counting(0, number) as at:
            source = w.once(load(add(mul(at, 4), sources)))
            with w.when(op("i32.ge_s", source, 0)):
                size = w.variable(0)
                with (
                    w.counting(at, number) as other,
                    w.when(eq(load(add(mul(other, 4), sources)), source)),
                ):
                    w.store(add(mul(other, 4), sources), -1)
                    w.set(size, add(size, 1))
                    w.store(add(mul(size, 4), group), load(add(add("list", mul(other, 4)), 4)))
                w.store(group, size)
                self.know_group_moving(w, group, source, "place")
                with w.counting(0, size) as step:
                    index = ("select", sub(sub(size, 1), step), step, "bottom")
                    piece = w.once(load(add(mul(index, 4), group + 4)))
                    w.emit("do", ("call", "move", piece, "place", "bottom"))
                    self.know_moved(w, piece)

        # Pieces from the top of a stack, or from a cell.
        w = Writer(
            self.program.add(
                Function(
                    "deal",
                    [
                        ("number", "i32"),
                        ("source", "i32"),
                        ("place", "i32"),
                        ("bottom", "i32"),
                        ("reserve", "i32"),
                    ],
                    None,
                )
            )
        )
        address = w.once(self.layout.lookup(self._address, "source"))
        with w.when(eq(self.layout.lookup(self._form, "source"), 0)):
            piece = w.once(load(address))
            with w.when(both(op("i32.gt_s", "number", 0), op("i32.ge_s", piece, 0))):
                w.emit("do", ("call", "move", piece, "place", "bottom"))
                self.know_moved(w, piece)
            w.give_back()
        with w.when(both("bottom", op("i32.lt_s", "reserve", 0))):
            taken = self.layout.scratch(4 * (self.layout.pieces + 2))
            held = w.once(load(address))
            dealt = w.once(("select", "number", held, op("i32.lt_s", "number", held)))
            w.store(taken, dealt)
            with w.counting(0, dealt) as at:
                top = load(add(address, mul(sub(held, at), 4)))
                w.store(add(mul(at, 4), taken + 4), top)
            w.emit("do", ("call", "move_list", taken, "place", 1))
            w.give_back()
        with w.counting(0, "number"):
            with w.when(both(no(load(address)), op("i32.ge_s", "reserve", 0))):
                self._refill(w)
            with w.when(no(load(address))):
                w.give_back()
            piece = w.once(load(add(address, mul(load(address), 4))))
            w.emit("do", ("call", "move", piece, "place", "bottom"))
            self.know_moved(w, piece)

    def _refill(self, w: Writer) -> None:
        reserves = {
            info.place.refilled
            for info in self.game.kinds.values()
            if info.place is not None and info.place.refilled is not None
        }
        if not reserves:
            return
        capacity = self.layout.pieces
        copied = self.layout.scratch(4 * (capacity + 2))
        kinds = sorted(reserves, key=lambda kind: self.layout.first[kind])

        def from_kind(at: PlaceLayout) -> None:
            self.fill_list(w, copied, self._any_held(w, at, "reserve"), capacity)

        self.for_place(w, "reserve", kinds, from_kind)
        self.touched(w, *(("place", kind) for kind in kinds))
        w.emit("do", ("call", "move_list", copied, "source", 0))
        w.emit("do", ("call", "shuffle", "source"))

    def _place_words(self) -> int:
        words = [0] * len(self.layout.things)
        for at in self.layout.places.values():
            for number in range(at.count):
                words[at.first + number] = at.words
        return self.layout.numbers(words)

    def write_shuffle(self) -> None:
        w = Writer(self.program.add(Function("shuffle", [("place", "i32")], None)))
        address = w.once(self.layout.lookup(self._address, "place"))
        with w.when(eq(self.layout.lookup(self._form, "place"), 1)):
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
        self.know_shuffled(w, "place")

    # ------------------------------------------------------------ slots

    def assign(self, w: Writer, slot: core.Slot, value: Code, env: Env, node: core.Stmt) -> None:
        """Set a slot to a number or thing."""
        if slot.state == "active":
            self.touched(w, "active")
            w.store(ACTIVE, value)
            return
        at = self.layout.states[slot.state]
        info = self.game.states[slot.state]
        owner = None if slot.subject is None else w.once(self.value(w, slot.subject, env))
        if at.least is not None and at.most is not None and at.category == "number":
            value = w.once(value)
            none = eq(value, NO_NUMBER)
            if info.clamped:
                value = w.once(("select", at.most, value, op("i32.gt_s", value, at.most)))
                value = w.once(("select", at.least, value, op("i32.lt_s", value, at.least)))
            elif self.checked:
                outside = either(op("i32.lt_s", value, at.least), op("i32.gt_s", value, at.most))
                with w.when(both(outside, no(none))):
                    message = f"`{slot.state}` would lie outside {at.least}..{at.most}"
                    self.fail(w, "range", message, node.span)
        self.touched(w, ("state", slot.state))
        w.store(at.address(owner), value)

    def assign_set(self, w: Writer, slot: core.Slot, whole: SetCode, env: Env) -> None:
        if slot.state == "playing":
            self.touched(w, "playing")
            mask = self.seat_mask(w, whole)
            w.store(PLAYING, mask)
            return
        at = self.layout.states[slot.state]
        owner = None if slot.subject is None else w.once(self.value(w, slot.subject, env))
        self.touched(w, ("state", slot.state))
        address = w.once(at.address(owner))
        if at.words == 1:
            if isinstance(whole, Bits) and whole.low == at.low:
                w.store64(address, whole.word)
                return
            word = w.variable(("i64", 0), "i64")
            self._or_into(w, word, whole, at.low)
            w.store64(address, word)
            return
        fresh = self.layout.scratch(8 * at.words, 8)
        for number in range(at.words):
            w.store64(fresh, ("i64", 0), 8 * number)
        whole.each(w, lambda x: set_bit(w, fresh, sub(x, at.low), True))
        w.emit("copy", address, fresh, 8 * at.words)

    def seat_mask(self, w: Writer, whole: SetCode) -> Code:
        """A set of players as a bit for each seat."""
        mask = w.variable(0)
        first = self.layout.first_player
        whole.each(w, lambda x: w.set(mask, ("i32.or", mask, ("i32.shl", 1, sub(x, first)))))
        return mask

    # ------------------------------------------------------------ chance

    def count_decision(self, w: Writer, leave: Callable[[Code], None]) -> None:
        """A decision or a roll: too many end the game."""
        w.store(DECISIONS, add(load(DECISIONS), 1))
        with w.when(op("i32.gt_s", load(DECISIONS), load(CUT))):
            w.store(HOW, HOWS.index("cut"))
            leave(OVER)
        limit = self.table.limit
        if limit is not None:
            with w.when(op("i32.gt_s", load(DECISIONS), limit)):
                w.store(HOW, HOWS.index("limit"))
                leave(OVER)

    def roll(self, w: Writer, node: core.Roll, env: Env, leave: Callable[[Code], None]) -> Code:
        """The outcome of a roll; the search tree is told of it."""
        self.count_decision(w, leave)
        outcome = w.once(self._outcome(w, node, env))
        with w.when(eq(load(MODE), TREE)):
            w.emit("do", ("call", "tree_chance", outcome))
        return outcome

    def _outcome(self, w: Writer, node: core.Roll, env: Env) -> Code:
        whole = self.set(w, node.domain, env)
        weights = [weight(thing) for thing in self.layout.things]
        self.know_stop(w)
        w.store(STOPS, add(load(STOPS), 1))
        if isinstance(whole, Everything) and all(
            weights[number] == 1
            for number in range(whole.low, whole.low + whole.size)
            if number < len(weights)
        ):
            return w.once(add(("call", "below", whole.size), whole.low))
        pieces = self.listed(w, whole)
        of = plain(node.domain.type)
        things = isinstance(of, SetType) and category(of.element) == "thing"
        if not things or all(each == 1 for each in weights):
            if self.checked:
                with w.when(no(load(pieces.address))):
                    self.fail(w, "stuck", "there is nothing to roll", node.span)
            at = ("call", "below", load(pieces.address))
            return w.once(load(add(add(pieces.address, 4), mul(at, 4))))
        table = self.layout.numbers(weights)
        total = w.variable(0)
        pieces.each(w, lambda x: w.set(total, add(total, self.layout.lookup(table, x))))
        if self.checked:
            with w.when(no(total)):
                self.fail(w, "stuck", "there is nothing to roll", node.span)
        left = w.variable(("call", "below", total))
        found = w.variable(-1)
        with w.block() as label:

            def step(x: Code) -> None:
                w.set(left, sub(left, self.layout.lookup(table, x)))
                with w.when(op("i32.lt_s", left, 0)):
                    w.set(found, x)
                    w.leave(label)

            pieces.each(w, step)
        return found

    # ------------------------------------------------------------ players

    def eliminate(self, w: Writer, player: Code) -> None:
        seat = w.once(sub(player, self.layout.first_player))
        bit = w.once(("i32.shl", 1, seat))
        with w.when(("i32.and", load(PLAYING), bit)):
            w.store(PLAYING, ("i32.xor", load(PLAYING), bit))
            w.store(add(mul(load(OUT), 4), self.layout.out_list), seat)
            w.store(OUT, add(load(OUT), 1))
        self.touched(w, "playing")

    # ------------------------------------------------------------ history

    def write_histories(self) -> None:
        """For each history a function that notes the position, and one that counts the last."""
        self.history_logs: dict[str, int] = {}
        capacity = (self.table.limit or 1 << 16) + 2
        for name in self.game.histories:
            log = self.layout.scratch(8 * capacity, 8)
            self.history_logs[name] = log
            length = self.layout.history_lengths[name]
            w = Writer(self.program.add(Function(f"record_{name}", [], None)))
            mark = self._position_mark(w, name)
            number = w.once(load(length))
            with w.when(op("i32.ge_s", number, capacity)):
                self.fail(w, "endless", "more positions than can be kept", None)
            w.store64(add(mul(number, 8), log), mark)
            w.store(length, add(number, 1))
            w = Writer(self.program.add(Function(f"times_{name}", [])))
            number = w.once(load(length))
            with w.when(no(number)):
                w.give_back(0)
            last = w.once(load64(add(mul(sub(number, 1), 8), log)), "i64")
            times = w.variable(0)
            with w.counting(0, number) as at:
                same = ("i64.eq", load64(add(mul(at, 8), log)), last)
                w.set(times, add(times, same))
            w.give_back(times)

    def _position_mark(self, w: Writer, name: str) -> Code:
        mark = w.variable(("i64", 0x1234567), "i64")

        def mix(code: Code, width: str = "i32") -> None:
            word = code if width == "i64" else ("i64.extend_i32_s", code)
            mixed = ("i64.mul", ("i64.xor", mark, word), ("i64", -7046029254386353131))
            w.set(mark, ("i64.xor", mixed, ("i64.shr_u", mixed, ("i64", 29))))

        for part in self.game.histories[name].parts:
            if part == "active":
                mix(load(ACTIVE))
            elif part == "playing":
                mix(load(PLAYING))
            elif part in self.layout.states:
                state = self.layout.states[part]
                with w.counting(0, state.count) as at:
                    address = w.once(add(mul(at, state.stride), state.base))
                    if state.words:
                        for number in range(state.words):
                            mix(load64(address, 8 * number), "i64")
                    else:
                        mix(load(address))
            else:
                self._mix_places(w, part, mix)
        return mark

    def _mix_places(self, w: Writer, kind: str, mix: object) -> None:
        assert callable(mix)
        at = self.layout.places[kind]
        info = self.game.kinds[kind].place
        assert info is not None
        with w.counting(at.first, at.first + at.count) as place:
            mix(-2)

            def piece(x: Code) -> None:
                x = w.once(x)
                mix(self.layout.lookup(self.looks, x))
                for key, state in self.game.states.items():
                    if state.owner in info.holds:
                        slot = self.layout.states[key]
                        with w.when(self._of_kind(x, state.owner)):
                            address = w.once(slot.address(x))
                            if slot.words:
                                for number in range(slot.words):
                                    mix(load64(address, 8 * number), "i64")
                            else:
                                mix(load(address))

            self._any_held(w, at, place).each(w, piece)

    def _of_kind(self, x: Code, kind: str | None) -> Code:
        assert kind is not None
        if self.layout.size[kind] == self.layout.pieces:
            return 1
        first = self.layout.first[kind]
        return ("i32.lt_u", sub(x, first), self.layout.size[kind])
