"""Corners of the language that hardly any game turns, in tests that run in both executors.

Each has been answered wrongly by an engine that passed all other tests.
"""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

HEAD = """\
game corner "Corner"
    players 2

type Colour = red, green, blue

place box of Stone
place Cell grid 4 by 3 of Stone room 1
place Track ring 5 of Stone room 1
place fence edges of Cell of Stone room 1
place deck of Card stack
piece Stone 8 in box
piece Card in deck | worth | rank
    ace            | 1     | none
    two            | 2     | 7
    ten            | 9     | 3
    king           | 9     | none

state level: 0..9 = 2
state marked: set of Cell
state Cell.heat: 0..9 or none = none
state Player.score: number = 0

step setup
    set active = Player(1)

step play
    choose n in 1..2 "How many?"
    set level = n

"""

GIVEN = """\
    given
        move 1 from box to Cell(4, 1)
        move 1 from box to Cell(1, 3)
        move 1 from box to Track(4)
        set Cell(2, 1).heat = 3
        set Cell(3, 1).heat = 0
        set Player(2).score = 0 - 4
"""
"""So that hardly anything is known before a position is."""

FACTS = {
    "none comes last, whichever way": (
        "first({c in deck highest c.rank}) is two",
        "first({c in deck lowest c.rank}) is ten",
        "first(c in deck highest c.rank) is two",
        "first(c in deck lowest c.rank) is ten",
        "first({c in deck lowest c.rank}.reversed) is king",
        "first({c in deck highest c.rank}.reversed) is king",
        "first({c in deck where c is ace or c is king lowest c.rank}) is ace",
        "first(c in deck where c is ace or c is king highest c.rank) is ace",
        "first({c in Cell lowest c.heat}) = Cell(3, 1)",
        "first({c in Cell highest c.heat}) = Cell(2, 1)",
        "first(c in Cell lowest c.heat) = Cell(3, 1)",
        "first(c in Cell highest c.heat) = Cell(2, 1)",
        "first({c in Cell - {Cell(1, 1)} lowest c.heat}.reversed) = Cell(4, 3)",
    ),
    "a count of what goes on, against a constant": (
        "count(c in Cell(1, 1).ray(east) while empty(c)) > 0",
        "count(c in Cell(1, 1).ray(east) while empty(c)) = 2",
        "count(c in Cell(1, 1).ray(east) while empty(c)) != 1",
        "count(c in Cell(1, 1).ray(east) while empty(c)) >= 2",
        "count(c in Cell(1, 1).ray(east) while empty(c)) < 3",
        "not count(c in Cell(1, 1).ray(east) while not empty(c)) > 0",
        "not count(c in Cell(1, 1).ray(east) while empty(c)) >= 3",
        "count(c in Cell(1, 1).ray(east) while not empty(c)) = 0",
        "count(c in Cell(1, 1).ray(north) while empty(c)) = 1",
        "not count(c in Cell(1, 1).ray(east) where not empty(c) while empty(c)) > 0",
        "count(t in Track(1).onward while empty(t)) = 2",
        "not count(t in Track(1).onward while empty(t)) > 2",
        "count(t in Track(1).onward where t.index != 2 while empty(t)) = 1",
        "count(c in Cell(1, 1).ray(east) while c.heat > 0) = 1",
        "count(c in Cell(1, 1).ray(east) while c.heat > 0) < 2",
        "not any(c in Cell(1, 1).ray(east) where not empty(c) while empty(c))",
        "all(c in Cell(1, 1).ray(east) while empty(c) have c.heat < 4)",
        "first(c in Cell(1, 1).ray(east) where c.heat = 0 while empty(c)) = Cell(3, 1)",
    ),
    "going on by what bits do not tell": (
        "count(c in Cell(1, 1).ray(east) while count(x in c.beside where empty(x)) > 2) = 1",
        "count(c in Cell(1, 1).ray(east) while count(x in c.beside where empty(x)) > 1) = 3",
        "count(c in Cell(1, 1).ray(east) where empty(c) while count(c.beside) > 2) = 2",
        "first(c in Cell(1, 1).ray(east) where c.heat = 0 while c.heat < c.col) = Cell(3, 1)",
        "first(c in Cell(1, 1).ray(east) where c.heat = 3 while c.heat > c.col) = Cell(2, 1)",
        "count(c in Cell(1, 1).ray(east) while c.heat > c.col) = 1",
        "not any(c in Cell(1, 1).ray(east) where c.col = 3 while c.heat > c.col)",
        "all(c in Cell(1, 1).ray(east) while c.heat > c.col have c.heat = 3)",
        "count(t in Track(1).onward while count(u in t.beside where empty(u)) > 1) = 1",
        "count({c in Cell(1, 1).ray(east) while c.heat > c.col} + {Cell(4, 3)}) = 2",
        "sum(c.col for c in Cell(1, 1).ray(east) while count(c.beside) > 2) = 5",
    ),
    "what is reached in exactly so many steps": (
        "count(reach(x from {Cell(1, 1)} via x.beside exactly level)) = 4",
        "count(reach(x from {Cell(1, 1)} via x.beside exactly 1)) = 2",
        "count(reach(x from {Cell(1, 1)} via x.beside where empty(x) exactly 3)) = 4",
        "count(reach(x from {Track(1)} via x.beside exactly 0)) = 1",
        "reach(x from {Cell(1, 1)} via x.ray(east) exactly 3) = {Cell(4, 1)}",
        "empty(reach(x from {Cell(2, 1)} via x.ray(west) exactly level))",
        "not empty(reach(x from {Cell(1, 1)} via x.ray(east) exactly level))",
        "Cell(2, 2) in reach(x from {Cell(1, 1)} via x.beside exactly level)",
        "Cell(2, 1) not in reach(x from {Cell(1, 1)} via x.beside exactly level)",
        "sum(x.col for x in reach(x from {Cell(1, 1)} via x.beside exactly level)) = 7",
    ),
    "what is reached on a board": (
        "count(reach(c from {Cell(1, 1)} via c.beside where empty(c))) = 10",
        "count(reach(c from {Cell(4, 1)} via c.beside where not empty(c))) = 1",
        "count(reach(c from {Cell(1, 1)} via c.beside where c.heat = none)) = 10",
        "Cell(4, 3) in reach(c from {Cell(4, 1)} via c.beside where c.heat = none)",
    ),
    "values that nothing has": (
        "count(c in Cell where c.col = 9 and c.heat = none) = 0",
        "count(c in Cell where c.col = level + 7 and c.heat = none) = 0",
        "count(c in Cell where c.col != 9 and c.heat = none) = 10",
        "all(c in Cell where c.heat = none have c.row != 0)",
    ),
    "edges": (
        "all(c in Cell, d in c.beside have fence(c, d) = fence(d, c))",
        "all(c in Cell, d in c.beside have fence(c, d) in c.fence)",
        "all(c in Cell, d in c.beside have fence(c, d).ends = {c, d})",
        "all(c in Cell, d in Cell where d not in c.beside have fence(c, d) = none)",
        "count(f in fence where Cell(2, 2) in f.ends) = 4",
        "count(c in Cell where any(d in Cell where fence(c, d) != none)) = 12",
    ),
    "extremes and sums": (
        "max(c.worth for c in deck) = 9",
        "min(c.worth for c in deck) = 1",
        "max(c.rank for c in deck where c.rank != none) = 7",
        "min(c.rank for c in deck where c.rank != none) = 3",
        "max(0 - c.worth for c in deck) = 0 - 1",
        "min(0 - c.worth for c in deck) = 0 - 9",
        "min(p.score for p in Player) = 0 - 4",
        "max(p.score - 1 for p in Player) = 0 - 1",
        "sum(c.worth for c in deck where c is king or c is ace) = 10",
        "max(level, 1, Player(2).score) = 2",
        "min(level, 1, Player(2).score) = 0 - 4",
        "clamp(Player(2).score, 0, level) = 0",
        "clamp(level, 0, 1) = 1",
        "abs(Player(2).score) = 4",
        "Player(2).score / 3 = 0 - 2 and Player(2).score mod 3 = 2",
    ),
}


HERE = "Cell(1, 1)"
FACTS |= {
    f"{name}, from a cell that is looked for": tuple(
        f"all(s in Cell where s.col = level - 1 and s.row = 1 have {fact.replace(HERE, 's')})"
        for fact in facts
        if f"{HERE}.ray" in fact
    )
    for name, facts in FACTS.items()
    if any(f"{HERE}.ray" in fact for fact in facts)
}


def checked_table(text: str) -> Table:
    checked = check_rules(Source("corner.rules", HEAD + text), Library())
    assert checked.game is not None, [each.message for each in checked.diagnostics]
    return Table(checked.game, 2)


@pytest.mark.parametrize("name", FACTS)
def test_facts(name: str) -> None:
    facts = "".join(f"        {fact}\n" for fact in FACTS[name])
    table = checked_table(f'test "facts"\n{GIVEN}    then\n{facts}')
    for outcome in run_in_both(table.game):
        assert outcome.failure is None
