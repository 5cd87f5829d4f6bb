"""Parsing a text again after a small change: stretches that are as before are not read again.

Each stretch keeps the number of its first line as long as it is there, whatever grows above it. So
a declaration that nobody touched is the same object in every version of the text, and all that was
found out about it still holds. One that was broken while somebody typed, and is as before again,
gets its number back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic, Note
from ruledsl.diagnostics.source import Source, Span
from ruledsl.model.memory import same
from ruledsl.syntax import ast
from ruledsl.syntax.parser import Parsed, Stretch, parse, read_stretch
from ruledsl.syntax.scan import Comment

Moved = TypeVar("Moved")

ROOM = 1 << 20
"""Numbers of lines that a stretch can't use up: no file that is read is as long."""
APART = ROOM << 20
"""What new stretches are apart, so that others fit in between."""

_MOVING = (ast.Node, Diagnostic, Note, Comment)
_FIELDS: dict[type, tuple[str, ...]] = {}


@attrs.frozen
class _Kept:
    """The last text of a file, and what was read in it."""

    parsed: Parsed
    stretches: tuple[tuple[str, Stretch], ...]


class KeptTexts:
    """The last text of each file, and what was read in it."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._sound: dict[str, dict[str, Stretch]] = {}
        """what stood in the last text of each file that had no mistakes"""
        self._in_text: dict[str, dict[int, tuple[ast.Item, ast.Item]]] = {}

    def parse(self, source: Source) -> Parsed:
        """What a text says, with its lines numbered steadily."""
        last = self._kept.get(source.name)
        if last is not None and last.parsed.source.text == source.text:
            return last.parsed
        sound = self._sound.get(source.name, {})
        reading = _Reading(() if last is None else last.stretches, sound)
        parsed = parse(source, reading.read)
        self._kept[source.name] = _Kept(parsed, reading.read_now)
        return parsed

    def is_sound(self, name: str) -> None:
        """The last text of a file has no mistakes."""
        self._sound[name] = dict(self._kept[name].stretches)

    def in_text(self, parsed: Parsed) -> Parsed:
        """The same by the lines of the text."""
        name, numbers = parsed.source.name, parsed.source.numbers
        last, now = self._in_text.get(name, {}), {}
        for item in parsed.file.items:
            known = last.get(id(item))
            line = numbers.line(item.span.line)
            if known is None or known[0] is not item or known[1].span.line != line:
                known = (item, moved(item, line - item.span.line))
            now[id(item)] = known
        self._in_text[name] = now
        items = tuple(there for _, there in now.values())
        span = items[0].span.to(items[-1].span) if items else parsed.file.span
        lines = {numbers.line(at): numbers.line(to) for at, to in parsed.wrapped.items()}
        return Parsed(
            ast.File(items, span=span),
            tuple(placed(found, numbers.in_text) for found in parsed.diagnostics),
            tuple(attrs.evolve(each, span=numbers.in_text(each.span)) for each in parsed.comments),
            lines,
            Source(name, parsed.source.text),
        )

    def copy(self) -> KeptTexts:
        """The same to begin with, for trying something out."""
        other = KeptTexts()
        other._kept, other._in_text = dict(self._kept), dict(self._in_text)
        other._sound = dict(self._sound)
        return other

    def forget(self, name: str) -> None:
        self._kept.pop(name, None)
        self._sound.pop(name, None)
        self._in_text.pop(name, None)


class _Reading:
    """One reading of a text, after another one of a text that is much the same."""

    def __init__(self, before: Sequence[tuple[str, Stretch]], sound: Mapping[str, Stretch]) -> None:
        self._before = before
        self._sound = sound
        self.read_now: tuple[tuple[str, Stretch], ...] = ()

    def read(self, file: str, parts: Sequence[tuple[str, int]]) -> Sequence[Stretch]:
        before, texts = self._before, [text for text, _ in parts]
        most = min(len(before), len(texts))
        above = next((n for n in range(most) if before[n][0] != texts[n]), most)
        most -= above
        below = next((n for n in range(most) if before[-1 - n][0] != texts[-1 - n]), most)
        between = before[above : len(before) - below]
        middle = texts[above : len(texts) - below]
        starts = self._starts(above, below, middle)
        if starts is None:
            # There is no room left: all get new numbers.
            above = below = 0
            between, middle = before, texts
            starts = [APART * (n + 1) for n in range(len(texts))]
        known = {**self._sound, **dict(between)}
        found = [
            *(old for _, old in before[:above]),
            *(
                self._stretch(file, text, at, known)
                for text, at in zip(middle, starts, strict=True)
            ),
            *(old for _, old in before[len(before) - below :]),
        ]
        self.read_now = tuple(zip(texts, found, strict=True))
        return found

    def _starts(self, above: int, below: int, texts: Sequence[str]) -> list[int] | None:
        """Numbers for the stretches that have changed: the ones they had in the last sound text,
        those of the ones before as far as they go, or others up to what follows."""
        before = self._before
        free = [old.line for _, old in before[above : len(before) - below]]
        low = before[above - 1][1].line if above else 0
        if below:
            high = before[-below][1].line
        else:
            used = (low, *free, *(old.line for old in self._sound.values()))
            high = max(used) + APART * (len(texts) + 1)
        found = [low]
        new = 0
        for text in texts:
            had = self._sound[text].line if text in self._sound else 0
            if found[-1] < had < high:
                found += (*_between(found[-1], had, free, new), had)
                new = 0
            else:
                new += 1
        found += (*_between(found[-1], high, free, new), high)
        has_room = all(after - start >= ROOM for start, after in pairwise(found))
        return found[1:-1] if has_room else None

    def _stretch(self, file: str, text: str, line: int, known: dict[str, Stretch]) -> Stretch:
        if text in known:
            return _lower(known[text], line - known[text].line)
        read = read_stretch(file, text, line)
        for old in known.values():
            if old.line == line and same(old.outcomes, read.outcomes):
                return attrs.evolve(read, outcomes=old.outcomes)
        return read


def _between(low: int, high: int, free: Sequence[int], count: int) -> list[int]:
    """So many numbers between two others: free ones first."""
    found = [number for number in free if low < number < high][:count]
    more = count - len(found)
    low = found[-1] if found else low
    return [*found, *(low + (high - low) * n // (more + 1) for n in range(1, more + 1))]


def _lower(stretch: Stretch, lines: int) -> Stretch:
    if not lines:
        return stretch
    return Stretch(
        stretch.line + lines,
        moved(stretch.outcomes, lines),
        moved(stretch.comments, lines),
        {first + lines: last + lines for first, last in stretch.wrapped.items()},
    )


def placed(found: Diagnostic, place: Callable[[Span], Span]) -> Diagnostic:
    """The same mistake with its places given in another way."""
    notes = tuple(Note(place(note.span), note.text) for note in found.notes)
    return attrs.evolve(found, span=place(found.span), notes=notes)


def moved(part: Moved, lines: int) -> Moved:
    """Something read from a text, as it would be so many lines further down."""
    result: Any = _moved(part, lines) if lines else part
    return result  # type: ignore[no-any-return]


def _moved(part: Any, lines: int) -> Any:
    if type(part) is Span:
        return part.lower(lines) if part.line else part
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
