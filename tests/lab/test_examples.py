"""Tests in rules files run in both executors, from the same positions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine.stage import Stage
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.examples import DISAGREEMENT, Outcome

RULES = """\
game tried "Tried out"
    players 2..3

type Colour = red, green, blue

place box of Stone
place Cell grid 3 by 3 of Stone room 1
place deck of Card stack hidden
place hand per Player of Card private
piece Stone 6 in box
piece Card in deck | count
    ace            | 2
    ten            | 1

state level: 0..9 = 2
state marked: set of Cell
state Player.score: number = 0

history past of Cell, active

step setup
    shuffle deck
    for p in Player
        move 1 from deck to p.hand
    set active = Player(1)

step play
    repeat
        turn
        set active = active.next

step turn
    choose "What?"
        lay
        stop
    record past
    if past.times = 2
        end game

step mark(cells: set of Cell, rise: number)
    set marked = cells
    add rise to level

step throw
    roll a in 1..6
    roll b in Card
    roll c in 1..6
    set level = a
    if b is ten
        add c to active.score

action lay(c in Cell) "Lay"
    require empty(c) "It is taken."
    move 1 from box to c

action stop "Stop"
    win you

ranking p in Player
    highest p.score

"""

PASSING = {
    "choices, refusals and the end": """\
test "a"
    given
        move 1 from box to Cell(2, 2)
    when play
        refuse lay(Cell(2, 2)) "It is taken."
        lay(Cell(1, 1))
        stop
    then
        winners = {Player(2)}
        count(box) = 4
""",
    "a run that breaks off, and goes on elsewhere": """\
test "a"
    when play
        lay(Cell(1, 1))
    given
        set active = Player(1)
    when turn
        lay(Cell(1, 2))
    then
        count(box) = 4
        active = Player(1)
""",
    "sets and names as arguments": """\
test "a"
    given
        let many = {c in Cell where c.row = 1}
        let few = count(many) + 1
    when mark(many, few)
    then
        marked = many
        level = few + 2
        Cell(3, 1) in many
""",
    "rolls that are told, and one that is not": """\
test "a"
    when throw
        roll 4
        roll ten
    then
        level = 4
        Player(1).score in 1..6
""",
    "positions noted before": """\
test "a"
    given
        set active = Player(2)
        move 1 from box to Cell(1, 1)
        record past
        move 1 from Cell(1, 1) to box
    when turn
        lay(Cell(1, 1))
    then
        finished
        past.times = 2
""",
    "somebody who left": """\
test "a"
    players 3
    given
        eliminate Player(2)
    when play
        lay(Cell(1, 1))
        stop
    then
        winners = {Player(3)}
        playing = {Player(1), Player(3)}
""",
    "several who left, one after the other": """\
test "a"
    players 3
    given
        eliminate Player(3)
        eliminate Player(2)
    when play
        stop
    then
        winners = {Player(1)}
""",
}


def outcomes(test: str) -> list[Outcome]:
    checked = check_rules(Source("tried.rules", RULES + test), Library())
    assert checked.game is not None, checked.diagnostics
    return list(run_in_both(checked.game))


@pytest.mark.parametrize("name", PASSING)
def test_what_both_agree_on_passes(name: str) -> None:
    assert [each.failure for each in outcomes(PASSING[name])] == [None]


def spoil(monkeypatch: pytest.MonkeyPatch, name: str, change: Callable[[Any], Any]) -> None:
    real = getattr(Stage, name)
    monkeypatch.setattr(Stage, name, lambda *given: change(real(*given)))


SPOILT = {
    "whether somebody decides": ("go_on", lambda going: not going),
    "whether what line": ("holds", lambda holds: not holds),
}


@pytest.mark.parametrize("told", SPOILT)
def test_a_disagreement_fails_the_test(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    spoil(monkeypatch, *SPOILT[told])
    test = PASSING["a run that breaks off, and goes on elsewhere"]
    (outcome,) = outcomes(test)
    assert outcome.failure is not None
    assert outcome.failure.message == DISAGREEMENT
    assert told in outcome.failure.details[0]


def test_a_wrong_position_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine starts from a position that has one more point in it."""
    real = Stage.lay

    def lay(self: Stage, pos: Any, *rest: Any) -> None:
        wrong = pos.copy()
        wrong.slots[("Player.score", self.engine.table.things("Player")[0])] = 1
        real(self, wrong, *rest)

    monkeypatch.setattr(Stage, "lay", lay)
    (outcome,) = outcomes(PASSING["choices, refusals and the end"])
    assert outcome.failure is not None
    assert "Player.score" in outcome.failure.details[0]


def test_a_failing_test_fails_as_in_the_interpreter() -> None:
    wrong = PASSING["choices, refusals and the end"].replace("= 4", "= 5")
    (outcome,) = outcomes(wrong)
    assert outcome.failure is not None
    assert outcome.failure.message == "this does not hold"
