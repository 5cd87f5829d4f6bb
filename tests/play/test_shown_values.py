"""What the log says of values that are shown: they are told, only pieces are looked at."""

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match

RULES = """\
game offers "Offers"
    players 2..4

state Player.bid: 0..9 = 0 private

step play
    for p in Player
        choose p.bid in 2..9 by p "How much?"
    show {p.bid for p in Player} to Player
    show Player(1).bid to Player(2)
    choose n in 1..2 by Player(1) "Well?"
"""


def log(players: int, seat: int, language: str = "en") -> list[str]:
    game = check_source(Source("offers.rules", RULES), Library(())).game
    assert game is not None
    match = Match(game, players, seed=1, language=language)
    for _ in range(players):
        match.choose(1)
    return [line.text for line in match.log(seat)]


@pytest.mark.parametrize(
    ("players", "seat", "language", "line"),
    [
        (4, 1, "en", "all are told: 3"),
        (4, 2, "en", "you are told: 3"),
        (4, 3, "en", "Player 2 is told something"),
        (2, 2, "en", "you are told: 3"),
        (4, 1, "de", "alle erfahren: 3"),
        (4, 3, "de", "Spieler 2 erfährt etwas"),
    ],
)
def test_values_are_told(players: int, seat: int, language: str, line: str) -> None:
    assert line in log(players, seat, language)
