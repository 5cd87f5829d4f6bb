"""Settings, aims, and successive halving."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from ruledsl.lab.statistics import Estimate
from ruledsl.lab.sweep import (
    Batch,
    Impossible,
    Played,
    SweepError,
    Tried,
    Varied,
    goals,
    settings_of,
    sweep,
    varied,
)
from ruledsl.lab.tally import GameRow
from ruledsl.play.chance import Generator


def test_what_is_varied() -> None:
    assert varied("roof=5..7") == Varied("roof", ("5", "6", "7"))
    assert varied("way = a, b") == Varied("way", ("a", "b"))
    assert len(settings_of([varied("a=1..3"), varied("b=x,y")])) == 6
    for wrong in ("roof", "=3", "roof=9..5", "roof="):
        with pytest.raises(SweepError):
            varied(wrong)


def test_what_is_aimed_at() -> None:
    fair, length, draws = goals("fair, 30 to 45 choices, draws below 5 %")
    assert (length.low, length.high) == (30, 45)
    assert draws.high == 0.05
    assert fair.verdict(Estimate(0.01, 0.0, 0.015)) == "meets"
    assert fair.verdict(Estimate(0.03, 0.01, 0.05)) == "open"
    assert fair.verdict(Estimate(0.06, 0.04, 0.08)) == "misses"
    assert goals("choices above 12")[0].verdict(Estimate(20, 19, 21)) == "meets"
    with pytest.raises(SweepError, match="fun"):
        goals("fun")


def coins(batches: Sequence[Batch]) -> Iterator[Played]:
    """Seat 1 wins as often as the setting says, in so many choices."""
    for values, first, last in batches:
        win = int(values["win"])
        yield (
            Impossible("nobody can win")
            if not win
            else [coin(number, win) for number in range(first, last)]
        )


def coin(number: int, win: int) -> GameRow:
    winner = 1 if Generator(1000 * number + win).below(100) < win else 2
    ranks = (1, 2) if winner == 1 else (2, 1)
    return GameRow(number, "win", ranks, (0, 0), (winner,), 10, 10, 20)


def test_it_finds_what_meets_the_aim_and_spends_games_where_it_is_hard_to_tell() -> None:
    settings = [Tried({"win": str(win)}) for win in (0, 20, 45, 50, 53, 70)]
    sweep(settings, goals("fair"), coins, 12_800)
    found = {each.values["win"]: each for each in settings}
    assert found["0"].verdict == "impossible"
    assert found["0"].impossible == "nobody can win"
    assert found["20"].verdict == found["70"].verdict == "misses"
    assert found["50"].verdict == "meets"
    assert found["45"].verdict == "misses"
    assert found["20"].games == found["70"].games == 200
    assert found["53"].games > found["70"].games


def test_what_it_can_not_tell_it_leaves_open() -> None:
    found = Tried({"win": "52"})
    sweep([found], goals("fair"), coins, 400)
    assert found.verdict == "open"
    assert found.games == 400
