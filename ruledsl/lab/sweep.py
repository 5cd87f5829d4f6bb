"""Many settings of a game, and which of them meet an aim: successive halving with intervals.

All settings play the same number of games. Whatever surely misses the aim, or is surely worse than
another, is dropped; the others play twice as many, until all is told or the games are used up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Literal, TypeAlias

import attrs

from ruledsl.lab.statistics import Estimate, Moments, proportion
from ruledsl.lab.tally import GameRow
from ruledsl.lab.wording import figure, percent

FIRST = 200
"""Games of each setting in the first round."""
MANY = 1e9
"""More choices than any game has."""
FAIR_WITHIN = 0.02
"""A game is fair if no seat is further from its share of the wins than this."""

Verdict: TypeAlias = Literal["meets", "misses", "open", "impossible"]
VERDICTS: dict[Verdict, str] = {
    "meets": "meets",
    "misses": "misses",
    "open": "can't tell",
    "impossible": "impossible",
}


class SweepError(Exception):
    """An aim or a range that can't be read; `hint` says what to write."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


# ---------------------------------------------------------------- what is varied


@attrs.frozen
class Varied:
    """A name, and the values it takes."""

    name: str
    values: tuple[str, ...]


def varied(text: str) -> Varied:
    """`roof=5..9` or `roof=5,7,9`."""
    name, sign, values = text.partition("=")
    hint = "write `--vary name=3..5` or `--vary name=3,5,8`"
    if not sign or not name.strip() or not values.strip():
        raise SweepError(f"`{text}` varies nothing", hint)
    span = re.fullmatch(r"\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*", values)
    if span is None:
        return Varied(name.strip(), tuple(each.strip() for each in values.split(",")))
    low, high = int(span[1]), int(span[2])
    if not 0 <= high - low < 1000:
        raise SweepError(f"`{text}` has no values, or too many", hint)
    return Varied(name.strip(), tuple(map(str, range(low, high + 1))))


def settings_of(names: Sequence[Varied]) -> list[dict[str, str]]:
    """Every combination."""
    chosen = product(*(each.values for each in names))
    return [dict(zip([each.name for each in names], values, strict=True)) for values in chosen]


# ---------------------------------------------------------------- what is aimed at


@attrs.frozen
class Goal:
    """A figure that should lie between two numbers."""

    name: str
    low: float
    high: float
    percent: bool

    @property
    def limits(self) -> tuple[float, ...]:
        """The ends of what is aimed at that a figure can lie beyond."""
        most = 1.0 if self.percent else MANY
        return tuple(end for end in (self.low, self.high) if 0 < end < most)

    def verdict(self, found: Estimate) -> Verdict:
        if self.low <= found.low and found.high <= self.high:
            return "meets"
        return "misses" if found.high < self.low or found.low > self.high else "open"

    def miss(self, value: float) -> float:
        """How far outside a value lies, in parts of what is allowed."""
        outside = max(self.low - value, value - self.high, 0.0)
        return outside / max(self.high - self.low, 1e-9)


def goals(text: str) -> tuple[Goal, ...]:
    """`fair, 30 to 45 choices, draws below 5 %`."""
    return tuple(_goal(part.strip()) for part in text.split(",") if part.strip())


def _goal(text: str) -> Goal:
    number = r"(\d+(?:\.\d+)?)"
    if text == "fair":
        return Goal("unfairness", 0.0, FAIR_WITHIN, True)
    if match := re.fullmatch(rf"{number} to {number} choices", text):
        return Goal("choices", float(match[1]), float(match[2]), False)
    if match := re.fullmatch(rf"(draws|unfairness) (below|above) {number} ?%?", text):
        share = float(match[3]) / 100
        below = match[2] == "below"
        return Goal(match[1], 0.0 if below else share, share if below else 1.0, True)
    if match := re.fullmatch(rf"choices (below|above) {number}", text):
        limit, below = float(match[2]), match[1] == "below"
        return Goal("choices", 0.0 if below else limit, limit if below else MANY, False)
    raise SweepError(
        f"`{text}` is no aim",
        "write `fair`, `30 to 45 choices`, `draws below 5 %`, with commas between",
    )


# ---------------------------------------------------------------- trying them


@attrs.define
class Tried:
    """A setting, and what its games add up to."""

    values: dict[str, str]
    wins: list[Moments] = attrs.Factory(list)
    draws: Moments = attrs.Factory(Moments)
    choices: Moments = attrs.Factory(Moments)
    failed: int = 0
    impossible: str | None = None
    """why there is no such game"""
    verdict: Verdict = "open"

    @property
    def games(self) -> int:
        """Those played; no figure is known without any."""
        return self.draws.count + self.failed

    def note(self, played: Played) -> None:
        if isinstance(played, Impossible):
            self.impossible = played.why
        else:
            for row in played:
                self.add(row)

    def add(self, row: GameRow) -> None:
        if row.failure is not None:
            self.failed += 1
            return
        if not self.wins:
            self.wins = [Moments() for _ in row.ranks]
        for seat, won in enumerate(self.wins, 1):
            won.add((seat in row.winners) / max(1, len(row.winners)))
        self.draws.add(not row.winners)
        self.choices.add(row.choices or 0)

    def figure(self, goal: Goal) -> Estimate:
        match goal.name:
            case "unfairness":
                return self._unfairness()
            case "draws":
                return proportion(self.draws.total, self.draws.count)
            case _:
                return self.choices.estimate()

    def _unfairness(self) -> Estimate:
        """How far the seat that is furthest off lies from an equal share.

        The interval is that of all seats together: none of them may be further off than its end.
        """
        if len(self.wins) < 2:
            return Estimate(0.0, 0.0, 0.0)
        mean = sum(each.mean for each in self.wins) / len(self.wins)
        off = [abs(each.mean - mean) for each in self.wins]
        half = max(each.estimate(2.6).half for each in self.wins)
        return Estimate(max(off), max(0.0, max(off) - half), max(off) + half)

    def miss(self, aims: Sequence[Goal]) -> float:
        return sum(goal.miss(self.figure(goal).value) for goal in aims)


@attrs.frozen
class Impossible:
    """There is no such game."""

    why: str


Batch: TypeAlias = tuple[dict[str, str], int, int]
"""A setting, the number of a first game, and that of the one after the last."""
Played: TypeAlias = list[GameRow] | Impossible
Play: TypeAlias = Callable[[Sequence[Batch]], Iterator[Played]]
"""Plays batches, perhaps several at once; what comes of them is in their order."""


def sweep(
    settings: Sequence[Tried],
    aims: Sequence[Goal],
    play: Play,
    most: int,
    told: Callable[[int, int], None] = lambda left, games: None,
) -> None:
    """Try all settings, judged as surely as so many games of each allow."""
    left = settings
    played, wanted = 0, min(FIRST, most)
    while left:
        told(len(left), wanted)
        batches = [(each.values, played, wanted) for each in left]
        for each, found in zip(left, play(batches), strict=True):
            each.note(found)
            each.verdict = _verdict(each, aims)
        left = [each for each in left if each.verdict == "open"]
        if wanted == most:
            break
        played, wanted = wanted, min(most, 2 * wanted)


def _verdict(tried: Tried, aims: Sequence[Goal]) -> Verdict:
    if tried.impossible is not None or not tried.draws.count:
        return "impossible"
    found = [goal.verdict(tried.figure(goal)) for goal in aims]
    if "misses" in found:
        return "misses"
    return "open" if "open" in found else "meets"


# ---------------------------------------------------------------- telling


def named(tried: Tried) -> str:
    return ", ".join(f"{name}={value}" for name, value in tried.values.items())


def shown(tried: Tried, goal: Goal) -> str:
    """A figure, and how sure it is."""
    if not tried.games:
        return "–"
    found = tried.figure(goal)
    return percent(found) if goal.percent else figure(found)


def conclusions(tried: Sequence[Tried], aims: Sequence[Goal]) -> Iterator[str]:
    """Which settings meet the aim, the best first, and which could not be told apart from them."""
    meets = [each for each in tried if each.verdict == "meets"]
    unsure = [each for each in tried if each.verdict == "open" and each.games]
    if meets:
        best = sorted(meets, key=lambda each: each.miss(aims))
        yield f"meets the aim: {'; '.join(map(named, best))}"
    else:
        yield "no setting surely meets the aim"
    if unsure:
        nearest = sorted(unsure, key=lambda each: each.miss(aims))
        yield f"could not be told apart: {'; '.join(map(named, nearest))}"
        most = max(each.games for each in unsure)
        yield f"`--games {4 * most}` would halve the intervals of these, and may tell"
    if any(goal.name == "unfairness" for goal in aims):
        yield "unfairness: how far the seat that is furthest off is from an equal share of the wins"
