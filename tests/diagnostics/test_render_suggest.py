"""Which known word is proposed for an unknown one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruledsl.diagnostics.suggest import did_you_mean, nearest


@pytest.mark.parametrize(
    ("word", "known", "expected"),
    [
        ("discrad", ["deck", "discard", "discarded"], "discard"),
        ("cards", ["carts", "card"], "card"),
        ("houses", ["horses", "house"], "house"),
        ("city", ["cities", "cite"], "cities"),
        ("Deck", ["desk", "deck"], "deck"),
        ("pied-piper", ["pied_piper", "pied_pipes"], "pied_piper"),
        ("play_card", ["card_play", "play_bard"], "play_bard"),
        ("card_played", ["played_card", "hand"], "played_card"),
        ("chek", ["check", "chess"], "check"),
        ("piper", ["pied_piper", "hearts"], "pied_piper"),
        ("conn", ["connect_four", "chess"], "connect_four"),
        ("x", ["y", "z"], None),
        ("deck", ["deck"], None),
        ("deck", [], None),
        ("", ["a"], None),
        ("zebra", ["hand", "deck", "discard"], None),
        ("a" * 10_000, ["a" * 9_999], None),
    ],
)
def test_nearest(word: str, known: list[str], expected: str | None) -> None:
    assert nearest(word, known) == expected


def test_hint() -> None:
    assert did_you_mean("hnad", ["hand"]) == "did you mean `hand`?"
    assert did_you_mean("hnad", ["deck"]) is None


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=6))
def test_the_order_of_the_known_words_does_not_matter(word: str, known: list[str]) -> None:
    assert nearest(word, known) == nearest(word, list(reversed(known)))
