"""Arenas: fair seating, ratings that are right, and intervals that hold what they promise."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import exp
from random import Random as Chance

import pytest

from ruledsl.lab.arena import ELO, ArenaTally, RoundRobin, ratings
from ruledsl.lab.tally import GameRow
from ruledsl.players.budget import Iterations
from ruledsl.players.seats import Computer, Greedy, Random, Search


def robin(kinds: int, players: int, seed: int = 1) -> RoundRobin:
    names: list[Computer] = [Random(), Greedy()]
    names += [Search(f"mcts:{n}", Iterations(n)) for n in range(1, kinds - 1)]
    return RoundRobin(tuple(names[:kinds]), players, seed)


# ---------------------------------------------------------------- seating


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("kinds", [2, 3, 4, 5, 6])
def test_everybody_sits_everywhere_and_meets_everybody_equally_often(
    kinds: int, players: int
) -> None:
    arena = robin(kinds, players)
    seats: Counter[tuple[int, int]] = Counter()
    meetings: Counter[frozenset[int]] = Counter()
    for number in range(2 * arena.round_length):
        seated = arena.seating(number)
        assert len(seated) == players
        assert len(set(seated)) == min(kinds, players)
        seats.update(enumerate(seated))
        meetings.update(frozenset(pair) for pair in combinations(seated, 2) if len({*pair}) == 2)
    assert len(seats) == kinds * players
    assert len(set(seats.values())) == 1
    assert len(meetings) == kinds * (kinds - 1) // 2
    assert len(set(meetings.values())) == 1


def test_neighbours_change_and_the_seed_decides_how() -> None:
    def all_seated(seed: int) -> list[tuple[int, ...]]:
        arena = robin(4, 4, seed)
        return [arena.seating(number) for number in range(10 * arena.round_length)]

    assert all_seated(1) == all_seated(1) != all_seated(2)
    assert len(set(all_seated(1))) > 8


def test_games_come_in_whole_rounds() -> None:
    arena = robin(3, 2)
    assert arena.round_length == 6
    assert [arena.games(wanted) for wanted in (1, 6, 7, 100)] == [6, 6, 12, 102]
    assert robin(2, 4).round_length == 4


# ---------------------------------------------------------------- adding up


def row(number: int, *ranks: int) -> GameRow:
    best = tuple(at for at, rank in enumerate(ranks, 1) if rank == 1)
    winners = () if len(best) == len(ranks) else best
    return GameRow(number, "end", ranks, tuple(-rank for rank in ranks), winners, 1, 1, 1)


def test_wins_ranks_and_meetings_are_added_up() -> None:
    arena = robin(2, 2)
    tally = ArenaTally(arena)
    first = arena.seating(0).index(1) + 1
    ranks = {1: (1, 2), 2: (2, 1)}
    tally.add([row(0, *ranks[first]), row(1, *ranks[3 - first]), row(2, 1, 1)])
    tally.add([GameRow(3, "failed", (), (), (), 1, 1, 1, "sticks.rules:4: stuck")])
    summary = tally.summary()
    random, greedy = summary.players
    assert summary.games == 4
    assert (random.seats, greedy.seats) == (3, 3)
    assert (random.wins.value, greedy.wins.value) == (0, 2 / 3)
    assert (random.mean_rank, greedy.mean_rank) == (5 / 3, 1)
    assert summary.draws.value == 1 / 3
    (pair,) = summary.pairs
    assert (pair.player, pair.against, pair.meetings) == ("random", "greedy", 3)
    assert pair.better.value == pytest.approx(0.5 / 3)
    assert summary.failures == (("sticks.rules:4: stuck", 1),)


def test_players_of_one_kind_do_not_rate_each_other() -> None:
    arena = robin(2, 4)
    tally = ArenaTally(arena)
    tally.add([row(0, 1, 2, 3, 4)])
    assert sum(map(sum, tally.beaten)) == 4
    assert [tally.beaten[at][at] for at in (0, 1)] == [0, 0]


def test_nothing_played_is_no_reason_to_fail() -> None:
    summary = ArenaTally(robin(3, 2)).summary()
    assert summary.games == 0
    assert all(kind.elo.value == 0 for kind in summary.players)


# ---------------------------------------------------------------- ratings


def test_two_players_have_the_rating_of_their_score() -> None:
    strong, weak = ratings([[0, 7_500], [2_500, 0]], 2)
    assert strong.value - weak.value == pytest.approx(190.8, abs=0.5)
    assert strong.value == -weak.value
    assert strong.low < strong.value < strong.high


def test_more_games_narrow_the_interval() -> None:
    few, many = (ratings([[0, 6 * n], [4 * n, 0]], 2)[0] for n in (1, 100))
    assert many.high - many.low < (few.high - few.low) / 5


def test_whoever_always_wins_has_a_finite_rating() -> None:
    best, middle, worst = ratings([[0, 50, 50], [0, 0, 50], [0, 0, 0]], 2)
    assert 2_000 > best.value > middle.value > worst.value > -2_000
    assert abs(middle.value) < 1e-6


def test_the_interval_holds_the_true_rating_in_95_of_100_cases() -> None:
    """Ranks of three kinds at tables of four, drawn by Luce's model, over and over."""
    chance = Chance(3)
    arena = robin(3, 4)
    true = (0.5, 0.0, -0.5)
    held = total = 0
    for _ in range(120):
        tally = ArenaTally(arena)
        for number in range(5 * arena.round_length):
            weights = [exp(true[kind]) for kind in arena.seating(number)]
            arrival = [chance.expovariate(weight) for weight in weights]
            order = sorted(arrival)
            tally.add([row(number, *(order.index(time) + 1 for time in arrival))])
        for rating, value in zip(ratings(tally.beaten, 4), true, strict=True):
            total += 1
            held += rating.low <= ELO * value <= rating.high
    assert 0.90 < held / total < 0.995
