"""Two games played many times with the same seeds: which figures moved, and how sure that is.

Each figure is a number per game, and a pair of games with the same seed gives a difference. What
moved is told after Holm's correction, because many figures are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf
from time import monotonic

import attrs

from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.simulation import RandomGames, play_one, rows_of
from ruledsl.lab.statistics import Estimate, Moments, holm, two_sided
from ruledsl.lab.tally import GameRow
from ruledsl.table.table import Table

LEVEL = 0.01
"""A change is told if chance alone would show one in so few comparisons."""


@attrs.frozen
class Figure:
    """A number that games have, and how it is shown."""

    name: str
    percent: bool
    of: Callable[[GameRow], float]


@attrs.frozen
class Moved:
    """A figure of both games, and how far it lies apart."""

    name: str
    percent: bool
    one: float
    other: float
    change: Estimate
    p: float
    """how likely such a change is where there is none, corrected for looking at all figures"""

    @property
    def significant(self) -> bool:
        return self.p < LEVEL


def listed_games(table: Table, seed: int) -> Callable[[int, int], Iterator[GameRow]]:
    """Plays games of random players, by the engine where the rules can be compiled."""
    try:
        games = RandomGames(table, seed, listed=True)
    except Unsupported:
        return lambda first, last: (play_one(table, seed, number) for number in range(first, last))

    def play(first: int, last: int) -> Iterator[GameRow]:
        for part in games.play(first, last, keep=True):
            if isinstance(part, GameRow):
                yield part
                first = part.number + 1
            else:
                yield from rows_of(part, first)
                first += len(part)

    return play


def more_games(played: int) -> int:
    """How many games to have before it is looked again whether there is time for more: half as many
    more, so that a look never lies much further ahead than what was played took."""
    return played + 1 + played // 2


def played_by_both(
    one: Table, other: Table, seed: int, games: int, seconds: float = inf
) -> tuple[list[GameRow], list[GameRow]]:
    """Games of both with the same seeds: so many, or as many as there is time for."""
    play, play_other = listed_games(one, seed), listed_games(other, seed)
    found: list[GameRow] = []
    theirs: list[GameRow] = []
    until = monotonic() + seconds
    while len(found) < games and (not found or monotonic() < until):
        first = len(found)
        last = min(games, more_games(first))
        found.extend(play(first, last))
        theirs.extend(play_other(first, last))
    return found, theirs


def compared(one: Iterable[GameRow], other: Iterable[GameRow]) -> tuple[Moved, ...]:
    """All figures of pairs of games, those that moved most surely first."""
    pairs = list(zip(one, other, strict=True))
    found: list[tuple[Figure, Moments, Moments, Moments]] = []
    for figure in _figures(pairs):
        values = [(figure.of(a), figure.of(b)) for a, b in pairs]
        each = Moments(), Moments(), Moments()
        for a, b in values:
            each[0].add(a)
            each[1].add(b)
            each[2].add(b - a)
        found.append((figure, *each))
    chances = [_chance(gap) for _, _, _, gap in found]
    moved = [
        Moved(figure.name, figure.percent, a.mean, b.mean, gap.estimate(), p)
        for (figure, a, b, gap), p in zip(found, holm(chances), strict=True)
    ]
    return tuple(sorted(moved, key=lambda each: each.p))


def _chance(gap: Moments) -> float:
    if gap.error == 0:
        return 1.0 if gap.total == 0 else 0.0
    return two_sided(gap.mean / gap.error)


def _figures(pairs: list[tuple[GameRow, GameRow]]) -> Iterator[Figure]:
    seats = max((len(row.ranks) for pair in pairs for row in pair), default=0)
    for seat in range(1, seats + 1):
        yield Figure(f"wins of seat {seat}", True, _won(seat))
    endings = dict.fromkeys(row.how for pair in pairs for row in pair)
    for ending in sorted(endings):
        yield Figure(f"games that end by: {ending}", True, _ends(ending))
    yield Figure("draws", True, lambda row: float(not row.winners and row.failure is None))
    yield Figure("choices in a game", False, lambda row: row.choices or 0)
    yield Figure("options at a choice", False, _options_at_a_choice)


def _options_at_a_choice(row: GameRow) -> float:
    return row.options / row.choices if row.options and row.choices else 0.0


def _won(seat: int) -> Callable[[GameRow], float]:
    return lambda row: (seat in row.winners) / max(1, len(row.winners))


def _ends(ending: str) -> Callable[[GameRow], float]:
    return lambda row: float(row.how == ending)
