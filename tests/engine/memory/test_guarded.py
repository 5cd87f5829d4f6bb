"""Room for just what is written, and nothing read that was not written before.

Made-up programs and games are played in guarded memory, too, by the tests that compare both
executors.
"""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.runtime.trials import MOST_FATES, UNTOLD, Trial
from ruledsl.engine.stage import Stage
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

from .guarded import GuardedLayout, guarded, spoil

ROLLING = """
game rolling "Rolling"
    players 2

state total: number = 0

step setup
    set active = Player(1)

step play
    roll n in 1..6
    add n to total
    choose k in 1..2 "Enough?"
    win you
"""


def rolling() -> Table:
    checked = check_rules(Source("rolling.rules", ROLLING), Library())
    assert checked.game is not None, checked.diagnostics
    return Table(checked.game, 2)


@pytest.mark.parametrize("where", ["behind", "inside"])
def test_it_is_noticed_where_memory_is_free_or_constant(where: str) -> None:
    with guarded():
        engine = Engine(rolling())
    engine.start(1)
    spoil(engine)
    layout = engine.layout
    assert isinstance(layout, GuardedLayout)
    at = layout.behind[-1] if where == "behind" else layout.pieces_of_memory[-1].end
    engine.runner.write(at, b"\1\1\1\1")
    with pytest.raises(AssertionError):
        spoil(engine)


def test_there_is_room_for_all_rolls_that_may_be_told() -> None:
    """Of more than that only the first are."""
    with guarded():
        stage = Stage(rolling(), Trial((), (), ()))
    stage.engine.start(1)
    assert stage.go_on(None, [UNTOLD] * (2 * MOST_FATES))
    spoil(stage.engine)
