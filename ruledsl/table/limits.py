"""What both executors keep to while rules are carried out."""

from __future__ import annotations

MOST_THINGS = 20_000
MOST_SLOTS = 100_000

LARGEST = 999_999_999
"""Numbers lie between this and its negative: nine digits, like those in a rules file.

The sum of two of them fits into 32 bits, so whoever computes with these can look at it then."""

MOST_OPTIONS = 100_000
"""What can be chosen at one decision, alike or not."""

LOOK = 100
"""What looking ahead once costs, compared with a pass of a query."""

LOOKED = 2
"""What a statement costs that is carried out in looking ahead, compared with a pass of a query."""

STAYING = 8
"""Pieces that stay where others are moved away from: so many cost a pass of a query."""

SHUFFLED = 4
"""What shuffling costs for each piece, compared with a pass of a query."""

FEW = 25
"""Elements of sets that cost nothing to join and to keep: so many for each statement are no more
than the passes of queries that there may be."""

MOST_TRIGGERS = 1_000
"""Triggers that may fire at one checkpoint."""


def is_number(value: int) -> bool:
    """Whether a result lies where numbers lie."""
    return -LARGEST <= value <= LARGEST
