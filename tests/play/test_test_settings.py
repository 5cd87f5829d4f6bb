"""The checker judges a test on the table that it is run on."""

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.examples import run_tests

RULES = """\
game x
    players 2

option size in {3, 5} = 5 "Size"

place Spot grid size by size of Chip
piece Chip 3 in Spot(1, 1)

step setup
    set active = Player(1)

step play
    choose spot in Spot "Where?"
    move 1 from Spot(1, 1) to spot
    win active

test "on the usual table"
    given
        move 1 from Spot(1, 1) to Spot(5, 5)
    then
        count(Spot(5, 5)) = 1

test "on another"
    with size = {size}
    given
        move 1 from Spot(1, 1) to Spot(4, 4)
    then
        count(Spot(4, 4)) = 1
"""


def test_the_usual_value_counts() -> None:
    checked = check_source(Source("x", RULES.replace("{size}", "5")), Library())
    assert checked.game is not None, checked.diagnostics
    assert [each.failure for each in run_tests(checked.game)] == [None, None]


def test_a_value_that_a_test_names_counts() -> None:
    checked = check_source(Source("x", RULES.replace("{size}", "3")), Library())
    assert {each.code.name for each in checked.diagnostics} == {"no-such-thing"}
    assert {each.span.line for each in checked.diagnostics} == {26, 28}
