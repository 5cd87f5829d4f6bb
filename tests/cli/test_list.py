"""`ruledsl list`: games, their variants and options."""

import json
from pathlib import Path
from typing import Any

import pytest

from ruledsl.library import Library

from .conftest import Run


def listed(run: Run, *args: str) -> dict[str, Any]:
    games = json.loads(run("list", "--json", *args).stdout)["games"]
    return {game["id"]: game for game in games}


@pytest.mark.usefixtures("folder")
def test_a_folder_is_listed(run: Run) -> None:
    result = run("list", "good")
    assert result.exit_code == 0
    expected = (
        "coin: Toss a coin, 2 to 3 players\n"
        "    option goal: Tosses to win, 1..3 (2)\n"
        "    variant coin_long: A longer toss\n"
        "        option rounds: rounds, 1..2 (1)\n"
    )
    assert expected in result.stdout


@pytest.mark.usefixtures("folder")
def test_json(run: Run) -> None:
    assert listed(run, "good")["coin"] == {
        "id": "coin",
        "title": "Toss a coin",
        "file": "good/coin.rules",
        "players": [2, 3],
        "options": [{"id": "goal", "title": "Tosses to win", "domain": "1..3", "default": 2}],
        "variants": [
            {
                "id": "coin_long",
                "title": "A longer toss",
                "file": "good/coin_long.rules",
                "options": [{"id": "rounds", "title": None, "domain": "1..2", "default": 1}],
            }
        ],
    }


def test_shipped_games_are_all_there(run: Run) -> None:
    result = run("list", "--json")
    assert result.exit_code == 0
    games = json.loads(result.stdout)["games"]
    names = {game["id"] for game in games}
    names |= {variant["id"] for game in games for variant in game["variants"]}
    libraries = {s.name for s in Library().sources() if s.text.startswith("library ")}
    assert names | {Path(name).stem for name in libraries} == set(Library().names())
    assert all(game["players"] and game["title"] for game in games)


def test_what_cannot_be_listed_is_named(run: Run, folder: Path) -> None:
    (folder / "bad/none.rules").write_text("# nothing\n", encoding="utf-8")
    (folder / "bad/lost.rules").write_text("variant lost of nowhere\n", encoding="utf-8")
    (folder / "bad/latin.rules").write_bytes(b"# K\xe4se\n")
    result = run("list", "bad")
    assert result.exit_code == 1
    for name in ("none", "lost", "latin"):
        assert f"can't list `bad/{name}.rules`" in result.stderr


def test_variants_that_go_in_circles(run: Run, folder: Path) -> None:
    (folder / "bad/a.rules").write_text("variant a of b\n", encoding="utf-8")
    (folder / "bad/b.rules").write_text("variant b of a\n", encoding="utf-8")
    assert run("list", "bad").exit_code == 1


@pytest.mark.parametrize(
    ("players", "counts", "text"),
    [
        ("2", [2], "2 players"),
        ("1", [1], "1 player"),
        ("{2, 4}", [2, 4], "2 or 4 players"),
        ("3..2", [], "any players"),
    ],
)
def test_numbers_of_players(
    run: Run, folder: Path, players: str, counts: list[int], text: str
) -> None:
    file = folder / "good/coin.rules"
    file.write_text(f'game coin "Coin"\n    players {players}\n', encoding="utf-8")
    assert listed(run, "good")["coin"]["players"] == counts
    assert f"coin: Coin, {text}\n" in run("list", "good").stdout


@pytest.mark.usefixtures("folder")
def test_only_games_asked_for_are_listed(run: Run) -> None:
    everything = listed(run)
    game = next(each for each in everything.values() if each["variants"])
    assert set(listed(run, game["id"])) == {game["id"]}
    assert set(listed(run, game["variants"][0]["id"])) == {game["id"]}
    assert set(listed(run, game["id"], "good")) == {game["id"], "coin"}
    assert set(listed(run, "good")) == {*everything, "coin"}
