"""Many games, shared out among processes; the numbers don't depend on how."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from multiprocessing import get_context
from typing import Protocol

import attrs

from ruledsl.lab.simulation import GameRow, play_one
from ruledsl.play.chance import Generator
from ruledsl.play.loading import LoadError
from ruledsl.players.seats import Computer, SeatError, computer_of, player_for
from ruledsl.table.table import Table

from .tables import laid, loaded, unplayable
from .terminal import Refused

CHUNK = 10
"""Games a process plays at most before it reports."""
REPORTS = 50
"""Reports there are at least, if there are so many games."""


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
    """Computer players by their words, with commas between; each of them can play."""
    try:
        found = tuple(computer_of(word.strip()) for word in text.split(","))
        for each in found:
            player_for(each, Generator(0))
    except SeatError as error:
        raise Refused(str(error), error.hint) from error
    return found


def quiet() -> bool:
    """Whether nobody would see a progress bar."""
    return not sys.stderr.isatty()


def played(plan: Plan, table: Table, games: int, jobs: int) -> Iterator[list[GameRow]]:
    """The games in order, some at a time."""
    size = max(1, min(CHUNK, games // REPORTS))
    chunks = [(start, min(start + size, games)) for start in range(0, games, size)]
    if jobs == 1:
        for chunk in chunks:
            yield _games(table, plan, chunk)
        return
    # A fresh process lays its own table: nothing is shared, so nothing depends on the sharing.
    with get_context("spawn").Pool(jobs, _begin, (plan,)) as pool:
        yield from pool.imap(_chunk, chunks)


def _games(table: Table, plan: Plan, chunk: tuple[int, int]) -> list[GameRow]:
    return [
        play_one(table, plan.seed, number, plan.seating.sitting(number)) for number in range(*chunk)
    ]


_worker: tuple[Table, Plan] | None = None


def _begin(plan: Plan) -> None:
    global _worker  # noqa: PLW0603 - a pool's processes are set up through a global
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        game = loaded(plan.game, plan.variant)
    except LoadError as error:
        raise unplayable(error) from error
    _worker = (laid(game, plan.players, plan.options), plan)


def _chunk(chunk: tuple[int, int]) -> list[GameRow]:
    assert _worker is not None
    return _games(*_worker, chunk)
