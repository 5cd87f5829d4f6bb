"""Between which ends numbers lie, and how operators and functions move these.

What is found is never too narrow: whatever can come up lies between the ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import inf
from typing import TYPE_CHECKING, TypeAlias, assert_never

import attrs

if TYPE_CHECKING:
    from ruledsl.syntax import ast

End: TypeAlias = float
"""A whole number; infinite where there is no limit."""

TOO_LARGE = 10**18
"""Beyond this nothing is counted; squares of squares would take for ever."""


@attrs.frozen
class Numbers:
    """All whole numbers from one end to the other; of a set, where its elements lie."""

    low: End = -inf
    high: End = inf

    @property
    def least(self) -> int | None:
        return None if self.low == -inf else int(self.low)

    @property
    def most(self) -> int | None:
        return None if self.high == inf else int(self.high)

    @property
    def only(self) -> int | None:
        """The number, if there is only one."""
        return self.least if self.low == self.high else None

    def below(self, other: Numbers) -> bool:
        """Whether every number here is smaller than every number there."""
        return self.high < other.low

    def up_to(self, other: Numbers) -> bool:
        """Whether no number here is greater than any number there."""
        return self.high <= other.low

    def apart(self, other: Numbers) -> bool:
        return self.below(other) or other.below(self)

    def within(self, other: Numbers) -> bool:
        return other.low <= self.low and self.high <= other.high

    def has(self, number: int) -> bool:
        return self.low <= number <= self.high


ANY_NUMBER = Numbers()
NATURAL = Numbers(0)


def around(several: Iterable[Numbers]) -> Numbers:
    """The nearest ends around all of these; around none, it may be anything."""
    found = tuple(several)
    if not found:
        return ANY_NUMBER
    return Numbers(min(each.low for each in found), max(each.high for each in found))


def negated(numbers: Numbers) -> Numbers:
    return Numbers(-numbers.high, -numbers.low)


def computed(sign: ast.ArithmeticSign, left: Numbers, right: Numbers) -> Numbers:
    """What two numbers come to, if that does not go wrong."""
    match sign:
        case "+":
            return _counted(left.low + right.low, left.high + right.high)
        case "-":
            return _counted(left.low - right.high, left.high - right.low)
        case "*":
            ends = product((left.low, left.high), (right.low, right.high))
            return _between([0 if 0 in pair else pair[0] * pair[1] for pair in ends])
        case "/":
            # It rises or falls throughout on either side of zero.
            sides = (right.low, right.high, *(one for one in (-1, 1) if right.has(one)))
            by = [each for each in sides if each]
            pairs = product((left.low, left.high), by)
            return _between([_divided(one, other) for one, other in pairs]) if by else ANY_NUMBER
        case "mod":
            if left.low >= 0 and right.low > 0:
                return Numbers(0, min(left.high, right.high - 1))
            return Numbers(min(0, right.low + 1), max(0, right.high - 1))
        case _:
            assert_never(sign)


def _divided(one: End, other: End) -> End:
    """Rounded down; `other` is not zero."""
    if abs(one) == inf:
        return one if other > 0 else -one
    if abs(other) == inf:
        return 0 if one == 0 or (one > 0) == (other > 0) else -1
    return one // other


def _between(ends: list[End]) -> Numbers:
    return _counted(min(ends), max(ends))


def _counted(low: End, high: End) -> Numbers:
    return Numbers(
        -inf if low < -TOO_LARGE else min(low, TOO_LARGE),
        inf if high > TOO_LARGE else max(high, -TOO_LARGE),
    )


def extreme(word: str, several: Iterable[Numbers]) -> Numbers:
    """The greatest or the least of some numbers."""
    best = max if word == "max" else min
    found = tuple(several)
    return Numbers(best(each.low for each in found), best(each.high for each in found))


def absolute(numbers: Numbers) -> Numbers:
    ends = (abs(numbers.low), abs(numbers.high))
    return Numbers(0 if numbers.has(0) else min(ends), max(ends))


def clamped(_: Numbers, low: Numbers, high: Numbers) -> Numbers:
    return Numbers(low.low, max(low.high, high.high))
