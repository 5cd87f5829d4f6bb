"""Who sees the value of a state."""

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match

RULES = """\
game x
    players 2

state secret: 1..6 = 1 seen when viewer = active
state Player.plan: 1..6 = 1 seen when viewer != here

step setup
    set active = Player(1)

step play
    set secret = 3
    choose n in 1..3 "How many?"
    set active.plan = n + secret
"""


def test_a_state_of_the_game_seen_by_some() -> None:
    game = check_source(Source("x", RULES), Library()).game
    assert game is not None
    match = Match(game, 2)
    seen = [{(key, owner) for key, owner, _ in match.view(seat).slots} for seat in (1, 2)]
    one, two = match.player(1), match.player(2)
    assert seen == [{("secret", None), ("Player.plan", two)}, {("Player.plan", one)}]
