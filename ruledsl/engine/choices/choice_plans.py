"""How one option of a decision is found at random, decided before any code is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import attrs

from ruledsl.engine.choices.domains import Domain
from ruledsl.engine.choices.pairs import Pairing
from ruledsl.engine.choices.plans import ActionPlan

Way: TypeAlias = Literal["in pairs", "counted", "tried", "short list", "listed"]
"""How one option is found at random: by its number among all, which words count, those of both
parameters at once or those of the last one for all others; by drawing
candidates until one is legal; from a list of what meets the cheap requirements; or from the list of
all options."""


@attrs.frozen
class ChoicePlan:
    """A decision between actions: how one of them is found at random, for each that is offered."""

    site: int
    ways: tuple[Way, ...]
    offers: tuple[ActionPlan, ...]
    cases: tuple[tuple[tuple[Domain, ...], ...], ...]
    """of each offer: what its parameters are taken from, in each case"""
    pairings: tuple[Pairing | None, ...]
    """of those drawn in pairs: how their two parameters are drawn at once"""

    def lines(self) -> Iterator[str]:
        yield f"decision {self.site}"
        for way, plan in zip(self.ways, self.offers, strict=True):
            first, *rest = plan.lines()
            yield f"    {first}: {way}"
            yield from (f"    {line}" for line in rest)

    def domain_lines(self) -> Iterator[str]:
        """What parameters are taken from, as text."""
        yield f"domains of decision {self.site}"
        for plan, cases, pairing in zip(self.offers, self.cases, self.pairings, strict=True):
            yield f"    {plan.action}"
            if pairing is not None:
                yield from pairing.lines("        ")
                continue
            for number, case in enumerate(cases, 1):
                if len(cases) > 1:
                    yield f"        case {number}"
                for domain in case:
                    yield from domain.lines(plan.picks, "        ")
