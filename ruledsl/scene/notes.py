"""What a part of an option is about, beside its name: where it is, what lies there, its pips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruledsl.play.decisions import ActionOption, DoneOption, Option, ValueOption
from ruledsl.scene.data import Fact, Piece, StagePlace
from ruledsl.scene.looks import is_player
from ruledsl.scene.stage import Set
from ruledsl.table.things import Thing, Value

MOST_PIECES = 2
"""What lies in a place is told if it is no more than this."""


class Notes:
    """Tells about values what a seat sees of them."""

    def __init__(
        self, scenery: Set, seat: int | None, held: Mapping[str, tuple[Piece, ...]]
    ) -> None:
        self.set = scenery
        self.seat = seat
        self.held = held
        self.places: Mapping[str, StagePlace] = {place.id: place for place in scenery.stage.places}
        self.pieces: Mapping[str, Piece] = {
            piece.id: piece for pieces in held.values() for piece in pieces
        }
        self.maps = {board.id for board in scenery.stage.boards if board.form == "map"}

    def option(
        self, option: Option, touches: tuple[tuple[str, ...], ...], labels: tuple[str, ...]
    ) -> tuple[str, ...]:
        """A note for each part of an option; empty where its name says all."""
        values: tuple[Value, ...]
        match option:
            case ActionOption(values=given):
                values = (None, *given)
            case ValueOption(value=value):
                values = (value,)
            case DoneOption():
                values = (None,)
        return tuple(
            ", ".join(note for note in dict.fromkeys(self._value(value, ids)) if note not in label)
            for value, ids, label in zip(values, touches, labels, strict=True)
        )

    def _value(self, value: Value, touched: tuple[str, ...]) -> Iterator[str]:
        if not isinstance(value, Thing) or is_player(value):
            return
        if str(value) in self.places:
            yield from self._place(self.places[str(value)])
            return
        for cell in value.columns.values():
            # Where on the board a value is.
            if isinstance(cell, Thing) and str(cell) in self.places:
                yield self.places[str(cell)].label
        piece = self.pieces.get(touched[0]) if len(touched) == 1 else None
        if piece is not None and piece.kind == value.kind:
            yield from (
                f"{stat.label} {stat.text}" for stat in piece.stats if stat.number is not None
            )

    def _place(self, place: StagePlace) -> Iterator[str]:
        if place.board in self.maps:
            yield from map(self._fact, place.facts)
        pieces = self.held.get(place.id, ())
        if 0 < len(pieces) <= MOST_PIECES and all(piece.known for piece in pieces):
            yield from (note for piece in pieces if (note := self._piece(piece)))

    def _piece(self, piece: Piece) -> str:
        """What it is, without its kind where more tells it, and whose, unless it is one's own."""
        kind = self.set.words.kind(piece.kind)
        label = "" if piece.label == kind else piece.label.removeprefix(f"{kind} ")
        if piece.owner is None:
            return label or piece.label
        if piece.owner == self.seat:
            return label
        whose = self.set.words.thing(self.set.table.things("Player")[piece.owner - 1])
        return f"{label}, {whose}" if label else whose

    def _fact(self, fact: Fact) -> str:
        """A number needs its name; of what is just so, the name says all."""
        if fact.text == self.set.words.value(True):
            return fact.label
        return f"{fact.label} {fact.text}" if fact.text.isdigit() else fact.text
