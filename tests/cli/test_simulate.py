"""`ruledsl simulate`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from .conftest import Run


def simulate(*words: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("ruledsl")
    command = [str(program), "simulate", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_the_same_numbers_however_many_processes() -> None:
    one = simulate("tic_tac_toe", "--games", "25", "--seed", "3", "--json")
    two = simulate("tic_tac_toe", "--games", "25", "--seed", "3", "--json", "--jobs", "2")
    assert one.returncode == two.returncode == 0
    assert json.loads(one.stdout) == json.loads(two.stdout)
    document = json.loads(one.stdout)
    assert document["games"] == 25
    assert sum(document["endings"].values()) == 25


def test_a_row_for_each_game(tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    done = simulate("pig", "--games", "3", "--players", "2", "--seed", "1", "--out", str(out))
    assert done.returncode == 0
    assert "3 games, 2 random players, seed 1" in done.stdout
    rows = out.read_text(encoding="utf-8").splitlines()
    assert rows[0] == "game,ending,rank_1,rank_2,payoff_1,payoff_2,choices,options"
    assert len(rows) == 4
    again = simulate("pig", "--games", "3", "--out", str(out))
    assert again.returncode == 2
    assert "exists already" in again.stderr


def test_any_players_in_any_seats(run: Run) -> None:
    words = ("simulate", "tic_tac_toe", "--games", "30", "--seed", "2", "--seats")
    done = run(*words, "random,greedy")
    assert done.exit_code == 0
    assert done.stdout.startswith("Tic-Tac-Toe: 30 games, random, greedy, seed 2\n")
    first = run(*words, "greedy", "--json")
    seats = json.loads(first.stdout)["seats"]
    assert [seat["player"] for seat in seats] == ["greedy", "random"]
    assert seats[0]["wins"]["value"] > 0.6


def test_what_cannot_begin_is_refused() -> None:
    assert "did you mean `pig`?" in simulate("pigg").stderr
    assert "for 2 players, not 7" in simulate("chess", "--players", "7").stderr
    assert "no option called `goall`" in simulate("pig", "--option", "goall=30").stderr


def test_seats_that_cannot_be_taken_are_refused(run: Run) -> None:
    assert "did you mean `greedy`?" in run("simulate", "pig", "--seats", "gredy").stderr
    assert "only computers" in run("simulate", "pig", "--seats", "human,random").stderr
    three = run("simulate", "tic_tac_toe", "--players", "2", "--seats", "random,random,random")
    assert "3 seats are given for 2 players" in three.stderr
