"""Errors in the rules that only a table or a game shows, with the place in the rules."""

from __future__ import annotations

from ruledsl.diagnostics.source import Span
from ruledsl.table.mishaps import Guard, Mishap


class RulesError(Exception):
    """The rules went wrong while they were carried out.

    The mishap names the guard that fired; the span is where in the rules.
    """

    def __init__(self, mishap: Mishap, span: Span) -> None:
        super().__init__(f"{span.file}:{span.line}: {mishap.message}")
        self.mishap = mishap
        self.span = span

    @property
    def kind(self) -> Guard:
        return self.mishap.guard

    @property
    def message(self) -> str:
        return self.mishap.message

    @property
    def placed(self) -> str:
        """The message with its place in the rules."""
        return f"{self.span.file}:{self.span.line}: {self.message}"
