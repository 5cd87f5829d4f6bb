"""What is shown between the words: types of local names, and how many places there are."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.facts import in_turn, written
from ruledsl.language_server.texts import Place
from ruledsl.model.types import AnyType
from ruledsl.syntax import ast


@attrs.frozen
class Inlay:
    place: Place
    text: str


def inlays(analysis: Analysis, first: int, last: int) -> tuple[Inlay, ...]:
    """All between two lines."""
    lets = {line for line in range(first, last + 1) if _is_let(analysis.text.line(line))}
    types = (inlay for line in sorted(lets) for inlay in _types(analysis, line))
    return (*types, *_sizes(analysis, first, last))


def _is_let(line: str) -> bool:
    return line.lstrip().startswith("let ")


def _types(analysis: Analysis, line: int) -> Iterator[Inlay]:
    for occurrence in analysis.occurrences.get(line, ()):
        is_local = occurrence.declares and occurrence.symbol.sort == "local"
        if is_local and occurrence.type is not None and not isinstance(occurrence.type, AnyType):
            after = Place(line, occurrence.span.end_column)
            yield Inlay(after, f": {written(occurrence.type)}")
            return


def _sizes(analysis: Analysis, first: int, last: int) -> Iterator[Inlay]:
    for item in analysis.items:
        if not isinstance(item, ast.Place) or not first <= item.name.span.line <= last:
            continue
        if item.shape is not None or item.per:
            name = item.name.text
            shown = in_turn(analysis, lambda table, name=name: str(len(table.things(name))))  # type: ignore[misc]
            if shown:
                yield Inlay(Place(item.name.span.line, item.name.span.end_column), f" × {shown}")
