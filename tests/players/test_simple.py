"""Players without a plan."""

from __future__ import annotations

import pytest

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Generator
from ruledsl.play.match import Match
from ruledsl.play.views import View
from ruledsl.players.aims import Aim
from ruledsl.players.player import Forecast, Player, Situation, Standing, Thinking
from ruledsl.players.simple import FORECASTS, GreedyPlayer, RandomPlayer
from ruledsl.players.situation import situation_of


def situation(match: Match) -> Situation:
    assert match.decision is not None
    return situation_of(match.interpreter, match.decision)


def chosen(match: Match, seeds: range) -> set[str]:
    """What greedy players choose."""
    numbers = {GreedyPlayer(Generator(seed)).choose(situation(match)) for seed in seeds}
    return {match.options[number].label for number in numbers}


def test_the_random_player_takes_any_option() -> None:
    match = ruledsl.load("tic_tac_toe").start(seed=1)
    player = RandomPlayer(Generator(1))
    assert {player.choose(situation(match)) for _ in range(200)} == set(range(9))


@pytest.mark.parametrize("kind", [RandomPlayer, GreedyPlayer])
def test_the_same_chance_gives_the_same_choices(kind: type[RandomPlayer | GreedyPlayer]) -> None:
    match = ruledsl.load("tic_tac_toe").start(seed=1)
    players: list[Player] = [kind(Generator(7)), kind(Generator(7))]
    first, second = ([each.choose(situation(match)) for _ in range(20)] for each in players)
    assert first == second
    assert len(set(first)) > 1


# ---------------------------------------------------------------- greedy


class Told:
    """A situation with given forecasts."""

    def __init__(self, *forecasts: tuple[Standing | None, ...], certain: bool = False) -> None:
        self.forecasts = [Forecast(each, certain) for each in forecasts]
        self.asked = 0

    @property
    def view(self) -> View:
        raise AssertionError("nobody looks")

    @property
    def count(self) -> int:
        return len(self.forecasts[0].standings)

    @property
    def options(self) -> tuple[str, ...]:
        return ("",) * self.count

    def forecast(self, generator: Generator, aim: Aim | None = None) -> Forecast:  # noqa: ARG002 - given beforehand
        self.asked += 1
        return self.forecasts[(self.asked - 1) % len(self.forecasts)]

    def think(self, generator: Generator) -> Thinking:  # noqa: ARG002 - nobody does
        raise AssertionError("nobody thinks")


def test_worth_comes_before_leads_and_means_count() -> None:
    low, high = Standing(0, (9, 9)), Standing(1, (0, 0))
    assert GreedyPlayer(Generator(1)).choose(Told((low, high, low))) == 1
    even = (Standing(1, (2, 0)), Standing(1, (2, 1)), Standing(1, (1, 9)))
    assert GreedyPlayer(Generator(1)).choose(Told(even)) == 1
    risky = Told((Standing(5, ()), Standing(1, ())), (Standing(-5, ()), Standing(1, ())))
    assert GreedyPlayer(Generator(1)).choose(risky) == 1


def test_one_look_is_enough_where_all_is_known() -> None:
    standings = (Standing(0, ()), Standing(1, ()))
    known, unknown = Told(standings, certain=True), Told(standings)
    for told in (known, unknown):
        GreedyPlayer(Generator(1)).choose(told)
    assert (known.asked, unknown.asked) == (1, FORECASTS)


def test_what_cannot_be_judged_is_left_unless_nothing_can() -> None:
    bad = Standing(-9, ())
    assert GreedyPlayer(Generator(1)).choose(Told((None, bad, None))) == 1
    dark = Told((None, None))
    assert {GreedyPlayer(Generator(seed)).choose(dark) for seed in range(20)} == {0, 1}


def test_a_win_is_taken_and_ties_are_broken_by_chance() -> None:
    match = ruledsl.load("tic_tac_toe").start(seed=1)
    assert len(chosen(match, range(60))) > 5
    for cell in ("a1", "a3", "b1", "b3"):
        match.choose(cell)
    assert chosen(match, range(5)) == {"Mark: c1"}


GAME = """\
game sums "Sums"
    players 2

state Player.points: 0..99 = 0
state round: 0..9 = 0

step play
    set active = Player(1)
    repeat
        turn
        set active = active.next
        {after}

step turn
    {turn}

step score(n: 1..6)
    add n to active.points

action add_some(n in 1..3) "Add"
    score(n)

ranking p in Player
    {way} p.points
"""


def sums(turn: str, *, way: str = "highest", after: str = "skip") -> Match:
    text = GAME.format(turn=turn, way=way, after=after)
    game = check_rules(Source("sums.rules", text), Library(())).game
    assert game is not None
    return Match(game, 2, seed=1)


@pytest.mark.parametrize(
    ("turn", "after"),
    [
        pytest.param('choose n in 1..3 "How many?"\n    score(n)', "skip", id="the rest of a step"),
        pytest.param('choose "How many?"\n        add_some', "skip", id="an action"),
        pytest.param(
            'if active.points < 50\n        choose n in 1..3 "?"\n        score(n)',
            "skip",
            id="inside an if",
        ),
        pytest.param(
            'choose round in 1..3 "?"',
            "add round to active.next.points",
            id="what comes after the call",
        ),
    ],
)
def test_consequences_are_seen_wherever_they_stand(turn: str, after: str) -> None:
    more = sums(turn, after=after)
    assert chosen(more, range(4)) == {more.options[-1].label}
    less = sums(turn, way="lowest", after=after)
    assert chosen(less, range(4)) == {less.options[0].label}


def test_looking_ahead_changes_nothing() -> None:
    """A game goes on alike whether or not somebody looked ahead."""
    ends = []
    for looks in (False, True):
        match = ruledsl.load("love_letter").start(players=3, seed=4)
        player = RandomPlayer(Generator(1))
        while match.seat is not None and len(match.history) < 60:
            if looks and len(match.history) % 3 == 0:
                situation(match).forecast(Generator(5))
            match.choose(player.choose(situation(match)))
        ends.append((match.history, dict(match.interpreter.pos.contents.items())))
    assert ends[0][0] == ends[1][0]
    assert str(ends[0][1]) == str(ends[1][1])
