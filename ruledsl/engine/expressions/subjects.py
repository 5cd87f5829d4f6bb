"""What a condition is about that is asked of many things at once."""

from __future__ import annotations

import attrs

from ruledsl.engine.code.instructions import Code, op, sub
from ruledsl.engine.code.masks import NONE_OF_THEM
from ruledsl.engine.memory.layout import Span
from ruledsl.engine.sets.basic import bit_of
from ruledsl.table.things import Thing


@attrs.frozen
class Subject:
    """What a condition is about: a name that stands for all elements of a span at once."""

    number: int
    things: tuple[Thing, ...]
    span: Span
    part: int = 0
    """which 64 things of the kind they are, if there are more"""

    def bit(self, value: Code) -> Code:
        """The one element that a thing is, if it is one of them."""
        low, size = self.span
        if isinstance(value, int):
            return bit_of(value, low) if low <= value < low + size else NONE_OF_THEM
        inside = op("i32.lt_u", sub(value, low), size)
        return ("select", bit_of(value, low), NONE_OF_THEM, inside)

    def named(self, number: int) -> Subject:
        """The same elements by another name."""
        return attrs.evolve(self, number=number)

    @property
    def places(self) -> tuple[str, int]:
        """Which boards are about them, if they are places."""
        return self.things[0].kind, self.part
