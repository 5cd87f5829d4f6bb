"""The lines of a rule sheet's entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruledsl.play.sheets.entries import Entry

from ..citations import cited
from .text import safe, styled, wrap


def entry_lines(entries: Iterable[Entry], columns: int) -> Iterator[str]:
    for entry in entries:
        indent = "  " * (entry.depth + 1)
        text = safe(f"{entry.text}{cited(entry.trail)}")
        shown = styled(text, "bold") if entry.head else text
        for line in wrap(shown, columns - len(indent), "    "):
            yield indent + line
