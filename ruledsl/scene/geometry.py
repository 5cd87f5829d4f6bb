"""Where the places of a board lie, whatever its shape: coordinates, with y growing downwards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, sin, sqrt
from typing import TypeAlias, assert_never

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
from ruledsl.scene.data import Form
from ruledsl.scene.spreading import spread
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

Points: TypeAlias = dict[Thing, tuple[float, float]]


def form_of(info: PlaceInfo) -> Form:
    match info.shape:
        case GridShape(hexagonal=hexagonal):
            return "hexes" if hexagonal else "grid"
        case RingShape():
            return "ring"
        case LineShape():
            return "line"
        case NetworkShape():
            return "map"
        case EdgesShape():
            return "row"
        case TableShape():
            return "map" if info.layout else "row"
        case FamilyShape():
            return "row"
        case _:
            assert_never(info.shape)


def points(kind: Kind, places: Sequence[Thing]) -> Points:
    """Where each place of a board lies, from 0; neighbours are about 1 apart."""
    assert kind.place is not None
    drawn = [place for place in places if place.col is not None]
    match form_of(kind.place):
        case "grid":
            return _rows_and_columns(places)
        case "hexes":
            return _slanted(places)
        case "ring":
            return _round(places)
        case "line" | "row":
            return {place: (float(at), 0.0) for at, place in enumerate(places)}
        case "map":
            return _rows_and_columns(drawn) if drawn else _spread(kind, places)


def _rows_and_columns(places: Sequence[Thing]) -> Points:
    top = max((place.row or 0 for place in places), default=0)
    return {place: (float((place.col or 1) - 1), float(top - (place.row or 1))) for place in places}


def _slanted(places: Sequence[Thing]) -> Points:
    """Each row lies half a cell further to the right than the one below it."""
    found = {
        place: ((place.col or 1) + (place.row or 1) / 2, -(place.row or 1) * sqrt(0.75))
        for place in places
    }
    left = min((x for x, _ in found.values()), default=0.0)
    top = min((y for _, y in found.values()), default=0.0)
    return {place: (round(x - left, 4), round(y - top, 4)) for place, (x, y) in found.items()}


def _round(places: Sequence[Thing]) -> Points:
    """On a circle, clockwise from the top; neighbours are 1 apart."""
    number = len(places)
    if number < 2:
        return dict.fromkeys(places, (0.0, 0.0))
    radius = 0.5 / sin(pi / number)
    return {
        place: (
            round(radius + radius * sin(2 * pi * at / number), 4),
            round(radius - radius * cos(2 * pi * at / number), 4),
        )
        for at, place in enumerate(places)
    }


def _spread(kind: Kind, places: Sequence[Thing]) -> Points:
    """A network that nobody has drawn: places that are joined lie near each other."""
    assert kind.place is not None
    shape = kind.place.shape
    if not isinstance(shape, NetworkShape):
        return _round(places)
    names = [place.name for place in places]
    pairs = [pair for path in shape.paths for pair in pairwise(path)]
    return dict(zip(places, spread(names, pairs), strict=True))


def edges(table: Table, kind: Kind, places: Sequence[Thing]) -> tuple[tuple[Thing, Thing], ...]:
    """The pairs of places that a board joins."""
    assert kind.place is not None
    shape = kind.place.shape
    if isinstance(shape, NetworkShape):
        found: dict[frozenset[str], tuple[Thing, Thing]] = {}
        for path in shape.paths:
            for one, other in pairwise(path):
                joined = (table.named(kind.name, one), table.named(kind.name, other))
                found.setdefault(frozenset((one, other)), joined)
        return tuple(found.values())
    if isinstance(shape, RingShape) and len(places) > 1:
        return tuple(pairwise((*places, places[0])))
    return ()
