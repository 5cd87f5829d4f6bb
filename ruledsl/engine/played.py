"""What games that the engine played came to: added up, by columns, or one by one."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.engine.memory.control import HOWS
from ruledsl.engine.runtime.batches import NOT_COUNTED
from ruledsl.engine.runtime.tallies import Sums
from ruledsl.table.mishaps import Guard, Mishap


class EngineError(Exception):
    """The rules went wrong while compiled code ran."""

    def __init__(self, mishap: Mishap, span: object) -> None:
        super().__init__(mishap.message)
        self.mishap = mishap
        self.span = span

    def __reduce__(self) -> tuple[type[EngineError], tuple[Mishap, object]]:
        """So that it comes through from another process."""
        return EngineError, (self.mishap, self.span)

    @property
    def kind(self) -> Guard:
        return self.mishap.guard

    @property
    def message(self) -> str:
        return self.mishap.message

    @property
    def placed(self) -> str:
        """The message with its place in the rules."""
        if not isinstance(self.span, Span):
            return self.message
        return f"{self.span.file}:{self.span.line}: {self.message}"


@attrs.frozen
class Row:
    """One game of a batch."""

    how: str
    winners: tuple[int, ...]
    choices: int | None
    """decisions with more than one option; None where nobody counted"""
    options: int | None
    decisions: int
    ranks: tuple[int, ...]
    payoffs: tuple[int, ...]


@attrs.frozen
class Columns:
    """Games in a row by columns: one for each number that is kept of a game."""

    hows: tuple[int, ...]
    winners: tuple[int, ...]
    """a bit for each seat"""
    choices: tuple[int | None, ...]
    options: tuple[int | None, ...]
    decisions: tuple[int, ...]
    ranks: tuple[tuple[int, ...], ...]
    """by seat"""
    payoffs: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, data: bytes, players: int) -> Columns:
        """From the rows in a module's memory."""
        cells = memoryview(data).cast("i")
        width = 5 + 2 * players
        hows, winners, choices, options, decisions, *seats = (
            tuple(cells[at::width]) for at in range(width)
        )
        return cls(
            hows,
            winners,
            _counted(choices),
            _counted(options),
            decisions,
            tuple(seats[:players]),
            tuple(seats[players:]),
        )

    def rows(self) -> Iterator[Row]:
        ranks, payoffs = zip(*self.ranks, strict=True), zip(*self.payoffs, strict=True)
        counts = zip(self.choices, self.options, self.decisions, strict=True)
        ends = zip(self.hows, self.winners, strict=True)
        for (how, winners), count, *of in zip(ends, counts, ranks, payoffs, strict=True):
            yield Row(HOWS[how], seats_in(winners), *count, *of)


def _counted(column: tuple[int, ...]) -> tuple[int | None, ...]:
    if NOT_COUNTED not in column:
        return column
    return tuple(None if each == NOT_COUNTED else each for each in column)


@attrs.frozen
class Batch:
    """Games that one call played, one number after the other."""

    games: int
    sums: Sums
    """what they add up to"""
    columns: Columns | None
    """each of them, if they were to be kept"""
    error: EngineError | None
    """what stopped the game after them"""

    def __len__(self) -> int:
        return self.games

    def rows(self) -> Iterator[Row]:
        assert self.columns is not None, "no rows were kept"
        return self.columns.rows()


def seats_in(bits: int) -> tuple[int, ...]:
    """Seats from 1 on, of a number with a bit for each."""
    return tuple(seat + 1 for seat in range(bits.bit_length()) if bits >> seat & 1)
