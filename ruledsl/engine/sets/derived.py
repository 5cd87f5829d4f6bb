"""Sets made from other sets: guarded, filtered, united, one of several, the values of a query."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

import attrs

from ruledsl.engine.code.instructions import Code, Writer, load64, ne, no, select, sub
from ruledsl.engine.memory.layout import Layout, Span
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.basic import (
    Bits,
    Body,
    Chunks,
    SetCode,
    bit_of,
    counted_to,
    each_in_memory,
)
from ruledsl.engine.sets.shapes import MANY, WORD, Shape
from ruledsl.engine.sets.stored import Listed, Words

Branches: TypeAlias = Callable[[Callable[[SetCode], None]], None]
"""Writes conditions, and has something done with the set that belongs to each."""


EachSet: TypeAlias = Callable[[Writer, Callable[[SetCode], None]], None]
"""Writes a loop over sets, in any order, and has something done with each."""


class EachValue(Protocol):
    """Writes a loop over values; loosely, in any order and perhaps repeated."""

    def __call__(self, w: Writer, body: Body, *, loosely: bool = False) -> None: ...


def or_into(w: Writer, word: str, whole: SetCode, low: int) -> None:
    """Add a set to the bits in a local."""
    found = whole.at_hand(w)
    if found is not None and whole.span is not None and whole.span[0] == low:
        w.set(word, ("i64.or", word, found))
    else:
        whole.each_loosely(w, lambda x: w.set(word, ("i64.or", word, bit_of(x, low))))


@attrs.frozen
class Guarded(SetCode):
    """A set that is empty unless a condition holds."""

    condition: Code
    whole: SetCode

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "ordered", self.whole.ordered)
        object.__setattr__(self, "there", self.condition)
        object.__setattr__(self, "span", self.whole.span)

    def most(self) -> int:
        return self.whole.most()

    @property
    def shape(self) -> Shape:
        return shapes.guarded(self.whole.shape)

    def each(self, w: Writer, body: Body) -> None:
        with w.when(self.condition):
            self.whole.each(w, body)

    def each_loosely(self, w: Writer, body: Body) -> None:
        with w.when(self.condition):
            self.whole.each_loosely(w, body)

    def at_hand(self, w: Writer) -> Code | None:
        word = self.whole.at_hand(w)
        return None if word is None else ("select", word, ("i64", 0), self.condition)

    def words_at_hand(self, w: Writer) -> tuple[Code, ...] | None:
        words = self.whole.words_at_hand(w)
        if words is None:
            return None
        return tuple(select(self.condition, word, ("i64", 0)) for word in words)

    def bits(self, w: Writer) -> Code:
        word = self.at_hand(w)
        return super().bits(w) if word is None else word


@attrs.frozen
class Filtered(SetCode):
    """The elements that pass; from the first on that `running` does not hold for, none."""

    whole: SetCode
    passes: Callable[[Writer, Code], Code] | None
    running: Callable[[Writer, Code], Code] | None

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "ordered", self.whole.ordered)
        object.__setattr__(self, "span", self.whole.span)

    def most(self) -> int:
        return self.whole.most()

    @property
    def shape(self) -> Shape:
        return shapes.filtered(self.whole.shape, runs=self.running is not None)

    def each(self, w: Writer, body: Body) -> None:
        if self.running is None:
            self.whole.each(w, lambda x: self._one(w, x, body, None))
            return
        with w.block() as label:
            self.whole.each(w, lambda x: self._one(w, x, body, label))

    def each_loosely(self, w: Writer, body: Body) -> None:
        if self.running is None:
            self.whole.each_loosely(w, lambda x: self._one(w, x, body, None))
        else:
            self.each(w, body)

    def _one(self, w: Writer, x: Code, body: Body, label: str | None) -> None:
        condition = 1 if self.passes is None else self.passes(w, x)
        with w.when(condition):
            if label is not None and self.running is not None:
                w.leave_if(label, no(self.running(w, x)))
            body(x)

    def member(self, w: Writer, element: Code) -> Code:
        if self.running is not None or self.passes is None:
            return super().member(w, element)
        x = w.once(element)
        found = w.variable(self.whole.member(w, x))
        with w.when(found):
            w.set(found, self.passes(w, x))
        return found


@attrs.frozen
class Whole(SetCode):
    """A set that is gone through to its end before anything is told about it.

    What finds out whether an element belongs to it may end in an error.
    """

    inner: SetCode
    listed: Callable[[Writer, SetCode], Listed]

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "ordered", self.inner.ordered)
        object.__setattr__(self, "span", self.inner.span)

    def most(self) -> int:
        return self.inner.most()

    @property
    def shape(self) -> Shape:
        return self.inner.shape

    def each(self, w: Writer, body: Body) -> None:
        self.listed(w, self.inner).each(w, body)

    def count(self, w: Writer) -> Code:
        return self.inner.count(w)

    def bits(self, w: Writer) -> Code:
        return self.inner.bits(w)


@attrs.frozen(eq=False)
class Union(SetCode):
    """All elements of two sets, in order."""

    layout: Layout
    left: SetCode
    right: SetCode
    span: Span

    def most(self) -> int:
        return min(self.left.most() + self.right.most(), self.span[1])

    @property
    def shape(self) -> Shape:
        return shapes.union(self.left.shape, self.right.shape, self.span)

    def each(self, w: Writer, body: Body) -> None:
        low, size = self.span
        if size <= WORD:
            Bits(self.bits(w), low, size).each(w, body)
            return
        words = Words.scratch(self.layout, self.span)
        words.clear(w)
        self.each_loosely(w, lambda x: words.put(w, x))
        words.each(w, body)

    def each_loosely(self, w: Writer, body: Body) -> None:
        self.left.each_loosely(w, body)
        self.right.each_loosely(w, body)

    def at_hand(self, w: Writer) -> Code | None:
        if self.left.span != self.span or self.right.span != self.span:
            return None
        left, right = self.left.at_hand(w), self.right.at_hand(w)
        return None if left is None or right is None else ("i64.or", left, right)

    def words_at_hand(self, w: Writer) -> tuple[Code, ...] | None:
        if self.left.span != self.span or self.right.span != self.span:
            return None
        left, right = self.left.words_at_hand(w), self.right.words_at_hand(w)
        if left is None or right is None:
            return None
        return tuple(("i64.or", one, other) for one, other in zip(left, right, strict=True))

    def bits(self, w: Writer) -> Code:
        word = w.variable(("i64", 0), "i64")
        or_into(w, word, self.left, self.span[0])
        or_into(w, word, self.right, self.span[0])
        return word

    def count(self, w: Writer) -> Code:
        if self.span[1] <= WORD:
            return Bits(self.bits(w), *self.span).count(w)
        return super().count(w)

    def member(self, w: Writer, element: Code) -> Code:
        x = w.once(element)
        found = w.variable(self.left.member(w, x))
        with w.when(no(found)):
            w.set(found, self.right.member(w, x))
        return found


@attrs.frozen(eq=False)
class OneOf(SetCode):
    """One of several sets, by conditions; `fill` makes it a list in memory."""

    layout: Layout
    branches: Branches
    fill: Callable[[Writer, int, SetCode, int], None]
    span: Span | None
    ordered: bool
    largest: int

    def most(self) -> int:
        return self.largest

    @property
    def shape(self) -> Shape:
        return Shape("one of", self.span, self.largest, self.ordered)

    def each(self, w: Writer, body: Body) -> None:
        if self.ordered and self.span is not None and self.span[1] <= WORD:
            Bits(self.bits(w), *self.span).each(w, body)
            return
        address = self.layout.list_memory(self.largest)
        w.store(address, 0)
        self.branches(lambda whole: self.fill(w, address, whole, self.largest))
        Listed(address, self.largest).each(w, body)

    def each_loosely(self, w: Writer, body: Body) -> None:
        self.branches(lambda whole: whole.each_loosely(w, body))

    def bits(self, w: Writer) -> Code:
        assert self.span is not None
        low = self.span[0]
        word = w.variable(("i64", 0), "i64")
        self.branches(lambda whole: or_into(w, word, whole, low))
        return word

    def member(self, w: Writer, element: Code) -> Code:
        x = w.once(element)
        found = w.variable(0)
        self.branches(lambda whole: w.set(found, whole.member(w, x)))
        return found


class EachReached(Protocol):
    """Writes a search: marks what it meets, and has something done with each as it is met."""

    def __call__(self, w: Writer, met: Words, body: Body) -> None: ...


@attrs.frozen(eq=False)
class Reached(SetCode):
    """Everything that can be reached; whoever has seen enough need not go to the end."""

    layout: Layout
    span: Span
    reach: EachReached

    def most(self) -> int:
        return self.span[1]

    @property
    def shape(self) -> Shape:
        return Shape("reached", self.span, self.span[1])

    def _all(self, w: Writer) -> SetCode:
        met = Words.scratch(self.layout, self.span)
        self.reach(w, met, lambda x: None)
        if met.words > 1:
            return met
        return Bits(w.once(load64(met.address), "i64"), met.low, WORD)

    def each(self, w: Writer, body: Body) -> None:
        self._all(w).each(w, body)

    def each_loosely(self, w: Writer, body: Body) -> None:
        self.reach(w, Words.scratch(self.layout, self.span), body)

    def count(self, w: Writer) -> Code:
        return self._all(w).count(w)

    def count_to(self, w: Writer, most: int) -> Code:
        return counted_to(w, most, lambda one: self.each_loosely(w, one))

    def bits(self, w: Writer) -> Code:
        return self._all(w).bits(w)


@attrs.frozen(eq=False)
class Stepped(SetCode):
    """What is there after some steps: in a list from one address to another, and as bits."""

    met: Words
    start: Code
    end: Code

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "span", self.met.span)

    def most(self) -> int:
        return self.met.size

    @property
    def shape(self) -> Shape:
        return shapes.stepped(self.met.shape)

    def each(self, w: Writer, body: Body) -> None:
        self.met.each(w, body)

    def each_loosely(self, w: Writer, body: Body) -> None:
        each_in_memory(w, self.start, self.end, body)

    def member(self, w: Writer, element: Code) -> Code:
        return self.met.member(w, element)

    def count(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return ("i32.shr_u", sub(self.end, self.start), 2)

    def filled(self, w: Writer) -> Code:  # noqa: ARG002 - needs no statements
        return ne(self.end, self.start)


Flood: TypeAlias = Callable[[Writer, Body], tuple[Code, ...]]
"""Writes a search that has something done with each as it is met; everything met, as words."""


@attrs.frozen(eq=False)
class Flooded(SetCode):
    """The same where bits tell how to go on."""

    span: Span
    flood: Flood

    def most(self) -> int:
        return self.span[1]

    @property
    def shape(self) -> Shape:
        return Shape("flooded", self.span, self.span[1])

    def words(self, w: Writer) -> tuple[Code, ...]:
        return self.flood(w, lambda x: None)

    def each(self, w: Writer, body: Body) -> None:
        Chunks(self.words(w), *self.span).each(w, body)

    def each_loosely(self, w: Writer, body: Body) -> None:
        self.flood(w, body)

    def count(self, w: Writer) -> Code:
        return Chunks(self.words(w), *self.span).count(w)

    def count_to(self, w: Writer, most: int) -> Code:
        return counted_to(w, most, lambda one: self.each_loosely(w, one))

    def bits(self, w: Writer) -> Code:
        (word,) = self.words(w)
        return word


@attrs.frozen(eq=False)
class Image(SetCode):
    """The values of an expression for all draws, each once, as they come."""

    layout: Layout
    values: EachValue
    span: Span | None
    sets: EachSet | None = None
    """sets whose elements are the values"""
    ordered = False

    def most(self) -> int:
        return MANY if self.span is None else self.span[1]

    @property
    def shape(self) -> Shape:
        return Shape("image", self.span, self.most(), ordered=False)

    def bits(self, w: Writer) -> Code:
        if self.sets is None:
            return super().bits(w)
        assert self.span is not None
        low = self.span[0]
        found = w.variable(("i64", 0), "i64")
        self.sets(w, lambda whole: or_into(w, found, whole, low))
        return found

    def filled(self, w: Writer) -> Code:
        if self.sets is None:
            return super().filled(w)
        found = w.variable(0)
        with w.block() as label:

            def note(whole: SetCode) -> None:
                with w.when(whole.filled(w)):
                    w.set(found, 1)
                    w.leave(label)

            self.sets(w, note)
        return found

    def each(self, w: Writer, body: Body) -> None:
        self._each_once(w, body, loosely=False)

    def count_to(self, w: Writer, most: int) -> Code:
        return counted_to(w, most, lambda one: self._each_once(w, one, loosely=True))

    def _each_once(self, w: Writer, body: Body, *, loosely: bool) -> None:
        if self.span is None:
            self._each_number(w, body)
        elif self.span[1] <= WORD:
            seen = w.variable(("i64", 0), "i64")
            low = self.span[0]

            def unless_seen(x: Code) -> None:
                bit = w.once(bit_of(x, low), "i64")
                with w.when(("i64.eqz", ("i64.and", seen, bit))):
                    w.set(seen, ("i64.or", seen, bit))
                    body(x)

            self.values(w, unless_seen, loosely=loosely)
        else:
            known = Words.scratch(self.layout, self.span)
            known.clear(w)

            def unless_known(x: Code) -> None:
                with w.when(no(known.has(w, x))):
                    known.put(w, x)
                    body(x)

            self.values(w, unless_known, loosely=loosely)

    def _each_number(self, w: Writer, body: Body) -> None:
        """Of numbers nobody knows how large they are, so they are looked for in a list."""
        address = self.layout.list_memory(self.most())
        w.store(address, 0)
        most = self.most()
        self.values(w, lambda x: w.emit("do", ("call", "append_new", address, x, most)))
        Listed(address, self.most()).each(w, body)

    def each_loosely(self, w: Writer, body: Body) -> None:
        self.values(w, body, loosely=True)
