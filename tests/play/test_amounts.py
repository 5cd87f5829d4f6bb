"""In a test, the name of a kind stands for any piece of it: amounts of alike pieces."""

from ruledsl.diagnostics.source import Source
from ruledsl.lab.examples import run_in_both
from ruledsl.library import Library
from ruledsl.play.check import check_source

RULES = """\
game x
    players 2

place box of Chip
place bowl per Player of Chip
piece Chip 5 in box

step setup
    set active = Player(1)

step play
    fill_bowl
    choose "What now?"
        give
        action stop "Stop"
            skip

step fill_bowl
    choose up to 3 chips in box "How many?"
    move chips to active.bowl

action give(chip in you.bowl, friend in you.others) "Give a chip"
    move chip to friend.bowl

test "two chips, one of them given away"
    when play
        refuse {Chip, Chip, Chip, Chip}
        {Chip, Chip}
        give(Chip)
    then
        count(box) = 3
        count(Player(1).bowl) = 1
        count(Player(2).bowl) = 1
"""


def test_kinds_in_answers() -> None:
    checked = check_source(Source("x", RULES), Library())
    assert checked.game is not None, checked.diagnostics
    assert [each.failure for each in run_in_both(checked.game)] == [None]
