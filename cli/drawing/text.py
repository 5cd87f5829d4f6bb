"""Text with colours, measured in the columns of a terminal.

Styles are single characters of the private use area around a stretch of text; they take no column,
and only `finished` turns them into what a terminal understands, or drops them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from ruledsl.diagnostics.wording import printable
from ruledsl.scene import letters

_SEATS = ("36", "33", "35", "32", "31", "94", "96", "93")
_ANSI = {"bold": "1", "dim": "2", "alarm": "1;31", "good": "1;32"}
_ANSI |= {f"seat {number}": code for number, code in enumerate(_SEATS)}

_FIRST = 0xE000
_CODES = {style: chr(_FIRST + number) for number, style in enumerate(_ANSI)}
_END = chr(_FIRST + len(_ANSI))
_BLANK = chr(_FIRST + len(_ANSI) + 1)
_TO_ANSI = {
    **{ord(_CODES[style]): f"\x1b[{code}m" for style, code in _ANSI.items()},
    ord(_END): "\x1b[0m",
}
_TO_NOTHING = dict.fromkeys(_TO_ANSI)


def styled(text: str, style: str) -> str:
    """The text in a style, word by word, so that it can be wrapped anywhere."""
    return " ".join(f"{_CODES[style]}{word}{_END}" if word else "" for word in text.split(" "))


def seat_style(seat: int) -> str:
    """The style of what belongs to a player; `seat` counts from 0."""
    return f"seat {seat % len(_SEATS)}"


def plain(text: str) -> str:
    """The text without styles."""
    return text.translate(_TO_NOTHING)


def safe(text: str) -> str:
    """A text from a rules file or a person: it can neither steer the terminal nor set styles."""
    return printable(" ".join(plain(text).split()))


def together(text: str) -> str:
    """The text as one word that is never broken at its blanks."""
    return text.replace(" ", _BLANK)


def finished(text: str, *, color: bool) -> str:
    """A line as it goes to the terminal."""
    return text.replace(_BLANK, " ").translate(_TO_ANSI if color else _TO_NOTHING)


def width(text: str) -> int:
    """The columns a text takes."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, plain(text)))


def _columns(letter: str) -> int:
    if letter.isascii():
        return 1
    if unicodedata.category(letter) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in ("W", "F") else 1


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """The text filled up with blanks."""
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


def centred(text: str, columns: int) -> str:
    left = max(0, columns - width(text)) // 2
    return pad(" " * left + text, columns)


def cut(text: str, columns: int) -> str:
    """The text, shortened where it is too long; then it loses its style."""
    if width(text) <= columns:
        return text
    shown = ""
    for letter in plain(text):
        if width(shown + letter) >= columns:
            break
        shown += letter
    return shown + "…"


def short(text: str, columns: int) -> str:
    """A name in a few columns; a number at its end stays, for it tells names apart."""
    if width(text) <= columns:
        return text
    found = re.fullmatch(r"(.*?)\s*(\d+)", plain(text))
    if found is None or len(found[2]) >= columns:
        return cut(text, columns)
    return plain(text)[: columns - len(found[2])] + found[2]


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """The text in lines; those after the first are indented."""
    if width(text) <= columns:
        return [text]
    line = text[: len(text) - len(text.lstrip(" "))]
    lines: list[str] = []
    fresh = True
    for word in filter(None, text.split(" ")):
        if not fresh and width(line) + 1 + width(word) > columns:
            lines.append(line)
            line, fresh = indent, True
        line += word if fresh else f" {word}"
        fresh = False
        while width(line) > columns:
            head, line = _broken(line, columns)
            lines.append(head)
            line = indent + line
    return [*lines, line]


def _broken(line: str, columns: int) -> tuple[str, str]:
    """A line that is too long, in two parts; they lose their style."""
    letters = plain(line)
    end = next(at for at in range(1, len(letters) + 1) if width(letters[: at + 1]) > columns)
    return letters[:end], letters[end:]


def flow(items: Iterable[str], columns: int, indent: str = "", gap: str = "  ") -> list[str]:
    """Items one after the other; an item is broken only if it is longer than a line."""
    lines: list[str] = []
    line = ""
    for item in items:
        if line and width(line) + width(gap) + width(item) <= columns:
            line = f"{line}{gap}{item}"
            continue
        if line:
            lines.append(line)
        *full, line = wrap(indent + item if lines else item, columns, indent + "  ")
        lines.extend(full)
    return [*lines, line] if line else lines


def in_columns(items: Sequence[str], columns: int, indent: str = "") -> list[str]:
    """Items below and beside each other, read line by line."""
    if not items:
        return []
    room = columns - len(indent)
    wide = min(room, max(map(width, items)))
    number = max(1, (room + 2) // (wide + 2))
    lines = []
    for start in range(0, len(items), number):
        row = items[start : start + number]
        if number == 1:
            lines.extend(wrap(indent + row[0], columns, indent + "  "))
        else:
            lines.append((indent + "  ".join(pad(item, wide) for item in row)).rstrip())
    return lines


def initials(labels: Sequence[str]) -> dict[str, str]:
    """A short name for each label, whatever its style."""
    found = letters.initials([plain(label) for label in labels])
    return {label: found[plain(label)] for label in labels}
