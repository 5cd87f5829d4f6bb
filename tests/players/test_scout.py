"""Trying out options: what comes of them is what really would."""

from __future__ import annotations

from random import Random

import pytest

from ruledsl.play.chance import Generator
from ruledsl.play.match import Match
from ruledsl.play.ranking import result_of
from ruledsl.players.player import Standing
from ruledsl.players.sampler import Sample, Sampler
from ruledsl.players.situation import scouting, situation_of

from ..play.table import loaded

POSITIONS = 4
OPTIONS = 3
"""For each position."""


def truth(self: Sampler, generator: Generator) -> Sample:  # noqa: ARG001 - nothing is drawn
    knowledge = self._knowledge
    return Sample(self._pos.copy(), knowledge.known, knowledge.narrowed, {})


def stands(match: Match, seat: int) -> Standing:
    """How a seat of a real match stands if it ended now."""
    result = match.result
    if result is None:
        pos = match.interpreter.pos.copy()
        pos.chooser = None
        result = result_of(match.table, pos, "end", ())
    with scouting(match.table) as scout:
        scout.pos = match.interpreter.pos
        return scout._judged(match.player(seat), result)


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "connect_four",
        "love_letter",
        "little_realm",
        "pied_piper",
        "hameln",
    ],
)
def test_options_are_followed_to_the_next_decision(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the true position in place of a sample; what chance decides is left out."""
    monkeypatch.setattr(Sampler, "sample", truth)
    monkeypatch.setattr(Sampler, "certain", True)
    match, scout = (loaded(name).start(seed=5) for _ in range(2))
    random = Random(5)
    compared = 0
    while match.seat is not None and compared < POSITIONS and len(match.history) < 150:
        assert match.decision is not None
        forecast = None
        if random.random() < 0.25:
            situation = situation_of(match.interpreter, match.decision)
            forecast = situation.forecast(Generator(1))
        if forecast is not None and forecast.certain:
            numbers = range(len(match.options))
            for number in random.sample(numbers, min(OPTIONS, len(numbers))):
                scout.replay(match.history)
                scout.choose(number)
                assert forecast.standings[number] == stands(scout, match.seat)
            compared += 1
        match.choose(random.randrange(len(match.options)))
    assert compared
