"""Every shipped game comes to its end in random play, and no piece is ever lost or doubled."""

import time
from itertools import cycle, islice

import pytest

from .table import Setting, loaded, play_out, players_of, settings, shipped_games

SECONDS = 3
"""Of processor time for each game in the quick test."""
GAMES = 200
"""With each number of players in the long one."""


@pytest.mark.parametrize("game", shipped_games())
def test_some_games(game: str) -> None:
    """One game with each number of players, then with other options, as long as time allows."""
    end = time.process_time() + SECONDS
    for seed, setting in enumerate(sorted(settings(game), key=lambda each: len(each.options))):
        play_out(setting, seed)
        if time.process_time() > end:
            break


LONG = [(game, players) for game in shipped_games() for players in players_of(game)]


def test_every_number_of_players_is_tried() -> None:
    assert {game: loaded(game).players for game in ("pig", "secret_rugrats")} == {
        game: tuple(players_of(game)) for game in ("pig", "secret_rugrats")
    }


@pytest.mark.soak
@pytest.mark.parametrize(("game", "players"), LONG)
def test_many_games(game: str, players: int) -> None:
    """Each option value in turn, at least once each."""
    found = [setting for setting in settings(game) if setting.players == players]
    for seed, setting in enumerate(islice(cycle(found), max(GAMES, len(found)))):
        _play_out_named(setting, seed)


def _play_out_named(setting: Setting, seed: int) -> None:
    """Play a game; what goes wrong names the setting and the seed, so that it can be seen again."""
    try:
        play_out(setting, seed)
    except BaseException as error:
        error.add_note(f"{setting}, seed {seed}")
        raise
