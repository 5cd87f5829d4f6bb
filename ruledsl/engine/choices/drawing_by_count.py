"""Drawing one option at random where all of them can be counted.

If bits say for every choice of the other parameters which values the last one may have, then the
options are counted word by word, and the one with a drawn number is found again: none is listed,
and none is drawn in vain.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from ruledsl.engine.choices.candidates import MASKS, VALUES, Candidates
from ruledsl.engine.choices.domains import SHORT, Domain
from ruledsl.engine.choices.indistinguishable import Indistinguishable
from ruledsl.engine.choices.legality import Choose, Legality
from ruledsl.engine.choices.listing import Listing
from ruledsl.engine.choices.plans import Planner
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    load,
    load64,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, scope_of
from ruledsl.engine.expressions.sieving import Sieving
from ruledsl.engine.memory.layout import Span
from ruledsl.engine.sets.basic import Bits, SetCode
from ruledsl.model import core
from ruledsl.model.types import Type

MOST_ENTRIES = 256
"""Choices of all parameters but the last."""


class DrawingByCount(Part):
    """Lowers drawing from what can be counted."""

    def __init__(
        self,
        context: Context,
        sieving: Sieving,
        candidates: Candidates,
        indistinguishable: Indistinguishable,
        planner: Planner,
        legality: Legality,
        listing: Listing,
    ) -> None:
        super().__init__(context)
        self.sieving = sieving
        self.candidates = candidates
        self.indistinguishable = indistinguishable
        self.planner = planner
        self.legality = legality
        self.listing = listing
        self.out_of_order: set[int] = set()
        """decisions at which words have another order than the list of options"""

    def is_counted(self, offer: core.Offer, env: Env) -> bool:
        """Whether the options of an offer can be counted word by word."""
        info = self.game.actions[offer.action]
        if offer.requirements:
            return False
        if not info.picks:
            return True
        if any(self.indistinguishable.mergeable(draw.domain.type) for draw in info.picks):
            return False
        if offer.arguments[-1] is not None:
            return False
        last = len(info.picks) - 1
        plan = self.planner.planned(info, env)
        fixed = [each is not None for each in offer.arguments]
        cases = self.legality.domains.foreseen(plan, fixed, scope_of(env if info.inline else {}))
        sizes: dict[int, int] = {}
        for case in cases:
            for domain in case[:-1]:
                sizes[domain.at] = max(sizes.get(domain.at, 0), domain.shape.most)
            if not self._is_counted_last(case[-1], alone=not last):
                return False
        spans = {case[-1].shape.span for case in cases}
        return len(spans) == 1 and prod(sizes.values()) <= MOST_ENTRIES

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
        info = self.game.actions[offer.action]
        if not info.picks:
            self._write_single(number, offer, env, names)
            return
        last = len(info.picks) - 1
        size = 8 + 8 * -(-last // 2)
        entries = self.layout.scratch(size * (MOST_ENTRIES + 1), 8)
        w = self.context.function(count)
        w.function.locals["viewer"] = "i32"
        total = w.variable(0)
        end = w.variable(entries)
        fixed = self.listing.fixed_values(w, offer, env)
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
        w.give_back(total)
        ((low, width),) = spans

        w = self.context.function(take, "index")
        entry = w.variable(entries)
        if last:
            with w.loop() as label:
                there = w.once(("i32.wrap_i64", ("i64.popcnt", load64(entry))))
                w.leave_if(label, op("i32.lt_u", "index", there))
                w.set("index", sub("index", there))
                w.set(entry, add(entry, size))
        w.store(self.candidates.options, number)
        w.store(self.candidates.options, 0, MASKS)
        for before in range(last):
            w.store(self.candidates.options, load(entry, 8 + 4 * before), VALUES + 4 * before)
        bit = self.sieving.nth_bit(load64(entry), "index", width)
        w.store(self.candidates.options, add(bit, low), VALUES + 4 * last)
        w.give_back(self.candidates.options)

    def _write_single(
        self, number: int, offer: core.Offer, env: Env, names: tuple[str, str]
    ) -> None:
        """The same for an offer without parameters: there is one option, or none."""
        count, take = names
        info = self.game.actions[offer.action]
        w = self.context.function(count)
        w.function.locals["viewer"] = "i32"
        around = env if info.inline else {}
        plan = self.planner.planned(info, env)
        self.legality.legal(w, plan, [], around, _no_choice, lambda inner, values: w.give_back(1))
        w.give_back(0)
        w = self.context.function(take, "index")
        w.store(self.candidates.options, number)
        w.store(self.candidates.options, 0, MASKS)
        w.give_back(self.candidates.options)

    def _choices(
        self, w: Writer, offer: core.Offer, env: Env, fixed: list[Code | None], choose: Choose
    ) -> None:
        info = self.game.actions[offer.action]
        around = env if info.inline else {}
        plan = self.planner.planned(info, env)
        self.legality.legal(w, plan, fixed, around, choose, lambda inner, values: None, drawn=True)


def _no_choice(at: int, whole: SetCode, of: Type, one: Callable[[Code], None]) -> None:  # noqa: ARG001
    raise AssertionError("there are no parameters")
