"""What many games add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any, TypeAlias

import attrs

from ruledsl.engine.memory.control import HOWS
from ruledsl.engine.played import Batch
from ruledsl.table.table import Table


@attrs.frozen
class GameRow:
    """One game: how it ended, each seat's rank and pay-off, and how long it was."""

    number: int
    how: str
    ranks: tuple[int, ...]
    payoffs: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    choices: int | None
    """decisions with more than one option; None where options were not counted"""
    options: int | None
    """options in all these decisions together"""
    failure: str | None = None
    """the guard that stopped the game, with its place in the rules"""


GameColumns: TypeAlias = tuple[Sequence[Any], ...]
"""Games by columns: number, ending, rank and pay-off by seat, decisions, choices, options."""


def columns_of_rows(rows: Sequence[GameRow], players: int) -> GameColumns:
    """The same for games one by one; one that failed has neither ranks nor pay-offs."""
    nothing = (None,) * players
    lines = (
        (
            row.number,
            row.how,
            *(row.ranks or nothing),
            *(row.payoffs or nothing),
            row.decisions,
            row.choices,
            row.options,
        )
        for row in rows
    )
    return tuple(zip(*lines, strict=True))


def ending(how: str, winners: object) -> str:
    """How a game ended, in words."""
    return how if winners or how in ("draw", "lose") else f"{how}, drawn"


@attrs.frozen
class Share:
    """A share of the games, with the interval that holds the true one in 95 of 100 cases."""

    value: float
    low: float
    high: float


def share(part: float, whole: int, z: float = 1.959964) -> Share:
    """Wilson's interval; also sensible for very small and very large shares.

    `z` is its half width in standard errors.
    """
    if not whole:
        return Share(0.0, 0.0, 1.0)
    p = part / whole
    middle = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z * sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole)) / (1 + z * z / whole)
    return Share(p, max(0.0, middle - half), min(1.0, middle + half))


@attrs.frozen
class SeatSummary:
    """How a seat fared; a win shared by k counts 1/k."""

    seat: int
    wins: Share
    mean_rank: float
    mean_payoff: float


@attrs.frozen
class Failure:
    """A guard that stopped games."""

    message: str
    games: int
    first: int
    """the number of the first of them"""


@attrs.frozen
class Summary:
    """What many games add up to."""

    games: int
    finished: int
    """those in which the rules did not go wrong; wins, ranks and pay-offs are about these"""
    seats: tuple[SeatSummary, ...]
    draws: Share
    lost: Share
    """games that all have lost"""
    endings: tuple[tuple[str, int], ...]
    counted: int
    """games in which choices and options were counted; what follows is about these"""
    shortest: int
    mean_length: float
    longest: int
    options_per_choice: float
    failures: tuple[Failure, ...]


@attrs.define
class Tally:
    """Adds up games without keeping them: memory does not grow with their number.

    Only whole numbers are added, so it doesn't matter which games are added up together first.
    """

    players: int
    teams: bool = False
    """whether a win is that of a team: whoever shares it has all of it, as where `win` named him"""
    games: int = 0
    won: list[Counter[int]] = attrs.Factory(list)
    """for each seat, how often it won with so many others that the win is shared with"""
    ranks: list[int] = attrs.Factory(list)
    payoffs: list[int] = attrs.Factory(list)
    payoff_squares: list[int] = attrs.Factory(list)
    drawn: int = 0
    lost: int = 0
    """games that all have lost"""
    endings: Counter[str] = attrs.Factory(Counter)
    failures: Counter[str] = attrs.Factory(Counter)
    first_failures: dict[str, int] = attrs.Factory(dict)
    counted: int = 0
    """games in which choices and options were counted"""
    choices: int = 0
    choice_squares: int = 0
    options: int = 0
    shortest: int = 0
    longest: int = 0

    @classmethod
    def of(cls, table: Table) -> Tally:
        ranking = table.game.ranking
        teams = ranking is not None and ranking.team is not None
        return cls(len(table.things("Player")), teams)

    def __attrs_post_init__(self) -> None:
        self.won = [Counter() for _ in range(self.players)]
        self.ranks = [0] * self.players
        self.payoffs = [0] * self.players
        self.payoff_squares = [0] * self.players

    def add(self, rows: Iterable[GameRow]) -> None:
        for row in rows:
            self.games += 1
            if row.choices is not None and row.options is not None:
                square = row.choices**2
                self._lengths(1, row.choices, row.choices, row.choices, square, row.options)
            self.endings[row.how] += 1
            if row.failure is not None:
                self.failures[row.failure] += 1
                self.first_failures.setdefault(row.failure, row.number)
                continue
            self._winners(row.how, row.winners, 1)
            for at in range(self.players):
                self.ranks[at] += row.ranks[at]
                self.payoffs[at] += row.payoffs[at]
                self.payoff_squares[at] += row.payoffs[at] ** 2

    def add_batch(self, batch: Batch) -> None:
        """Add what a module has counted."""
        sums = batch.sums
        self.games += batch.games
        self._lengths(
            sums["counted"][0],
            sums["shortest"][0],
            sums["longest"][0],
            sums["choices"][0],
            _joined(sums["choice_squares"], 0),
            sums["options"][0],
        )
        for number, how in enumerate(HOWS):
            for won in (False, True):
                found = sums["endings"][2 * number + won]
                if found:
                    self.endings[ending(how, won)] += found
                    self._without_winners(how, 0 if won else found)
        for at in range(self.players):
            for among in range(1, self.players + 1):
                found = sums["won"][at * (self.players + 1) + among]
                if found:
                    self.won[at][among] += found
            self.ranks[at] += sums["ranks"][at]
            self.payoffs[at] += sums["payoffs"][at]
            self.payoff_squares[at] += _joined(sums["payoff_squares"], at)

    def merge(self, later: Tally) -> None:
        """Add games that were added up elsewhere; they come after those here."""
        self.games += later.games
        self._lengths(
            later.counted,
            later.shortest,
            later.longest,
            later.choices,
            later.choice_squares,
            later.options,
        )
        self.endings += later.endings
        self.failures += later.failures
        self.first_failures = later.first_failures | self.first_failures
        self.drawn += later.drawn
        self.lost += later.lost
        for at in range(self.players):
            self.won[at] += later.won[at]
            self.ranks[at] += later.ranks[at]
            self.payoffs[at] += later.payoffs[at]
            self.payoff_squares[at] += later.payoff_squares[at]

    def _lengths(
        self, games: int, shortest: int, longest: int, choices: int, squares: int, options: int
    ) -> None:
        """Add games in which choices and options were counted."""
        if not games:
            return
        self.shortest = min(self.shortest, shortest) if self.counted else shortest
        self.longest = max(self.longest, longest)
        self.counted += games
        self.choices += choices
        self.choice_squares += squares
        self.options += options

    def _without_winners(self, how: str, games: int) -> None:
        if how == "lose":
            self.lost += games
        else:
            self.drawn += games

    def _winners(self, how: str, winners: Sequence[int], games: int) -> None:
        if not winners:
            self._without_winners(how, games)
        whole = self.teams or how == "win"
        for seat in winners:
            self.won[seat - 1][1 if whole else len(winners)] += games

    def summary(self) -> Summary:
        finished = self.games - sum(self.failures.values())
        seats = tuple(
            SeatSummary(
                at + 1,
                share(sum(games / among for among, games in sorted(won.items())), finished),
                self.ranks[at] / max(1, finished),
                self.payoffs[at] / max(1, finished),
            )
            for at, won in enumerate(self.won)
        )
        return Summary(
            games=self.games,
            finished=finished,
            seats=seats,
            draws=share(self.drawn, finished),
            lost=share(self.lost, finished),
            endings=tuple(self.endings.most_common()),
            counted=self.counted,
            shortest=self.shortest,
            mean_length=self.choices / max(1, self.counted),
            longest=self.longest,
            options_per_choice=self.options / max(1, self.choices),
            failures=tuple(
                Failure(message, games, self.first_failures[message])
                for message, games in self.failures.most_common()
            ),
        )


def _joined(halves: Sequence[int], at: int) -> int:
    """A sum of squares, whose halves a module keeps apart."""
    return halves[2 * at] + (halves[2 * at + 1] << 32)
