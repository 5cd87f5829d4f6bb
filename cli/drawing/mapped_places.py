"""Places laid out by a map, with the lines that join neighbours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import attrs

from ruledsl.table.things import Thing

from .text import centred, pad, short, styled, width

NARROWEST = 4
"""Names are shortened down to this; then the picture is cut into bands."""


@attrs.frozen
class Node:
    """A place in a picture: its name unless the margins tell it, and lines of what is there."""

    col: int
    row: int
    name: str | None
    inside: tuple[str, ...]

    def lines(self, columns: int) -> tuple[str, ...]:
        if self.name is None:
            return self.inside
        return (short(self.name, columns), *self.inside)

    def columns(self, most: int) -> int:
        return max((width(line) for line in self.lines(most)), default=0)


@attrs.frozen
class Margins:
    """What stands at the edges: a letter per column, a number per row, where names follow them."""

    letters: Mapping[int, str]
    numbers: Mapping[int, str]


def margins(places: Sequence[Thing]) -> tuple[Margins, frozenset[Thing]]:
    """Letters and numbers that name most places by column and row; and the places so named."""
    letters: dict[int, dict[str, int]] = {}
    numbers: dict[int, dict[str, int]] = {}
    for place in places:
        parts = _parts(place)
        if parts is not None:
            for key, part, counts in (
                (place.col, parts[0], letters),
                (place.row, parts[1], numbers),
            ):
                at = counts.setdefault(key or 0, {})
                at[part] = at.get(part, 0) + 1
    best = Margins(
        {col: max(found, key=lambda part: found[part]) for col, found in letters.items()},
        {row: max(found, key=lambda part: found[part]) for row, found in numbers.items()},
    )
    named = frozenset(
        place
        for place in places
        if _parts(place) == (best.letters.get(place.col or 0), best.numbers.get(place.row or 0))
    )
    if len(named) * 3 < len(places):
        return Margins({}, {}), frozenset()
    return best, named


def _parts(place: Thing) -> tuple[str, str] | None:
    """A name such as `a7` as its letter and number."""
    letter, number = place.name[:1], place.name[1:]
    return (letter, number) if letter.isalpha() and number.isdigit() else None


def picture_lines(
    nodes: Sequence[Node],
    joined: Sequence[tuple[Node, Node]],
    edge: Margins,
    columns: int,
) -> list[str]:
    """The picture in lines, north up."""
    side = max((len(number) for number in edge.numbers.values()), default=0) + 1
    if not edge.numbers:
        side = 0
    last = max(node.col for node in nodes)
    most = max(width(node.name) if node.name else 1 for node in nodes)
    while True:
        wide = {
            col: max((node.columns(most) for node in nodes if node.col == col), default=1)
            for col in range(1, last + 1)
        }
        if side + sum(wide.values()) + last <= columns or most <= NARROWEST:
            break
        most -= 1
    lines: list[str] = []
    start = 1
    while start <= last:
        end = start
        used = side
        while end <= last and used + wide[end] + 1 <= columns:
            used += wide[end] + 1
            end += 1
        end = max(end, start + 1)
        band = range(start, end)
        spare = (columns - used) // max(1, len(band)) if end > last and start == 1 else 0
        widths = {col: wide[col] + min(spare, 3) for col in band}
        lines += _band(nodes, joined, edge, widths, most, side)
        start = end
    return lines


def _band(
    nodes: Sequence[Node],
    joined: Sequence[tuple[Node, Node]],
    edge: Margins,
    widths: dict[int, int],
    most: int,
    side: int,
) -> list[str]:
    rows = sorted({node.row for node in nodes}, reverse=True)
    at = {(node.col, node.row): node for node in nodes}
    across, down = _paths(joined, at)
    head = styled(
        " " * side + " ".join(centred(edge.letters.get(col, ""), widths[col]) for col in widths),
        "dim",
    ).rstrip()
    lines = [head] if edge.letters else []
    for row in range(rows[0], rows[-1] - 1, -1):
        tall = max((len(at[c, row].lines(most)) for c in widths if (c, row) in at), default=0)
        for number in range(max(1, tall)):
            name = edge.numbers.get(row, "") if number == 0 else ""
            line = styled(pad(name, side - 1, right=True), "dim") + " " if side else ""
            for col, wide in widths.items():
                node = at.get((col, row))
                text = ""
                if node is not None and number < len(node.lines(most)):
                    text = node.lines(most)[number]
                joint = " "
                if node is None or number:
                    text = text or _empty(col, row, wide, number, across, down)
                fill = "─" if number == 0 and node is not None else " "
                left, right = (col - 1, row) in across, (col, row) in across
                line += _placed(text, wide, fill if left else " ", fill if right else " ")
                if number == 0 and right:
                    joint = styled("─", "dim")
                line += joint
            lines.append(line.rstrip())
        if any((c, row) in down for c in widths) and row > rows[-1]:
            marks = " ".join(
                _placed(styled("│", "dim") if (c, row) in down else "", wide, " ", " ")
                for c, wide in widths.items()
            )
            lines.append((" " * side + marks).rstrip())
    return [*lines, head] if edge.letters else lines


def _empty(
    col: int,
    row: int,
    wide: int,
    number: int,
    across: set[tuple[int, int]],
    down: set[tuple[int, int]],
) -> str:
    """What is drawn where there is no place: a line that passes, or nothing."""
    if number == 0 and (col, row) in across and (col - 1, row) in across:
        return styled("─" * wide, "dim")
    return styled("│", "dim") if (col, row) in down else ""


def _placed(text: str, columns: int, left: str, right: str) -> str:
    """The text in the middle, with lines to its sides."""
    free = columns - width(text)
    before = free // 2
    return (
        (styled(left * before, "dim") if left != " " else " " * before)
        + text
        + (styled(right * (free - before), "dim") if right != " " else " " * (free - before))
    )


def _paths(
    joined: Sequence[tuple[Node, Node]], at: Mapping[tuple[int, int], Node]
) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Where lines run: to the right of a column, and below a row."""
    across: set[tuple[int, int]] = set()
    down: set[tuple[int, int]] = set()
    for one, other in joined:
        if one.row == other.row:
            low, high = sorted((one.col, other.col))
            if not any((c, one.row) in at for c in range(low + 1, high)):
                across |= {(c, one.row) for c in range(low, high)}
        elif one.col == other.col:
            low, high = sorted((one.row, other.row))
            if not any((one.col, r) in at for r in range(low + 1, high)):
                down |= {(one.col, r) for r in range(low + 1, high + 1)}
    return across, down


def unseen(joined: Sequence[tuple[Node, Node]], nodes: Sequence[Node]) -> list[tuple[Node, Node]]:
    """Neighbours whose line can't be drawn: neither in a row nor in a column, or with a place
    between them."""
    at = {(node.col, node.row): node for node in nodes}
    hidden = []
    for one, other in joined:
        across, down = _paths([(one, other)], at)
        if not across and not down:
            hidden.append((one, other))
    return hidden


def pairs(paths: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """The neighbours along paths, each pair once."""
    found: dict[tuple[str, str], None] = {}
    for path in paths:
        for one, other in pairwise(path):
            if (other, one) not in found:
                found[one, other] = None
    return list(found)
