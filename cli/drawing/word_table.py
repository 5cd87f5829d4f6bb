"""A table of words: a head, rows with labels, cells that wrap.

It lies on its side where that takes fewer lines. Where it is too wide it is cut into bands, and on
a narrow terminal it becomes a list.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from .text import flow, pad, styled, together, width, wrap

LEAST = 7
MOST_HEAD = 16
"""A column is at least so wide, or as wide as its head if that is between them."""
MOST_WORD = 12
MOST_LABEL = 20
MOST_NAME = 30
"""Columns of what a row is called: of a label, and of a name where it lies on its side."""
NARROW = 60
GAP = "  "
NOTHING = ("", "–")
"""Cells that say nothing."""


@attrs.frozen
class Row:
    """A row: its label, and a text for each column."""

    label: str
    cells: tuple[str, ...]


def table_lines(
    head: Sequence[str],
    rows: Sequence[Row],
    columns: int,
    corner: str = "",
    *,
    dense: bool = False,
) -> list[str]:
    """The table in lines, what it is about in its corner. Rows with nothing in them are left out.

    On its side it stands only where that makes it much shorter or keeps it whole, a `dense` one
    where it makes it shorter at all; that may also have a row below it, in a line of its own, with
    much to say.
    """
    filled = [row for row in rows if any(row.cells)]
    upright, bands = _upright(head, filled, columns, corner)
    found = [upright]
    nameless = sum(not row.label for row in filled)
    if len(head) > 1 and nameless < min(2, len(filled)):
        sides = [Row(name, tuple(row.cells[at] for row in filled)) for at, name in enumerate(head)]
        labels = [styled(row.label, "dim") for row in filled]
        on_its_side, others = _banded(labels, sides, columns, corner, most_label=MOST_NAME)
        needed = len(on_its_side)
        whole = others < bands and needed <= len(upright)
        if dense or whole or 3 * needed <= 2 * len(upright):
            found.append(on_its_side)
        if dense:
            found += [
                [
                    *_upright(head, [o for o in filled if o is not row], columns, corner)[0],
                    *line_of(styled(row.label, "dim"), head, row.cells, columns),
                ]
                for row in sorted(filled, key=lambda row: -max(map(width, row.cells)))
                if row.label
            ]
    return min(found, key=len)


def line_of(label: str, head: Sequence[str], cells: Sequence[str], columns: int) -> list[str]:
    """A table of one row in a line: every name beside what stands below it."""
    told = [(name, cell) for name, cell in zip(head, cells, strict=True) if cell not in NOTHING]
    if not told:
        return wrap(f"{label}: {NOTHING[-1]}", columns, "  ")
    items = (f"{together(name)}: {cell}" for name, cell in told)
    return wrap(f"{together(f'{label} ')} {'; '.join(items)}", columns, "  ")


def _upright(
    head: Sequence[str], rows: Sequence[Row], columns: int, corner: str
) -> tuple[list[str], int]:
    """The table as it is, or as a list where it would be cut into bands of a narrow terminal; and
    into how many bands it is cut."""
    longest = max((width(row.label) for row in rows), default=0)
    label = _label_columns(rows, columns, "")
    wants = _wants(head, rows)
    room = columns - (label + len(GAP) if label else 0)
    if columns < NARROW and (longest > label or sum(wants) + len(GAP) * len(wants) > room):
        return _list(head, rows, columns, corner), 1
    dimmed = [Row(styled(row.label, "dim"), row.cells) for row in rows]
    return _banded(head, dimmed, columns, corner)


def _label_columns(rows: Sequence[Row], columns: int, corner: str, most: int = MOST_LABEL) -> int:
    return min(most, -(-columns * most // (4 * MOST_LABEL)), _longest_label(rows, corner))


def _longest_label(rows: Sequence[Row], corner: str) -> int:
    return max((width(text) for text in (corner, *(row.label for row in rows))), default=0)


def _wants(head: Sequence[str], rows: Sequence[Row]) -> list[int]:
    return [
        max(width(text) for text in (head[at], *(row.cells[at] for row in rows)))
        for at in range(len(head))
    ]


def _longest_word(rows: Sequence[Row], at: int) -> int:
    """Columns that a word of a cell needs, unless it is longer than most."""
    words = (width(word) for row in rows for word in row.cells[at].split(" "))
    return max((wide for wide in words if wide <= MOST_WORD), default=0)


def _banded(
    head: Sequence[str],
    rows: Sequence[Row],
    columns: int,
    corner: str,
    most_label: int = MOST_LABEL,
) -> tuple[list[str], int]:
    wants = _wants(head, rows)
    least = [
        min(wants[at], max(LEAST, min(width(name), MOST_HEAD), _longest_word(rows, at)))
        for at, name in enumerate(head)
    ]
    broken = [
        min(wide, max(LEAST, *(width(w) for text in texts for w in text.split(" "))))
        for wide, *texts in zip(least, head, *(row.cells for row in rows), strict=True)
    ]
    label = _label_columns(rows, columns, corner, most_label)
    whole = _longest_label(rows, corner)
    # Names stay whole where all columns fit beside them; heads are broken before the table is cut.
    for tried in ((whole, least), (label, least), (whole, broken), (label, broken)):
        if tried[0] + len(GAP) * len(head) + sum(tried[1]) <= columns:
            label, least = tried
            break
    above: list[str] = []
    if width(corner) > label:
        above, corner = wrap(corner, columns), ""
    room = columns - (label + len(GAP) if label else 0)
    lines: list[str] = []
    bands = start = 0
    while start < len(head):
        end, widths = _band(wants, least, start, room)
        lines += _lines(head, rows, range(start, end), widths, label, corner)
        bands, start = bands + 1, end
    return above + lines, bands


def _list(head: Sequence[str], rows: Sequence[Row], columns: int, corner: str) -> list[str]:
    """Column after column, each with what its cells say."""
    if all(cell in NOTHING for row in rows for cell in row.cells):
        label = corner or ", ".join(row.label for row in rows)
        return wrap(f"{label}: {NOTHING[-1]}", columns, "  ")
    lines = wrap(corner, columns) if corner else []
    for at, name in enumerate(head):
        told = [
            f"{styled(row.label + ':', 'dim')} {row.cells[at]}" if row.label else row.cells[at]
            for row in rows
            if row.cells[at] not in NOTHING
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
    head: Sequence[str],
    rows: Sequence[Row],
    band: range,
    widths: list[int],
    label: int,
    corner: str,
) -> list[str]:
    heads = [wrap(head[at], wide) for at, wide in zip(band, widths, strict=True)]
    lines = [
        (pad("" if number else corner, label) + GAP if label else "")
        + GAP.join(_cell(*each, number) for each in zip(heads, widths, strict=True))
        for number in range(max(map(len, heads)))
    ]
    for row in rows:
        names = wrap(row.label, label) if label else []
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
