"""Where more games would tell more, and how many that is."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, inf, sqrt

from ruledsl.lab.reporting.study import RANDOM, Study
from ruledsl.lab.statistics import Z95, enough, proportion

UNFAIR = 0.01
"""Less than one win in a hundred more or less is no fault, however sure it is."""
CLOSE = 0.08
"""An interval of this half width tells that two players are about equally good."""
TELLING = 0.02
"""And one of this half width tells well enough what something is worth."""


def more_games(study: Study) -> Iterator[str]:
    """Sentences, each with what to write."""
    yield from _observed(study)
    yield from _worths(study)
    yield from _skilled(study)


def _observed(study: Study) -> Iterator[str]:
    games, wanted = study.main.tally.games, study.setting.wanted
    if games < wanted and study.who != RANDOM:
        seconds = round_up(4 * study.setting.seconds)
        yield f"`--time {seconds}` would halve the intervals, with four times as many."
    elif games < wanted:
        yield f"There was time for {games:,} of {wanted:,}: `--games {wanted}` plays all."
    fair = 1 / study.players
    half = Z95 * sqrt(fair * (1 - fair) / max(1, games))
    if games >= wanted and study.players > 1 and half > UNFAIR:
        few = round_up(enough(UNFAIR, sqrt(fair * (1 - fair))))
        yield (
            f"What a seat wins is known to {100 * half:.1f} points up or down; `--games {few}` "
            "would tell a difference of one."
        )


def _worths(study: Study) -> Iterator[str]:
    widest = max((each.points.half for each in study.worths), default=0.0)
    if widest > TELLING and study.setting.seconds < inf:
        seconds = round_up(study.setting.seconds * (widest / TELLING) ** 2)
        yield (
            f"What things are worth is known to {100 * widest:.1f} points up or down; "
            f"`--time {seconds}` would make that {100 * TELLING:.0f}."
        )


def _skilled(study: Study) -> Iterator[str]:
    if study.ladder is None:
        return
    halves = [
        better.half
        for pair in study.ladder.pairs
        if (better := proportion(pair.better.value * pair.meetings, pair.meetings)).half > CLOSE
        and better.low <= 0.5 <= better.high
    ]
    if halves:
        games = round_up(study.ladder.games * (max(halves) / CLOSE) ** 2)
        yield f"`--skilled {games}` would tell whether skill pays where no difference shows."


def round_up(number: float) -> int:
    """To two digits."""
    unit = int("1".ljust(len(str(int(number))) - 1, "0"))
    return ceil(number / unit) * unit
