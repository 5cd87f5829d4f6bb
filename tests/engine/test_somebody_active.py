"""Whether somebody is active wherever rules ask who: told from the rules alone."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine.somebody_active import somebody_is_active
from ruledsl.library import Library
from ruledsl.model.check import check_rules

RULES = """
game men "Men"
    players 2
    limit 30 decisions

place box per Player of Man
place pot per Player of Man
piece Man 4 per Player in player.box
state sure_of: number = 0

define mine = you.box

step first_one
    set active = Player(2)

step grab
    move 1 from active.box to active.pot

step gaze
    set sure_of = count(mine)

step gaze_at(m: Man)
    set sure_of = count(m.owner.box)

action give_one(p in Player) "Give"
    require not empty(you.box)  "Nothing is left."
    move 1 from you.box to p.pot

action ask_active "Ask"
    require count(active.box) > 1   "Nothing is left."
    move 1 from you.box to you.pot

step setup
{setup}

step play
{play}
    end game

{more}
"""


def judged(play: str, setup: str = "set sure_of = 1", more: str = "") -> bool:
    written = [indent(dedent(text).strip(), "    ") for text in (setup, play)]
    text = RULES.format(setup=written[0], play=written[1], more=dedent(more).strip())
    checked = check_rules(Source("men.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    return somebody_is_active(checked.game)


@pytest.mark.parametrize(
    ("play", "there"),
    [
        pytest.param("set active = Player(1)\ngrab", True, id="set before"),
        pytest.param("grab\nset active = Player(1)", False, id="set after"),
        pytest.param("first_one\ngrab\ngaze", True, id="set by a step"),
        pytest.param("if sure_of = 1\n    first_one\ngrab", False, id="set perhaps"),
        pytest.param(
            "if sure_of = 1\n    first_one\nelse\n    first_one\ngrab", True, id="set in any case"
        ),
        pytest.param("for p in Player\n    set active = p\n    grab", True, id="set in a loop"),
        pytest.param(
            "for p in Player\n    set active = p\ngrab", False, id="set in a loop that may not run"
        ),
        pytest.param(
            'for p in Player\n    choose by p "Give."\n        give_one',
            True,
            id="whoever chooses is there",
        ),
        pytest.param(
            'for p in Player\n    choose by p "Ask."\n        ask_active',
            False,
            id="somebody else than who chooses",
        ),
        pytest.param("for m in active.box\n    gaze_at(m)", False, id="asked for by a loop"),
        pytest.param(
            "for p in Player where p = active\n    first_one", False, id="asked for by a filter"
        ),
        pytest.param(
            "for p in Player highest (if p = active then 1 else 0)\n    first_one",
            False,
            id="asked for by an order",
        ),
        pytest.param('choose "Give."\n    give_one', False, id="nobody chooses"),
        pytest.param("if can(give_one by Player(1))\n    first_one", False, id="looking ahead"),
    ],
)
def test_whoever_is_asked_for_is_there(play: str, there: bool) -> None:
    if not there:
        # Files in which `active` is never set before it is read are not clean.
        play = f"if sure_of = 7\n    first_one\n{play}"
    assert judged(play) is there


def test_set_up_counts() -> None:
    assert judged("grab", setup="first_one")


@pytest.mark.parametrize(
    "more",
    [
        "trigger taken(p in Player)\n    when p = active and count(p.pot) = 3\n    win p",
        "ranking p in Player\n    highest if p = active then 1 else 0",
    ],
)
def test_what_may_be_wanted_at_any_time(more: str) -> None:
    assert judged("first_one")
    assert not judged("first_one", more=more)
