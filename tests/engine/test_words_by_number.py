"""Words in a table that go by a number, and definitions whose values come in the table's order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.expressions.environment import Scope
from ruledsl.engine.expressions.subjects import Subject
from ruledsl.engine.expressions.word_planner import WordPlanner
from ruledsl.engine.expressions.word_plans import Tabled, WordPlan
from ruledsl.library import Library
from ruledsl.model import core
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

from .lockstep import play_in_step

RULES = """
game rings "Rings"
    players 2
    limit 20 decisions

place Cell grid 5 by 5 of Stone room 1
place box of Stone
piece Stone 20 in box
state found: 0..99 = 0

define out(c: Cell) = max(abs(c.col - 3), abs(c.row - 3))
define ring(c: Cell, n: 0..2) = out(c) = n
define board = {c in Cell where c.col + c.row < 9}

step setup
    set active = Player(1)

step play
    repeat
        choose n in 0..9 "How far?"
        choose "Lay."
            lay
        set found = asked(n)
        set active = active.next

action lay(cell in board) "Lay"
    require empty(cell)     "Taken."
    move 1 from box to cell

"""

ASKED = {
    "for each number": "count(n in 0..2 where any(c in Cell where not empty(c) and ring(c, n)))",
    "a number that may lie elsewhere": (
        "if m in 0..2 and any(c in Cell where not empty(c) and ring(c, m)) then 1 else 0"
    ),
    "together with a thing": (
        "count(n in 1..5 where any(c in Cell where not empty(c) and c.row = n and m > n))"
    ),
}


def rules(asked: str) -> str:
    return f"{RULES}define asked(m: 0..9) = {asked}\n"


@contextmanager
def tables_by_number() -> Iterator[list[Tabled]]:
    """The tables that are planned whose words are found by a number."""
    found: list[Tabled] = []
    planned = WordPlanner.planned

    def watched(
        self: WordPlanner, node: core.Expr, subject: Subject, scope: Scope, *, asked: bool
    ) -> WordPlan | None:
        plan = planned(self, node, subject, scope, asked=asked)
        if isinstance(plan, Tabled) and any(isinstance(key[1][0], int) for key in plan.keys):
            found.append(plan)
        return plan

    with patch.object(WordPlanner, "planned", watched):
        yield found


@pytest.mark.parametrize("name", ASKED)
def test_what_goes_by_a_number_is_looked_up_for_all_cells_at_once(name: str) -> None:
    checked = check_rules(Source("rings.rules", rules(ASKED[name])), Library())
    assert checked.game is not None, checked.diagnostics
    table = Table(checked.game, 2)
    for is_checked in (True, False):
        with tables_by_number() as found:
            engine = Engine(table, checked=is_checked)
        assert found
        assert sum(play_in_step(engine, seed) for seed in range(6)) > 60


def test_a_definition_that_comes_in_order_is_a_word() -> None:
    checked = check_rules(Source("rings.rules", rules("0")), Library())
    assert checked.game is not None, checked.diagnostics
    engine = Engine(Table(checked.game, 2))
    (plan,) = engine.code.plans
    assert plan.ways == ("counted",)
    assert [line.strip() for line in plan.domain_lines()][2] == (
        "cell from word of at most 25, bits at hand"
    )
    assert engine.playouts(100, 3, quick=True) == engine.playouts(100, 3)
