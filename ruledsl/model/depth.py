"""Room for deep rules.

The nesting of brackets, blocks and definitions is capped, but one of each inside the other can go
deeper than Python's usual limit of calls.
"""

from __future__ import annotations

import sys

DEEPEST = 8_000
"""Calls of Python."""
DEEPEST_DEFINITION = 60
"""How deep definitions may build on each other."""
DEEPEST_EXPRESSION = 1_000
"""How deep an expression may be with the definitions it builds on."""


def allow_deep_rules() -> None:
    """Let rules at the caps be resolved and run."""
    if sys.getrecursionlimit() < DEEPEST:
        sys.setrecursionlimit(DEEPEST)
