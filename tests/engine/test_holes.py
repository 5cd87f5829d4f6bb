"""Cells that are certainly no holes are named without a guard, the same in both executors."""

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.table.table import Table
from tests.engine.lockstep import play_in_step

RULES = """\
game holes "Holes"
    players 2
    limit 40 decisions

place Peg grid 4 by 4 of Frog
    map
        ~ o o o
        o ~ o o
        o o o ~
        o ~ o o
place box of Frog
piece Frog 12 in box
state Peg.hit: 0..9 = 0
state n: 1..4 = 1

step setup
    set active = Player(1)

step play
    repeat 4 times
        choose n in 1..4 "N?"
        choose m in 2..3 "M?"
        move 1 from box to Peg(clamp(n, 3, 4), 1)
        add 1 to Peg(clamp(n, 1, 3), 2).hit
        if n > 2
            add 1 to Peg(n, m + 1).hit
        set active = active.next

ranking p in Player
    highest sum(c.hit for c in Peg where c.col = p.seat)

test "there"
    when play
        4
        3
        1
        2
        stop here
    then
        count(Peg(4, 1)) = 1 and count(Peg(3, 1)) = 1
        Peg(3, 2).hit = 1 and Peg(1, 2).hit = 1 and Peg(4, 4).hit = 1
        sum(c.hit for c in Peg) = 3
"""


def test_both_executors_find_the_same_cells() -> None:
    found = check_source(Source("holes.rules", RULES), Library())
    assert found.diagnostics == ()
    assert found.game is not None
    assert [each.failure for each in run_in_both(found.game)] == [None]
    engine = Engine(Table(found.game, 2))
    assert sum(play_in_step(engine, seed, 12) for seed in range(3)) > 0
