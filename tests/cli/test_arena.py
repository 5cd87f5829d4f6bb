"""`ruledsl arena`."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Run

PROGRAM = str(Path(sys.executable).with_name("ruledsl"))


def test_the_better_player_is_rated_higher(run: Run) -> None:
    words = ("tic_tac_toe", "--seats", "random,greedy", "--games", "39", "--seed", "1")
    result = run("arena", *words)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Tic-Tac-Toe: 40 games of 2 players, seed 1"
    assert [line.split()[0] for line in lines[2:6]] == ["player", "greedy", "random", "draws"]
    assert lines[6] == "a fair share of the wins would be 50.0%"
    assert lines[8].startswith("random before greedy: ")
    assert lines[8].endswith(" of 40 meetings")


def test_the_same_numbers_however_many_processes(run: Run) -> None:
    words = ("kuhn_poker", "--seats", "random,greedy", "--games", "60", "--seed", "3", "--json")
    one, two = run("arena", *words), run("arena", *words, "--jobs", "2")
    assert one.exit_code == two.exit_code == 0
    assert one.stdout == two.stdout
    document = json.loads(one.stdout)
    assert document["games"] == 60
    assert not document["interrupted"]
    assert [kind["player"] for kind in document["kinds"]] == ["random", "greedy"]
    assert [kind["seats"] for kind in document["kinds"]] == [60, 60]
    for kind in document["kinds"]:
        assert kind["elo"]["low"] < kind["elo"]["value"] < kind["elo"]["high"]
    assert document["pairs"][0]["meetings"] == 60


def test_more_seats_than_kinds(run: Run) -> None:
    words = ("pig", "--players", "3", "--option", "goal=20", "--seats", "random,greedy")
    result = run("arena", *words, "--games", "6", "--seed", "1", "--json")
    assert result.exit_code == 0
    assert [kind["seats"] for kind in json.loads(result.stdout)["kinds"]] == [9, 9]


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["pigg", "--seats", "random,greedy"], "`pigg`", "did you mean `pig`?"),
        (["pig"], "Missing option '--seats'", ""),
        (["pig", "--seats", "random"], "`random` has nobody to play against", "--seats greedy"),
        (["pig", "--seats", "random,random"], "`random` is named twice", "named once"),
        (["pig", "--seats", "random,gredy"], "nobody called `gredy`", "did you mean `greedy`?"),
        (["pig", "--seats", "random,"], "nobody called ``", "there are: human"),
        (["pig", "--seats", "random,human"], "only computers can play here", ""),
        (["pig", "--seats", "random,mcts:0"], "`mcts:0`: a search has 1 to", "write `mcts:1000`"),
        (["chess", "--players", "3", "--seats", "random,greedy"], "not 3", ""),
        (["pig", "--seats", "random,greedy", "--games", "0"], "--games", ""),
        (["pig", "--seats", "random,greedy", "--games", "3"], "for a round, not 3", "--games 4"),
        (["pig", "--seats", "random,greedy", "--option", "x=1"], "no option called `x`", ""),
    ],
)
def test_what_cannot_begin_is_refused(run: Run, words: list[str], message: str, hint: str) -> None:
    result = run("arena", *words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert hint in result.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_arena_prints_what_there_is(jobs: str) -> None:
    words = ("tic_tac_toe", "--seats", "random,greedy", "--games", "50000", "--seed", "1")
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, "arena", *words, "--jobs", jobs],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        start_new_session=True,
    ) as arena:
        os.close(theirs)
        shown = b""
        while b"%" not in shown.partition(b"%")[2]:  # Some games have been played.
            shown += os.read(ours, 1_000)
        os.killpg(arena.pid, signal.SIGINT)
        assert arena.stdout is not None
        out = arena.stdout.read()
    os.close(ours)
    assert b"playing" in shown
    assert arena.returncode == 130
    assert "(interrupted)" in out.splitlines()[0]
    assert "Traceback" not in out
    assert "greedy" in out


def test_players_that_look_ahead(run: Run) -> None:
    words = ("tic_tac_toe", "--seats", "random,easy,mcts:30", "--games", "12", "--seed", "1")
    one, two = run("arena", *words, "--json"), run("arena", *words, "--json", "--jobs", "2")
    assert one.exit_code == 0
    assert one.stdout == two.stdout
    timed = run("arena", "tic_tac_toe", "--seats", "random,mcts:0.01s", "--games", "2")
    assert timed.exit_code == 0
    assert "mcts:0.01s before" in timed.stdout or "before mcts:0.01s" in timed.stdout
