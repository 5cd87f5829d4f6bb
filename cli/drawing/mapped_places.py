"""Places laid out by a map, with the lines that join neighbours."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import ceil

import attrs

from ruledsl.scene.data import Board, StagePlace

from .canvas import Block, Canvas
from .text import numbered, pad, short, styled, width

NARROWEST = 4
"""Names are shortened down to this."""
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

    def narrow(self) -> Node:
        """The same, with a line for each word of what is there."""
        words = tuple(word for line in self.inside for word in line.split(" "))
        return attrs.evolve(self, inside=words)

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

    The letters of its columns stand above it, and if there is to be a `foot`, below it too. Where
    there is little room, first what lies in a place is told in several lines, then names are
    shortened, then the picture is cut into bands.
    """
    side = max((len(number) for number in edge.numbers.values()), default=-1) + 1
    room = columns - side
    last = max(node.col for node in nodes)
    passing = frozenset(_passing(nodes, joined))
    longest = max((width(node.name) for node in nodes if node.name is not None), default=1)
    least: list[tuple[int, int]] = []
    for most, narrow in _attempts(longest):
        fitted = [node.narrow() for node in nodes] if narrow else list(nodes)
        names = shortened((node.name for node in fitted if node.name is not None), most)
        cells = _ranks(fitted, passing, names)
        bands = list(_cuts(cells, last, room))
        if not least or len(bands) < len(least):
            least, shown, called, ranks = bands, fitted, names, cells
        if len(bands) == 1:
            break
    for names in _families(called):
        # What is whole where there is room for it is called the same everywhere.
        whole = called | names
        cells = _ranks(shown, passing, whole)
        bands = list(_cuts(cells, last, room))
        if len(bands) <= len(least):
            least, called, ranks = bands, whole, cells
    again = dict(zip(map(id, nodes), shown, strict=True))
    pairs = [(again[id(one)], again[id(other)]) for one, other in joined]
    lines: list[str] = []
    drawn: set[int] = set()
    for start, end in least:
        spread = max(
            (_spread(ranks, start, end, spare) for spare in range(MOST_SPARE + 1)),
            key=lambda each: (each.wide <= room, each.wide * (each.wide <= room)),
        )
        band = _Band(shown, pairs, edge, spread, called, side)
        lines += band.lines(foot=foot)
        drawn |= band.drawn
    hidden = [pair for number, pair in enumerate(joined) if number not in drawn]
    return Picture(lines, hidden, stems(called))


def _attempts(longest: int) -> Iterator[tuple[int, bool]]:
    """So long may names be, and whether contents are narrow; each attempt takes less room."""
    for most in range(longest, min(longest, NARROWEST) - 1, -1):
        yield most, False
        yield most, True


def _families(called: Mapping[str, str]) -> list[dict[str, str]]:
    """Names that were shortened, as they are, those together that differ by their numbers."""
    found: dict[str, dict[str, str]] = {}
    for name, cut in called.items():
        if name != cut:
            found.setdefault(numbered(name)[0], {})[name] = name
    return list(found.values())


# ------------------------------------------------------------ where columns stand


@attrs.frozen
class _Entry:
    """Something in a row that takes so many columns around the middle of its own."""

    col: int
    before: int
    behind: int


@attrs.frozen
class _Spread:
    """Where the middle of each column stands in a picture, and how wide that is."""

    middles: dict[int, int]
    wide: int


def _passing(nodes: Sequence[Node], joined: Joined) -> Iterator[tuple[int, int]]:
    """The columns and rows without a place that a straight line passes."""
    taken = {(node.col, node.row) for node in nodes}
    for one, other in joined:
        low, high = sorted((one.row, other.row))
        between = [(one.col, row) for row in range(low + 1, high)]
        if one.col == other.col and not taken.intersection(between):
            yield from between


def _ranks(
    nodes: Sequence[Node], passing: Collection[tuple[int, int]], called: Mapping[str, str]
) -> list[list[_Entry]]:
    """What stands in each row, from west to east."""
    found: dict[int, list[_Entry]] = {}
    for node in nodes:
        wide = node.columns(called)
        entry = _Entry(node.col, (wide - 1) // 2, wide // 2)
        found.setdefault(node.row, []).append(entry)
    for col, row in passing:
        if row in found:
            found[row].append(_Entry(col, 0, 0))
    return [sorted(entries, key=lambda entry: entry.col) for entries in found.values()]


def _spread(ranks: Sequence[Sequence[_Entry]], start: int, end: int, spare: int) -> _Spread:
    """Columns as close as what stands in them allows, and some more apart.

    What is wide takes the room of neighbours whose columns are empty in its row.
    """
    middles: dict[int, int] = {}
    least: dict[int, int] = {}
    last: dict[int, _Entry] = {}
    for col in range(start, end + 1):
        middle = middles[col - 1] + 2 + spare if middles else 0
        for number, entries in enumerate(ranks):
            for entry in entries:
                if entry.col == col and number in last:
                    other = last[number]
                    needed = other.behind + 2 + entry.before + spare
                    middle = max(middle, middles[other.col] + needed)
                if entry.col == col:
                    last[number] = entry
                    least[number] = entry.before
        middles[col] = middle
    here = [entry for entries in ranks for entry in entries if entry.col in middles]
    left = min((middles[entry.col] - entry.before for entry in here), default=0)
    right = max((middles[entry.col] + entry.behind for entry in here), default=0)
    left, right = min(left, 0), max(right, middles[end])
    return _Spread({col: middle - left for col, middle in middles.items()}, right - left + 1)


def _cuts(ranks: Sequence[Sequence[_Entry]], last: int, room: int) -> Iterator[tuple[int, int]]:
    """The first and the last column of each band, about as wide as the others."""
    whole = _spread(ranks, 1, last, 0).wide
    wanted = whole / ceil(whole / room)
    start = 1
    while start <= last:
        end = start
        wide = 0
        while end < last and wide < wanted:
            wide = _spread(ranks, start, end + 1, 0).wide
            if wide > room:
                break
            end += 1
        yield start, end
        start = end + 1


class _Band:
    """Some columns of a picture."""

    def __init__(
        self,
        nodes: Sequence[Node],
        joined: Joined,
        edge: Margins,
        spread: _Spread,
        called: Mapping[str, str],
        side: int,
    ) -> None:
        self.edge = edge
        self.middles = spread.middles
        self.side = side
        self.drawn: set[int] = set()
        """the numbers of the joined pairs that have a line"""
        self.nodes = [node for node in nodes if node.col in self.middles]
        self.at = {(node.col, node.row): node for node in nodes}
        self.joined = [
            (number, one, other)
            for number, (one, other) in enumerate(joined)
            if one.col in self.middles or other.col in self.middles
        ]
        self.canvas = Canvas(spread.wide)
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
            left = self.middles[node.col] - max(0, wide - 1) // 2
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
        head = ""
        for col, middle in self.middles.items():
            head = pad(head, middle) + self.edge.letters.get(col, "")
        head = styled(" " * self.side + head, "dim").rstrip()
        return [head, *body, head] if foot else [head, *body]

    def _straight(self, one: Node, other: Node) -> bool:
        """Draw a line along a row or a column, unless a place is in its way."""
        if one.row == other.row:
            west, east = sorted((one, other), key=lambda node: node.col)
            between = range(west.col + 1, east.col)
            if any((col, one.row) in self.at for col in between):
                return False
            start = self.middles.get(west.col, 0)
            end = self.middles.get(east.col, self.canvas.wide)
            self.canvas.across(start, end, self.top[one.row])
            return True
        if one.col != other.col or one not in self.blocks:
            return False
        north, south = sorted((one, other), key=lambda node: -node.row)
        if any((one.col, row) in self.at for row in range(south.row + 1, north.row)):
            return False
        x = self.middles[one.col]
        self.canvas.down(x, self.blocks[north].bottom + 1, self.blocks[south].top)
        return True
