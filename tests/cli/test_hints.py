"""Suggestions: they come from looking ahead, and change nothing."""

import pytest

import ruledsl
from ruledsl.cli.announcer import percentages
from ruledsl.cli.hints import ideas
from ruledsl.play.chance import Generator


def unwatched(share: float) -> None:
    assert 0 <= share <= 1


def test_the_winning_move_is_found() -> None:
    match = ruledsl.load("tic_tac_toe").start(seed=1)
    for cell in ("a1", "a3", "b1", "b3"):
        match.choose(cell)
    best, second = ideas(match, Generator(1), unwatched, 0.2)
    assert best.moves == ("Mark: c1",)
    assert best.wins == (1.0, 0.0)
    assert second.moves != best.moves


def test_all_picks_of_a_choice_of_several_and_nothing_is_changed() -> None:
    match = ruledsl.load("hearts").start(seed=7)
    match.choose(0)
    history, options, view = match.history, match.options, match.view(1)
    seen: list[float] = []
    best, second = ideas(match, Generator(1), seen.append, 0.3)
    assert len(set(best.moves)) == len(set(second.moves)) == 2
    assert best.moves[0] == second.moves[0]
    assert best.moves[1] != second.moves[1]
    assert seen == sorted(seen)
    assert (match.history, match.options, match.view(1)) == (history, options, view)


def test_the_last_picks_may_be_forced() -> None:
    match = ruledsl.load("hearts").start(seed=7)
    hand = [choice.label for choice in match.options]
    match.choose(len(hand) - 2)
    found = ideas(match, Generator(1), unwatched, 0.2)
    assert all(len(idea.moves) == 2 for idea in found)


def test_percentages_add_up() -> None:
    assert percentages([1 / 3, 1 / 3, 1 / 3, 0]) == [34, 33, 33, 0]
    assert percentages([0.555, 0.4449, 0.0001]) == [56, 44, 0]
    assert percentages([1.0, 0.0]) == [100, 0]
    assert percentages([0.29, 0.57, 0.14]) == [29, 57, 14]


def test_games_that_are_broken_off_are_told_apart_and_places_are_places() -> None:
    """Random players hardly ever finish Ratzentanz; each place is taken, or shared, by somebody."""
    far = ruledsl.load("ratzentanz").start(players=3, seed=5)
    near = ruledsl.load("pied_piper").start(players=4, seed=5)
    for match in (far, near):
        for idea in ideas(match, Generator(1), unwatched, 0.3):
            assert sum(idea.places) == pytest.approx(sum(range(1, match.players + 1)))
            assert idea.far == (idea.cut > 0.5) == (match is far)
