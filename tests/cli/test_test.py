"""`ruledsl test`: the tests in rules files."""

import json
from pathlib import Path

import pytest

from ruledsl.library import Library

from .conftest import GAME, VARIANT, Run

TESTS = """
test "heads are counted"
    players 2
    when play
        roll 1
        roll 0
    then
        Player(1).score = 1

test "tails are not"
    players 3
    with goal = 1
    when play
        roll 0
    then
        Player(1).score + 1 = 2
        finished
"""

VARIANT_TESTS = """
test "one more toss"
    when play
        roll 0
        roll 0
        roll 1
    then
        Player(1).score = 3
"""


@pytest.fixture
def tested(folder: Path) -> Path:
    (folder / "good/coin.rules").write_text(GAME + TESTS, encoding="utf-8")
    (folder / "good/coin_long.rules").write_text(VARIANT + VARIANT_TESTS, encoding="utf-8")
    return folder


def test_a_failure_shows_what_is_wrong(run: Run, tested: Path) -> None:
    result = run("test", "good/coin.rules")
    assert result.exit_code == 1
    expected = """\
error[failed-test]: tails are not (3 players)
 --> good/coin.rules:32:9
   |
32 |         Player(1).score + 1 = 2
   |         ^^^^^^^^^^^^^^^^^^^^^^^ this does not hold
   = note: left: 1
   = note: right: 2
   = note: 4 events before; `--events` shows what happened
"""
    assert expected in result.stdout
    told = """\
   = note: right: 2
   = note: before: active is now Player 1
   = note: before: rolled: 0
   = note: before: score (Player 1) is now 0
   = note: before: a draw
"""
    assert told in run("test", "good/coin.rules", "--events").stdout
    assert result.stdout.endswith("\n2 tests in 1 file: 1 failed\n")
    (tested / "good/coin.rules").write_text(GAME + TESTS.replace("= 2\n", "= 1\n"))
    passed = run("test", "good/coin.rules")
    assert passed.exit_code == 0
    assert passed.stdout == "2 tests in 1 file: all passed\n"


@pytest.mark.usefixtures("tested")
def test_a_folder_has_the_tests_of_every_file(run: Run) -> None:
    result = run("test", "good")
    assert result.stdout.endswith("\n3 tests in 2 files: 1 failed\n")


@pytest.mark.usefixtures("tested")
def test_json(run: Run) -> None:
    result = run("test", "good", "--json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert (document["tests"], document["failed"], document["mistakes"]) == (3, 1, [])
    passed, failed, variant = document["results"]
    assert passed == {
        "file": "good/coin.rules",
        "line": 18,
        "test": "heads are counted",
        "players": 2,
        "passed": True,
        "failure": None,
    }
    assert failed["failure"] == {
        "file": "good/coin.rules",
        "line": 32,
        "column": 9,
        "expression": "Player(1).score + 1 = 2",
        "message": "this does not hold",
        "details": ["left: 1", "right: 2"],
        "events": ["active is now Player 1", "rolled: 0", "score (Player 1) is now 0", "a draw"],
    }
    assert variant["file"] == "good/coin_long.rules"


@pytest.mark.usefixtures("tested")
def test_rules_with_mistakes_are_not_run(run: Run) -> None:
    result = run("test", "bad", "good/coin_long.rules")
    assert result.exit_code == 1
    assert "error[" in result.stdout
    summary = "1 test in 2 files: all passed; not run, for their mistakes: bad/broken.rules\n"
    assert result.stdout.endswith(summary)
    alone = run("test", "bad").stdout
    assert alone.endswith("\n0 tests in 1 file; not run, for their mistakes: bad/broken.rules\n")
    document = json.loads(run("test", "bad", "--json").stdout)
    assert document["mistakes"][0]["file"] == "bad/broken.rules"


@pytest.mark.usefixtures("tested")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere.rules", "there is no file or folder `nowhere.rules`"),
        ("tic_tac_tow", "no game is called `tic_tac_tow`"),
    ],
)
def test_what_is_not_there(run: Run, name: str, message: str) -> None:
    result = run("test", name)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_shipped_game_by_name(run: Run) -> None:
    result = run("test", "tic-tac-toe", "nine_mens_morris")
    assert result.exit_code == 0
    assert " tests in 2 files: all passed\n" in result.stdout


def test_all_shipped_games_pass_and_have_tests(run: Run) -> None:
    result = run("test", "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    tested = {Path(each["file"]).stem for each in document["results"]}
    libraries = {s.name for s in Library().sources() if s.text.startswith("library ")}
    assert tested >= set(Library().names()) - {Path(name).stem for name in libraries}


@pytest.mark.parametrize(
    ("fact", "details"),
    [
        ("all(p in Player have p.score < 1)", ["p: Player(1)", "left: 1", "right: 1"]),
        ("finished and Player(1).score = 5", ["left: 1", "right: 5"]),
        ("not Player(1).score = 1", ["left: 1", "right: 1"]),
        ("Player(1).score in {2, 3}", ["element: 1", "set: {2, 3}"]),
        ("not finished", []),
    ],
)
def test_what_a_failed_condition_depends_on(
    run: Run, tested: Path, fact: str, details: list[str]
) -> None:
    text = GAME + TESTS.replace("Player(1).score = 1\n", f"{fact}\n", 1)
    (tested / "good/coin.rules").write_text(text, encoding="utf-8")
    document = json.loads(run("test", "good/coin.rules", "--json").stdout)
    assert document["results"][0]["failure"]["details"] == details
