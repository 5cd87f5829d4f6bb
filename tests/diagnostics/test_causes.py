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
