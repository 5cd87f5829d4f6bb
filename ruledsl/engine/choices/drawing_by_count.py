"""Drawing one option at random where all of them can be counted.

If bits say for every choice of the other parameters which values the last one may have, then the
options are counted word by word, and the one with a drawn number is found again: none is listed,
and none is drawn in vain. Parameters behind that one which may have any value, whatever the others
are, are not gone through at all: they multiply the number, and a remainder tells their values.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ruledsl.engine.choices.domains import SHORT, Domain
from ruledsl.engine.choices.legality import Choose
from ruledsl.engine.choices.offers import Offers
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    load,
    load64,
    mul,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env
from ruledsl.engine.expressions.sieving import Sieving
from ruledsl.engine.memory.layout import Span
from ruledsl.engine.sets.basic import Bits, SetCode
from ruledsl.model import core
from ruledsl.model.types import Type

MOST_ENTRIES = 256
"""Choices of all parameters but the last."""


class DrawingByCount(Part):
    """Lowers drawing from what can be counted."""

    def __init__(self, context: Context, sieving: Sieving, offers: Offers) -> None:
        super().__init__(context)
        self.sieving = sieving
        self.offers = offers

    def is_counted(self, offer: core.Offer, env: Env) -> bool:
        """Whether the options of an offer can be counted word by word."""
        if offer.requirements:
            return False
        plan = self.offers.planned(offer, env)
        if not plan.picks:
            return True
        if any(self.offers.merged(offer)) or offer.arguments[-1] is not None:
            return False
        cases = self._foreseen(offer, env)
        free = len(_free_tail(offer, cases))
        last = len(plan.picks) - 1 - free
        counted = [case[: len(case) - free] for case in cases]
        sizes: dict[int, int] = {}
        for case in counted:
            for domain in case[:-1]:
                sizes[domain.at] = max(sizes.get(domain.at, 0), domain.shape.most)
            if not self._is_counted_last(case[-1], alone=not last):
                return False
        spans = {case[-1].shape.span for case in counted}
        return len(spans) == 1 and prod(sizes.values()) <= MOST_ENTRIES

    def _foreseen(self, offer: core.Offer, env: Env) -> list[tuple[Domain, ...]]:
        """What the parameters that are not fixed are taken from, for each case."""
        given = [each is not None for each in offer.arguments]
        return self.offers.foreseen(offer, env, given, "counted")

    def _is_counted_last(self, domain: Domain, *, alone: bool) -> bool:
        """Whether one word has all values of the last parameter."""
        shape = domain.shape
        if shape.words != 1 or domain.tested:
            return False
        # Drawing in vain a few times costs less than counting.
        return alone or shape.form != "list" or shape.most > SHORT

    def write_counted(
        self, number: int, offer: core.Offer, env: Env, names: tuple[str, str]
    ) -> None:
        """A function that counts the options of an offer, and one that takes one of them."""
        count, take = names
        if not offer.arguments:
            self._write_single(number, offer, env, names)
            return
        free = _free_tail(offer, self._foreseen(offer, env))
        ways = prod(span[1] for span in free)
        last = len(offer.arguments) - 1 - len(free)
        size = 8 + 8 * -(-last // 2)
        entries = self.layout.scratch(size * (MOST_ENTRIES + 1), 8)
        w = self.context.function(count)
        w.function.locals["viewer"] = "i32"
        total = w.variable(0)
        end = w.variable(entries)
        fixed = self.offers.fixed_values(w, offer, env)
        outer: dict[int, Code] = {at: x for at, x in enumerate(fixed) if x is not None}
        spans: set[Span] = set()

        def choose(at: int, whole: SetCode, of: Type, one: Callable[[Code], None]) -> None:  # noqa: ARG001
            if at < last:

                def with_value(x: Code) -> None:
                    outer[at] = x
                    one(x)

                whole.each(w, with_value)
                return
            found = whole.at_hand(w)
            assert found is not None and whole.span is not None
            word = w.once(found, "i64")
            with w.when(("i64.ne", word, ("i64", 0)) if last else 1):
                w.store64(end, word)
                for before in range(last):
                    w.store(end, outer[before], 8 + 4 * before)
                w.set(total, add(total, Bits(word, *whole.span).count(w)))
                w.set(end, add(end, size))
            spans.add(whole.span)

        self._choices(w, offer, env, fixed, choose)
        w.give_back(mul(total, ways))
        ((low, width),) = spans

        w = self.context.function(take, "index")
        behind: list[Code] = []
        for first, number_of in reversed(free):
            behind.insert(0, w.once(add(op("i32.rem_u", "index", number_of), first)))
            w.set("index", op("i32.div_u", "index", number_of))
        entry = w.variable(entries)
        if last:
            with w.loop() as label:
                there = w.once(("i32.wrap_i64", ("i64.popcnt", load64(entry))))
                w.leave_if(label, op("i32.lt_u", "index", there))
                w.set("index", sub("index", there))
                w.set(entry, add(entry, size))
        bit = self.sieving.nth_bit(load64(entry), "index", width)
        others = [load(entry, 8 + 4 * before) for before in range(last)]
        self.offers.drawn(w, number, [*others, add(bit, low), *behind])

    def _write_single(
        self, number: int, offer: core.Offer, env: Env, names: tuple[str, str]
    ) -> None:
        """The same for an offer without parameters: there is one option, or none."""
        count, take = names
        w = self.context.function(count)
        w.function.locals["viewer"] = "i32"
        around = self.offers.around(offer, env)
        plan = self.offers.planned(offer, env)
        self.offers.legality.legal(
            w, plan, [], around, _no_choice, lambda inner, values: w.give_back(1)
        )
        w.give_back(0)
        w = self.context.function(take, "index")
        self.offers.drawn(w, number, [])

    def _choices(
        self, w: Writer, offer: core.Offer, env: Env, fixed: list[Code | None], choose: Choose
    ) -> None:
        around = self.offers.around(offer, env)
        plan = self.offers.planned(offer, env)
        self.offers.legality.legal(
            w, plan, fixed, around, choose, lambda inner, values: None, purpose="counted"
        )


def _free_tail(offer: core.Offer, cases: list[tuple[Domain, ...]]) -> list[Span]:
    """The things that the last parameters are taken from, if any of them may always be chosen.

    At least one parameter is left.
    """
    found: list[Span] = []
    if any(each is not None for each in offer.arguments):
        return found
    for at in reversed(range(1, len(offer.arguments))):
        spans = {case[at].whole_span for case in cases}
        span = spans.pop()
        if span is None or spans:
            break
        found.insert(0, span)
    return found


def _no_choice(at: int, whole: SetCode, of: Type, one: Callable[[Code], None]) -> None:  # noqa: ARG001
    raise AssertionError("there are no parameters")
