"""The shortest game in which two games differ."""

from __future__ import annotations

from itertools import product

import pytest

from ruledsl.lab.comparing.witness import find_witness
from ruledsl.play.loading import load
from ruledsl.play.match import Match
from ruledsl.table.table import Table
from tests.lab.small_games import COUNTING, DICE, game_of, table_of


def shortest_by_force(one: str, other: str, most: int) -> int | None:
    """The same by trying every sequence of choices in plain matches."""
    games = [game_of(text).checked for text in (one, other)]
    for length in range(most + 1):
        for numbers in product(range(2), repeat=length):
            seen = []
            for game in games:
                match = Match(game, 2)
                for number in numbers:
                    if match.decision is not None:
                        match.choose(number)
                result = None if match.result is None else str(match.result)
                slots = [str(value) for value in match.interpreter.pos.slots.values()]
                options = [each.code for each in match.options]
                seen.append((match.seat, options, result, slots))
            if seen[0] != seen[1]:
                return length
    return None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("define goal = 5", "define goal = 6"),
        ("define goal = 5", "define goal = 4"),
        ("define goal = 5", "define goal = 9"),
        ("add 2 to tally", "add 3 to tally"),
        ("set active = active.next", "skip"),
        ("        win you\n\naction", "        lose you\n\naction"),
    ],
)
def test_it_is_the_shortest(before: str, after: str) -> None:
    changed = COUNTING.replace(before, after, 1)
    assert changed != COUNTING
    found = find_witness(table_of(COUNTING), table_of(changed), most_games=4000, seconds=60)
    assert found.witness is not None
    assert found.witness.proven
    assert found.deals == 1
    assert len(found.witness.choices) == shortest_by_force(COUNTING, changed, 8)


def test_a_roll_is_tried_with_all_outcomes() -> None:
    changed = DICE.replace("bonus = 6", "bonus = 4")
    found = find_witness(table_of(DICE), table_of(changed))
    assert found.witness is not None
    assert found.witness.choices == ("Player 1: Throw",)
    assert found.witness.difference.what == "Score of Player 1"
    assert (found.witness.difference.one, found.witness.difference.other) == ("4", "5")
    assert any("rolled: 4" in line.text for line in found.witness.story)


def test_the_same_game_has_none_and_every_way_is_tried() -> None:
    found = find_witness(table_of(COUNTING), table_of(COUNTING))
    assert found.witness is None
    assert found.exhausted
    assert not found.set_up


def test_a_change_far_ahead_is_found_at_random() -> None:
    changed = COUNTING.replace("define goal = 5", "define goal = 6")
    found = find_witness(table_of(COUNTING), table_of(changed), most_games=3, seconds=60)
    assert found.witness is not None
    assert not found.witness.proven


def test_cards_of_both_decks_come_in_the_same_order() -> None:
    one, other = load("pied_piper"), load("rugrats")
    found = find_witness(Table(one.checked, 2), Table(other.checked, 2), most_games=50)
    assert found.set_up[0].what == "what lies in action deck"
    witness = found.witness
    assert witness is not None
    # The cards of Rugrats act at once, so it takes one card or a hand that was dealt otherwise.
    assert len(witness.choices) <= 1
