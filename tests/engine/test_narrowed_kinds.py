"""What a query finds is of the kind that its `where` asks for, in both executors."""

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

from .lockstep import play_in_step

RULES = """\
game heap "Heap"
    players 2

place heap of Card, Joker stack
place aside of Card
place fools of Joker
piece Joker 2 in heap
piece Card in heap | worth
    ace            | 1
    two            | 2
    ten            | 9

state seen: number = 0

step setup
    set active = Player(1)

define code(c: Card) = 10 + c.worth

step play
    shuffle_a_little
    if any(x in heap where x is Card)
        add code(first(x in heap where x is Card)) to seen
        let best = first(x in heap where x is Card highest x.worth)
        if best != none
            move best to aside
    for x in {x in heap where x is Joker}
        move x to fools
    choose c in {x in heap where x is Card and x.worth < 9} "Which?"
    add code(c) to seen
    move {x in heap where x is Card} to aside
    add sum(code(x) for x in heap where x is Card) to seen
    add the(x in aside where x is ten).worth to seen

step shuffle_a_little
    choose n in 1..3 "How many?"
    repeat n times
        if heap.top != none
            move heap.top to heap at bottom
"""


def test_both_executors_agree() -> None:
    checked = check_rules(Source("heap", RULES), Library())
    assert checked.game is not None, checked.diagnostics
    engine = Engine(Table(checked.game, 2))
    assert all(play_in_step(engine, seed) == 2 for seed in range(12))
