"""Options drawn without listing them: always legal, and each equally likely."""

from __future__ import annotations

from collections import Counter

import pytest

import ruledsl
from ruledsl.engine import Engine
from ruledsl.play.chance import Generator
from ruledsl.table.table import Table
from ruledsl.table.things import Value

GAMES = (
    "tic_tac_toe",
    "breakthrough",
    "chess",
    "nine_mens_morris",
    "backgammon",
    "go",
    "hearts",
    "pied_piper",
    "hameln",
)


def engine_of(name: str) -> Engine:
    game = ruledsl.load(name)
    return Engine(Table(game.checked, game.players[-1]))


def listed(engine: Engine) -> dict[tuple[int, tuple[Value, ...]], int]:
    """The first candidate of each option, which stands for all that are alike."""
    found: dict[int, tuple[int, tuple[Value, ...]]] = {}
    for candidate in engine.candidates():
        found.setdefault(candidate.option, (candidate.offer, candidate.values))
    return {first: option for option, first in found.items()}


@pytest.mark.parametrize("name", GAMES)
def test_what_is_drawn_is_an_option(name: str) -> None:
    engine = engine_of(name)
    mind = Generator(1)
    drawn = 0
    going = engine.start(5)
    for _ in range(60):
        if not going:
            break
        options = listed(engine)
        for _ in range(3):
            found = engine.drawn()
            if found is not None:
                drawn += 1
                assert (found.offer, found.values) in options
        going = engine.choose(mind.below(engine.number))
    assert drawn


@pytest.mark.parametrize(("name", "seed"), [("breakthrough", 1), ("chess", 1), ("pied_piper", 3)])
def test_all_options_are_equally_likely(name: str, seed: int) -> None:
    engine = engine_of(name)
    engine.start(seed)
    options = listed(engine)
    draws = 200 * len(options)
    counts: Counter[int] = Counter()
    while counts.total() < draws:
        found = engine.drawn()
        if found is not None:
            counts[options[found.offer, found.values]] += 1
    square = sum((counts[option] - 200) ** 2 / 200 for option in options.values())
    freedom = len(options) - 1
    # Five standard deviations of the distribution of chi-square.
    assert square < freedom + 5 * (2 * freedom) ** 0.5
