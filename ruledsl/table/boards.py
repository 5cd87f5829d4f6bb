"""How places lie to each other: cells of grids, rings, lines, networks, edges between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise, product
from typing import TYPE_CHECKING

from ruledsl.model.game import EdgesShape, GridShape, Kind, NetworkShape, RingShape, Shape
from ruledsl.model.symbols import DIRECTION, DIRECTION_SETS, DIRECTIONS
from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError
from ruledsl.table.things import Thing, Value

if TYPE_CHECKING:
    from ruledsl.table.table import Table

_STEPS = {
    "north": (0, 1),
    "north_east": (1, 1),
    "east": (1, 0),
    "south_east": (1, -1),
    "south": (0, -1),
    "south_west": (-1, -1),
    "west": (-1, 0),
    "north_west": (-1, 1),
}
_HEXAGONAL_STEPS = {
    "north_east": (0, 1),
    "east": (1, 0),
    "south_east": (1, -1),
    "south_west": (0, -1),
    "west": (-1, 0),
    "north_west": (-1, 1),
}
"""Each row lies half a cell further to the east than the one below."""


class Boards:
    """The places of a table, by where they lie."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._cells: dict[str, dict[tuple[Value, ...], Thing]] = {}
        """of grids, by their indexes, column and row"""
        self._sizes: dict[str, tuple[int, int]] = {}
        self._rows: dict[str, range] = {}
        """the numbers of rings and lines"""
        self._near: dict[tuple[str, Thing, Thing | None], tuple[Thing, ...]] = {}
        self._paths: dict[str, dict[Thing, tuple[tuple[Thing, ...], ...]]] = {}
        self._members: dict[str, dict[tuple[Value, ...], list[Thing]]] = {}

    # ------------------------------------------------------------ laying out

    def grid(self, kind: Kind, shape: GridShape) -> tuple[Thing, ...]:
        width, height = self.table.number(shape.width), self.table.number(shape.height)
        if width < 0 or height < 0:
            raise RulesError(mishaps.wrong_grid(kind.name, width, height), kind.span)
        combinations = self.table.combinations(kind)
        self.table.claim(width * height * len(combinations), kind.name, kind.span)
        side = None if shape.side is None else self.table.number(shape.side)
        beyond = max((max(hole) for hole in shape.holes), default=0)
        if beyond > max(width, height):
            raise RulesError(mishaps.picture_too_large(kind.name), kind.span)
        cells = [
            (col, row)
            for row in range(1, height + 1)
            for col in range(1, width + 1)
            if (col, row) not in shape.holes and (side is None or side < col + row < 3 * side)
        ]
        self._sizes[kind.name] = (width, height)
        found = self._laid(kind, combinations, cells)
        for thing, (_, (col, row)) in zip(found, product(combinations, cells), strict=True):
            thing.col, thing.row = col, row
        self._cells[kind.name] = {self.address(thing): thing for thing in found}
        return found

    def row(self, kind: Kind, numbers: range) -> tuple[Thing, ...]:
        """A ring or a line, for each combination of the indexes."""
        combinations = self.table.combinations(kind)
        self.table.claim(len(numbers) * len(combinations), kind.name, kind.span)
        self._rows[kind.name] = numbers
        found = self._laid(kind, combinations, [(n,) for n in numbers])
        for thing in found:
            thing.number = numbers[thing.index % len(numbers)]
        return found

    def _laid(
        self,
        kind: Kind,
        combinations: list[tuple[Value, ...]],
        numbers: Iterable[tuple[int, ...]],
    ) -> tuple[Thing, ...]:
        addresses = list(product(combinations, numbers))
        start = self.table.take_orders(len(addresses))
        names = [index.name for index in kind.indexes]
        return tuple(
            Thing(
                kind.name,
                at,
                f"{kind.name}({', '.join(map(str, (*indexes, *numbers)))})",
                start + at,
                dict(zip(names, indexes, strict=True)),
            )
            for at, (indexes, numbers) in enumerate(addresses)
        )

    def edges(self, kind: Kind, shape: EdgesShape) -> tuple[Thing, ...]:
        """The pairs of neighbours; those that are named come first."""
        pairs: dict[frozenset[Thing], tuple[Thing, Thing]] = {}
        named = [
            (self.table.named(shape.of, one), self.table.named(shape.of, other))
            for one, other in shape.rows
        ]
        every = (
            (place, other)
            for place in self.table.things(shape.of)
            for other in self.beside(place)
            if place.order < other.order
        )
        for one, other in (*named, *every):
            ends = (one, other) if one.order < other.order else (other, one)
            pairs.setdefault(frozenset(ends), ends)
        self.table.claim(len(pairs), kind.name, kind.span)
        start = self.table.take_orders(len(pairs))
        return tuple(
            Thing(kind.name, at, f"{kind.name}({one}, {other})", start + at, ends=(one, other))
            for at, (one, other) in enumerate(pairs.values())
        )

    # ------------------------------------------------------------ addresses

    def address(self, place: Thing) -> tuple[Value, ...]:
        """What names a place of a shaped family: its indexes, then its numbers."""
        if place.kind in self._rows:
            return (*place.indexes.values(), self.number(place))
        return (*place.indexes.values(), place.col, place.row)

    def ranges(self, kind: str) -> list[tuple[int, ...]]:
        """What the numbers of a shaped family run over."""
        if kind in self._rows:
            return [tuple(self._rows[kind])]
        width, height = self._sizes[kind]
        return [tuple(range(1, width + 1)), tuple(range(1, height + 1))]

    def is_shaped(self, kind: str) -> bool:
        self.table.things(kind)
        return kind in self._rows or kind in self._sizes

    def cell(self, kind: str, col: int, row: int) -> Thing | None:
        return self._cells[kind].get((col, row))

    def size(self, kind: str) -> tuple[int, int] | None:
        return self._sizes.get(kind)

    def is_whole(self, kind: str) -> bool:
        """Whether a grid has all its cells, once."""
        width, height = self._sizes[kind]
        return len(self._cells[kind]) == width * height

    def number(self, thing: Thing) -> int:
        """Its number on its ring or line, or among its kind."""
        return thing.index + 1 if thing.number is None else thing.number

    def first_number(self, kind: str) -> int:
        """The number of the first one of a kind."""
        return self._rows[kind].start if kind in self._rows else 1

    def places_of(self, kind: str, indexes: tuple[Value, ...]) -> tuple[Thing, ...]:
        """The places of a shaped family with these indexes; the edges that end in a place."""
        return tuple(self._members_of(kind).get(indexes, ()))

    def most_places_of(self, kind: str) -> int:
        """How many places with the same indexes a shaped family has."""
        return max(map(len, self._members_of(kind).values()), default=0)

    def _members_of(self, kind: str) -> dict[tuple[Value, ...], list[Thing]]:
        if kind not in self._members:
            found: dict[tuple[Value, ...], list[Thing]] = {}
            for place in self.table.things(kind):
                keys: list[tuple[Value, ...]] = [(end,) for end in place.ends]
                for key in keys or [tuple(place.indexes.values())]:
                    found.setdefault(key, []).append(place)
            self._members[kind] = found
        return self._members[kind]

    # ------------------------------------------------------------ neighbours

    def _shape(self, place: Thing) -> Shape:
        info = self.table.game.kinds[place.kind].place
        assert info is not None
        return info.shape

    def go(self, cell: Thing, way: Thing) -> Thing | None:
        shape = self._shape(cell)
        if not isinstance(shape, GridShape):
            return None
        steps = _HEXAGONAL_STEPS if shape.hexagonal else _STEPS
        if way.name not in steps:
            return None
        return self.beyond(cell, *steps[way.name])

    def beyond(self, cell: Thing, east: int, north: int) -> Thing | None:
        """The cell so many columns and rows further, on the same board."""
        shape = self._shape(cell)
        assert isinstance(shape, GridShape) and cell.col is not None and cell.row is not None
        col, row = cell.col + east, cell.row + north
        if shape.wrapped:
            width, height = self._sizes[cell.kind]
            col, row = (col - 1) % width + 1, (row - 1) % height + 1
        return self._cells[cell.kind].get((*cell.indexes.values(), col, row))

    def ray(self, cell: Thing, way: Thing) -> tuple[Thing, ...]:
        key = ("ray", cell, way)
        if key not in self._near:
            found: list[Thing] = []
            at = self.go(cell, way)
            while at is not None and at is not cell:
                found.append(at)
                at = self.go(at, way)
            self._near[key] = tuple(found)
        return self._near[key]

    def beside(self, place: Thing) -> tuple[Thing, ...]:
        """The neighbours: in a grid those at the sides, else along paths, rings, lines, edges."""
        key = ("beside", place, None)
        if key not in self._near:
            found = set(self._touching(place)) - {place}
            self._near[key] = tuple(sorted(found, key=lambda each: each.order))
        return self._near[key]

    def _touching(self, place: Thing) -> Iterator[Thing]:
        shape = self._shape(place)
        match shape:
            case GridShape():
                ways = "Hexagonal" if shape.hexagonal else "Orthogonal"
                yield from self._towards(place, DIRECTION_SETS[ways])
            case NetworkShape():
                for one, other in (pair for path in self.paths(place) for pair in pairwise(path)):
                    if place in (one, other):
                        yield other if one is place else one
            case EdgesShape():
                for end in place.ends:
                    yield from self.places_of(place.kind, (end,))
            case _:
                both = (self.along(place, 1), self.along(place, -1))
                yield from (each for each in both if each is not None)

    def _towards(self, cell: Thing, ways: Iterable[str]) -> Iterator[Thing]:
        found = (self.go(cell, self.table.named(DIRECTION, way)) for way in ways)
        return (each for each in found if each is not None)

    def around(self, cell: Thing) -> tuple[Thing, ...]:
        key = ("around", cell, None)
        if key not in self._near:
            found = set(self._towards(cell, DIRECTIONS)) - {cell}
            self._near[key] = tuple(sorted(found, key=lambda each: each.order))
        return self._near[key]

    def row_of(self, place: Thing) -> tuple[Thing, ...]:
        """The whole ring or line that a place is on."""
        length = len(self._rows[place.kind])
        start = place.index - place.index % length
        return self.table.things(place.kind)[start : start + length]

    def along(self, place: Thing, steps: int) -> Thing | None:
        """The place so many further on a ring or line; a line has ends."""
        places = self.row_of(place)
        at = place.index % len(places) + steps
        if isinstance(self._shape(place), RingShape):
            return places[at % len(places)]
        return places[at] if 0 <= at < len(places) else None

    def paths(self, place: Thing) -> tuple[tuple[Thing, ...], ...]:
        """The paths of a network that a place lies on."""
        shape = self._shape(place)
        assert isinstance(shape, NetworkShape)
        if place.kind not in self._paths:
            found: dict[Thing, list[tuple[Thing, ...]]] = {}
            for names in shape.paths:
                path = tuple(self.table.named(place.kind, name) for name in names)
                for stop in dict.fromkeys(path):
                    found.setdefault(stop, []).append(path)
            self._paths[place.kind] = {stop: tuple(paths) for stop, paths in found.items()}
        return self._paths[place.kind].get(place, ())

    def turned(self, way: Thing, eighths: int) -> Thing:
        """A direction turned to the right."""
        ways = self.table.things(DIRECTION)
        return ways[(way.index + eighths) % len(ways)]

    def sixths(self, way: Thing, number: int) -> Thing | None:
        """A direction of hexagons turned to the right; none for the two that they lack."""
        ways = [each for each in self.table.things(DIRECTION) if each.name in _HEXAGONAL_STEPS]
        return ways[(ways.index(way) + number) % len(ways)] if way in ways else None
