"""Source texts and the places in them that diagnostics point at."""

from __future__ import annotations

from bisect import bisect_right

import attrs


@attrs.frozen(order=True)
class Span:
    """A stretch of one source; lines and columns count from 1, the end column is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def first(self, columns: int) -> Span:
        """The first columns of this span: a word at its start."""
        return Span(self.file, self.line, self.column, self.line, self.column + columns)

    def to(self, other: Span) -> Span:
        """The stretch from the start of this span to the end of the other."""
        return Span(self.file, self.line, self.column, other.end_line, other.end_column)

    def lower(self, lines: int) -> Span:
        """The same so many lines further down."""
        line, end_line = self.line + lines, self.end_line + lines
        return Span(self.file, line, self.column, end_line, self.end_column)


NOWHERE = Span("", 0, 0, 0, 0)


@attrs.frozen
class LineNumbers:
    """How the lines of a text are numbered: 1, 2, 3, or each stretch by numbers of its own.

    Whoever reads a text again and again numbers each stretch from a start that it keeps while
    others grow and shrink, so that what is known about it stays true to the letter. Numbers always
    rise with the text.
    """

    starts: tuple[int, ...] = ()
    """the number of each stretch's first line"""
    lines: tuple[int, ...] = ()
    """which line of the text that is, counted from 1"""

    def line(self, number: int) -> int:
        """Which line of the text has a number."""
        at = bisect_right(self.starts, number) - 1
        return number if at < 0 else number - self.starts[at] + self.lines[at]

    def number(self, line: int) -> int:
        """The number of a line of the text."""
        at = bisect_right(self.lines, line) - 1
        return line if at < 0 else line - self.lines[at] + self.starts[at]

    def in_text(self, span: Span) -> Span:
        """A span by the lines of the text."""
        line, end_line = self.line(span.line), self.line(span.end_line)
        return Span(span.file, line, span.column, end_line, span.end_column)


IN_ORDER = LineNumbers()


@attrs.frozen
class Source:
    """A named text: a file, standard input, or a string in a test."""

    name: str
    text: str
    numbers: LineNumbers = attrs.field(default=IN_ORDER, eq=False, repr=False)

    def line(self, number: int) -> str:
        """The text of the line with a number, or nothing past the end."""
        lines, at = self.text.split("\n"), self.numbers.line(number)
        return lines[at - 1].rstrip("\r") if 1 <= at <= len(lines) else ""

    def lines(self, span: Span) -> list[str]:
        """What stands in a span, line by line."""
        there = self.numbers.in_text(span)
        lines = self.text.split("\n")[there.line - 1 : there.end_line]
        if lines:
            lines[-1] = lines[-1][: there.end_column - 1]
            lines[0] = lines[0][there.column - 1 :]
        return lines
