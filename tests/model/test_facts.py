"""What conditions tell about what follows them."""

from __future__ import annotations

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.check import check_rules

HEAD = """\
game met "Met"
    players 2

place Cell grid 2 by 2 of Stone
piece Stone 2 in Cell(1, 1)

"""


def test_two_queries_that_are_equal_tell_nothing_of_numbers() -> None:
    """Neither is a count, so it must not be asked again with both exchanged, for ever."""
    rules = HEAD + (
        "step play\n"
        "    if first(c in Cell where empty(c)) = first(c in Cell)\n"
        "        win Player(1)\n"
    )
    assert check_rules(Source("met.rules", rules), Library()).game is not None
