"""Positions of the reference interpreter written into vectors of the engine.

A world is a vector in which the table is as a sample has it, while the rules stand where they
really stand: pieces that changed roles do so in the names in scope, too.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping

from ruledsl.engine.engine import Engine
from ruledsl.engine.layout import ACTIVE, NO_THING, PLAYING, VECTOR
from ruledsl.engine.sets import Bits, Listed, SetCode
from ruledsl.model.types import SetType, Type, plain
from ruledsl.table.position import Position
from ruledsl.table.things import Thing

_WORD = (1 << 64) - 1


class World:
    """A vector that is being changed."""

    def __init__(self, engine: Engine, vector: bytes) -> None:
        self._engine = engine
        self._layout = engine.layout
        self._data = bytearray(vector)

    def vector(self) -> bytes:
        return bytes(self._data)

    # ------------------------------------------------------------ cells

    def _cell(self, address: int) -> int:
        return int(struct.unpack_from("<i", self._data, address - VECTOR)[0])

    def _word(self, address: int) -> int:
        return int(struct.unpack_from("<Q", self._data, address - VECTOR)[0])

    def _put(self, address: int, value: int) -> None:
        struct.pack_into("<i", self._data, address - VECTOR, value)

    def _put_word(self, address: int, word: int) -> None:
        struct.pack_into("<Q", self._data, address - VECTOR, word & _WORD)

    def _put_bits(self, address: int, words: int, bits: int) -> None:
        for at in range(words):
            self._put_word(address + 8 * at, bits >> (64 * at))

    # ------------------------------------------------------------ the table

    def lay(self, pos: Position, known: frozenset[tuple[Thing, Thing]]) -> None:
        """Make the table as it is in a position."""
        layout = self._layout
        self._put(ACTIVE, NO_THING if pos.active is None else layout.id(pos.active))
        self._put(PLAYING, sum(1 << player.index for player in pos.playing))
        for piece, place in pos.place_of.items():
            self._put(layout.place_of + 4 * layout.id(piece), layout.id(place))
        for name, at in layout.places.items():
            for number, place in enumerate(self._engine.table.things(name)):
                held = [layout.id(piece) for piece in pos.contents[place]]
                base = at.base + number * at.stride
                match at.form:
                    case "cell":
                        self._put(base, held[0] if held else NO_THING)
                    case "stack":
                        self._put(base, len(held))
                        for step, piece_id in enumerate(held):
                            self._put(base + 4 + 4 * step, piece_id)
                    case "bits":
                        bits = sum(1 << (each - at.low) for each in held)
                        self._put_bits(base, at.words, bits)
        for (key, owner), value in pos.slots.items():
            slot = layout.states[key]
            base = slot.base
            if owner is not None:
                base += (layout.id(owner) - slot.first) * slot.stride
            if slot.words:
                assert isinstance(value, tuple)
                bits = sum(1 << (layout.encode(each, "thing") - slot.low) for each in value)
                self._put_bits(base, slot.words, bits)
            else:
                self._put(base, layout.encode(value, slot.category))
        if layout.known:
            for number in range(layout.pieces):
                self._put(layout.known + 4 * number, 0)
            for viewer, piece in known:
                address = layout.known + 4 * layout.id(piece)
                self._put(address, self._cell(address) | 1 << viewer.index)

    # ------------------------------------------------------------ roles

    def exchange(self, roles: Mapping[Thing, Thing]) -> None:
        """Let pieces on the table change roles: where they lie, their states, who knows them."""
        layout = self._layout
        ids = {layout.id(piece): layout.id(role) for piece, role in roles.items()}
        ids = {piece: role for piece, role in ids.items() if piece != role}
        places = {piece: self._cell(layout.place_of + 4 * piece) for piece in ids}
        touched: dict[int, list[int]] = {}
        for piece, place in places.items():
            touched.setdefault(place, []).append(piece)
        for place, pieces in touched.items():
            self._exchange_in(layout.things[place], pieces, ids)
        for piece, role in ids.items():
            self._put(layout.place_of + 4 * role, places[piece])
        for base, first, count in self._cells_by_piece(roles):
            own = {p: r for p, r in ids.items() if first <= p < first + count}
            before = {piece: self._cell(base + 4 * (piece - first)) for piece in own}
            for piece, role in own.items():
                self._put(base + 4 * (role - first), before[piece])
        self._rename_slots(ids)

    def _exchange_in(self, place: Thing, pieces: list[int], ids: Mapping[int, int]) -> None:
        layout = self._layout
        at = layout.places[place.kind]
        base = at.base + (layout.id(place) - at.first) * at.stride
        match at.form:
            case "cell":
                self._put(base, ids[pieces[0]])
            case "stack":
                for step in range(self._cell(base)):
                    where = base + 4 + 4 * step
                    held = self._cell(where)
                    self._put(where, ids.get(held, held))
            case "bits":
                bits = sum(self._word(base + 8 * n) << (64 * n) for n in range(at.words))
                for piece in pieces:
                    bits &= ~(1 << (piece - at.low))
                for piece in pieces:
                    bits |= 1 << (ids[piece] - at.low)
                self._put_bits(base, at.words, bits)

    def _cells_by_piece(self, roles: Mapping[Thing, Thing]) -> Iterator[tuple[int, int, int]]:
        """Where something is kept for each of some pieces: the first cell, piece, and how many."""
        layout = self._layout
        if layout.known:
            yield layout.known, 0, layout.pieces
        kinds = {piece.kind for piece in roles}
        for key, state in self._engine.table.game.states.items():
            if state.owner in kinds:
                slot = layout.states[key]
                yield slot.base, slot.first, slot.count

    def _rename_slots(self, ids: Mapping[int, int]) -> None:
        """Slots that name pieces."""
        layout = self._layout
        for key, state in self._engine.table.game.states.items():
            if not self._names_pieces(state.type):
                continue
            slot = layout.states[key]
            for number in range(slot.count):
                address = slot.base + number * slot.stride
                if slot.words:
                    bits = sum(self._word(address + 8 * n) << (64 * n) for n in range(slot.words))
                    held = [slot.low + n for n in range(64 * slot.words) if bits >> n & 1]
                    renamed = sum(1 << (ids.get(each, each) - slot.low) for each in held)
                    self._put_bits(address, slot.words, renamed)
                else:
                    value = self._cell(address)
                    self._put(address, ids.get(value, value))

    def simple(self, pieces: Iterable[Thing]) -> bool:
        """Whether pieces can change roles in the vector itself."""
        kinds = {piece.kind for piece in pieces}
        states = self._engine.table.game.states
        return all(
            not self._layout.states[key].words
            for key, state in states.items()
            if state.owner in kinds
        )

    # ------------------------------------------------------------ names

    def rename(self, roles: Mapping[Thing, Thing]) -> None:
        """Let the names in scope follow pieces that changed roles."""
        ids = {self._layout.id(piece): self._layout.id(role) for piece, role in roles.items()}
        for frame in self._engine.code.frames.values():
            for of, binding in frame.live.get(self._cell(frame.resume), ()):
                if self._names_pieces(of):
                    self._rename(binding, ids)

    def _names_pieces(self, of: Type) -> bool:
        inner = plain(of)
        kinds = self._layout.kinds_of(inner.element if isinstance(inner, SetType) else inner)
        known = self._engine.table.game.kinds
        return any(kind in known and known[kind].sort == "piece" for kind in kinds)

    def _rename(self, binding: object, ids: Mapping[int, int]) -> None:
        match binding:
            case ("load", 0, int() as address):
                self._put(address, ids.get(self._cell(address), self._cell(address)))
            case Bits(word=("load64", 0, int() as address), low=low):
                word = self._word(address)
                held = [low + bit for bit in range(64) if word >> bit & 1]
                self._put_word(address, sum(1 << (ids.get(each, each) - low) for each in held))
            case Listed(address=int() as address):
                for step in range(self._cell(address)):
                    where = address + 4 + 4 * step
                    self._put(where, ids.get(self._cell(where), self._cell(where)))
            case SetCode() | int() | str() | tuple():
                pass
            case _:
                raise AssertionError("no such binding")

    def gather_anew(self) -> None:
        """Where all choose together, let everybody choose again, from the table as it is now.

        What others have done meanwhile is still there, but nobody will look at it.
        """
        size = self._layout.table_end - VECTOR
        for frame in self._engine.code.frames.values():
            resume = self._cell(frame.resume)
            for each in frame.gatherings:
                if each.head <= resume < each.end:
                    start = each.table - VECTOR
                    self._data[start : start + size] = self._data[:size]
                    self._put(each.cursor, 0)
                    self._put(frame.resume, each.head)
