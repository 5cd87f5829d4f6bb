"""The engine against the reference on programs that nobody wrote."""

import os
from collections import Counter
from contextlib import suppress
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.played import EngineError
from ruledsl.library import Library
from ruledsl.model.depth import allow_deep_rules
from ruledsl.model.game import CheckedGame
from ruledsl.play.check import check_source
from ruledsl.table.table import Table

from .choices.test_drawing import draw_and_play
from .lockstep import play_in_step
from .memory.guarded import guarded
from .programs import Maker

allow_deep_rules()  # Before Hypothesis looks at the limit, or it warns that somebody changed it.

SOAK = os.environ.get("HYPOTHESIS_PROFILE") == "soak"
EXAMPLES = 2_000 if SOAK else 50
GAMES = 6 if SOAK else 2


def checked(text: str) -> CheckedGame | None:
    """What `check` lets pass: it also looks whether all things that are named are there."""
    return check_source(Source("made.rules", text), Library()).game


@st.composite
def programs(draw: st.DrawFn) -> str:
    return Maker(lambda limit: draw(st.integers(0, limit - 1))).program()


def agree(game: CheckedGame, players: int, games: int) -> int:
    """Follow some games with a checked engine, and some with one that trusts the rules."""
    table = Table(game, players)
    compared = 0
    for is_checked in (True, False):
        with guarded():
            engine = Engine(table, checked=is_checked)
        compared += sum(play_in_step(engine, seed) for seed in range(games))
    return compared


@settings(
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(programs(), st.integers(2, 3))
def test_the_executors_agree_on_made_up_programs(text: str, players: int) -> None:
    game = checked(text)
    note(text)
    assume(game is not None)
    assert game is not None
    agree(game, players, GAMES)


@pytest.mark.parametrize("seed", range(40))
def test_the_executors_agree_on_larger_programs(seed: int) -> None:
    """Hypothesis prefers small ones."""
    _agree_on_seed(seed)


@pytest.mark.soak
@pytest.mark.parametrize("hundred", range(1, 21))
def test_the_executors_agree_on_many_larger_programs(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * (hundred + 1)):
        _agree_on_seed(seed)


def _agree_on_seed(seed: int) -> None:
    text = Maker(Random(seed).randrange).program()
    game = checked(text)
    if game is None:
        return
    try:
        agree(game, 2 + seed % 2, 2)
    except BaseException as error:
        error.add_note(f"Random({seed}) made up:\n{text}")
        raise


@pytest.mark.parametrize("seed", range(30))
def test_what_is_drawn_in_made_up_programs_is_an_option(seed: int) -> None:
    game = checked(Maker(Random(1000 + seed).randrange).program())
    if game is not None:
        engine = Engine(Table(game, 2))
        for played in range(2):
            with suppress(EngineError):  # What was made up may get stuck.
                draw_and_play(engine, played)
        if engine.code.batches.always_counted:
            with suppress(EngineError):
                assert engine.playouts(20, seed, quick=True) == engine.playouts(20, seed)


def test_most_made_up_programs_are_valid_and_have_decisions() -> None:
    """And all that should occur in them does."""
    found = Counter[str]()
    for seed in range(100):
        text = Maker(Random(seed).randrange).program()
        game = checked(text)
        if game is None:
            continue
        found["valid"] += 1
        found.update({word: 1 for word in WORDS if word in text})
    assert found["valid"] > 30
    assert not [word for word in WORDS if found[word] < 2]


WORDS = (
    '"Go action_',
    "in flock(",
    "count(flock(",
    "13 by 10",
    "lane(",
    ".lane",
    "Comb(",
    "Peg(",
    "plot(",
    "loop_of(",
    "first(fence)",
    "trail(",
    ".sixths(",
    "each action_",
    ".ends",
    "would(",
    "can(",
    "reach(",
    "choose any",
    "choose some",
    "choose exactly",
    "choose up to",
    "choose optional",
    "together",
    "roll",
    "shuffle",
    "show",
    "eliminate",
    "end loop",
    "end turn",
    "end step_",
    "end game",
    "win",
    "after turn",
    "record",
    "stack hidden",
    "refilled",
    "at bottom",
    "set marked",
    "set numbers",
    " while ",
    ".go(",
    ".colour =",
    ".top.turned",
    " for x",
    ".reversed",
    ".around",
    ".onward",
    ".backward",
    ".beside where",
    ".paths",
    ".lowest",
    ".place =",
    " is Card",
    " is Stone",
    "junk.top is",
    ".heat",
    "mild(",
    "fine(",
    ".cairn.",
    "fire(",
    "record sown",
    "value(",
    "fresh",
    "size",
    ".seat",
    "shelf(",
    " highest ",
    " lowest ",
    "(0 -",
    "case ",
    "max(",
    "min(",
    "sum(",
    ": set of Cell,",
    ": set of Cell)",
    "} each turn",
)
