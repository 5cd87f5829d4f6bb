"""Plans of choices, made from rules alone: before and after."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine.choices.choice_plans import ChoicePlan
from ruledsl.engine.compiler import compiled
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

RULES = """
game men "Men"
    players 2
    limit 30 decisions

place Square grid 4 by 4 of Man room 1
place box per Player of Man
piece Man 4 per Player in player.box
state bold: flag = no

step setup
    set active = Player(1)

step play
    repeat
        choose "Move."
            move_it
        set active = active.next

step shift(a: Square, b: Square)
    move all from a to b

action move_it(a in Square, b in Square) "Move"
{requirements}
    shift(a, b)
"""

START, GOAL = "take a.0 in AllThings(Square)", "take b.1 in AllThings(Square)"
COLUMN = "ReadFeature(col, a.0)"
EMPTY = "Empty(Contents({}))"


def planned(requirements: str) -> ChoicePlan:
    text = RULES.format(requirements=indent(dedent(requirements).strip(), "    "))
    checked = check_rules(Source("men.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    (plan,) = compiled(Table(checked.game, 2), checked=False, lightly=False, trial=None).plans
    return plan


def plan_of(requirements: str) -> list[str]:
    return [line.strip() for line in planned(requirements).lines()]


@pytest.mark.parametrize(
    ("requirements", "planned"),
    [
        pytest.param(
            'require empty(b) "Taken."\nrequire not empty(a) "Nothing there."',
            [
                "move_it: counted",
                START,
                f"Require(Not({EMPTY.format('a.0')}))",
                GOAL,
                f"Require({EMPTY.format('b.1')})",
            ],
            id="what needs fewer parameters is tested earlier",
        ),
        pytest.param(
            'require empty(b) "Taken."\nrequire 6 / a.col > b.row "Far."',
            [
                "move_it: tried",
                START,
                GOAL,
                f"Require({EMPTY.format('b.1')})",
                f"Require(Compare(>, Arithmetic(/, 6, {COLUMN}), ReadFeature(row, b.1)))",
            ],
            id="what may go wrong waits for what is required before it",
        ),
        pytest.param(
            'require not empty(a) "Nothing there."\nrequire bold or b.row = 1 "Not so far."',
            [
                "move_it: counted",
                "if ReadState(bold)",
                START,
                f"Require(Not({EMPTY.format('a.0')}))",
                GOAL,
                "otherwise",
                START,
                f"Require(Not({EMPTY.format('a.0')}))",
                GOAL,
                "Require(Compare(=, ReadFeature(row, b.1), 1))",
            ],
            id="what is known before is told apart first",
        ),
        pytest.param(
            'require not empty(a) "Nothing there."\n'
            'require would(empty(a) after shift(a, b)) "It stays."',
            [
                "move_it: short list",
                START,
                f"Require(Not({EMPTY.format('a.0')}))",
                GOAL,
                f"Require(Would({EMPTY.format('a.0')}, shift, [a.0, b.1]))",
                f"put off Would({EMPTY.format('a.0')}, shift, [a.0, b.1])",
            ],
            id="what looks ahead is put off",
        ),
    ],
)
def test_plan(requirements: str, planned: list[str]) -> None:
    assert plan_of(requirements) == ["decision 0", *planned]


WORD = "word of at most 16, bits at hand"


@pytest.mark.parametrize(
    ("requirements", "domains"),
    [
        pytest.param(
            'require empty(b) "Taken."\nrequire not empty(a) "Nothing there."',
            [
                f"a from {WORD}",
                "not",
                "not",
                "a piece there",
                f"b from {WORD}",
                "not",
                "a piece there",
            ],
            id="words",
        ),
        pytest.param(
            'require b in a.beside "Too far."',
            ["a and b at once, in 4 ways"],
            id="in a few ways from one to the other",
        ),
        pytest.param(
            'require b in a.around and not empty(a) "Not so."\n'
            'require b.col != a.col or empty(b) and not (a.row < b.row and bold) "Not so."',
            [
                "a and b at once, in 8 ways",
                f"in way 2: {EMPTY.format('b.1')}",
                f"in way 7: Both({EMPTY.format('b.1')}, Not(ReadState(bold)))",
            ],
            id="what is left to be asked on some of the ways",
        ),
        pytest.param(
            'require b.row = a.row + (if you.seat = 1 then 1 else -1) "Backward."\n'
            'require abs(b.col - a.col) = 1 "Straight on."',
            ["a and b at once, in 2 ways"],
            id="ways that depend on who chooses",
        ),
        pytest.param(
            'require b != a and b.row <= a.row "Too far."',
            [
                "a from everything of at most 16, bits at hand",
                f"b from {WORD}",
                (
                    "words in a table: Both(Compare(!=, b.1, a.0), "
                    "Compare(<=, ReadFeature(row, b.1), ReadFeature(row, a.0)))"
                ),
            ],
            id="too many ways: a table by the other parameter",
        ),
        pytest.param(
            'require b in a.beside "Too far."\nrequire a.top.owner != b.top.owner "Own."',
            [
                "a from everything of at most 16, bits at hand",
                f"b from {WORD}",
                "words in a table: Member(b.1, ReadFeature(beside, a.0))",
                "not",
                "a piece there whose index player is ReadIndex(ReadFeature(top, a.0), player)",
            ],
            id="what changes, of both",
        ),
        pytest.param(
            'require b = a.go(north) "Too far."\nrequire empty(a) or empty(b) "Full."',
            [
                "a from everything of at most 16, bits at hand",
                "b from list of at most 1, bits at hand, in a table",
            ],
            id="a short list",
        ),
        pytest.param(
            'require bold or a.row = 1 "Too bold."',
            [
                "case 1",
                "a from everything of at most 16, bits at hand",
                "b from everything of at most 16, bits at hand",
                "case 2",
                f"a from {WORD}",
                "words in a table: Compare(=, ReadFeature(row, a.0), 1)",
                "b from everything of at most 16, bits at hand",
            ],
            id="two cases",
        ),
        pytest.param(
            'require b in {x in a.ray(north) while empty(x)} "Not on the way."\n'
            'require 6 / a.col > b.row "Far."',
            [
                "a from everything of at most 16, bits at hand",
                (
                    "b from list of at most 3, in an order of its own: "
                    "Query(filter, [x.2 in ReadFeature(ray, a.0, [Value(Dir, north)])], -, "
                    "Empty(Contents(x.2)))"
                ),
            ],
            id="the few of a set, for a trial",
        ),
    ],
)
def test_what_parameters_are_taken_from(requirements: str, domains: list[str]) -> None:
    assert [line.strip() for line in planned(requirements).domain_lines()][2:] == domains
