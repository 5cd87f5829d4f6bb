"""`ruledsl diff`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from ruledsl.cli.diff import Paired
from ruledsl.lab.comparing.paired import played_by_both
from tests.lab.small_games import COUNTING, DICE, table_of

from .conftest import Run

FAST = ("--games", "300", "--seconds", "3")


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=somebody", "-c", "user.email=some@body")
    command = ["git", "-C", str(folder), *who, *words]
    subprocess.run(command, check=True, capture_output=True)


@pytest.mark.usefixtures("folder")
def test_a_game_and_itself(run: Run) -> None:
    result = run("diff", "good/coin.rules", "good/coin.rules", *FAST)
    assert result.exit_code == 0, result.output
    assert "Nothing differs" in result.output


@pytest.mark.usefixtures("folder")
def test_a_game_and_its_variant(run: Run) -> None:
    result = run("diff", "good/coin.rules", "good/coin_long.rules", *FAST)
    assert result.exit_code == 1, result.output
    assert "WHAT CHANGED" in result.output
    assert "It takes 0 choices" in result.output
    assert "choices in a game" not in result.output  # Nobody chooses in either.


@pytest.mark.parametrize("variant", ["rugrats", "secret_life", "secret_rugrats"])
def test_the_variants_of_a_shipped_game(run: Run, variant: str) -> None:
    result = run("diff", "pied_piper", variant, "--games", "1000", "--seconds", "100", "--json")
    assert result.exit_code == 1, result.output
    document = json.loads(result.output)
    assert document["changed"]
    assert document["witness"] is not None
    assert document["witness"]["shortest"]
    assert any(each["significant"] for each in document["moved"])


def test_two_revisions_of_a_file(run: Run, folder: Path) -> None:
    file = folder / "good" / "coin.rules"
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    file.write_text(file.read_text().replace("roll toss in 0..1", "roll toss in 1..1"))
    result = run("diff", "good/coin.rules", *FAST)
    assert result.exit_code == 1, result.output
    assert "A: good/coin.rules@HEAD" in result.output
    assert "1 to 1" in result.output
    git(folder, "commit", "-q", "-am", "two")
    assert run("diff", "good/coin.rules", *FAST).exit_code == 0
    both = run("diff", "good/coin.rules@HEAD~1", "good/coin.rules@HEAD", *FAST)
    assert both.exit_code == 1
    # What a variant builds on is of the same time.
    variant = run("diff", "good/coin_long.rules@HEAD~1", "good/coin_long.rules", *FAST)
    assert variant.exit_code == 1


@pytest.mark.usefixtures("folder")
def test_settings(run: Run) -> None:
    result = run("diff", "good/coin.rules", "good/coin.rules:goal=3", *FAST)
    assert result.exit_code == 1
    assert "usually 3" in result.output


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing", "coin"), "no game is called `nothing`"),
        (("good/coin.rules:goal", "good/coin.rules"), "`goal` sets nothing"),
        (("good/coin.rules:gaol=3", "good/coin.rules"), "is called `gaol`"),
        (("good/coin.rules:goal=9", "good/coin.rules"), "mistake"),
        (("good/coin.rules@HEAD", "good/coin.rules"), "git can't tell"),
        (("bad/broken.rules", "good/coin.rules"), "mistake"),
        (("good/coin.rules", "good/coin.rules", "--players", "7"), "for 7 players"),
    ],
)
def test_refusals(run: Run, words: tuple[str, ...], said: str) -> None:
    result = run("diff", *words, *FAST)
    assert result.exit_code == 2, result.output
    assert said in result.output


def test_a_revision_that_is_not_there(run: Run, folder: Path) -> None:
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    result = run("diff", "good/coin.rules@nowhere", "good/coin.rules", *FAST)
    assert result.exit_code == 2
    assert "no revision `nowhere`" in result.output


def test_git_runs_nothing_that_a_folder_asks_for(run: Run, folder: Path) -> None:
    (folder / ".gitattributes").write_text("*.rules filter=x\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    for name, more in (("filter.x.clean", "cat"), ("core.fsmonitor", "true")):
        git(folder, "config", name, f"touch '{folder / 'ran'}'; {more}")
    (folder / "good/coin.rules").touch()
    result = run("diff", "good/coin.rules@HEAD", "good/coin.rules", *FAST)
    assert "Nothing differs" in result.output
    assert not (folder / "ran").exists()


def test_the_same_games_however_many_processes() -> None:
    tables = table_of(COUNTING), table_of(DICE)
    here = played_by_both(*tables, 1, 300)
    assert Paired(300, 1, 0.0, 2, None).rows(*tables) == here
