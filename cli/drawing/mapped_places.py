"""Places laid out by a map, with the lines that join neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from ruledsl.scene.data import Board, StagePlace

from .canvas import Block, Canvas
from .text import centred, numbered, pad, short, styled, width

NARROWEST = 4
"""Names are shortened down to this; then the picture is cut into bands."""
MOST_SPARE = 3
"""Columns are set apart by so much more where there is room."""


@attrs.frozen(eq=False)
class Node:
    """A place in a picture: its name unless the margins tell it, and lines of what is there."""

    col: int
    row: int
    name: str | None
    inside: tuple[str, ...]
    look: Callable[[str], str] = str
    """how its name stands out"""

    def lines(self, called: Mapping[str, str]) -> tuple[str, ...]:
        if self.name is None:
            return self.inside
        return (self.look(called[self.name]), *self.inside)

    def columns(self, called: Mapping[str, str]) -> int:
        return max((width(line) for line in self.lines(called)), default=0)


def shortened(names: Iterable[str], columns: int) -> dict[str, str]:
    """Names in a few columns, no two alike, as far as that can be."""
    found: dict[str, str] = {}
    for name in sorted(dict.fromkeys(names), key=lambda name: width(name) > columns):
        taken = set(found.values())
        cut = short(name, columns)
        stem = cut.removesuffix("…")[: columns - 1]
        others = (f"{stem}{letter}" for letter in name[len(stem) :] if letter.isalnum())
        found[name] = next((each for each in (cut, *others) if each not in taken), cut)
    return found


def stems(called: Mapping[str, str]) -> dict[str, str]:
    """What shortened names stand for; numbers at their ends tell themselves."""
    found: dict[str, str] = {}
    for name, cut in called.items():
        whole, number = numbered(name)
        stem = cut.removesuffix(number) if number else cut
        if stem.rstrip() != whole:
            found[stem] = whole
    return found


@attrs.frozen
class Picture:
    lines: list[str]
    hidden: list[tuple[Node, Node]]
    """the neighbours whose line could not be drawn"""
    stems: dict[str, str]
    """what shortened names stand for"""


@attrs.frozen
class Margins:
    """What stands at the edges: a letter per column, a number per row, where names follow them."""

    letters: Mapping[int, str]
    numbers: Mapping[int, str]


def margins(board: Board, places: Sequence[StagePlace]) -> tuple[Margins, frozenset[str]]:
    """Letters and numbers that name most places by column and row; and the places so named."""
    letters: dict[int, dict[str, int]] = {}
    numbers: dict[int, dict[str, int]] = {}
    at = {place.id: (int(place.x) + 1, int(board.height - place.y)) for place in places}
    for place in places:
        parts = _parts(place)
        if parts is not None:
            for key, part, counts in zip(at[place.id], parts, (letters, numbers), strict=True):
                found = counts.setdefault(key, {})
                found[part] = found.get(part, 0) + 1
    best = Margins(
        {col: max(found, key=lambda part: found[part]) for col, found in letters.items()},
        {row: max(found, key=lambda part: found[part]) for row, found in numbers.items()},
    )
    named = frozenset(
        place.id
        for place in places
        if _parts(place) == (best.letters.get(at[place.id][0]), best.numbers.get(at[place.id][1]))
    )
    if len(named) * 3 < len(places):
        return Margins({}, {}), frozenset()
    return best, named


def _parts(place: StagePlace) -> tuple[str, str] | None:
    """A name such as `a7` as its letter and number."""
    letter, number = place.label[:1], place.label[1:]
    return (letter, number) if letter.isalpha() and number.isdigit() else None


Joined = Sequence[tuple[Node, Node]]


def picture(
    nodes: Sequence[Node], joined: Joined, edge: Margins, columns: int, *, foot: bool
) -> Picture:
    """The places in lines, north up.

    The letters of its columns stand above it, and if there is to be a `foot`, below it too.
    """
    side = max((len(number) for number in edge.numbers.values()), default=-1) + 1
    last = max(node.col for node in nodes)
    names = [node.name for node in nodes if node.name is not None]
    most = max((width(name) for name in names), default=1)
    while True:
        called = shortened(names, most)
        wide = {
            col: max((node.columns(called) for node in nodes if node.col == col), default=1)
            for col in range(1, last + 1)
        }
        if side + sum(wide.values()) + last <= columns or most <= NARROWEST:
            break
        most -= 1
    lines: list[str] = []
    drawn: set[int] = set()
    start = 1
    while start <= last:
        end = start
        used = side
        while end <= last and used + wide[end] + 1 <= columns:
            used += wide[end] + 1
            end += 1
        end = max(end, start + 1)
        whole = end > last and start == 1
        spare = (columns - used) // (end - start) if whole else 0
        widths = {col: wide[col] + min(spare, MOST_SPARE) for col in range(start, end)}
        band = _Band(nodes, joined, edge, widths, called, side)
        lines += band.lines(foot=foot)
        drawn |= band.drawn
        start = end
    hidden = [pair for number, pair in enumerate(joined) if number not in drawn]
    return Picture(lines, hidden, stems(called))


class _Band:
    """Some columns of a picture."""

    def __init__(
        self,
        nodes: Sequence[Node],
        joined: Joined,
        edge: Margins,
        widths: dict[int, int],
        called: Mapping[str, str],
        side: int,
    ) -> None:
        self.edge = edge
        self.widths = widths
        self.side = side
        self.drawn: set[int] = set()
        """the numbers of the joined pairs that have a line"""
        self.nodes = [node for node in nodes if node.col in widths]
        self.at = {(node.col, node.row): node for node in nodes}
        self.joined = [
            (number, one, other)
            for number, (one, other) in enumerate(joined)
            if one.col in widths or other.col in widths
        ]
        self.left: dict[int, int] = {}
        x = 0
        for col, wide in widths.items():
            self.left[col] = x
            x += wide + 1
        self.canvas = Canvas(x)
        self.top: dict[int, int] = {}
        self._place_rows(nodes, called)

    def _place_rows(self, nodes: Sequence[Node], called: Mapping[str, str]) -> None:
        """Rows from the north, with a line between them where something passes."""
        rows = [node.row for node in nodes]
        y = 0
        for row in range(max(rows), min(rows) - 1, -1):
            self.top[row] = y
            here = [node for node in self.nodes if node.row == row]
            y += max([1, *(len(node.lines(called)) for node in here)])
            if row > min(rows) and any(
                min(one.row, other.row) < row <= max(one.row, other.row)
                for _, one, other in self.joined
            ):
                y += 1
        self.height = y
        self.blocks: dict[Node, Block] = {}
        for node in self.nodes:
            texts = node.lines(called)
            wide = max(map(width, texts), default=0)
            left = self.left[node.col] + (self.widths[node.col] - wide) // 2
            block = Block(left, self.top[node.row], wide, texts)
            self.blocks[node] = block
            self.canvas.put(block)

    def lines(self, *, foot: bool) -> list[str]:
        crooked = []
        for number, one, other in self.joined:
            if self._straight(one, other):
                self.drawn.add(number)
            elif one in self.blocks and other in self.blocks:
                crooked.append((number, one, other))
        for number, one, other in crooked:
            if self.canvas.join(self.blocks[one], self.blocks[other], self.height):
                self.drawn.add(number)
        numbers = {self.top[row]: text for row, text in self.edge.numbers.items()}
        body = []
        for y in range(self.height):
            name = styled(pad(numbers.get(y, ""), self.side - 1, right=True), "dim")
            margin = f"{name} " if self.side else ""
            body.append((margin + self.canvas.line(y)).rstrip())
        if not self.edge.letters:
            return body
        letters = self.edge.letters
        head = " ".join(centred(letters.get(col, ""), wide) for col, wide in self.widths.items())
        head = styled(" " * self.side + head, "dim").rstrip()
        return [head, *body, head] if foot else [head, *body]

    def _straight(self, one: Node, other: Node) -> bool:
        """Draw a line along a row or a column, unless a place is in its way."""
        if one.row == other.row:
            west, east = sorted((one, other), key=lambda node: node.col)
            between = range(west.col + 1, east.col)
            if any((col, one.row) in self.at for col in between):
                return False
            start = self.blocks[west].right + 1 if west in self.blocks else 0
            end = self.blocks[east].left if east in self.blocks else self.canvas.wide
            self.canvas.across(start, end, self.top[one.row])
            return True
        if one.col != other.col or one not in self.blocks:
            return False
        north, south = sorted((one, other), key=lambda node: -node.row)
        if any((one.col, row) in self.at for row in range(south.row + 1, north.row)):
            return False
        x = self.left[one.col] + (self.widths[one.col] - 1) // 2
        self.canvas.down(x, self.blocks[north].bottom + 1, self.blocks[south].top)
        return True
