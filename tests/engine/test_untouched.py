"""Whether pieces that nobody has moved still have the states they began with."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.effects.untouched import states_are_as_they_began
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

from .lockstep import play_in_step

RULES = """
game men "Men"
    players 2
    limit 12 decisions

place bowl per Player of Man
place Cell grid 3 by 3 of Man room 1
place air of Man
piece Man 6 per Player in player.bowl
state Man.turned: flag = no
{more}

step setup
    set active = Player(1)

step play
    repeat
        choose "Lay."
            lay
        else
            end game
        set active = active.next

action lay(cell in Cell) "Lay"
    require empty(cell)     "Taken."
    move 1 from you.bowl to cell
{effects}
"""

CASES = [
    ("for c in Cell, m in c\n        set m.turned = not m.turned", True),
    ("set sure(cell.top).turned = yes", True),
    ("for m in {x in cell}\n        set m.turned = yes\n        move m to air", True),
    ("for m in you.bowl\n        set m.turned = c_odd(cell)", False),
    ("for m in Man where m.owner = you\n        set m.turned = c_odd(cell)", False),
    ("for m in cell\n        set m.turned = yes\n        move m to you.bowl", False),
    ("let m = first(x in you.bowl)\n    if m != none\n        set m.turned = yes", False),
    ("move all from air to you.bowl", False),
]


@pytest.mark.parametrize(("effects", "judged"), CASES)
def test_states_of_pieces_that_wait(effects: str, judged: bool) -> None:
    more = "define c_odd(c: Cell) = c.col = 2"
    text = RULES.format(more=more, effects=f"    {effects}")
    checked = check_rules(Source("men.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    table = Table(checked.game, 2)
    engine = Engine(table, checked=True)
    assert states_are_as_they_began(checked.game, engine.layout, "bowl") == judged
    # Where somebody has set them, both stop alike.
    for seed in range(3):
        play_in_step(engine, seed)
