"""One drawing of a view: how its places and values are looked up and put in words."""

from __future__ import annotations

import attrs

from ruledsl.model.game import PlaceInfo, StateInfo
from ruledsl.model.types import SetType, plain
from ruledsl.play.views import PieceView, PlaceView, View
from ruledsl.play.words import Words
from ruledsl.scene.arrangement import Arrangement, Family
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value
from ruledsl.texts import terminal
from ruledsl.texts.text import Phrases

from .piece_names import Codes, PieceNames
from .text import flow, initials, styled, wrap


@attrs.define
class DrawnView:
    """A view to be drawn in some columns; places offered as choices are `marked`.

    Whoever is not `playing` only looks on.
    """

    table: Table
    words: Words
    say: Phrases
    arrangement: Arrangement
    naming: PieceNames
    grounds: dict[str, tuple[tuple[str, dict[Thing, Thing]], ...]]
    view: View
    columns: int
    marked: frozenset[Thing]
    playing: bool
    at: dict[Thing, PlaceView] = attrs.Factory(dict)
    slots: dict[tuple[str, Thing | None], Value] = attrs.Factory(dict)

    def __attrs_post_init__(self) -> None:
        self.at = {each.place: each for each in self.view.places}
        self.slots = {(key, owner): value for key, owner, value in self.view.slots}
        self.marked = self.standing_out()

    def info(self, kind: str) -> PlaceInfo:
        info = self.table.game.kinds[kind].place
        assert info is not None
        return info

    def pieces(self, place: Thing) -> tuple[PieceView, ...]:
        return self.at[place].pieces or ()

    def content(self, place: Thing, owner: Thing | None = None, *, numbers: bool = True) -> str:
        """What lies in a place, in words."""
        info = self.info(place.kind)
        alone = len(info.holds) == 1
        pieces = self.at[place].pieces
        if pieces is None:
            return "?"
        if info.stack and info.room is None and len(pieces) > 1 and pieces[-1].piece is not None:
            top = self.naming.text(pieces[-1], alone=alone, owner=owner)
            return self.say(terminal.STACK, number=str(len(pieces)), top=top)
        texts = self.naming.counted(pieces, self.at, alone=alone, owner=owner, numbers=numbers)
        return ", ".join(texts)

    def placed(self, family: Family, place: Thing) -> list[Thing]:
        """The places of a family that belong to a place or player."""
        return [
            each for each in self.table.things(family.kind) if each.indexes[family.index] is place
        ]

    def rest(self, place: Thing, family: Family) -> str:
        return ", ".join(self.naming.thing(place.indexes[name]) for name in family.rest)

    def states(self, owner: str | None) -> list[StateInfo]:
        return [state for state in self.table.game.states.values() if state.owner == owner]

    def is_usual(self, info: StateInfo, owner: Thing | None, value: Value) -> bool:
        return value == self.table.start_value(self.table.slots[info.key, owner])

    def value(self, info: StateInfo, owner: Thing | None) -> str:
        """A visible slot that says something: no flags that are as usual, nothing empty."""
        value = self.slots.get((info.key, owner))
        if value is None:
            return ""
        if isinstance(value, bool) and self.is_usual(info, owner, value):
            return ""
        if isinstance(plain(info.type), SetType):
            assert isinstance(value, tuple)
            everything = len(value) > 4 and self.is_usual(info, owner, value)
            return "" if not value or everything else self.naming.thing(value)
        return self.naming.thing(value)

    def heading(self, text: str) -> list[str]:
        return wrap(styled(text, "bold"), self.columns)

    def legend(self, codes: Codes) -> list[str]:
        return flow(codes.legend(self.say), self.columns, gap="   ")

    def dot(self, place: Thing) -> str:
        """An empty place; one that is offered as a choice stands out, unless all are."""
        return styled("+", "bold") if place in self.marked else styled("·", "dim")

    def standing_out(self) -> frozenset[Thing]:
        """What stands out: of a kind whose empty places are all offered, none does."""
        empty = [place for place, held in self.at.items() if held.pieces == ()]
        plain_kinds = {place.kind for place in self.marked}
        plain_kinds -= {place.kind for place in empty if place not in self.marked}
        return frozenset(
            place for place in self.marked if self.is_full(place) or place.kind not in plain_kinds
        )

    def is_full(self, place: Thing) -> bool:
        return place in self.at and bool(self.at[place].pieces)

    def beside(self, kind: str, place: Thing, codes: Codes) -> list[str]:
        """What lies in the families of a place, in letters; one line for each family."""
        lines = []
        for family in self.arrangement.with_place.get(kind, ()):
            texts = []
            names = initials([self.rest(each, family) for each in self.placed(family, place)])
            for each in self.placed(family, place):
                found = codes.counted(self.pieces(each), self.at)
                if found:
                    rest = self.rest(each, family)
                    before = f"{names[rest].lower()}:" if rest else ""
                    texts.append(before + "".join(found))
            if texts:
                lines.append(" ".join(texts))
        return lines

    def set_states(self, kind: str, place: Thing) -> list[str]:
        """States of a place that are not as usual."""
        found = []
        for info in self.states(kind):
            value = self.slots.get((info.key, place))
            if value is not None and not self.is_usual(info, place, value):
                name = self.naming.state(info)
                found.append(name if value is True else f"{name} {self.naming.thing(value)}")
        return found

    def top(self, place: Thing) -> PieceView | None:
        pieces = self.pieces(place)
        return pieces[-1] if pieces else None
