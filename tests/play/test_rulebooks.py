"""What the rulebooks of shipped games say stands beside them, rule by rule, in both languages."""

import pytest

from ruledsl.library import Library
from ruledsl.play.loading import load
from ruledsl.syntax import ast
from ruledsl.syntax.parser import parse

WITH_BOOKS = [
    item.name.text
    for source in Library().sources()
    for item in parse(source).file.items
    if isinstance(item, ast.Game) and any(isinstance(line, ast.Rulebook) for line in item.lines)
]


def test_some_games_have_a_rulebook() -> None:
    assert len(WITH_BOOKS) >= 4


@pytest.mark.parametrize("name", WITH_BOOKS)
def test_every_rule_has_a_text_in_both_languages(name: str) -> None:
    game = load(name).checked
    rules = [
        f"{book.prefix}-{number}"
        for book in game.rulebooks
        for number in range(book.first, book.last + 1)
    ]
    assert list(game.rule_texts) == rules
    for rule in rules:
        said = game.rule_texts[rule]
        assert set(said) == {"en", "de"}, rule
        assert said["en"].text != said["de"].text, rule
        assert said["en"].text.endswith(".") and said["de"].text.endswith("."), rule
