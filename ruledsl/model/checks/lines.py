"""The line on which a statement begins: what a finding about the whole of it points at."""

from __future__ import annotations

import re

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model.game import CheckedGame

_CODE = re.compile(r'(?:[^"#]|"[^"]*")*')
"""What stands before a comment."""


def first_line(game: CheckedGame, span: Span) -> Span:
    """The first line of a span, without the comment at its end."""
    if span.line == span.end_line or span.file not in game.sources:
        return span
    code = _CODE.match(game.sources[span.file].line(span.line))
    assert code is not None, "it may be empty"
    return attrs.evolve(span, end_line=span.line, end_column=len(code[0].rstrip()) + 1)
