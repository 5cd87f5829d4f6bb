"""How long a search may take."""

from __future__ import annotations

from typing import TypeAlias

import attrs


@attrs.frozen
class Iterations:
    """A search that stops after so many iterations."""

    number: int


@attrs.frozen
class Seconds:
    """A search that stops after a time; how far it gets depends on the machine."""

    number: float


Budget: TypeAlias = Iterations | Seconds
