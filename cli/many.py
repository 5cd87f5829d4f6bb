"""Many games, shared out among processes; the numbers don't depend on how."""

from __future__ import annotations

import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.pool import AsyncResult
from time import perf_counter
from typing import Any, Protocol, TypeVar

import attrs

from ruledsl.lab.simulation import GameRow, play_one
from ruledsl.play.loading import LoadError
from ruledsl.players.seats import Computer, SeatError, computer_of
from ruledsl.table.table import Table

from .tables import laid, loaded, unplayable
from .terminal import Refused

MOMENT = 0.1
"""Seconds a process plays before it reports, if a game is not longer."""
CHUNK = 8192
"""Games it plays at most before it reports."""

Done = TypeVar("Done", covariant=True)  # noqa: PLC0105 - what comes out of some games


class Seating(Protocol):
    """Who sits where."""

    def sitting(self, number: int) -> tuple[Computer, ...]:
        """The players of a game, seat by seat."""
        ...


@attrs.frozen
class Plan:
    """What is played: enough for any process to lay the table by itself."""

    game: str
    variant: str | None
    players: int
    options: dict[str, str]
    seed: int
    seating: Seating


def computers(text: str) -> tuple[Computer, ...]:
    """Computer players by their words, with commas between."""
    try:
        return tuple(computer_of(word.strip()) for word in text.split(","))
    except SeatError as error:
        raise Refused(str(error), error.hint) from error


def quiet() -> bool:
    """Whether nobody would see a progress bar."""
    return not sys.stderr.isatty()


class Work(Protocol[Done]):
    """What is done with the games, by each process for itself."""

    def begin(self, plan: Plan, table: Table) -> Callable[[int, int], Done]:
        """A function of the first game and the one after the last."""
        ...


@attrs.frozen
class Rows:
    """Every game with its row."""

    def begin(self, plan: Plan, table: Table) -> Callable[[int, int], list[GameRow]]:
        def play(first: int, last: int) -> list[GameRow]:
            sitting = plan.seating.sitting
            return [play_one(table, plan.seed, n, sitting(n)) for n in range(first, last)]

        return play


def played(plan: Plan, table: Table, games: int, jobs: int) -> Iterator[list[GameRow]]:
    """The games in order, some at a time."""
    return shared(Rows(), plan, table, games, jobs)


def shared(work: Work[Done], plan: Plan, table: Table, games: int, jobs: int) -> Iterator[Done]:
    """What is done with the games, in order; some at a time, as many as take a moment."""
    pace = _Pace(games)
    if jobs == 1:
        play = work.begin(plan, table)
        while numbers := pace.next():
            done, seconds = _timed(play, *numbers)
            pace.took(numbers, seconds)
            yield done
        return
    # A fresh process lays its own table: nothing is shared, so nothing depends on the sharing.
    with get_context("spawn").Pool(jobs, _begin, (work, plan)) as pool:
        waiting: deque[tuple[tuple[int, int], AsyncResult[tuple[Done, float]]]] = deque()
        while True:
            # Whoever is fast waits for those who are slow, so that little is kept.
            while len(waiting) < 2 * jobs and (numbers := pace.next()):
                waiting.append((numbers, pool.apply_async(_chunk, numbers)))
            if not waiting:
                return
            numbers, result = waiting.popleft()
            done, seconds = result.get()
            pace.took(numbers, seconds)
            yield done


@attrs.define
class _Pace:
    """How many games are played before a report: as many as take a moment."""

    games: int
    _at: int = 0
    _size: int = 1

    def next(self) -> tuple[int, int] | None:
        """The first game and the one after the last; none when all are given out."""
        if self._at == self.games:
            return None
        first, self._at = self._at, min(self.games, self._at + self._size)
        return first, self._at

    def took(self, numbers: tuple[int, int], seconds: float) -> None:
        first, last = numbers
        fitting = int((last - first) * MOMENT / max(seconds, 1e-6))
        self._size = max(1, min(fitting, 4 * self._size, CHUNK))


def _timed(play: Callable[[int, int], Done], first: int, last: int) -> tuple[Done, float]:
    start = perf_counter()
    return play(first, last), perf_counter() - start


_play: Callable[[int, int], object] | None = None


def _begin(work: Work[object], plan: Plan) -> None:
    global _play  # noqa: PLW0603 - a pool's processes are set up through a global
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        game = loaded(plan.game, plan.variant)
    except LoadError as error:
        raise unplayable(error) from error
    _play = work.begin(plan, laid(game, plan.players, plan.options))


def _chunk(first: int, last: int) -> tuple[Any, float]:
    assert _play is not None
    return _timed(_play, first, last)
