"""The player that looks ahead: Monte Carlo tree search on what its seat knows."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import assert_never

import attrs

from ruledsl.engine.unsupported import Unsupported
from ruledsl.play.chance import Generator
from ruledsl.players.budget import Budget, Iterations, Seconds
from ruledsl.players.player import Situation, Thinking, Thought
from ruledsl.players.simple import GreedyPlayer

FIRST_LOOK = 64
"""Iterations before the clock is looked at for the first time."""
PATIENCE = 0.1
"""Seconds between two looks at the clock."""

MOST_AT_ONCE = 1 << 20
"""Iterations between two looks: where rules go wrong, a search may give up at once."""

Watch = Callable[[float], None]
"""Told how much of a search is done, from 0 to 1."""


@attrs.define
class SearchPlayer:
    """Takes the option that its search tried most often.

    With a budget of iterations the answer depends on the generator alone.
    """

    budget: Budget
    generator: Generator
    watch: Watch | None = None

    def choose(self, situation: Situation) -> int:
        if situation.count == 1:
            return 0
        thoughts = self.thoughts(situation)
        if not any(thought.visits for thought in thoughts):
            return GreedyPlayer(self.generator).choose(situation)
        return best(thoughts)

    def thoughts(self, situation: Situation) -> tuple[Thought, ...]:
        """What the search thinks of each option when its budget is spent.

        Where rules can't be compiled, it knows nothing of any.
        """
        try:
            thinking = situation.think(self.generator)
        except Unsupported:
            return (Thought(0, (), (), (), 0.0),) * situation.count
        match self.budget:
            case Iterations(number=number):
                self._count(thinking, number)
            case Seconds(number=seconds):
                self._wait(thinking, seconds)
            case _:
                assert_never(self.budget)
        return thinking.thoughts()

    def _count(self, thinking: Thinking, number: int) -> None:
        done, step = 0, FIRST_LOOK
        while done < number:
            step = min(step, number - done)
            started = monotonic()
            thinking.go_on(step)
            done += step
            step = _next_step(step, monotonic() - started)
            self._tell(done / number)

    def _wait(self, thinking: Thinking, seconds: float) -> None:
        begun = monotonic()
        step = FIRST_LOOK
        while (passed := monotonic() - begun) < seconds:
            thinking.go_on(step)
            took = monotonic() - begun - passed
            left = seconds - passed - took
            step = min(_next_step(step, took), max(1, int(step * left / max(took, 1e-6))))
            self._tell(min(1.0, (passed + took) / seconds))

    def _tell(self, share: float) -> None:
        if self.watch is not None:
            self.watch(share)


def _next_step(step: int, took: float) -> int:
    """So many iterations that they take about as long as one waits for a sign of life."""
    return max(1, min(4 * step, int(step * PATIENCE / max(took, 1e-6)), MOST_AT_ONCE))


def best(thoughts: tuple[Thought, ...]) -> int:
    """The option that was tried most; of equals the first."""
    return max(range(len(thoughts)), key=lambda option: thoughts[option].visits)
