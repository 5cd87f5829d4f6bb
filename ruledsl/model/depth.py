"""Room for deep rules.

The nesting of brackets, blocks and definitions is capped, but one of each inside the other can go
deeper than Python's usual limit of calls.
"""

from __future__ import annotations

import sys

DEEPEST = 8_000


def allow_deep_rules() -> None:
    """Let rules at the caps be resolved and run."""
    if sys.getrecursionlimit() < DEEPEST:
        sys.setrecursionlimit(DEEPEST)
