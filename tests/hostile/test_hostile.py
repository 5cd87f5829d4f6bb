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
from collections.abc import Iterable
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
ONE_AFTER_THE_OTHER = """
import sys
from ruledsl.cli.main import main
for line in sys.stdin.read().splitlines():
    sys.argv[1:] = line.split("\\t")
    print("-" * 9, sys.argv[1], flush=True)
    print("-" * 9, sys.argv[1], file=sys.stderr, flush=True)
    try:
        main()
    except SystemExit as exit_:
        print(f"exit {exit_.code}", flush=True)
"""
PART = re.compile(r"^-{9} (\w+)\n(.*?)(?=^-{9} |\Z)", re.MULTILINE | re.DOTALL)


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def answers(commands: Iterable[tuple[str, ...]], file: Path, folder: Path) -> dict[str, str]:
    """What each command says about a file; in one process, for they start faster then."""
    lines = ["\t".join(words).format(file=file, folder=folder) for words in commands]
    done = subprocess.run(
        [sys.executable, "-c", ONE_AFTER_THE_OTHER],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
    )
    said, complained = dict(PART.findall(done.stdout)), dict(PART.findall(done.stderr))
    assert len(said) == len(lines), (list(said), done.stderr[-500:])
    for command, text in said.items():
        assert re.search(r"^exit [012]$", text, re.MULTILINE), (command, complained[command][-500:])
        assert "bug" not in complained[command], command
        assert "Traceback" not in complained[command], command
    return {command: text + complained[command] for command, text in said.items()}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_command_answers(file: Path, tmp_path: Path) -> None:
    expected = {each["command"]: each["text"] for each in EXPECTED.finditer(file.read_text())}
    assert expected.keys() == ARGUMENTS.keys(), "each command has an answer"
    said = answers(((name, "{file}", *more) for name, more in ARGUMENTS.items()), file, tmp_path)
    assert {name: text for name, text in expected.items() if text not in said[name]} == {}, said


SOME_NOW = [
    pytest.param(file, marks=() if number % 5 == 0 else pytest.mark.soak, id=file.stem)
    for number, file in enumerate(FILES)
]
"""All of them take minutes."""


@pytest.mark.parametrize("file", SOME_NOW)
def test_all_other_commands_answer(file: Path, tmp_path: Path) -> None:
    """Each without words of its own expected."""
    assert len(answers(OTHERS, file, tmp_path)) == len(OTHERS)


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
