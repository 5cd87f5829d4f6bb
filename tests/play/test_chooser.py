"""Who `you` is while somebody else than the active player decides."""

from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.play.check import check_source

RULES = """\
game x
    players 2

place bowl per Player of Nut
piece Nut 6 per Player in player.bowl
state Player.goal: 0..6 = player_number
state sum_of_all: number = 0

define player_number = 3

step setup
    set active = Player(1)
    set Player(2).goal = 5

step play
    choose by Player(2) "How many?"
        grab(who: you, least: you.goal)
            require n > you.seat    "At least three."
    choose n in 1..you.goal by Player(2) "How many more?"
        require n > you.seat        "At least three."
    add n to sum_of_all
    choose by Player(2) "Once more?"
        action stop "Stop"
            add you.seat to sum_of_all

action grab(who in Player, least in 0..6, n in 1..6) "Take"
    require n <= least  "Not so many."
    take_away(n)

step take_away(n: 1..6)
    move n from you.bowl to Player(1).bowl

test "the chooser, wherever it is asked for"
    when play
        refuse grab(n: 6) "Not so many."
        refuse grab(n: 2) "At least three."
        grab(n: 5)
        refuse 1 "At least three."
        4
    then
        count(Player(1).bowl) = 11
        sum_of_all = 6
"""


def test_you_is_who_chooses() -> None:
    checked = check_source(Source("x", RULES), Library())
    assert checked.game is not None, checked.diagnostics
    failures = [each.failure for each in run_in_both(checked.game)]
    assert failures == [None]
