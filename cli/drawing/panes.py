"""Panes of a full screen: the table, what was told, what can be chosen, in so many lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import attrs

from .text import cut, finished, pad, styled, width

WIDE = 100
"""From so many columns on, the board stands on the left and all else beside it."""
LEAST_BESIDE = 36
MOST_BESIDE = 56
BOARD = 63
"""Columns that a large board needs."""
LEAST_TOLD = 2
_OPTION = re.compile(r"(?<!\S)(\d+)\) ")


@attrs.define
class Panes:
    """What there is to show; lines are made anew for each size of the screen."""

    draw: Callable[[int], list[str]] = lambda _: []
    draw_apart: Callable[[int, int], tuple[list[str], list[str]]] = lambda *_: ([], [])
    menu: Callable[[int], list[str]] = lambda _: []
    told: list[str] = attrs.Factory(list)
    passing: str = ""
    table_from: int = 0
    """lines of the table above the screen"""
    told_back: int = 0
    """lines told later that are not shown"""

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
    beside: int = 0
    """where the pane beside the board begins"""

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
    return _narrow(panes, columns, rows)


def _wide(panes: Panes, columns: int, rows: int) -> Frame:
    right = _beside(columns)
    left = columns - right - 2
    boards, rest = panes.draw_apart(left, right)
    if not boards:
        boards, rest = panes.draw(left), []
    shown, hidden = _window(boards, panes.table_from, rows - 1)
    side, menu_at, menu = _stacked(panes, _compact(rest, rows // 2), right, rows - 1)
    bar = styled("│", "dim")
    lines = [f"{pad(cut(a, left), left)} {bar}{b}" for a, b in zip(shown, side, strict=True)]
    options = {
        menu_at + at: (left + 2, finished(line, color=False)) for at, line in enumerate(menu)
    }
    return Frame((*lines, _status(panes, columns, hidden)), options, hidden, left + 1)


def _narrow(panes: Panes, columns: int, rows: int) -> Frame:
    room = rows - 1
    menu = _cut_short(panes.menu(columns - 1), max(2, room // 3))
    table = _compact(panes.draw(columns - 1), room - len(menu) - LEAST_TOLD)
    high = min(len(table), room - len(menu) - LEAST_TOLD)
    shown, hidden = _window(table, panes.table_from, high)
    told = _tail(panes, room - high - len(menu))
    lines = [*shown, *told, *menu]
    start = len(shown) + len(told)
    options = {start + at: (0, finished(line, color=False)) for at, line in enumerate(menu)}
    fitting = (cut(line, columns) for line in lines)
    return Frame((*fitting, _status(panes, columns, hidden)), options, hidden)


def _stacked(
    panes: Panes, rest: Sequence[str], columns: int, rows: int
) -> tuple[list[str], int, list[str]]:
    """What stands beside the board: the players, what was told, what can be chosen."""
    menu = _cut_short(panes.menu(columns), rows // 3)
    rest = _cut_short(rest, rows - len(menu) - LEAST_TOLD - 2)
    rule = styled("─" * columns, "dim")
    told = _tail(panes, rows - len(rest) - len(menu) - 2)
    lines = [*rest, rule, *told, rule, *menu]
    return [cut(line, columns) for line in lines], len(lines) - len(menu), menu


def _tail(panes: Panes, rows: int) -> list[str]:
    """The last lines that were told, or earlier ones."""
    lines = [line for line in panes.told if line]
    back = min(panes.told_back, max(0, len(lines) - rows))
    end = len(lines) - back
    shown = lines[max(0, end - rows) : end]
    return [*shown, *[""] * (rows - len(shown))]


def _compact(lines: Sequence[str], rows: int) -> list[str]:
    """Without empty lines where there is not enough room."""
    return list(lines) if len(lines) <= rows else [line for line in lines if line]


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
