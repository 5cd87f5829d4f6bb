"""How sure a figure is: intervals, tests of differences, and what looking at many figures costs.

Everything rests on the normal distribution: samples are in the hundreds and more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, erfc, sqrt
from statistics import NormalDist

import attrs

Z95 = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval, in standard errors."""


@attrs.frozen
class Estimate:
    """A mean with the interval that holds the true one in 95 of 100 cases."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def within(self, most: float) -> bool:
        """Whether the true one is surely that close to nothing."""
        return -most < self.low and self.high < most


@attrs.define
class Moments:
    """Numbers added up so that their mean and its error can be told; whole numbers stay exact."""

    count: int = 0
    total: float = 0
    squares: float = 0

    def add(self, value: float, times: int = 1) -> None:
        self.count += times
        self.total += value * times
        self.squares += value * value * times

    def merge(self, other: Moments) -> None:
        self.count += other.count
        self.total += other.total
        self.squares += other.squares

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float:
        """Of the numbers, as far as the sample tells."""
        if self.count < 2:
            return 0.0
        return max(0.0, (self.squares - self.total * self.total / self.count) / (self.count - 1))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return sqrt(self.variance / self.count) if self.count else 0.0

    def estimate(self, z: float = Z95) -> Estimate:
        return Estimate(self.mean, self.mean - z * self.error, self.mean + z * self.error)


def moments(values: Iterable[float]) -> Moments:
    found = Moments()
    for value in values:
        found.add(value)
    return found


def proportion(part: float, whole: float, z: float = Z95) -> Estimate:
    """A share by Wilson's interval; also sensible for very small and very large shares."""
    if not whole:
        return Estimate(0.0, 0.0, 1.0)
    p = part / whole
    middle = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z * sqrt(max(0.0, p * (1 - p)) / whole + z * z / (4 * whole * whole))
    half /= 1 + z * z / whole
    # Rounding must not take what was seen out of the interval.
    return Estimate(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)))


def two_sided(z: float) -> float:
    """How often chance alone gives a value at least so far out."""
    return erfc(abs(z) / sqrt(2))


def difference(one: Moments, other: Moments) -> tuple[Estimate, float]:
    """How much more the mean of the other is, if both are independent, and the p-value of none."""
    error = sqrt(one.error**2 + other.error**2)
    gap = other.mean - one.mean
    if error == 0:
        return Estimate(gap, gap, gap), 1.0 if gap == 0 else 0.0
    return Estimate(gap, gap - Z95 * error, gap + Z95 * error), two_sided(gap / error)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values after Holm's correction for looking at all of them, in the same order."""
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    adjusted = [1.0] * len(p_values)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = highest
    return adjusted


def critical(tests: int, level: float = 0.01) -> float:
    """How many standard errors out a figure must lie to be news, among so many looked at."""
    return NormalDist().inv_cdf(1 - level / (2 * max(1, tests)))


def seldomer_than(games: int) -> float:
    """What was never seen in so many games happens at most so often, in 95 of 100 cases."""
    return 1 - 0.05 ** (1 / games) if games else 1.0


def enough(half: float, deviation: float, z: float = Z95) -> int:
    """Games after which an interval is so narrow."""
    return max(2, ceil((z * deviation / half) ** 2))
