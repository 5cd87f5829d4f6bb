"""Limits of numbers, and how operators move them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf

import attrs

from ruledsl.model.builtins import FUNCTIONS, Ends


@attrs.frozen
class Numbers:
    """The numbers between two limits; None is no limit."""

    low: int | None = None
    high: int | None = None

    @property
    def ends(self) -> Ends:
        return (
            -inf if self.low is None else self.low,
            inf if self.high is None else self.high,
        )

    def below(self, other: Numbers) -> bool:
        """Whether every number here is smaller than every number there."""
        return self.high is not None and other.low is not None and self.high < other.low

    def up_to(self, other: Numbers) -> bool:
        """Whether no number here is greater than any number there."""
        return self.high is not None and other.low is not None and self.high <= other.low

    def apart(self, other: Numbers) -> bool:
        return self.below(other) or other.below(self)

    def only(self) -> int | None:
        return self.low if self.low == self.high else None


TOO_LARGE = 10**18
ANY_NUMBER = Numbers()
NATURAL = Numbers(0, None)


def span_of(items: Iterable[Numbers]) -> Numbers:
    """The smallest limits around all of these."""
    each = tuple(items)
    lows = [one.low for one in each]
    highs = [one.high for one in each]
    if not each:
        return ANY_NUMBER
    low = None if None in lows else min(x for x in lows if x is not None)
    high = None if None in highs else max(x for x in highs if x is not None)
    return Numbers(low, high)


def minus(left: Numbers, right: Numbers) -> Numbers:
    low = None if left.low is None or right.high is None else left.low - right.high
    high = None if left.high is None or right.low is None else left.high - right.low
    return Numbers(low, high)


def combined(sign: str, left: Numbers, right: Numbers) -> Numbers:
    match sign:
        case "+":
            return minus(left, minus(Numbers(0, 0), right))
        case "-":
            return minus(left, right)
        case "*":
            ends = (left.low, left.high, right.low, right.high)
            if None in ends:
                return ANY_NUMBER
            products = [a * b for a in ends[:2] for b in ends[2:] if a is not None if b is not None]
            # Beyond this nothing is counted; squares of squares would take for ever.
            small = max(abs(product) for product in products) < TOO_LARGE
            return Numbers(min(products), max(products)) if small else ANY_NUMBER
        case "/":
            by = right.only()
            if by is None or by <= 0:
                return ANY_NUMBER
            low = None if left.low is None else left.low // by
            return Numbers(low, None if left.high is None else left.high // by)
        case _:
            by = right.only()
            return Numbers(0, by - 1) if by is not None and by > 0 else ANY_NUMBER


def extreme(word: str, items: list[Numbers]) -> Numbers:
    lows, highs = [item.low for item in items], [item.high for item in items]
    best = max if word == "max" else min
    some_low = [low for low in lows if low is not None]
    some_high = [high for high in highs if high is not None]
    if word == "max":
        high = None if None in highs else best(some_high)
        return Numbers(best(some_low) if some_low else None, high)
    low = None if None in lows else best(some_low)
    return Numbers(low, best(some_high) if some_high else None)


def computed(name: str, operands: Sequence[Numbers]) -> Numbers:
    """What a function of numbers gives."""
    ends = FUNCTIONS[name].ends
    assert ends is not None
    low, high = ends(*(each.ends for each in operands))
    return Numbers(None if low == -inf else int(low), None if high == inf else int(high))
