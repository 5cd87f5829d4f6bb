"""A seat's view: what it sees and knows, and nothing else.

A view holds no position and no piece that its seat can't identify, so whoever gets a view can't
peek.
"""

from __future__ import annotations

from functools import cache

import attrs

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
    """of an unknown piece: what it can still be"""


@attrs.frozen
class PlaceView:
    """A place: its pieces, lowest first in a stack; None where even their number is secret."""

    place: Thing
    pieces: tuple[PieceView, ...] | None


@attrs.frozen
class View:
    """What a seat sees and knows."""

    seat: Thing
    places: tuple[PlaceView, ...]
    slots: tuple[tuple[str, Thing | None, Value], ...]
    """visible slots that belong to no piece"""
    active: Thing | None
    playing: tuple[Thing, ...]
    finished: bool

    def at(self, place: Thing) -> tuple[PieceView, ...]:
        found = next(each for each in self.places if each.place is place)
        return found.pieces or ()


def view_of(interpreter: Interpreter, seat: Thing) -> View:
    """The view of a seat now."""
    seen = interpreter.perspective(seat)
    pos, knowledge = seen.pos, interpreter.knowledge
    slots = tuple(
        (key, owner, _masked(interpreter, seen, seat, value))
        for (key, owner), value in pos.slots.items()
        if (owner is None or owner not in pos.place_of)
        and knowledge.sees_slot(pos, seat, key, owner)
    )
    places = tuple(_place(interpreter, seen, seat, place) for place in pos.contents)
    return View(seat, places, slots, pos.active, pos.playing, pos.finished)


def _place(interpreter: Interpreter, seen: Perspective, seat: Thing, place: Thing) -> PlaceView:
    knowledge = interpreter.knowledge
    if not knowledge.counts(seen.pos, seat, place):
        return PlaceView(place, None)
    pieces = [_piece(interpreter, seen, seat, piece) for piece in seen.pos.contents[place]]
    info = interpreter.game.kinds[place.kind].place
    if info is not None and not info.stack:
        # In an unordered place the unknown ones come last, so their order tells nothing.
        pieces.sort(key=lambda view: (view.piece is None, view.kind, _told(view)))
    return PlaceView(place, tuple(pieces))


def _told(view: PieceView) -> str:
    return "" if view.piece is not None or view.looks is None else str(sorted(map(str, view.looks)))


@cache
def back(kind: str) -> Thing:
    """Stands for a piece of which only the kind can be told."""
    return Thing(kind, -1, kind, -1)


def _knows(interpreter: Interpreter, seen: Perspective, seat: Thing, piece: Thing) -> bool:
    return (seat, piece) in seen.known or interpreter.knowledge.sees(seen.pos, seat, piece)


def _masked(interpreter: Interpreter, seen: Perspective, seat: Thing, value: Value) -> Value:
    """A slot's value; pieces that the seat can't identify are just backs."""
    if isinstance(value, tuple):
        masked = (_masked(interpreter, seen, seat, item) for item in value)
        return tuple(sorted(masked, key=lambda item: isinstance(item, Thing) and item.index < 0))
    if isinstance(value, Thing) and value in seen.pos.place_of:
        return value if _knows(interpreter, seen, seat, value) else back(value.kind)
    return value


def _piece(interpreter: Interpreter, seen: Perspective, seat: Thing, piece: Thing) -> PieceView:
    pos, knowledge = seen.pos, interpreter.knowledge
    if _knows(interpreter, seen, seat, piece):
        states = tuple(
            (key, _masked(interpreter, seen, seat, pos.slots[(key, piece)]))
            for key, state in interpreter.game.states.items()
            if state.owner == piece.kind and knowledge.sees_slot(pos, seat, key, piece)
        )
        return PieceView(piece.kind, piece, states)
    return PieceView(piece.kind, None, (), seen.narrowed.get((seat, piece)))
