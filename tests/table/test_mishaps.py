"""What goes wrong is said in one place, for both executors."""

import ast
from pathlib import Path

import pytest

from ruledsl.table import mishaps
from ruledsl.table.mishaps import Mishap

ROOT = Path(__file__).parents[2]


def test_nobody_else_says_what_went_wrong() -> None:
    made = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "ruledsl").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id == Mishap.__name__
    }
    assert made == {"ruledsl/table/mishaps.py"}


def test_a_message_is_the_same_with_and_without_the_value() -> None:
    assert mishaps.outside("`a`", 1, 6, 7).message == "`a` would be 7, outside 1..6"
    assert mishaps.outside("`a`", 1, 6).message == "`a` would lie outside 1..6"
    assert mishaps.nothing_said("price").message == "price says nothing about this"
    assert mishaps.nothing_said("price", "plum").message == "price says nothing about plum"
    assert mishaps.still_holding("full", "spot").message == (
        "the trigger full(spot) leaves its own condition true"
    )
    assert mishaps.still_holding("full").message == "the trigger full leaves its own condition true"


def test_the_of_any_number_but_one() -> None:
    said = [mishaps.not_the_only(number).message for number in (0, 2, None)]
    assert [text.split()[-1] for text in said] == ["none", "2", "several"]


@pytest.mark.parametrize(
    ("wanted", "there", "said"),
    [
        (1, 0, "1 piece is to be moved, but there is none"),
        (7, 2, "7 pieces are to be moved, but there are only 2"),
        (7, 1, "7 pieces are to be moved, but there is only 1"),
    ],
)
def test_pieces_are_counted_in_words_that_fit(wanted: int, there: int, said: str) -> None:
    assert mishaps.too_few(wanted, there).message == said
