"""Text with colours, measured in the columns of a terminal.

Styles are single characters of the private use area around a stretch of text; they take no column,
and only `finished` turns them into what a terminal understands, or drops them.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Literal, TypeAlias

from ruledsl.diagnostics.wording import printable
from ruledsl.scene import letters

_SHADES = {
    "red": ((226, 39, 39), 131),
    "orange": ((195, 83, 0), None),
    "yellow": ((143, 115, 0), None),
    "green": ((29, 135, 48), 29),
    "teal": ((0, 131, 131), None),
    "blue": ((40, 110, 240), 63),
    "violet": ((152, 81, 223), 98),
    "pink": ((211, 49, 138), 163),
    "brown": ((169, 100, 53), None),
    "beige": ((141, 112, 80), None),
    "gold": ((160, 107, 0), None),
    "silver": ((118, 118, 118), 243),
    "grey": ((118, 118, 118), 243),
}
"""Colours by name: of such a lightness that they can be read on black and on white, as red, green
and blue, and as one of 256 where that can be. Black and white have none: text has it anyway."""
_PLAIN = {"bold": "1", "fresh": "4", "alarm": "1", "good": "1"}
_HUES = {"alarm": "red", "good": "green", "dim": "grey"}
STYLES = (*_PLAIN, "dim", *_SHADES)

_FIRST = 0xE000
_CODES = {style: chr(_FIRST + number) for number, style in enumerate(STYLES)}
_END = chr(_FIRST + len(STYLES))
_BLANK = chr(_FIRST + len(STYLES) + 1)
_WIDE_OR_NOT = re.compile(r"[^\x00-\x7f]")
_TO_NOTHING = dict.fromkeys(map(ord, (*_CODES.values(), _END)))

Depth: TypeAlias = Literal["none", "few", "256", "all"]
"""How many colours a terminal shows; with few of them, nobody knows which they are."""


def shades(depth: Depth) -> dict[str, tuple[int, int, int]]:
    """The colours that are used with so many, as red, green and blue."""
    if depth in ("none", "few"):
        return {}
    return {name: rgb for name, (rgb, code) in _SHADES.items() if depth == "all" or code}


def _ansi(style: str, depth: Depth) -> str:
    rgb, code = _SHADES.get(_HUES.get(style, style), (None, None))
    parts = [_PLAIN[style]] if style in _PLAIN else []
    if depth == "all" and rgb is not None:
        parts.append(f"38;2;{';'.join(map(str, rgb))}")
    elif depth == "256" and code is not None:
        parts.append(f"38;5;{code}")
    return f"\x1b[{';'.join(parts)}m" if parts else ""


_TO_ANSI: dict[Depth, dict[int, str]] = {
    depth: {
        **{ord(code): _ansi(style, depth) for style, code in _CODES.items()},
        ord(_END): "\x1b[0m",
    }
    for depth in ("few", "256", "all")
}


def styled(text: str, style: str) -> str:
    """The text in a style, word by word, so that it can be wrapped anywhere."""
    return " ".join(f"{_CODES[style]}{word}{_END}" if word else "" for word in text.split(" "))


def coloured(text: str, colour: str | None) -> str:
    """The text in a colour of looks, if it can be shown."""
    return styled(text, colour) if colour in _SHADES else text


def plain(text: str) -> str:
    """The text without styles."""
    return text.translate(_TO_NOTHING)


def safe(text: str) -> str:
    """A text from a rules file or a person: it can neither steer the terminal nor set styles."""
    return printable(" ".join(plain(text).split()))


def together(text: str) -> str:
    """The text as one word that is never broken at its blanks."""
    return text.replace(" ", _BLANK)


def finished(text: str, *, color: bool, depth: Depth | None = None) -> str:
    """A line as it goes to the terminal."""
    shown: Depth = (depth or depth_of(os.environ)) if color else "none"
    table = _TO_NOTHING if shown == "none" else _TO_ANSI[shown]
    return text.replace(_BLANK, " ").translate(table)


def depth_of(environment: Mapping[str, str]) -> Depth:
    """How many colours the terminal shows, as far as it says."""
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return "all"
    return "256" if "256color" in environment.get("TERM", "") else "few"


def width(text: str) -> int:
    """The columns a text takes."""
    if text.isascii():
        return len(text)
    shown = plain(text)
    return len(shown) + sum(_columns(letter) - 1 for letter in _WIDE_OR_NOT.findall(shown))


@lru_cache(maxsize=10_000)
def _columns(letter: str) -> int:
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
    name, number = numbered(text)
    if not number or len(number) >= columns:
        return cut(text, columns)
    return name[: columns - len(number)] + number


def numbered(text: str) -> tuple[str, str]:
    """A name and the number at its end, if it has one."""
    found = re.fullmatch(r"(.*?)\s*(\d+)", plain(text))
    return (found[1], found[2]) if found else (plain(text), "")


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """The text in lines; those after the first are indented. Blanks between columns stay."""
    if width(text) <= columns:
        return [text]
    line = text[: len(text) - len(text.lstrip(" "))]
    lines: list[str] = []
    fresh = True
    room = columns - len(indent)
    words = (
        part
        for word in text.split(" ")
        # What should stay together but is longer than a line is broken at its blanks.
        for part in (word.split(_BLANK) if width(word) > room else [word])
    )
    for word in words:
        if fresh and not word:
            continue
        if not fresh and width(line) + 1 + width(word) > columns:
            lines.append(line.rstrip(" "))
            line, fresh = indent, True
            if not word:
                continue
        line += word if fresh else f" {word}"
        fresh = False
        while width(line) > columns:
            head, line = _broken(line, columns)
            lines.append(head)
            line = indent + line
    return [*lines, line.rstrip(" ") if lines else line]


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


def fitted(items: Iterable[str], columns: int, gap: str = "  ") -> list[str]:
    """Items in as few lines as may be: each in the first one that has room for it."""
    lines: list[str] = []
    for item in items:
        for at, line in enumerate(lines):
            if width(line) + width(gap) + width(item) <= columns:
                lines[at] = f"{line}{gap}{item}"
                break
        else:
            lines += wrap(item, columns, "  ")
    return lines


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


def shared_words(names: Sequence[str]) -> str:
    """The words that all names begin with, if each has more."""
    if len(names) < 2:
        return ""
    words = zip(*(name.split(" ")[:-1] for name in names), strict=False)
    return " ".join(each[0] for each in takewhile(lambda same: len(set(same)) == 1, words))


def initials(labels: Sequence[str]) -> dict[str, str]:
    """A short name for each label, whatever its style."""
    found = letters.initials([plain(label) for label in labels])
    return {label: found[plain(label)] for label in labels}
