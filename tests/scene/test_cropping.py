"""Which part of a board without edges is drawn."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ruledsl.scene.cropping import window


@st.composite
def boards(draw: st.DrawFn) -> tuple[set[int], int]:
    size = draw(st.integers(1, 12))
    return draw(st.sets(st.integers(1, size))), size


@given(boards())
def test_all_that_is_there_is_shown_once_and_in_a_row(board: tuple[set[int], int]) -> None:
    used, size = board
    shown = window(used, size)
    assert used <= set(shown) and len(set(shown)) == len(shown) <= size
    assert all(after == before % size + 1 for before, after in pairwise(shown))


@given(boards(), st.integers(0, 11))
def test_where_it_lies_makes_no_difference(board: tuple[set[int], int], by: int) -> None:
    used, size = board
    moved = {(number - 1 + by) % size + 1 for number in used}
    assert len(window(moved, size)) == len(window(used, size))


def test_there_is_a_border_around_what_is_there() -> None:
    assert window([5], 9) == [4, 5, 6]
    assert window([9, 1], 9) == [8, 9, 1, 2]
    assert window([1, 3, 5], 6) == [1, 2, 3, 4, 5]
    assert window([], 9) == [1, 2, 3]
