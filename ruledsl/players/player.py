"""What every computer player is, and all that it gets.

A player gets a `Situation`: what its seat sees, what it may choose, and what could come of it. None
of this depends on anything the seat can't see, and nothing in these types leads to the match, the
interpreter or the position: a player can't peek.
"""

from __future__ import annotations

from typing import Protocol

import attrs

from ruledsl.play.chance import Generator
from ruledsl.play.views import View
from ruledsl.players.aims import Aim


@attrs.frozen
class Standing:
    """How a seat would stand if the game ended.

    `worth` is its pay-off, or without one, how many are ranked behind it less those before it: so
    a win is better than a draw. `leads` has a number for each line of the ranking: how far the seat
    is ahead of all others together.
    """

    worth: int
    leads: tuple[int, ...]


@attrs.frozen
class Forecast:
    """The standing right after each option, None where that can't be told.

    It is `certain` if the seat knows everything that counts: another one would be the same.
    """

    standings: tuple[Standing | None, ...]
    certain: bool


@attrs.frozen
class Thought:
    """What a search thinks of an option: how often it was tried, and how that went for each seat.

    `worth` is the mean reward from 0 to 1, `wins` the share of games won, `places` the mean place.
    `cut` is the share of games that were not followed to their end: whoever is ahead wins these.
    """

    visits: int
    worth: tuple[float, ...]
    wins: tuple[float, ...]
    places: tuple[float, ...]
    cut: float


class Thinking(Protocol):
    """A search that can go on for as long as one likes."""

    def go_on(self, iterations: int) -> None: ...

    def thoughts(self) -> tuple[Thought, ...]:
        """What it thinks of each option by now."""
        ...


class Situation(Protocol):
    """A decision as the seat that has to make it may know it."""

    @property
    def view(self) -> View:
        """What the seat sees and knows."""
        ...

    @property
    def count(self) -> int:
        """How many options there are."""
        ...

    @property
    def options(self) -> tuple[str, ...]:
        """Each option as a code that says only what the seat can tell."""
        ...

    def forecast(self, generator: Generator, aim: Aim | None = None) -> Forecast:
        """What could come of each option: unknown pieces and chance are drawn by the generator.

        With an aim, what an option is worth is how much of that the seat has then.
        """
        ...

    def think(self, generator: Generator) -> Thinking:
        """Look ahead by playing on from positions that agree with what the seat knows."""
        ...


class Player(Protocol):
    """Somebody who chooses for a seat, knowing only its situation."""

    def choose(self, situation: Situation) -> int:
        """The number of the option to take, from 0."""
        ...
