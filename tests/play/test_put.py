"""`put` in a test prepares one place without upsetting the others."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.check import check_rules

GAME = """
game shelves "Shelves"
    players 2

place deck of Card stack hidden
place Shelf line 3 of Card room 1
place hand per Player of Card

piece Card in deck | count
    ace            | 2
    king           | 1
    queen          | 1

step setup
    for s in Shelf
        move 1 from deck to s

step play
    skip

test "example"
    players 2
    given
"""


@pytest.mark.parametrize(
    ("given", "then"),
    [
        pytest.param(
            ["put queen in Shelf(1)", "put king in Shelf(2)", "put ace in Shelf(3)"],
            ["all(s in Shelf have count(s) = 1)", "the(deck) is ace"],
            id="full places swap what they hold",
        ),
        pytest.param(
            ["put ace, king, queen in Player(1).hand"],
            ["count(Player(1).hand) = 3", "count(Shelf(1)) + count(Shelf(2)) = 0"],
            id="pieces leave where nothing was displaced",
        ),
        pytest.param(
            ["put king, queen in Player(1).hand", "put ace in Player(1).hand"],
            ["count(Player(1).hand) = 1", "count(deck) + sum(count(s) for s in Shelf) = 3"],
            id="what finds no place to swap goes back to its start",
        ),
        pytest.param(
            ["put queen in deck"],
            ["sure(deck.top) is queen", "count(deck) + sum(count(s) for s in Shelf) = 4"],
            id="also with the place where they start",
        ),
    ],
)
def test_put(given: list[str], then: list[str]) -> None:
    text = GAME + "".join(f"        {line}\n" for line in given) + "    then\n"
    text += "".join(f"        {line}\n" for line in then)
    checked = check_rules(Source("shelves.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    assert [outcome.failure for outcome in run_in_both(checked.game)] == [None]
