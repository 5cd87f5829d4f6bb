"""The longest trail of networks so dense that all ways through them can't be tried."""

from __future__ import annotations

from ruledsl.diagnostics.source import Source
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.check import check_rules

LATTICE = """
game lattice "Lattice"
    players 1

piece Peg 60 in box
place box of Peg
place Cell grid 6 by 6 of Peg
place way edges of Cell of Peg room 1
place City network of Peg
    a - b - c - d - e - f - g - h - a
    a - c - e - g - a
    b - d - f - h - b
    a - d - g - b - e - h - c - f - a
    a - e
    b - f
    c - g
    d - h
place road edges of City of Peg room 1

state lattice_length: number = 0
state clique_length: number = 0

step setup
    set active = Player(1)

step play
    measure
    end game

step measure
    set lattice_length = trail(way)
    set clique_length = trail(road)

ranking p in Player
    highest p.seat

test "dense networks"
    when measure
    then
        lattice_length = 53
        clique_length = 25
"""


def test_dense_networks_are_not_too_much_in_either_executor() -> None:
    checked = check_rules(Source("lattice.rules", LATTICE), Library())
    assert checked.game is not None
    refused: list[Unsupported] = []
    (outcome,) = run_in_both(checked.game, refused.append)
    assert outcome.failure is None
    assert not refused
