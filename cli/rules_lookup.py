"""Look something up in the rules of a game: the lines that are about a word, with citations."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.diagnostics.wording import printable
from ruledsl.model.game import CheckedGame
from ruledsl.model.giving import is_given
from ruledsl.play.words import Words, plain_name

MOST_LINES = 24
"""Of a long declaration only the beginning is shown."""
MOST_QUOTES = 8
"""Rules of the rulebook that are quoted; of others only the numbers are told."""


@attrs.frozen
class Rule:
    """A declaration with its place, and the lines of its source."""

    name: str
    file: str
    line: int
    text: tuple[str, ...]
    is_table: bool
    """its lines are rows that stand alone"""


def find_rules(words: Words, wanted: str) -> tuple[list[Rule], list[Rule]]:
    """The declarations called so, and the others that speak of it."""
    terms = _terms(words, wanted.strip())
    if not terms:
        return [], []
    pattern = re.compile(
        "|".join(rf"(?<!\w){re.escape(term).replace('_', '[_ ]')}" for term in terms), re.IGNORECASE
    )
    called: list[Rule] = []
    speaking: list[Rule] = []
    for rule in _rules(words.game):
        if pattern.search(rule.name) or pattern.search(rule.text[0]):
            called.append(rule)
        elif any(pattern.search(line) for line in rule.text):
            lines = rule.text
            if rule.is_table:
                lines = (lines[0], *(line for line in lines[1:] if pattern.search(line)))
                called.append(attrs.evolve(rule, text=lines))
            else:
                speaking.append(rule)
    return called, speaking


def find_texts(words: Words, wanted: str) -> list[str]:
    """The rules of the rulebook with this number, or that speak of a word or are headed by it."""
    sought = wanted.strip().removeprefix("§").casefold()
    texts = {rule: words.rule(rule) for rule in words.game.rule_texts}
    said = {rule: info for rule, info in texts.items() if info is not None}
    exact = [rule for rule in said if rule.casefold() == sought]
    if exact or not sought:
        return exact
    terms = {sought, *(label.casefold() for label in _labels(words, sought))}
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(term)}" for term in terms), re.IGNORECASE)
    headed = [rule for rule, info in said.items() if pattern.match(info.section)]
    return headed or [rule for rule, info in said.items() if pattern.search(info.text)]


def _labels(words: Words, name: str) -> Iterator[str]:
    """What a name of the rules is called in this language."""
    info = words.game.languages.get(words.language)
    for key, label in ({} if info is None else info.labels).items():
        if key.rpartition(".")[2].casefold() == name.replace(" ", "_"):
            yield label


def _terms(words: Words, wanted: str) -> set[str]:
    """What to look for: the word, and the names and texts that are called so in this language."""
    if not wanted:
        return set()
    sought = wanted.casefold()
    info = words.game.languages.get(words.language)
    found = {wanted.removeprefix("§"), wanted.replace(" ", "_")}
    if info is not None:
        found |= {
            name.rpartition(".")[2]
            for name, label in info.labels.items()
            if sought in label.casefold()
        }
        found |= {text for text, label in info.texts.items() if sought in label.casefold()}
    return {term for term in found if term}


def _rules(game: CheckedGame) -> Iterator[Rule]:
    """Every declaration once, in the order of kinds: what one does, what happens, what there is."""
    seen: set[tuple[str, int]] = set()
    for name, span, is_table in _declared(game):
        block = _block(game, span)
        if block and (span.file, span.line) not in seen:
            seen.add((span.file, span.line))
            yield Rule(plain_name(name), span.file, span.line, block, is_table)


def _declared(game: CheckedGame) -> Iterator[tuple[str, Span, bool]]:
    for action in game.actions.values():
        if not action.inline:
            yield action.name, action.span, False
    for step in game.steps.values():
        yield step.name, step.span, False
        yield from ((step.name, row.span, False) for row in step.rows)
    yield from ((trigger.name, trigger.span, False) for trigger in game.triggers.values())
    if game.ranking is not None:
        yield "ranking", game.ranking.span, False
    for define in game.defines.values():
        yield define.name, define.span, False
        yield from ((define.name, row.span, False) for row in define.rows)
    yield from ((kind.name, kind.span, True) for kind in game.kinds.values())
    for key, state in game.states.items():
        if not is_given(key):
            yield state.name, state.span, False
    yield from ((option.name, option.span, False) for option in game.options.values())


def _block(game: CheckedGame, span: Span) -> tuple[str, ...]:
    """The lines of a declaration: up to the next one that begins at the margin."""
    source = game.sources.get(span.file)
    if source is None:
        return ()
    lines = source.text.split("\n")[span.line - 1 :]
    block = lines[:1]
    for line in lines[1:]:
        if line and not line[0].isspace():
            break
        block.append(line)
    while block and not block[-1].strip():
        block.pop()
    return tuple(line.rstrip() for line in block)


def source_line(line: str, columns: int) -> str:
    """A line of the rules, without the wide gaps of its tables if it would not fit otherwise."""
    text = printable(line.strip())
    return text if len(text) + 8 <= columns else re.sub(r" {3,}", "  ", text)
