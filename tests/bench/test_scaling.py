"""What is measured on large boards is played there as the interpreter plays it."""

from __future__ import annotations

import pytest

from bench.scaling import FLOOD, QUEENS
from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table
from tests.engine.lockstep import play_in_step


@pytest.mark.parametrize("text", [FLOOD, QUEENS], ids=["chains", "queens"])
@pytest.mark.parametrize("size", [17, 23])
def test_large_boards(text: str, size: int) -> None:
    game = check_rules(Source("grown.rules", text.replace("SIZE", str(size))), Library()).game
    assert game is not None
    assert play_in_step(Engine(Table(game, 2)), 1, 25) > 20
