"""What an action or a card is worth: the difference it makes to do without it.

The same games are played with and without, by random players, one seat after the other doing
without; whoever can't choose anything else uses it all the same. They come in rounds in which
everything is tried equally often, so that there is an answer whenever the time is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import inf

import attrs

from ruledsl.engine import Engine, EngineError
from ruledsl.engine.counted import counters_of, do_without
from ruledsl.engine.counters import Counter
from ruledsl.engine.played import Row
from ruledsl.lab.patience import Left
from ruledsl.lab.statistics import Estimate, Moments, seldomer_than, two_sided
from ruledsl.table.table import Table

MOST = 60
"""Actions and values that are tried."""
FIRST_ROUND, LONGEST_ROUND = 25, 1600
"""Games of a seat that does without something: each round has twice as many, up to so many."""


@attrs.frozen
class Worth:
    """How much more of the games a seat wins that may use something."""

    counter: Counter
    points: Estimate
    """in parts of all games"""
    p: float
    """how likely that is if it makes no difference"""


def worths(
    table: Table, seed: int, games: int, used: Iterable[Counter], left: Left = lambda: inf
) -> Iterator[tuple[Worth, ...]]:
    """What everything is worth, more exactly from round to round.

    At the end of so many games of each seat, or of the time.
    """
    engine = Engine(table, counted=True)
    found, wanted = counters_of(engine).found, {*used}
    gaps = {at: Moments() for at, counter in enumerate(found) if counter in wanted}
    gaps = dict([*gaps.items()][:MOST])
    first, length, needed = 0, min(games, FIRST_ROUND), 0.0
    try:
        while length and needed <= (begun := left()):
            more = _round(engine, [*gaps], seed, first, length, left)
            if not more:
                return
            for at, gap in more.items():
                gaps[at].merge(gap)
            yield tuple(_worth(found[at], gap) for at, gap in gaps.items())
            first += length
            following = min(games - first, 2 * length, LONGEST_ROUND)
            # What there is no time for is not begun, so that others have it; for ever is no time.
            needed = (begun - left()) * following / length if begun < inf else 0.0
            length = following
    except EngineError:
        return  # Rules that go wrong are told elsewhere.


def _round(
    engine: Engine, numbers: list[int], seed: int, first: int, games: int, left: Left
) -> dict[int, Moments] | None:
    """Some games for each counter and seat; None if there is no time for all."""
    do_without(engine, -1, 0)
    usual = engine.playouts(games, seed, first)
    found = {number: Moments() for number in numbers}
    for seat in range(1, engine.layout.players + 1):
        for number, gap in found.items():
            if left() <= 0:
                return None
            do_without(engine, number, seat)
            without = engine.playouts(games, seed, first)
            for row, other in zip(usual, without, strict=True):
                gap.add(_won(row, seat) - _won(other, seat))
    return found


def _worth(counter: Counter, gap: Moments) -> Worth:
    p = two_sided(gap.mean / gap.error) if gap.error else 1.0
    # Games that it decides may be so rare that none was among these.
    found, unseen = gap.estimate(), seldomer_than(gap.count)
    low, high = min(found.low, found.value - unseen), max(found.high, found.value + unseen)
    return Worth(counter, Estimate(found.value, low, high), p)


def _won(row: Row, seat: int) -> float:
    if seat not in row.winners:
        return 0.0
    return 1.0 if row.how == "win" else 1 / len(row.winners)
