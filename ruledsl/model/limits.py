"""What is known of the limits of numbers, from the words alone."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from ruledsl.model import core, intervals
from ruledsl.model.intervals import Numbers
from ruledsl.model.types import NUMBER, Limit, NumberType, Type, plain
from ruledsl.model.walk import expressions
from ruledsl.syntax import ast


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


def combined(sign: ast.ArithmeticSign, left: core.Expr, right: core.Expr) -> NumberType:
    """The type of what an operator gives."""
    return _limited(intervals.computed(sign, _ends(left), _ends(right)))


def extreme(word: str, items: Iterable[core.Expr]) -> NumberType:
    """The type of the greatest or the least of some numbers."""
    return _limited(intervals.extreme(word, map(_ends, items)))


def _ends(expression: core.Expr) -> Numbers:
    """Between which ends a number lies; what depends on the table is no end yet."""
    found = limits(expression.type)
    return Numbers(
        found.low if isinstance(found.low, int) else -inf,
        found.high if isinstance(found.high, int) else inf,
    )


def _limited(numbers: Numbers) -> NumberType:
    return NumberType(numbers.least, numbers.most)


def clamped(low: core.Expr, high: core.Expr) -> NumberType:
    """The type of a number kept between two."""
    least, most = limits(low.type), limits(high.type)
    in_order = isinstance(least.high, int) and isinstance(most.low, int)
    if in_order and least.high <= most.low:  # type: ignore[operator]
        return NumberType(least.low, most.high)
    return NumberType(least.low, None)
