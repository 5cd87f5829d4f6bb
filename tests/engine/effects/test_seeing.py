"""What lies open is looked at once; what moves, or is seen on a condition, is looked at again."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

from ..lockstep import play_in_step

GAME = """\
game small "Small"
    players 3
    limit 30 decisions

type Colour = red, green
type Worth = 1..35

place deck of Card stack hidden
place hand per Player of Card private
place shelf of Card
place shaded of Card seen when lit
place own per Player of Card seen when viewer = here.player or lit
place pile of Card stack hidden

piece Card 1 per Colour, Worth in deck

state lit: flag = no

step setup
    shuffle deck
    for p in Player
        move 3 from deck to p.hand
        move 2 from deck to p.own
    move 4 from deck to shelf
    move 3 from deck to shaded
    set active = Player(1)

step play
    repeat
        choose "What now?"
            mix
            leave
            light
            gather
            give
        set active = active.next

action leave(card in you.next.own) "Leave"
    move card to shelf

action mix(card in shelf) "Mix"
    move card to shaded
    move 1 from deck to shelf

action light "Light"
    set lit = not lit

action gather "Gather"
    move all from shelf to you.hand
    move 2 from deck to shelf
    move all from shaded to pile
    shuffle pile
    move 2 from pile to you.own

action give "Give"
    together p in Player
        choose card in p.own by p "Give away."
        move card to shelf
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    found = check_rules(Source("small.rules", GAME), Library())
    assert found.game is not None, found.diagnostics
    return Engine(Table(found.game, 3), checked=True)


@pytest.mark.parametrize("seed", range(12))
def test_both_know_the_same_after_every_move(engine: Engine, seed: int) -> None:
    assert engine.code.track
    assert play_in_step(engine, seed) > 5


@pytest.mark.parametrize("seed", range(4))
def test_a_table_from_outside_is_looked_at_anew(engine: Engine, seed: int) -> None:
    assert play_in_step(engine, seed, hand_over=True) > 5
