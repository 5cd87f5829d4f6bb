"""One message for one cause."""

from ruledsl.diagnostics.causes import by_cause
from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.check import check_source

RENAMED = """\
game hoard "Hoard"
    players 2

place heep of Coin
place chest per Player of Coin
piece Coin 9 in heap

step play
    set active = Player(1)
    repeat
        choose "Take one"
            take_one
        set active = active.next

action take_one "Take"
    require not empty(heap) "There is none."
    move 1 from heap to active.chest
    if empty(heap)
        win active
    set unheard = 3

language de
    game "Hort"
    heap "Haufen"
"""


def test_a_name_that_is_gone_is_one_mistake() -> None:
    checked = check_source(Source("hoard.rules", RENAMED), Library())
    found = by_cause(checked.diagnostics, checked.sources)
    gone = [each for each in found if "`heap`" in each.message or "“heap”" in each.message]
    (first,) = gone
    assert first.span.line == 6
    assert "4 more times (lines 16, 17, 18, 24)" in first.label
    assert any("unheard" in each.message for each in found), "another cause"
    assert not any(each.severity == "warning" and "heep" in each.message for each in found), (
        "what follows from the name that was meant"
    )
    assert len(found) < len(checked.diagnostics)


def test_a_place_of_each_player_that_is_gone_is_one_mistake() -> None:
    rules = RENAMED.replace("in heap", "in heep").replace("chest per", "chast per")
    rules = rules.replace("(heap)", "(heep)").replace("from heap", "from heep")
    rules = rules.replace('    heap "Haufen"', '    heep "Haufen"\n    chest "Truhe"')
    rules = rules.replace(
        "    if empty", "    move all from you.chest to Player(2).chest\n    if empty"
    )
    checked = check_source(Source("hoard.rules", rules), Library())
    found = by_cause(checked.diagnostics, checked.sources)
    (first,) = [each for each in found if "chest" in each.message or "chast" in each.message]
    assert first.message == "a `Player` has no `chest`"
    assert first.label == "asked for here, and 3 more times (lines 18, 26)"
    assert first.hint == "did you mean `chast`?"


def test_what_different_things_lack_are_different_mistakes() -> None:
    rules = RENAMED.replace("heap", "heep").replace(
        "    set unheard = 3", "    set you.rank = 1\n    move heep.top.rank to you.chest"
    )
    checked = check_source(Source("hoard.rules", rules), Library())
    found = by_cause(checked.diagnostics, checked.sources)
    assert len([each for each in found if "`rank`" in each.message]) == 2
