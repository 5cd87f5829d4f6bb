"""What happened in many games: how often, by seat and by third, and how that went with winning."""

from __future__ import annotations

from collections import Counter as Tallied
from collections.abc import Iterable, Iterator
from contextlib import suppress

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.engine import Engine
from ruledsl.engine.counted import counters_of, take_counts
from ruledsl.engine.counters import GAMES, RECORD, SPLIT, WON, Counter, Sort
from ruledsl.engine.played import Batch, EngineError
from ruledsl.engine.runtime.batches import ONE
from ruledsl.engine.runtime.leads import MOST_CHANGES, TENTHS
from ruledsl.lab.simulation import RandomGames, dice_of, play_one
from ruledsl.lab.statistics import Estimate, Moments, proportion
from ruledsl.lab.tally import GameRow, Tally
from ruledsl.play.chance import Generator
from ruledsl.players.player import Player, Situation
from ruledsl.players.seats import Computer, Random, player_for
from ruledsl.table.table import Table

MOST_AT_ONCE = 1 << 20
"""Games that are counted before somebody looks."""


@attrs.frozen
class Used:
    """How often something happened, all seats together unless one is asked for."""

    uses: int
    thirds: tuple[int, int, int]
    games: int
    """games in which it happened at all"""
    seats: int
    """seats in whose games it happened, each counted for itself"""
    won: float
    """how many of these won, shared wins in parts"""

    @property
    def win_share(self) -> Estimate:
        return proportion(self.won, self.seats)


@attrs.define
class Counts:
    """All counters of a game, added up over many games."""

    counters: tuple[Counter, ...]
    players: int
    lines: dict[Span, int]
    """for each statement, the counter that counts it"""
    cells: list[int] = attrs.Factory(list)
    leads: list[int] = attrs.Factory(list)
    highest: dict[str, int] = attrs.Factory(dict)
    """for each state with numbers, the highest that it was set to"""
    lengths: Tallied[int] = attrs.Factory(Tallied)
    """games by their number of choices, where that is known"""

    @classmethod
    def of(cls, engine: Engine) -> Counts:
        counters = counters_of(engine)
        return cls(tuple(counters.found), counters.players, dict(counters.lines))

    def take(self, engine: Engine) -> None:
        """Add what an engine has counted since it was last asked."""
        taken = take_counts(engine)
        self.cells = _sum(self.cells, taken.records)
        self.leads = _sum(self.leads, taken.leads)
        self.lengths.update(taken.lengths)
        self._raise(taken.highest)

    def _raise(self, highest: dict[str, int]) -> None:
        for state, value in highest.items():
            self.highest[state] = max(value, self.highest.get(state, value))

    def merge(self, other: Counts) -> None:
        self.cells = _sum(self.cells, other.cells)
        self.leads = _sum(self.leads, other.leads)
        self.lengths += other.lengths
        self._raise(other.highest)

    # ------------------------------------------------------------ asking

    def of_sort(self, sort: Sort) -> Iterator[tuple[Counter, Used]]:
        for number, counter in enumerate(self.counters):
            if counter.sort == sort:
                yield counter, self.used(number)

    def used(self, number: int, seat: int | None = None) -> Used:
        stride = self.players + 2
        everybody = range(stride - 1) if seat is None else (seat - 1,)
        uses = [0] * SPLIT
        seats, won = 0, 0
        for who in everybody:
            at = (number * stride + who) * RECORD
            record = self.cells[at : at + RECORD] or [0] * RECORD
            uses = [a + b for a, b in zip(uses, record[:SPLIT], strict=True)]
            if who < self.players:
                seats += record[GAMES]
                won += record[WON]
        at = (number * stride + stride - 1) * RECORD
        games = self.cells[at + GAMES] if self.cells else 0
        thirds = (uses[0], uses[1], uses[2])
        return Used(sum(uses), thirds, games if seat is None else seats, seats, won / ONE)

    def line(self, span: Span) -> Used | None:
        """How often a statement was carried out; None if it was never compiled."""
        number = self.lines.get(span)
        return None if number is None else self.used(number)

    @property
    def lead(self) -> Lead | None:
        """Who led when; None where no ranking tells."""
        return Lead.of(self.leads) if self.leads and self.leads[0] else None


def _sum(one: list[int], other: Iterable[int]) -> list[int]:
    return [a + b for a, b in zip(one, other, strict=True)] if one else list(other)


@attrs.frozen
class Lead:
    """Who would have won if it had ended then, in some of the games."""

    games: int
    led: tuple[Estimate, ...]
    """for each tenth of a game, in how many games somebody led alone"""
    held: tuple[Estimate, ...]
    """for each tenth, how many of those who led won"""
    comebacks: tuple[Estimate, ...]
    """for each tenth, in how many games somebody led alone who did not win"""
    changes: Moments
    """changes of the lead in a game"""
    settled: tuple[int, ...]
    """games by the tenth in which the winner took the lead for good; the last: at the end"""
    ahead: tuple[float, ...]
    """for each tenth, how far whoever led alone was ahead by the first line of the ranking"""

    @classmethod
    def of(cls, cells: list[int]) -> Lead:
        games, rest = cells[0], cells[1:]
        led, held = rest[:TENTHS], rest[TENTHS : 2 * TENTHS]
        changes = Moments()
        for number, times in enumerate(rest[2 * TENTHS : 2 * TENTHS + MOST_CHANGES]):
            changes.add(number, times)
        return cls(
            games,
            tuple(proportion(each, games) for each in led),
            tuple(proportion(won, each) for won, each in zip(held, led, strict=True)),
            tuple(proportion(each - won, games) for won, each in zip(held, led, strict=True)),
            changes,
            tuple(rest[-2 * TENTHS - 1 : -TENTHS]),
            tuple(far / max(1, each) for far, each in zip(rest[-TENTHS:], led, strict=True)),
        )


@attrs.define
class Observed:
    """Many games: what they add up to, and what happened in them."""

    tally: Tally
    counts: Counts

    def merge(self, other: Observed) -> None:
        self.tally.merge(other.tally)
        self.counts.merge(other.counts)

    @property
    def lengths(self) -> Tallied[int]:
        """Games by their number of choices, where that is known."""
        return self.counts.lengths

    @property
    def length(self) -> Moments:
        found = Moments()
        for choices, games in self.lengths.items():
            found.add(choices, games)
        return found


class CountedGames(RandomGames):
    """Games by an engine that counts: of random players, or of others all alike."""

    def __init__(self, table: Table, seed: int, who: Computer | None = None) -> None:
        super().__init__(table, seed)
        self.who = who or Random()
        self.engine = Engine(table, checked=True, lightly=True, counted=True)

    def observe(self, first: int, last: int) -> Observed:
        """Games from one number up to, not including, another."""
        found = Observed(Tally.of(self.table), Counts.of(self.engine))
        while first < last:
            # What is counted has 32 bits.
            following = min(last, first + MOST_AT_ONCE)
            if isinstance(self.who, Random):
                for part in self.play(first, following):
                    if isinstance(part, Batch):
                        found.tally.add_batch(part)
                    else:
                        found.tally.add([part])
            else:
                found.tally.add(self._played(number) for number in range(first, following))
            found.counts.take(self.engine)
            first = following
        return found

    def _played(self, number: int) -> GameRow:
        """Somebody else's game, whose choices are made once more where they are counted."""
        made: list[int] = []

        def noting(seat: Computer, generator: Generator) -> Player:
            made.clear()  # They may sit down again, if a game has to be played by another executor.
            return _Noting(player_for(seat, generator), made)

        sitting = [self.who] * self.engine.layout.players
        row = play_one(self.table, self.seed, number, sitting, noting)
        if row.failure is None:
            # What one executor is too slow for is not counted.
            with suppress(EngineError):
                self.engine.start(dice_of(self.seed, number))
                for choice in made:
                    self.engine.choose(choice)
                self.engine.call("count_game", len(made))
        return row


@attrs.frozen
class _Noting:
    """Notes what a player chooses."""

    player: Player
    made: list[int]

    def choose(self, situation: Situation) -> int:
        choice = self.player.choose(situation)
        self.made.append(choice)
        return choice
