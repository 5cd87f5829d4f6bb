"""Ways that never change, as shifts of words; and which draw of a query comes last."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruledsl.diagnostics.source import Source
from ruledsl.engine.compiler import compiled
from ruledsl.engine.expressions.draw_orders import DrawOrders
from ruledsl.engine.expressions.ways import MOST_SHIFTS, Shift, shifts
from ruledsl.library import Library
from ruledsl.model import core
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

ROWS = st.lists(st.integers(0, 63), min_size=6, max_size=6)


def stepped(found: tuple[Shift, ...], word: int) -> int:
    """One step of all elements of a word."""
    reached = 0
    for each in found:
        own = word & each.from_
        reached |= own << each.by if each.by > 0 else own >> -each.by
    return reached


@given(ROWS, st.integers(0, 63))
def test_shifts_lead_where_rows_do(rows: list[int], word: int) -> None:
    found = shifts(rows)
    if found is None:
        return
    expected = word
    for at, bits in enumerate(rows):
        if word >> at & 1:
            expected |= bits
    assert stepped(found, word) | word == expected


def test_a_line_takes_two_shifts() -> None:
    assert shifts([0b010, 0b101, 0b010]) == (Shift(-1, 0b110), Shift(1, 0b011))


def test_what_takes_too_many_shifts_has_none() -> None:
    everywhere = (1 << MOST_SHIFTS) - 1
    assert shifts([everywhere] * MOST_SHIFTS) is None


RULES = """
game rows "Rows"
    players 2

place Square grid 4 by 4 of Man room 1
place box per Player of Man
piece Man 4 per Player in player.box
state marked: Square or none = none

step setup
    set active = Player(1)

step play
    if any({draws} where {test})
        win you
    win none
"""


def order_of(draws: str, test: str) -> list[str]:
    """The names of the draws of a query as it goes through them."""
    found: list[list[str]] = []
    ordered = DrawOrders.ordered

    def noted(self: DrawOrders, *given: object) -> tuple[core.Draw, ...]:
        result = ordered(self, *given)  # type: ignore[arg-type]
        found.append([draw.local.name for draw in result])
        return result

    checked = check_rules(Source("rows.rules", RULES.format(draws=draws, test=test)), Library())
    assert checked.game is not None, checked.diagnostics
    with patch.object(DrawOrders, "ordered", noted):
        compiled(Table(checked.game, 2), checked=True, lightly=True, trial=None)
    return found[0]


IN_A_ROW = "s.top.player = you and count(x in s.ray(d) while x.top.player = you) >= 2"


@pytest.mark.parametrize(
    ("draws", "test", "order"),
    [
        pytest.param("s in Square, d in Orthogonal", IN_A_ROW, ["d", "s"], id="words come last"),
        pytest.param("d in Orthogonal, s in Square", IN_A_ROW, ["d", "s"], id="as they are"),
        pytest.param(
            "s in Square, d in Orthogonal", "s.go(d) = marked", ["s", "d"], id="nothing to answer"
        ),
        pytest.param(
            "s in Square, t in s.beside", "empty(s) and empty(t)", ["s", "t"], id="one from another"
        ),
        pytest.param(
            "s in Square, t in Square, d in Dir", IN_A_ROW, ["s", "t", "d"], id="too many around"
        ),
        pytest.param(
            "s in Square, n in 1..3",
            "empty(s) and 5 / (count(box(you)) - n) > 0",
            ["s", "n"],
            id="what may fail",
        ),
    ],
)
def test_the_draw_that_words_answer_comes_last(draws: str, test: str, order: list[str]) -> None:
    assert order_of(draws, test) == order
