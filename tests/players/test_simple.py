"""Computer players."""

import ruledsl
from ruledsl.play.chance import Generator
from ruledsl.players.simple import RandomPlayer


def test_the_random_player_takes_any_option() -> None:
    match = ruledsl.load("tic_tac_toe").start(seed=1)
    player = RandomPlayer(Generator(1))
    chosen = {player.choose(match.view(1), match.options) for _ in range(200)}
    assert chosen == set(range(9))


def test_the_same_chance_gives_the_same_choices() -> None:
    match = ruledsl.load("tic_tac_toe").start(seed=1)
    view = match.view(1)
    first, second = (
        [player.choose(view, match.options) for _ in range(20)]
        for player in (RandomPlayer(Generator(7)), RandomPlayer(Generator(7)))
    )
    assert first == second
