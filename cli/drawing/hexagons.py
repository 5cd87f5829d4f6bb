"""Grids of hexagons: each row half a cell further to the right than the one below it."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from .grid import Grid, Side
from .text import coloured, cut, pad, styled, width

FRESH = (styled("[", "bold"), styled("]", "bold"))
"""around a cell where something has just happened"""
BOTH = styled("|", "bold")
"""between two such cells"""


def hexagon_lines(grid: Grid, columns: int) -> list[str]:
    """The cells, slanted; cut into bands where they are wider than the columns there are."""
    lines = _whole(grid)
    if max(map(width, lines), default=0) <= columns or len(grid.cols) * len(grid.rows) < 2:
        return lines
    cols, rows = grid.cols, grid.rows
    grid = attrs.evolve(grid, sides=None)
    if len(cols) > 1:
        half = (len(cols) + 1) // 2
        parts = [attrs.evolve(grid, cols=cols[:half]), attrs.evolve(grid, cols=cols[half:])]
    else:
        half = (len(rows) + 1) // 2
        parts = [attrs.evolve(grid, rows=rows[half:]), attrs.evolve(grid, rows=rows[:half])]
    return [line for part in parts for line in hexagon_lines(part, columns)]


def _sides(grid: Grid, along: Side, across: Side, half: int) -> Iterator[tuple[int, int, str]]:
    """The sides of two players, by line and middle: each in a colour, and with a sign."""
    wide, high = len(grid.cols), len(grid.rows)
    for line in (-1, high):
        for place in range(2 * wide * half - 1):
            sign = along.sign if place == wide * half - 1 else coloured("━", along.colour)
            yield line, line * half + place, sign
    for line in range(high):
        sign = across.sign if line == high // 2 else coloured("╱", across.colour)
        for end in (-1, wide):
            yield line, (2 * end + line) * half, sign


def _whole(grid: Grid) -> list[str]:
    """All cells in one picture.

    Columns rise to the right, so their letters stand below their lowest cells, and the numbers of
    the rows at their right ends. Signs on edges stand between cells, also between two rows.
    """
    apart = 1 if grid.signs is None else 2
    beside = 0 if grid.sides is None else 1
    half = (grid.widest() + 2) // 2 * apart
    at: dict[int, dict[int, str]] = {}

    def write(line: int, middle: int, text: str) -> None:
        texts = at.setdefault(line, {})
        start = middle - (width(text) - 1) // 2
        texts[start] = BOTH if text == FRESH[0] and texts.get(start) == FRESH[1] else text

    for place, row in enumerate(grid.rows):
        here = [n for n, col in enumerate(grid.cols) if (col, row) in grid.cells]
        for n in here:
            cell = grid.cell(grid.cols[n], row)
            middle = (2 * n + place) * half
            text = cut(cell.lines[0], 2 * half - 1)
            write(place * apart, middle, text)
            if cell.fresh:
                write(place * apart, middle - (width(text) + 1) // 2, FRESH[0])
                write(place * apart, middle + width(text) // 2 + 1, FRESH[1])
            if place == 0 or (grid.cols[n], grid.rows[place - 1]) not in grid.cells:
                letter = styled(grid.letter(grid.cols[n]), "dim")
                below = place - 1 - beside
                write(below * apart, (2 * n + below) * half, letter)
        if here:
            end = (2 * here[-1] + place + 2) * half + 2 * beside
            write(place * apart, end, styled(str(row), "dim"))
    if grid.sides is not None:
        for number, start, text in _sides(grid, *grid.sides, half):
            write(number * apart, start, text)
    cols = {col: n for n, col in enumerate(grid.cols)}
    rows = {row: n for n, row in enumerate(grid.rows)}
    for pair, sign in (grid.signs or {}).items():
        (one, up), (other, low) = pair
        if not {one, other} <= set(cols) or not {up, low} <= set(rows):
            continue
        steps = 2 * cols[one] + rows[up] + 2 * cols[other] + rows[low]
        write(rows[up] + rows[low], steps * half // 2, cut(sign, half))
    left = min((start for texts in at.values() for start in texts), default=0)
    lines = []
    for number in sorted(at, reverse=True):
        line = ""
        for start, text in sorted(at[number].items()):
            line = pad(line, start - left) + text
        lines.append(line.rstrip())
    return lines
