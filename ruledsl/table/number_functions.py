"""What the language's functions of numbers mean."""

from __future__ import annotations

from collections.abc import Callable

MEANINGS: dict[str, Callable[..., int]] = {
    "abs": abs,
    "clamp": lambda x, low, high: max(low, min(high, x)),
}
"""By name, of the values of the arguments."""
