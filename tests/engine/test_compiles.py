"""Whatever checks clean compiles, or is refused with a reason: nothing else happens."""

from __future__ import annotations

import re
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.mutants import Mutants
from ruledsl.lab.mutants import checked as checked_change
from ruledsl.library import Library, read_path
from ruledsl.model.check import check_rules
from ruledsl.model.game import CheckedGame
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

from .programs import Maker

GAMES = sorted((Path(__file__).parents[2] / "games").rglob("*.rules"))
BLOCK = re.compile(r"^```rules[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PAGES = [
    text
    for page in sorted((files("ruledsl.diagnostics") / "pages").iterdir(), key=str)
    for text in BLOCK.findall(page.read_text("utf-8"))
]


def compiles(game: CheckedGame) -> bool:
    """Whether a game is compiled; False if it is refused. A game without a table is none."""
    if "play" not in game.steps:
        return False
    with suppress(Unsupported, RulesError):
        Engine(Table(game, game.players[0]), checked=True)
        return True
    return False


def test_examples_of_mistakes() -> None:
    games = (check_rules(Source("page.rules", text), Library()).game for text in PAGES)
    assert sum(compiles(game) for game in games if game is not None) > 50


@pytest.mark.soak
@pytest.mark.parametrize("hundred", range(100, 130))
def test_made_up_programs(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * (hundred + 1)):
        text = Maker(Random(seed).randrange).program()
        game = check_rules(Source("made.rules", text), Library()).game
        if game is not None:
            compiles(game)


@pytest.mark.soak
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_changed_games(path: Path) -> None:
    """With one small change each, as far as they still check clean."""
    every = tuple(Mutants(read_path(str(path)), Library()))
    for assembly in every[:: max(1, len(every) // 150)]:
        game = checked_change(assembly)
        if game is not None:
            compiles(game)
