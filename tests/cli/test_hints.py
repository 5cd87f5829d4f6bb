"""Suggestions: they come from looking ahead, and know no more than the seat does."""

from random import Random

import pytest

import ruledsl
from ruledsl.cli.hints import _deal_unknown, suggestion


def test_the_winning_move_is_found() -> None:
    match = ruledsl.load("tic_tac_toe").start(seed=1)
    for cell in ("a1", "a3", "b1", "b3"):
        match.choose(cell)
    best = suggestion(match, 60)
    assert best is not None
    assert match.options[best].label == "Mark: c1"


def test_there_is_none_where_it_would_take_too_long() -> None:
    assert suggestion(ruledsl.load("chess").start(seed=1), 0.2) is None


@pytest.mark.parametrize("name", ["pied_piper", "love_letter", "hanabi", "hearts", "secret_life"])
def test_unknown_cards_are_dealt_anew(name: str) -> None:
    match = ruledsl.load(name).start(seed=3)
    random = Random(1)
    for _ in range(12):
        match.choose(random.randrange(len(match.options)))
    assert match.seat is not None
    seat, options, view = match.seat, match.options, match.view(match.seat)
    before = dict(match.interpreter.pos.contents)
    assert _deal_unknown(match, seat, random)
    assert match.interpreter.pos.contents != before
    assert match.view(seat) == view
    assert match.options == options
    pieces = [piece for held in match.interpreter.pos.contents.values() for piece in held]
    assert sorted(piece.order for piece in pieces) == [p.order for p in match.table.pieces()]
