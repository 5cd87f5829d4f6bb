"""Players without a plan: one chooses at random, one takes what looks best at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

import attrs

from ruledsl.play.chance import Generator
from ruledsl.players.aims import Aim
from ruledsl.players.player import Forecast, Situation, Standing

FORECASTS = 8
"""How often a greedy player imagines what it can't know."""


@attrs.define
class RandomPlayer:
    """Takes any option, each equally likely."""

    generator: Generator

    def choose(self, situation: Situation) -> int:
        return self.generator.below(situation.count)


@attrs.define
class GreedyPlayer:
    """Takes the option after which it would stand best if the game ended then.

    What it can't know it imagines several times, the same for all options; ties are broken by
    chance.
    """

    generator: Generator
    aim: Aim | None = None
    """what it wants instead of standing well"""

    def choose(self, situation: Situation) -> int:
        forecasts: list[Forecast] = []
        while len(forecasts) < FORECASTS:
            forecasts.append(situation.forecast(self.generator, self.aim))
            if forecasts[-1].certain:
                break
        worth = {
            number: mean
            for number in range(situation.count)
            if (mean := _mean([each.standings[number] for each in forecasts])) is not None
        }
        if not worth:
            return self.generator.below(situation.count)
        most = max(worth.values())
        best = [number for number, mean in worth.items() if mean == most]
        return best[self.generator.below(len(best))]


@attrs.define
class AvoidingPlayer:
    """Takes any option without a thing or action of some name, as long as there is one."""

    generator: Generator
    name: str

    def choose(self, situation: Situation) -> int:
        named = re.compile(rf"(?<![\w]){re.escape(self.name)}(?![\w])")
        allowed = [at for at, code in enumerate(situation.options) if not named.search(code)]
        if not allowed:
            return self.generator.below(situation.count)
        return allowed[self.generator.below(len(allowed))]


def _mean(standings: Sequence[Standing | None]) -> tuple[Fraction, ...] | None:
    """The mean worth and leads; None where nothing can be told."""
    told = [(each.worth, *each.leads) for each in standings if each is not None]
    if not told:
        return None
    return tuple(Fraction(sum(column), len(told)) for column in zip(*told, strict=True))
