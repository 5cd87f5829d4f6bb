"""What names are, for colouring them: more than a pattern of the text can tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import attrs

from ruledsl.diagnostics.source import Span

if TYPE_CHECKING:
    from ruledsl.language_server.analysis import Analysis

TYPES = (
    *("type", "enumMember", "property", "parameter", "variable", "function", "method", "event"),
    *("decorator", "keyword", "struct"),
)
"""What a name can be, in the order in which the protocol numbers them."""

MODIFIERS = ("declaration", "readonly", "defaultLibrary")

_TYPE_OF = {
    "kind": "type",
    "range": "type",
    "value": "enumMember",
    "column": "property",
    "index": "property",
    "state": "property",
    "option": "parameter",
    "history": "variable",
    "define": "function",
    "step": "method",
    "action": "method",
    "trigger": "event",
    "local": "variable",
    "word": "keyword",
}


@attrs.frozen
class Colour:
    span: Span
    type: str
    modifiers: tuple[str, ...]


def colours(analysis: Analysis) -> tuple[Colour, ...]:
    """Each name once, in the order of the text."""
    found: dict[Span, Colour] = {}
    for line in sorted(analysis.occurrences):
        for occurrence in analysis.occurrences[line]:
            sort = occurrence.symbol.sort
            modifiers = tuple(_modifiers(sort, occurrence.declares))
            found.setdefault(occurrence.span, Colour(occurrence.span, _TYPE_OF[sort], modifiers))
    return tuple(_apart(found.values()))


def _modifiers(sort: str, declares: bool) -> Iterator[str]:
    if declares:
        yield "declaration"
    if sort in ("option", "define", "value", "column"):
        yield "readonly"
    if sort == "word":
        yield "defaultLibrary"


def _apart(found: Iterable[Colour]) -> Iterator[Colour]:
    """Without those that overlap the one before."""
    last: Colour | None = None
    for colour in found:
        if last is None or (last.span.line, last.span.end_column) <= (
            colour.span.line,
            colour.span.column,
        ):
            yield colour
            last = colour
