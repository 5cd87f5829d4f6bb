"""Text to be laid out on one line or on several: groups break as a whole, outer ones first."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TypeAlias, assert_never

import attrs

INDENT = 4


@attrs.frozen
class Cat:
    """One after the other."""

    parts: tuple[Doc, ...]


@attrs.frozen
class Break:
    """Where the enclosing group goes on in the next line if it is broken; else the text."""

    flat: str


@attrs.frozen
class Wrap:
    """A text after which a broken group goes on in the next line only if the next part must."""

    text: str


@attrs.frozen
class IfBroken:
    """A text that is only there if the enclosing group is broken."""

    text: str


@attrs.frozen
class Nest:
    """Lines begun in it are indented further."""

    inner: Doc


@attrs.frozen
class Group:
    """Stands on one line if it fits, else it is broken."""

    inner: Doc


Doc: TypeAlias = str | Cat | Break | Wrap | IfBroken | Nest | Group

SOFT = Break("")
BLANK = Break(" ")


def cat(*parts: Doc) -> Doc:
    return Cat(parts)


def joined(items: Iterable[Doc], *between: Doc) -> Doc:
    """The items with something between each two."""
    parts: list[Doc] = []
    for item in items:
        if parts:
            parts.extend(between)
        parts.append(item)
    return Cat(tuple(parts))


def enclosed(opening: str, inner: Doc, closing: str) -> Doc:
    """Something in brackets, on further lines if it must be."""
    return Group(cat(opening, Nest(cat(SOFT, inner)), closing))


Command: TypeAlias = tuple[int, bool, Doc]
"""An indentation, whether the enclosing group is broken, and what to lay out."""


def render(doc: Doc, indent: int, width: int, hang: int = 0) -> list[str]:
    """The lines of a text that begins at an indentation, at most `width` wide if that can be.

    Further lines are indented by `hang` more.
    """
    lines: list[str] = []
    line = " " * indent
    todo: list[Command] = [(indent + hang, True, doc)]
    while todo:
        level, broken, part = todo.pop()
        match part:
            case str():
                line += part
            case Cat():
                todo.extend((level, broken, inner) for inner in reversed(part.parts))
            case Break():
                if broken:
                    lines.append(line)
                    line = " " * level
                else:
                    line += part.flat
            case Wrap():
                line += part.text
                _, _, following = todo[-1]
                room = width - len(line)
                if broken and not fits((level, False, following), todo, len(todo) - 1, room):
                    lines.append(line.rstrip())
                    line = " " * level
            case IfBroken():
                line += part.text if broken else ""
            case Nest():
                todo.append((level + INDENT, broken, part.inner))
            case Group():
                fit = fits((level, False, part.inner), todo, len(todo), width - len(line))
                todo.append((level, not fit, part.inner))
            case _:
                assert_never(part)
    return [*lines, line]


def fits(first: Command, rest: Sequence[Command], count: int, room: int) -> bool:
    """Whether the first part, and of the rest what must follow on its line, are short enough.

    The first `count` of the rest count, the last of these comes first.
    """
    todo = [first]
    while room >= 0:
        if not todo:
            if count == 0:
                return True
            count -= 1
            todo.append(rest[count])
        level, broken, part = todo.pop()
        match part:
            case str():
                room -= len(part)
            case Cat():
                todo.extend((level, broken, inner) for inner in reversed(part.parts))
            case Break():
                if broken:
                    return True
                room -= len(part.flat)
            case Wrap():
                room -= len(part.text.rstrip() if broken else part.text)
                if broken:
                    return room >= 0
            case IfBroken():
                room -= len(part.text) if broken else 0
            case Nest() | Group():
                todo.append((level, broken, part.inner))
            case _:
                assert_never(part)
    return False


def flat(doc: Doc) -> str:
    """The text on one line, however long."""
    return "".join(render(doc, 0, sys.maxsize))
