"""Simulation: many games by computer players, and what they add up to.

Game number n of a simulation depends on the seed and n alone, so the numbers are the same however
the games are shared out among processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt

import attrs

from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.players.seats import Computer, Random, player_for
from ruledsl.players.situation import situation_of
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

_STREAMS = 0xD1342543DE82EF95
"""Keeps the generators of different games, and of players and dice, apart."""


@attrs.frozen
class GameRow:
    """One game: how it ended, each seat's rank and pay-off, and how long it was."""

    number: int
    how: str
    ranks: tuple[int, ...]
    payoffs: tuple[int, ...]
    winners: tuple[int, ...]
    choices: int
    """decisions with more than one option"""
    options: int
    """options in all these decisions together"""
    failure: str | None = None
    """the guard that stopped the game, with its place in the rules"""


def play_one(
    table: Table, seed: int, number: int, sitting: Sequence[Computer] | None = None
) -> GameRow:
    """Play one game, with random players unless others are named seat by seat."""
    dice = Generator((seed * _STREAMS + 2 * number) & (2**64 - 1))
    players = Generator((seed * _STREAMS + 2 * number + 1) & (2**64 - 1))
    interpreter = Interpreter(table, Dice(Generator(dice.next())))
    mind = Generator(players.next())
    seated = [Random() for _ in table.things("Player")] if sitting is None else sitting
    minds = [player_for(seat, mind) for seat in seated]
    choices = options = 0
    run = interpreter.play()
    try:
        decision = next(run)
        while True:
            choices += 1
            options += len(decision.options)
            player = minds[decision.seat.index]
            chosen = player.choose(situation_of(interpreter, decision))
            decision = run.send(decision.options[chosen])
    except StopIteration:
        pass
    except RulesError as error:
        where = f"{error.span.file}:{error.span.line}"
        return GameRow(number, "failed", (), (), (), choices, options, f"{where}: {error.message}")
    result = interpreter.result
    assert result is not None
    seats = table.things("Player")
    return GameRow(
        number,
        result.how if result.winners else f"{result.how}, drawn",
        tuple(result.ranks[seat] for seat in seats),
        tuple(result.payoffs[seat] for seat in seats),
        tuple(_seat(winner) for winner in result.winners),
        choices,
        options,
    )


def _seat(player: Thing) -> int:
    return player.index + 1


@attrs.frozen
class Share:
    """A share of the games, with the interval that holds the true one in 95 of 100 cases."""

    value: float
    low: float
    high: float


def share(part: float, whole: int) -> Share:
    """Wilson's interval; also sensible for very small and very large shares."""
    if not whole:
        return Share(0.0, 0.0, 1.0)
    z = 1.959964
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
class Summary:
    """What many games add up to."""

    games: int
    seats: tuple[SeatSummary, ...]
    draws: Share
    endings: tuple[tuple[str, int], ...]
    shortest: int
    mean_length: float
    longest: int
    options_per_choice: float
    failures: tuple[tuple[str, int], ...]


@attrs.define
class Tally:
    """Adds up games without keeping them: memory does not grow with their number."""

    players: int
    games: int = 0
    won: list[float] = attrs.Factory(list)
    ranks: list[int] = attrs.Factory(list)
    payoffs: list[int] = attrs.Factory(list)
    drawn: int = 0
    endings: Counter[str] = attrs.Factory(Counter)
    failures: Counter[str] = attrs.Factory(Counter)
    choices: int = 0
    options: int = 0
    shortest: int = 0
    longest: int = 0

    def __attrs_post_init__(self) -> None:
        self.won = [0.0] * self.players
        self.ranks = [0] * self.players
        self.payoffs = [0] * self.players

    def add(self, rows: Iterable[GameRow]) -> None:
        for row in rows:
            self.shortest = row.choices if not self.games else min(self.shortest, row.choices)
            self.longest = max(self.longest, row.choices)
            self.games += 1
            self.choices += row.choices
            self.options += row.options
            self.endings[row.how] += 1
            if row.failure is not None:
                self.failures[row.failure] += 1
                continue
            self.drawn += not row.winners
            for seat in row.winners:
                self.won[seat - 1] += 1 / len(row.winners)
            for at in range(self.players):
                self.ranks[at] += row.ranks[at]
                self.payoffs[at] += row.payoffs[at]

    def summary(self) -> Summary:
        finished = self.games - sum(self.failures.values())
        seats = tuple(
            SeatSummary(
                at + 1,
                share(self.won[at], finished),
                self.ranks[at] / max(1, finished),
                self.payoffs[at] / max(1, finished),
            )
            for at in range(self.players)
        )
        return Summary(
            games=self.games,
            seats=seats,
            draws=share(self.drawn, finished),
            endings=tuple(self.endings.most_common()),
            shortest=self.shortest,
            mean_length=self.choices / max(1, self.games),
            longest=self.longest,
            options_per_choice=self.options / max(1, self.choices),
            failures=tuple(self.failures.most_common()),
        )
