"""A folder to work in, and a way to call the program."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ruledsl.cli.main import main

Run = Callable[..., Result]

GAME = """\
game coin "Toss a coin"
    players 2..3
    limit 20 decisions

option goal in 1..3 = 2 "Tosses to win"

state Player.score: 0..3 = 0

step play
    set active = Player(1)
    repeat goal times
        roll toss in 0..1
        add toss to active.score

ranking p in playing
    highest p.score
"""

VARIANT = """\
variant coin_long of coin "A longer toss"

option rounds in 1..2 = 1

after step play
    repeat rounds times
        roll toss in 0..1
        if toss = 1
            set active.score = 3
"""

BROKEN = 'game broken "Broken"\n    players 2..3\n\nstep play\n    set = \n'


@pytest.fixture
def run() -> Run:
    """Calls `ruledsl` with arguments, in this process."""

    def invoke(*args: str, text: str | bytes | None = None) -> Result:
        return CliRunner().invoke(main, args, input=text)

    return invoke


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with two good files in `good` and a broken one in `bad`."""
    for name, text in {
        "good/coin.rules": GAME,
        "good/coin_long.rules": VARIANT,
        "bad/broken.rules": BROKEN,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path
