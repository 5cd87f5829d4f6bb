"""Sets that lie in memory: as words of bits, as a list, as what a place holds."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    eq,
    load,
    load64,
    mul,
    ne,
    op,
    sub,
)
from ruledsl.engine.memory.board_plans import words_for
from ruledsl.engine.memory.layout import BEFORE_LIST, Layout, PlaceLayout, Span
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.basic import (
    Bits,
    Body,
    Chunks,
    SetCode,
    each_bit,
    each_in_memory,
    set_bit,
)
from ruledsl.engine.sets.shapes import WORD, Shape

LONG = 64
"""Elements of a list in a table, where nothing says how many."""


@attrs.frozen
class Words(SetCode):
    """Several words in memory with a bit for each element from `low` on."""

    address: Code
    low: int
    words: int

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "span", (self.low, self.size))

    @property
    def size(self) -> int:
        return self.words * WORD

    @classmethod
    def scratch(cls, layout: Layout, span: Span) -> Words:
        """Words in scratch memory for a span; they have to be cleared."""
        low, size = span
        words = -(-size // WORD)
        return cls(layout.scratch(8 * words, 8), low, words)

    def clear(self, w: Writer) -> None:
        for number in range(self.words):
            w.store64(self.address, ("i64", 0), 8 * number)

    def put(self, w: Writer, element: Code, *, there: bool = True) -> None:
        """Take an element into the set, or out of it."""
        set_bit(w, self.address, sub(element, self.low), there)

    def most(self) -> int:
        return self.size

    @property
    def shape(self) -> Shape:
        return shapes.stored_words(self.low, self.words)

    def each(self, w: Writer, body: Body) -> None:
        address = w.once(self.address)
        with w.counting(0, self.words) as at:
            word = load64(add(address, mul(at, 8)))
            each_bit(w, word, add(mul(at, WORD), self.low), body)

    def member(self, w: Writer, element: Code) -> Code:
        x = w.once(element)
        at = w.once(sub(x, self.low))
        inside = op("i32.lt_u", at, self.words * WORD)
        where = add(self.address, mul(("i32.shr_u", ("select", at, 0, inside), 6), 8))
        there = ("i64.shr_u", load64(where), ("i64.extend_i32_u", ("i32.and", at, 63)))
        return both(inside, ("i32.and", ("i32.wrap_i64", there), 1))

    def has(self, w: Writer, element: Code) -> Code:
        """Whether an element that surely has a bit is there."""
        at = w.once(sub(element, self.low))
        where = add(mul(("i32.shr_u", at, 6), 8), self.address)
        there = ("i64.shr_u", load64(where), ("i64.extend_i32_u", ("i32.and", at, 63)))
        return ("i32.and", ("i32.wrap_i64", there), 1)

    def _folded(self, w: Writer, start: str, more: Callable[[Code], Code]) -> Code:
        total = more(load64(self.address))
        for number in range(1, self.words):
            total = (start, total, more(load64(self.address, 8 * number)))
        return w.once(total, "i64")

    def count_to(self, w: Writer, most: int) -> Code:  # noqa: ARG002 - all are counted at once
        return self.count(w)

    def count(self, w: Writer) -> Code:
        total = self._folded(w, "i64.add", lambda word: ("i64.popcnt", word))
        return ("i32.wrap_i64", total)

    def filled(self, w: Writer) -> Code:
        return ("i64.ne", self._folded(w, "i64.or", lambda word: word), ("i64", 0))


@attrs.frozen
class Listed(SetCode):
    """A list in memory: its length, then its elements."""

    address: Code
    capacity: int
    ordered: bool = False
    span: Span | None = None
    live: bool = False
    """whether it is part of the position, and so may change"""
    has_bits: bool = False
    """whether it never changes, and its bits stand before it"""
    straight: bool = False
    """whether it goes through its bits upward or downward"""
    there: Code = 1

    def most(self) -> int:
        return self.capacity

    @property
    def shape(self) -> Shape:
        return shapes.listed(
            self.capacity,
            self.span,
            ordered=self.ordered,
            lasting=not self.live,
            has_bits=self.has_bits,
            straight=self.straight,
        )

    @property
    def one_word(self) -> bool:
        """Whether there is one word of bits."""
        return self.has_bits and self.span is not None and self.span[1] <= WORD

    def at_hand(self, w: Writer) -> Code | None:
        return self.bits(w) if self.one_word else None

    def words_at_hand(self, w: Writer) -> tuple[Code, ...] | None:
        if not self.has_bits or self.one_word:
            return None
        return self._stored(w)

    def bits(self, w: Writer) -> Code:
        if not self.one_word:
            return super().bits(w)
        (word,) = self._stored(w)
        return word

    def _stored(self, w: Writer) -> tuple[Code, ...]:
        """The words that stand before the list."""
        assert self.span is not None
        number = words_for(self.span[1])
        start = w.once(sub(self.address, BEFORE_LIST + 8 * number))
        return tuple(w.once(load64(start, 8 * at), "i64") for at in range(number))

    def downward(self) -> Code:
        """Whether a straight list goes downward."""
        return load(sub(self.address, BEFORE_LIST))

    def member(self, w: Writer, element: Code) -> Code:
        if not self.has_bits:
            return super().member(w, element)
        assert self.span is not None
        if self.one_word:
            return Bits(self.bits(w), *self.span).member(w, element)
        return Chunks(self._stored(w), *self.span).member(w, element)

    def each(self, w: Writer, body: Body) -> None:
        address = w.once(self.address)
        start = w.once(add(address, 4))
        each_in_memory(w, start, w.once(add(start, mul(load(address), 4))), body)

    def backward(self, w: Writer, body: Body) -> None:
        address = w.once(self.address)
        at = w.variable(add(address, mul(load(address), 4)))
        with w.loop() as label:
            w.leave_if(label, op("i32.le_u", at, address))
            element = w.variable(load(at))
            w.set(at, sub(at, 4))
            body(element)

    def count_to(self, w: Writer, most: int) -> Code:  # noqa: ARG002 - all are counted at once
        return self.count(w)

    def count(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return load(self.address)

    def filled(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return ne(load(self.address), 0)

    def first(self, w: Writer, none: int) -> Code:
        address = w.once(self.address)
        # The cell after an empty list's length can be read; it means nothing.
        return ("select", load(address, 4), none, load(address))


@attrs.frozen
class Backward(SetCode):
    """A list from its end."""

    whole: Listed
    ordered = False

    def most(self) -> int:
        return self.whole.most()

    @property
    def shape(self) -> Shape:
        return shapes.backward(self.whole.shape)

    def each(self, w: Writer, body: Body) -> None:
        self.whole.backward(w, body)

    def member(self, w: Writer, element: Code) -> Code:
        return self.whole.member(w, element)

    def count(self, w: Writer) -> Code:
        return self.whole.count(w)


@attrs.frozen
class InCell(SetCode):
    """What a place with room for one piece holds; `there` says whether there is such a place."""

    layout: PlaceLayout
    place: Code
    there: Code
    span: Span | None = None

    def _held(self, w: Writer) -> Code:
        held = load(self.layout.address(self.place))
        if self.there == 1:
            return w.once(held)
        name = w.variable(-1)
        with w.when(self.there):
            w.set(name, held)
        return name

    def most(self) -> int:
        return 1

    @property
    def shape(self) -> Shape:
        return shapes.cell(self.span)

    def each(self, w: Writer, body: Body) -> None:
        held = self._held(w)
        with w.when(op("i32.ge_s", held, 0)):
            body(held)

    def member(self, w: Writer, element: Code) -> Code:
        x = w.once(element)
        return both(eq(self._held(w), x), op("i32.ge_s", x, 0))

    def count(self, w: Writer) -> Code:
        return op("i32.ge_s", self._held(w), 0)

    def filled(self, w: Writer) -> Code:
        return op("i32.ge_s", self._held(w), 0)

    def first(self, w: Writer, none: int) -> Code:  # noqa: ARG002 - an empty cell holds -1
        return self._held(w)
