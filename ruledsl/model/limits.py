"""What is known of the limits of numbers, from the words alone."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.model import core
from ruledsl.model.types import NUMBER, Limit, NumberType, Type, plain
from ruledsl.model.walk import expressions


def limit(expression: core.Expr) -> Limit:
    """A number written out, or an expression that never changes on a table, as a limit."""
    return expression.value if isinstance(expression, core.Constant) else expression


def low_of(expression: core.Expr) -> Limit:
    """The least that a number can be."""
    return limits(expression.type).low if _changes(expression) else limit(expression)


def high_of(expression: core.Expr) -> Limit:
    return limits(expression.type).high if _changes(expression) else limit(expression)


def limits(of: Type) -> NumberType:
    inner = plain(of)
    return inner if isinstance(inner, NumberType) else NUMBER


_FIXED = (
    core.Constant,
    core.OptionValue,
    core.Value,
    core.Negate,
    core.Arithmetic,
    core.Conditional,
    core.Compare,
    core.Extreme,
)


def _changes(expression: core.Expr) -> bool:
    """Whether a number may be another one later; what is fixed is its own limit."""
    return any(
        not isinstance(part, _FIXED) and part != core.Special("players")
        for part in expressions(expression)
    )


def between(low: core.Expr, high: core.Expr) -> NumberType:
    """The type of `low..high`."""
    return NumberType(low_of(low), high_of(high))


def combined(sign: str, left: core.Expr, right: core.Expr) -> NumberType:
    """The type of a sum, a difference, or what is left over by a division."""
    one, other = limits(left.type), limits(right.type)
    match sign:
        case "+":
            return NumberType(_sum(one.low, other.low), _sum(one.high, other.high))
        case "-":
            return NumberType(_sum(one.low, other.high, -1), _sum(one.high, other.low, -1))
        case "*":
            return _product(one, other)
        case "mod" if isinstance(other.low, int) and other.low > 0:
            return NumberType(0, _sum(other.high, -1))
        case _:
            return NUMBER


def _product(one: NumberType, other: NumberType) -> NumberType:
    """Between the products of the ends, where all of them are known."""
    ends = _numbers([one.low, one.high, other.low, other.high])
    if len(ends) < 4:
        return NUMBER
    low, high, least, most = ends
    products = (low * least, low * most, high * least, high * most)
    if max(map(abs, products)) >= 10**9:
        return NUMBER
    return NumberType(min(products), max(products))


def _sum(one: Limit, other: Limit, sign: int = 1) -> Limit:
    if isinstance(one, int) and isinstance(other, int):
        return one + sign * other
    return None


def extreme(word: str, items: Iterable[core.Expr]) -> NumberType:
    """The type of the greatest or the least of some numbers."""
    found = [limits(item.type) for item in items]
    lows, highs = [each.low for each in found], [each.high for each in found]
    if word == "max":
        return NumberType(max(_numbers(lows), default=None), _all(highs, word))
    return NumberType(_all(lows, word), min(_numbers(highs), default=None))


def _numbers(found: list[Limit]) -> list[int]:
    return [each for each in found if isinstance(each, int)]


def _all(found: list[Limit], word: str) -> Limit:
    numbers = _numbers(found)
    if len(numbers) < len(found):
        return None
    return max(numbers) if word == "max" else min(numbers)


def clamped(low: core.Expr, high: core.Expr) -> NumberType:
    """The type of a number kept between two."""
    least, most = limits(low.type), limits(high.type)
    in_order = isinstance(least.high, int) and isinstance(most.low, int)
    if in_order and least.high <= most.low:  # type: ignore[operator]
        return NumberType(least.low, most.high)
    return NumberType(least.low, None)
