"""What every computer player is, and the simplest one: it chooses at random."""

from __future__ import annotations

from typing import Protocol

import attrs

from ruledsl.play.chance import Generator
from ruledsl.play.match import Choice
from ruledsl.play.views import View


class Player(Protocol):
    """Somebody who chooses for a seat, knowing only its view."""

    def choose(self, view: View, options: tuple[Choice, ...]) -> int:
        """The number of the option to take."""
        ...


@attrs.define
class RandomPlayer:
    """Takes any option, each equally likely."""

    generator: Generator

    def choose(self, view: View, options: tuple[Choice, ...]) -> int:  # noqa: ARG002 - looks at nothing
        return options[self.generator.below(len(options))].number
