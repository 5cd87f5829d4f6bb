"""A check that remembers the last one finds what a check from nothing finds."""

from random import Random

import attrs
import pytest

from ruledsl.diagnostics.source import Source, Span
from ruledsl.library import Library
from ruledsl.model.check import Checked, check_rules
from ruledsl.model.memory import Memory, same
from ruledsl.syntax import ast

GAMES = ("pied_piper", "secret_rugrats", "hearts")
EDITS = 12


def source(name: str) -> Source:
    found = Library().source(name)
    assert found is not None
    return found


def changed(text: str, chance: Random) -> str:
    """A word of the text replaced by another, or a character lost: mistakes that still parse."""
    at = chance.randrange(len(text))
    other = chance.choice(("1", " deck", "a", "", "\n"))
    return text[:at] + other + text[at + 1 :]


def seen(checked: Checked) -> object:
    elaborated = checked.elaborated
    occurrences = None if elaborated is None else elaborated.occurrences.found
    used = None if elaborated is None else elaborated.used
    return checked.diagnostics, occurrences, used


@pytest.mark.parametrize("name", GAMES)
def test_remembered_and_new_checks_agree(name: str) -> None:
    chance = Random(name)
    original = source(name)
    memory = Memory()
    check_rules(original, Library(), memory)
    for _ in range(EDITS):
        edited = attrs.evolve(original, text=changed(original.text, chance))
        for text in (edited, original):
            kept = check_rules(text, Library(), memory)
            new = check_rules(text, Library())
            assert seen(kept) == seen(new)


def test_what_has_not_changed_is_kept() -> None:
    original = source("hearts")
    memory = Memory()
    first = check_rules(original, Library(), memory).elaborated
    again = check_rules(original, Library(), memory).elaborated
    assert first is not None and again is not None
    assert all(first.game.steps[name] is again.game.steps[name] for name in first.game.steps)


def test_sameness_looks_at_places() -> None:
    here, there = (ast.Name("deck", span=source_span(line)) for line in (1, 2))
    assert here == there
    assert not same(here, there)
    assert same([here], [attrs.evolve(here)])


def source_span(line: int) -> Span:
    return Span("x", line, 1, line, 5)
