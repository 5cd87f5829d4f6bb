"""What a repair is, and the small changes of texts that repairs are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.texts import Edit, Place, Text
from ruledsl.syntax import ast


@attrs.frozen
class Repair:
    """One way to mend a mistake, all in one file."""

    title: str
    edits: tuple[Edit, ...]


Mend: TypeAlias = Callable[["Patient"], Iterator[Repair]]
"""Proposes repairs; whether they help is tried out by others."""


@attrs.frozen
class Patient:
    """A mistake in a text."""

    found: Diagnostic
    analysis: Analysis

    @property
    def span(self) -> Span:
        return self.found.span

    @property
    def text(self) -> Text:
        return self.analysis.text

    @property
    def marked(self) -> str:
        """The text that is marked as the mistake."""
        return self.text.text_of(self.span)

    @property
    def line(self) -> str:
        return self.text.line(self.span.line)

    @property
    def indent(self) -> int:
        return len(self.line) - len(self.line.lstrip())

    @property
    def item(self) -> ast.Item | None:
        return self.analysis.item_at(Place(self.span.line, self.span.column))

    # ------------------------------------------------------------ small changes

    def replace(self, text: str, title: str | None = None) -> Repair:
        """Something else in place of what is marked."""
        return Repair(title or f"Write `{text.strip()}`", (Edit(self.span, text),))

    def delete(self, title: str | None = None) -> Repair:
        return Repair(title or f"Delete `{self.marked}`", (Edit(self.span, ""),))

    def insert(self, line: int, column: int, text: str, title: str | None = None) -> Repair:
        at = self.text.at(Place(line, column))
        return Repair(title or f"Add `{text.strip()}`", (Edit(at, text),))

    def before(self, text: str, title: str | None = None) -> Repair:
        return self.insert(self.span.line, self.span.column, text, title)

    def behind(self, text: str, title: str | None = None) -> Repair:
        return self.insert(self.span.end_line, self.span.end_column, text, title)

    def delete_lines(self, first: int, last: int, title: str) -> Repair:
        return Repair(title, (Edit(self.text.full_lines(first, last), ""),))

    def delete_line(self) -> Repair:
        return self.delete_lines(self.span.line, self.span.end_line, "Delete this line")

    def delete_declaration(self, word: str = "Delete this declaration") -> Iterator[Repair]:
        item = self.item
        if item is not None:
            yield self.delete_lines(item.span.line, last_line(item), word)

    def code_end(self, number: int) -> int:
        """The column behind the last thing on a line that is no citation and no comment."""
        line = self.text.line(number)
        plain = re.sub(r'"[^"]*"', lambda match: "_" * len(match[0]), line)
        cut = re.search(r"\s*(?:§|\bassumed\b|#|$)", plain)
        return (cut.start() if cut else len(line.rstrip())) + 1


def last_line(node: ast.Node) -> int:
    """The last line of a declaration; its span ends where the next line begins."""
    span = node.span
    return (
        span.end_line - 1 if span.end_column == 1 and span.end_line > span.line else span.end_line
    )
