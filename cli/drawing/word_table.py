"""A table of words: a head, rows with labels, cells that wrap.

Where it is too wide it is cut into bands, and on a narrow terminal it becomes a list.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from .text import flow, pad, styled, width, wrap

LEAST = 7
MOST_HEAD = 16
"""A column is at least so wide, or as wide as its head if that is between them."""
MOST_LABEL = 18
NARROW = 60
GAP = "  "


@attrs.frozen
class Row:
    """A row: its label, and a text for each column."""

    label: str
    cells: tuple[str, ...]


def table_lines(head: Sequence[str], rows: Sequence[Row], columns: int) -> list[str]:
    """The table in lines. Rows without anything in them are left out."""
    filled = [row for row in rows if any(row.cells)]
    longest = max((width(row.label) for row in filled), default=0)
    label = min(MOST_LABEL, columns // 4, longest)
    room = columns - (label + len(GAP) if label else 0)
    wants = [
        max(width(text) for text in (head[at], *(row.cells[at] for row in filled)))
        for at in range(len(head))
    ]
    least = [
        min(want, max(LEAST, min(width(name), MOST_HEAD)))
        for want, name in zip(wants, head, strict=True)
    ]
    if columns < NARROW and (longest > label or sum(wants) + len(GAP) * len(wants) > room):
        return _list(head, filled, columns)
    lines: list[str] = []
    start = 0
    while start < len(head):
        end, widths = _band(wants, least, start, room)
        lines += _lines(head, filled, range(start, end), widths, label)
        start = end
    return lines


def _list(head: Sequence[str], rows: Sequence[Row], columns: int) -> list[str]:
    """Column after column, each with what its cells say."""
    lines = []
    for at, name in enumerate(head):
        told = [
            f"{styled(row.label + ':', 'dim')} {row.cells[at]}" if row.label else row.cells[at]
            for row in rows
            if row.cells[at] not in ("", "–")
        ]
        if len(told) <= 1:
            lines += wrap(f"{name}: {told[0]}" if told else name, columns, "    ")
        else:
            lines += wrap(name, columns, "    ")
            lines += flow([f"  {told[0]}", *told[1:]], columns, "  ")
    return lines


def _band(wants: list[int], least: list[int], start: int, room: int) -> tuple[int, list[int]]:
    """How many columns fit side by side, and how wide they are.

    A column may be made narrower than it would like, but not narrower than is readable.
    """
    end = start
    used = -len(GAP)
    while end < len(wants) and used + len(GAP) + least[end] <= room:
        used += len(GAP) + least[end]
        end += 1
    end = max(end, start + 1)
    # The columns of several bands are shared out evenly.
    bands = -(-(len(wants) - start) // (end - start))
    end = min(end, start + -(-(len(wants) - start) // bands))
    free = room - len(GAP) * (end - start - 1)
    widths = [min(each, free) for each in least[start:end]]
    while sum(widths) < free:
        wider = [at for at, wide in enumerate(widths) if wide < wants[start + at]]
        if not wider:
            break
        widths[min(wider, key=lambda at: widths[at])] += 1
    return end, widths


def _lines(
    head: Sequence[str], rows: Sequence[Row], band: range, widths: list[int], label: int
) -> list[str]:
    margin = " " * label + GAP if label else ""
    heads = [wrap(head[at], wide) for at, wide in zip(band, widths, strict=True)]
    lines = [
        margin + GAP.join(_cell(*each, number) for each in zip(heads, widths, strict=True))
        for number in range(max(map(len, heads)))
    ]
    for row in rows:
        names = [styled(line, "dim") for line in wrap(row.label, label)] if label else []
        cells = [
            wrap(row.cells[at], wide, " ") if row.cells[at] else []
            for at, wide in zip(band, widths, strict=True)
        ]
        for number in range(max(len(names), *map(len, cells))):
            name = names[number] if number < len(names) else ""
            texts = (_cell(*each, number) for each in zip(cells, widths, strict=True))
            lines.append((pad(name, label) + GAP if label else "") + GAP.join(texts))
    return [line.rstrip() for line in lines]


def _cell(lines: Sequence[str], columns: int, number: int) -> str:
    """A line of a cell."""
    return pad(lines[number] if number < len(lines) else "", columns)
