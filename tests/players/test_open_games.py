"""Games of players who search, by the engine alone: those that the interpreter would play."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.lab.simulation import play_one
from ruledsl.lab.tally import GameRow
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Generator
from ruledsl.players.open_games import NeedsMore, open_games
from ruledsl.players.player import Player, Situation
from ruledsl.players.seats import Computer, Random, computer_of, player_for
from ruledsl.table.table import Table

BREAKS = """game breaks "Breaks"
    players 2

state left: 0..3 = 3

step setup
    set active = Player(1)

step play
    repeat
        choose "Take one or two?"
            one
            two
        set active = active.next

action one "One"
    set left = left - 1

action two "Two"
    set left = left - 2

ranking p in Player
    highest left
"""


def laid(source: Source) -> Table:
    game = check_rules(source, Library()).game
    assert game is not None
    return Table(game, game.players[0])


def both(source: Source, seats: str, number: int) -> tuple[GameRow, GameRow]:
    """A game as it is played, and by the interpreter."""
    sitting: list[Computer] = [computer_of(word) for word in seats.split(",")]
    quick, slow = laid(source), laid(source)
    slow.kept["open games"] = None
    assert open_games(quick) is not None
    return play_one(quick, 7, number, sitting), play_one(slow, 7, number, sitting)


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("tic_tac_toe", "mcts:80,random"),
        ("connect_four", "mcts:20,mcts:40"),
        ("pig", "random,mcts:20"),
    ],
)
def test_they_are_the_games_of_the_interpreter(game: str, seats: str) -> None:
    quick, slow = both(Library().find(game), seats, 0)
    assert quick == slow
    assert quick.failure is None


def test_the_interpreter_says_what_goes_wrong() -> None:
    quick, slow = both(Source("breaks.rules", BREAKS), "mcts:10,random", 0)
    assert quick == slow
    assert quick.failure is not None


def test_who_asks_for_more_is_answered_by_the_interpreter() -> None:
    class Reader:
        def choose(self, situation: Situation) -> int:
            return len("".join(situation.options)) % situation.count

    def make(seat: Computer, mind: Generator) -> Player:
        return Reader() if isinstance(seat, Random) else player_for(seat, mind)

    table, sitting = laid(Library().find("tic_tac_toe")), [computer_of("mcts:20"), Random()]
    games = open_games(table)
    assert games is not None
    with pytest.raises(NeedsMore):
        games.play(1, [make(seat, Generator(1)) for seat in sitting])
    told = play_one(table, 7, 0, sitting, make)
    table.kept["open games"] = None
    assert told == play_one(table, 7, 0, sitting, make)
    assert told.failure is None


def test_where_something_is_hidden_the_interpreter_plays() -> None:
    assert open_games(laid(Library().find("kuhn_poker"))) is None
