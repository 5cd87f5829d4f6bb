"""How long a work of several parts may take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TypeAlias

import attrs

Left: TypeAlias = Callable[[], float]
"""Tells how many seconds are left; less than 0 where it took longer."""


@attrs.define
class Patience:
    """Seconds of which each part of a work has its share, and what those before it have left."""

    seconds: float
    now: Callable[[], float] = monotonic
    _spare: float = 0.0

    @contextmanager
    def share(self, part: float) -> Iterator[Left]:
        allowed, begun = part * self.seconds + self._spare, self.now()

        def left() -> float:
            return allowed - (self.now() - begun)

        try:
            yield left
        finally:
            self._spare = max(0.0, left())
