"""Shapes of sets that are read from the table."""

from __future__ import annotations

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.unchanging import Domains, Unchanging
from ruledsl.engine.memory.board_plans import MOST_PLACES
from ruledsl.engine.memory.layout import PlaceLayout, Span
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.shapes import WORD, Shape
from ruledsl.engine.sets.stored import LONG
from ruledsl.model import core
from ruledsl.model.types import Type


class LastingShapes(Part):
    """Foresees sets that need no more than to be read."""

    def __init__(self, context: Context, unchanging: Unchanging) -> None:
        super().__init__(context)
        self.unchanging = unchanging

    def all_of(self, kind: str) -> Shape:
        return shapes.everything(self.layout.first[kind], self.layout.size[kind])

    def constant_list(
        self, of: Type, longest: int | None = None, *, ordered: bool = False
    ) -> Shape:
        """The shape of a list that never changes."""
        span = self.layout.span_in(of)
        if longest is None:
            longest = span[1] if span else LONG
        bits = span is not None and span[1] <= MOST_PLACES and len(self.layout.kinds_in(of)) == 1
        return shapes.listed(longest, span, has_bits=bits, ordered=ordered)

    def tabled(self, node: core.Expr, keys: Domains, name: object = None) -> Shape:
        """The shape of what a set that never changes is looked up as; `name` tells tables apart."""
        longest, ordered = self.unchanging.longest_value(node, keys, name)
        return self.constant_list(node.type, longest, ordered=ordered)

    def held_in(self, at: PlaceLayout, span: Span | None) -> Shape:
        if at.form == "stack":
            return shapes.listed(at.capacity, span, lasting=False)
        if at.words == 1:
            return shapes.word((at.low, min(WORD, max(1, self.layout.pieces - at.low))))
        return shapes.stored_words(at.low, at.words)
