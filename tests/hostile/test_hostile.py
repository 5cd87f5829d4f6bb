"""Rules made to take for ever: every command answers, or says why not, in little time and memory.

The first lines of a file in this folder say what is expected: `# check: …`, `# play: …` and
`# simulate: …`, each with a part of what the command says; `made.py` makes up more of them.
Commands run in processes of their own, with limits that the system keeps. None of this is a matter
of how fast a machine is today: without the limits of ruledsl these rules would run for hours.

In `make test` rules may do less than usual, and each file meets a few of the other commands. In
`make soak` they may do what they always may, and every file meets every command.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.made import MADE
from tests.hostile.runner import Runner

HERE = Path(__file__).parent
WRITTEN = {file.stem: file.read_text("utf-8") for file in sorted(HERE.glob("*.rules"))}
FILES = WRITTEN | MADE
MAIN = "from ruledsl.cli.main import main; main()"
LESS = 20
"""times less may be done in `make test`"""

EXPECTED = re.compile(r"^# (?P<command>\w+): (?P<text>.+)$", re.MULTILINE)
FEW_DECISIONS = ("--limit-decisions", "100")
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "check": (),
    "play": ("--seats", "{seats}", "--seed", "1", *FEW_DECISIONS),
    "simulate": ("--games", "4", "--seed", "1", "--jobs", "1", *FEW_DECISIONS),
}
OTHERS = (
    ("test", "{file}"),
    ("test", "{file}", "--mutants", "--limit", "1"),
    ("perft", "{file}", "--depth", "1"),
    ("list", "{file}"),
    ("fmt", "--check", "{file}"),
    ("show", "--full", "{file}"),
    ("cover", "{file}"),
    ("compile", "{file}"),
    ("compile", "{file}", "--emit", "code"),
    ("export", "{file}", "--out", "{folder}/page.html"),
    ("arena", "{file}", "--seats", "random,greedy", "--games", "1", "--seed", "1", *FEW_DECISIONS),
    ("report", "{file}", "--games", "10", "--skilled", "0", "--players", "{players}"),
    ("sweep", "{file}", "--vary", "spare=1..2", "--games", "50"),
    ("diff", "{file}", "{file}", "--games", "4", "--seconds", "0.1"),
    ("watch", "{file}", "--looks", "1", "--seconds", "0.1"),
)
WHOLE = (
    *((name, "{file}", *more[:-2]) for name, more in ARGUMENTS.items()),
    *OTHERS,
)
"""All commands, and games as long as they may be."""
TOO_LARGE = {("diff", "many_tables")}
"""Two tables of 19,000 things at once, each with its compiled rules: it is said that this is too
much."""


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    """Rules may do less here."""
    with_less = Runner(LESS)
    yield with_less
    with_less.close()


@pytest.fixture(scope="module")
def usual_runner() -> Iterator[Runner]:
    usual = Runner()
    yield usual
    usual.close()


def answer(runner: Runner, words: tuple[str, ...], name: str, folder: Path) -> str:
    """What a command says about a file."""
    file = folder / f"{name}.rules"
    file.write_text(FILES[name], "utf-8")
    players = re.search(r"players (\d+)", FILES[name])
    number = players[1] if players else "2"
    seats = ",".join(["random"] * int(number))
    filled = [word.format(file=file, folder=folder, players=number, seats=seats) for word in words]
    found = runner.run(filled, folder)
    where = (words, found.exit_code, found.complained[-500:])
    assert found.exit_code in (0, 1, 2), where
    assert "bug of" not in found.complained, where
    assert "Traceback" not in found.complained, where
    too_large = "more memory than there is" in found.complained
    assert not too_large or (words[0], name) in TOO_LARGE, where
    return found.said + found.complained


@pytest.mark.parametrize("name", FILES)
def test_it_is_told_what_is_wrong(runner: Runner, name: str, tmp_path: Path) -> None:
    expected = {each["command"]: each["text"] for each in EXPECTED.finditer(FILES[name])}
    assert expected.keys() == ARGUMENTS.keys(), "each command has an answer"
    said = {
        command: answer(runner, (command, "{file}", *more), name, tmp_path)
        for command, more in ARGUMENTS.items()
    }
    missing = {command: text for command, text in expected.items() if text not in said[command]}
    assert missing == {}, {command: said[command][-500:] for command in missing}


@pytest.mark.parametrize("number", range(len(FILES)), ids=list(FILES))
def test_some_other_commands_answer(runner: Runner, number: int, tmp_path: Path) -> None:
    """Two for each file, in turn."""
    for words in (OTHERS[2 * number % len(OTHERS)], OTHERS[(2 * number + 1) % len(OTHERS)]):
        answer(runner, words, list(FILES)[number], tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("name", FILES)
def test_every_command_answers(usual_runner: Runner, name: str, tmp_path: Path) -> None:
    for words in WHOLE:
        answer(usual_runner, words, name, tmp_path)


def test_every_command_is_among_them() -> None:
    from ruledsl.cli.main import COMMANDS  # noqa: PLC0415 (only here)

    elsewhere = {"completion", "explain", "help", "history", "lsp", "new", "replay", "resume"}
    tried = {words[0] for words in WHOLE}
    assert tried | elsewhere | {"serve"} == COMMANDS.keys()


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


def test_they_are_small() -> None:
    assert WRITTEN
    assert all(len(text.encode()) < 64_000 for text in FILES.values())
