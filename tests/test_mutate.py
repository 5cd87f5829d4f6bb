"""The measure of how well a file's tests guard its rules."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def measured(path: Path, *options: str) -> str:
    command = [sys.executable, "bench/mutate.py", str(path), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


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


def test_what_no_test_notices_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "nim.rules"
    path.write_text(RULES, "utf-8")
    first, *rest = measured(path).splitlines()
    assert first == f"{path}: 9 changes, 66.7 % noticed, 3 not"
    assert [line.split()[:3] for line in rest] == [
        ["survived", "4", "10"],
        ["survived", "13", "2"],
        ["survived", "13", "4"],
    ]


def test_a_sample(tmp_path: Path) -> None:
    path = tmp_path / "nim.rules"
    path.write_text(RULES, "utf-8")
    assert " 2 changes, " in measured(path, "--jobs", "2", "--limit", "2")
