"""Pieces in words, as far as a seat can tell what they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from ruledsl.scene.data import Piece, Seat, Stage, StagePlace, Stat

from .text import coloured, safe, styled, together


@attrs.frozen
class PieceNames:
    """How the pieces of a scene are called."""

    stage: Stage
    seats: tuple[Seat, ...]
    signs: Mapping[int, str] = attrs.Factory(dict)
    """of players who are told by their signs"""
    used: dict[str, None] = attrs.Factory(dict)
    """the signs that were drawn and that any table may have"""

    def kind(self, kind: str) -> str:
        return safe(dict(self.stage.kinds).get(kind, kind))

    def is_plain(self, kind: str) -> bool:
        """Whether all pieces of a kind are alike, but for their owners."""
        return sum(body.kind == kind for body in self.stage.bodies) == 1

    def short_label(self, kind: str, label: str) -> str:
        """What a piece is, without the name of its kind where more tells it."""
        return safe(label).removeprefix(f"{self.kind(kind)} ")

    def player(self, seat: int) -> str:
        """A player, in the player's colour."""
        found = self.seats[seat - 1]
        return coloured(together(safe(found.label)), found.colour)

    def remembered(self, text: str) -> str:
        """What was seen before and is hidden now."""
        self.used["( )"] = None
        return f"({text})"

    def text(
        self,
        piece: Piece,
        place: StagePlace,
        *,
        owner: int | None = None,
        numbers: bool = True,
        mixed: bool = False,
    ) -> str:
        """A piece that lies in a place, in words, and whether it is only remembered."""
        text = self._text(piece, place, owner=owner, numbers=numbers, mixed=mixed)
        return self.remembered(text) if piece.remembered else text

    def _text(
        self, piece: Piece, place: StagePlace, *, owner: int | None, numbers: bool, mixed: bool
    ) -> str:
        """A piece in words.

        What belongs to `owner` need not say so; what belongs to others is called by them alone,
        unless it is `mixed` with it. `numbers`: also values that are numbers, such as
        the pips of a die, but not those by which a player's pieces keep count.
        """
        alone = len(place.holds) == 1
        if not piece.known:
            return styled(safe(piece.label), "dim")
        told = [
            each
            for stat in piece.stats
            if (each := self._stat(piece, stat, numbers=numbers and piece.owner is None))
        ]
        numbers_only = [safe(stat.text) for stat in piece.stats if stat.number is not None]
        if piece.shape == "die" and len(numbers_only) == 1 and len(told) == 1:
            # A die is what it shows.
            return coloured(numbers_only[0], piece.colour)
        label = self.short_label(piece.kind, piece.label) if alone else safe(piece.label)
        if piece.told:
            told.append(f"({safe(piece.told)})")
        if piece.owner is None:
            return coloured(" ".join([label, *told]), piece.colour)
        colour = self.seats[piece.owner - 1].colour
        plain = alone and not mixed and self.is_plain(piece.kind)
        if plain and not told and piece.owner != owner:
            return self.signs.get(piece.owner) or self.player(piece.owner)
        text = coloured(" ".join([label, *told]), colour)
        return text if piece.owner == owner else f"{text} ({self.player(piece.owner)})"

    def _stat(self, piece: Piece, stat: Stat, *, numbers: bool) -> str:
        """What a value adds to a piece's name; the usual one says nothing."""
        if stat.text == piece.label:
            return ""
        if stat.flag:
            return safe(stat.label)
        if stat.number is not None:
            return f"{safe(stat.label)} {stat.number}" if numbers else ""
        return "" if stat.usual else safe(stat.text)

    def counted(
        self,
        pieces: Iterable[Piece],
        place: StagePlace,
        *,
        owner: int | None = None,
        numbers: bool = True,
    ) -> list[tuple[str, Sequence[Piece]]]:
        """Pieces in words, alike ones counted; each text with those that it is about."""
        found = list(pieces)
        mixed = owner is not None and any(piece.owner == owner for piece in found)
        alike: dict[tuple[str, str], list[Piece]] = {}
        for piece in found:
            text = self.text(piece, place, owner=owner, numbers=numbers, mixed=mixed)
            if piece.inside:
                inside = ", ".join(safe(each.label) for each in piece.inside)
                text += f" ({inside})"
            # Of dice that show the same, each is told.
            alike.setdefault((text, piece.id if piece.shape == "die" else ""), []).append(piece)
        return [
            (text if len(same) == 1 else f"{together(f'{len(same)} × ')}{text}", same)
            for (text, _), same in alike.items()
        ]
