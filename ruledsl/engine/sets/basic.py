"""Sets as code: a set is never built unless it has to be.

A set knows how to go through its elements in order, to tell whether it has one, and to count
them. What goes through it is written into its own loop, so a query over a filter over a ray is a
single loop without memory. A set that must be kept becomes bits or a list.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from typing import Self

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    either,
    eq,
    load,
    load64,
    mul,
    no,
    op,
    select,
    signed,
    sub,
    within,
)
from ruledsl.engine.memory.board_plans import MOST_PLACES
from ruledsl.engine.memory.layout import Span
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.shapes import MANY, WORD, Shape

Body = Callable[[Code], None]


class SetCode(ABC):
    """A set; `ordered` says that its elements come in the table's order."""

    ordered = True
    span: Span | None = None
    """the least element there can be, and how many from there on"""
    there: Code = 1
    """whether there is a set at all, and not none"""

    def if_there(self, there: Code) -> Self:
        """The same set, which is none unless a condition holds; then it has to be empty."""
        if there == self.there:
            return self
        found = copy(self)
        object.__setattr__(found, "there", there)
        return found

    @abstractmethod
    def each(self, w: Writer, body: Body) -> None:
        """Write a loop that does something for each element."""

    @abstractmethod
    def most(self) -> int:
        """How many elements there can be at most."""

    @property
    @abstractmethod
    def shape(self) -> Shape:
        """What is known about it beforehand."""

    def member(self, w: Writer, element: Code) -> Code:
        wanted = w.once(element)
        found = w.variable(0)
        with w.block() as label:

            def compare(x: Code) -> None:
                with w.when(eq(x, wanted)):
                    w.set(found, 1)
                    w.leave(label)

            self.each_loosely(w, compare)
        return found

    def count(self, w: Writer) -> Code:
        number = w.variable(0)
        self.each(w, lambda x: w.set(number, add(number, 1)))
        return number

    def each_loosely(self, w: Writer, body: Body) -> None:
        """The same in any order, and some elements perhaps twice: for whoever does not mind."""
        self.each(w, body)

    def count_to(self, w: Writer, most: int) -> Code:
        """The number of elements; of more than `most`, any number above that."""
        return counted_to(w, most, lambda one: self.each(w, one))

    def filled(self, w: Writer) -> Code:
        """Whether there is any element."""
        found = w.variable(0)
        with w.block() as label:

            def note(x: Code) -> None:  # noqa: ARG001 - any element will do
                w.set(found, 1)
                w.leave(label)

            self.each_loosely(w, note)
        return found

    def first(self, w: Writer, none: int) -> Code:
        found = w.variable(none)
        with w.block() as label:

            def note(x: Code) -> None:
                w.set(found, x)
                w.leave(label)

            self.each(w, note)
        return found

    def at_hand(self, w: Writer) -> Code | None:  # noqa: ARG002 - most have none
        """The set as 64 bits, if they are at hand without a loop."""
        return None

    def words_at_hand(self, w: Writer) -> tuple[Code, ...] | None:  # noqa: ARG002 - most have none
        """The same for a set whose span has more than 64 elements."""
        return None

    def bits(self, w: Writer) -> Code:
        """The set as 64 bits from the least element on."""
        assert self.span is not None and self.span[1] <= WORD
        low = self.span[0]
        found = w.variable(("i64", 0), "i64")
        self.each_loosely(w, lambda x: w.set(found, ("i64.or", found, bit_of(x, low))))
        return found


def counted_to(w: Writer, most: int, each: Callable[[Body], None]) -> Code:
    """How many elements a loop goes through; it is left when there are more than `most`."""
    number = w.variable(0)
    with w.block() as label:

        def one(x: Code) -> None:  # noqa: ARG001 - any element counts
            w.set(number, add(number, 1))
            w.leave_if(label, op("i32.gt_s", number, most))

        each(one)
    return number


def bit_of(element: Code, low: int) -> Code:
    if isinstance(element, int):
        return ("i64", signed(1 << (element - low)))
    return ("i64.shl", ("i64", 1), ("i64.extend_i32_u", sub(element, low)))


def set_bit(w: Writer, address: Code, bit: Code, on: bool) -> None:
    """Set or clear one bit of several words in memory."""
    at = w.once(bit)
    where = w.once(add(mul(("i32.shr_u", at, 6), 8), address))
    mask = ("i64.shl", ("i64", 1), ("i64.extend_i32_u", ("i32.and", at, 63)))
    if on:
        w.store64(where, ("i64.or", load64(where), mask))
    else:
        w.store64(where, ("i64.and", load64(where), ("i64.xor", mask, ("i64", -1))))


def each_bit(w: Writer, bits: Code, low: Code, body: Body) -> None:
    """Go through the bits of a word."""
    left = w.variable(bits, "i64")
    with w.loop() as label:
        w.leave_if(label, ("i64.eqz", left))
        element = w.variable(add(("i32.wrap_i64", ("i64.ctz", left)), low))
        w.set(left, ("i64.and", left, ("i64.sub", left, ("i64", 1))))
        body(element)


def each_in_memory(w: Writer, start: Code, end: Code, body: Body) -> None:
    """Go through the cells from one address to another."""
    at = w.variable(start)
    with w.loop() as label:
        w.leave_if(label, op("i32.ge_u", at, end))
        element = w.variable(load(at))
        w.set(at, add(at, 4))
        body(element)


@attrs.frozen
class Nothing(SetCode):
    """The empty set."""

    def most(self) -> int:
        return 0

    @property
    def shape(self) -> Shape:
        return shapes.NOTHING

    def each(self, w: Writer, body: Body) -> None:
        pass

    def member(self, w: Writer, element: Code) -> Code:  # noqa: ARG002 - nothing is in it
        return 0


@attrs.frozen
class Everything(SetCode):
    """All numbers from `low` on, `size` of them: the things of a kind."""

    low: int
    size: int

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "span", (self.low, self.size))

    def most(self) -> int:
        return self.size

    @property
    def shape(self) -> Shape:
        return shapes.everything(self.low, self.size)

    def each(self, w: Writer, body: Body) -> None:
        if self.size == 1:
            body(self.low)
            return
        with w.counting(self.low, self.low + self.size) as at:
            body(at)

    def member(self, w: Writer, element: Code) -> Code:  # noqa: ARG002 - needs no statements
        return within(element, self.low, self.size)

    def count_to(self, w: Writer, most: int) -> Code:  # noqa: ARG002 - all are counted at once
        return self.count(w)

    def count(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return self.size

    def at_hand(self, w: Writer) -> Code | None:
        return self.bits(w) if self.size <= WORD else None

    def words_at_hand(self, w: Writer) -> tuple[Code, ...] | None:  # noqa: ARG002 - all are there
        if not WORD < self.size <= MOST_PLACES:
            return None
        sizes = [min(WORD, self.size - at) for at in range(0, self.size, WORD)]
        return tuple(("i64", signed((1 << size) - 1)) for size in sizes)

    def bits(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return ("i64", signed((1 << self.size) - 1))


@attrs.frozen
class Single(SetCode):
    """One thing, if it is among those from `low` on, `size` of them."""

    element: Code
    low: int
    size: int

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "span", (self.low, self.size))

    def _inside(self) -> Code:
        return within(self.element, self.low, self.size)

    def most(self) -> int:
        return 1

    @property
    def shape(self) -> Shape:
        return shapes.single((self.low, self.size))

    def each(self, w: Writer, body: Body) -> None:
        with w.when(self._inside()):
            body(self.element)

    def member(self, w: Writer, element: Code) -> Code:  # noqa: ARG002 - needs no statements
        return both(eq(element, self.element), self._inside())

    def count_to(self, w: Writer, most: int) -> Code:  # noqa: ARG002 - there is one at most
        return self._inside()

    def count(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return self._inside()

    def filled(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return self._inside()

    def first(self, w: Writer, none: int) -> Code:  # noqa: ARG002 - needs no statements
        return select(self._inside(), self.element, none)


@attrs.frozen
class Numbers(SetCode):
    """The numbers from one to another."""

    low: Code
    high: Code

    def most(self) -> int:
        if isinstance(self.low, int) and isinstance(self.high, int):
            return max(0, self.high - self.low + 1)
        return MANY

    @property
    def shape(self) -> Shape:
        low, high = self.low, self.high
        return shapes.numbers(
            low if isinstance(low, int) else None, high if isinstance(high, int) else None
        )

    def each(self, w: Writer, body: Body) -> None:
        with w.counting(self.low, add(self.high, 1)) as at:
            body(at)

    def member(self, w: Writer, element: Code) -> Code:
        x = w.once(element)
        return both(op("i32.ge_s", x, self.low), op("i32.le_s", x, self.high))

    def count(self, w: Writer) -> Code:
        size = w.once(add(sub(self.high, self.low), 1))
        return ("select", size, 0, op("i32.gt_s", size, 0))


@attrs.frozen
class Bits(SetCode):
    """A word with a bit for each element from `low` on."""

    word: Code
    low: int
    size: int

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "span", (self.low, self.size))

    def most(self) -> int:
        return self.size

    @property
    def shape(self) -> Shape:
        return shapes.word((self.low, self.size))

    def each(self, w: Writer, body: Body) -> None:
        each_bit(w, self.word, self.low, body)

    def member(self, w: Writer, element: Code) -> Code:
        if isinstance(element, int):
            if not self.low <= element < self.low + self.size:
                return 0
            return no(("i64.eqz", ("i64.and", self.word, bit_of(element, self.low))))
        x = w.once(element)
        there = ("i32.wrap_i64", ("i64.shr_u", self.word, ("i64.extend_i32_u", sub(x, self.low))))
        return both(within(x, self.low, self.size), ("i32.and", there, 1))

    def count_to(self, w: Writer, most: int) -> Code:  # noqa: ARG002 - all are counted at once
        return self.count(w)

    def count(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return ("i32.wrap_i64", ("i64.popcnt", self.word))

    def filled(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return ("i64.ne", self.word, ("i64", 0))

    def first(self, w: Writer, none: int) -> Code:
        word = w.once(self.word, "i64")
        lowest = add(("i32.wrap_i64", ("i64.ctz", word)), self.low)
        return ("select", none, lowest, ("i64.eqz", word))

    def at_hand(self, w: Writer) -> Code | None:  # noqa: ARG002 - needs no statements
        return self.word

    def bits(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return self.word


@attrs.frozen
class Chunks(SetCode):
    """Several words with a bit for each element from `low` on."""

    words: tuple[Code, ...]
    low: int
    size: int

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "span", (self.low, self.size))

    def most(self) -> int:
        return self.size

    @property
    def shape(self) -> Shape:
        return shapes.words((self.low, self.size))

    def words_at_hand(self, w: Writer) -> tuple[Code, ...] | None:  # noqa: ARG002 - no statements
        return self.words

    def _word(self, number: Code) -> Code:
        """The word of a number."""
        *others, found = self.words
        for at, word in reversed(list(enumerate(others))):
            found = select(eq(number, at), word, found)
        return found

    def each(self, w: Writer, body: Body) -> None:
        with w.counting(0, len(self.words)) as number:
            each_bit(w, self._word(number), add(mul(number, WORD), self.low), body)

    def member(self, w: Writer, element: Code) -> Code:
        at = w.once(sub(element, self.low))
        word = self._word(("i32.shr_u", at, 6))
        there = ("i32.wrap_i64", ("i64.shr_u", word, ("i64.extend_i32_u", ("i32.and", at, 63))))
        return both(op("i32.lt_u", at, self.size), ("i32.and", there, 1))

    def _folded(self, sign: str, of: Callable[[Code], Code]) -> Code:
        first, *others = map(of, self.words)
        for other in others:
            first = (sign, first, other)
        return first

    def count_to(self, w: Writer, most: int) -> Code:  # noqa: ARG002 - all are counted at once
        return self.count(w)

    def count(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return ("i32.wrap_i64", self._folded("i64.add", lambda word: ("i64.popcnt", word)))

    def filled(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return ("i64.ne", self._folded("i64.or", lambda word: word), ("i64", 0))


@attrs.frozen
class Straight(Bits):
    """A word whose elements come upward or downward."""

    downward: Code
    longest: int
    ordered = False

    def most(self) -> int:
        return self.longest

    @property
    def shape(self) -> Shape:
        return shapes.straight((self.low, self.size), self.longest)

    def _next(self, left: Code) -> Code:
        highest = ("i64.sub", ("i64", WORD - 1), ("i64.clz", left))
        return ("select", highest, ("i64.ctz", left), self.downward)

    def each(self, w: Writer, body: Body) -> None:
        left = w.variable(self.word, "i64")
        with w.loop() as label:
            w.leave_if(label, ("i64.eqz", left))
            bit = w.variable(self._next(left), "i64")
            w.set(left, ("i64.xor", left, ("i64.shl", ("i64", 1), bit)))
            body(w.once(add(("i32.wrap_i64", bit), self.low)))

    def each_loosely(self, w: Writer, body: Body) -> None:
        each_bit(w, self.word, self.low, body)

    def first(self, w: Writer, none: int) -> Code:
        word = w.once(self.word, "i64")
        found = add(("i32.wrap_i64", self._next(word)), self.low)
        return ("select", none, found, ("i64.eqz", word))


@attrs.frozen
class Turned(SetCode):
    """The things of a ring from one on, onward or backward; for players, those in a mask."""

    start: Code
    low: int
    size: int
    first_step: int
    steps: int
    way: int
    mask: Code | None
    ordered = False

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "span", (self.low, self.size))

    def most(self) -> int:
        return self.steps

    @property
    def shape(self) -> Shape:
        return shapes.in_turn((self.low, self.size), self.steps)

    def each(self, w: Writer, body: Body) -> None:
        start = w.once(self.start)
        last = self.low + self.size - 1 if self.way > 0 else self.low
        turn = self.low if self.way > 0 else self.low + self.size - 1
        at = w.variable(start)
        with w.counting(0, self.first_step + self.steps) as step:
            element = w.variable(at)
            w.set(at, ("select", turn, add(at, self.way), eq(at, last)))
            conditions: Code = 1 if not self.first_step else op("i32.ge_s", step, self.first_step)
            if self.mask is not None:
                there = ("i32.and", ("i32.shr_u", self.mask, sub(element, self.low)), 1)
                conditions = both(conditions, there)
            with w.when(conditions):
                body(element)


@attrs.frozen
class Written(Bits):
    """A set written out: whether something is in it is told without the bits."""

    elements: tuple[Code, ...] = attrs.field(kw_only=True)

    def member(self, w: Writer, element: Code) -> Code:
        x = w.once(element)
        found: Code = 0
        for each in self.elements:
            found = either(found, eq(x, each))
        return found
