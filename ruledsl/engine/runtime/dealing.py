"""Dealing again: each iteration of a search has a world of its own.

Where worlds differ by the roles of pieces alone, a recipe says what to write where for the piece
that gets a role. It is made once for a search; then the pieces of each kind are shuffled and the
recipe is followed, which takes far less time than a playout.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import attrs

from ruledsl.engine.code.instructions import Code, Writer, add, cell_at, load, load64, mul, sub
from ruledsl.engine.context import Context, Part

MOST_CELLS = 1 << 14
"""Of a recipe; where it would be longer, worlds are made one by one."""
LENGTHS = 6
"""Cells that a recipe begins with: how long each of its parts is."""


@attrs.frozen
class Recipe:
    """What to write for the pieces that get roles, by the numbers of the roles.

    `pieces` has the pieces kind by kind, each of them in its role in the first world.
    """

    kinds: Sequence[int]
    """how many pieces of each kind"""
    pieces: Sequence[int]
    names: Sequence[tuple[int, int]]
    """(address, role): the piece itself goes there"""
    bits: Sequence[tuple[int, int, int]]
    """(address, lowest piece, role): its bit is set"""
    values: Sequence[tuple[int, int, int]]
    """(address of piece 0, role, value): what belongs to the piece"""
    boards: Sequence[tuple[int, int, int, int]]
    """(address of the word for 0, table of a value for each piece, bit, role): where it lies"""

    @property
    def cells(self) -> list[int]:
        steps = (self.names, self.bits, self.values, self.boards)
        lengths = [len(part) for part in (self.kinds, self.pieces, *steps)]
        cells = (cell for part in steps for step in part for cell in step)
        return [*lengths, *self.kinds, *self.pieces, *cells]

    @property
    def fits(self) -> bool:
        return len(self.cells) <= MOST_CELLS

    def packed(self) -> bytes:
        cells = self.cells
        return struct.pack(f"<{len(cells)}i", *cells)


class DealingCode(Part):
    """Writes how recipes are followed."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)

    def write_dealing(self) -> None:
        self.recipe = self.layout.scratch(4 * MOST_CELLS, 8)
        self.board_values = {
            key: self.layout.numbers(board.plan.values)
            for key, board in self.layout.boards.items()
            if board.plan.values is not None
        }
        """for boards that say what pieces are: the tables by which they do"""
        w = self.context.function("deal_again", result=False, exported=True)
        lengths = [w.once(load(self.recipe + 4 * at)) for at in range(LENGTHS)]
        kinds, number, names, bits, values, boards = lengths
        sizes = self.recipe + 4 * LENGTHS
        pieces = w.once(cell_at(sizes, kinds))
        self._shuffle(w, kinds, sizes, pieces)
        at = w.variable(cell_at(pieces, number))
        with w.counting(0, names):
            w.store(load(at), load(cell_at(pieces, load(at, 4))))
            w.set(at, add(at, 8))
        with w.counting(0, bits):
            bit = w.once(sub(load(cell_at(pieces, load(at, 8))), load(at, 4)))
            _set_bit(w, add(load(at), mul(("i32.shr_u", bit, 6), 8)), ("i32.and", bit, 63))
            w.set(at, add(at, 12))
        with w.counting(0, values):
            piece = load(cell_at(pieces, load(at, 4)))
            w.store(cell_at(load(at), piece), load(at, 8))
            w.set(at, add(at, 12))
        with w.counting(0, boards):
            piece = load(cell_at(pieces, load(at, 12)))
            value = load(cell_at(load(at, 4), piece))
            _set_bit(w, add(load(at), mul(value, 8)), load(at, 8))
            w.set(at, add(at, 16))

    def _shuffle(self, w: Writer, kinds: Code, sizes: int, pieces: Code) -> None:
        """Mix the pieces of each kind; whatever their order was, any is equally likely."""
        first = w.variable(pieces)
        with w.counting(0, kinds) as kind:
            size = w.once(load(cell_at(sizes, kind)))
            last = w.variable(sub(size, 1))
            with w.loop() as label:
                w.leave_if(label, ("i32.le_s", last, 0))
                one = w.once(cell_at(first, last))
                two = w.once(cell_at(first, ("call", "mind_below", add(last, 1))))
                held = w.variable(load(one))
                w.store(one, load(two))
                w.store(two, held)
                w.set(last, sub(last, 1))
            w.set(first, cell_at(first, size))


def _set_bit(w: Writer, word: Code, bit: Code) -> None:
    address = w.once(word)
    flag = ("i64.shl", ("i64", 1), ("i64.extend_i32_u", bit))
    w.store64(address, ("i64.or", load64(address), flag))
