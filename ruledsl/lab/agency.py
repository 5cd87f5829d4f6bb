"""How much choices matter: options of sampled choices, each played on at random many times.

What an option is worth is the share of wins when all play on at random. The best option is found
with one half of the games and judged by the other, so that luck does not count as merit.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from statistics import median

import attrs

from ruledsl.engine import Engine
from ruledsl.engine.played import EngineError, Row
from ruledsl.lab.patience import Left
from ruledsl.lab.statistics import Moments, two_sided
from ruledsl.play.chance import Generator
from ruledsl.table.table import Table

MOST_OPTIONS = 12
"""Options of a choice that are tried."""
GAMES = 32
"""Games that follow each of them."""
WORK = 1_500_000
"""Choices that all these games may have together."""
FIFTHS = 5
MATTERS = 0.01
"""Options differ if chance alone would make them differ so much in so few choices."""


@attrs.frozen
class Agency:
    """What came of it."""

    gain: Moments
    """how much more the best option wins than the one in the middle"""
    matters: int
    """choices in which options surely differ"""
    favourite: tuple[Moments, ...]
    """for each fifth of the game, the share of wins of whoever is most likely to win"""

    @property
    def choices(self) -> int:
        return self.gain.count


def agency_of(
    table: Table, seed: int, mean_length: float, most: int = 100, left: Left = lambda: inf
) -> Agency:
    """Sampled choices of games by random players, so many at most, or as time allows."""
    engine = Engine(table)
    chance = Generator(seed)
    players = len(table.things("Player"))
    per_choice = MOST_OPTIONS * GAMES * max(1.0, mean_length) / 2
    wanted = min(most, max(10, int(WORK / per_choice)))
    gain, favourite = Moments(), tuple(Moments() for _ in range(FIFTHS))
    matters = 0
    for _ in range(4 * wanted):
        if gain.count >= wanted or left() <= 0:
            break
        target = chance.below(max(1, int(mean_length)))
        try:
            if not _reach(engine, chance, target):
                continue
            values = _values(engine, chance, players, left)
        except EngineError:
            continue
        if values is None:
            break
        mine = [[share[values.seat] for share in each] for each in values.shares]
        gain.add(_gain(mine))
        matters += _differ(mine) < MATTERS
        fifth = min(FIFTHS - 1, int(FIFTHS * target / max(1.0, mean_length)))
        games = [share for each in values.shares for share in each]
        favourite[fifth].add(
            max(sum(share[at] for share in games) / len(games) for at in range(players))
        )
    return Agency(gain, matters, favourite)


@attrs.frozen
class _Values:
    seat: int
    shares: list[list[tuple[float, ...]]]
    """for each option and game, the seats' parts of the win"""


def _reach(engine: Engine, chance: Generator, target: int) -> bool:
    """Go to a choice of a new game; whether there is one so late."""
    going = engine.start(chance.next())
    for _ in range(target):
        if not going:
            return False
        going = engine.choose(chance.below(engine.number))
    return going


def _values(engine: Engine, chance: Generator, players: int, left: Left) -> _Values | None:
    """What the options of a choice bring; None if there is no time for all of them."""
    saved, seat, number = engine.save(), engine.seat.index, engine.number
    options: Sequence[int] = range(number)
    if number > MOST_OPTIONS:
        options = chance.shuffled(options)[:MOST_OPTIONS]
    seeds = [(chance.next(), chance.next()) for _ in range(GAMES)]
    shares: list[list[tuple[float, ...]]] = []
    for option in options:
        games = []
        for seed, mind in seeds:
            if left() <= 0:
                return None
            engine.load(saved)
            engine.reseed(seed)
            row = engine.play_on(mind) if engine.choose(option) else engine.result()
            games.append(_shares(row, players))
        shares.append(games)
    return _Values(seat, shares)


def _shares(row: Row, players: int) -> tuple[float, ...]:
    part = 1.0 if row.how == "win" else 1 / max(1, len(row.winners))
    return tuple(part if seat in row.winners else 0.0 for seat in range(1, players + 1))


def _gain(shares: list[list[float]]) -> float:
    half = GAMES // 2
    first = [sum(each[:half]) / half for each in shares]
    second = [sum(each[half:]) / (GAMES - half) for each in shares]
    best = first.index(max(first))
    return second[best] - median(second)


def _differ(shares: list[list[float]]) -> float:
    """How likely such differences between options are where all are equally good."""
    number = len(shares)
    means = [sum(each) / GAMES for each in shares]
    mean = sum(means) / number
    spread = mean * (1 - mean) / GAMES
    if number < 2 or spread == 0:
        return 1.0
    total = sum((each - mean) ** 2 for each in means) / spread
    freedom = number - 1
    # By Wilson and Hilferty, the cube root is nearly normal.
    z = ((total / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom))
    return two_sided(z) / 2 if z > 0 else 1.0
