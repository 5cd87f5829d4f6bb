"""A picture of blocks of text with lines between them, drawn where nothing else stands."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import attrs

from .text import styled, width

_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8
_STEPS = {_NORTH: (0, -1), _EAST: (1, 0), _SOUTH: (0, 1), _WEST: (-1, 0)}
_BACK = {_NORTH: _SOUTH, _SOUTH: _NORTH, _EAST: _WEST, _WEST: _EAST}
_SIGNS = dict(
    zip(
        range(16),
        ("", "│", "─", "╰", "│", "│", "╭", "├", "─", "╯", "─", "┴", "╮", "┤", "┬", "┼"),
        strict=True,
    )
)
_BEND, _CROSSING, _TOUCHING = 2, 6, 5
"""What a way costs more than a step: a bend, a line crossed, a place passed closely."""
_MOST_COST = 60


@attrs.frozen
class Block:
    """Lines of text, each in the middle of the block's width."""

    left: int
    top: int
    wide: int
    lines: tuple[str, ...]

    @property
    def right(self) -> int:
        return self.left + self.wide - 1

    @property
    def bottom(self) -> int:
        return self.top + max(1, len(self.lines)) - 1

    def spot(self, number: int) -> int:
        """Where a line of the text begins."""
        return self.left + (self.wide - width(self.lines[number])) // 2


class Canvas:
    """So many columns wide; as high as need be."""

    def __init__(self, wide: int) -> None:
        self.wide = wide
        self._blocks: dict[int, dict[int, str]] = {}
        self._full: dict[tuple[int, int], Block] = {}
        self._ways: dict[tuple[int, int], int] = {}
        self._slopes: dict[tuple[int, int], str] = {}

    def put(self, block: Block) -> None:
        for number, text in enumerate(block.lines):
            y, x = block.top + number, block.spot(number)
            self._blocks.setdefault(y, {})[x] = text
            self._full |= {(at, y): block for at in range(x, x + width(text))}

    def across(self, start: int, end: int, y: int) -> None:
        for x in range(start, end):
            if (x, y) not in self._full:
                self._ways[x, y] = self._ways.get((x, y), 0) | _EAST | _WEST

    def down(self, x: int, start: int, end: int) -> None:
        for y in range(start, end):
            if (x, y) not in self._full:
                self._ways[x, y] = self._ways.get((x, y), 0) | _NORTH | _SOUTH

    def line(self, y: int) -> str:
        """A line of the picture."""
        blocks = self._blocks.get(y, {})
        text, lines, x = "", "", 0
        while x < self.wide:
            if x in blocks:
                text += styled(lines, "dim") + blocks[x]
                lines = ""
                x += max(1, width(blocks[x]))
                continue
            lines += self._slopes.get((x, y)) or _SIGNS[self._ways.get((x, y), 0)] or " "
            x += 1
        return (text + styled(lines, "dim")).rstrip()

    # ------------------------------------------------------------ lines with bends

    def join(self, one: Block, other: Block, height: int) -> bool:
        """Draw a line between two blocks that lie neither in a row nor in a column."""
        north, south = sorted((one, other), key=lambda block: block.top)
        return self._slope(north, south) or self._way(one, other, height)

    def _slope(self, north: Block, south: Block) -> bool:
        """A stroke between blocks that touch corners, but for one line between them."""
        y = north.bottom + 1
        if south.top != y + 1:
            return False
        east = south.left > north.left
        x = north.right + 1 if east else north.left - 1
        near = south.left - 1 if east else south.right + 1
        if abs(near - x) > 2:
            return False
        if (x, y) in self._full or (x, y) in self._ways or (x, y) in self._slopes:
            return False
        self._slopes[x, y] = "╲" if east else "╱"
        return True

    def _way(self, one: Block, other: Block, height: int) -> bool:
        """The cheapest way from one block to another through what is free."""
        found: dict[tuple[int, int, int], tuple[int, int, int] | None] = {}
        todo: list[tuple[int, int, int, int, tuple[int, int, int] | None]] = [
            (0, x, y, heading, None) for x, y, heading in _gates(one)
        ]
        heapq.heapify(todo)
        goals = {(x, y, _BACK[heading]) for x, y, heading in _gates(other)}
        while todo:
            cost, x, y, heading, before = heapq.heappop(todo)
            at = (x, y, heading)
            if at in found or cost > _MOST_COST or not self._is_free(x, y, height):
                continue
            found[at] = before
            for turn, (dx, dy) in _STEPS.items():
                if turn == _BACK[heading] or (turn != heading and (x, y) in self._ways):
                    continue
                if (x, y, turn) in goals:
                    self._draw(at, turn, found)
                    return True
                more = 1 + self._cost(x + dx, y + dy, turn, one, other)
                more += _BEND if turn != heading else 0
                heapq.heappush(todo, (cost + more, x + dx, y + dy, turn, at))
        return False

    def _is_free(self, x: int, y: int, height: int) -> bool:
        if not (0 <= x < self.wide and 0 <= y < height):
            return False
        return (x, y) not in self._full and (x, y) not in self._slopes

    def _cost(self, x: int, y: int, heading: int, one: Block, other: Block) -> int:
        ways = self._ways.get((x, y), 0)
        if ways & heading:
            return _MOST_COST  # along another line
        cost = _CROSSING if ways else 0
        for dx, dy in _STEPS.values():
            near = self._full.get((x + dx, y + dy))
            if near is not None and near is not one and near is not other:
                cost += _TOUCHING
        return cost

    def _draw(
        self,
        last: tuple[int, int, int],
        turn: int,
        found: dict[tuple[int, int, int], tuple[int, int, int] | None],
    ) -> None:
        at: tuple[int, int, int] | None = last
        while at is not None:
            x, y, heading = at
            self._ways[x, y] = self._ways.get((x, y), 0) | _BACK[heading] | turn
            turn, at = heading, found[at]


def _gates(block: Block) -> Iterator[tuple[int, int, int]]:
    """The cells around a block from which a line may start, with where it heads."""
    for x in range(block.left, block.right + 1):
        yield x, block.top - 1, _NORTH
        yield x, block.bottom + 1, _SOUTH
    yield block.right + 1, block.top, _EAST
    yield block.left - 1, block.top, _WEST
