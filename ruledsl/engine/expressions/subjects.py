"""What a condition is about that is asked of many things at once."""

from __future__ import annotations

import attrs

from ruledsl.engine.code.instructions import Code, op, sub
from ruledsl.engine.code.masks import NONE_OF_THEM, and_
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
    among: Code | None = None
    """the bits of those that a condition is asked for, where that is known"""

    def bit(self, value: Code) -> Code:
        """The one element that a thing is, if it is one of them."""
        low, size = self.span
        if isinstance(value, int):
            return bit_of(value, low) if low <= value < low + size else NONE_OF_THEM
        inside = op("i32.lt_u", sub(value, low), size)
        return ("select", bit_of(value, low), NONE_OF_THEM, inside)

    def of(self, among: Code | None) -> Subject:
        """The same, a condition being asked for some of them."""
        return attrs.evolve(self, among=among)

    def having(self, mask: Code) -> Subject:
        """The same, only those in a mask being left."""
        return self if self.among is None else self.of(and_(self.among, mask))

    @property
    def places(self) -> tuple[str, int]:
        """Which boards are about them, if they are places."""
        return self.things[0].kind, self.part
