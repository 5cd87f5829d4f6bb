"""Which pieces are alike to whoever chooses among them, and in which order they are offered."""

from __future__ import annotations

from ruledsl.engine.choices.candidates import Candidates
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    cell_at,
    either,
    eq,
    item,
    load,
    load64,
    ne,
    no,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.effects.moving import CELL, Moving
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.memory.layout import element_of
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.stored import Listed
from ruledsl.model.types import Type
from ruledsl.play.knowledge import look


class Indistinguishable(Part):
    """Lowers being alike."""

    def __init__(
        self,
        context: Context,
        keeping: KeptSets,
        seeing: Seeing,
        moving: Moving,
        candidates: Candidates,
    ) -> None:
        super().__init__(context)
        self.keeping = keeping
        self.seeing = seeing
        self.moving = moving
        self.candidates = candidates

    def mergeable(self, of: Type) -> bool:
        """Whether some things of a set's type can be alike to whoever chooses among them."""
        if not self.layout.may_be_piece(element_of(of)):
            return False
        if self.seeing.track:
            return True
        kinds = filter(self.layout.is_piece_kind, self.layout.kinds_of(element_of(of)))
        looks = [(kind, look(piece)) for kind in kinds for piece in self.table.things(kind)]
        return len(set(looks)) < len(looks)

    # ------------------------------------------------------------ order

    def arranged(self, w: Writer, whole: SetCode, of: Type, seat: Code) -> SetCode:
        """A domain in an order that tells the chooser nothing: unknown pieces come last."""
        if not self.seeing.track or not self.layout.may_be_piece(element_of(of)):
            return whole
        pieces = self.keeping.listed(w, whole)
        address = self.layout.list_memory(pieces.most())
        w.store(address, load(pieces.address))
        w.emit("do", ("call", "arrange", pieces.address, address, seat))
        return Listed(address, pieces.most(), False, whole.span)

    def write_arrange(self) -> None:
        """Copies a list, known pieces first, the others by where they lie."""
        if not self.seeing.track:
            return
        w = self.context.function("arrange", "list", "to", "seat", result=False)
        number = w.once(load("list"))
        end = w.variable(add("to", 4))
        with w.counting(0, number) as at:
            piece = w.once(item("list", at))
            with w.when(("call", "knows", "seat", piece)):
                w.store(end, piece)
                w.set(end, add(end, 4))
        start = w.variable(end)
        with w.counting(0, number) as at:
            piece = w.once(item("list", at))
            with w.when(no(("call", "knows", "seat", piece))):
                here = w.variable(end)
                with w.loop() as label:
                    w.leave_if(label, op("i32.le_u", here, start))
                    before = w.once(load(sub(here, 4)))
                    w.leave_if(label, no(("call", "lies_before", piece, before)))
                    w.store(here, before)
                    w.set(here, sub(here, 4))
                w.store(here, piece)
                w.set(end, add(end, 4))

        w = self.context.function("lies_before", "one", "other")
        one = w.once(self.layout.where("one"))
        other = w.once(self.layout.where("other"))
        with w.when(ne(one, other)):
            w.give_back(op("i32.lt_s", one, other))
        first = w.once(("call", "depth", "one"))
        second = w.once(("call", "depth", "other"))
        with w.when(ne(first, second)):
            w.give_back(op("i32.lt_s", first, second))
        named = w.once(load(cell_at(self.candidates.apart, "one")))
        others = w.once(load(cell_at(self.candidates.apart, "other")))
        w.set(str(named), ("select", named, 2**30, named))
        w.set(str(others), ("select", others, 2**30, others))
        w.give_back(op("i32.lt_s", named, others))

    def write_depth(self) -> None:
        """Where in its stack a piece lies; 0 in any other place."""
        w = self.context.function("depth", "piece")
        stacks = [
            at.first + number
            for kind, at in self.layout.places.items()
            for number in range(at.count)
            if self._is_stack(kind)
        ]
        flags = [int(n in set(stacks)) for n in range(len(self.layout.things))]
        place = w.once(self.layout.where("piece"))
        with w.when(no(self.layout.lookup(self.layout.numbers(flags), place))):
            w.give_back(0)
        address = w.once(self.layout.lookup(self.moving.place_address, place))
        with w.when(eq(self.layout.lookup(self.moving.place_form, place), CELL)):
            w.give_back(0)
        with (
            w.counting(0, load(address)) as at,
            w.when(eq(item(address, at), "piece")),
        ):
            w.give_back(at)
        w.give_back(0)

    def _is_stack(self, kind: str) -> bool:
        info = self.game.kinds[kind].place
        assert info is not None
        return info.stack

    # ------------------------------------------------------------ alike

    def write_alike(self) -> None:
        """Whether two pieces are alike to a seat, and whether they are in truth."""
        layout = self.layout
        w = self.context.function("alike", "seat", "one", "other")
        with w.when(eq("one", "other")):
            w.give_back(1)
        place = w.once(self.layout.where("one"))
        with w.when(ne(place, self.layout.where("other"))):
            w.give_back(0)
        marked = either(
            load(cell_at(self.candidates.apart, "one")),
            load(cell_at(self.candidates.apart, "other")),
        )
        with w.when(marked):
            w.give_back(0)
        with w.when(ne(("call", "depth", "one"), ("call", "depth", "other"))):
            w.give_back(0)
        kinds = self._kind_table()
        with w.when(ne(layout.lookup(kinds, "one"), layout.lookup(kinds, "other"))):
            w.give_back(0)
        if self.seeing.track:
            known = w.once(("call", "knows", "seat", "one"))
            with w.when(ne(known, ("call", "knows", "seat", "other"))):
                w.give_back(0)
            with w.when(no(known)):
                self._compare_insides(w)
                w.give_back(1)
        with w.when(
            ne(layout.lookup(self.seeing.looks, "one"), layout.lookup(self.seeing.looks, "other"))
        ):
            w.give_back(0)
        self._compare_states(w, seen_only=True)
        self._compare_insides(w)
        w.give_back(1)

        w = self.context.function("same", "one", "other")
        with w.when(
            ne(layout.lookup(self.seeing.looks, "one"), layout.lookup(self.seeing.looks, "other"))
        ):
            w.give_back(0)
        self._compare_states(w, seen_only=False)
        w.give_back(1)

    def _compare_insides(self, w: Writer) -> None:
        """Give back 0 if something lies in a place of its own of one of two pieces.

        What lies there is told apart by where it lies, so only empty ones are alike.
        """
        for name, kind in self.game.kinds.items():
            if kind.sort != "place" or len(kind.indexes) != 1 or kind.indexes[0].faces:
                continue
            owner = self.game.kinds.get(kind.indexes[0].kind)
            if owner is None or owner.sort != "piece":
                continue
            first, inside = self.layout.first[owner.name], self.layout.first[name]
            with w.when(self.layout.of_kind("one", owner.name)):
                for piece in ("one", "other"):
                    with w.when(("call", "held", add(sub(piece, first), inside))):
                        w.give_back(0)

    def _kind_table(self) -> int:
        numbers = {kind: at for at, kind in enumerate(self.game.kinds)}
        pieces = self.layout.things[: self.layout.pieces]
        return self.layout.numbers([numbers[piece.kind] for piece in pieces])

    def _compare_states(self, w: Writer, *, seen_only: bool) -> None:
        """Give back 0 if two pieces of a kind differ by a state."""
        for key, state in self.game.states.items():
            if state.owner is None or self.game.kinds[state.owner].sort != "piece":
                continue
            slot = self.layout.states[key]
            with w.when(self.layout.of_kind("one", state.owner)):
                one, other = w.once(slot.address("one")), w.once(slot.address("other"))
                differ: Code = 0
                if slot.words:
                    for number in range(slot.words):
                        pair = (load64(one, 8 * number), load64(other, 8 * number))
                        differ = either(differ, ("i64.ne", *pair))
                else:
                    differ = ne(load(one), load(other))
                if seen_only and state.sight != "open":
                    sees_one = w.once(self.seeing.sees_state(w, key, "one", "seat"))
                    sees_other = w.once(self.seeing.sees_state(w, key, "other", "seat"))
                    with w.when(ne(sees_one, sees_other)):
                        w.give_back(0)
                    differ = both(differ, sees_one)
                with w.when(differ):
                    w.give_back(0)
