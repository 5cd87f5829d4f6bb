"""A preview shows what follows from an option, changes nothing, and tells nothing hidden."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ruledsl.play.chance import Generator
from ruledsl.play.loading import load_named
from ruledsl.play.match import Match
from ruledsl.players.outlook import Outlook, outlook
from ruledsl.players.sampler import Sample, Sampler

from ..play.table import loaded
from ..play.test_noninterference import options_again, pairs
from .test_noninterference import exchange

GAMES = ("love_letter", "crazy_eights", "hanabi", "pied_piper")


def looked(match: Match, number: int) -> Outlook:
    return outlook(match, number, Generator(5))


def texts(seen: Outlook) -> list[str]:
    return [event.text for event in seen.happenings if event.text is not None]


def held(seen: Outlook, place: str) -> list[str]:
    found = (each for each in seen.scene.contents if each.place == place)
    return [piece.label for each in found for piece in each.pieces]


def test_what_follows_is_told_and_shown() -> None:
    match = load_named("chess").start(2)
    for move in ("e4", "d5"):
        match.choose(move)
    history, options = match.history, match.options
    number = match.read("exd5").number
    assert number is not None
    seen = looked(match, number)
    assert seen.whole
    assert texts(seen)[-1] == "Man (Player 2): d5 → box (Player 2)."
    assert held(seen, "Square(5, 4)") == []
    assert held(seen, "Square(4, 5)") == ["pawn"]
    assert match.history == history and match.options == options
    match.choose("exd5")


def test_the_end_of_the_game_is_seen() -> None:
    match = load_named("chess").start(2)
    for move in ("f3", "e5", "g4"):
        match.choose(move)
    number = match.read("Qh4").number
    assert number is not None
    assert "Player 2" in texts(looked(match, number))[-1]
    assert match.result is None


def test_the_numbers_of_a_die_are_told_with_how_often_they_came() -> None:
    match = load_named("pig").start(2, seed=3)
    seen = looked(match, 0)
    assert not seen.whole and texts(seen) == ["Player 2: Throw."]
    assert {text for text, _ in seen.then} == {f"Rolled: {n}." for n in range(1, 7)}
    assert sum(times for _, times in seen.then) == seen.tries
    assert [times for _, times in seen.then] == sorted((n for _, n in seen.then), reverse=True)


def test_a_hidden_draw_stays_unknown() -> None:
    match = load_named("crazy_eights").start(2, seed=3)
    number = match.read("draw").number
    assert number is not None
    before = len(held(looked(match, 0), f"hand(Player({match.seat}))"))
    seen = looked(match, number)
    assert not seen.whole
    hand = held(seen, f"hand(Player({match.seat}))")
    assert len(hand) == before + 2 and hand.count("?") == 1


@pytest.mark.parametrize("name", GAMES)
def test_nothing_hidden_changes_a_preview(name: str) -> None:
    random = Random(name)
    match = loaded(name).start(seed=random.randrange(100))
    tried = 0
    for at in range(30):
        if match.seat is None:
            break
        assert match.decision is not None
        if at % 6 == 2 and not match.decision.picked:
            tried += _compared(match, match.seat, random)
        match.choose(random.randrange(len(match.options)))
    assert tried > 0


def _compared(match: Match, seat: int, random: Random) -> int:
    options_again(match)
    number = random.randrange(len(match.options))
    before = looked(match, number)
    found = pairs(match, seat)
    chosen = random.sample(found, min(2, len(found)))
    for one, other in chosen:
        exchange(match, seat, one, other)
        assert looked(match, number) == before, f"{one} and {other}"
        exchange(match, seat, one, other)
    options_again(match)
    return len(chosen)


def draws_differ() -> bool:
    """Whether the preview of a draw is another one where another card lies on top."""
    match = load_named("crazy_eights").start(2, seed=3)
    assert match.seat is not None
    number = match.read("draw").number
    assert number is not None
    before = looked(match, number)
    top = match.interpreter.pos.contents[match.table.things("deck")[0]][-1]
    found = [pair for pair in pairs(match, match.seat) if top in pair][:4]
    assert found
    seen = []
    for one, other in found:
        exchange(match, match.seat, one, other)
        seen.append(looked(match, number))
        exchange(match, match.seat, one, other)
    return any(each != before for each in seen)


def test_a_draw_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not draws_differ()

    def peek(sampler: Any, generator: Generator) -> Sample:
        generator.next()
        knowledge = sampler._knowledge
        return Sample(sampler._pos, knowledge.known, knowledge.narrowed, {})

    monkeypatch.setattr(Sampler, "sample", peek)
    assert draws_differ()
