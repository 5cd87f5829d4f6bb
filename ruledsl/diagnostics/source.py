"""Source texts and the places in them that diagnostics point at."""

from __future__ import annotations

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


NOWHERE = Span("", 0, 0, 0, 0)


@attrs.frozen
class Source:
    """A named text: a file, standard input, or a string in a test."""

    name: str
    text: str

    def line(self, number: int) -> str:
        """The text of a line, or nothing past the end."""
        lines = self.text.split("\n")
        return lines[number - 1].rstrip("\r") if 1 <= number <= len(lines) else ""
