"""An arena: players of several kinds against each other, and how strong each of them is.

The games come in rounds. In a round all groups of kinds that fill the table meet, and everybody
sits in every seat equally often. Ratings are Elo's, by the model of Bradley and Terry: two players
of one game have played against each other, the better rank has won, equal ranks have drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb, exp, log, sqrt

import attrs

from ruledsl.lab.tally import GameRow, Share, share
from ruledsl.play.chance import Generator
from ruledsl.players.seats import Computer

ELO = 400 / log(10)
"""Points for a rating of 1 in the natural scale."""
Z = 1.959964
STEPS = 200
"""More than enough to find the ratings."""
CLOSE = 1e-12


@attrs.frozen
class RoundRobin:
    """Who sits where in which game."""

    kinds: tuple[Computer, ...]
    players: int
    seed: int

    @property
    def round_length(self) -> int:
        """The games of a round: each group of kinds, once round the table."""
        return comb(len(self.kinds), self.players % len(self.kinds)) * self.players

    def games(self, wanted: int) -> int:
        """At least so many, in whole rounds."""
        return -(-wanted // self.round_length) * self.round_length

    def seating(self, number: int) -> tuple[int, ...]:
        """For each seat, which of the kinds sits there in a game."""
        rest, turn = divmod(number, self.players)
        at = rest % (self.round_length // self.players)
        least, more = divmod(self.players, len(self.kinds))
        everybody = range(len(self.kinds))
        extra = list(combinations(everybody, more))[at]
        group = [*[*everybody] * least, *extra]
        # Who sits beside whom changes from round to round.
        mixed = Generator(self.seed ^ Generator(rest).next()).shuffled(group)
        return (*mixed[turn:], *mixed[:turn])

    def sitting(self, number: int) -> tuple[Computer, ...]:
        return tuple(self.kinds[kind] for kind in self.seating(number))


@attrs.frozen
class Rating:
    """Elo points; 0 is the mean of all kinds."""

    value: float
    low: float
    high: float


@attrs.frozen
class KindSummary:
    """How a kind of player fared; a win shared by k counts 1/k."""

    player: str
    seats: int
    """how often it sat down"""
    wins: Share
    mean_rank: float
    elo: Rating


@attrs.frozen
class PairSummary:
    """How often one kind was ranked before another; equal ranks count one half."""

    player: str
    against: str
    meetings: int
    better: Share


@attrs.frozen
class ArenaSummary:
    games: int
    players: tuple[KindSummary, ...]
    pairs: tuple[PairSummary, ...]
    draws: Share
    failures: tuple[tuple[str, int], ...]
    cut: int
    """games that were over because the limit of decisions was reached"""


@attrs.define
class ArenaTally:
    """Adds up games without keeping them."""

    robin: RoundRobin
    games: int = 0
    drawn: int = 0
    cut: int = 0
    """games that were over because the limit of decisions was reached"""
    sat: list[int] = attrs.field(init=False)
    won: list[float] = attrs.field(init=False)
    ranks: list[int] = attrs.field(init=False)
    beaten: list[list[float]] = attrs.field(init=False)
    """beaten[a][b]: how often kind a was before kind b"""
    failures: dict[str, int] = attrs.Factory(dict)

    def __attrs_post_init__(self) -> None:
        number = len(self.robin.kinds)
        self.sat, self.ranks = [0] * number, [0] * number
        self.won = [0.0] * number
        self.beaten = [[0.0] * number for _ in range(number)]

    def add(self, rows: Iterable[GameRow]) -> None:
        for row in rows:
            self.games += 1
            if row.failure is not None:
                self.failures[row.failure] = self.failures.get(row.failure, 0) + 1
                continue
            self.drawn += not row.winners
            self.cut += row.how.startswith("limit")
            seated = self.robin.seating(row.number)
            for at, kind in enumerate(seated):
                self.sat[kind] += 1
                self.ranks[kind] += row.ranks[at]
                if at + 1 in row.winners:
                    self.won[kind] += 1 if row.how == "win" else 1 / len(row.winners)
            for one, other in combinations(range(len(seated)), 2):
                self._meet(seated[one], seated[other], row.ranks[one] - row.ranks[other])

    def _meet(self, kind: int, other: int, behind: int) -> None:
        if kind != other:
            self.beaten[kind][other] += 0.5 if behind == 0 else float(behind < 0)
            self.beaten[other][kind] += 0.5 if behind == 0 else float(behind > 0)

    def summary(self) -> ArenaSummary:
        words = [kind.word for kind in self.robin.kinds]
        elo = ratings(self.beaten, self.robin.players)
        pairs = [
            PairSummary(
                words[one],
                words[other],
                round(met := self.beaten[one][other] + self.beaten[other][one]),
                share(self.beaten[one][other], round(met)),
            )
            for one, other in combinations(range(len(words)), 2)
        ]
        return ArenaSummary(
            self.games,
            tuple(
                KindSummary(
                    word,
                    self.sat[at],
                    share(self.won[at], self.sat[at]),
                    self.ranks[at] / max(1, self.sat[at]),
                    elo[at],
                )
                for at, word in enumerate(words)
            ),
            tuple(pairs),
            share(self.drawn, self.games - sum(self.failures.values())),
            tuple(sorted(self.failures.items(), key=lambda item: -item[1])),
            self.cut,
        )


# ---------------------------------------------------------------- ratings


def ratings(beaten: Sequence[Sequence[float]], players: int) -> tuple[Rating, ...]:
    """The most likely ratings, with intervals that hold the true ones in 95 of 100 cases.

    Any two kinds are given one draw more than they played, so that a rating is finite even if
    somebody always wins. The pairs of one game depend on each other: the ranks of n equal players
    scatter (n + 1) / 3 times as much as independent pairs would, so a pair counts that much less.
    """
    size = len(beaten)
    less = 3 / (players + 1)
    met = [
        [less * (beaten[a][b] + beaten[b][a]) + (a != b) for b in range(size)] for a in range(size)
    ]
    points = [sum(less * beaten[a][b] + 0.5 for b in range(size) if b != a) for a in range(size)]
    strength = [0.0] * size
    for _ in range(STEPS):
        expected = [
            [met[a][b] / (1 + exp(strength[b] - strength[a])) for b in range(size)]
            for a in range(size)
        ]
        gap = [points[a] - sum(e for b, e in enumerate(expected[a]) if b != a) for a in range(size)]
        step = _times(_inverse(_information(strength, met)), gap)
        # A long step may overshoot.
        longest = max(1.0, *(abs(part) for part in step))
        strength = [here + part / longest for here, part in zip(strength, step, strict=True)]
        if max(abs(part) for part in step) < CLOSE:
            break
    mean = sum(strength) / size
    spread = _inverse(_information(strength, met))
    found = []
    for at, here in enumerate(strength):
        # The mean is fixed, which takes its own uncertainty out.
        error = sqrt(max(0.0, spread[at][at] - 1 / size))
        middle = ELO * (here - mean)
        found.append(Rating(middle, middle - ELO * Z * error, middle + ELO * Z * error))
    return tuple(found)


Matrix = list[list[float]]


def _information(strength: Sequence[float], met: Sequence[Sequence[float]]) -> Matrix:
    """What the games tell about the ratings; 1/n is added everywhere, which fixes their mean."""
    size = len(strength)
    told = [[1 / size] * size for _ in range(size)]
    for a, b in combinations(range(size), 2):
        chance = 1 / (1 + exp(strength[b] - strength[a]))
        weight = met[a][b] * chance * (1 - chance)
        told[a][a] += weight
        told[b][b] += weight
        told[a][b] -= weight
        told[b][a] -= weight
    return told


def _inverse(matrix: Matrix) -> Matrix:
    """By Gauss and Jordan; the matrix is positive definite."""
    size = len(matrix)
    rows = [
        [*row, *(float(at == column) for column in range(size))] for at, row in enumerate(matrix)
    ]
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [value / rows[at][at] for value in rows[at]]
        for other in range(size):
            if other != at:
                factor = rows[other][at]
                rows[other] = [
                    value - factor * top for value, top in zip(rows[other], rows[at], strict=True)
                ]
    return [row[size:] for row in rows]


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]
