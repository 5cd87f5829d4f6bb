"""Errors in the rules that only a table or a game shows, with the place in the rules."""

from __future__ import annotations

from ruledsl.diagnostics.source import Span


class RulesError(Exception):
    """The rules went wrong while they were carried out.

    `kind` names the guard that fired; the span is where in the rules.
    """

    def __init__(self, kind: str, message: str, span: Span) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.span = span

    @property
    def placed(self) -> str:
        """The message with its place in the rules."""
        return f"{self.span.file}:{self.span.line}: {self.message}"
