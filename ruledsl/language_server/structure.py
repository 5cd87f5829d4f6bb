"""The shape of a text: what can be folded away, and what is selected next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.texts import Place
from ruledsl.syntax import ast


@attrs.frozen
class Fold:
    """Lines that can be folded into the first of them."""

    first: int
    last: int
    sort: Literal["region", "comment"] = "region"


def folds(analysis: Analysis) -> tuple[Fold, ...]:
    """Declarations and blocks of more than a line, and comments that belong together."""
    found = {fold.first: fold for fold in _comments(analysis)}
    lines = analysis.text.lines
    open_: list[tuple[int, int]] = []
    last = 0
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        while open_ and open_[-1][1] >= indent:
            first, _ = open_.pop()
            if last > first:
                found.setdefault(first, Fold(first, last))
        open_.append((number, indent))
        last = number
    for first, _ in open_:
        if last > first:
            found.setdefault(first, Fold(first, last))
    return tuple(sorted(found.values(), key=lambda fold: fold.first))


def _comments(analysis: Analysis) -> Iterator[Fold]:
    lines = [comment.span.line for comment in analysis.parsed.comments if comment.alone]
    first = last = 0
    for line in [*lines, 0]:
        if line != last + 1 or not last:
            if last > first:
                yield Fold(first, last, "comment")
            first = line
        last = line


def selections(analysis: Analysis, place: Place) -> tuple[Span, ...]:
    """Ever larger stretches around a place, the smallest first."""
    found: list[Span] = []
    word, span = analysis.text.word_at(place)
    if word:
        found.append(span)
    item = analysis.item_at(place)
    if item is not None:
        found.extend(reversed(list(_around(item, place))))
    found.append(analysis.text.all)
    nested: list[Span] = []
    for each in found:
        if not nested or (each != nested[-1] and _contains(each, nested[-1])):
            nested.append(each)
    return tuple(nested)


def _around(node: ast.Node, place: Place) -> Iterator[Span]:
    yield node.span
    for child in _children(node):
        if child.span != NOWHERE and place.within(child.span):
            yield from _around(child, place)
            return


def _children(node: ast.Node) -> Iterator[ast.Node]:
    for field in attrs.fields(type(node)):
        yield from _nodes(getattr(node, field.name))


def _nodes(value: Any) -> Iterator[ast.Node]:
    if isinstance(value, ast.Node):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from _nodes(each)


def _contains(outer: Span, inner: Span) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
