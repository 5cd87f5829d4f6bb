"""Many games, shared out among processes; the numbers don't depend on how."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import cpu_count
from time import perf_counter, time
from typing import Any, Generic, Protocol, TypeVar

import attrs
import click

from ruledsl.diagnostics.source import Source
from ruledsl.engine.code.wasm import on_one_thread
from ruledsl.lab.simulation import play_one
from ruledsl.lab.tally import GameRow
from ruledsl.library import Library
from ruledsl.model.allowance import USUAL, Allowance
from ruledsl.model.game import CheckedGame
from ruledsl.play.loading import load_source
from ruledsl.players.open_games import open_games
from ruledsl.players.seats import Aiming, Computer, Random, Search, SeatError, computer_of
from ruledsl.table.table import Table

from .cluster import on_cluster
from .game_arguments import laid
from .terminal import Refused
from .workers import WorkerDied, can_copy, in_order

MOMENT = 0.1
"""Seconds a process plays before it reports, if a game is not longer."""
CHUNK = 1 << 20
"""Games it plays at most before it reports."""

Done = TypeVar("Done", covariant=True)  # noqa: PLC0105 - what comes out of some games


class Seating(Protocol):
    """Who sits where."""

    def sitting(self, number: int) -> tuple[Computer, ...]:
        """The players of a game, seat by seat."""
        ...


@attrs.frozen
class AllRandom:
    """Random players in all seats."""

    players: int

    def sitting(self, number: int) -> tuple[Computer, ...]:  # noqa: ARG002 - always the same
        return (Random(),) * self.players


@attrs.frozen
class Series:
    """What is played how: enough for any process to lay the table by itself."""

    game: str
    variant: str | None
    players: int
    options: dict[str, str]
    seed: int
    seating: Seating
    allowance: Allowance = USUAL


def computers(text: str) -> tuple[Computer, ...]:
    """Computer players by their words, with commas between."""
    try:
        return tuple(computer_of(word.strip()) for word in text.split(","))
    except SeatError as error:
        raise Refused(str(error), error.hint) from error


def check_aims(game: CheckedGame, seats: Iterable[Computer]) -> None:
    """Refuse aims that the game knows nothing of."""
    for seat in seats:
        missing = seat.aim.missing_in(game) if isinstance(seat, Aiming) else None
        if missing is not None:
            raise Refused(*missing)


cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Play on a Dask cluster (extra `cluster`)."
)


@contextmanager
def progress(label: str, games: int) -> Iterator[Callable[[int], None]]:
    """A bar that is told how many games were played, where somebody can see it."""
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=games, label=label, file=sys.stderr, hidden=hidden) as bar:

        def played(number: int) -> None:
            if not bar.pos:
                # Getting ready tells nothing about how long the games take.
                bar.start = bar.last_eta = time()
            bar.update(number)

        yield played


class Work(Protocol[Done]):
    """What is done with the games, by each process for itself."""

    def begin(self, series: Series, table: Table) -> Callable[[int, int], Done]:
        """A function of the first game and the one after the last."""
        ...


@attrs.frozen
class Rows:
    """Every game with its row."""

    def begin(self, series: Series, table: Table) -> Callable[[int, int], list[GameRow]]:
        def play(first: int, last: int) -> list[GameRow]:
            sitting = series.seating.sitting
            return [play_one(table, series.seed, n, sitting(n)) for n in range(first, last)]

        if any(isinstance(seat, Search) for seat in series.seating.sitting(0)):
            open_games(table)  # Compiled once here, for the search too; copies have it then.
        return play


def played(
    series: Series, table: Table, games: int, jobs: int, cluster: str | None = None
) -> Iterator[list[GameRow]]:
    """The games in order, some at a time."""
    return shared(Rows(), series, table, games, jobs, cluster)


def shared(
    work: Work[Done],
    series: Series,
    table: Table,
    games: int,
    jobs: int,
    cluster: str | None = None,
) -> Iterator[Done]:
    """What is done with the games, in order; some at a time, as many as take a moment."""
    pace = _Pace(games)
    begin = partial(_begin, work, series, table.game.sources)
    if cluster is not None:
        for part in on_cluster(begin, pace, cluster):
            pace.took(part)
            yield part.result
        return
    # More processes than processors or games are of no use.
    number = min(jobs, games, cpu_count())
    # Another process can be ended even in a game that never ends.
    if number == 1 and table.limit is not None:
        done: Iterator[_Part[Done]] = map(_timed(work.begin(series, table)), pace)
    elif can_copy():
        with on_one_thread():
            play = _timed(work.begin(series, table))
        done = in_order(lambda: play, pace, number, copies=True)
    else:
        done = in_order(begin, pace, number)
    try:
        for part in done:
            pace.took(part)
            yield part.result
    except WorkerDied:
        raise Refused(
            "a process that played games was ended from outside",
            "there may be too little memory for all: try fewer `--jobs`",
        ) from None


@attrs.frozen
class _Part(Generic[Done]):
    """Some games, and what was done with them."""

    games: int
    seconds: float
    result: Done


@attrs.define
class _Pace:
    """The games, so many at a time as take a moment: the first one and the one after the last."""

    games: int
    _at: int = 0
    _size: int = 1

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return self

    def __next__(self) -> tuple[int, int]:
        if self._at == self.games:
            raise StopIteration
        first, self._at = self._at, min(self.games, self._at + self._size)
        return first, self._at

    def took(self, part: _Part[Any]) -> None:
        fitting = int(part.games * MOMENT / max(part.seconds, 1e-6))
        self._size = max(1, min(fitting, 4 * self._size, CHUNK))


def _timed(play: Callable[[int, int], Done]) -> Callable[[tuple[int, int]], _Part[Done]]:
    def timed(numbers: tuple[int, int]) -> _Part[Done]:
        first, last = numbers
        start = perf_counter()
        result = play(first, last)
        return _Part(last - first, perf_counter() - start, result)

    return timed


def _begin(
    work: Work[Done], series: Series, texts: dict[str, Source]
) -> Callable[[tuple[int, int]], _Part[Done]]:
    """In a process of its own, perhaps on another machine: it has the texts, and not the files."""
    main = next(iter(texts.values()))
    game = load_source(main, Library(opened=texts)).allowing(series.allowance)
    return _timed(work.begin(series, laid(game, series.players, series.options)))
