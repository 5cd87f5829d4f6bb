"""A golden playthrough of every shipped game: the same seed and choices give the same history.

A new game gets one when the tests first run; `UPDATE_SNAPSHOTS=1` plays all of them anew. Each
file has the setting, the choices by number, the log as seat 1 reads it, and the result.
"""

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path
from textwrap import wrap

import pytest

from ruledsl.play.match import Match

from .table import loaded, shipped_games

UPDATE = "UPDATE_SNAPSHOTS" in os.environ
COMPLETE = "CI" in os.environ
"""Whether every game has to have its playthrough; elsewhere a new one gets it here."""
FOLDER = Path(__file__).parent / "golden"

MOST_CHOICES = 400
MOST_LINES = 300
"""Of a longer log the rest is kept as a digest."""
SEEDS = range(1, 9)
"""Tried for a game that ends within the number of choices."""


def file_of(game: str) -> Path:
    return FOLDER / f"{game}.txt"


@pytest.mark.parametrize("game", shipped_games())
def test_playthrough(game: str) -> None:
    file = file_of(game)
    if UPDATE or not (file.is_file() or COMPLETE):
        FOLDER.mkdir(exist_ok=True)
        file.write_text(_new_playthrough(game), encoding="utf-8")
    assert file.is_file(), "no golden playthrough: run the tests once and keep the file"
    golden = file.read_text("utf-8")
    head = dict(line.split(": ", 1) for line in golden.splitlines()[:4])
    choices = golden.split("choices:\n", 1)[1].split("\n\n", 1)[0]
    match = _start(game, int(head["players"]), int(head["seed"]))
    match.replay(tuple(int(number) for number in choices.split()))
    assert text_of(match) == golden


def test_no_playthrough_is_left_over() -> None:
    assert {file.stem for file in FOLDER.iterdir()} <= set(shipped_games())


def _start(game: str, players: int, seed: int) -> Match:
    return loaded(game).start(players, seed=seed)


def _new_playthrough(game: str) -> str:
    players = loaded(game).usual_players()
    for seed in SEEDS:
        match = _start(game, players, seed)
        rng = random.Random(seed)
        while match.seat is not None and len(match.history) < MOST_CHOICES:
            match.choose(rng.randrange(len(match.options)))
        if match.result is not None:
            break
    return text_of(match)


def text_of(match: Match) -> str:
    """A match as a golden file has it."""
    log = [("" if line.headline else "    ") + line.text for line in match.log(1)]
    rest = "\n".join(log[MOST_LINES:])
    if rest:
        digest = hashlib.sha256(rest.encode()).hexdigest()[:16]
        log[MOST_LINES:] = [f"… {len(log) - MOST_LINES} more lines, digest {digest}"]
    return "\n".join(
        [
            f"game: {match.game.variant or match.game.name}",
            f"players: {match.players}",
            f"seed: {match.seed}",
            f"rules: {match.words.title()}",
            "choices:",
            *wrap(" ".join(map(str, match.history)), 96),
            "",
            "log of seat 1:",
            *log,
            "",
            *_result(match),
            "",
        ]
    )


def _result(match: Match) -> list[str]:
    result = match.result
    if result is None:
        return [f"result: none after {len(match.history)} choices"]
    ranks = [f"{player}: rank {rank}" for player, rank in result.ranks.items()]
    return [f"result: {result.how}", *ranks]


# ------------------------------------------------------------ the same in every process

ELSEWHERE = """\
import random, sys
import ruledsl
for name in sys.argv[1:]:
    game = ruledsl.load(name)
    match = game.start(game.usual_players(), seed=5)
    rng = random.Random(5)
    while match.seat is not None and len(match.history) < 80:
        print([choice.code for choice in match.options])
        match.choose(rng.randrange(len(match.options)))
    for seat in range(1, match.players + 1):
        print(*(line.text for line in match.log(seat)), sep="\\n")
        view = match.view(seat)
        print(view.slots, view.active, view.playing)
        for place in view.places:
            looks = [sorted(map(str, piece.looks or ())) for piece in place.pieces or ()]
            pieces = [(piece.piece, piece.states) for piece in place.pieces or ()]
            print(place.place, pieces, looks)
    print(match.interpreter.pos.histories)
"""


def test_the_same_with_any_hash_seed() -> None:
    games = ["go", "hearts", "love_letter", "sushi_draft", "hamlet", "pied_piper", "hanabi"]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", ELSEWHERE, *games],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "4242")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 10_000
