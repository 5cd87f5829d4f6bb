"""Answers of tests in rules files: forced choices, choices of several, refusals."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.examples import run_tests

MARKET = """\
game market "Market"
    players 2

place shop of Good
place store per Player of Good
place sold_out of Good

piece Good in shop | count | value
    bread          | 3     | 1
    meat           | 3     | 4
    gold           | 1     | 9

state Player.traps: 0..9 = 0
state Player.money: 0..99 = 0

step play
    skip

step sell(most: 0..9)
    choose some sold in you.store where not sold is gold "Which goods?"
    choose up to most swapped in sold "Which of them for traps?"
    add count(swapped) to you.traps
    add sum(g.value for g in sold - swapped) to you.money
    move sold to sold_out

ranking p in Player
    highest p.money

test "example"
    players 2
    given
        set active = Player(1)
        put {goods} in Player(1).store
    when sell({most})
"""


def failure(goods: str, answers: list[str], then: list[str], most: int = 9) -> str | None:
    """What is wrong with a test of selling these goods, if anything."""
    text = MARKET.format(goods=goods, most=most)
    text += "".join(f"        {line}\n" for line in answers) + "    then\n"
    text += "".join(f"        {line}\n" for line in then)
    checked = check_source(Source("market.rules", text), Library(()))
    assert checked.game is not None, checked.diagnostics
    (outcome,) = run_tests(checked.game)
    return None if outcome.failure is None else outcome.failure.message


SOLD = ["empty(Player(1).store)", "Player(1).money = 4", "Player(1).traps = 0"]
SWAPPED = ["empty(Player(1).store)", "Player(1).money = 0", "Player(1).traps = 1"]


@pytest.mark.parametrize(
    ("goods", "answers", "then"),
    [
        pytest.param("meat", ["{}"], SOLD, id="an answer that does not match is for the next"),
        pytest.param("meat", ["{meat}", "{}"], SOLD, id="a forced choice takes its answer"),
        pytest.param("meat", ["{meat}", "{meat}"], SWAPPED, id="the same answer twice"),
        pytest.param("meat", ["meat", "meat"], SWAPPED, id="one value stands for a set of one"),
        pytest.param(
            "meat", ["refuse {bread}", "{meat}", "{}"], SOLD, id="refusals before a forced choice"
        ),
        pytest.param(
            "bread, meat, meat",
            ["{meat, bread, meat}", "{bread, meat}"],
            ["Player(1).money = 4", "Player(1).traps = 2"],
            id="several in any order",
        ),
        pytest.param(
            "bread, bread",
            ["{bread}", "{}"],
            ["Player(1).money = 1", "count(Player(1).store) = 1"],
            id="a number of alike pieces",
        ),
    ],
)
def test_choices_of_several(goods: str, answers: list[str], then: list[str]) -> None:
    assert failure(goods, answers, then) is None


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (["refuse {bread, bread}", "{bread}"], None),
        (["refuse {gold}", "{bread}"], None),
        (["refuse {}", "{bread}"], None),
        (["refuse {bread, meat}", "{bread}"], "this should be refused, but it is legal"),
        (["refuse meat", "{bread}"], "this should be refused, but it is legal"),
        (["{bread, bread}"], "these can't be chosen together here"),
        (["{}"], "these can't be chosen together here"),
        (["{bread}", "refuse {meat}", "{}"], None),
        (["{bread}", "refuse {bread}", "{}"], "this should be refused, but it is legal"),
    ],
)
def test_refusals_of_several(answers: list[str], message: str | None) -> None:
    assert failure("bread, meat, gold", answers, ["count(Player(1).store) > 0"]) == message


def test_more_than_the_number_allowed_is_refused() -> None:
    answers = ["{bread, meat}", "refuse {bread, meat}", "{meat}"]
    then = ["Player(1).money = 1", "Player(1).traps = 1"]
    assert failure("bread, meat", answers, then, most=1) is None
    assert failure("bread, meat", answers, then, most=2) == (
        "this should be refused, but it is legal"
    )


def test_a_choice_half_forced_wants_its_whole_answer() -> None:
    """Of two alike one must be sold; whether the second too is the question."""
    answer = "these can't be chosen together here"
    assert failure("bread, bread", ["{}", "{}"], ["Player(1).money = 1"]) == answer


FORCED = """\
game forced "Forced"
    players 2
    limit 50 decisions

place bag of Fruit
place box of Fruit
place out of Fruit

piece Fruit in box
    apple
    pear
    plum
    fig

step setup
    set active = Player(1)
    move the(f in Fruit where f is apple) to bag
    move the(f in Fruit where f is pear) to bag

step play
    skip

step two
    choose exactly 1 first_one in box "One?"
    choose exactly 3 gone in bag "Which three?"
    choose some more in Fruit "Which?"
    move more to out

step again
    choose exactly 3 gone in bag "Which three?"
    choose some more in Fruit "Which?"
    move more to out

test "forced"
    when """


@pytest.mark.parametrize(
    ("step", "answers", "facts"),
    [
        pytest.param("again", "{apple, plum}", "count(out) = 2", id="one in common"),
        pytest.param("again", "{apple, pear, fig}", "count(out) = 3", id="all of it and more"),
        pytest.param("again", "{apple}", "count(out) = 1", id="less than is forced"),
        pytest.param("again", "apple", "count(out) = 1", id="one, without brackets"),
        pytest.param("again", "{pear, apple}; {fig}", "count(out) = 1", id="what fits is used up"),
        pytest.param("again", "refuse {}; {apple}", "count(out) = 1", id="refused at the next"),
        pytest.param("again", "{apple, pear}; stop here", "empty(out)", id="stopped at the next"),
        pytest.param("two", "{plum}; {pear}", "count(out) = 1", id="after a choice of several"),
    ],
)
def test_an_answer_that_does_not_fit_a_forced_choice_is_for_the_next(
    step: str, answers: str, facts: str
) -> None:
    lines = [step, *(f"        {each}" for each in answers.split("; ")), "    then"]
    text = FORCED + "\n".join([*lines, f"        {facts}\n"])
    checked = check_source(Source("forced.rules", text), Library(()))
    assert checked.game is not None, checked.diagnostics
    (outcome,) = run_in_both(checked.game)
    assert outcome.failure is None, outcome.failure


def test_a_wrong_answer_is_told_with_what_was_asked() -> None:
    lines = ["again", "        {apple, apple}", "    then", "        empty(out)", ""]
    checked = check_source(Source("forced.rules", FORCED + "\n".join(lines)), Library(()))
    assert checked.game is not None, checked.diagnostics
    (outcome,) = run_tests(checked.game)
    assert outcome.failure is not None
    assert outcome.failure.details == ("asked in line 31: “Which?”",)
