"""Chance: a small generator that any executor can reproduce, and what games ask of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.table.things import Thing, Value

T = TypeVar("T")

_MASK = (1 << 64) - 1


@attrs.define
class Generator:
    """SplitMix64: the state is one 64-bit number, part of the position."""

    state: int

    def next(self) -> int:
        """The next 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return mixed ^ (mixed >> 31)

    def below(self, limit: int) -> int:
        """A number from 0 up to the limit, each equally likely (upper 32 bits, by rejection)."""
        threshold = (1 << 32) % limit
        while True:
            scaled = (self.next() >> 32) * limit
            if scaled & 0xFFFFFFFF >= threshold:
                return scaled >> 32

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order (from the last place down)."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.below(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return tuple(mixed)


class Chance(Protocol):
    """Where outcomes come from: a generator in play, a script in a test."""

    def roll(self, outcomes: tuple[Value, ...], span: Span) -> Value: ...

    def shuffled(self, pieces: tuple[Thing, ...]) -> tuple[Thing, ...]: ...

    def one_of(self, items: tuple[T, ...]) -> T: ...


@attrs.define
class Dice:
    """Outcomes from a generator; things with a `count` column come up that often."""

    generator: Generator

    def roll(self, outcomes: tuple[Value, ...], span: Span) -> Value:  # noqa: ARG002 - a script needs the span
        weights = [weight(outcome) for outcome in outcomes]
        at = self.generator.below(sum(weights))
        for outcome, share in zip(outcomes, weights, strict=True):
            if at < share:
                return outcome
            at -= share
        raise AssertionError("the weights cover every number")

    def shuffled(self, pieces: tuple[Thing, ...]) -> tuple[Thing, ...]:
        return self.generator.shuffled(pieces)

    def one_of(self, items: tuple[T, ...]) -> T:
        return items[self.generator.below(len(items))]


def weight(outcome: Value) -> int:
    """How many of the equally likely cases give this outcome."""
    if isinstance(outcome, Thing) and outcome.face is None:
        count = outcome.columns.get("count")
        if isinstance(count, int):
            return max(count, 0)
    return 1
