"""The words for seats."""

from __future__ import annotations

import pytest

from ruledsl.play.chance import Generator
from ruledsl.players.budget import Iterations, Seconds
from ruledsl.players.search import SearchPlayer
from ruledsl.players.seats import (
    LEVELS,
    WORDS,
    Greedy,
    Human,
    Random,
    Search,
    Seat,
    SeatError,
    computer_of,
    player_for,
    seat_of,
)
from ruledsl.players.simple import GreedyPlayer, RandomPlayer


@pytest.mark.parametrize(
    ("word", "seat"),
    [
        ("human", Human()),
        ("random", Random()),
        ("greedy", Greedy()),
        ("medium", Search("medium", LEVELS["medium"])),
        ("mcts:1", Search("mcts:1", Iterations(1))),
        ("mcts:25000", Search("mcts:25000", Iterations(25_000))),
        ("mcts:2s", Search("mcts:2s", Seconds(2.0))),
        ("mcts:0.25s", Search("mcts:0.25s", Seconds(0.25))),
    ],
)
def test_words(word: str, seat: Seat) -> None:
    assert seat_of(word) == seat
    assert seat_of(word).word == word


def test_every_listed_word_can_be_written() -> None:
    for word in WORDS:
        assert seat_of(word.replace("ITERATIONS", "10")).word


def test_levels_look_ahead_further_and_further() -> None:
    budgets = [budget.number for budget in LEVELS.values()]
    assert list(LEVELS) == ["easy", "medium", "hard"]
    assert budgets == sorted(set(budgets))


@pytest.mark.parametrize(
    ("word", "message", "hint"),
    [
        ("meduim", "nobody called `meduim` can sit there", "did you mean `medium`?"),
        ("Hard", "nobody called `Hard` can sit there", "did you mean `hard`?"),
        ("mtcs", "nobody called `mtcs` can sit there", "did you mean `mcts`?"),
        ("", "nobody called `` can sit there", "there are: human, random"),
        ("oracle", "nobody called `oracle` can sit there", "there are: human, random"),
        ("mcts", "`mcts` does not say how long to search", "write `mcts:1000`"),
        ("mcts:", "`mcts:` does not say how long to search", "write `mcts:1000`"),
        ("mcts:ten", "`mcts:ten` does not say how long to search", "write `mcts:1000`"),
        ("mcts:1e3", "`mcts:1e3` does not say how long to search", "write `mcts:1000`"),
        ("mcts:1.5", "`mcts:1.5` does not say how long to search", "write `mcts:1000`"),
        ("mcts:nans", "`mcts:nans` does not say how long to search", "write `mcts:1000`"),
        ("mcts:٣", "`mcts:٣` does not say how long to search", "write `mcts:1000`"),
        ("mcts:0", "`mcts:0`: a search has 1 to", "write `mcts:1000`"),
        ("mcts:-5", "`mcts:-5`: a search has 1 to", "write `mcts:1000`"),
        ("mcts:" + "9" * 5_000, "a search has 1 to", "write `mcts:1000`"),
        ("mcts:0s", "`mcts:0s`: a search takes more than 0", "write `mcts:1000`"),
        ("mcts:-1s", "`mcts:-1s`: a search takes more than 0", "write `mcts:1000`"),
        ("mcts:86400s", "at most 3600 seconds", "write `mcts:1000`"),
    ],
)
def test_other_words_are_refused(word: str, message: str, hint: str) -> None:
    with pytest.raises(SeatError) as refused:
        seat_of(word)
    assert message in str(refused.value)
    assert (refused.value.hint or "").startswith(hint)


def test_people_are_no_computers() -> None:
    assert computer_of("greedy") == Greedy()
    with pytest.raises(SeatError, match="only computers"):
        computer_of("human")


def test_players() -> None:
    assert isinstance(player_for(Random(), Generator(1)), RandomPlayer)
    assert isinstance(player_for(Greedy(), Generator(1)), GreedyPlayer)


def test_a_search_gets_its_budget() -> None:
    generator = Generator(1)
    found = player_for(computer_of("mcts:2s"), generator)
    assert found == SearchPlayer(Seconds(2.0), generator)
