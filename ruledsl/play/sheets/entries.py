"""The parts of a sheet: sections of lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from ruledsl.play.prose import Sentence
from ruledsl.syntax import ast


@attrs.frozen
class Entry:
    """A line of a section: a bold head, or text under it."""

    text: str
    depth: int = 0
    head: bool = False
    trail: ast.Trail = ()


@attrs.frozen
class Section:
    title: str
    entries: tuple[Entry, ...]


def under(sentences: Iterable[Sentence], depth: int = 1) -> Iterator[Entry]:
    """Sentences as lines below a head."""
    return (Entry(each.text, each.depth + depth, trail=each.trail) for each in sentences)


def joined(sections: Iterable[Section]) -> Iterator[Section]:
    """Sections of one title as one: the book's own words stand before what the file says."""
    entries: dict[str, tuple[Entry, ...]] = {}
    for section in sections:
        entries[section.title] = (*entries.get(section.title, ()), *section.entries)
    return (Section(title, parts) for title, parts in entries.items())
