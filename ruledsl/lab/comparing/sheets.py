"""What changed between two games, in the words of their rule sheets."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal

import attrs

from ruledsl.model.game import CheckedGame
from ruledsl.play.sheets.entries import Entry, Section
from ruledsl.play.sheets.sheet import sheet_of


@attrs.frozen
class Line:
    """A line that only one of the sheets has, or what it stands under."""

    sign: Literal["-", "+", " "]
    entry: Entry


@attrs.frozen
class SectionChange:
    """What changed in a section of the sheets."""

    title: str
    lines: tuple[Line, ...]


def sheet_changes(
    one: CheckedGame, other: CheckedGame, players: tuple[int, ...], language: str = "en"
) -> tuple[SectionChange, ...]:
    """Section by section, for numbers of players that both games are for."""
    sheets = [
        sheet_of(game, language, players, (), full=True, example=False) for game in (one, other)
    ]
    left, right = ({section.title: section for section in each.sections} for each in sheets)
    titles = dict.fromkeys([*left, *right])
    return tuple(
        SectionChange(title, lines)
        for title in titles
        if (lines := tuple(_changed(left.get(title), right.get(title))))
    )


def _changed(one: Section | None, other: Section | None) -> Iterator[Line]:
    before = () if one is None else one.entries
    after = () if other is None else other.entries
    one_keys, other_keys = ([_key(entry) for entry in entries] for entries in (before, after))
    matcher = SequenceMatcher(None, one_keys, other_keys, autojunk=False)
    shown: Entry | None = None
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        for sign, entries, first, last in (("-", before, a, b), ("+", after, c, d)):
            for at in range(first, last):
                above = _above(entries, at)
                if above is not None and above != shown and _at(entries, above) < first:
                    yield Line(" ", above)
                shown = above
                yield Line("-" if sign == "-" else "+", entries[at])


def _key(entry: Entry) -> tuple[str, int]:
    return entry.text, entry.depth


def _at(entries: tuple[Entry, ...], wanted: Entry) -> int:
    return next(at for at, entry in enumerate(entries) if entry is wanted)


def _above(entries: tuple[Entry, ...], at: int) -> Entry | None:
    """The head that a line stands under."""
    if entries[at].head:
        return None
    return next((entry for entry in reversed(entries[:at]) if entry.head), None)
