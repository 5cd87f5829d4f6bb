"""What the engine does not compile; the interpreter plays it."""

from __future__ import annotations

from ruledsl.diagnostics.source import NOWHERE, Span

MOST_SEATS = 31
"""Seats are bits of a number, whose last is its sign."""
MOST_MEMORY = 256 << 20
"""Bytes that a module may have."""
MOST_CODE = 64 << 10
"""Bytes of the code of one function: compiling a long one takes memory out of all proportion."""


class Unsupported(Exception):
    """Rules that can't be compiled: why, and where."""

    def __init__(self, reason: str, span: Span = NOWHERE) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span

    @property
    def placed(self) -> str:
        """The reason with its place in the rules."""
        if self.span == NOWHERE:
            return self.reason
        return f"{self.span.file}:{self.span.line}: {self.reason}"

    def __reduce__(self) -> tuple[type[Unsupported], tuple[str, Span]]:
        """So that it comes through from another process."""
        return Unsupported, (self.reason, self.span)
