"""The C that the engine is measured against plays the same games."""

from __future__ import annotations

import shutil
import subprocess
from math import sqrt
from pathlib import Path

import pytest

from bench.by_hand import GAMES, SOURCE
from ruledsl import load
from ruledsl.engine import Engine
from ruledsl.table.table import Table

NUMBER = 20_000
COMPILER = shutil.which("gcc") or shutil.which("cc")


@pytest.mark.skipif(COMPILER is None, reason="there is no C compiler")
@pytest.mark.parametrize("name", GAMES)
def test_games_are_as_long_and_end_alike(name: str, tmp_path: Path) -> None:
    program = tmp_path / "by_hand"
    subprocess.run([str(COMPILER), "-O2", "-o", str(program), str(SOURCE)], check=True)
    words = [str(program), name, str(NUMBER), "1"]
    told = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    won, moves = int(told[0]) / NUMBER, int(told[1]) / NUMBER

    rows = Engine(Table(load(name).checked, 2)).playouts(NUMBER, 1)
    ours = sum(row.winners == (1,) for row in rows) / NUMBER
    lengths = [row.decisions for row in rows]
    mean = sum(lengths) / NUMBER
    spread = sum((each - mean) ** 2 for each in lengths) / NUMBER
    assert abs(ours - won) < 5 * sqrt(2 * 0.25 / NUMBER)
    assert abs(mean - moves) < 5 * sqrt(2 * spread / NUMBER)
