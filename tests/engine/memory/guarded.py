"""Memory in which it shows if more is written than there is room for, or read before it is."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import attrs

from ruledsl.engine import Engine, compiler
from ruledsl.engine.effects.histories import Histories
from ruledsl.engine.memory.control import FRESH, VECTOR
from ruledsl.engine.memory.layout import LARGE, Layout
from ruledsl.table.table import Table

UNTOUCHED = 0x5AFE
LEFT_OVER = b"\x35"
"""What spoiled memory is full of."""


@attrs.frozen
class Piece:
    """Memory from one address up to another, of which `lasting` is needed at the next decision."""

    start: int
    end: int
    lasting: bool


class GuardedLayout(Layout):
    """Leaves a cell free behind each piece of memory, to which nobody may write."""

    def __init__(self, table: Table) -> None:
        self.pieces_of_memory: list[Piece] = []
        self.behind: list[int] = []
        """cells of the position that are left free"""
        self.lasting = False
        super().__init__(table)

    def cells(self, count: int, width: int = 4) -> int:
        address = super().cells(count, width)
        self.behind.append(super().cells(1))
        return address

    def scratch(self, size: int, width: int = 4) -> int:
        address = super().scratch(size, width)
        self.pieces_of_memory.append(Piece(address, address + size, self.lasting))
        self.data.append((super().scratch(4), struct.pack("<i", UNTOUCHED)))
        return address


@contextmanager
def guarded() -> Iterator[None]:
    """Engines that are made meanwhile have such memory."""
    write = Histories.write_histories

    def write_lasting(self: Histories) -> None:
        assert isinstance(self.layout, GuardedLayout)
        self.layout.lasting = True
        write(self)
        self.layout.lasting = False

    with (
        patch.object(compiler, "Layout", GuardedLayout),
        patch.object(Histories, "write_histories", write_lasting),
    ):
        yield


def spoil(engine: Engine) -> None:
    """Leave nothing of what was written between two decisions but the position and its log.

    Nobody may have written where memory is free or never changes. Memory without guards stays as it
    is.
    """
    layout, runner = engine.layout, engine.runner
    if not isinstance(layout, GuardedLayout):
        return
    constant = dict(engine.program.data)
    for address, data in constant.items():
        assert address < VECTOR or runner.read(address, len(data)) == data, "it was written to"
    vector = runner.read(VECTOR, layout.vector_size)
    assert not [at for at in layout.behind if vector[at - VECTOR : at - VECTOR + 4] != bytes(4)]
    for piece in layout.pieces_of_memory:
        if not piece.lasting and piece.start not in constant:
            runner.write(piece.start, LEFT_OVER * min(piece.end - piece.start, LARGE))
    runner.write(FRESH, bytes(4))
