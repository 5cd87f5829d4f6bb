"""A position of the engine as a vector that can be written from outside."""

from __future__ import annotations

import struct

from ruledsl.engine.memory.board_plans import PART, words_for
from ruledsl.engine.memory.control import ACTIVE, PLAYING, VECTOR
from ruledsl.engine.memory.layout import NO_THING, Layout
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

_WORD = (1 << 64) - 1


class Vector:
    """A vector in the making."""

    def __init__(self, table: Table, layout: Layout, vector: bytes) -> None:
        self.table = table
        self.layout = layout
        self.data = bytearray(vector)

    def vector(self) -> bytes:
        return bytes(self.data)

    # ------------------------------------------------------------ cells

    def cell(self, address: int) -> int:
        return int(struct.unpack_from("<i", self.data, address - VECTOR)[0])

    def word(self, address: int) -> int:
        return int(struct.unpack_from("<Q", self.data, address - VECTOR)[0])

    def put(self, address: int, value: int) -> None:
        struct.pack_into("<i", self.data, address - VECTOR, value)

    def put_word(self, address: int, word: int) -> None:
        struct.pack_into("<Q", self.data, address - VECTOR, word & _WORD)

    def put_bits(self, address: int, words: int, bits: int) -> None:
        for at in range(words):
            self.put_word(address + 8 * at, bits >> (64 * at))

    # ------------------------------------------------------------ the table

    def lay(self, pos: Position, known: frozenset[tuple[Thing, Thing]]) -> None:
        """Make the table as it is in a position."""
        layout = self.layout
        self.put(ACTIVE, NO_THING if pos.active is None else layout.id(pos.active))
        self.put(PLAYING, sum(1 << player.index for player in pos.playing))
        for piece, place in pos.place_of.items():
            self.put(layout.place_of + 4 * layout.id(piece), layout.id(place))
        for name, at in layout.places.items():
            for number, place in enumerate(self.table.things(name)):
                held = [layout.id(piece) for piece in pos.contents[place]]
                base = at.base + number * at.stride
                match at.form:
                    case "cell":
                        self.put(base, held[0] if held else NO_THING)
                    case "stack":
                        self.put(base, len(held))
                        for step, piece_id in enumerate(held):
                            self.put(base + 4 + 4 * step, piece_id)
                    case "bits":
                        bits = sum(1 << (each - at.low) for each in held)
                        self.put_bits(base, at.words, bits)
        self._lay_slots(pos)
        self.lay_boards()
        if layout.known:
            for number in range(layout.pieces):
                self.put(layout.known + 4 * number, 0)
            for viewer, piece in known:
                address = layout.known + 4 * layout.id(piece)
                self.put(address, self.cell(address) | 1 << viewer.index)
            moved = self._to_be_seen(pos, known)
            self.put_bits(layout.moved, words_for(layout.pieces), moved)

    def _to_be_seen(self, pos: Position, known: frozenset[tuple[Thing, Thing]]) -> int:
        """Pieces that somebody sees whatever happens, and does not know yet, as bits."""
        found = 0
        for piece, place in pos.place_of.items():
            info = self.table.game.kinds[place.kind].place
            assert info is not None
            for viewer in self.table.things("Player"):
                owns = info.sight == "private" and viewer in place.indexes.values()
                if (owns or info.sight == "open") and (viewer, piece) not in known:
                    found |= 1 << self.layout.id(piece)
        return found

    def _lay_slots(self, pos: Position) -> None:
        layout = self.layout
        for (key, owner), value in pos.slots.items():
            slot = layout.states[key]
            base = slot.base
            if owner is not None:
                base += (layout.id(owner) - slot.first) * slot.stride
            if slot.words:
                assert isinstance(value, tuple)
                bits = sum(1 << (layout.encode(each, "thing") - slot.low) for each in value)
                self.put_bits(base, slot.words, bits)
            else:
                self.put(base, layout.encode(value, slot.category))

    def lay_boards(self) -> None:
        """Make the boards as places and states have it."""
        layout = self.layout
        for board in layout.boards.values():
            plan = board.plan
            words = [0] * (plan.count + 1)
            at = layout.places[plan.kind]
            first = PART * plan.part
            for number in range(first, min(first + PART, at.count)):
                piece = self.cell(at.base + 4 * number)
                if piece < 0:
                    continue
                value = 0
                if plan.values is not None:
                    value = plan.values[piece]
                elif plan.state is not None:
                    slot = layout.states[plan.state]
                    value = self.cell(slot.base + 4 * (piece - slot.first)) - plan.low
                words[value + 1] |= 1 << (number - first)
            for number, word in enumerate(words):
                self.put_word(board.base + 8 * (number - 1), word)
