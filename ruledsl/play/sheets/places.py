"""Where pieces lie: the shapes of places, what they hold, and who sees it."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.game import (
    EdgesShape,
    FamilyShape,
    GridShape,
    Kind,
    LineShape,
    NetworkShape,
    PlaceInfo,
    RingShape,
    TableShape,
)
from ruledsl.play.prose import begun
from ruledsl.play.sheets.context import SheetContext
from ruledsl.play.sheets.entries import Entry
from ruledsl.table.table import Table
from ruledsl.texts import sheets

SIGHTS = {"open": sheets.OPEN, "hidden": sheets.HIDDEN, "private": sheets.PRIVATE}


@attrs.frozen
class Places:
    context: SheetContext

    def entries(self) -> Iterator[Entry]:
        for kind in self.context.game.kinds.values():
            if kind.place is not None and self.context.is_shown(kind.name):
                name = begun(self.context.words.kind(kind.name))
                yield Entry(name, head=True, trail=kind.trail)
                yield Entry("; ".join(self._place(kind, kind.place)), 1)

    def _place(self, kind: Kind, info: PlaceInfo) -> Iterator[str]:
        phrase = self.context.phrase
        yield from self._shape(kind, info)
        if kind.indexes:
            yield phrase(sheets.FOR_EACH, kinds=self.context.indexes(kind))
        yield from self._held(kind, info)
        if isinstance(info.sight, str):
            yield phrase(SIGHTS[info.sight])
        else:
            yield self.context.seen(kind.own, info.sight)
        if info.uncounted:
            yield phrase(sheets.UNCOUNTED)

    def _shape(self, kind: Kind, info: PlaceInfo) -> Iterator[str]:
        phrase, said = self.context.phrase, self.context.prose.said
        number = self.context.at_tables(lambda table: str(_on_a_board(table, kind.name)))
        match info.shape:
            case GridShape(side=core.Expression() as side):
                yield phrase(sheets.HEXAGON, n=number, side=said(side))
            case GridShape(width=width, height=height):
                form = sheets.HEXAGONS if info.shape.hexagonal else sheets.GRID
                yield phrase(form, w=said(width), h=said(height))
                if info.shape.wrapped:
                    yield phrase(sheets.WRAPPED)
            case RingShape():
                yield phrase(sheets.RING, n=number)
            case LineShape():
                yield phrase(sheets.LINE, n=number)
            case NetworkShape():
                yield phrase(sheets.NETWORK, n=number)
            case EdgesShape(of=of):
                yield phrase(sheets.EDGES, n=number, kind=self.context.words.kind(of))
            case TableShape():
                names = (self.context.words.name(row, kind.name) for row in kind.rows)
                yield ", ".join(names) or number
            case FamilyShape():
                pass

    def _held(self, kind: Kind, info: PlaceInfo) -> Iterator[str]:
        """What lies there, how, and how much of it."""
        phrase, telling = self.context.phrase, self.context.telling
        held = ", ".join(telling.kind_noun(name).many for name in info.holds)
        yield phrase(sheets.HOLDS, kinds=held)
        if info.stack:
            yield phrase(sheets.STACK)
        if info.room is not None:
            yield phrase(sheets.ROOM, n=str(telling.owning(kind.own).said(info.room)))
        if info.refilled is not None:
            source = telling.grammar.the(telling.kind_noun(info.refilled))
            yield phrase(sheets.REFILLED, place=format(source, "dat"))


def _on_a_board(table: Table, kind: str) -> int:
    """How many places lie together, where each player, say, has a board."""
    places = table.things(kind)
    boards = {tuple(place.indexes.values()) for place in places}
    return len(places) // max(1, len(boards))
