"""What the system refuses is told as such: full devices, long names, odd folders, little memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("ruledsl"))
FULL = Path("/dev/full")
LONG = "a" * 300
RULES = """\
game small "Small"
    players 2

state seen: set of SETS

step setup
    set active = Player(1)

step play
    START
    choose k in 1..2 "How many?"
    set seen = seen + {k}
    if k = 1
        win active
    end game
"""


def call(*words: str, stdout: int = subprocess.PIPE, memory: int | None = None) -> tuple[int, str]:
    """The exit code, and what was printed."""

    def limit() -> None:
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    done = subprocess.run(
        [PROGRAM, *words],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    return done.returncode, (done.stdout or "") + done.stderr


def written(folder: Path, sets: str = "1..9", start: str = "set active = Player(2)") -> str:
    path = folder / "small.rules"
    path.write_text(RULES.replace("SETS", sets).replace("START", start), encoding="utf-8")
    return str(path)


@pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("words", [("list",), ("--help",), ("explain", "leak"), ("show", "pig")])
def test_a_full_device(words: tuple[str, ...]) -> None:
    with FULL.open("w") as full:
        code, text = call(*words, stdout=full.fileno())
    assert (code, text) == (
        2,
        "error: not everything could be written: no space left on device\n",
    )


@pytest.mark.parametrize("name", [LONG, f"{LONG}.rules"])
@pytest.mark.parametrize("command", ["check", "fmt", "list", "play", "show", "simulate", "test"])
def test_a_long_name(command: str, name: str) -> None:
    code, text = call(command, name)
    assert code == 2
    assert text.startswith("error: can't ") and "file name too long" in text


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no such folder")
@pytest.mark.parametrize("command", ["check", "fmt", "list", "test"])
def test_a_folder_in_which_things_come_and_go(command: str) -> None:
    code, text = call(command, "/proc/self")
    assert code == 2
    assert "there are no rules files" in text


def test_a_file_that_can_not_grow(tmp_path: Path) -> None:
    """As on a full disk: rows of games do not fit any more."""
    rules, out = written(tmp_path), str(tmp_path / "rows.csv")
    done = subprocess.run(
        ["bash", "-c", f'ulimit -f 1; "{PROGRAM}" simulate "{rules}" --games 2000 --out "{out}"'],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "error: not everything could be written: file too large\n"


def test_little_memory(tmp_path: Path) -> None:
    """Where WebAssembly can't set its addresses aside, programs run as Python."""
    words = ("simulate", written(tmp_path), "--games", "20", "--seed", "1")
    assert call(*words, memory=3_000_000_000) == call(*words)


def test_simulate_says_what_the_interpreter_played(tmp_path: Path) -> None:
    rules = written(tmp_path, sets="number")
    code, text = call("simulate", rules, "--games", "5", "--seed", "1")
    assert code == 0
    assert "note: played by the interpreter" in text and "may hold any number" in text
    compiled = call("simulate", written(tmp_path), "--games", "5", "--seed", "1")
    assert compiled[1] == text.partition("note:")[0]


def test_perft_says_what_it_can_not_count(tmp_path: Path) -> None:
    code, text = call("perft", written(tmp_path, sets="number"), "--depth", "1")
    assert code == 2
    assert "these rules can't be compiled" in text


def test_perft_of_rules_that_go_wrong_before_the_first_choice(tmp_path: Path) -> None:
    rules = written(tmp_path, start="repeat 4 / count(seen) times\n        skip")
    code, text = call("perft", rules, "--depth", "1")
    assert code == 1
    assert "the rules went wrong before the first choice" in text
    assert "a division by zero" in text
