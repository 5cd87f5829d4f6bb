"""`ruledsl cover`: what of the numbered rulebook the rules and their tests cite."""

import json
from pathlib import Path

import pytest

from .conftest import Run

GAME = """\
game coin "Toss a coin"
    players 2
    rulebook CO 1..9 "The book of the coin"

state Player.score: 0..3 = 0                    §CO-1

step play                                       §CO-2 assumed "one round is enough"
    set active = Player(1)
    roll toss in 0..1                           §CO-3
    add toss to active.score                    §CO-03 §CO-4 assumed "heads count"

ranking p in playing
    highest p.score

test "heads"                                    §CO-2
    when play
        roll 1
    then
        Player(1).score = 1                     §CO-3
"""

VARIANT = """\
variant coin_long of coin "A longer toss"

after step play
    roll toss in 0..1                           §CO-8 assumed "once more"

test "again"
    when play
        roll 1
        roll 0
    then
        Player(1).score = 1                     §CO-9
"""


@pytest.fixture
def covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "coin.rules").write_text(GAME, encoding="utf-8")
    (tmp_path / "coin_long.rules").write_text(VARIANT, encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("covered")
@pytest.mark.parametrize("game", ["coin.rules", "coin_long.rules"])
def test_json(run: Run, game: str) -> None:
    result = run("cover", game, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "format": 1,
        "document": "cover",
        "game": "coin",
        "total": 9,
        "cited": 6,
        "tested": 3,
        "uncited": ["CO-5", "CO-6", "CO-7"],
        "untested": ["CO-1", "CO-4", "CO-5", "CO-6", "CO-7", "CO-8"],
        "texts": {},
        "assumptions": [
            {
                "text": "one round is enough",
                "file": "coin.rules",
                "line": 7,
                "cites": ["CO-2"],
            },
            {"text": "heads count", "file": "coin.rules", "line": 10, "cites": ["CO-3", "CO-4"]},
            {"text": "once more", "file": "coin_long.rules", "line": 4, "cites": ["CO-8"]},
        ],
    }


@pytest.mark.usefixtures("covered")
def test_text(run: Run) -> None:
    assert (
        run("cover", "coin.rules").stdout
        == """\
Toss a coin: 9 rules in the book
   3 cited and tested
   3 cited only: CO-1, CO-4, CO-8
   3 not cited: CO-5 to CO-7

3 assumptions:
  coin.rules:7: one round is enough (CO-2)
  coin.rules:10: heads count (CO-3, CO-4)
  coin_long.rules:4: once more (CO-8)
"""
    )


def test_long_lists_are_wrapped(run: Run, covered: Path) -> None:
    (covered / "coin.rules").write_text(GAME.replace("1..9", "1..150"), encoding="utf-8")
    uncited = GAME.replace("1..9", "1..150") + "\n".join(
        f"define n{n} = {n}  §CO-{n}" for n in range(10, 150, 2)
    )
    (covered / "coin.rules").write_text(uncited + "\n", encoding="utf-8")
    lines = run("cover", "coin.rules").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) > 15


def test_a_game_without_a_rulebook(run: Run) -> None:
    result = run("cover", "tic_tac_toe")
    assert result.exit_code == 0
    assert "no numbered rulebook is declared" in result.stdout
    assert json.loads(run("cover", "tic_tac_toe", "--json").stdout)["total"] == 0


@pytest.mark.parametrize(
    ("name", "message"),
    [("nothing", "no game is called `nothing`"), ("cards", "is not a game")],
)
def test_no_game(run: Run, name: str, message: str) -> None:
    result = run("cover", name)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("game", ["pied_piper", "burg_appenzell", "hameln", "ratzentanz"])
def test_every_rule_of_the_books_is_cited_and_tested(run: Run, game: str) -> None:
    document = json.loads(run("cover", game, "--json").stdout)
    assert document["total"] > 50
    assert document["uncited"] == document["untested"] == []
