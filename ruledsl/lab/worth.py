"""What an action or a card is worth: the difference it makes to do without it.

The same games are played with and without, by random players, one seat after the other doing
without; whoever can't choose anything else uses it all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.engine import Engine, EngineError
from ruledsl.engine.counted import counters_of, do_without
from ruledsl.engine.counters import Counter
from ruledsl.engine.played import Row
from ruledsl.lab.statistics import Estimate, Moments, two_sided
from ruledsl.table.table import Table

MOST = 60
"""Actions and values that are tried."""


@attrs.frozen
class Worth:
    """How much more of the games a seat wins that may use something."""

    counter: Counter
    points: Estimate
    """in parts of all games"""
    p: float
    """how likely that is if it makes no difference"""


def worths(table: Table, seed: int, games: int, used: set[Counter]) -> Iterator[Worth]:
    """What everything is worth that is used, in so many games of each seat."""
    engine = Engine(table, counted=True)
    found = counters_of(engine).found
    wanted = [at for at, counter in enumerate(found) if counter in used][:MOST]
    players = len(table.things("Player"))
    try:
        do_without(engine, -1, 0)
        usual = engine.playouts(games, seed)
        for number in wanted:
            yield _worth(engine, number, usual, seed, players)
    except EngineError:
        return  # Rules that go wrong are told elsewhere.


def _worth(engine: Engine, number: int, usual: list[Row], seed: int, players: int) -> Worth:
    gap = Moments()
    for seat in range(1, players + 1):
        do_without(engine, number, seat)
        without = engine.playouts(len(usual), seed)
        for row, other in zip(usual, without, strict=True):
            gap.add(_won(row, seat) - _won(other, seat))
    counter = counters_of(engine).found[number]
    p = two_sided(gap.mean / gap.error) if gap.error else 1.0
    return Worth(counter, gap.estimate(), p)


def _won(row: Row, seat: int) -> float:
    if seat not in row.winners:
        return 0.0
    return 1.0 if row.how == "win" else 1 / len(row.winners)
