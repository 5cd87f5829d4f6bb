"""Ways that never change: what follows each element of a span, as bits, or by a few shifts."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.unchanging import Key, Unchanging
from ruledsl.engine.memory.layout import Span
from ruledsl.model import core

MOST_SHIFTS = 8
"""Shifts that are no more work than to go from one element to the next."""


@attrs.frozen
class Shift:
    """A step that some elements of a word can make, all of them as far."""

    by: int
    """how many bits upward; downward if it is negative"""
    from_: int
    """the elements that can make it, as bits"""


class Ways(Part):
    """Knows where one can go from each element."""

    def __init__(self, context: Context, unchanging: Unchanging) -> None:
        super().__init__(context)
        self.unchanging = unchanging
        self._rows: dict[tuple[core.Expr, int, Span], tuple[int, ...]] = {}

    def are_still(self, node: core.Reach) -> bool:
        """Whether the ways depend on nothing but where one is."""
        found = self.unchanging.still(node.via)
        return not (found is None or found.you or bool(found.locals.keys() - {node.local.number}))

    def rows(self, node: core.Reach, span: Span) -> tuple[int, ...]:
        """For each element of a span what follows it, as bits."""
        key = (node.via, node.local.number, span)
        if key not in self._rows:
            self._rows[key] = tuple(self._worked_out(node, *span))
        return self._rows[key]

    def _worked_out(self, node: core.Reach, low: int, size: int) -> list[int]:
        rows: list[int] = []
        here = Key(node.local.number, [*self.layout.things[low : low + size]], 0)
        for following in self.unchanging.all_values(node.via, [here]):
            bits = 0
            for each in following if isinstance(following, tuple) else ():
                bits |= 1 << (self.layout.encode(each, "thing") - low)
            rows.append(bits)
        return rows


def both_ways(rows: Sequence[int]) -> bool:
    """Whether each way leads back as well."""
    for at, bits in enumerate(rows):
        left = bits
        while left:
            lowest = left & -left
            if not rows[lowest.bit_length() - 1] >> at & 1:
                return False
            left ^= lowest
    return True


def shifts(rows: Sequence[int]) -> tuple[Shift, ...] | None:
    """Rows as a few shifts that all elements make at once; None if it takes too many."""
    found: dict[int, int] = {}
    for at, bits in enumerate(rows):
        for to in range(len(rows)):
            if to != at and bits >> to & 1:
                found[to - at] = found.get(to - at, 0) | 1 << at
    if len(found) > MOST_SHIFTS:
        return None
    return tuple(Shift(by, from_) for by, from_ in sorted(found.items()))
