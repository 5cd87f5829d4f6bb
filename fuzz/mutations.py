"""Texts and bytes, changed at random; the same generator makes the same changes."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

PART = re.compile(r'\n *|"[^"\n]*"|§[\w-]+|#[^\n]*|\.\.|[!<>]=|\w+| +|\S')
ODD = (
    *("999999999", "1000000000", "-1", "0", "none", "{}", "( )", "Player(9)", "Player(0)", "you"),
    *("\n", "\n    ", "\n        ", "\t", '"', "§X-1", "\u3164", "\u202e", "\x00", "а", "≤"),
    *("repeat", "together p in Player", "would(x after y)", "can(a by p)", "reveals", "hidden"),
)
SIZES = (1, 1, 1, 2, 2, 3, 5, 8)
ALIKE = (
    frozenset({"+", "-", "*", "/", "mod"}),
    frozenset({"<", ">", "<=", ">=", "=", "!="}),
    frozenset({"and", "or"}),
    frozenset({"any", "every", "no"}),
    frozenset({"count", "sum", "min", "max"}),
    frozenset({"win", "lose", "draw"}),
    frozenset({"move", "deal", "shuffle"}),
    frozenset({"top", "bottom"}),
    frozenset({"hidden", "private", "ordered", "stacked"}),
)
"""Signs and words of which one can mostly stand for another."""
NUMBERS = ("0", "1", "2", "3", "5", "12", "40", "1000", "999999999")


def words_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Every word and sign of some texts, and odd ones."""
    found = {part for text in texts for part in PART.findall(text) if part.strip()}
    return (*sorted(found), *ODD)


def changed_text(text: str, others: Sequence[str], words: Sequence[str], rng: random.Random) -> str:
    """A text with a few changes to its words, lines and declarations."""
    for _ in range(rng.choice(SIZES)):
        way = rng.randrange(8)
        if way == 0:
            text = _spliced(text, rng.choice(others), rng)
        elif way == 1:
            at = rng.randrange(len(text) + 1)
            text = (
                text[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0x3200)))) + text[at:]
            )
        elif way <= 3:
            lines = text.split("\n")
            _change(lines, lines, rng, ("    ", ""))
            text = "\n".join(lines)
        else:
            parts = PART.findall(text)
            _change(parts, words, rng, ())
            text = "".join(parts)
    return text[:20_000]


def changed_slightly(text: str, rng: random.Random) -> str:
    """A text in which a word gives way to one of its kind, or a line moves: often in order."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
        if rng.random() < 0.25:
            lines = text.split("\n")
            _move_line(lines, rng)
            text = "\n".join(lines)
            continue
        parts = PART.findall(text)
        at = rng.randrange(len(parts)) if parts else 0
        for place in (*range(at, len(parts)), *range(at)):
            others = [each for each in _alike(parts[place], parts) if each != parts[place]]
            if others:
                parts[place] = rng.choice(others)
                break
        text = "".join(parts)
    return text


def _alike(part: str, parts: Sequence[str]) -> Sequence[str]:
    """What could stand in place of a part."""
    if part.isdecimal():
        number = int(part)
        return (*NUMBERS, str(number + 1), str(max(0, number - 1)))
    for kind in ALIKE:
        if part in kind:
            return sorted(kind)
    if part.isidentifier():
        return sorted(
            {each for each in parts if each.isidentifier() and _case(each) == _case(part)}
        )
    return ()


def _case(word: str) -> bool:
    return word[0].isupper()


def _move_line(lines: list[str], rng: random.Random) -> None:
    """Delete, double or swap a line, within its block where that is easy."""
    at = rng.randrange(len(lines))
    match rng.randrange(3):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case _ if at + 1 < len(lines):
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
        case _:
            pass


def _spliced(text: str, other: str, rng: random.Random) -> str:
    """A declaration of another text in place of one of this, or between two."""
    own, foreign = text.split("\n\n"), other.split("\n\n")
    at = rng.randrange(len(own))
    own[at : at + rng.randrange(2)] = [rng.choice(foreign)]
    return "\n\n".join(own)


def _change(
    parts: list[str], words: Sequence[str], rng: random.Random, indents: Sequence[str]
) -> None:
    if not parts:
        return
    at, other = rng.randrange(len(parts)), rng.randrange(len(parts))
    match rng.randrange(6):
        case 0:
            del parts[at]
        case 1:
            parts.insert(other, parts[at])
        case 2:
            parts[at], parts[other] = parts[other], parts[at]
        case 3:
            parts[at] = parts[other]
        case 4 if indents:
            parts[at] = rng.choice(indents) + parts[at].lstrip(" ")
        case _:
            parts[at] = rng.choice(words)


def changed_bytes(data: bytes, rng: random.Random) -> bytes:
    """Bytes with a few of them flipped, replaced, cut out or doubled."""
    now = bytearray(data)
    for _ in range(rng.choice(SIZES)):
        if not now:
            return bytes(now)
        at = rng.randrange(len(now))
        length = rng.choice(SIZES)
        match rng.randrange(5):
            case 0:
                now[at] ^= 1 << rng.randrange(8)
            case 1:
                now[at : at + length] = rng.randbytes(length)
            case 2:
                del now[at : at + length]
            case 3:
                now[at:at] = now[at : at + length]
            case _:
                now[at : at + length] = bytes([rng.choice((0, 1, 127, 128, 255))]) * length
    return bytes(now)
