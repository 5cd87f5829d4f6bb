"""Cells with a name do not overlap."""

from __future__ import annotations

import pytest

from ruledsl.engine.memory import control
from ruledsl.engine.memory.control import ASKED, HEADER, STEERING, VECTOR, Cells

MODES = {"STOP", "RANDOM", "TREE", "QUICK", "NOTEWORTHY", "NOTED", "FOLLOWED", "SAMPLED"}
NO_CELLS = {"STEERING", "MOST_VECTOR", "HEADER", "VECTOR", *MODES}
WIDE = {"MIND": 8, "GAINS": 8, "GENERATOR": 8, "DIRTY": 8, "ASKED": 64}


def named() -> dict[str, range]:
    cells = {
        name: value
        for name, value in vars(control).items()
        if isinstance(value, int) and name.isupper() and name not in NO_CELLS
    }
    return {name: range(at, at + WIDE.get(name, 4)) for name, at in cells.items()}


def test_no_two_overlap() -> None:
    taken = [byte for cell in named().values() for byte in cell]
    assert len(taken) == len(set(taken))
    assert len(named()) > 40


def test_they_lie_where_they_are_copied_with() -> None:
    for cell in named().values():
        inside = range(STEERING) if cell.start < VECTOR else range(VECTOR, VECTOR + HEADER)
        assert cell.start in inside
        assert cell.stop - 1 in inside
    assert ASKED % 8 == 0


def test_more_than_there_is_are_refused() -> None:
    cells = Cells(8, 24)
    assert [cells.take(), cells.take(8)] == [8, 16]
    with pytest.raises(AssertionError):
        cells.take()
