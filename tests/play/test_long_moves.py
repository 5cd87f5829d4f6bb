"""What moving costs where it is kept who knows what."""

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model import allowance
from ruledsl.play.check import check_source
from ruledsl.play.events import Moved
from ruledsl.play.match import Match
from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError

RULES = """\
game x
    players 30

place box of Stone {sight}
place bag of Stone {sight}
piece Stone 1000 in box

step setup
    set active = Player(1)

step play
    choose z in 1..3 "?"
    repeat 9 times
        move 1 from box to bag
    win Player(1)
"""


def _played(monkeypatch: pytest.MonkeyPatch, sight: str) -> Match:
    monkeypatch.setattr(allowance, "MOST_QUERIES", 100_000)
    game = check_source(Source("x", RULES.format(sight=sight)), Library()).game
    assert game is not None
    match = Match(game, 30)
    match.choose(0)
    return match


def test_what_everybody_loses_sight_of_is_paid_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RulesError, match=mishaps.TOO_LONG.message):
        _played(monkeypatch, "hidden")


def test_what_nobody_loses_sight_of_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    match = _played(monkeypatch, "")
    events = match.interpreter.hands.events
    assert sum(isinstance(event, Moved) for event in events) == 9
