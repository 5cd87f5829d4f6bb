"""A set that may be none stays apart from an empty one, however it is read, in both executors."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.table.table import Table

from .lockstep import play_in_step

HEAD = """\
game x
    players 2
    limit 12 decisions

type Shape
    dot
        o
    bar
        o o o
    gap
        o ~ o
type Form turns of Shape
type Way | cells
    wide   | {1, 2}
    narrow | {}
    closed | none

place Cell grid 3 by 2 of Chip room 1
place box of Chip
piece Chip 6 in box

state seen: number = 0
state held: set of Cell
state any_way: Way = wide

define near(c: Cell) = c.beside
define below(c: Cell, f: Form) = c.cover(f)
define alone(c: Cell) = {d in c.beside where not empty(d)}
define twice(c: Cell, f: Form) = first(d.beside for d in c.beside where d.col = f.size)
define some(c: Cell) = case c.col of (1: c.beside, 2: {d in Cell where empty(d)})

step setup
    set active = Player(1)

step play
    repeat 5 times
        choose c in Cell "Where?"
        choose f in Form "What?"
        roll any_way in Way
        if empty(c) and not empty(box)
            move 1 from box to c
        turn(c, f)
        set active = active.next

step turn(c: Cell, f: Form)
"""

READ = {
    "the cells of a form": "c.cover(f)",
    "of a definition": "below(c, f)",
    "of a cell that may not be there": "c.go(north).cover(f)",
    "by a definition of a cell that may not be there": "near(c.go(east))",
    "that reads what changes": "alone(c.go(east))",
    "the first of several": "twice(c, f)",
    "a case": "some(c)",
    "a choice": "(if c.col = 2 then c.cover(f) else alone(c.go(east)))",
    "a column": "any_way.cells",
}


@pytest.mark.parametrize("read", READ)
def test_none_is_not_empty(read: str) -> None:
    cells = READ[read]
    lines = [
        f"let cells = {cells}",
        "if cells = none",
        "    add 1 to seen",
        "if cells != none",
        "    add 10 to seen",
        f"if {cells} = none",
        "    add 100 to seen",
        "if cells = {}",
        "    add 1000 to seen",
        f"if cells != {cells}",
        "    add 10000 to seen",
        'choose k in 1..2 "Go on?"',
        "if cells = none",
        "    add k to seen",
        "else",
        "    add 100000 to seen",
    ]
    text = HEAD + "".join(f"    {line}\n" for line in lines)
    found = check_source(Source("x", text), Library())
    assert found.game is not None, found.diagnostics
    engine = Engine(Table(found.game, 2), checked=True)
    assert sum(play_in_step(engine, seed) for seed in range(8)) > 30
