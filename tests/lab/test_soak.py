"""Ten thousand random games of each game of Hamelin, with every guard of the engine on."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ruledsl.lab.simulation import RandomGames
from ruledsl.lab.tally import GameRow, Summary, Tally
from ruledsl.library import SUFFIX, Library
from ruledsl.model.check import check_rules
from ruledsl.model.game import CheckedGame
from ruledsl.table.table import Table
from ruledsl.table.things import as_written

GAMES = 10_000
AT_A_TIME = 500

NAMES = sorted(
    path.stem for path in (Path(__file__).parents[2] / "games" / "hamelin").glob(f"*{SUFFIX}")
)
MOST_PLAYERS = 5


@cache
def game_of(name: str) -> CheckedGame:
    game = check_rules(Library().find(name), Library()).game
    assert game is not None
    return game


def simulated(table: Table, games: int) -> Summary:
    tally = Tally(len(table.things("Player")))
    random_games = RandomGames(table, 1)
    for first in range(0, games, AT_A_TIME):
        for each in random_games.play(first, min(games, first + AT_A_TIME)):
            if isinstance(each, GameRow):
                tally.add([each])
            else:
                tally.add_batch(each)
    return tally.summary()


def test_there_are_games() -> None:
    assert len(NAMES) >= 8


@pytest.mark.soak
@pytest.mark.parametrize("players", range(2, MOST_PLAYERS + 1))
@pytest.mark.parametrize("name", NAMES)
def test_no_guard_fires(name: str, players: int) -> None:
    game = game_of(name)
    assert max(game.players) <= MOST_PLAYERS
    if players not in game.players:
        pytest.skip(f"not for {players} players")
    summary = simulated(Table(game, players), GAMES)
    assert summary.failures == ()
    assert summary.games == GAMES
    # No seat is left out: each wins about as often as the others, unless nobody ever does.
    if summary.draws.value < 1:
        assert all(seat.wins.value > 0.5 / players for seat in summary.seats)


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_other_options(name: str) -> None:
    game = game_of(name)
    usual = Table(game, game.players[0])
    for option in game.options:
        for value in usual.option_values(option):
            table = Table(game, game.players[0], {option: as_written(value)})
            assert simulated(table, GAMES // 100).failures == ()
