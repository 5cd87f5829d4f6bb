"""Sets whose pieces are surely alike, told from the rules alone."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine.effects.alike_pieces import surely_alike
from ruledsl.library import Library
from ruledsl.model import core
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

RULES = """
game goods "Goods"
    players 2

place bank of Good
place Field line 3 of Man
place store per Player of Good
piece Good in bank | count | worth
    wood           | 4     | 1
    clay           | 4     | 1
    gold           | 2     | 5
piece Man 3 per Player in Field(1)
{states}

define stock(g: face of Good) = {{x in bank where x is g}}
define men(p: Player) = {{m in Man where m.owner = p}}

step setup
    set active = Player(1)

step play
    move 1 from {source} to {target}
    end game
"""


def judged(source: str, target: str = "active.store", states: str = "") -> bool:
    text = RULES.format(source=source, target=target, states=states)
    checked = check_rules(Source("goods.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    body = checked.game.steps["play"].body
    assert body is not None and isinstance(body[0], core.MoveSome)
    table = Table(checked.game, 2)
    kind = "Good" if target == "active.store" else "Man"
    return surely_alike(checked.game, table.things(kind), body[0].source)


@pytest.mark.parametrize(
    ("source", "alike"),
    [
        ("{x in bank where x is wood}", True),
        ("{x in bank where empty(Field(2)) and x is wood}", True),
        ("stock(clay)", True),
        ("{x in bank where x.worth = 5}", False),  # of worth 1 there are two kinds
        ("{x in bank where x is wood or x is clay}", False),
        ("{x in bank where x.worth > 1}", False),
    ],
)
def test_goods_of_a_place(source: str, alike: bool) -> None:
    assert judged(source) is alike


@pytest.mark.parametrize(
    ("source", "states", "alike"),
    [
        ("{m in Field(1) where m.owner = active}", "", True),
        ("{m in Field(1) where active = m.owner}", "", True),
        ("{m in Field(1) where m.owner != active}", "", False),
        ("{m in Field(1) where m.owner = active}", "state Man.tired: flag = no", False),
        ("men(active)", "", False),  # they may lie apart
    ],
)
def test_men_of_an_owner(source: str, states: str, alike: bool) -> None:
    assert judged(source, "Field(2)", states) is alike
