"""`ruledsl simulate`."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from .conftest import Run
from .keyboard import Keyboard
from .test_perft import COUNTER

PROGRAM = str(Path(sys.executable).with_name("ruledsl"))


def simulate(*words: str) -> subprocess.CompletedProcess[str]:
    command = [PROGRAM, "simulate", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def test_the_same_numbers_however_many_processes() -> None:
    words = ("love_letter", "--games", "2500", "--seed", "3", "--json")
    one, three = simulate(*words), simulate(*words, "--jobs", "3")
    assert one.returncode == three.returncode == 0
    assert one.stdout == three.stdout
    document = json.loads(one.stdout)
    assert document["games"] == 2500
    assert sum(document["endings"].values()) == 2500


def test_unchecked_games_are_the_same() -> None:
    words = ("pied_piper", "--games", "300", "--seed", "3")
    assert simulate(*words).stdout == simulate(*words, "--unchecked").stdout


def test_a_row_for_each_game(tmp_path: Path) -> None:
    out = tmp_path / "games.csv"
    done = simulate("pig", "--games", "3", "--players", "2", "--seed", "1", "--out", str(out))
    assert done.returncode == 0
    assert "3 games, 2 random players, seed 1" in done.stdout
    rows = out.read_text(encoding="utf-8").splitlines()
    assert rows[0] == "game,ending,rank_1,rank_2,payoff_1,payoff_2,decisions,choices,options"
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


@pytest.mark.parametrize("level", ["easy", "medium", "mcts:500", "mcts:0.05s"])
def test_players_that_look_ahead(run: Run, level: str) -> None:
    words = ("tic_tac_toe", "--games", "12", "--seed", "2", "--seats", f"random,{level}")
    result = run("simulate", *words, "--json")
    assert result.exit_code == 0
    seats = json.loads(result.stdout)["seats"]
    assert [seat["player"] for seat in seats] == ["random", level]
    assert seats[1]["wins"]["value"] > seats[0]["wins"]["value"]


def test_what_cannot_begin_is_refused() -> None:
    assert "did you mean `pig`?" in simulate("pigg").stderr
    assert "for 2 players, not 7" in simulate("chess", "--players", "7").stderr
    assert "no option called `goall`" in simulate("pig", "--option", "goall=30").stderr


def test_seats_that_cannot_be_taken_are_refused(run: Run) -> None:
    assert "did you mean `greedy`?" in run("simulate", "pig", "--seats", "gredy").stderr
    assert "only computers" in run("simulate", "pig", "--seats", "human,random").stderr
    three = run("simulate", "tic_tac_toe", "--players", "2", "--seats", "random,random,random")
    assert "3 seats are given for 2 players" in three.stderr


@pytest.mark.extra
def test_rows_as_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out, text = tmp_path / "games.parquet", tmp_path / "games.csv"
    words = ("pig", "--games", "700", "--players", "3", "--seed", "1", "--out")
    assert simulate(*words, str(out)).returncode == simulate(*words, str(text)).returncode == 0
    table = parquet.read_table(out).to_pydict()
    rows = [line.split(",") for line in text.read_text("utf-8").splitlines()]
    assert list(table) == rows[0]
    assert [list(map(str, row)) for row in zip(*table.values(), strict=True)] == rows[1:]


def test_parquet_needs_pyarrow(tmp_path: Path) -> None:
    (tmp_path / "pyarrow.py").write_text("raise ImportError", encoding="utf-8")
    out = tmp_path / "games.parquet"
    done = subprocess.run(
        [PROGRAM, "simulate", "pig", "--out", str(out)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 2
    assert "Parquet files need `pyarrow`" in done.stderr
    assert not out.exists()
    assert "neither a CSV nor a Parquet" in simulate("pig", "--out", "games.txt").stderr


UNLUCKY = """\
game unlucky "Unlucky"
    players 2

place box of Stone
piece Stone 6 in box
state score: 0..20 = 0

step setup
    set active = Player(1)

step play
    repeat
        choose s in box "Take a stone."
        roll face in 1..6
        set score = score + face
        if score >= 18
            win you
        set active = active.next
"""


def test_rules_that_go_wrong_are_reported_with_place_and_game(tmp_path: Path) -> None:
    (tmp_path / "unlucky.rules").write_text(UNLUCKY, encoding="utf-8")
    rules, out = str(tmp_path / "unlucky.rules"), tmp_path / "games.csv"
    done = simulate(rules, "--games", "100", "--seed", "4", "--out", str(out), "--json")
    assert done.returncode == 1
    document = json.loads(done.stdout)
    failures = document["failures"]
    assert all(each["message"].startswith(f"{rules}:15: ") for each in failures)
    rows = [line.split(",") for line in out.read_text("utf-8").splitlines()[1:]]
    assert [int(row[0]) for row in rows] == list(range(100))
    failed = [row for row in rows if row[1] == "failed"]
    assert failed[0][2:6] == [""] * 4
    assert sum(each["games"] for each in failures) == len(failed)
    assert min(each["first"] for each in failures) == int(failed[0][0])
    shown = simulate(rules, "--games", "100", "--seed", "4").stdout
    assert f"× the rules went wrong, first in game {failed[0][0]}: {rules}:15: " in shown


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_simulation_prints_what_there_is(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "games.csv"
    words = ("tic_tac_toe", "--games", "100000000", "--jobs", jobs, "--out", str(out))
    with subprocess.Popen(
        [PROGRAM, "simulate", *words], stdout=subprocess.PIPE, text=True
    ) as process:
        while not (out.exists() and out.stat().st_size > 10_000):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        shown, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    first = shown.splitlines()[0]
    assert first.endswith("(interrupted)")
    games = int(first.split(": ")[1].split()[0])
    assert len(out.read_text("utf-8").splitlines()) == games + 1


def test_an_interrupt_before_the_processes_are_ready() -> None:
    with Keyboard("simulate", "tic_tac_toe", "--games", "100000000", "--jobs", "2") as terminal:
        terminal.see("simulating")
        terminal.press("C")
        assert terminal.leave() == 130
        # Games are told that were over by then, and nothing of how processes end.
        said = [line for line in terminal.text.partition("^C")[2].splitlines() if line]
        assert said[0].startswith("Tic-Tac-Toe: ")
        assert not any("Traceback" in line or "rror" in line for line in said)


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    def largest(games: int) -> int:
        assert simulate("tic_tac_toe", "--games", str(games), "--seed", "1").returncode == 0
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss

    few = largest(20_000)
    assert largest(200_000) < few + 8_000


ENDLESS = COUNTER.replace("total + n", "0")


def test_a_game_that_never_ends_can_be_interrupted(tmp_path: Path) -> None:
    (tmp_path / "endless.rules").write_text(ENDLESS, "utf-8")
    words = ("simulate", "endless.rules", "--games", "10", "--limit-decisions", "999999999")
    with Keyboard(*words, cwd=tmp_path) as terminal:
        terminal.see("simulating")
        terminal.press("C")
        assert terminal.leave() == 130
        assert "Counter: 0 games, 2 random players" in terminal.text


def test_games_that_fail_are_not_counted(tmp_path: Path) -> None:
    file = tmp_path / "counter.rules"
    file.write_text(COUNTER.replace("repeat", "repeat 2 times"), "utf-8")
    shown = simulate(str(file), "--games", "50", "--seed", "1").stdout
    finished = int(shown.split("of these ")[1].split()[0])
    assert f"the rules, drawn {finished}" in shown
    assert f"failed {50 - finished}" in shown
    file.write_text(COUNTER, "utf-8")  # Sooner or later it is too much.
    document = json.loads(simulate(str(file), "--games", "5", "--seed", "1", "--json").stdout)
    assert (document["games"], document["finished"]) == (5, 0)
    assert document["draws"] is None
    assert [seat["wins"] for seat in document["seats"]] == [None, None]
