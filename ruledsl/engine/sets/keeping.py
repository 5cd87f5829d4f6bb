"""Sets that are kept, to be used several times: as words, or as a list in scratch memory."""

from __future__ import annotations

import attrs

from ruledsl.engine.code.instructions import Code, Writer, add, op, sub
from ruledsl.engine.context import Part
from ruledsl.engine.sets.basic import Bits, Chunks, Everything, Nothing, SetCode
from ruledsl.engine.sets.derived import Flooded, Whole
from ruledsl.engine.sets.shapes import WORD
from ruledsl.engine.sets.stored import Listed
from ruledsl.table import mishaps


class KeptSets(Part):
    """Writes sets down."""

    def kept(self, w: Writer, whole: SetCode) -> SetCode:
        """A set that may be used several times."""
        if whole.there == 1 or isinstance(whole, Nothing):
            return self._kept(w, whole)
        there = w.once(whole.there)
        return self._kept(w, whole).if_there(there)

    def _kept(self, w: Writer, whole: SetCode) -> SetCode:
        if isinstance(whole, Everything | Nothing):
            return whole
        if isinstance(whole, Listed) and not whole.live:
            return whole
        if isinstance(whole, Bits):
            return attrs.evolve(whole, word=w.once(whole.word, "i64"))
        if whole.ordered and whole.span is not None and whole.span[1] <= WORD:
            return Bits(w.once(whole.bits(w), "i64"), *whole.span)
        if isinstance(whole, Chunks):
            return whole
        if isinstance(whole, Flooded):
            return Chunks(whole.words(w), *whole.span)
        return self.listed(w, whole)

    def listed(self, w: Writer, whole: SetCode) -> Listed:
        """A set as a list in scratch memory."""
        if isinstance(whole, Listed) and not whole.live:
            return whole
        if isinstance(whole, Whole):
            whole = whole.inner
        capacity = whole.most()
        address = self.layout.list_memory(capacity)
        self.fill_list(w, address, whole, capacity)
        return Listed(address, capacity, whole.ordered, whole.span)

    def fill_list(self, w: Writer, address: int, whole: SetCode, capacity: int) -> None:
        """Write a set to memory as a list."""
        end = w.variable(address + 4)

        def append(x: Code) -> None:
            with w.when(op("i32.ge_u", end, address + 4 + 4 * capacity)):
                self.context.fail(w, mishaps.SET_TOO_LARGE, None)
            w.store(end, x)
            w.set(end, add(end, 4))

        whole.each(w, append)
        w.store(address, ("i32.shr_u", sub(end, address + 4), 2))
