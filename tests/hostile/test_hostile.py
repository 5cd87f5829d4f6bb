"""Rules made to take for ever: every command answers, or says why not, in little time and memory.

The first lines of a file in this folder say what is expected: `# check: …`, `# play: …` and
`# simulate: …`, each with a part of what the command says. Commands run in processes of their own,
with limits that the system keeps. None of this is a matter of how fast a machine is today: without
the limits of ruledsl these rules would run for hours.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.rules"))
MAIN = "from ruledsl.cli.main import main; main()"
SECONDS = 120
"""of the processor: far more than is needed, and far less than without limits"""
MEMORY = 500 << 20
"""of data; what only is reserved does not count"""

EXPECTED = re.compile(r"^# (?P<command>\w+): (?P<text>.+)$", re.MULTILINE)
ARGUMENTS = {
    "check": (),
    "play": ("--seats", "random,random", "--seed", "1"),
    "simulate": ("--games", "4", "--seed", "1", "--jobs", "1"),
}


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def said(file: Path, command: str) -> str:
    """What a command says about a file."""
    done = subprocess.run(
        [sys.executable, "-c", MAIN, command, str(file), *ARGUMENTS[command]],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        preexec_fn=limited,
    )
    assert done.returncode in (0, 1, 2), done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize("command", ARGUMENTS)
def test_every_command_answers(file: Path, command: str) -> None:
    expected = {each["command"]: each["text"] for each in EXPECTED.finditer(file.read_text())}
    assert expected.keys() == ARGUMENTS.keys(), "each command has an answer"
    text = said(file, command)
    assert expected[command] in text
    assert "bug" not in text
    assert "Traceback" not in text


OTHERS = (
    ("test", "{file}"),
    ("perft", "{file}", "--depth", "2"),
    ("list", "{file}"),
    ("fmt", "--check", "{file}"),
    ("show", "{file}"),
    ("cover", "{file}"),
    ("compile", "{file}"),
    ("export", "{file}", "--out", "{folder}/page.html"),
    ("arena", "{file}", "--seats", "random,greedy", "--games", "2", "--seed", "1"),
)
ALL_OF_THEM = """
import sys, time
from ruledsl.cli.main import main
for line in sys.stdin.read().splitlines():
    start = time.process_time()
    sys.argv[1:] = line.split("\\t")
    try:
        main()
    except SystemExit as exit_:
        print(f"exit {exit_.code} after {time.process_time() - start:.1f} s: {line}", flush=True)
"""


SOME_NOW = [
    pytest.param(file, marks=() if number % 5 == 0 else pytest.mark.soak, id=file.stem)
    for number, file in enumerate(FILES)
]
"""All of them take minutes."""


@pytest.mark.parametrize("file", SOME_NOW)
def test_all_other_commands_answer(file: Path, tmp_path: Path) -> None:
    """In one process, for they start faster then; each without words of its own expected."""
    lines = ["\t".join(words).format(file=file, folder=tmp_path) for words in OTHERS]
    done = subprocess.run(
        [sys.executable, "-c", ALL_OF_THEM],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
    )
    codes = re.findall(r"^exit (\d+) after", done.stdout, re.MULTILINE)
    assert len(codes) == len(OTHERS), done.stderr[-500:]
    assert set(codes) <= {"0", "1", "2"}, done.stdout[-500:]
    assert "bug" not in done.stderr
    assert "Traceback" not in done.stderr


def test_limits_can_be_raised() -> None:
    file = str(HERE / "decide_for_ever.rules")
    simulate = [sys.executable, "-c", MAIN, "simulate", file, "--games", "1", "--json"]
    found = [
        subprocess.run(
            [*simulate, "--limit-decisions", str(most)],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for most in (50, 500)
    ]
    assert [json.loads(text)["mean_length"] for text in found] == [50, 500]


def test_there_are_such_files() -> None:
    assert FILES
    assert all(file.stat().st_size < 64_000 for file in FILES)
