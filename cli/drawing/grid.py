"""Grids: letters for columns, numbers for rows; with boxes where there is more than pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from ruledsl.play.words import column_letters

from .text import centred, cut, pad, styled, width

MOST_CELL = 9


@attrs.frozen
class Cell:
    """What a cell shows, in a few short lines; `fresh`: something has just happened there."""

    lines: Sequence[str]
    fresh: bool = False


@attrs.frozen
class Grid:
    """So many columns and rows; a `slant` moves each row by half a cell against the one above."""

    wide: int
    high: int
    boxes: bool = False
    slant: bool = False


def grid_lines(grid: Grid, cell: Callable[[int, int], Cell], columns: int) -> list[str]:
    """A grid of cells; `cell` is asked by column and row from 1."""
    every = [(c, r) for r in range(1, grid.high + 1) for c in range(1, grid.wide + 1)]
    cells = {at: cell(*at) for at in every}
    margin = len(str(grid.high)) + 1
    want = max((width(line) for each in cells.values() for line in each.lines), default=1)
    want = max(1, min(want, MOST_CELL), len(column_letters(grid.wide)))
    gap = 1
    if not grid.boxes and want == 1 and margin + 2 * grid.wide > columns:
        gap = 0
    lean = (grid.high - 1) * (want + gap) // 2 if grid.slant else 0
    edges = 1 if grid.boxes else 0
    fit = max(1, (columns - margin - edges - lean) // (want + gap))
    lines: list[str] = []
    for start in range(1, grid.wide + 1, fit):
        band = range(start, min(start + fit, grid.wide + 1))
        used = margin + edges + lean + len(band) * (want + gap)
        both = used + margin <= columns
        lines += _Columns(grid, cells, band, want, gap, margin, both).lines()
    return lines


@attrs.frozen
class _Columns:
    """Some columns of a grid; the numbers of the rows stand on `both` sides if there is room."""

    grid: Grid
    cells: dict[tuple[int, int], Cell]
    band: range
    want: int
    gap: int
    margin: int
    both: bool

    def lines(self) -> list[str]:
        grid, last = self.grid, self.grid.high - 1
        rule = " " * self.margin + styled(
            "+" + "+".join("-" * self.want for _ in self.band) + "+", "dim"
        )
        lines = [self._head(0)]
        for row in range(grid.high, 0, -1):
            if grid.boxes:
                lines.append(rule)
            lines += self._row(row)
        if grid.boxes:
            lines.append(rule)
        return [*lines, self._head(last)]

    def _lean(self, above: int) -> str:
        """How far a row stands to the right, by the rows above it."""
        return " " * (above * (self.want + self.gap) // 2) if self.grid.slant else ""

    def _head(self, above: int) -> str:
        letters = (" " * self.gap).join(centred(column_letters(c), self.want) for c in self.band)
        start = self._lean(above) + " " * (self.margin + (1 if self.grid.boxes else 0))
        return styled(start + letters, "dim").rstrip()

    def _row(self, row: int) -> list[str]:
        found = [self.cells[c, row] for c in self.band]
        lines = []
        for number in range(max(len(each.lines) for each in found)):
            texts = [
                centred(cut(_line(each.lines, number), self.want), self.want) for each in found
            ]
            name = str(row) if number == 0 else ""
            line = self._lean(self.grid.high - row)
            line += styled(pad(name, self.margin - 1, right=True), "dim")
            line += self._joined(texts, [each.fresh for each in found], number)
            if number == 0 and self.both:
                line += (
                    f" {styled(str(row), 'dim')}" if self.grid.boxes else styled(str(row), "dim")
                )
            lines.append(line.rstrip())
        return lines

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
