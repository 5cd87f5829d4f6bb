"""`ruledsl watch`."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.lab.watching import Watcher
from ruledsl.library import Library
from tests.lab.small_games import COUNTING

from .conftest import Run

PROGRAM = str(Path(sys.executable).with_name("ruledsl"))
TESTED = COUNTING + '\ntest "two"\n    when play\n        large\n    then\n        tally = 2\n'


def source(text: str) -> Source:
    return Source("counting.rules", text)


def test_what_is_wrong_what_broke_and_what_moved() -> None:
    watcher = Watcher(seconds=0.3)
    first = watcher.look(source(TESTED), Library())
    assert not first.errors
    assert first.tests == 1
    assert not first.broken
    assert first.rows
    assert first.compared == 0
    wrong = watcher.look(source(TESTED.replace("add 2 to tally", "add 2 to")), Library())
    assert wrong.errors
    assert wrong.rows == ()
    broken = watcher.look(source(TESTED.replace("add 2 to tally", "add 3 to tally")), Library())
    (test,) = broken.broken
    assert test.new
    assert broken.compared > 0
    assert "choices in a game" in {each.name for each in broken.moved}
    mended = watcher.look(source(TESTED), Library())
    assert mended.mended == ("two",)
    same = watcher.look(source(TESTED), Library())
    assert same.moved == ()
    assert same.compared > 0


def test_one_look(run: Run, folder: Path) -> None:
    (folder / "counting.rules").write_text(TESTED)
    result = run("watch", "counting.rules", "--looks", "1", "--seconds", "0.1")
    assert result.exit_code == 0, result.output
    assert "\n\n1 test: all passed\n\n" in result.output
    assert "seat 2 wins" in result.output
    (folder / "counting.rules").write_text(TESTED.replace("tally = 2", "tally = 3"))
    result = run("watch", "counting.rules", "--looks", "1", "--seconds", "0.1")
    assert result.exit_code == 1
    assert "✗ two: " in result.output


@pytest.mark.usefixtures("folder")
def test_nothing_to_watch(run: Run) -> None:
    result = run("watch", "nothing.rules")
    assert result.exit_code == 2
    assert "there is no file" in result.output


def test_it_looks_again_when_the_file_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "counting.rules"
    file.write_text(TESTED)
    command = [PROGRAM, "watch", str(file), "--looks", "2", "--seconds", "0.1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while "choices" not in process.stdout.readline():
            pass
        time.sleep(0.5)
        file.write_text(TESTED.replace("goal = 5", "goal = 9"))
        rest = process.stdout.read()
    assert "since the last save" in rest
    assert "choices in a game: " in rest
    assert process.returncode == 0
