"""A sentence about a game, and words that many of them need."""

from __future__ import annotations

from typing import Literal

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.lab.counting import Observed
from ruledsl.lab.reporting.study import Study, cut_games
from ruledsl.lab.statistics import Estimate, proportion, seldomer_than
from ruledsl.syntax import ast

LEVEL = 0.001
ENOUGH = 100
"""Games or uses below which nothing is said about what goes with winning."""
FEW = 5
"""Things of one sort that are named one by one."""

Weight = Literal["fault", "notable", "note"]


@attrs.frozen
class Finding:
    """A sentence, how much it weighs, and the place in the rules that it is about."""

    weight: Weight
    text: str
    span: Span = NOWHERE
    trail: ast.Trail = ()
    topic: str = ""
    """what was asked, in a word"""


def plain_percent(value: float) -> str:
    return f"{value:.1%}".replace("%", " %")


def many(number: int) -> str:
    return f"{number:,}"


def rarely(games: int) -> str:
    most = f"{100 * seldomer_than(games):.2g} %"
    return f"in {many(games)} games (so in at most {most} of them)"


def share_cut(observed: Observed) -> Estimate:
    return proportion(cut_games(observed), observed.tally.games)


def mostly_cut(study: Study) -> bool:
    """Whether most games are cut, so that they tell little."""
    return all(share_cut(observed).value > 0.5 for observed in study.observed.values())


def hard_to_say(study: Study) -> bool:
    """Whether it is no wonder that something never happened."""
    return mostly_cut(study) or study.games < ENOUGH
