"""`ruledsl test --mutants`: how well a file's tests guard its rules."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Run

PROGRAM = str(Path(sys.executable).with_name("ruledsl"))

RULES = """\
game nim "Nim"
    players 2

state sticks: 0..9 = 9

step play
    skip

step draw
    choose "How many?"
        draw_some

action draw_some(amount in 1..3) "Draw"
    require amount <= sticks    "There are not so many."
    take amount from sticks

test "the last sticks"
    players 2
    given
        set active = Player(1)
        set sticks = 2
    when draw
        refuse draw_some(3) "There are not so many."
        draw_some(2)
    then
        sticks = 0
"""


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "nim.rules"
    path.write_text(RULES, "utf-8")
    return path


@pytest.mark.usefixtures("nim")
def test_what_no_test_notices_is_listed(run: Run) -> None:
    result = run("test", "nim.rules", "--mutants")
    assert result.exit_code == 1
    first, *rest = result.output.splitlines()
    assert first == "nim.rules: 9 changes, 66.7% noticed, 3 not"
    assert [line.split()[:3] for line in rest] == [
        ["survived", "4", "10"],
        ["survived", "13", "2"],
        ["survived", "13", "4"],
    ]


@pytest.mark.usefixtures("nim")
def test_a_sample_as_json(run: Run) -> None:
    words = ("test", "nim.rules", "--mutants", "--limit", "2", "--json")
    (document,) = json.loads(run(*words).output)["files"]
    assert document["changes"] == 2


def test_processes_find_the_same(nim: Path) -> None:
    command = [PROGRAM, "test", str(nim), "--mutants"]
    one, two = (
        subprocess.run([*command, "--jobs", jobs], capture_output=True, text=True, check=False)
        for jobs in ("1", "2")
    )
    assert one.stdout == two.stdout != ""


def test_a_game_that_fails_its_own_tests(run: Run, nim: Path) -> None:
    nim.write_text(RULES.replace("sticks = 0\n", "sticks = 1\n"), "utf-8")
    result = run("test", "nim.rules", "--mutants")
    assert result.exit_code == 2
    assert "fails its own tests" in result.output
