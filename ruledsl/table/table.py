"""A table: a checked game with players and options fixed, every domain finite and known.

Sizes are worked out before anything is built, so a table that would be too large is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from math import prod
from typing import Any, assert_never

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import (
    CheckedGame,
    FamilyShape,
    GridShape,
    IndexInfo,
    Kind,
    LineShape,
    NetworkShape,
    PlaceInfo,
    RingShape,
    StateInfo,
    TableShape,
)
from ruledsl.model.symbols import DIRECTION, DIRECTIONS
from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import Evaluator
from ruledsl.table.limits import MOST_SLOTS, MOST_THINGS
from ruledsl.table.position import Position, SlotKey
from ruledsl.table.things import Thing, Value, face_kind

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


@attrs.frozen
class Slot:
    """A place for a value: a state of an owner or of the game, with its limits."""

    state: StateInfo
    owner: Thing | None
    low: int | None
    high: int | None


class Table:
    """All things, places and slots of a game, for one number of players and one set of options."""

    def __init__(
        self, game: CheckedGame, players: int, options: Mapping[str, Value | str] | None = None
    ) -> None:
        self.game = game
        self.evaluator = Evaluator(self)
        self.options: dict[str, Value] = {}
        self._things: dict[str, tuple[Thing, ...]] = {}
        self._faces: dict[str, tuple[Thing, ...]] = {}
        self._families: dict[str, dict[tuple[Value, ...], Thing]] = {}
        self._building: list[str] = []
        self._total = 0
        self._grid: dict[str, dict[tuple[int, int], Thing]] = {}
        self._near: dict[tuple[str, Thing, Thing | None], tuple[Thing, ...]] = {}
        self._sizes: dict[str, tuple[int, int]] = {}
        self._by_name: dict[str, dict[str, Thing]] = {}
        self.kept: dict[str, Any] = {}
        """what later stages work out once for this table"""
        self._paths: dict[str, dict[Thing, tuple[tuple[Thing, ...], ...]]] = {}
        seats = [f"Player({seat + 1})" for seat in range(players)]
        self._things["Player"] = self._named_things("Player", seats)
        self._things[DIRECTION] = self._named_things(DIRECTION, list(DIRECTIONS))
        self._set_options(dict(options or {}))
        for name in game.kinds:
            self.things(name)
        self.rooms: dict[Thing, int | None] = dict(self._rooms())
        self.slots: dict[SlotKey, Slot] = dict(self._slots())
        self.limit = None if game.limit is None else self.number(game.limit)

    # ------------------------------------------------------------ options

    def _set_options(self, wanted: dict[str, Value | str]) -> None:
        for name, info in self.game.options.items():
            domain = self.evaluator.constant(info.domain)
            assert isinstance(domain, tuple)
            value = wanted.pop(name, None)
            if value is None:
                value = self.evaluator.constant(info.default)
            if isinstance(value, str):
                value = next((each for each in domain if str(each) == value), value)
            if isinstance(value, str) or value not in domain:
                allowed = ", ".join(str(each) for each in domain)
                raise RulesError(mishaps.no_such_value(name, allowed, value), info.span)
            self.options[name] = value
        for name in wanted:
            raise RulesError(mishaps.no_such_option(name), _span_of(self.game))

    # ------------------------------------------------------------ things

    def things(self, kind: str) -> tuple[Thing, ...]:
        """All things of a kind, in order."""
        if kind not in self._things:
            info = self.game.kinds[kind]
            if kind in self._building:
                path = " → ".join([*self._building, kind])
                raise RulesError(mishaps.size_of_itself(kind, path), info.span)
            self._building.append(kind)
            self._things[kind] = self._build(info)
            self._building.pop()
            self._fill_columns(kind, info)
        return self._things[kind]

    def faces(self, kind: str) -> tuple[Thing, ...]:
        """The faces of a piece's table."""
        if kind not in self._faces:
            rows = list(self.game.kinds[kind].rows)
            self._faces[kind] = self._named_things(face_kind(kind), rows)
        return self._faces[kind]

    def number(self, expression: core.Expr, own: Thing | None = None) -> int:
        value = self.evaluator.constant(expression, own)
        if not isinstance(value, int):
            raise RulesError(mishaps.NO_NUMBER, expression.span)
        return value

    def _named_things(self, kind: str, names: list[str]) -> tuple[Thing, ...]:
        self._claim(len(names), kind, None)
        start = self._order(len(names))
        return tuple(Thing(kind, index, name, start + index) for index, name in enumerate(names))

    def _claim(self, count: int, kind: str, span: Span | None) -> None:
        """Refuse a table that would be too large, before it is built."""
        if self._total + count > MOST_THINGS:
            where = span or _span_of(self.game)
            raise RulesError(mishaps.too_many_things(count, kind), where)

    def _order(self, count: int) -> int:
        start = self._total
        self._total += count
        return start

    def _build(self, kind: Kind) -> tuple[Thing, ...]:
        match kind.sort:
            case "player" | "direction":
                return self._things[kind.name]
            case "enumeration":
                return self._named_things(kind.name, list(kind.rows))
            case "product":
                return self._combined(kind, None)
            case "piece":
                return self._pieces(kind)
            case "place":
                assert kind.place is not None
                return self._places(kind, kind.place)
            case _:
                assert_never(kind.sort)

    def domain(self, index: IndexInfo) -> tuple[Value, ...]:
        """What an index runs over."""
        if index.kind in self.game.ranges:
            bounds = self.game.ranges[index.kind]
            return tuple(range(self.number(bounds.low), self.number(bounds.high) + 1))
        return self.faces(index.kind) if index.faces else self.things(index.kind)

    def _combined(self, kind: Kind, copies: core.Expr | None) -> tuple[Thing, ...]:
        """A thing, or some copies, for each combination of the indexes."""
        domains = [self.domain(index) for index in kind.indexes]
        self._claim(prod(len(domain) for domain in domains), kind.name, kind.span)
        counts: list[tuple[tuple[Value, ...], int]] = []
        for combination in product(*domains):
            count = 1
            if copies is not None:
                probe = Thing(kind.name, 0, kind.name, -1, self._indexes(kind, combination))
                count = self.number(copies, probe)
                if count < 0:
                    raise RulesError(mishaps.wrong_copies(count, kind.name), copies.span)
            counts.append((combination, count))
        total = sum(count for _, count in counts)
        self._claim(total, kind.name, kind.span)
        start = self._order(total)
        things: list[Thing] = []
        for combination, count in counts:
            for _ in range(count):
                number = len(things)
                name = _called(kind.name, combination) if kind.indexes else kind.name
                things.append(
                    Thing(kind.name, number, name, start + number, self._indexes(kind, combination))
                )
        return tuple(things)

    def _indexes(self, kind: Kind, combination: tuple[Value, ...]) -> dict[str, Value]:
        named = zip((index.name for index in kind.indexes), combination, strict=True)
        return dict(named)

    def _pieces(self, kind: Kind) -> tuple[Thing, ...]:
        assert kind.piece is not None
        if not kind.rows:
            return self._combined(kind, kind.piece.count)
        column = kind.column("count")
        counts = []
        for number, row in enumerate(kind.rows):
            count = 1 if column is None else self.number(column.cells[number])
            if count < 0 and column is not None:
                raise RulesError(mishaps.wrong_copies(count, row), column.cells[number].span)
            counts.append(count)
        combinations = list(product(*(self.domain(index) for index in kind.indexes)))
        total = sum(counts) * len(combinations)
        self._claim(total, kind.name, kind.span)
        start = self._order(total)
        things: list[Thing] = []
        for face, count in zip(self.faces(kind.name), counts, strict=True):
            for combination in combinations:
                for _ in range(count):
                    number = len(things)
                    thing = Thing(
                        kind.name,
                        number,
                        face.name,
                        start + number,
                        self._indexes(kind, combination),
                        face=face,
                    )
                    things.append(thing)
        return tuple(things)

    def _places(self, kind: Kind, place: PlaceInfo) -> tuple[Thing, ...]:
        match place.shape:
            case GridShape(width=width, height=height):
                return self._grid_places(kind, self.number(width), self.number(height))
            case RingShape(size=size) | LineShape(size=size):
                count = self.number(size)
                if count < 0:
                    raise RulesError(mishaps.wrong_size(kind.name, count), size.span)
                self._claim(count, kind.name, kind.span)
                return self._named_things(
                    kind.name, [f"{kind.name}({n + 1})" for n in range(count)]
                )
            case NetworkShape() | TableShape():
                things = self._named_things(kind.name, list(kind.rows))
                self._lay_out(things, place)
                return things
            case FamilyShape():
                return self._combined(kind, None)
            case _:
                assert_never(place.shape)

    def _grid_places(self, kind: Kind, width: int, height: int) -> tuple[Thing, ...]:
        if width < 0 or height < 0:
            raise RulesError(mishaps.wrong_grid(kind.name, width, height), kind.span)
        self._claim(width * height, kind.name, kind.span)
        start = self._order(width * height)
        self._sizes[kind.name] = (width, height)
        things = []
        for row in range(height):
            for col in range(width):
                number = row * width + col
                name = f"{kind.name}({col + 1}, {row + 1})"
                thing = Thing(kind.name, number, name, start + number, col=col + 1, row=row + 1)
                things.append(thing)
        self._grid[kind.name] = {(thing.col or 0, thing.row or 0): thing for thing in things}
        return tuple(things)

    def _lay_out(self, things: tuple[Thing, ...], place: PlaceInfo) -> None:
        by_name = {thing.name: thing for thing in things}
        height = len(place.layout)
        for number, line in enumerate(place.layout):
            for col, name in enumerate(line):
                if name is not None:
                    by_name[name].col = col + 1
                    by_name[name].row = height - number

    # ------------------------------------------------------------ columns and look-ups

    def _fill_columns(self, name: str, kind: Kind) -> None:
        for column in kind.columns:
            cells = [self.evaluator.constant(cell) for cell in column.cells]
            if column.by_map:
                places = self.things(name)
                if len(cells) != len(places):
                    raise RulesError(
                        mishaps.map_does_not_fit(column.name, len(cells), name, len(places)),
                        kind.span,
                    )
                for thing, cell in zip(places, cells, strict=True):
                    thing.columns[column.name] = cell
            elif kind.sort == "piece":
                for face, cell in zip(self.faces(name), cells, strict=True):
                    face.columns[column.name] = cell
                for piece in self.things(name):
                    assert piece.face is not None
                    piece.columns[column.name] = cells[piece.face.index]
            else:
                for thing, cell in zip(self.things(name), cells, strict=True):
                    thing.columns[column.name] = cell

    def named(self, kind: str, name: str) -> Thing:
        """A value or named place."""
        if kind not in self._by_name:
            self._by_name[kind] = {thing.name: thing for thing in self.things(kind)}
        return self._by_name[kind][name]

    def face(self, kind: str, name: str) -> Thing:
        return next(face for face in self.faces(kind) if face.name == name)

    def family(self, kind: str) -> dict[tuple[Value, ...], Thing]:
        """Things by their indexes; of copies, the first."""
        if kind not in self._families:
            found: dict[tuple[Value, ...], Thing] = {}
            for thing in self.things(kind):
                found.setdefault(tuple(thing.indexes.values()), thing)
            self._families[kind] = found
        return self._families[kind]

    def place_at(self, kind: str, indexes: tuple[Value, ...]) -> Thing:
        return self.family(kind)[indexes]

    def nth(self, kind: str, numbers: tuple[Value, ...]) -> Thing | None:
        """`Player(1)`, `Cell(3, 4)`; none outside."""
        if len(numbers) == 2:
            col, row = numbers
            self.things(kind)
            if not isinstance(col, int) or not isinstance(row, int):
                return None
            return self._grid[kind].get((col, row))
        (number,) = numbers
        things = self.things(kind)
        if isinstance(number, int) and 1 <= number <= len(things):
            return things[number - 1]
        return None

    # ------------------------------------------------------------ boards

    def go(self, cell: Thing, way: Thing) -> Thing | None:
        dx, dy = _STEPS[way.name]
        assert cell.col is not None and cell.row is not None
        return self._grid[cell.kind].get((cell.col + dx, cell.row + dy))

    def ray(self, cell: Thing, way: Thing) -> tuple[Thing, ...]:
        key = ("ray", cell, way)
        if key not in self._near:
            found: list[Thing] = []
            at = self.go(cell, way)
            while at is not None:
                found.append(at)
                at = self.go(at, way)
            self._near[key] = tuple(found)
        return self._near[key]

    def beside(self, place: Thing) -> tuple[Thing, ...]:
        """The neighbours: in a grid those at the sides, otherwise along paths, rings and lines."""
        key = ("beside", place, None)
        if key not in self._near:
            info = self.game.kinds[place.kind].place
            assert info is not None
            if place.kind in self._grid:
                self._near[key] = self._neighbours(place, DIRECTIONS[::2])
            elif isinstance(info.shape, NetworkShape):
                self._near[key] = self._joined(place)
            else:
                both = {self.along(place, 1), self.along(place, -1)} - {None, place}
                found = (each for each in both if each is not None)
                self._near[key] = tuple(sorted(found, key=lambda each: each.order))
        return self._near[key]

    def along(self, place: Thing, steps: int) -> Thing | None:
        """The place so many further on a ring or line; a line has ends."""
        places = self.things(place.kind)
        info = self.game.kinds[place.kind].place
        assert info is not None
        at = place.index + steps
        if isinstance(info.shape, RingShape):
            return places[at % len(places)]
        return places[at] if 0 <= at < len(places) else None

    def around(self, cell: Thing) -> tuple[Thing, ...]:
        key = ("around", cell, None)
        if key not in self._near:
            self._near[key] = self._neighbours(cell, DIRECTIONS)
        return self._near[key]

    def _neighbours(self, cell: Thing, ways: tuple[str, ...]) -> tuple[Thing, ...]:
        found = [self.go(cell, self.named(DIRECTION, way)) for way in ways]
        return tuple(sorted((x for x in found if x is not None), key=lambda x: x.order))

    def _network(self, place: Thing) -> NetworkShape:
        info = self.game.kinds[place.kind].place
        assert info is not None and isinstance(info.shape, NetworkShape)
        return info.shape

    def _joined(self, place: Thing) -> tuple[Thing, ...]:
        found = set()
        for path in self.paths(place):
            for one, other in pairwise(path):
                if place in (one, other):
                    found.add(other if one is place else one)
        return tuple(sorted(found, key=lambda thing: thing.order))

    def paths(self, place: Thing) -> tuple[tuple[Thing, ...], ...]:
        """The paths of a network that a place lies on."""
        if place.kind not in self._paths:
            found: dict[Thing, list[tuple[Thing, ...]]] = {}
            for names in self._network(place).paths:
                path = tuple(self.named(place.kind, name) for name in names)
                for stop in dict.fromkeys(path):
                    found.setdefault(stop, []).append(path)
            self._paths[place.kind] = {stop: tuple(paths) for stop, paths in found.items()}
        return self._paths[place.kind].get(place, ())

    def turned(self, way: Thing, eighths: int) -> Thing:
        """A direction turned to the right."""
        ways = self.things(DIRECTION)
        return ways[(way.index + eighths) % len(ways)]

    def size(self, kind: str) -> tuple[int, int] | None:
        """Width and height of a grid."""
        return self._sizes.get(kind)

    # ------------------------------------------------------------ slots and the first position

    def pieces(self) -> Iterator[Thing]:
        for name, kind in self.game.kinds.items():
            if kind.sort == "piece":
                yield from self.things(name)

    def places(self) -> Iterator[Thing]:
        for name, kind in self.game.kinds.items():
            if kind.sort == "place":
                yield from self.things(name)

    def _rooms(self) -> Iterator[tuple[Thing, int | None]]:
        for place in self.places():
            info = self.game.kinds[place.kind].place
            assert info is not None
            yield place, None if info.room is None else self.number(info.room, place)

    def _slots(self) -> Iterator[tuple[SlotKey, Slot]]:
        count = 0
        for state in self.game.states.values():
            owners: tuple[Thing | None, ...] = (None,)
            if state.owner is not None:
                owners = self.things(state.owner)
            count += len(owners)
            if count > MOST_SLOTS:
                raise RulesError(mishaps.TOO_MANY_SLOTS, state.span)
            low = high = None
            if state.bounds is not None:
                low, high = self.number(state.bounds.low), self.number(state.bounds.high)
                if low > high:
                    raise RulesError(mishaps.empty_range(low, high), state.span)
            for owner in owners:
                yield (state.key, owner), Slot(state, owner, low, high)

    def start(self) -> Position:
        """The table before set-up: every piece where it starts, every slot at its start."""
        place_of: dict[Thing, Thing] = {}
        held: dict[Thing, list[Thing]] = {place: [] for place in self.places()}
        for name, kind in self.game.kinds.items():
            if kind.piece is None or kind.piece.start is None:
                continue
            for piece in self.things(name):
                where = self.evaluator.constant(kind.piece.start, piece)
                if not isinstance(where, Thing):
                    raise RulesError(mishaps.starts_nowhere(name), kind.piece.start.span)
                place_of[piece] = where
                held[where].append(piece)
        for place, pieces in held.items():
            room = self.rooms[place]
            if room is not None and len(pieces) > room:
                raise RulesError(
                    mishaps.starts_overfull(len(pieces), place, room),
                    self.game.kinds[place.kind].span,
                )
        slots = {key: self.start_value(slot) for key, slot in self.slots.items()}
        contents = {place: tuple(pieces) for place, pieces in held.items()}
        return Position(place_of, contents, slots, None, self.things("Player"))

    def start_value(self, slot: Slot) -> Value:
        """What a slot holds at first, and again each time its step begins."""
        start = slot.state.start
        if start is None:
            return () if type(slot.state.type).__name__ == "SetType" else None
        value = self.evaluator.constant(start, slot.owner)
        if isinstance(value, int) and slot.low is not None and slot.high is not None:
            if not slot.low <= value <= slot.high:
                raise RulesError(
                    mishaps.starts_outside(slot.state.key, value, slot.low, slot.high), start.span
                )
        return value


def _called(kind: str, combination: tuple[Value, ...]) -> str:
    return f"{kind}({', '.join(str(part) for part in combination)})"


def _span_of(game: CheckedGame) -> Span:
    first = next(iter(game.sources))
    return Span(first, 1, 1, 1, 1)
