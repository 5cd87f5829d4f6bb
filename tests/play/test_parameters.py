"""Parameters of actions: chosen in order, whether the rules use them or not."""

from __future__ import annotations

from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.play.check import check_source

BETS = """\
game bets "Bets"
    players 2

state Player.stake: 0..9 = 0

step play
    skip

step bet
    choose "How much?"
        stake

action stake(amount in 1..9, mood in 1..3) "Bet"
    set you.stake = amount

ranking p in Player
    highest p.stake

test "a parameter that nothing depends on is still chosen"
    players 2
    given
        set active = Player(1)
    when bet
        stake(4, 3)
    then
        Player(1).stake = 4
"""


def test_an_unused_parameter() -> None:
    checked = check_source(Source("bets.rules", BETS), Library(()))
    assert checked.game is not None, checked.diagnostics
    assert [outcome.failure for outcome in run_in_both(checked.game)] == [None]
