"""Texts as an editor shows them: lines, places in them, and changes to them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property

import attrs

from ruledsl.diagnostics.source import Source, Span

WORD = re.compile(r"[^\W\d]\w*")


@attrs.frozen
class Place:
    """Between two characters of a text; lines and columns count from 1, as in spans."""

    line: int
    column: int

    def within(self, span: Span) -> bool:
        """Whether a cursor here touches the span."""
        start, end = (span.line, span.column), (span.end_line, span.end_column)
        return start <= (self.line, self.column) <= end


@attrs.frozen
class Edit:
    """A stretch of a text, and what takes its place."""

    span: Span
    text: str


@attrs.frozen(eq=False, slots=False)
class Text:
    """A source by its lines."""

    source: Source

    @cached_property
    def lines(self) -> list[str]:
        return self.source.text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")

    def line(self, number: int) -> str:
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else ""

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        return Span(self.source.name, line, column, end_line, end_column)

    def at(self, place: Place) -> Span:
        """The empty stretch at a place."""
        return self.span(place.line, place.column, place.line, place.column)

    def whole_line(self, number: int) -> Span:
        """A line without its end."""
        return self.span(number, 1, number, len(self.line(number)) + 1)

    def full_lines(self, first: int, last: int) -> Span:
        """Lines with their ends, so that nothing of them stays when they are deleted."""
        if last < len(self.lines):
            return self.span(first, 1, last + 1, 1)
        return self.span(first, 1, last, len(self.line(last)) + 1)

    @property
    def all(self) -> Span:
        return self.span(1, 1, len(self.lines), len(self.lines[-1]) + 1)

    def text_of(self, span: Span) -> str:
        return self.text[self.offset(span.line, span.column) : self._end(span)]

    @cached_property
    def text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line) + 1)
        return starts

    def offset(self, line: int, column: int) -> int:
        """Where a place is in the text; places outside are moved to the nearest inside."""
        number = min(max(line, 1), len(self.lines))
        if number != line:
            return 0 if line < 1 else len(self.text)
        return self._starts[number - 1] + min(column - 1, len(self.lines[number - 1]))

    def _end(self, span: Span) -> int:
        return self.offset(span.end_line, span.end_column)

    def word_at(self, place: Place) -> tuple[str, Span]:
        """The word that a cursor touches, which may be empty."""
        for match in WORD.finditer(self.line(place.line)):
            if match.start() + 1 <= place.column <= match.end() + 1:
                columns = (match.start() + 1, match.end() + 1)
                return match[0], self.span(place.line, columns[0], place.line, columns[1])
        return "", self.at(place)

    def applied(self, edits: Iterable[Edit]) -> str:
        """The text with some stretches exchanged, none of which overlap."""
        text = self.text
        ordered = sorted(edits, key=lambda edit: (edit.span.line, edit.span.column), reverse=True)
        for edit in ordered:
            start = self.offset(edit.span.line, edit.span.column)
            text = text[:start] + edit.text + text[self._end(edit.span) :]
        return text
