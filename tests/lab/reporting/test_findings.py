"""Planted faults are named first; a fair game raises no alarm."""

from __future__ import annotations

import pytest

from ruledsl.lab.reporting.findings import Finding, findings_of
from ruledsl.lab.reporting.study import Setting, study_of
from tests.lab.small_games import FAIR, game_of


def found_in(text: str, seed: int = 1, games: int = 10_000) -> tuple[Finding, ...]:
    game = game_of(text)
    return findings_of(study_of(game, Setting(game.players, games, 0, seed, sampled=0)))


def planted(*changes: tuple[str, str]) -> str:
    text = FAIR
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    return text


@pytest.mark.parametrize("seed", range(20))
def test_no_false_alarm_in_a_fair_game(seed: int) -> None:
    alarms = [each for each in found_in(FAIR, seed, 3000) if each.weight != "note"]
    assert alarms == []


def test_a_seat_with_three_points_too_many() -> None:
    lucky = "    roll luck in 1..17\n    if luck = 1\n        win Player(1)\n    repeat while"
    first = found_in(planted(("    repeat while", lucky)))[0]
    assert first.weight == "fault"
    assert first.text.startswith("With 2 players, seat 1 wins ")


def test_a_dead_card() -> None:
    text = planted(
        ('"Play"\n', '"Play"\n    require card is not bee "No bees."\n'),
        ("        use\n", "        use\n    else\n        move all from active.hand to pile\n"),
    )
    first = found_in(text)[0]
    assert first.weight == "fault"
    assert "No one ever used “bee”" in first.text
    assert first.span.line == text.splitlines().index('action use(card in you.hand) "Play"') + 1


def test_an_ending_out_of_reach() -> None:
    text = planted(("p.score >= 9", "p.score >= 10"))
    first, second = found_in(text)[:2]
    assert "No game ended by this: `win p`" in first.text
    assert "The trigger “jackpot” never fired" in second.text
    assert text.splitlines()[first.span.line - 1].strip() == "win p"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "    add card.points to you.score\n",
            "    add card.points to you.score\n    add 0 to you.score\n",
        ),
        ("        turn\n", "        turn\n        move all from pile to pile\n"),
    ],
)
def test_a_rule_that_changes_nothing(before: str, after: str) -> None:
    first = found_in(planted((before, after)))[0]
    assert first.weight == "fault"
    assert "never changed anything" in first.text
    assert after.splitlines()[-1].strip() in first.text


def test_a_requirement_that_changes_nothing() -> None:
    text = planted(('"Play"\n', '"Play"\n    require card in you.hand "Not yours."\n'))
    first = found_in(text)[0]
    assert first.weight == "notable"
    assert "`require card in you.hand" in first.text


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ((("0..20", "0..200"),), "“score” never got above"),
        ((("0..20", "0..200"), ("| 3\n", "| 30\n")), "points of cat is 30, all others at most 2"),
        (
            (("0..20", "0..200"), ("p.score >= 9", "p.score >= 90")),
            "The trigger “jackpot” never fired",
        ),
        (
            (("turn\n", "turn\n        move 30 from deck to pile\n"),),
            "there is less than this asks",
        ),
    ],
)
def test_a_number_ten_times_too_large(changes: tuple[tuple[str, str], ...], said: str) -> None:
    assert any(said in each.text for each in found_in(planted(*changes))[:3])
