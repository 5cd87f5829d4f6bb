"""In which order a query goes through its draws, where nobody can tell."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Scope, known_draw
from ruledsl.engine.expressions.foresight import Foresight
from ruledsl.model import core
from ruledsl.model.names import names_in

MOST_AROUND = 16
"""Passes that are made around a word."""


class DrawOrders(Part):
    """Decides which draw comes last, so that words answer for all that it is from."""

    def __init__(self, context: Context, foresight: Foresight) -> None:
        super().__init__(context)
        self.foresight = foresight

    def ordered(
        self, draws: tuple[core.Draw, ...], tests: Sequence[core.Expr], scope: Scope
    ) -> tuple[core.Draw, ...]:
        """The draws of `any`: last the one about which words answer all, for each of the others."""
        numbers = {draw.local.number for draw in draws}
        if len(draws) < 2 or any(names_in(draw.domain) & numbers for draw in draws):
            return draws
        if not all(map(self.foresight.words.harmless, tests)):
            return draws
        for last in draws[:-1]:
            others = tuple(draw for draw in draws if draw is not last)
            if self._answered(last, others, tests, scope):
                return (*others, last)
        return draws

    def _answered(
        self,
        last: core.Draw,
        others: Sequence[core.Draw],
        tests: Sequence[core.Expr],
        scope: Scope,
    ) -> bool:
        around = prod(self.foresight.shape(draw.domain, scope).most for draw in others)
        if around > MOST_AROUND:
            return False
        whole = self.foresight.shape(last.domain, scope)
        known = {**scope, **{draw.local.number: known_draw(draw) for draw in others}}
        own = [test for test in tests if last.local.number in names_in(test)]
        sieve = self.foresight.siever.planned(
            whole, last.local.number, own, None, known, loosely=True
        )
        return bool(sieve.met) and sieve.answers_all
