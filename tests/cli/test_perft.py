"""`ruledsl perft`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from .keyboard import Keyboard


def perft(*words: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("ruledsl")
    command = [str(program), "perft", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


CHECKERS = """\
Checkers: 2 players, by turn, seed 0

depth  ways to play on
    1  7
    2  49
    3  302

at depth 3, by the first option:
  47  Move: a3 → b4
  47  Move: c3 → b4
  40  Move: c3 → d4
  40  Move: e3 → d4
  40  Move: e3 → f4
  40  Move: g3 → f4
  48  Move: g3 → h4
"""


def test_counts_and_divide() -> None:
    done = perft("checkers", "--depth", "3")
    assert done.returncode == 0
    assert done.stdout == CHECKERS


COUNTER = """\
game counter "Counter"
    players 2

state total: 0..3 = 0

step setup
    set active = Player(1)

step play
    repeat
        choose "How much?"
            add
        set active = active.next

action add(n in 1..2) "Add"
    set total = total + n
"""


def test_limits_of_values(tmp_path: Path) -> None:
    file = tmp_path / "counter.rules"
    file.write_text(COUNTER, "utf-8")
    done = perft(str(file), "--depth", "3")
    assert done.returncode == 1
    assert "counter.rules:16: " in done.stderr
    done = perft(str(file), "--depth", "3", "--json")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert document["counts"] == [2]
    assert "counter.rules:16: " in document["failure"]
    done = perft(str(file), "--depth", "3", "--unchecked", "--json")
    assert json.loads(done.stdout)["counts"] == [2, 4, 8]


def test_an_interrupt_ends_a_count_that_takes_long(tmp_path: Path) -> None:
    (tmp_path / "counter.rules").write_text(COUNTER.replace(" + n", " + n - n"), "utf-8")
    with Keyboard("perft", "counter.rules", "--depth", "60", cwd=tmp_path) as terminal:
        terminal.see("   10  1024")
        terminal.press("C")
        assert terminal.leave() == 130
        assert "by the first option" in terminal.text


def test_unchecked_counts_are_the_same() -> None:
    assert perft("checkers", "--depth", "3", "--unchecked").stdout == CHECKERS


def test_for_programs() -> None:
    words = ("tic_tac_toe", "--depth", "3", "--by", "decision", "--json")
    document = json.loads(perft(*words).stdout)
    assert document["by"] == "decision"
    assert document["counts"] == [9, 72, 504]
    assert [below["count"] for below in document["divide"]] == [56] * 9


def test_chance_is_that_of_the_seed() -> None:
    words = ("crazy_eights", "--depth", "2", "--players", "3", "--seed")
    assert perft(*words, "1").stdout == perft(*words, "1").stdout
    assert perft(*words, "1").stdout != perft(*words, "2").stdout


def test_what_cannot_begin_is_refused() -> None:
    assert perft("tic_tac_toe").returncode == 2
    assert "for 2 players, not 3" in perft("chess", "--depth", "1", "--players", "3").stderr
    assert "did you mean `chess`?" in perft("ches", "--depth", "1").stderr
