"""A table: a checked game with players and options fixed, every domain finite and known.

Sizes are worked out before anything is built, so a table that would be too large is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Any, assert_never

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import (
    CheckedGame,
    EdgesShape,
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
from ruledsl.model.symbols import DIRECTION, DIRECTION_SETS, DIRECTIONS
from ruledsl.model.types import SetType, plain
from ruledsl.table import mishaps
from ruledsl.table.boards import Boards
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import Evaluator
from ruledsl.table.forms import Forms
from ruledsl.table.limits import MOST_SLOTS, MOST_THINGS
from ruledsl.table.position import Position, SlotKey
from ruledsl.table.things import Thing, Value, as_written, face_kind


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
        self.evaluator.allowance = game.allowance
        self.options: dict[str, Value] = {}
        self._things: dict[str, tuple[Thing, ...]] = {}
        self._faces: dict[str, tuple[Thing, ...]] = {}
        self._families: dict[str, dict[tuple[Value, ...], Thing]] = {}
        self._building: list[str] = []
        self._total = 0
        self.boards: Boards = Boards(self)
        self.forms: Forms = Forms(self)
        self._by_name: dict[str, dict[str, Thing]] = {}
        self.kept: dict[str, Any] = {}
        """what later stages work out once for this table"""
        seats = [f"Player({seat + 1})" for seat in range(players)]
        self._things["Player"] = self._named_things("Player", seats)
        self._things[DIRECTION] = self._named_things(DIRECTION, list(DIRECTIONS))
        self._set_options(dict(options or {}))
        for name in game.kinds:
            self.things(name)
        self.rooms: dict[Thing, int | None] = dict(self._rooms())
        self.slots: dict[SlotKey, Slot] = dict(self._slots())
        self.limit = None if game.limit is None else self.number(game.limit)

    @property
    def size(self) -> int:
        """How many things there are, and values of states."""
        return self._total + len(self.slots)

    # ------------------------------------------------------------ options

    def _set_options(self, wanted: dict[str, Value | str]) -> None:
        for name, info in self.game.options.items():
            domain = self.option_values(name)
            value = wanted.pop(name, None)
            if value is None:
                value = self.evaluator.constant(info.default)
            if isinstance(value, str):
                value = next((each for each in domain if as_written(each) == value), value)
            if isinstance(value, str) or value not in domain:
                allowed = ", ".join(as_written(each) for each in domain)
                raise RulesError(mishaps.no_such_value(name, allowed, value), info.span)
            self.options[name] = value
        for name in wanted:
            raise RulesError(mishaps.no_such_option(name), _span_of(self.game))

    def option_values(self, name: str) -> tuple[Value, ...]:
        """What an option can be set to."""
        domain = self.evaluator.constant(self.game.options[name].domain)
        assert isinstance(domain, tuple)
        return domain

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
        self.claim(len(names), kind, None)
        start = self.take_orders(len(names))
        return tuple(Thing(kind, index, name, start + index) for index, name in enumerate(names))

    def claim(self, count: int, kind: str, span: Span | None) -> None:
        """Refuse a table that would be too large, before it is built."""
        if self._total + count > MOST_THINGS:
            where = span or _span_of(self.game)
            raise RulesError(mishaps.too_many_things(count, kind), where)

    def take_orders(self, count: int) -> int:
        """The first of so many numbers that nothing on the table has yet."""
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
        if index.subset is not None:
            ways = DIRECTION_SETS[index.subset]
            return tuple(way for way in self.things(index.kind) if way.name in ways)
        return self.faces(index.kind) if index.faces else self.things(index.kind)

    def combinations(self, kind: Kind) -> list[tuple[Value, ...]]:
        """All combinations of the indexes; one of nothing where there are none."""
        domains = [self.domain(index) for index in kind.indexes]
        self.claim(prod(len(domain) for domain in domains), kind.name, kind.span)
        return list(product(*domains))

    def _combined(self, kind: Kind, copies: core.Expr | None) -> tuple[Thing, ...]:
        """A thing, or some copies, for each combination of the indexes."""
        combinations = self.combinations(kind)
        counts = [1] * len(combinations)
        if copies is not None:
            counts = [self._copies(kind, copies, each) for each in combinations]
        total = sum(counts)
        self.claim(total, kind.name, kind.span)
        start = self.take_orders(total)
        things: list[Thing] = []
        for combination, name, count in zip(combinations, self._names(kind), counts, strict=True):
            for _ in range(count):
                number = len(things)
                indexes = self._indexes(kind, combination)
                things.append(Thing(kind.name, number, name, start + number, indexes))
        return tuple(things)

    def _copies(self, kind: Kind, copies: core.Expr, combination: tuple[Value, ...]) -> int:
        probe = Thing(kind.name, 0, kind.name, -1, self._indexes(kind, combination))
        count = self.number(copies, probe)
        if count < 0:
            raise RulesError(mishaps.wrong_copies(count, kind.name), copies.span)
        return count

    def _names(self, kind: Kind) -> list[str]:
        """What things are called, for each combination of the indexes.

        A product may be of ten thousand things: each part is written once.
        """
        if not kind.indexes:
            return [kind.name]
        parts = [[str(value) for value in self.domain(index)] for index in kind.indexes]
        return [f"{kind.name}({', '.join(combination)})" for combination in product(*parts)]

    def _indexes(self, kind: Kind, combination: tuple[Value, ...]) -> dict[str, Value]:
        return {index.name: value for index, value in zip(kind.indexes, combination, strict=True)}

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
        combinations = self.combinations(kind)
        total = sum(counts) * len(combinations)
        self.claim(total, kind.name, kind.span)
        start = self.take_orders(total)
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
            case GridShape():
                return self.boards.grid(kind, place.shape)
            case RingShape(first=first, last=last) | LineShape(first=first, last=last):
                start, end = self.number(first), self.number(last)
                if end < start - 1:
                    raise RulesError(mishaps.wrong_row(kind.name, start, end), last.span)
                return self.boards.row(kind, range(start, end + 1))
            case EdgesShape():
                return self.boards.edges(kind, place.shape)
            case NetworkShape() | TableShape():
                things = self._named_things(kind.name, list(kind.rows))
                self._lay_out(things, place)
                return things
            case FamilyShape():
                return self._combined(kind, None)
            case _:
                assert_never(place.shape)

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
                width, height = self.boards.size(name) or (0, 0)
                if len(cells) != width * height:
                    size = width * height
                    raise RulesError(
                        mishaps.map_does_not_fit(column.name, len(cells), name, size),
                        kind.span,
                    )
                for thing in places:
                    assert thing.col is not None and thing.row is not None
                    thing.columns[column.name] = cells[(thing.row - 1) * width + thing.col - 1]
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
                for key in self._keys(thing):
                    found.setdefault(key, thing)
            self._families[kind] = found
        return self._families[kind]

    def _keys(self, thing: Thing) -> tuple[tuple[Value, ...], ...]:
        """By what a thing is found: an edge from either end, a shaped family by numbers, too."""
        if thing.ends:
            return (thing.ends, thing.ends[::-1])
        if thing.indexes and self.boards.is_shaped(thing.kind):
            return (self.boards.address(thing),)
        return (tuple(thing.indexes.values()),)

    def place_at(self, kind: str, indexes: tuple[Value, ...]) -> Thing:
        return self.family(kind)[indexes]

    def nth(self, kind: str, numbers: tuple[Value, ...]) -> Thing | None:
        """`Player(1)`, `Cell(3, 4)`; none outside."""
        if len(numbers) == 2:
            col, row = numbers
            self.things(kind)
            if not isinstance(col, int) or not isinstance(row, int):
                return None
            return self.boards.cell(kind, col, row)
        (number,) = numbers
        things = self.things(kind)
        at = number - self.boards.first_number(kind) if isinstance(number, int) else -1
        return things[at] if 0 <= at < len(things) else None

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
            return () if isinstance(plain(slot.state.type), SetType) else None
        value = self.evaluator.constant(start, slot.owner)
        if isinstance(value, int) and slot.low is not None and slot.high is not None:
            if not slot.low <= value <= slot.high:
                raise RulesError(
                    mishaps.starts_outside(slot.state.key, value, slot.low, slot.high), start.span
                )
        return value


def _span_of(game: CheckedGame) -> Span:
    first = next(iter(game.sources))
    return Span(first, 1, 1, 1, 1)
