"""Simulation: many games by computer players, and what they add up to.

Game number n of a simulation depends on the seed and n alone, so the numbers are the same however
the games are shared out among processes. Games of random players are played by the engine, move by
move as the interpreter would play them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import sqrt

import attrs

from ruledsl.engine import Engine
from ruledsl.engine.engine import Batch, EngineError, seats_in
from ruledsl.engine.memory.control import HOWS
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.players.player import Player
from ruledsl.players.seats import Computer, Random, player_for
from ruledsl.players.situation import situation_of
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

_STREAMS = 0xD1342543DE82EF95
"""Keeps the generators of different games, and of players and dice, apart."""

MOST_FALSE_ALARMS = 5
"""Games that only looked wrong, before checks are made that take longer but do not mistake it."""

MOST_CONFIRMED = 3
"""Games without end at one place in the rules, before nobody waits for them a second time."""


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


Make = Callable[[Computer, Generator], Player]


def play_one(
    table: Table,
    seed: int,
    number: int,
    sitting: Sequence[Computer] | None = None,
    make: Make = player_for,
) -> GameRow:
    """Play one game, with random players unless others are named seat by seat."""
    dice = Generator((seed * _STREAMS + 2 * number) & (2**64 - 1))
    players = Generator((seed * _STREAMS + 2 * number + 1) & (2**64 - 1))
    interpreter = Interpreter(table, Dice(Generator(dice.next())))
    mind = Generator(players.next())
    seated = [Random() for _ in table.things("Player")] if sitting is None else sitting
    minds = [make(seat, mind) for seat in seated]
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
        _ending(result.how, result.winners),
        tuple(result.ranks[seat] for seat in seats),
        tuple(result.payoffs[seat] for seat in seats),
        tuple(_seat(winner) for winner in result.winners),
        choices,
        options,
    )


def _seat(player: Thing) -> int:
    return player.index + 1


def _ending(how: str, winners: object) -> str:
    return how if winners or how in ("draw", "lose") else f"{how}, drawn"


class RandomGames:
    """The games that `play_one` plays with random players, by the engine."""

    def __init__(self, table: Table, seed: int, *, checked: bool = True) -> None:
        self.table = table
        self.seed = seed
        self.engine = Engine(table, checked=checked, lightly=True)
        self._false_alarms = 0
        self._confirmed: Counter[str] = Counter()
        """games without end that the interpreter waited for, too"""

    def play(self, first: int, last: int) -> Iterator[Batch | GameRow]:
        """Games from one number up to, not including, another; those that fail stand alone."""
        while first < last:
            batch = self.engine.batch(last - first, self.seed, first)
            if batch:
                yield batch
            first += len(batch)
            if batch.error is not None:
                yield self._failed(first, batch.error)
                first += 1

    def _failed(self, number: int, error: EngineError) -> GameRow:
        """The interpreter says more exactly what went wrong, and after how many choices."""
        if self._confirmed[error.placed] >= MOST_CONFIRMED:
            return GameRow(number, "failed", (), (), (), 0, 0, error.placed)
        row = play_one(self.table, self.seed, number)
        if error.kind == "endless" and row.failure == error.placed:
            self._confirmed[error.placed] += 1
        if error.kind == "suspect":
            self._false_alarms += row.failure is None
            if self._false_alarms == MOST_FALSE_ALARMS:
                self.engine = Engine(self.table, checked=True)
            return row
        # What is too much for the engine need not be for the interpreter.
        if row.failure is not None or error.kind in ("size", "slow"):
            return row
        return GameRow(number, "failed", (), (), (), 0, 0, error.placed)


def rows_of(batch: Batch, first: int) -> Iterator[GameRow]:
    """The games of a batch one by one, numbered from `first` on."""
    for number, row in enumerate(batch.rows(), first):
        how = _ending(row.how, row.winners)
        yield GameRow(number, how, row.ranks, row.payoffs, row.winners, row.choices, row.options)


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
    drawn: int = 0
    lost: int = 0
    """games that all have lost"""
    endings: Counter[str] = attrs.Factory(Counter)
    failures: Counter[str] = attrs.Factory(Counter)
    first_failures: dict[str, int] = attrs.Factory(dict)
    choices: int = 0
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

    def add(self, rows: Iterable[GameRow]) -> None:
        for row in rows:
            self._lengths(1, row.choices, row.choices, row.choices, row.options)
            self.endings[row.how] += 1
            if row.failure is not None:
                self.failures[row.failure] += 1
                self.first_failures.setdefault(row.failure, row.number)
                continue
            self._winners(row.how, row.winners, 1)
            for at in range(self.players):
                self.ranks[at] += row.ranks[at]
                self.payoffs[at] += row.payoffs[at]

    def add_batch(self, batch: Batch) -> None:
        choices = batch.choices
        self._lengths(len(batch), min(choices), max(choices), sum(choices), sum(batch.options))
        for (how, bits), games in Counter(zip(batch.hows, batch.winners, strict=True)).items():
            winners = seats_in(bits)
            self.endings[_ending(HOWS[how], winners)] += games
            self._winners(HOWS[how], winners, games)
        for at in range(self.players):
            self.ranks[at] += sum(batch.ranks[at])
            self.payoffs[at] += sum(batch.payoffs[at])

    def merge(self, later: Tally) -> None:
        """Add games that were added up elsewhere; they come after those here."""
        if not later.games:
            return
        self._lengths(later.games, later.shortest, later.longest, later.choices, later.options)
        self.endings += later.endings
        self.failures += later.failures
        self.first_failures = later.first_failures | self.first_failures
        self.drawn += later.drawn
        self.lost += later.lost
        for at in range(self.players):
            self.won[at] += later.won[at]
            self.ranks[at] += later.ranks[at]
            self.payoffs[at] += later.payoffs[at]

    def _lengths(self, games: int, shortest: int, longest: int, choices: int, options: int) -> None:
        self.shortest = min(self.shortest, shortest) if self.games else shortest
        self.longest = max(self.longest, longest)
        self.games += games
        self.choices += choices
        self.options += options

    def _winners(self, how: str, winners: Sequence[int], games: int) -> None:
        if not winners and how == "lose":
            self.lost += games
        elif not winners:
            self.drawn += games
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
            shortest=self.shortest,
            mean_length=self.choices / max(1, self.games),
            longest=self.longest,
            options_per_choice=self.options / max(1, self.choices),
            failures=tuple(
                Failure(message, games, self.first_failures[message])
                for message, games in self.failures.most_common()
            ),
        )
