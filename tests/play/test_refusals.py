"""Only requirements that really fail are named in a refusal."""

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.match import Match

RULES = """\
game x
    players 2

place Cell grid 3 by 1 of Chip
place box of Chip
piece Chip 3 in box

state left: 0..3 = 1

step setup
    set active = Player(1)

step play
    repeat
        choose "What?"
            slide
            stay
            wait

action slide(start in Cell, way in Dir) "Slide"
    let goal = start.go(way)
    require goal != none            "There is no cell."
    require goal.col > 2            "Only to the end."
    require start.col <= left       "Too far."
    move 1 from box to sure(goal)

action stay "Stay"
    win you

action wait "Wait"
    set active = active.next
"""


def test_what_can_not_be_judged_is_left_out() -> None:
    checked = check_source(Source("x", RULES), Library())
    assert checked.game is not None, checked.diagnostics
    match = Match(checked.game, 2, None, 1, "en")
    refused = match.why_not("Slide c1 south")
    assert refused is not None
    assert [each.message for each in refused] == ["There is no cell.", "Too far."]
    refused = match.why_not("Slide a1 east")
    assert refused is not None
    assert [each.message for each in refused] == ["Only to the end."]


def test_nothing_is_too_far_where_no_way_leads() -> None:
    match = ruledsl.load("burg_appenzell").start(players=2, seed=3)
    title = match.game.actions["enter"].title
    while "tower" in match.prompt:
        match.choose(match.options[0])
    messages = [each.message for each in match.why_not(f"{title} d3") or ()]
    assert "Mice get in only through a tower." in messages
    assert "You have too few actions left." not in messages
