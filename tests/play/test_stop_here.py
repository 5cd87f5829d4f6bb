"""`stop here` in a test: a run goes no further than it has to."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.check import check_rules

RULES = """\
game walk "Walk"
    players 2
    limit 40 decisions

place Step line 0..9 of Man
piece Man 1 in Step(0)
state thrown: 0..6 = 0

history past of Step, active

step setup
    set active = Player(1)

step play
    repeat 4 times
        turn
        set active = active.next
        record past

step turn
    choose "Go?"
        action go "Go"
            require Man.place != Step(9)    "It is the end."
            roll thrown in 1..6
            move Man to Step(thrown)
        action wait "Wait"
            require thrown = 0      "You have begun."
            skip
    else skip

test "stopped"
    when play
"""


def outcome(answers: str, facts: str) -> str | None:
    indented = "".join(f"        {line}\n" for line in answers.split("; "))
    text = f"{RULES}{indented}    then\n" + "".join(f"        {f}\n" for f in facts.split("; "))
    checked = check_rules(Source("walk.rules", text), Library())
    assert checked.game is not None, [d.message for d in checked.diagnostics]
    (result,) = run_in_both(checked.game)
    return None if result.failure is None else result.failure.message


@pytest.mark.parametrize(
    ("answers", "facts"),
    [
        ("stop here", "Man.place = Step(0); past.times = 0"),
        # Before the roll; without it, chance would have moved the man.
        ("go; stop here", "Man.place = Step(0); active = Player(1)"),
        # Before the forced choice of the second player, who would roll.
        ("go; roll 2; stop here", "Man.place = Step(2); active = Player(2); past.times = 1"),
        ('go; roll 2; refuse wait "You have begun."; stop here', "Man.place = Step(2)"),
        ("wait; stop here", "active = Player(2); past.times = 1"),
    ],
)
def test_a_run_stops_where_it_is_told(answers: str, facts: str) -> None:
    assert outcome(answers, facts) is None


def test_without_it_what_is_forced_happens() -> None:
    assert outcome("go; roll 2", "active = Player(2)") == "this does not hold"


def test_it_fails_if_the_run_does_not_come_that_far() -> None:
    everything = "go; roll 1; go; roll 1; go; roll 1; go; roll 1; stop here"
    assert outcome(everything, "yes") == "this answer was not asked for"


def test_refusals_before_it_are_judged() -> None:
    assert outcome("refuse go; stop here", "yes") == "this should be refused, but it is legal"


@pytest.mark.parametrize(
    ("answers", "waiting"),
    [
        ("wait", ["the answers ran out: Player 2 is asked in line 21: “Go?”"]),
        ("wait; stop here", []),
    ],
)
def test_a_fact_that_fails_says_what_is_still_asked(answers: str, waiting: list[str]) -> None:
    text = (
        f"{RULES}        {answers}".replace("; ", "\n        ") + "\n    then\n        thrown = 6\n"
    )
    checked = check_rules(Source("walk.rules", text), Library())
    assert checked.game is not None, [d.message for d in checked.diagnostics]
    (result,) = run_in_both(checked.game)
    assert result.failure is not None
    assert [each for each in result.failure.details if "ran out" in each] == waiting
