"""The engine against the reference: every shipped game, number of players and option, 200 games.

The reference is slow, so in `make test` most games are followed through their first decisions
only, and the first ones further, mostly to their end. `make soak` plays all of them to their end.
"""

from collections.abc import Iterator
from itertools import groupby

import pytest

from ruledsl.engine import Engine

from ..play.table import Setting, players_of, settings, shipped_games
from .lockstep import play_in_step
from .memory.guarded import guarded

GAMES = 200
SECONDS = 0.9
"""Of processor time for the usual options in the quick test, half of it for going on with the first
games; half as much for each other option. Where two decisions of every game take longer, it is four
times as much at most, for as many games as that suffices for, but for `FEWEST` at least."""
FEWEST = 50
MANY = 6
"""Of an option with so many values only the least and the greatest are tried."""


USUAL_COST = (5.0, 5.0)
"""Of a game that nobody has measured yet."""

COSTS = {
    "backgammon": (3.0, 5.0),
    "breakthrough": (2.0, 5.8),
    "burg_appenzell": (4.0, 9.0),
    "checkers": (2.0, 6.0),
    "chess": (24.0, 26.0),
    "connect_four": (1.0, 1.8),
    "crazy_eights": (2.3, 1.0),
    "euchre": (1.5, 1.0),
    "go": (5.0, 16.0),
    "hameln": (5.0, 3.5),
    "hameln_large": (5.0, 4.2),
    "hamlet": (2.0, 1.5),
    "hanabi": (2.0, 1.5),
    "hearts": (2.0, 1.4),
    "hex": (1.2, 4.0),
    "kuhn_poker": (0.5, 1.3),
    "little_realm": (4.0, 3.5),
    "love_letter": (1.5, 0.9),
    "nine_mens_morris": (1.0, 1.9),
    "othello": (1.0, 15.0),
    "pentominoes": (70.0, 160.0),
    "pied_piper": (3.5, 1.8),
    "pig": (0.6, 0.6),
    "raised_beds": (10.0, 40.0),
    "ratzentanz": (1.6, 10.0),
    "rugrats": (3.5, 2.0),
    "secret_life": (4.0, 2.0),
    "secret_rugrats": (4.0, 2.0),
    "sushi_draft": (1.5, 1.6),
    "tic_tac_toe": (0.3, 0.5),
}
"""Milliseconds for the start of a game and for a decision, as they were measured, with the number
of players that takes longest."""


def cells(game: str, players: int) -> Iterator[Setting]:
    """The ways to play a game that differ in their rules."""
    found = [setting for setting in settings(game) if setting.players == players]
    for _, group in groupby(found, key=lambda each: dict(each.options).keys()):
        values = list(group)
        yield from values if len(values) < MANY else (values[0], values[-1])


def follow(setting: Setting, each: int | None = None, further: int = 0, games: int = GAMES) -> None:
    """Follow so many decisions of each game, and these further ones in the first games.

    Every other game is played by a checked engine.
    """
    engines = [Engine(setting.table(), checked=checked) for checked in (True, False)]
    for seed in range(games):
        try:
            number = play_in_step(engines[seed % 2], seed, each and each + further)
        except BaseException as error:
            error.add_note(f"{setting}, seed {seed}, {('checked', 'unchecked')[seed % 2]}")
            raise
        if each is not None:
            further -= max(0, number - each)


CELLS = [(game, players) for game in shipped_games() for players in players_of(game)]


@pytest.mark.parametrize(("game", "players"), CELLS)
def test_the_executors_agree(game: str, players: int) -> None:
    start, decision = COSTS.get(game, USUAL_COST)
    for setting in cells(game, players):
        milliseconds = 1000 * SECONDS / (4 if setting.options else 2)
        each = max(2, int((milliseconds / GAMES - start) / decision))
        games = int(4 * milliseconds / (start + each * decision))
        follow(setting, each, int(milliseconds / decision), max(FEWEST, min(GAMES, games)))


@pytest.mark.parametrize("game", shipped_games())
def test_the_engine_goes_on_from_positions_of_the_reference(game: str) -> None:
    setting = next(cells(game, players_of(game)[-1]))
    with guarded():
        engine = Engine(setting.table())
    _, decision = COSTS.get(game, USUAL_COST)
    for seed in range(2):
        play_in_step(engine, seed, 10 + int(250 / decision), hand_over=True)


@pytest.mark.soak
@pytest.mark.parametrize(("game", "players"), CELLS)
def test_the_executors_agree_to_the_end(game: str, players: int) -> None:
    for setting in cells(game, players):
        follow(setting)


def test_no_cost_is_left_over() -> None:
    assert set(COSTS) <= set(shipped_games())


def test_other_options_are_tried() -> None:
    assert [setting.options for setting in cells("burg_appenzell", 2)] == [
        (),
        (("side", "back"),),
        (("goal", "5"),),
        (("goal", "6"),),
    ]
    assert [setting.options for setting in cells("pig", 2)][1:] == [
        (("goal", "20"),),
        (("goal", "200"),),
    ]
