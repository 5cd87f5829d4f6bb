"""Sets as code: a set is never built unless it has to be.

A set knows how to go through its elements in order, to tell whether it has one, and to count
them. What goes through it is written into its own loop, so a query over a filter over a ray is a
single loop without memory. A set that must be kept becomes bits or a list.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import attrs

from ruledsl.engine.code import (
    Code,
    Writer,
    add,
    both,
    either,
    eq,
    load,
    load64,
    mul,
    ne,
    no,
    op,
    select,
    signed,
    sub,
    within,
)
from ruledsl.engine.layout import BEFORE_LIST, Layout, PlaceLayout, Span
from ruledsl.engine.planning import MOST_PLACES, words_for

Body = Callable[[Code], None]

WORD = 64
"""Elements that one word has bits for."""
MANY = 256
"""Numbers that a set holds at most, where nothing says how many."""
LONG = 64
"""Elements of a list in a table, where nothing says how many."""


class SetCode(ABC):
    """A set; `ordered` says that its elements come in the table's order."""

    ordered = True
    span: Span | None = None
    """the least element there can be, and how many from there on"""
    there: Code = 1
    """whether there is a set at all, and not none"""

    @abstractmethod
    def each(self, w: Writer, body: Body) -> None:
        """Write a loop that does something for each element."""

    @abstractmethod
    def most(self) -> int:
        """How many elements there can be at most."""

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
    ordered = False

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

    def most(self) -> int:
        return self.capacity

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
