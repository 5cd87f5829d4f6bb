"""Options drawn without listing them: always legal, and each equally likely."""

from __future__ import annotations

from collections import Counter

import pytest

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Generator
from ruledsl.table.table import Table
from ruledsl.table.things import Value

GAMES = (
    "tic_tac_toe",
    "breakthrough",
    "connect_four",
    "othello",
    "checkers",
    "chess",
    "nine_mens_morris",
    "backgammon",
    "go",
    "hearts",
    "crazy_eights",
    "pied_piper",
    "hameln",
    "burg_appenzell",
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


def draw_and_play(engine: Engine, seed: int, decisions: int = 60) -> int:
    """Play, and see that whatever could be drawn is an option; how often something was drawn."""
    mind = Generator(seed)
    drawn = 0
    going = engine.start(seed)
    for _ in range(decisions):
        if not going:
            break
        options = listed(engine)
        for _ in range(3):
            found = engine.drawn()
            if found is not None:
                drawn += 1
                assert (found.offer, found.values) in options
                # The next one has to be written anew, and may not be left over from the list.
                entry = engine.code.candidates
                engine.runner.write(entry.options, b"\x7f" * entry.stride)
        going = engine.choose(mind.below(engine.number))
    return drawn


@pytest.mark.parametrize("name", GAMES)
def test_what_is_drawn_is_an_option(name: str) -> None:
    assert draw_and_play(engine_of(name), 5)


STONES = """
game stones "Stones"
    players 2
    limit 9 decisions

place Cell grid 3 by 3 of Stone room 1
place box of Stone
piece Stone 9 in box

step setup
    set active = Player(1)

step play
    repeat
        choose c in Cell where empty(c) "Where?"
        move 1 from box to c
        set active = active.next
"""


def test_values_are_drawn() -> None:
    game = check_rules(Source("stones.rules", STONES), Library()).game
    assert game is not None
    assert draw_and_play(Engine(Table(game, 2)), 1) > 9


@pytest.mark.parametrize(
    ("name", "seed", "decisions"),
    [
        ("breakthrough", 1, 0),
        ("chess", 1, 0),
        ("pied_piper", 3, 0),
        ("connect_four", 1, 11),
        ("checkers", 2, 9),
        ("othello", 1, 20),
        ("nine_mens_morris", 1, 25),
        ("hearts", 1, 30),
        ("crazy_eights", 1, 12),
    ],
)
def test_all_options_are_equally_likely(name: str, seed: int, decisions: int) -> None:
    engine = engine_of(name)
    mind = Generator(seed)
    engine.start(seed)
    for _ in range(decisions):
        assert engine.choose(mind.below(engine.number))
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
