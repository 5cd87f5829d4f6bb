"""Networks that nobody has drawn."""

from itertools import combinations, pairwise
from math import hypot

from hypothesis import given
from hypothesis import strategies as st

from ruledsl.scene.spreading import APART, MOST, spread

ROWS = ("abc", "def", "ghi")


def test_a_mesh_becomes_a_mesh() -> None:
    """Nine places, joined as in a grid and named in any order, lie in rows and columns."""
    lines = (*ROWS, *("".join(column) for column in zip(*ROWS, strict=True)))
    pairs = [pair for line in lines for pair in pairwise(line)]
    at = dict(zip("hbfdiagec", spread("hbfdiagec", pairs), strict=True))
    for one, other in pairs:
        dx, dy = (abs(at[one][axis] - at[other][axis]) for axis in (0, 1))
        assert min(dx, dy) < 0.1 * max(dx, dy), (one, other)


def test_the_first_lies_at_the_upper_left() -> None:
    (x, y), *others = spread("abc", [("a", "b"), ("b", "c")])
    assert x == y == 0 and all(other > (0, 0) for other in others)


@given(st.integers(1, 14), st.data())
def test_no_two_lie_upon_each_other(count: int, data: st.DataObject) -> None:
    names = [f"p{number}" for number in range(count)]
    pair = st.tuples(st.sampled_from(names), st.sampled_from(names))
    points = spread(names, data.draw(st.lists(pair, max_size=30)))
    assert len(points) == count and min(min(point) for point in points) == 0
    for (x, y), (ox, oy) in combinations(points, 2):
        assert hypot(x - ox, y - oy) > APART - 1 / 32


def test_a_great_many_lie_on_a_circle() -> None:
    names = [str(number) for number in range(MOST + 1)]
    points = spread(names, list(pairwise(names)))
    assert len(set(points)) == len(names)
