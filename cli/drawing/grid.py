"""Grids: letters for columns, numbers for rows; with boxes where there is more than pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ruledsl.play.words import cell_name
from ruledsl.table.things import Thing

from .text import centred, cut, pad, styled, width

MOST_CELL = 9


def column_letters(column: int) -> str:
    return cell_name(Thing("", 0, "", 0, col=column)).removesuffix("None")


def grid_lines(
    size: tuple[int, int],
    cell: Callable[[int, int], Sequence[str]],
    columns: int,
    *,
    boxes: bool,
) -> list[str]:
    """A grid of cells, each a few short lines; `cell` is asked by column and row from 1."""
    wide, high = size
    cells = {(c, r): cell(c, r) for r in range(1, high + 1) for c in range(1, wide + 1)}
    margin = len(str(high)) + 1
    want = max((width(line) for lines in cells.values() for line in lines), default=1)
    want = max(1, min(want, MOST_CELL), len(column_letters(wide)))
    gap = 1
    if not boxes and want == 1 and margin + 2 * wide - 1 > columns:
        gap = 0
    edges = 1 if boxes else -gap
    fit = max(1, (columns - margin - edges) // (want + gap))
    lines: list[str] = []
    for start in range(1, wide + 1, fit):
        band = range(start, min(start + fit, wide + 1))
        used = margin + edges + len(band) * (want + gap)
        both = used + margin <= columns
        lines += _band(cells, band, high, want, gap, margin, boxes=boxes, both=both)
    return lines


def _band(
    cells: dict[tuple[int, int], Sequence[str]],
    band: range,
    high: int,
    want: int,
    gap: int,
    margin: int,
    *,
    boxes: bool,
    both: bool,
) -> list[str]:
    """Some columns of the grid; the numbers of the rows stand on `both` sides if there is room."""
    letters = (" " * gap).join(centred(column_letters(c), want) for c in band)
    head = styled(" " * (margin + boxes) + letters, "dim").rstrip()
    rule = " " * margin + styled("+" + "+".join("-" * want for _ in band) + "+", "dim")
    bar = styled("|", "dim") if boxes else " " * gap
    lines = [head]
    for row in range(high, 0, -1):
        if boxes:
            lines.append(rule)
        tall = max(len(cells[c, row]) for c in band)
        for number in range(tall):
            texts = [centred(cut(_line(cells[c, row], number), want), want) for c in band]
            middle = bar.join(texts)
            name = pad(str(row), margin - 1, right=True) if number == 0 else " " * (margin - 1)
            edge = bar if boxes else ""
            line = f"{styled(name, 'dim')} {edge}{middle}{edge}"
            if number == 0 and both:
                line += f" {styled(str(row), 'dim')}"
            lines.append(line.rstrip())
    if boxes:
        lines.append(rule)
    return [*lines, head]


def _line(lines: Sequence[str], number: int) -> str:
    return lines[number] if number < len(lines) else ""
