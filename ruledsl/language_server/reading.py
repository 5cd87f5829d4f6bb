"""Parsing a text again after a small change: stretches that are as before are not read again."""

from __future__ import annotations

from typing import Any, TypeVar

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic, Note
from ruledsl.diagnostics.source import Source, Span
from ruledsl.syntax import ast
from ruledsl.syntax.parser import Parsed, Stretch, parse, read_stretch
from ruledsl.syntax.scan import Comment

Moved = TypeVar("Moved")

_MOVING = (ast.Node, Diagnostic, Note, Comment)
_FIELDS: dict[type, tuple[str, ...]] = {}


class KeptTexts:
    """The last text of each file, and what was read in it."""

    def __init__(self) -> None:
        self._parsed: dict[str, tuple[str, Parsed]] = {}
        self._stretches: dict[str, dict[str, list[tuple[int, Stretch]]]] = {}

    def parse(self, source: Source) -> Parsed:
        last = self._parsed.get(source.name)
        if last is not None and last[0] == source.text:
            return last[1]
        reading = _Reading(self._stretches.get(source.name, {}))
        parsed = parse(source, reading.read)
        self._stretches[source.name] = reading.read_now
        self._parsed[source.name] = (source.text, parsed)
        return parsed

    def copy(self) -> KeptTexts:
        """The same to begin with, for trying something out."""
        other = KeptTexts()
        other._parsed, other._stretches = dict(self._parsed), dict(self._stretches)
        return other

    def forget(self, name: str) -> None:
        self._parsed.pop(name, None)
        self._stretches.pop(name, None)


class _Reading:
    def __init__(self, before: dict[str, list[tuple[int, Stretch]]]) -> None:
        self._before = before
        self.read_now: dict[str, list[tuple[int, Stretch]]] = {}

    def read(self, file: str, text: str, line: int) -> Stretch:
        known = self._before.get(text, ())
        stretch = next((found for at, found in known if at == line), None)
        if stretch is None:
            stretch = (
                _moved_stretch(known[0][1], line - known[0][0])
                if known
                else read_stretch(file, text, line)
            )
        self.read_now.setdefault(text, []).append((line, stretch))
        return stretch


def _moved_stretch(stretch: Stretch, lines: int) -> Stretch:
    return Stretch(
        moved(stretch.outcomes, lines),
        moved(stretch.comments, lines),
        {first + lines: last + lines for first, last in stretch.wrapped.items()},
    )


def moved(part: Moved, lines: int) -> Moved:
    """Something read from a text, as it would be so many lines further down."""
    result: Any = _moved(part, lines)
    return result  # type: ignore[no-any-return]


def _moved(part: Any, lines: int) -> Any:
    if type(part) is Span:
        return Span(
            part.file, part.line + lines, part.column, part.end_line + lines, part.end_column
        )
    if type(part) is tuple:
        return tuple([_moved(each, lines) for each in part])
    if not isinstance(part, _MOVING):
        return part
    # Made without its constructor, field by field: there are thousands of nodes to move.
    kind = type(part)
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in attrs.fields(kind))
    copy = kind.__new__(kind)
    for name in _FIELDS[kind]:
        object.__setattr__(copy, name, _moved(getattr(part, name), lines))
    return copy
