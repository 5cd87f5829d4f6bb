"""Rates of work, measured in turn so that what disturbs one disturbs the others alike.

Seconds are those of the processor: waiting for other programs does not count, and whoever used
several threads would be charged for each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import process_time
from typing import TypeAlias

Work: TypeAlias = Callable[[int, int], object]
"""does a number of things, seeded; returns when all of them are done"""

_CALLS = 20
"""so many calls, roughly, fill a round: few enough that calling costs nothing"""


def rates(
    works: Mapping[str, Work], seconds: float, rounds: int, count: int | None = None
) -> dict[str, float]:
    """Things done in a second: the median of some rounds, in each of which all take their turn.

    A round lasts until the first call that ends after so many seconds, and counts whole calls. How
    many things are asked for in a call is tried out first, which also warms up, unless `count`
    says it.
    """
    counts = {name: count or _count(work, seconds / _CALLS) for name, work in works.items()}
    if count is not None:
        for work in works.values():
            work(count, 0)
    measured: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(rounds):
        for name, work in works.items():
            measured[name].append(_rate(work, counts[name], seconds, 1 + turn * 1_000_000))
    return {name: median(found) for name, found in measured.items()}


def _count(work: Work, seconds: float) -> int:
    """How many things take about this long."""
    count = 1
    while True:
        start = process_time()
        work(count, 0)
        if process_time() - start >= seconds:
            return count
        count *= 2


def _rate(work: Work, count: int, seconds: float, seed: int) -> float:
    done = 0
    start = process_time()
    while (passed := process_time() - start) < seconds:
        work(count, seed + done)
        done += count
    return done / passed
