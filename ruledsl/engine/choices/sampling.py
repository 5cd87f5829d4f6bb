"""The elements of a set by number, so that one of them can be drawn without listing them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    eq,
    load,
    mul,
    no,
    op,
    select,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.sieving import Sieving
from ruledsl.engine.sets.basic import Bits, Chunks, Everything, SetCode
from ruledsl.engine.sets.derived import Filtered, Guarded
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.shapes import WORD
from ruledsl.engine.sets.stored import InCell, Listed

Take: TypeAlias = Callable[[Code, str], Code]
"""The element with a number; jumps to a label if there is none."""


class Sampling(Part):
    """Lowers taking an element by its number."""

    def __init__(self, context: Context, keeping: KeptSets, sieving: Sieving) -> None:
        super().__init__(context)
        self.keeping = keeping
        self.sieving = sieving

    def numbered(self, w: Writer, whole: SetCode, outer: bool) -> tuple[Code, Take] | None:
        """How many numbers a set has, and the element of a number; None if that costs too much.

        The size may depend on the position for the outermost set only, so that all candidates
        stay equally likely.
        """
        match whole:
            case Everything(low=low, size=size):
                return size, lambda at, skip: add(at, low)
            case Filtered(running=None, whole=inner, passes=passes) if passes is not None:
                found = self.numbered(w, inner, outer)
                if found is None:
                    return None
                size_of, take = found

                def filtered(at: Code, skip: str) -> Code:
                    x = w.once(take(at, skip))
                    w.leave_if(skip, no(passes(w, x)))
                    return x

                return size_of, filtered
            case Guarded(condition=condition, whole=inner):
                found = self.numbered(w, inner, outer)
                if found is None:
                    return None
                size_of, take_inner = found
                if outer:
                    return w.once(select(condition, size_of, 0)), take_inner

                def guarded(at: Code, skip: str) -> Code:
                    w.leave_if(skip, no(condition))
                    return take_inner(at, skip)

                return size_of, guarded
            case InCell() if outer:
                only = w.once(whole.first(w, -1))
                return w.once(op("i32.ge_s", only, 0)), lambda at, skip: only
            case InCell():

                def held(at: Code, skip: str) -> Code:  # noqa: ARG001 - there is one at most
                    x = w.once(whole.first(w, -1))
                    w.leave_if(skip, op("i32.lt_s", x, 0))
                    return x

                return 1, held
            case Bits(low=low, size=size) | Chunks(low=low, size=size) if not outer:

                def there(at: Code, skip: str) -> Code:
                    x = w.once(add(at, low))
                    w.leave_if(skip, no(whole.member(w, x)))
                    return x

                return size, there
            case Bits(word=word, low=low, size=size):
                held_word = w.once(word, "i64")
                number = w.once(("i32.wrap_i64", ("i64.popcnt", held_word)))

                def nth(at: Code, skip: str) -> Code:  # noqa: ARG001 - there are so many
                    return w.once(add(self.sieving.nth_bit(held_word, at, size), low))

                return number, nth
            case Chunks():
                return w.once(whole.count(w)), lambda at, skip: self._nth(w, whole, at)
            case Listed(address=address, capacity=capacity):
                base = w.once(address)
                length = w.once(load(base))

                def item(at: Code, skip: str) -> Code:
                    if not outer:
                        w.leave_if(skip, op("i32.ge_u", at, length))
                    return load(add(add(base, 4), mul(at, 4)))

                return (length if outer else capacity), item
            case _:
                if not outer:
                    return None
                return self.numbered(w, self.keeping.listed(w, whole), outer)

    def is_sure(self, whole: SetCode) -> bool:
        """Whether every number of the outermost set has an element, in the order of its list."""
        match whole:
            case Filtered(running=None, passes=passes) if passes is not None:
                return False
            case Guarded(whole=inner):
                return self.is_sure(inner)
            case _:
                return True

    def _nth(self, w: Writer, whole: Chunks, number: Code) -> Code:
        """The element of a number, from 0 on."""
        first, *others = whole.words
        word, low, rest = w.variable(first, "i64"), w.variable(whole.low), w.variable(number)
        for at, following in enumerate(others):
            held = w.once(("i32.wrap_i64", ("i64.popcnt", word)))
            here = eq(low, whole.low + WORD * at)
            with w.when(both(here, op("i32.ge_u", rest, held))):
                w.set(rest, sub(rest, held))
                w.set(word, following)
                w.set(low, whole.low + WORD * (at + 1))
        return w.once(add(self.sieving.nth_bit(word, rest, WORD), low))
