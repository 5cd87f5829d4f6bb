"""A state keeps a set in the order of the table, however it came about."""

from __future__ import annotations

from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.check import check_rules

GAME = """
game lights "Lights"
    players 2

place Lamp ring 4 of Moth room 1
place jar of Moth
piece Moth 1 in jar
state lit: set of Lamp

step setup
    set active = Player(1)

step play
    move 1 from jar to Lamp(1)
    set lit = Lamp(4).backward

test "backward goes back, but a state has no direction"
    when play
    then
        first(Lamp(4).backward) = Lamp(3)
        first(lit) = Lamp(1)
"""


def test_a_sequence_is_kept_in_the_order_of_the_table() -> None:
    checked = check_rules(Source("lights.rules", GAME), Library())
    assert checked.game is not None, checked.diagnostics
    assert [outcome.failure for outcome in run_in_both(checked.game)] == [None]
