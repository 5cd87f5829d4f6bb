"""A seat's view: what it sees and knows, and nothing else.

A view holds no position and no piece that its seat can't identify, so whoever gets a view can't
peek.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, cached_property

import attrs

from ruledsl.model.giving import is_given
from ruledsl.play.events import pieces_of
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.knowledge import Look
from ruledsl.play.running import Perspective
from ruledsl.table.things import Thing, Value


@attrs.frozen
class PieceView:
    """A piece as a seat sees it: of an unknown one, only the kind and what was told about it."""

    kind: str
    piece: Thing | None
    states: tuple[tuple[str, Value], ...]
    """visible states by key"""
    looks: frozenset[Look] | None = None
    """what an unknown piece can still be; of another, what it can be to those who don't know it"""
    seen: bool = True
    """whether the seat sees it now, and not only remembers it"""


@attrs.frozen
class PlaceView:
    """A place: its pieces, lowest first in a stack; None where even their number is secret."""

    place: Thing
    pieces: tuple[PieceView, ...] | None


@attrs.frozen
class View:
    """What a seat sees and knows."""

    seat: Thing | None
    """None: of somebody who only looks on"""
    places: tuple[PlaceView, ...]
    slots: tuple[tuple[str, Thing | None, Value], ...]
    """visible slots that belong to no piece"""
    active: Thing | None
    playing: tuple[Thing, ...]
    finished: bool

    def lying_open(self, shown: Collection[Thing] = ()) -> View:
        """What the seat sees now and what was just `shown`, without what else it once saw."""
        return attrs.evolve(self, places=tuple(_lying_open(each, shown) for each in self.places))

    def at(self, place: Thing) -> tuple[PieceView, ...]:
        found = next(each for each in self.places if each.place is place)
        return found.pieces or ()


def _lying_open(place: PlaceView, shown: Collection[Thing]) -> PlaceView:
    if place.pieces is None:
        return place
    pieces = (
        piece if piece.seen or piece.piece in shown else PieceView(piece.kind, None, (), None)
        for piece in place.pieces
    )
    return PlaceView(place.place, tuple(pieces))


def view_of(interpreter: Interpreter, seat: Thing | None) -> View:
    """The view of a seat now; somebody without a seat sees and knows what everybody does."""
    return _Viewing(interpreter, seat).view()


@cache
def back(kind: str) -> Thing:
    """Stands for a piece of which only the kind can be told."""
    return Thing(kind, -1, kind, -1)


class _Viewing:
    """Looking at a position with the eyes of a seat, or of all that everybody shares."""

    def __init__(self, interpreter: Interpreter, seat: Thing | None) -> None:
        self.interpreter = interpreter
        self.knowledge = interpreter.knowledge
        self.seat = seat
        self.viewers = interpreter.table.things("Player") if seat is None else (seat,)
        self.seen: Perspective = interpreter.perspective(seat)
        self.pos = self.seen.pos

    def view(self) -> View:
        pos = self.pos
        slots = tuple(
            (key, owner, self._masked(value))
            for (key, owner), value in pos.slots.items()
            if (owner is None or owner not in pos.place_of) and self._sees_slot(key, owner)
        )
        places = tuple(self._place(place) for place in pos.contents)
        return View(self.seat, places, slots, pos.active, pos.playing, pos.finished)

    def _sees_slot(self, key: str, owner: Thing | None) -> bool:
        return all(self.knowledge.sees_slot(self.pos, who, key, owner) for who in self.viewers)

    def _knows(self, piece: Thing) -> bool:
        if all(self.knowledge.sees(self.pos, who, piece) for who in self.viewers):
            return True
        return all(
            (who, piece) in self.seen.known or self.knowledge.sees(self.pos, who, piece)
            for who in self.viewers
        ) and (self.seat is not None or piece in self._heard_of)

    @cached_property
    def _heard_of(self) -> frozenset[Thing]:
        """The pieces that something told all at once.

        What each was told apart from the others all may know, but none that they all do.
        """
        return frozenset(
            piece
            for event in self.seen.events
            for piece in pieces_of(event)
            if all((who, piece) in event.seen for who in self.viewers)
        )

    def _place(self, place: Thing) -> PlaceView:
        if not all(self.knowledge.counts(self.pos, who, place) for who in self.viewers):
            return PlaceView(place, None)
        pieces = [self._piece(piece) for piece in self.pos.contents[place]]
        info = self.interpreter.game.kinds[place.kind].place
        if info is not None and not info.stack:
            # In an unordered place the unknown ones come last, so their order tells nothing.
            pieces.sort(key=lambda view: (view.piece is None, view.kind, _told(view)))
        return PlaceView(place, tuple(pieces))

    def _masked(self, value: Value) -> Value:
        """A slot's value; pieces that the seat can't identify are just backs."""
        if isinstance(value, tuple):
            masked = (self._masked(item) for item in value)
            return tuple(sorted(masked, key=_is_back))
        if isinstance(value, Thing) and value in self.pos.place_of:
            return value if self._knows(value) else back(value.kind)
        return value

    def _piece(self, piece: Thing) -> PieceView:
        if self._knows(piece):
            states = tuple(
                (key, self._masked(self.pos.slots[(key, piece)]))
                for key, state in self.interpreter.game.states.items()
                if not is_given(key)
                if state.owner == piece.kind and self._sees_slot(key, piece)
            )
            seen = all(self.knowledge.sees(self.pos, who, piece) for who in self.viewers)
            return PieceView(piece.kind, piece, states, self._told_to_all(piece), seen=seen)
        looks = None if self.seat is None else self.seen.narrowed.get((self.seat, piece))
        return PieceView(piece.kind, None, (), looks)

    def _told_to_all(self, piece: Thing) -> frozenset[Look] | None:
        """What everybody was told about a piece that somebody else does not know."""
        if not self.seen.narrowed:
            return None
        players = self.interpreter.table.things("Player")
        told = {self.seen.narrowed.get((who, piece)) for who in players}
        known = all(
            (who, piece) in self.seen.known or self.knowledge.sees(self.pos, who, piece)
            for who in players
        )
        return None if known or len(told) > 1 else told.pop()


def _is_back(value: Value) -> bool:
    return isinstance(value, Thing) and value.index < 0


def _told(view: PieceView) -> str:
    return "" if view.piece is not None or view.looks is None else str(sorted(map(str, view.looks)))
