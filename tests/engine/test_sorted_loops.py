"""A loop over several sets can be sorted, by one key or more, with none last."""

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

from .lockstep import play_in_step

RULES = """\
game looped "Looped"
    players 3

place deck of Card stack
place hand per Player of Card
piece Card in deck | worth | rank
    ace            | 1     | none
    two            | 2     | 7
    ten            | 9     | 3
    joker          | 9     | none

state seen: number = 0
state Player.score: number = 0

step setup
    set active = Player(1)
    for c in Card
        move c to active.hand
        set active = active.next

step play
    look
    choose n in 1..2 "How many?"
    look_and_choose(n)

step look
    for p in Player, c in p.hand HEAD
        set seen = seen * 7 mod 100003 + p.seat * 4 + c.worth

step look_and_choose(n: number)
    for p in Player, c in p.hand HEAD
        choose m in 1..2 "And now?"
        set p.score = p.score * 10 + c.worth * n + m
"""

HEADS = [
    "lowest c.worth",
    "highest c.worth lowest p.seat",
    "highest c.worth highest p.seat",
    "lowest c.rank",
    "highest c.rank",
    "highest c.rank highest p.seat",
    "where c.worth > 1 highest c.worth mod 9",
]


@pytest.mark.parametrize("head", HEADS)
def test_both_executors_go_in_one_order(head: str) -> None:
    text = RULES.replace("HEAD", head)
    checked = check_rules(Source("looped.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    table = Table(checked.game, 3)
    for is_checked in (True, False):
        assert play_in_step(Engine(table, checked=is_checked), 1) > 2
