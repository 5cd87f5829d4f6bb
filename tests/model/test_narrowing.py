"""What is known to be there needs no `sure( )`; what may be none has to be guarded."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.check import check_rules

HEAD = """\
game narrow "Narrow"
    players 2..4
    limit 20 decisions

type Colour = red, green

place Leaf grid 4 by 4 of Frog, Fly room 1
place Step line 0..9 of Frog, Fly
place House ring 5 of Frog, Fly
place Peg grid 3 by 3 of Frog, Fly
    map
        ~ o o
        o ~ o
        o o o
place pile of Frog, Fly stack
place box of Frog
piece Frog 9 in box
piece Fly in pile | worth
    fat           | 3
    thin          | 1

state n: 1..4 = 1
state other: 0..20 = 0
state goal: Leaf or none

step setup
    set active = Player(1)

step play
    choose k in 1..4 "How far?"
"""

THERE = {
    "a range": "move 1 from box to Leaf(k, n)",
    "where a grid has no holes": "move 1 from box to Peg(clamp(n, 1, 3), 1)",
    "beside a hole": "for x in {2, 3}\n    move 1 from box to Peg(x, 3)",
    "limits written out": "if other >= 1 and other <= 4\n    move 1 from box to Leaf(other, 1)",
    "a range that is asked for": "if other in 1..4\n    move 1 from box to Leaf(other, 1)",
    "a remainder": "move 1 from box to Leaf(other mod 4 + 1, 1)",
    "clamped": "move 1 from box to Leaf(clamp(other, 1, 4), 1)",
    "from 0 on": "move 1 from box to Step(n)",
    "an index": "move 1 from box to Leaf(red.index, 1)",
    "a kind in a filter": "for f in {x in pile where x is Fly}\n    set other = f.worth",
    "a kind in `first`": (
        "let f = first(x in pile where x is Fly)\nif f != none\n    set other = f.worth"
    ),
    "a kind in `sum`": "set other = sum(x.worth for x in pile where x is Fly)",
    "what only one kind has": (
        "for f in Frog, g in Fly where f.place.col = 2\n    move g to f.place"
    ),
    "what only one kind has, once more": (
        "let f = first(Frog)\nif f.place.go(north) != none\n"
        "    move 1 from {x in pile where x is fat} to f.place"
    ),
    "more than none": "if count(pile) > 0\n    move pile.top to Leaf(1, 1)",
    "as many as written": "if count(pile) >= 2\n    move pile.top to Leaf(1, 1)",
    "not empty": "if not empty(pile)\n    move sure(first(pile)) to Leaf(1, 1)\n",
    "any of a query": (
        "if any(l in Leaf where empty(l))\n    move 1 from box to first(l in Leaf where empty(l))"
    ),
    "the first player": "set active = first(p in Player highest p.seat)",
    "the first of a board": "move 1 from box to first(Leaf)",
    "the most of a kind": "set other = max(p.seat for p in Player)",
    "the next on a ring": "move 1 from box to House(n).next",
    "a write elsewhere": "if goal != none\n    set other = 3\n    move 1 from box to goal",
    "a move that can't touch it": (
        "if goal != none\n    move 1 from box to pile\n    move 1 from box to goal"
    ),
    "a loop that does not": (
        "if goal != none\n    for p in Player\n        add 1 to other\n    move 1 from box to goal"
    ),
    "in a loop that does not": (
        "if goal != none\n    for p in Player\n        move 1 from box to goal"
    ),
    "after leaving otherwise": "if goal = none\n    end game\nmove 1 from box to goal",
}
NOT_THERE = {
    "perhaps a hole": "move 1 from box to Peg(clamp(n, 1, 3), 2)",
    "a hole of a row that is not known": "if other in 1..3\n    move 1 from box to Peg(2, other)",
    "beyond the range": "move 1 from box to Leaf(k + 1, n)",
    "from 1 on": "if other in 0..4\n    move 1 from box to Leaf(other, 1)",
    "below 0": "move 1 from box to Step(n - 2)",
    "perhaps none": "move pile.top to Leaf(1, 1)",
    "none is enough": "if count(pile) >= 0\n    move pile.top to Leaf(1, 1)",
    "the write itself": "if goal != none\n    set goal = none\n    move 1 from box to goal",
    "a loop that does": (
        "if goal != none\n    for p in Player\n        move 1 from box to goal\n"
        "        set goal = none"
    ),
    "a step": "if goal != none\n    forget\n    move 1 from box to goal",
    "the end of a line": "move 1 from box to Step(n).next",
}


def codes(body: str) -> list[str]:
    lines = "".join(f"    {line}\n" for line in body.rstrip("\n").split("\n"))
    text = f"{HEAD}{lines}\nstep forget\n    set goal = none\n"
    found = check_rules(Source("narrow.rules", text), Library()).diagnostics
    return [d.code.name for d in found if d.severity == "error" or d.code.name == "needless-sure"]


@pytest.mark.parametrize("case", THERE)
def test_what_is_there_needs_no_guard(case: str) -> None:
    body = THERE[case]
    assert codes(body) == ["needless-sure"] * body.count("sure(")


@pytest.mark.parametrize("case", NOT_THERE)
def test_what_may_be_none_does(case: str) -> None:
    assert codes(NOT_THERE[case]) == ["may-be-none"]


@pytest.mark.parametrize("body", ["set active = sure(Player(1))", "set other = sure(n)"])
def test_where_it_is_there_anyway_that_is_said(body: str) -> None:
    assert codes(body) == ["needless-sure"]


def test_holes_are_named() -> None:
    text = f"{HEAD}    move 1 from box to Peg(clamp(k, 1, 3), 2)\n"
    found = check_rules(Source("narrow.rules", text), Library()).diagnostics
    assert [d.hint for d in found if d.code.name == "may-be-none"] == [
        "`Peg` has holes: ask `… != none` first, or say `sure(…)`"
    ]
