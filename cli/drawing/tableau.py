"""One drawing of a scene: how its places are looked up, what is offered, what has just changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import attrs

from ruledsl.scene.data import Contents, Happening, Piece, Scene, Seat, Stage, StagePlace, Stat
from ruledsl.texts import terminal
from ruledsl.texts.text import Phrases

from .piece_names import PieceNames
from .short_names import Codes, ShortNames
from .text import coloured, flow, plain, safe, styled, together, wrap

NOTHING = Contents("", 0)

Kin: TypeAlias = tuple[str, str, int | None]
"""What is alike in pieces that are told by the same words: their kind, label and owner."""


@attrs.define
class Tableau:
    """A scene to be drawn in some columns. Whoever is not `playing` only looks on."""

    stage: Stage
    scene: Scene
    say: Phrases
    short_names: ShortNames
    columns: int
    playing: bool
    dense: bool = False
    """as few lines as can be: numbers for what is alike, rows in a line"""
    signs: dict[int, str] = attrs.Factory(dict)
    """the signs of players whose pieces were drawn in short"""
    held: dict[str, Contents] = attrs.Factory(dict)
    belonging: dict[str, list[StagePlace]] = attrs.Factory(dict)
    """the places that belong to another place"""
    covered: dict[str, Piece] = attrs.Factory(dict)
    """the other cells of pieces that lie upon several"""
    offered: frozenset[str] = frozenset()
    """what can be chosen"""
    marked: frozenset[str] = frozenset()
    """what of it stands out"""
    fresh: frozenset[str] = frozenset()
    """where something has happened since"""
    come: dict[str, frozenset[Kin]] = attrs.Factory(dict)
    """which pieces have come there since"""
    used: dict[str, None] = attrs.Factory(dict)
    """the signs that were drawn and that any table may have"""
    notes: list[str] = attrs.Factory(list)
    """what is left to say of boards where there are few lines"""
    stems: dict[str, list[str]] = attrs.Factory(dict)
    """what the shortened names of a map mean, by board, where there are few lines"""
    explained: set[str] = attrs.Factory(set)
    """lines of legends that were drawn already"""

    def __attrs_post_init__(self) -> None:
        self.held = {held.place: held for held in self.scene.contents}
        for held in self.scene.contents:
            for piece in held.pieces:
                if held.place in piece.covers:
                    self.covered |= dict.fromkeys(piece.covers, piece)
        for place in self.stage.places:
            if place.host is not None:
                self.belonging.setdefault(place.host, []).append(place)
        self.fresh = frozenset(
            place for event in self.scene.happenings for place in _changed(event)
        )
        for event in self.scene.happenings:
            if event.target is not None:
                come = self.come.get(event.target, frozenset())
                self.come[event.target] = come | {_kin(p) for p in event.pieces if p.known}
        self.offered = self._offered()
        self.marked = self._standing_out()

    @property
    def names(self) -> PieceNames:
        return PieceNames(self.stage, self.scene.seats, self.signs if self.dense else {}, self.used)

    def codes(self) -> Codes:
        """Short names, with a legend of those that are used."""
        return Codes(self.short_names, self.names, signs=self.signs)

    # ------------------------------------------------------------ places

    def on(self, board: str) -> list[StagePlace]:
        return [place for place in self.stage.places if place.board == board and not place.ends]

    def edges_on(self, board: str) -> list[StagePlace]:
        """The edges between the places of a board."""
        return [place for place in self.stage.places if place.board == board and place.ends]

    def of(self, seat: Seat) -> Iterator[StagePlace]:
        return (place for place in self.stage.places if place.owner == seat.number)

    def pieces(self, place: StagePlace) -> tuple[Piece, ...]:
        return self.held.get(place.id, NOTHING).pieces or self._upon(place)

    def _upon(self, place: StagePlace) -> tuple[Piece, ...]:
        return (self.covered[place.id],) if place.id in self.covered else ()

    def stats(self, place: StagePlace) -> list[Stat]:
        """What a place says of itself that is not as at the start."""
        return [stat for stat in self.held.get(place.id, NOTHING).stats if not stat.usual]

    def content(self, place: StagePlace, owner: int | None = None, *, numbers: bool = True) -> str:
        """What lies in a place, in words."""
        return ", ".join(text for text, _ in self._named(place, owner, numbers=numbers))

    def current(
        self,
        place: StagePlace,
        owner: int | None = None,
        *,
        numbers: bool = True,
        under: Sequence[str] = (),
    ) -> str:
        """The same, and what has just come is marked: all of it, if it can't be told which.

        What is called as a label that it stands `under` is counted, or marked as being there.
        """
        named = [
            (self._under(under, text, place, pieces), pieces)
            for text, pieces in self._named(place, owner, numbers=numbers)
        ]
        come = self.come.get(place.id, frozenset())
        new = [any(_kin(piece) in come for piece in pieces) for _, pieces in named]
        if not any(new):
            return self.news(place, ", ".join(text for text, _ in named))
        return ", ".join(
            self.news(place, text) if fresh else text
            for (text, _), fresh in zip(named, new, strict=True)
        )

    def _named(
        self, place: StagePlace, owner: int | None, *, numbers: bool
    ) -> list[tuple[str, Sequence[Piece]]]:
        """What lies in a place, in words, each with the pieces that it names one by one."""
        held = self.held.get(place.id, NOTHING)
        if held.count is None:
            return [("?", ())]
        if self.dense and self._are_alike(place, held.pieces, owner):
            return [(str(held.count), ())]
        if (
            place.stack
            and place.room is None
            and held.count > 1
            and held.pieces[-1].known
            and not _one_of_each(held.pieces)
        ):
            top = self.names.text(held.pieces[-1], place, owner=owner)
            return [(self.say(terminal.STACK, number=str(held.count), top=top), ())]
        return self.names.counted(held.pieces, place, owner=owner, numbers=numbers)

    def _under(
        self, labels: Sequence[str], text: str, place: StagePlace, pieces: Sequence[Piece]
    ) -> str:
        """A text without the words that one of the labels says already."""
        # One that is hidden is not only there: it might be anything.
        shown = [each for each in pieces if not each.inside and (each.known or len(pieces) > 1)]
        called = {plain(self.names.text(each, place)).casefold() for each in shown}
        if len(called) != 1 or not called & {label.casefold() for label in labels}:
            return text
        alone = len(pieces) == 1 and {self.names.kind(pieces[0].kind).casefold()} == called
        return self.sign("✓") if alone else str(len(pieces))

    def _are_alike(self, place: StagePlace, pieces: tuple[Piece, ...], owner: int | None) -> bool:
        """Whether a number says all there is to say of the pieces: of one, if it lies in a pile and
        is not known."""
        single = place.stack and place.host is None and not all(piece.known for piece in pieces)
        if (
            (len(pieces) < 2 and not single)
            or len(place.holds) > 1
            or pieces[0].owner not in (None, owner)
        ):
            return False
        alike = len({(piece.label, piece.owner, piece.stats, piece.told) for piece in pieces}) == 1
        return alike and (not pieces[0].known or self.names.is_plain(pieces[0].kind))

    def label(self, place: StagePlace, text: str | None = None) -> str:
        """A place by its name, as it stands: offered, changed, in its colour."""
        shown = safe(place.label if text is None else text)
        if place.id in self.marked:
            return styled(shown, "bold")
        return coloured(shown, place.colour)

    def dot(self, place: StagePlace) -> str:
        """An empty place; one that is offered as a choice stands out, unless all are."""
        return self.plus(place) or styled(self.sign("·"), "dim")

    def plus(self, place: StagePlace) -> str:
        """The sign of an empty place that stands out."""
        if place.id not in self.marked:
            return ""
        return styled(self.sign("+"), "bold")

    def sign(self, sign: str) -> str:
        """A sign that any table may have; the legend will say what it means."""
        self.used[sign] = None
        return sign

    def is_fresh(self, place: StagePlace) -> bool:
        """Whether something has just happened there, or in what belongs to it."""
        return place.id in self.fresh or any(
            each.id in self.fresh for each in self.belonging.get(place.id, ())
        )

    def news(self, place: StagePlace, text: str) -> str:
        """The text, marked where something has just happened."""
        return f"{text}{self.sign('*')}" if text and place.id in self.fresh else text

    def _offered(self) -> frozenset[str]:
        ask = self.scene.ask
        parts = [part for option in ask.options for part in option.parts] if ask else []
        return frozenset(touched.partition("/")[0] for part in parts for touched in part.touches)

    def _standing_out(self) -> frozenset[str]:
        """What is offered: of a kind whose empty places all are, none stands out."""
        offered = self.offered
        free = [place for place in self.stage.places if not self.pieces(place)]
        plain = {place.kind for place in free} - {
            place.kind for place in free if place.id not in offered
        }
        full = {place.id for place in self.stage.places if self.pieces(place)}
        kinds = {place.id: place.kind for place in self.stage.places}
        return frozenset(each for each in offered if each in full or kinds.get(each) not in plain)

    # ------------------------------------------------------------ lines

    def heading(self, text: str) -> list[str]:
        return wrap(styled(safe(text), "bold"), self.columns)

    def legend(self, codes: Codes) -> list[str]:
        """What the signs of a board mean, unless another legend tells it already."""
        lines = [*codes.legend(self.say), *self.meanings("+", "·", "[ ]")]
        new = [line for line in lines if line not in self.explained]
        self.explained.update(new)
        return flow(new, self.columns, gap="   ")

    def meanings(self, *signs: str) -> list[str]:
        """What those of the signs mean that were drawn."""
        return [
            together(f"{sign} = {self.say(terminal.SIGNS[sign])}")
            for sign in signs
            if sign in self.used
        ]


def _kin(piece: Piece) -> Kin:
    return piece.kind, piece.label, piece.owner


def _changed(event: Happening) -> Iterable[str]:
    """Where something lies now that did not, or says something else."""
    return (each for each in (event.target, event.owner) if each is not None)


def _one_of_each(pieces: tuple[Piece, ...]) -> bool:
    """Whether these are pieces of different players, in whose order the point lies."""
    owners = {piece.owner for piece in pieces}
    return None not in owners and len(owners) == len(pieces)
