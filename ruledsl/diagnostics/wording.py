"""Words as they may be shown: without what steers a terminal, and with numbers that agree."""

from __future__ import annotations

from ruledsl.diagnostics.invisible import visible

TAB = "    "


def printable(text: str) -> str:
    """The text as it may go to a terminal: what would steer the terminal becomes visible."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(cell_of(char) for char in text)


def cell_of(char: str) -> str:
    """What is shown for a character."""
    return TAB if char == "\t" else visible(char)


def amount(number: int, noun: str) -> str:
    """`1 file`, `2 files`"""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
