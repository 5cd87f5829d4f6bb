"""Looks: what the rules say about them, and what follows from names and places where they don't."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import attrs

from ruledsl.model.game import (
    FamilyShape,
    GridShape,
    Kind,
    LookInfo,
    NetworkShape,
    PlaceInfo,
    StateInfo,
)
from ruledsl.model.looks import COLOURS, over
from ruledsl.model.types import ThingType, plain
from ruledsl.play.words import Words
from ruledsl.scene.letters import initials
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value

SEAT_COLOURS = ("red", "blue", "green", "yellow", "violet", "orange", "teal", "pink")
"""Of players without a colour of their own."""
SEAT_SYMBOLS = ("●", "▲", "■", "◆", "★", "✚", "⬟", "♥")
"""Colours are never the only sign."""
MOST_LETTERS = 60
"""Kinds of pieces with more looks than this have no letters of their own."""
NOTHING = LookInfo()


@attrs.frozen
class PieceLook:
    """How a piece is drawn."""

    shape: str
    colour: str | None
    symbols: tuple[str, ...]


class Looks:
    """The looks of one table's things, and short names for its pieces."""

    def __init__(self, table: Table, words: Words) -> None:
        self.table = table
        self.game = table.game
        self.words = words
        self._shapes: dict[str, str] = {}
        self._seats = tuple(self._seat(player) for player in table.things("Player"))
        self.letters: dict[str, dict[str, str]] = {
            name: self._short_names(kind)
            for name, kind in self.game.kinds.items()
            if kind.sort == "piece"
        }

    # ------------------------------------------------------------ what the rules say

    def said(self, key: str) -> LookInfo:
        return self.game.looks.get(key, NOTHING)

    def is_bookkeeping(self, key: str) -> bool:
        return self.said(key).bookkeeping

    def of_value(self, value: Value) -> LookInfo:
        """The look of a named value, a face, a place or a player."""
        if not isinstance(value, Thing):
            return NOTHING
        kind = value.kind.removeprefix("face of ")
        if kind == "Player":
            colour, symbol = self._seats[value.index]
            return LookInfo(colour, symbol=symbol)
        look = over(self.said(kind), self.said(f"{kind}.{value.name}"))
        return look if look.colour else attrs.evolve(look, colour=colour_in(value.name))

    def seat(self, player: Thing) -> tuple[str, str]:
        """Colour and symbol of a player."""
        return self._seats[player.index]

    def _seat(self, player: Thing) -> tuple[str, str]:
        said = [self.said(str(other)).colour for other in self.table.things("Player")]
        own = self.said(str(player))
        free = [colour for colour in SEAT_COLOURS if colour not in said]
        before = sum(colour is None for colour in said[: player.index])
        symbol = SEAT_SYMBOLS[player.index % len(SEAT_SYMBOLS)]
        return own.colour or free[before % len(free)], own.symbol or symbol

    # ------------------------------------------------------------ pieces

    def owner(self, piece: Thing, states: Iterable[tuple[str, Value]]) -> Thing | None:
        """Whose it is: by its index, or by a state that names a player."""
        for index in piece.indexes.values():
            if isinstance(index, Thing) and index.kind == "Player":
                return index
        for key, value in states:
            if names_player(self.game.states[key]) and isinstance(value, Thing):
                return value
        return None

    def piece(self, piece: Thing, states: tuple[tuple[str, Value], ...]) -> PieceLook:
        """A piece by its kind and by the values it is made of."""
        kind = self.said(piece.kind)
        owner = self.owner(piece, states)
        values = [value for value in traits(piece, states, self.game.states) if value is not owner]
        looks = [self.of_value(value) for value in values]
        colour = kind.colour
        for look in looks:
            colour = look.colour or colour
        face = NOTHING if piece.face is None else self.of_value(piece.face)
        if owner is not None and not any(look.colour for look in (kind, *looks)):
            colour = self.seat(owner)[0]
        symbols = tuple(look.symbol for look in looks if look.symbol is not None)
        flags = (self.said(key).symbol for key, value in states if value is True)
        symbols = (*symbols, *(symbol for symbol in flags if symbol is not None))
        if not symbols and kind.symbol is not None:
            symbols = (kind.symbol,)
        return PieceLook(face.shape or self.piece_shape(piece.kind), colour, symbols)

    def back(self, kind: str) -> PieceLook:
        """A piece of which only the kind can be told."""
        said = self.said(kind)
        return PieceLook(said.shape or self.piece_shape(kind), None, ())

    def piece_shape(self, kind: str) -> str:
        """The shape of a kind that has none of its own."""
        if kind not in self._shapes:
            self._shapes[kind] = self.said(kind).shape or self._derived(kind)
        return self._shapes[kind]

    def _derived(self, kind: str) -> str:
        places = [info for name, info in self._places() if kind in info.holds]
        if any(info.sight != "open" for info in places):
            tiles = any(isinstance(i.shape, GridShape) or _on_board(i) for i in places)
            return "tile" if tiles else "card"
        states = [state for state in self.game.states.values() if state.owner == kind]
        if any(state.name in ("pips", "eyes", "value") for state in states) or kind == "Die":
            return "die"
        info = self.game.kinds[kind]
        boards = [i for i in places if isinstance(i.shape, GridShape | NetworkShape)]
        if any(index.kind == "Player" for index in info.indexes):
            return "disc" if boards else "meeple"
        return "disc" if boards else ("tile" if info.rows else "cube")

    def _places(self) -> Iterator[tuple[str, PlaceInfo]]:
        for name, kind in self.game.kinds.items():
            if kind.place is not None:
                yield name, kind.place

    # ------------------------------------------------------------ pieces in words and letters

    def body(self, piece: Thing, states: Iterable[tuple[str, Value]]) -> str:
        """What a piece is, without its owner: its face, its indexes, or the role it has."""
        if piece.face is not None:
            return self.words.name(piece.face.name, piece.kind)
        if piece.kind in self.game.notation.things:
            return self.words.piece(piece)
        kind = self.words.name(piece.kind)
        found = [value for value in piece.indexes.values() if not is_player(value)]
        if found:
            named = " ".join(self.words.value(value) for value in found)
            return f"{kind} {named}" if len(piece.indexes) == 1 else named
        roles = (value for key, value in states if self._is_role(key) and value is not None)
        return next((self.words.value(value) for value in roles), kind)

    def _is_role(self, key: str) -> bool:
        state = self.game.states[key]
        return isinstance(plain(state.type), ThingType) and not names_player(state)

    def _short_names(self, kind: Kind) -> dict[str, str]:
        """A letter or two for each piece; where all begin with the kind's name, of what follows."""
        bodies = self._bodies(kind)
        common = f"{self.words.name(kind.name)} "
        bare = [body.removeprefix(common) for body in bodies]
        found = initials(bare)
        return {body: found[rest] for body, rest in zip(bodies, bare, strict=True)}

    def _bodies(self, kind: Kind) -> list[str]:
        """What the pieces of a kind can be, in words."""
        if kind.rows:
            return [self.words.name(row, kind.name) for row in kind.rows]
        domains = [self.table.domain(index) for index in kind.indexes if index.kind != "Player"]
        if not domains:
            roles = [
                plain(state.type)
                for state in self.game.states.values()
                if state.owner == kind.name and self._is_role(state.key)
            ]
            kinds = [
                name for role in roles[:1] if isinstance(role, ThingType) for name in role.kinds
            ]
            things = [thing for name in kinds for thing in self.table.things(name)]
            if not things:
                return [self.words.name(kind.name)]
            labels = [self.words.thing(thing) for thing in things]
            return labels if len(labels) <= MOST_LETTERS else []
        labels = [
            " ".join(self.words.value(value) for value in values) for values in product(*domains)
        ]
        if len(kind.indexes) == 1:
            labels = [f"{self.words.name(kind.name)} {label}" for label in labels]
        return labels if len(labels) <= MOST_LETTERS else []


def traits(
    piece: Thing, states: Iterable[tuple[str, Value]], infos: dict[str, StateInfo]
) -> Iterator[Thing]:
    """The named values a piece is made of: indexes, then its face, then states."""
    values = (*piece.indexes.values(), piece.face, *(v for k, v in states if k in infos))
    for value in values:
        if isinstance(value, Thing) and not is_player(value):
            yield value
            for cell in value.columns.values() if value is piece.face else ():
                # A tile that shows a cheese looks like the cheese.
                if isinstance(cell, Thing) and cell.col is None:
                    yield cell


def names_player(info: StateInfo) -> bool:
    return plain(info.type) == ThingType(frozenset({"Player"}))


def is_player(value: Value) -> bool:
    return isinstance(value, Thing) and value.kind == "Player"


def colour_in(name: str) -> str | None:
    """The colour that a name has in it: `red`, `dark_green`."""
    return next((word for word in name.split("_") if word in COLOURS), None)


def _on_board(info: PlaceInfo) -> bool:
    return isinstance(info.shape, FamilyShape) and info.room is not None
