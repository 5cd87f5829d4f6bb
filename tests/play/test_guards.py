"""Run-time guards: what goes wrong in the rules is stopped, with its place."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

HEAD = """\
game guarded "Guarded"
    players 2

place box of Stone
place heap of Stone room 2
place pile of Stone stack
piece Stone 5 in box

state count_down: 0..3 = 3
state Player.score: number = 0

step setup
    set active = Player(1)

"""


def run(rules: str) -> None:
    """Run rules to their end, always with the first option."""
    checked = check_rules(Source("guarded.rules", HEAD + rules), Library())
    assert checked.game is not None, checked.diagnostics
    game = Interpreter(Table(checked.game, 2), Dice(Generator(1))).play()
    try:
        decision = next(game)
        while True:
            decision = game.send(decision.options[0])
    except StopIteration:
        return


@pytest.mark.parametrize(
    ("kind", "rules"),
    [
        ("room", "step play\n    move count(box) from box to heap\n"),
        ("range", "step play\n    repeat 5 times\n        take 1 from count_down\n"),
        (
            "range",
            (
                "step play\n    show_off(count(box))\n\n"
                "step show_off(n: 1..3)\n    set Player(1).score = n\n"
            ),
        ),
        (
            "range",
            (
                "step play\n    set Player(1).score = 9\n\n"
                "ranking p in Player\n    highest p.score\n    payoff p.score in 0..5\n"
            ),
        ),
        ("the", "step play\n    move the(s in box) to heap\n"),
        ("stuck", 'step play\n    choose s in heap "Take one."\n    move s to box\n'),
        (
            "endless",
            (
                "step play\n    turn\n\nstep turn\n    set Player(1).score = 1\n\n"
                "trigger again(p in Player)\n    when p.score > 0\n    add 1 to p.score\n"
            ),
        ),
        (
            "endless",
            (
                "step play\n    if count(a in 1..3000, b in 1..3000 where a * b = 7001) > 0\n"
                "        end game\n"
            ),
        ),
    ],
)
def test_a_guard_fires_with_its_place(kind: str, rules: str) -> None:
    with pytest.raises(RulesError) as caught:
        run(rules)
    assert caught.value.kind == kind
    assert caught.value.span.file == "guarded.rules"
    assert caught.value.span.line > HEAD.count("\n") or kind == "room"


def test_what_stays_within_its_limits_is_not_stopped() -> None:
    run(
        "step play\n    move 2 from box to heap\n    take 3 from count_down\n"
        "    show_off(2)\n\nstep show_off(n: 1..3)\n    set Player(1).score = n\n"
    )
