"""Grids: letters for columns, numbers for rows; with boxes where there is more than pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from ruledsl.play.words import column_letters

from .text import centred, cut, pad, styled, width

MOST_CELL = 9


@attrs.frozen
class Cell:
    """What a cell shows, in a few short lines; `fresh`: something has just happened there."""

    lines: Sequence[str]
    fresh: bool = False


HOLE = Cell((" ",))


@attrs.frozen
class Side:
    """Two opposite sides of a board that a player has: the player's sign and colour."""

    sign: str
    colour: str | None


@attrs.frozen
class Grid:
    """Cells by column and row, and which of these are drawn, from west to east and south to north.

    Where there are no cells, there are holes. `signs` stand upon edges between cells; without
    edges they are None.
    """

    cells: Mapping[tuple[int, int], Cell]
    cols: Sequence[int]
    rows: Sequence[int]
    boxes: bool = False
    signs: Mapping[frozenset[tuple[int, int]], str] | None = None
    letters: str = ""
    foot: bool = True
    """whether the letters of the columns stand below it as well"""
    sides: tuple[Side, Side] | None = None
    """those of the rows, above and below, and those of the columns, left and right"""

    def letter(self, col: int) -> str:
        """What a column is called."""
        return column_letters(col, self.letters)

    def cell(self, col: int, row: int) -> Cell:
        return self.cells.get((col, row), HOLE)

    def sign(self, one: tuple[int, int], other: tuple[int, int]) -> str:
        return "" if self.signs is None else self.signs.get(frozenset((one, other)), "")

    def widest(self) -> int:
        texts = [line for each in self.cells.values() for line in each.lines]
        texts += [] if self.signs is None else self.signs.values()
        return max(1, min(max(map(width, texts), default=1), MOST_CELL))


def grid_lines(grid: Grid, columns: int) -> list[str]:
    """A grid of squares, cut into bands where it is wider than the columns there are."""
    margin = len(str(max(grid.rows))) + 1
    want = max(grid.widest(), *(len(grid.letter(col)) for col in grid.cols))
    gap = 1 if grid.signs is None else want + 2
    if not grid.boxes and want == 1 and gap == 1 and margin + 2 * len(grid.cols) > columns:
        gap = 0
    edges = 1 if grid.boxes else 0
    fit = max(1, (columns - margin - edges) // (want + gap))
    lines: list[str] = []
    for start in range(0, len(grid.cols), fit):
        band = grid.cols[start : start + fit]
        used = margin + edges + len(band) * (want + gap)
        both = used + margin <= columns
        lines += _Columns(grid, band, want, gap, margin, both).lines()
    return lines


@attrs.frozen
class _Columns:
    """Some columns of a grid; the numbers of the rows stand on `both` sides if there is room."""

    grid: Grid
    band: Sequence[int]
    want: int
    gap: int
    margin: int
    both: bool

    def lines(self) -> list[str]:
        grid = self.grid
        rule = " " * self.margin + styled(
            "+" + "+".join("-" * self.want for _ in self.band) + "+", "dim"
        )
        lines = [self._head()]
        rows = list(reversed(grid.rows))
        for at, row in enumerate(rows):
            if grid.boxes:
                lines.append(rule)
            lines += self._row(row)
            if grid.signs is not None and at + 1 < len(rows):
                lines.append(self._between(row, rows[at + 1]))
        if grid.boxes:
            lines.append(rule)
        return [*lines, self._head()] if grid.foot else lines

    def _head(self) -> str:
        letters = (" " * self.gap).join(centred(self.grid.letter(c), self.want) for c in self.band)
        start = " " * (self.margin + (1 if self.grid.boxes else 0))
        return styled(start + letters, "dim").rstrip()

    def _between(self, row: int, below: int) -> str:
        """What stands on the edges between two rows."""
        signs = (self.grid.sign((col, row), (col, below)) for col in self.band)
        texts = (centred(cut(sign, self.want), self.want) for sign in signs)
        return (" " * self.margin + (" " * self.gap).join(texts)).rstrip()

    def _row(self, row: int) -> list[str]:
        found = [self.grid.cell(c, row) for c in self.band]
        lines = []
        for number in range(max(len(each.lines) for each in found)):
            texts = [
                centred(cut(_line(each.lines, number), self.want), self.want) for each in found
            ]
            name = str(row) if number == 0 else ""
            line = styled(pad(name, self.margin - 1, right=True), "dim")
            if self.grid.signs is None:
                line += self._joined(texts, [each.fresh for each in found], number)
            else:
                line += f" {self._with_signs(texts, row, number)} "
            if number == 0 and self.both:
                line += (
                    f" {styled(str(row), 'dim')}" if self.grid.boxes else styled(str(row), "dim")
                )
            lines.append(line.rstrip())
        return lines

    def _with_signs(self, texts: Sequence[str], row: int, number: int) -> str:
        """The cells of a row with what stands on the edges between them."""
        joined = texts[0]
        for at, text in enumerate(texts[1:]):
            sign = self.grid.sign((self.band[at], row), (self.band[at + 1], row))
            joined += centred(cut(sign if number == 0 else "", self.gap), self.gap) + text
        return joined

    def _joined(self, texts: Sequence[str], fresh: Sequence[bool], number: int) -> str:
        """The cells of a row with what stands between them: brackets around what is fresh."""
        marks = [False, *fresh, False]
        joined = " " if self.grid.boxes else ""
        for at, text in enumerate((*texts, "")):
            bar = styled("|", "dim") if self.grid.boxes else " "
            before, after = marks[at] and number == 0, marks[at + 1] and number == 0
            if self.gap and before and after:
                bar = styled("|", "bold")
            elif self.gap and (before or after):
                bar = styled("]" if before else "[", "bold")
            last = at == len(texts)
            joined += (bar if self.gap or at == 0 or last else "") + text
        return joined


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number] if number < len(lines) else ""
