"""Nothing that a stranger wrote steers the terminal: what is invisible is shown as a sign."""

import json
import os
import re
from pathlib import Path

import pytest

from .conftest import GAME, Run

STEERING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff]"
)
HOSTILE = "a\x1b[31m\x9b2J\u202eb\u2066c\u200bd\x07\x7f"
"""An escape sequence, its short form, turned text, nothing, a bell, and a deletion."""

ARGUMENTS = [
    [HOSTILE],
    ["check", HOSTILE],
    ["check", f"{HOSTILE}.rules"],
    ["check", f"--{HOSTILE}"],
    ["cover", HOSTILE],
    ["explain", HOSTILE],
    ["fmt", HOSTILE],
    ["list", HOSTILE],
    ["show", HOSTILE],
    ["test", HOSTILE],
    ["play", HOSTILE],
    ["play", "coin.rules", "--variant", HOSTILE],
    ["play", "coin.rules", "--option", HOSTILE],
    ["play", "coin.rules", "--option", f"goal={HOSTILE}"],
    ["play", "coin.rules", "--option", f"{HOSTILE}=2"],
    ["play", "coin.rules", "--seats", HOSTILE],
    ["play", "coin.rules", "--seed", HOSTILE],
    ["play", "coin.rules", "--lang", HOSTILE],
    ["play", "coin.rules", "--players", HOSTILE],
    ["play", "coin.rules", "--moves", HOSTILE],
    ["play", "coin.rules", "--save", f"nowhere/{HOSTILE}"],
    ["play", "coin.rules", "--color", HOSTILE],
    ["history", HOSTILE],
    ["replay", HOSTILE],
    ["resume", HOSTILE],
    ["simulate", HOSTILE],
    ["simulate", "coin.rules", "--out", f"nowhere/{HOSTILE}.csv"],
    ["simulate", "coin.rules", "--games", HOSTILE],
    ["perft", HOSTILE],
    ["arena", HOSTILE],
    ["arena", "coin.rules", "--seats", HOSTILE],
    ["completion", HOSTILE],
    ["compile", HOSTILE],
    ["compile", "coin.rules", "--emit", HOSTILE],
    ["diff", HOSTILE, HOSTILE],
    ["diff", "coin.rules", f"coin.rules@{HOSTILE}"],
    ["diff", "coin.rules", f"coin.rules:{HOSTILE}=2"],
    ["export", HOSTILE, "--out", "page.html"],
    ["export", "coin.rules", "--out", f"nowhere/{HOSTILE}/page.html"],
    ["help", HOSTILE],
    ["new", HOSTILE],
    ["report", HOSTILE],
    ["report", "coin.rules", "--out", HOSTILE],
    ["report", "coin.rules", "--players", HOSTILE],
    ["serve", "--port", HOSTILE],
    ["sweep", HOSTILE, "--vary", "goal=1..2"],
    ["sweep", "coin.rules", "--vary", HOSTILE],
    ["sweep", "coin.rules", "--vary", f"{HOSTILE}=1..2"],
    ["sweep", "coin.rules", "--vary", "goal=1..2", "--aim", HOSTILE],
    ["test", "coin.rules", "--mutants", "--limit", HOSTILE],
    ["watch", HOSTILE, "--looks", "1"],
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("arguments", ARGUMENTS, ids=" ".join)
def test_arguments(run: Run, arguments: list[str]) -> None:
    os.chdir("good")
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stderr
    assert not STEERING.search(result.output)


NAMED = [
    ["check"],
    ["check", "--json"],
    ["fmt", "--check"],
    ["fmt"],
    ["list"],
    ["list", "--json"],
    ["show"],
    ["test"],
    ["play", "--seats", "random,random", "--save", f"{HOSTILE}.save"],
    ["simulate", "--games", "2"],
    ["perft"],
    ["cover"],
    ["arena", "--seats", "random,random", "--games", "2"],
    ["compile"],
    ["diff", f"{HOSTILE}.rules", "--games", "4", "--seconds", "0"],
    ["export", "--out", "page.html"],
    ["report", "--games", "10", "--skilled", "0"],
    ["report", "--games", "10", "--skilled", "0", "--json"],
    ["sweep", "--vary", "goal=1..2", "--games", "50"],
    ["sweep", "--vary", "goal=1..2", "--games", "50", "--json"],
    ["test", "--mutants", "--limit", "1"],
    ["watch", "--looks", "1", "--seconds", "0"],
]


@pytest.mark.parametrize("arguments", NAMED, ids=" ".join)
def test_names_of_files(run: Run, folder: Path, arguments: list[str]) -> None:
    """Also of those with mistakes, and of those that fail."""
    texts = (
        GAME,
        GAME.replace("goal times", "gaol times"),
        GAME.replace("    players", "  players"),
    )
    for text in texts:
        (folder / f"{HOSTILE}.rules").write_text(text, encoding="utf-8")
        (folder / f"{HOSTILE}.save").unlink(missing_ok=True)
        result = run(arguments[0], f"{HOSTILE}.rules", *arguments[1:])
        assert result.exit_code != 70, result.output
        assert not STEERING.search(result.output)
    page = folder / "page.html"
    if page.exists():
        # Fonts and pictures are within, so not every sign is looked for.
        assert HOSTILE not in page.read_text(encoding="utf-8")


CHOOSING = GAME.replace("        roll toss in 0..1\n", '        choose toss in 0..1 "Toss."\n')


def test_moves_are_repeated_as_text(run: Run, folder: Path) -> None:
    (folder / "choosing.rules").write_text(CHOOSING.replace("game coin", "game choosing"))
    moves = f"why {HOSTILE}\nrules {HOSTILE}\nsave nowhere/{HOSTILE}\n{HOSTILE}\n"
    (folder / "moves").write_text(moves)
    read = run("play", "choosing.rules", "--seats", "human,human", "--moves", "moves")
    typed = run("play", "choosing.rules", "--seats", "human,human", text=moves)
    for result in (read, typed):
        assert result.exit_code == 1
        assert "a␛[31m" in result.output
        assert not STEERING.search(result.output)


def test_json_is_readable_by_a_terminal(run: Run, folder: Path) -> None:
    (folder / f"{HOSTILE}.rules").write_text("game x\n", encoding="utf-8")
    result = run("check", "--json", f"{HOSTILE}.rules")
    assert not STEERING.search(result.stdout)
    assert json.loads(result.stdout)["mistakes"][0]["file"] == f"{HOSTILE}.rules"


def test_completion_offers_no_steering_names(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / f"{HOSTILE}.rules").write_text(GAME, encoding="utf-8")
    monkeypatch.setenv("_RULEDSL_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"ruledsl play {HOSTILE}")
    monkeypatch.setenv("COMP_CWORD", "2")
    assert not STEERING.search(run().output)
