"""Groups of joined pieces, kept from one question to the next where pieces only arrive."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Generator
from ruledsl.table.table import Table

from .lockstep import play_in_step

RULES = """
game joined "Joined"
    players 2
    limit 70 decisions

place Cell {shape} of Stone room 1
place box of Stone
piece Stone 90 per Player in box
state total: number = 0
state Player.reached: number = 0

define mine(p: Player) = {{s in box where s.owner = p}}
define chain(c: Cell, p: Player) = reach(x from {{c}} via {via} where {where})

step setup
    set active = Player(1)
    for c in Cell where {first}
        move 1 from mine(Player(1)) to c

step play
    repeat
        choose "Lay a stone."
            lay
        set active = active.next

step place_one(cell: Cell)
    move 1 from mine(active) to cell

action lay(cell in Cell) "Lay"
    require empty(cell)     "Taken."
    require would(count(chain(cell, you)) < 130 after place_one(cell))     "Too many."
    set you.reached = count(chain(cell, you)) + 1000 * count(chain(cell, you.next))
    place_one(cell)
    set total = count(chain(cell, you)) + 1000 * count(c in Cell where c in chain(cell, you.next))
    {more}
"""

LEAVING = """for c in cell.beside
        for s in c
            move s to box"""
CASES = [
    ("grid 12 by 12", "x.beside", "x.top.owner = p", "", True),
    ("hexgrid 12 by 12", "x.beside", "x.top.owner = p", "", True),
    ("grid 12 by 12 wrapped", "x.around", "x.top.owner = p", "", True),
    ("grid 12 by 12", "x.beside", "x.top.owner = you", "", True),
    ("grid 12 by 12", "x.beside", "not empty(x)", "", True),
    ("ring 150", "{y in x.onward while y.index - x.index < 2}", "x.top.owner = p", "", False),
    ("grid 11 by 11", "x.beside", "x.top.owner = p", "", False),
    ("grid 12 by 12", "x.beside", "x.top.owner = p", LEAVING, False),
]


def rules(shape: str, via: str, where: str, more: str) -> str:
    first = "c.index mod 3 = 1" if shape.startswith("ring") else "(c.col + 2 * c.row) mod 5 < 2"
    return RULES.format(shape=shape, via=via, where=where, more=more, first=first)


@pytest.mark.parametrize(("shape", "via", "where", "more", "kept"), CASES)
def test_both_executors_find_the_same_groups(
    shape: str, via: str, where: str, more: str, kept: bool
) -> None:
    """Kept or not: where ways lead one way only, a few words do, or pieces leave, they are not."""
    text = rules(shape, via, where, more)
    found = check_rules(Source("joined.rules", text), Library())
    assert found.game is not None, found.diagnostics
    engine = Engine(Table(found.game, 2), checked=True)
    assert ("group_0" in engine.program.functions) == kept
    # The second game begins anew with what the first has left.
    assert sum(play_in_step(engine, seed, at_most=12) for seed in range(2)) > 20


def test_groups_follow_whoever_goes_back() -> None:
    text = rules("grid 12 by 12", "x.beside", "x.top.owner = p", "")
    game = check_rules(Source("joined.rules", text), Library()).game
    assert game is not None
    engine = Engine(Table(game, 2))
    mind = Generator(1)
    engine.start(1)
    for _ in range(10):
        engine.choose(mind.below(engine.number))
    saved = engine.save()
    engine.choose(3)
    then = engine.save()
    for _ in range(20):
        engine.choose(mind.below(engine.number))
    engine.load(saved)
    engine.choose(3)
    assert engine.save().vector == then.vector
