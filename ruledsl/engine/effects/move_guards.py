"""What moves look after: room where pieces go, and that it does not matter which ones are taken.

What can be shown never to go wrong is not looked after: a place with room for all pieces that it
may hold, pieces that are all alike.
"""

from __future__ import annotations

import attrs

from ruledsl.diagnostics.source import Span as SourceSpan
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    either,
    load,
    load64,
    ne,
    op,
    sub,
)
from ruledsl.engine.context import Context, Failure, Part
from ruledsl.engine.effects.alike_pieces import surely_alike
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.effects.untouched import states_are_as_they_began
from ruledsl.engine.memory.layout import NO_THING, PlaceLayout
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.model import core
from ruledsl.table import mishaps

BOUNDLESS = 2**30
"""The room of a place that holds as many pieces as can come."""


@attrs.frozen
class Destination:
    """Where pieces go."""

    place: Code
    kinds: list[str]
    """of places that it can be"""
    bottom: bool
    span: SourceSpan


@attrs.frozen
class Source:
    """Where pieces come from, if all of them lie in one place."""

    at: PlaceLayout
    place: Code


class MoveGuards(Part):
    """Lowers what moves look after."""

    def __init__(self, context: Context, keeping: KeptSets, seeing: Seeing) -> None:
        super().__init__(context)
        self.keeping = keeping
        self.seeing = seeing
        self._room_site = self.layout.scratch(4)
        """what to stop with where a function finds no room"""
        self.rooms: dict[str, list[int]] = {}
        """for each kind of place, the room of its places"""
        room = [0] * len(self.layout.things)
        for name, at in self.layout.places.items():
            coming = self._coming(name)
            limits = [self.table.rooms[place] for place in self.table.things(name)]
            found = [BOUNDLESS if each is None or each >= coming else each for each in limits]
            self.rooms[name] = found
            room[at.first : at.first + at.count] = found
        self.place_room = self.layout.numbers(room)

    def _coming(self, kind: str) -> int:
        """How many pieces could lie in places of a kind."""
        info = self.game.kinds[kind].place
        assert info is not None
        return sum(self.layout.size[each] for each in info.holds)

    # ------------------------------------------------------------ room

    def can_be_full(self, kinds: list[str]) -> bool:
        """Whether a place of these kinds could be asked to hold one piece too many."""
        return any(room != BOUNDLESS for kind in kinds for room in self.rooms[kind])

    def room(self, w: Writer, to: Destination) -> None:
        """Stop where there is no room for another piece."""
        if not self.can_be_full(to.kinds):
            return
        full: Code
        if len(to.kinds) == 1 and len({*self.rooms[to.kinds[0]]}) == 1:
            full = self._is_full(w, self.layout.places[to.kinds[0]], to.place)
        else:
            room = self.layout.lookup(self.place_room, to.place)
            full = op("i32.ge_s", ("call", "held", to.place), room)
        with w.when(full):
            self.context.fail(w, mishaps.NO_ROOM, to.span)

    def _is_full(self, w: Writer, at: PlaceLayout, place: Code) -> Code:
        """The same of a kind whose places all have the same room."""
        address, room = w.once(at.address(place)), self.rooms[at.kind][0]
        match at.form:
            case "cell":
                return op("i32.ge_s", load(address), 0)
            case "stack":
                return op("i32.ge_s", load(address), room)
            case "bits":
                held: Code = 0
                for step in range(at.words):
                    held = add(held, ("i32.wrap_i64", ("i64.popcnt", load64(address, 8 * step))))
                return op("i32.ge_s", held, room)

    def find_room(self, w: Writer) -> None:
        """Stop a function that lays a piece where there is no room, as its caller has noted."""
        room = w.once(self.layout.lookup(self.place_room, "place"))
        with (
            w.when(op("i32.lt_s", room, BOUNDLESS)),
            w.when(op("i32.ge_s", ("call", "held", "place"), room)),
        ):
            w.emit("do", ("call", "fail", load(self._room_site)))
            w.emit("trap")

    def note_room(self, w: Writer, span: SourceSpan) -> None:
        """Note what to stop with if a function that is called next finds no room."""
        self.context.failures.append(Failure(mishaps.NO_ROOM, span))
        w.store(self._room_site, len(self.context.failures))

    # ------------------------------------------------------------ alike pieces

    def surely_alike(self, source: core.Expr) -> bool:
        """Whether the pieces of a set are alike in whatever position."""
        kinds = self.layout.kinds_in(source.type)
        pieces = [each for each in self.layout.things[: self.layout.pieces] if each.kind in kinds]
        return bool(pieces) and surely_alike(self.game, pieces, source)

    def alike(
        self, w: Writer, whole: SetCode, number: Code, to: Destination, source: Source | None
    ) -> SetCode:
        """Stop where some of several pieces are meant, and it matters which; gives back the set."""
        if source is None or source.at.form != "bits" or self._have_states(source.at.kind):
            whole = self.keeping.kept(w, whole)
            mixed, count = self._compared(w, whole, apart=source is None)
        else:
            looks = self._looks(source.at)
            if len({*looks.values()}) == 1:
                return whole
            mixed, count = self._masked(w, whole, source, looks)
        some = both(op("i32.gt_s", number, 0), op("i32.lt_s", number, count))
        with w.when(both(mixed, some)):
            self.context.fail(w, mishaps.mixed(), to.span)
        return whole

    def _looks(self, at: PlaceLayout) -> dict[int, int]:
        """How the pieces look that a place may hold."""
        info = self.game.kinds[at.kind].place
        assert info is not None
        return {
            number: self.seeing.look_numbers[number]
            for kind in info.holds
            for number in range(
                self.layout.first[kind], self.layout.first[kind] + self.layout.size[kind]
            )
        }

    def _masked(
        self, w: Writer, whole: SetCode, source: Source, looks: dict[int, int]
    ) -> tuple[Code, Code]:
        """Whether there are pieces unlike the first one, by words; and how many there are."""
        at = source.at
        others: dict[int, int] = {}
        every = sum(1 << (number - at.low) for number in looks)
        for look in {*looks.values()}:
            mask = sum(1 << (number - at.low) for number, each in looks.items() if each == look)
            words = [(every ^ mask) >> (64 * step) & (1 << 64) - 1 for step in range(at.words)]
            others[look] = self.layout.words(words)
        table = self.layout.numbers(
            [
                others[looks[at.low + step]] if at.low + step in looks else 0
                for step in range(64 * at.words)
            ]
        )
        address = w.once(at.address(source.place))
        first = w.once(whole.first(w, NO_THING))
        mixed, count = w.variable(0), w.variable(0)
        with w.when(op("i32.ge_s", first, 0)):
            unlike = w.once(self.layout.lookup(table, sub(first, at.low)))
            stray: Code = ("i64", 0)
            for step in range(at.words):
                word = w.once(load64(address, 8 * step), "i64")
                stray = ("i64.or", stray, ("i64.and", word, load64(unlike, 8 * step)))
                w.set(count, add(count, ("i32.wrap_i64", ("i64.popcnt", word))))
            w.set(mixed, ("i64.ne", stray, ("i64", 0)))
        return mixed, count

    def _have_states(self, kind: str) -> bool:
        """Whether pieces that a place may hold have states by which they could differ."""
        info = self.game.kinds[kind].place
        assert info is not None
        if not any(state.owner in info.holds for state in self.game.states.values()):
            return False
        from_the_start = self.context.from_the_start
        return not (from_the_start and states_are_as_they_began(self.game, self.layout, kind))

    def _compared(self, w: Writer, whole: SetCode, *, apart: bool) -> tuple[Code, Code]:
        """The same, piece by piece."""
        first, count, mixed = w.variable(NO_THING), w.variable(0), w.variable(0)

        def compare(x: Code) -> None:
            x = w.once(x)
            w.set(count, add(count, 1))
            with w.when(op("i32.lt_s", first, 0)):
                w.set(first, x)
            with w.when(self._differ(first, x, apart=apart)):
                w.set(mixed, 1)

        whole.each(w, compare)
        return mixed, count

    def _differ(self, one: Code, other: Code, *, apart: bool) -> Code:
        """Whether two pieces differ in what they are, or lie apart."""
        looks = [self.layout.lookup(self.seeing.looks, piece) for piece in (one, other)]
        found: Code = ne(*looks)
        if apart:
            found = either(found, ne(self.layout.where(one), self.layout.where(other)))
        for key, state in self.game.states.items():
            if state.owner is None or not self.layout.is_piece_kind(state.owner):
                continue
            slot = self.layout.states[key]
            unlike: Code = 0
            for step in range(slot.words):
                words = [load64(slot.address(piece), 8 * step) for piece in (one, other)]
                unlike = either(unlike, ("i64.ne", *words))
            if not slot.words:
                unlike = ne(load(slot.address(one)), load(slot.address(other)))
            found = either(found, both(self.layout.is_kind(one, state.owner), unlike))
        return found
