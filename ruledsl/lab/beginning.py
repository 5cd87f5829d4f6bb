"""What it is worth to choose first, in games in which that is drawn: all seats are alike then."""

from __future__ import annotations

from math import inf

import attrs

from ruledsl.engine import Engine
from ruledsl.engine.memory.control import RANDOM
from ruledsl.engine.played import EngineError
from ruledsl.lab.patience import Left
from ruledsl.lab.simulation import dice_of, rows_of
from ruledsl.table.table import Table

MOST_GAMES = 4_000
AT_ONCE = 100


@attrs.frozen
class Beginning:
    """Of some games, how often whoever chose first has won; a shared win counts in parts."""

    games: int
    wins: float
    drawn: bool
    """whether it was not always the same seat"""


def beginning(table: Table, seed: int, most: int, left: Left = lambda: inf) -> Beginning:
    """Games of random players, with a look at who is the first to have a choice."""
    most = min(most, MOST_GAMES)
    engine = Engine(table)
    games, wins = 0, 0.0
    firsts: set[int] = set()
    for number in range(0, most, AT_ONCE):
        if left() <= 0:
            break
        together = min(AT_ONCE, most - number)
        batch = engine.batch(together, seed, number, mode=RANDOM, keep=True)
        for row in rows_of(batch, number):
            try:
                going = engine.start(dice_of(seed, row.number))
            except EngineError:
                continue
            if going and row.winners:
                games += 1
                first = engine.seat.index + 1
                firsts.add(first)
                wins += (first in row.winners) / len(row.winners)
        if batch.error is not None:
            break  # Rules that go wrong are told elsewhere.
    return Beginning(games, wins, len(firsts) > 1)
