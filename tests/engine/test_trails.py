"""The longest trail of networks so dense that all ways through them can't be tried."""

from __future__ import annotations

from itertools import combinations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine, EngineError
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

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


def clique(size: int) -> Table:
    """Towns joined each to each; whoever plays wins if the longest trail is what it should be."""
    towns = [f"town_{number}" for number in range(size)]
    roads = "\n".join(f"    {one} - {other}" for one, other in combinations(towns, 2))
    # Odd ends meet in every town of an even number of them, and a line has only two ends.
    wanted = size * (size - 1) // 2 - (0 if size % 2 else size // 2 - 1)
    text = f"""\
game clique "Clique"
    players 2

piece Peg 1 in box
place box of Peg
place City network of Peg
{roads}
place road edges of City of Peg

step play
    if trail(road) = {wanted}
        win Player(1)
    win Player(2)
"""
    checked = check_rules(Source("clique.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    return Table(checked.game, 2)


@pytest.mark.parametrize("checked", [True, False])
@pytest.mark.parametrize(("size", "kind"), [(9, None), (12, "slow"), (13, "slow")])
def test_what_there_is_no_room_for_is_an_error_and_never_a_number(
    size: int, kind: str | None, checked: bool
) -> None:
    """Of 12 there are too many fronts, of 13 too many places at once."""
    engine = Engine(clique(size), checked=checked)
    if kind is None:
        engine.start(1)
        assert engine.result().winners == (1,)
    else:
        with pytest.raises(EngineError) as error:
            engine.start(1)
        assert error.value.kind == kind
