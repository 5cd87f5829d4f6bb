"""Panes of a full screen: the table, what was told, what can be chosen, in so many lines.

Where there is little room the table is drawn densely, then the menu gets brief, then one scrolls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs

from .artist import Room
from .text import cut, finished, pad, styled, width, wrap

WIDE = 100
"""From so many columns on, the board stands on the left and all else beside it."""
LEAST_BESIDE = 36
LEAST_SIDES = 74
"""With fewer columns than this nothing stands beside the board."""
MOST_BESIDE = 56
BOARD = 63
"""Columns that a large board needs."""
LEAST_TOLD = 1
WANTED_TOLD = 8
"""Lines of what was told that the table makes room for beside it; below it, fewer."""
WANTED_BELOW = 3
_OPTION = re.compile(r"(?<!\S)(\d+)\) ")


Draw: TypeAlias = Callable[[int, int | None], list[str]]
"""Draws a table in some columns, and if it can be, in some rows."""
DrawApart: TypeAlias = Callable[[Room, Room], tuple[list[str], list[str]]]
"""Draws its boards in one room and all else in another."""


@attrs.frozen
class Told:
    """A text for the log; lines after its first are indented."""

    text: str
    indent: str = ""


@attrs.frozen
class MenuRoom:
    """What a menu may take: `brief` is as short as can be."""

    columns: int
    rows: int | None = None
    brief: bool = False


@attrs.define
class Panes:
    """What there is to show; lines are made anew for each size of the screen."""

    draw: Draw = lambda *_: []
    draw_apart: DrawApart = lambda *_: ([], [])
    menu: Callable[[MenuRoom], list[str]] = lambda _: []
    told: list[Told] = attrs.Factory(list)
    read: int = 0
    """how many of them were read before the present question"""
    passing: str = ""
    table_from: int = 0
    """lines of the table above the screen"""
    told_back: int = 0
    """lines told later that are not shown"""
    reading: int | None = None
    """from which of the new lines on these stand in the menu's place, until they are read"""
    beside: tuple[tuple[object, ...], bool] = ((), False)
    """whether things stand beside the board of a screen that is not wide: for what was decided"""

    def told_columns(self, columns: int) -> int:
        return _beside(columns) if columns >= WIDE else columns - 1


@attrs.frozen
class Frame:
    """A picture of the whole screen."""

    lines: tuple[str, ...]
    options: dict[int, tuple[int, str]]
    """the rows in which options stand, each from a column on"""
    hidden: int = 0
    """lines of the table that are not shown"""
    lacking: int = 0
    """how many lines of it, and options, are not shown"""
    beside: int = 0
    """where the pane beside the board begins"""
    told: int = 0
    """rows for what was told"""
    new: int = 0
    """lines of what was told that were not read before the present question"""

    def option_at(self, column: int, row: int) -> int | None:
        """The number of the option that stands there."""
        if row not in self.options:
            return None
        start, text = self.options[row]
        found = None
        for option in _OPTION.finditer(text):
            if start + option.start() <= column < start + len(text.rstrip()):
                found = int(option[1])
        return found


def _beside(columns: int) -> int:
    return max(LEAST_BESIDE, min(MOST_BESIDE, columns - BOARD - 1))


def framed(panes: Panes, columns: int, rows: int) -> Frame:
    """The panes in a picture of exactly so many rows."""
    if columns >= WIDE:
        return _wide(panes, columns, rows)
    decided = (panes.draw, panes.menu, columns, rows)
    if panes.beside[0] != decided:
        panes.beside = (decided, _shows_more_beside(panes, columns, rows))
    return (_wide if panes.beside[1] else _narrow)(panes, columns, rows)


def _shows_more_beside(panes: Panes, columns: int, rows: int) -> bool:
    """Whether a screen shows more with things beside the board than with all below each other; it
    is the same while news are read as for the question that follows."""
    asking = attrs.evolve(panes, reading=None)
    lacking = _narrow(asking, columns, rows).lacking
    if not lacking or columns < LEAST_SIDES:
        return False
    return _wide(asking, columns, rows).lacking < lacking


def printed(panes: Panes, columns: int, rows: int | None) -> list[str]:
    """The table and what can be chosen, one below the other.

    Where they take more rows than the terminal has, they are dense and brief, and if that is still
    too much, beside each other on a wide one.
    """
    lines = [*panes.draw(columns, None), "", *panes.menu(MenuRoom(columns))]
    if rows is None or len(lines) <= rows:
        return lines
    menu = panes.menu(MenuRoom(columns, brief=True))
    dense = [*panes.draw(columns, rows - len(menu)), *menu]
    if len(dense) <= rows or columns + 1 < WIDE:
        return dense
    sides = _Sides(panes, columns, rows, told=0)
    return [line.rstrip() for line in sides.lines()]


class _Sides:
    """The boards on the left; on the right all else, with some rows for what was told."""

    def __init__(self, panes: Panes, columns: int, rows: int, told: int) -> None:
        self.right = _beside(columns)
        self.left = columns - self.right - 2
        self.ruled = bool(told)
        for brief in (False, True):
            self.menu = (
                []
                if panes.reading is not None
                else panes.menu(MenuRoom(self.right, rows // 2 if told else None, brief))
            )
            room = rows - len(self.menu) - told - 2 * self.ruled
            wanted = room - (WANTED_TOLD - told if told else 0)
            boards, rest = panes.draw_apart(Room(self.left, rows), Room(self.right, wanted))
            if len(rest) <= room:
                break
        if not boards:
            boards, rest = panes.draw(self.left, rows), []
        self.boards = boards
        self.ruled = self.ruled and len(rest) <= room
        self.rest = _cut_short(rest, rows - len(self.menu) - told) if told else rest
        free = rows - len(self.rest) - told - 2 * self.ruled
        if told and panes.reading is None and free > len(self.menu):
            self.menu = panes.menu(MenuRoom(self.right, free, brief))
        self.cut = _cut_of_menu(panes, self.right, self.menu)
        if len(rest) > len(self.rest):
            self.cut += rows  # One can't even scroll to it.

    def lines(self) -> list[str]:
        """Both sides as they are."""
        beside = [*self.rest, *self.menu]
        high = max(len(self.boards), len(beside))
        boards = [*self.boards, *[""] * (high - len(self.boards))]
        return self.joined(boards, [*beside, *[""] * (high - len(beside))])

    def joined(self, boards: Sequence[str], beside: Sequence[str]) -> list[str]:
        bar = styled("│", "dim")
        return [
            f"{pad(cut(one, self.left), self.left)} {bar}{cut(other, self.right)}"
            for one, other in zip(boards, beside, strict=True)
        ]


def _wide(panes: Panes, columns: int, rows: int) -> Frame:
    room = rows - 1
    sides = _Sides(panes, columns, room, LEAST_TOLD)
    shown, hidden = _window(sides.boards, panes.table_from, room)
    rule = [styled("─" * sides.right, "dim")] if sides.ruled else []
    high = room - len(sides.rest) - len(sides.menu) - 2 * len(rule)
    told, new = _told(panes, sides.right, high)
    beside = [*sides.rest, *rule, *told, *rule, *sides.menu]
    menu_at = len(beside) - len(sides.menu)
    options = {
        menu_at + at: (sides.left + 2, finished(line, color=False))
        for at, line in enumerate(sides.menu)
    }
    lines = (*sides.joined(shown, beside), _status(panes, columns, hidden))
    return Frame(lines, options, hidden, hidden + sides.cut, sides.left + 1, high, new)


def _narrow(panes: Panes, columns: int, rows: int) -> Frame:
    room = rows - 1
    most = max(3, room // 3)
    for brief, high in ((False, most), (True, most), (True, most // 2 + 1)):
        menu = [] if panes.reading is not None else panes.menu(MenuRoom(columns - 1, high, brief))
        # What was told takes the place of the menu, not more, and it too gives way to the table.
        below = len(menu) if panes.reading is None else high
        table = panes.draw(columns - 1, room - below - WANTED_BELOW)
        if len(table) <= room - below - LEAST_TOLD:
            break
    high = min(len(table), room - below - LEAST_TOLD)
    shown, hidden = _window(table, panes.table_from, high)
    told, new = _told(panes, columns - 1, room - high - len(menu))
    lines = [*shown, *told, *menu]
    start = len(shown) + len(told)
    options = {start + at: (0, finished(line, color=False)) for at, line in enumerate(menu)}
    fitting = (cut(line, columns) for line in lines)
    status = _status(panes, columns, hidden)
    lacking = hidden + _cut_of_menu(panes, columns - 1, menu)
    return Frame((*fitting, status), options, hidden, lacking, told=len(told), new=new)


def _cut_of_menu(panes: Panes, columns: int, shown: Sequence[str]) -> int:
    """How many options a menu leaves out."""
    if panes.reading is not None:
        return 0
    every = panes.menu(MenuRoom(columns, brief=True))
    whole, part = (
        sum(len(_OPTION.findall(finished(line, color=False))) for line in lines)
        for lines in (every, shown)
    )
    return max(0, whole - part)


def _told(panes: Panes, columns: int, rows: int) -> tuple[list[str], int]:
    """What was told: the last lines, or earlier ones; and how many of all are new."""
    old, new = (
        [line for each in part for line in wrap(each.text, columns, each.indent) if line]
        for part in (panes.told[: panes.read], panes.told[panes.read :])
    )
    if panes.reading is not None:
        shown = new[panes.reading : panes.reading + rows]
    else:
        lines = [*old, *new]
        back = min(panes.told_back, max(0, len(lines) - rows))
        end = len(lines) - back
        shown = lines[max(0, end - rows) : end]
    return [*shown, *[""] * (rows - len(shown))], len(new)


def _window(lines: Sequence[str], start: int, rows: int) -> tuple[list[str], int]:
    """Some of the lines, and how many are too many."""
    hidden = max(0, len(lines) - rows)
    start = min(start, hidden)
    shown = list(lines[start : start + rows])
    return [*shown, *[""] * (rows - len(shown))], hidden


def _cut_short(lines: Sequence[str], rows: int) -> list[str]:
    if len(lines) <= rows:
        return list(lines)
    return [*lines[: max(0, rows - 1)], styled("…", "dim")]


def _status(panes: Panes, columns: int, hidden: int) -> str:
    """A line for what passes by, and for what is out of sight."""
    more = "" if not hidden else f"PgUp/PgDn: {min(panes.table_from, hidden)}/{hidden}"
    room = columns - width(more) - 1
    text = pad(cut(panes.passing, room), room)
    return f"{text}{styled(more, 'dim')}"
