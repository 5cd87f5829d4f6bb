"""Figures of the lab against those that others have worked out."""

from __future__ import annotations

from functools import cache

import pytest

from ruledsl.lab.comparing.paired import listed_games
from ruledsl.lab.counting import CountedGames
from ruledsl.lab.statistics import proportion
from ruledsl.play.loading import load
from ruledsl.table.table import Table
from tests.lab.small_games import table_of

HOLDING = """\
game holding "Pig by two who hold"
    players 2
    limit 20000 decisions

state Player.score: number = 0
state pot: number = 0 each turn

define enough(p: Player) = if p.seat = 1 then {first} else {second}

step setup
    set active = Player(1)

step play
    repeat
        turn
        set active = active.next

step turn
    repeat while pot < enough(active) and active.score + pot < 100
        roll pips in 1..6
        if pips = 1
            end turn
        add pips to pot
    add pot to active.score

trigger reached(p in Player) after turn
    when p.score >= 100
    win p

ranking p in Player
    highest p.score
"""


@cache
def turn(score: int, hold: int) -> dict[int, float]:
    """How likely each gain of a turn is, for somebody who holds at a number or at 100."""
    found: dict[int, float] = {}
    pots = {0: 1.0}
    while pots:
        after: dict[int, float] = {}
        for pot, chance in pots.items():
            if pot >= hold or score + pot >= 100:
                found[pot] = found.get(pot, 0.0) + chance
                continue
            found[0] = found.get(0, 0.0) + chance / 6
            for pips in range(2, 7):
                after[pot + pips] = after.get(pot + pips, 0.0) + chance / 6
        pots = after
    return found


def first_wins(first: int, second: int) -> float:
    """The chance of whoever begins, by going through all pairs of scores from the end."""
    value: dict[tuple[int, int, int], float] = {}

    def solve(mine: int, other: int) -> None:
        """Both may gain nothing, so the two values of a pair of scores depend on each other."""
        gains = [turn((mine, other)[at], (first, second)[at]) for at in (0, 1)]
        a = sum(
            p * (1.0 if mine + g >= 100 else value[mine + g, other, 1])
            for g, p in gains[0].items()
            if g
        )
        b = sum(
            p * (0.0 if other + g >= 100 else value[mine, other + g, 0])
            for g, p in gains[1].items()
            if g
        )
        still = gains[0].get(0, 0.0), gains[1].get(0, 0.0)
        # x at the turn of the first, y at the other's: x = a + still * y, y = b + still * x.
        x = (a + still[0] * b) / (1 - still[0] * still[1])
        value[mine, other, 0], value[mine, other, 1] = x, b + still[1] * x

    for mine in range(99, -1, -1):
        for other in range(99, -1, -1):
            solve(mine, other)
    return value[0, 0, 0]


@pytest.mark.parametrize(("first", "second"), [(20, 25), (25, 20), (20, 20)])
def test_pig_by_two_who_hold(first: int, second: int) -> None:
    games = 20_000
    table = table_of(HOLDING.format(first=first, second=second))
    won = sum(1 in row.winners for row in listed_games(table, 1)(0, games))
    share = proportion(won, games, 3.3)
    assert share.low <= first_wins(first, second) <= share.high


def test_tic_tac_toe_at_random() -> None:
    """Crosses win 0.5849, noughts 0.2881, and 0.1270 are drawn when both mark any free cell."""
    table = Table(load("tic_tac_toe").checked, 2)
    summary = CountedGames(table, 1).observe(0, 40_000).tally.summary()
    found = (summary.seats[0].wins, summary.seats[1].wins, summary.draws)
    for share, published in zip(found, (0.5849, 0.2881, 0.1270), strict=True):
        assert abs(share.value - published) < 0.008
        assert share.low - 0.003 <= published <= share.high + 0.003


def test_hold_at_20_is_as_published() -> None:
    """Todd Neller, First-Player Advantage: about .5347 for hold at 20 or goal."""
    assert first_wins(20, 20) == pytest.approx(0.5347, abs=5e-5)
