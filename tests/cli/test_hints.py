"""Suggestions: they come from looking ahead, and change nothing."""

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
