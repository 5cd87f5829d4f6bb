"""The line on which a statement begins: what a finding about the whole of it points at."""

from __future__ import annotations

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model.game import CheckedGame


def first_line(game: CheckedGame, span: Span) -> Span:
    """The first line of a span, without the comment at its end."""
    if span.line == span.end_line or span.file not in game.sources:
        return span
    text = game.sources[span.file].line(span.line).partition(" #")[0].rstrip()
    return attrs.evolve(span, end_line=span.line, end_column=len(text) + 1)
