"""Where everything lies in memory: the position as one vector of cells, and constant tables.

Things are numbered anew: first the pieces, then the places, then all else, each in the table's
order, so that the things of a kind are neighbours. `none` is -1 for things; for numbers and flags
it is the least number there is.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import attrs

from ruledsl.engine.code.instructions import Code, add, cell_at, load, mul, signed, sub, within
from ruledsl.engine.memory.board_plans import MOST_PLACES, PART, Board, plans, words_for
from ruledsl.engine.memory.control import HEADER, MOST_VECTOR, STEERING, VECTOR
from ruledsl.engine.unsupported import MOST_MEMORY, MOST_SEATS, Unsupported
from ruledsl.model import core
from ruledsl.model.additions import set_and_added_to
from ruledsl.model.types import (
    FaceType,
    FlagType,
    NothingType,
    NumberType,
    SetType,
    ThingType,
    Type,
    plain,
)
from ruledsl.model.walk import walk
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value, face_kind

NO_THING = -1
NO_NUMBER = -(2**31)

STATIC = VECTOR + MOST_VECTOR
"""tables and scratch memory begin here"""

LARGE = 1 << 16
"""bytes of a large piece of memory"""
BEFORE_LIST = 4
"""bytes before a list that never changes: whether it goes downward; its bits come before that"""

Category: TypeAlias = Literal["thing", "number", "set"]
Span: TypeAlias = tuple[int, int]
"""A number, and how many from there on."""


def category(of: Type) -> Category:
    match plain(of):
        case NumberType() | FlagType():
            return "number"
        case SetType():
            return "set"
        case _:
            return "thing"


def element_of(of: Type) -> Type:
    """What a set of this type holds."""
    whole = plain(of)
    assert isinstance(whole, SetType)
    return whole.element


def none_of(kind: Category) -> int:
    return NO_NUMBER if kind == "number" else NO_THING


@attrs.frozen
class PlaceLayout:
    """How the places of a kind hold their pieces.

    A `cell` holds one piece; a `stack` a number and the pieces, lowest first; `bits` a bit for
    each piece from `low` on.
    """

    kind: str
    first: int
    count: int
    form: Literal["cell", "stack", "bits"]
    base: int
    stride: int
    capacity: int
    low: int
    words: int

    def address(self, place: Code) -> Code:
        if self.count == 1:
            return self.base
        return add(mul(sub(place, self.first), self.stride), self.base)


@attrs.frozen
class StateLayout:
    """Where the slots of a state lie; a set is a bit for each thing or number from `low` on."""

    key: str
    first: int
    count: int
    base: int
    words: int
    """0 for a single cell"""
    low: int
    category: Category
    least: int | None
    most: int | None
    fixed: int = 0
    """where it is noted which slots were set, and not only added to; 0 where that is plain"""
    capacity: int = 0
    """how many elements a set may have"""

    @property
    def stride(self) -> int:
        return 8 * self.words or 4

    def address(self, owner: Code | None) -> Code:
        if owner is None or self.count == 1:
            return self.base
        return add(mul(sub(owner, self.first), self.stride), self.base)

    def note(self, owner: Code | None) -> Code:
        """Where it is noted that a slot was set."""
        return add(sub(self.address(owner), self.base), self.fixed)


class Layout:
    """Numbers for things, addresses for what changes, and tables of what doesn't."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.game = table.game
        self.things: list[Thing] = []
        self.first: dict[str, int] = {}
        self.size: dict[str, int] = {}
        self._number_things()
        self.ids = {thing: number for number, thing in enumerate(self.things)}
        self.players = len(table.things("Player"))
        if self.players > MOST_SEATS:
            raise Unsupported(f"there are more than {MOST_SEATS} players")
        self.first_player = self.first["Player"]
        self.data: list[tuple[int, bytes]] = []
        self._end = VECTOR + HEADER + 4 * self.players
        self.out_list = VECTOR + HEADER
        self._static_end = STATIC
        self._large: list[tuple[int, int]] = []
        self._tables: dict[tuple[int, ...], int] = {}
        self.pieces = sum(self.size[k] for k, i in self.game.kinds.items() if i.sort == "piece")
        self.place_of = self.cells(self.pieces)
        self.places: dict[str, PlaceLayout] = {}
        for name, kind in self.game.kinds.items():
            if kind.place is not None:
                self.places[name] = self._place(name)
        together = any(isinstance(p, core.Together) for b in self.game.blocks() for p in walk(b))
        self._mixed = set_and_added_to(self.game) if together else frozenset()
        self.states: dict[str, StateLayout] = {}
        for key in self.game.states:
            self.states[key] = self._state(key)
        self.history_lengths = {name: self.cells(1) for name in self.game.histories}
        self.boards: dict[tuple[str, str, int], Board] = {}
        """by kind of place, what is read from the piece there, and which places of the kind"""
        sizes = {name: self.size[name] for name in self.places}
        for plan in plans(table, sizes, self.things[: self.pieces], self.ids):
            base = self.cells(plan.count + 1, 8) + 8
            self.boards[plan.kind, plan.reading, plan.part] = Board(plan, base)
        self.known = 0
        """what each player knows: a mask of seats for each piece; 0 where it does not matter"""
        self.moved = 0
        """with it, bits for the pieces laid anywhere since everybody last looked"""
        self.table_end = self._end

    def _number_things(self) -> None:
        kinds = self.game.kinds

        def take(name: str, things: Sequence[Thing]) -> None:
            if name in self.first:
                return
            self.first[name] = len(self.things)
            self.size[name] = len(things)
            self.things.extend(things)

        for sort in ("piece", "place"):
            named = [name for name, kind in kinds.items() if kind.sort == sort]
            for name in sorted(named, key=lambda n: _first_order(self.table.things(n))):
                take(name, self.table.things(name))
        for name in ("Player", "Dir", *kinds):
            take(name, self.table.things(name))
        for name, kind in kinds.items():
            if kind.sort == "piece":
                take(face_kind(name), self.table.faces(name))

    # ------------------------------------------------------------ memory

    def cells(self, count: int, width: int = 4) -> int:
        """Cells of the position."""
        self._end = -(-self._end // width) * width
        address = self._end
        self._end += width * count
        if self._end >= STATIC:
            raise Unsupported("a position takes too much memory")
        return address

    @property
    def vector_size(self) -> int:
        return -(-(self._end - VECTOR) // 8) * 8

    def track_knowledge(self) -> None:
        """Keep what each player knows, as part of the table."""
        assert self._end == self.table_end
        self.known = self.cells(self.pieces)
        self.moved = self.cells(words_for(self.pieces), 8)
        self.table_end = self._end

    def scratch(self, size: int, width: int = 4) -> int:
        """Bytes that are not part of the position."""
        self._static_end = -(-self._static_end // width) * width
        address = self._static_end
        self._static_end += size
        if self._static_end > MOST_MEMORY:
            raise Unsupported("all that may be chosen takes too much memory")
        if size >= LARGE:
            self._large.append((address, address + size))
        return address

    def small_parts(self) -> Iterator[tuple[int, int]]:
        """All memory but for large pieces; what games read there they have written before."""
        yield 0, STEERING
        yield VECTOR, VECTOR + self.vector_size
        start = STATIC
        for large, end in self._large:
            yield start, large
            start = end
        yield start, self._static_end

    @property
    def static_end(self) -> int:
        return self._static_end

    def numbers(self, values: Iterable[int], before: int = NO_THING) -> int:
        """The address of a constant table; `before` is what its index -1 gives."""
        key = (before, *values)
        if key not in self._tables:
            address = self.scratch(4 * len(key))
            self.data.append((address, struct.pack(f"<{len(key)}i", *key)))
            self._tables[key] = address + 4
        return self._tables[key]

    def words(self, values: Sequence[int]) -> int:
        """A constant table of 64-bit words."""
        address = self.scratch(8 * len(values), 8)
        self.data.append((address, struct.pack(f"<{len(values)}q", *map(signed, values))))
        return address

    def constant_list(self, values: Sequence[int]) -> int:
        """The address of a list that never changes: where its length stands, before its elements.

        Before that stand the list as bits, for things of a kind that may have boards, and whether
        it goes through these downward.
        """
        words = [0] * words_for(MOST_PLACES)  # Of the kind of an empty list nothing is known.
        kind = self._kind_of(values[0]) if values else None
        if kind is not None and self.size[kind] <= MOST_PLACES:
            words = [0] * words_for(self.size[kind])
            for value in values:
                at = value - self.first[kind]
                words[at // PART % len(words)] |= 1 << at % PART
        down = len(values) > 1 and values[0] > values[1]
        cells = (int(down), len(values), *values, 0)
        address = self.scratch(8 * len(words) + 4 * len(cells), 8)
        form = f"<{len(words)}Q{len(cells)}i"
        self.data.append((address, struct.pack(form, *words, *cells)))
        return address + 8 * len(words) + BEFORE_LIST

    def _kind_of(self, number: int) -> str | None:
        for kind, first in self.first.items():
            if first <= number < first + self.size[kind]:
                return kind
        return None

    # ------------------------------------------------------------ things

    def id(self, thing: Thing) -> int:
        return self.ids[thing]

    def encode(self, value: Value, kind: Category) -> int:
        if value is None:
            return none_of(kind)
        if isinstance(value, Thing):
            return self.ids[value]
        assert isinstance(value, int)
        return int(value)

    def kinds_of(self, of: Type) -> list[str]:
        """The kinds of a thing type, faces included."""
        match plain(of):
            case ThingType(kinds=kinds):
                return sorted(kinds, key=lambda name: self.first[name])
            case FaceType(kind=kind):
                return [face_kind(kind)]
            case NothingType():
                return []
            case _:
                return []

    def kinds_in(self, of: Type) -> list[str]:
        """The kinds of what a set of this type holds."""
        whole = plain(of)
        return self.kinds_of(whole.element) if isinstance(whole, SetType) else []

    def span(self, of: Type) -> Span | None:
        """The least number of a thing of this type, and how many there are up to the last."""
        kinds = [kind for kind in self.kinds_of(of) if self.size[kind]]
        if not kinds:
            return None
        low = min(self.first[kind] for kind in kinds)
        high = max(self.first[kind] + self.size[kind] for kind in kinds)
        return low, high - low

    def span_in(self, of: Type) -> Span | None:
        """The span of what a set of this type holds."""
        whole = plain(of)
        return self.span(whole.element) if isinstance(whole, SetType) else None

    def is_kind(self, thing: Code, kind: str) -> Code:
        """Whether a thing is of a kind."""
        return within(thing, self.first[kind], self.size[kind])

    def is_piece_kind(self, kind: str) -> bool:
        return kind in self.game.kinds and self.game.kinds[kind].sort == "piece"

    def is_piece(self, of: Type) -> bool:
        """Whether whatever has this type is a piece."""
        kinds = self.kinds_of(of)
        return bool(kinds) and all(map(self.is_piece_kind, kinds))

    def may_be_piece(self, of: Type) -> bool:
        return any(map(self.is_piece_kind, self.kinds_of(of)))

    def of_kind(self, piece: Code, kind: str) -> Code:
        """Whether a piece is of a kind."""
        if self.size[kind] == self.pieces:
            return 1
        return ("i32.lt_u", sub(piece, self.first[kind]), self.size[kind])

    def where(self, piece: Code) -> Code:
        """The place in which a piece lies."""
        return load(self.where_cell(piece))

    def where_cell(self, piece: Code) -> Code:
        return cell_at(self.place_of, piece)

    def lookup(self, table: int, index: Code) -> Code:
        return load(cell_at(table, index))

    def list_memory(self, capacity: int) -> int:
        """Memory for a list: its length, its elements, and a cell that may be read beyond."""
        return self.scratch(4 * (capacity + 2))

    # ------------------------------------------------------------ places and states

    def _place(self, name: str) -> PlaceLayout:
        info = self.game.kinds[name].place
        assert info is not None
        places = self.table.things(name)
        held = [kind for kind in info.holds if self.size[kind]]
        low = min((self.first[kind] for kind in held), default=0)
        high = max((self.first[kind] + self.size[kind] for kind in held), default=0)
        total = sum(self.size[kind] for kind in held)
        rooms = [self.table.rooms[place] for place in places]
        most = max((total if room is None else min(room, total) for room in rooms), default=0)
        count = len(places)
        if all(room == 1 for room in rooms):
            base = self.cells(count)
            return PlaceLayout(name, self.first[name], count, "cell", base, 4, 1, low, 0)
        if info.stack:
            stride = 4 * (most + 1)
            base = self.cells(count * (most + 1))
            return PlaceLayout(name, self.first[name], count, "stack", base, stride, most, low, 0)
        words = max(1, -(-(high - low) // 64))
        base = self.cells(count * words, 8)
        return PlaceLayout(
            name, self.first[name], count, "bits", base, 8 * words, total, low, words
        )

    def _state(self, key: str) -> StateLayout:
        info = self.game.states[key]
        count = 1 if info.owner is None else self.size[info.owner]
        first = 0 if info.owner is None else self.first[info.owner]
        slot = (
            next(s for (name, _), s in self.table.slots.items() if name == key) if count else None
        )
        least = None if slot is None else slot.low
        most = None if slot is None else slot.high
        kind = category(info.type)
        if kind != "set":
            base = self.cells(count)
            fixed = self.cells(count) if key in self._mixed else 0
            return StateLayout(key, first, count, base, 0, 0, kind, least, most, fixed)
        span = self.span_in(info.type)
        if span is None:
            if least is None or most is None:
                raise Unsupported(f"`{info.name}` may hold any number", info.span)
            span = (least, most - least + 1)
        words = max(1, -(-span[1] // 64))
        base = self.cells(count * words, 8)
        return StateLayout(
            key, first, count, base, words, span[0], kind, least, most, capacity=span[1]
        )


def _first_order(things: Sequence[Thing]) -> int:
    return things[0].order if things else -1
