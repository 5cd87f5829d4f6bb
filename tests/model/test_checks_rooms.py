"""A slip in a shipped game that lays more pieces somewhere than fit is told without playing."""

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.check import check_rules

SLIPS = {
    "euchre": ("move 1 from deck to upcard", "move 5 from deck to upcard"),
    "hanabi": (
        "    move 1 from deck to slot(you, position)",
        "    move 2 from deck to slot(you, position)",
    ),
    "hamlet": ("move 1 from hut_deck to s", "move 2 from hut_deck to s"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_told(name: str) -> None:
    right, wrong = SLIPS[name]
    library = Library()
    source = library.find(name)
    assert right in source.text
    slipped = Source(source.name, source.text.replace(right, wrong))
    checked = check_rules(slipped, library)
    assert [each.code.name for each in checked.diagnostics] == [
        "overfull-place"
    ] * source.text.count(right)
    assert checked.game is None
