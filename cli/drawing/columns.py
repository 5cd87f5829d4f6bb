"""A table of words: a head, rows with labels, cells that wrap; cut into bands where it is too wide."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from .text import cut, pad, styled, width, wrap

LEAST = 7
"""Columns narrower than this are not worth having."""
MOST_LABEL = 18
GAP = "  "


@attrs.frozen
class Row:
    """A row: its label, and a text for each column."""

    label: str
    cells: tuple[str, ...]


def table_lines(head: Sequence[str], rows: Sequence[Row], columns: int) -> list[str]:
    """The table in lines. Rows without anything in them are left out."""
    filled = [row for row in rows if any(row.cells)]
    label = min(MOST_LABEL, columns // 4, max((width(row.label) for row in filled), default=0))
    room = columns - (label + len(GAP) if label else 0)
    wants = [
        max(width(text) for text in (head[at], *(row.cells[at] for row in filled)))
        for at in range(len(head))
    ]
    lines: list[str] = []
    start = 0
    while start < len(head):
        end, widths = _band(wants, start, room)
        lines += _lines(head, filled, range(start, end), widths, label)
        start = end
    return lines


def _band(wants: list[int], start: int, room: int) -> tuple[int, list[int]]:
    """How many columns fit side by side, and how wide they are.

    A column may be made narrower than it would like, but not narrower than is readable.
    """
    end = start
    used = -len(GAP)
    while end < len(wants) and used + len(GAP) + min(wants[end], LEAST) <= room:
        used += len(GAP) + min(wants[end], LEAST)
        end += 1
    end = max(end, start + 1)
    # The columns of several bands are shared out evenly.
    bands = -(-(len(wants) - start) // (end - start))
    end = min(end, start + -(-(len(wants) - start) // bands))
    part = wants[start:end]
    free = room - len(GAP) * (len(part) - 1)
    limit = max(part)
    while limit > 1 and sum(min(want, limit) for want in part) > free:
        limit -= 1
    return end, [min(want, limit) for want in part]


def _lines(
    head: Sequence[str], rows: Sequence[Row], band: range, widths: list[int], label: int
) -> list[str]:
    margin = " " * label + GAP if label else ""
    lines = [
        margin
        + GAP.join(pad(cut(head[at], wide), wide) for at, wide in zip(band, widths, strict=True))
    ]
    for row in rows:
        names = [styled(line, "dim") for line in wrap(row.label, label)] if label else []
        cells = [
            wrap(row.cells[at], wide, " ") if row.cells[at] else []
            for at, wide in zip(band, widths, strict=True)
        ]
        for number in range(max(len(names), *map(len, cells))):
            name = names[number] if number < len(names) else ""
            texts = (
                pad(cell[number] if number < len(cell) else "", wide)
                for cell, wide in zip(cells, widths, strict=True)
            )
            lines.append((pad(name, label) + GAP if label else "") + GAP.join(texts))
    return [line.rstrip() for line in lines]
