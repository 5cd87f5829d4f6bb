"""Look something up in the rules of a game: what its sheet says about a word, with citations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import attrs

from ruledsl.model.game import CheckedGame
from ruledsl.play.sheets.entries import Entry, Section
from ruledsl.play.sheets.sheet import sheet_of
from ruledsl.play.words import Words

from .citations import cited_rules

MOST_QUOTES = 8
"""Rules of the rulebook that are quoted for a word; of others only the numbers are told."""
MOST_PASSAGES = 4
"""Passages of a sheet that are shown; of others only their headings are told."""


@attrs.frozen
class Passage:
    """What stands below a heading of a sheet, or a line that stands alone."""

    entries: tuple[Entry, ...]

    @property
    def heading(self) -> str:
        return self.entries[0].text


@attrs.frozen
class Quotes:
    """The numbers of rules of the rulebook: of a whole part of it, or of those about a word."""

    rules: tuple[str, ...]
    whole: bool


def sections_of(
    game: CheckedGame, language: str, players: int, *, full: bool = False
) -> tuple[Section, ...]:
    """The rules as on a sheet, for so many players."""
    return sheet_of(game, language, (players,), (), full=full, example=False).sections


def section_called(sections: Sequence[Section], wanted: str) -> Section | None:
    """The part of a sheet that has this heading, whose article may be missing."""
    pattern = _heading({wanted.strip().casefold()})
    return next((section for section in sections if pattern.match(section.title)), None)


def find_quotes(words: Words, wanted: str) -> Quotes:
    """The rules of the rulebook with this number, or headed by a word, or that speak of it."""
    sought = wanted.strip().removeprefix("§").casefold()
    texts = {rule: words.rule(rule) for rule in words.game.rule_texts}
    said = {rule: info for rule, info in texts.items() if info is not None}
    exact = tuple(rule for rule in said if rule.casefold() == sought)
    if exact or not sought:
        return Quotes(exact, whole=True)
    terms = {sought, *(label.casefold() for label in _labels(words, sought))}
    heading = _heading(terms)
    headed = tuple(rule for rule, info in said.items() if heading.match(info.section))
    if headed:
        return Quotes(headed, whole=True)
    pattern = _speaking(terms)
    return Quotes(
        tuple(rule for rule, info in said.items() if pattern.search(info.text)), whole=False
    )


def find_passages(
    sections: Sequence[Section], words: Words, wanted: str
) -> tuple[list[Passage], list[Passage]]:
    """What a sheet says below headings with this word, and the other passages that speak of it."""
    terms = {wanted.strip().casefold(), *(each.casefold() for each in _labels(words, wanted))}
    pattern = _speaking(terms - {""}) if terms - {""} else None
    if pattern is None:
        return [], []
    called: list[Passage] = []
    speaking: list[Passage] = []
    for passage in _passages(sections):
        if len(passage.entries) > 1 and pattern.search(passage.heading):
            called.append(passage)
            continue
        lines = tuple(each for each in passage.entries if pattern.search(each.text))
        if lines:
            heading = passage.entries[:1] if passage.entries[0].head else ()
            told = dict.fromkeys((*heading, *lines))
            speaking.append(Passage(tuple(told)))
    return called, speaking


def cited_in(passages: Sequence[Passage]) -> tuple[str, ...]:
    """The rules of the rulebook that some passages carry out, in the order of the book."""
    found = {
        rule for each in passages for entry in each.entries for rule in cited_rules(entry.trail)
    }
    return tuple(sorted(found, key=lambda rule: (rule.rpartition("-")[0], _number(rule))))


def _number(rule: str) -> tuple[int, str]:
    """Rule 9 stands before rule 10, and 10a behind it."""
    digits = re.match(r"\d*", rule.rpartition("-")[2])
    assert digits is not None
    return int(digits[0] or 0), rule


def _passages(sections: Sequence[Section]) -> Iterator[Passage]:
    for section in sections:
        below: list[Entry] = []
        for entry in section.entries:
            if below and (entry.head or entry.depth == 0):
                yield Passage(tuple(below))
                below = []
            below.append(entry)
        if below:
            yield Passage(tuple(below))


def _heading(terms: set[str]) -> re.Pattern[str]:
    """A heading that begins so, after its article at most."""
    return re.compile(rf"(?:\w+ )?(?:{'|'.join(map(re.escape, terms))})(?!\w)", re.IGNORECASE)


def _speaking(terms: set[str]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w){re.escape(term)}" for term in terms), re.IGNORECASE)


def _labels(words: Words, name: str) -> Iterator[str]:
    """What a name of the rules is called in this language."""
    info = words.game.languages.get(words.language)
    for key, label in ({} if info is None else info.labels).items():
        if key.rpartition(".")[2].casefold() == name.strip().casefold().replace(" ", "_"):
            yield label
