"""What judges a change: made-up programs and games in both executors, and tests.

A case for a program or a game does what a test of the same name does, but only where the change
reaches: if the module that is compiled is the same to the byte, playing it would tell nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random

import attrs

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.code.wasm import encoded
from ruledsl.engine.compiler import compiled
from ruledsl.engine.played import EngineError
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.table.table import Table
from tests.engine.choices.test_drawing import draw_and_play
from tests.engine.lockstep import play_in_step
from tests.engine.memory.guarded import guarded
from tests.engine.programs import Maker
from tests.play.table import Setting, players_of, shipped_games

LARGER = range(40)
"""Seeds of `test_the_executors_agree_on_larger_programs`"""
DRAWN = range(1000, 1030)
"""Seeds of `test_what_is_drawn_in_made_up_programs_is_an_option`"""
GAMES = (
    "tic_tac_toe",
    "kuhn_poker",
    "pig",
    "hearts",
    "love_letter",
    "crazy_eights",
    "connect_four",
    "nine_mens_morris",
    "checkers",
    "hanabi",
    "othello",
    "breakthrough",
    "hamlet",
    "pied_piper",
    "little_realm",
    "go",
    "hameln",
    "chess",
    "canals",
    "thin_ice",
)
"""Those first that differ most; all others follow."""
DECISIONS = 25
"""So many of each game are followed, of the at least 200 that the tests follow."""


@attrs.frozen
class Case:
    """Something to compile, and to play if its code has changed."""

    name: str
    table: Table
    checked: bool
    play: Callable[[Engine], object]

    def code(self) -> str:
        """The module as a text that tells it from others."""
        made = compiled(self.table, checked=self.checked, lightly=False, trial=None)
        return hashlib.sha256(encoded(made.program)).hexdigest()

    def follow(self) -> None:
        with guarded():
            engine = Engine(self.table, checked=self.checked)
        self.play(engine)


def cases() -> Iterator[Case]:
    """All of them, without running anything of the engine."""
    for seed in LARGER:
        table = _made_up(seed, 2 + seed % 2)
        if table is not None:
            checked = seed % 4 != 0
            yield Case(f"program {seed}, checked={checked}", table, checked, _two_games)
    for seed in DRAWN:
        table = _made_up(seed, 2)
        if table is not None:
            yield Case(f"drawing in program {seed}", table, False, _draw)
    others = (name for name in shipped_games() if name not in GAMES)
    for number, name in enumerate((*GAMES, *others)):
        table = Setting(name, players_of(name)[0]).table()
        checked = number % 4 != 0
        yield Case(f"{name}, checked={checked}", table, checked, _beginnings)


def _made_up(seed: int, players: int) -> Table | None:
    text = Maker(Random(seed).randrange).program()
    game = check_source(Source("made.rules", text), Library()).game
    return None if game is None else Table(game, players)


def _two_games(engine: Engine) -> None:
    for seed in range(2):
        play_in_step(engine, seed)


def _draw(engine: Engine) -> None:
    for seed in range(2):
        with suppress(EngineError):  # What was made up may get stuck.
            draw_and_play(engine, seed)


def _beginnings(engine: Engine) -> None:
    for seed in range(4):
        play_in_step(engine, seed, DECISIONS)
