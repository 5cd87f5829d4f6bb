"""Numbers between two ends, and where operators lead them."""

from itertools import product
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruledsl.model.builtins import NUMBER_FUNCTIONS, Function
from ruledsl.model.intervals import (
    TOO_LARGE,
    Numbers,
    absolute,
    around,
    computed,
    extreme,
    negated,
)
from ruledsl.syntax import ast
from ruledsl.table.number_functions import MEANINGS

SIGNS: tuple[ast.ArithmeticSign, ...] = ("+", "-", "*", "/", "mod")


def test_limits() -> None:
    some, more, below = Numbers(1, 3), Numbers(4), Numbers(-inf, 0)
    assert some.below(more)
    assert below.below(some)
    assert not some.below(Numbers(3, 5))
    assert some.up_to(Numbers(3, 5))
    assert computed("+", some, some) == Numbers(2, 6)
    assert computed("-", some, more) == Numbers(-inf, -1)
    assert computed("*", Numbers(-2, 3), some) == Numbers(-6, 9)
    assert computed("/", Numbers(-7, 7), Numbers(2, 2)) == Numbers(-4, 3)
    assert computed("mod", more, Numbers(3, 3)) == Numbers(0, 2)
    assert extreme("max", [some, more]) == Numbers(4)
    assert extreme("min", [some, more]) == Numbers(1, 3)
    assert extreme("min", [some, below]) == below
    assert absolute(Numbers(-5, 3)) == Numbers(0, 5)
    assert absolute(Numbers(-5, -3)) == Numbers(3, 5)
    assert around([some, Numbers(7, 7)]) == Numbers(1, 7)
    assert negated(more) == Numbers(-inf, -4)


def test_limits_that_are_not_there() -> None:
    natural, anything = Numbers(0), Numbers()
    assert computed("*", natural, Numbers(-2, 3)) == anything
    assert computed("*", natural, natural) == natural
    assert computed("*", anything, Numbers(0, 0)) == Numbers(0, 0)
    assert computed("/", natural, Numbers(2, 3)) == natural
    assert computed("/", Numbers(-5, 5), Numbers(1)) == Numbers(-5, 5)
    assert computed("/", Numbers(3, 5), natural) == Numbers(0, 5)
    assert computed("mod", natural, Numbers(1)) == natural
    assert (anything.least, anything.most, anything.only) == (None, None, None)
    assert (natural.least, Numbers(4, 4).only) == (0, 4)


def test_beyond_a_limit_nothing_is_counted() -> None:
    large = Numbers(2, TOO_LARGE)
    assert computed("*", large, large) == Numbers(4)
    assert computed("*", large, negated(large)) == Numbers(-inf, -4)
    huge = computed("*", Numbers(TOO_LARGE), Numbers(TOO_LARGE))
    assert huge == Numbers(TOO_LARGE)
    assert computed("-", negated(huge), huge) == Numbers(-inf, -TOO_LARGE)


@st.composite
def intervals(draw: st.DrawFn) -> Numbers:
    low = draw(st.integers(-9, 9))
    return Numbers(low, low + draw(st.integers(0, 5)))


def numbers(of: Numbers) -> range:
    return range(int(of.low), int(of.high) + 1)


def applied(sign: ast.ArithmeticSign, one: int, other: int) -> int:
    match sign:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case "/":
            return one // other
        case "mod":
            return one % other


@given(st.sampled_from(SIGNS), intervals(), intervals())
def test_operators_find_the_nearest_ends(
    sign: ast.ArithmeticSign, left: Numbers, right: Numbers
) -> None:
    divides = sign in ("/", "mod")
    pairs = product(numbers(left), numbers(right))
    values = [applied(sign, one, other) for one, other in pairs if other or not divides]
    found = computed(sign, left, right)
    assert all(found.has(value) for value in values)
    if values and sign != "mod":
        assert found == Numbers(min(values), max(values))


@given(st.lists(intervals(), min_size=1, max_size=3), st.sampled_from(("max", "min")))
def test_extremes_find_the_nearest_ends(several: list[Numbers], word: str) -> None:
    best = max if word == "max" else min
    values = [best(each) for each in product(*map(numbers, several))]
    assert extreme(word, several) == Numbers(min(values), max(values))


@pytest.mark.parametrize("function", NUMBER_FUNCTIONS, ids=lambda each: each.name)
@given(st.data())
def test_functions_stay_within_their_ends(function: Function, data: st.DataObject) -> None:
    given_ = [data.draw(intervals()) for _ in function.takes]
    assert function.ends is not None
    found = function.ends(*given_)
    for values in product(*map(numbers, given_)):
        assert found.has(MEANINGS[function.name](*values))
