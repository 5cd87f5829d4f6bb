"""Drawing one option at random where words have all pairs of values of two parameters.

For each way from a start to its goals a word has the starts with such a goal. The options are all
their bits together, in the order in which they are listed: by starts, and then by ways. So the
start that has the option of a number is found by halves, as in a single word.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

from ruledsl.engine.choices.offers import Offers
from ruledsl.engine.choices.pairs import LEFT, Pairing, Pairs
from ruledsl.engine.choices.plans import ActionPlan
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    eq,
    load,
    load64,
    mul,
    op,
    select,
    signed,
    sub,
)
from ruledsl.engine.code.masks import and_
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, scope_of
from ruledsl.engine.expressions.unchanging import Unchanging
from ruledsl.engine.sets.basic import Bits, SetCode
from ruledsl.engine.sets.shapes import WORD
from ruledsl.model import core
from ruledsl.model.types import Type


class DrawingInPairs(Part):
    """Lowers drawing from pairs."""

    def __init__(
        self, context: Context, unchanging: Unchanging, offers: Offers, pairs: Pairs
    ) -> None:
        super().__init__(context)
        self.unchanging = unchanging
        self.offers = offers
        self.pairs = pairs

    def pairing(self, offer: core.Offer, env: Env) -> Pairing | None:
        """How the parameters of an offer are drawn at once, if they can be."""
        if offer.requirements or any(each is not None for each in offer.arguments):
            return None
        if any(self.offers.merged(offer)):
            return None
        around = scope_of(self.offers.around(offer, env))
        return self.pairs.planned(self.offers.planned(offer, env), around)

    def write(
        self, number: int, offer: core.Offer, env: Env, pairing: Pairing, names: tuple[str, str]
    ) -> None:
        """A function that counts the options of an offer, and one that takes one of them."""
        ways = range(len(pairing.ways))
        (low, size), (low_of_goals, _) = pairing.spans
        kept = self.layout.scratch(2 * WORD // 8 * len(ways), WORD // 8)
        count, take = names
        self._write_count(count, offer, env, pairing, kept)
        w = self.context.function(take, "index")
        left = [w.variable(load64(kept, 16 * way), "i64") for way in ways]
        start = w.variable(0)
        for half in reversed([1 << at for at in range((size - 1).bit_length())]):
            lower = [("i64.and", word, ("i64", (1 << half) - 1)) for word in left]
            held = w.once(reduce(add, map(_size, lower)))
            above = w.once(op("i32.ge_u", "index", held))
            w.set("index", sub("index", ("select", held, 0, above)))
            step = w.once(("select", ("i64", half), ("i64", 0), above), "i64")
            for word in left:
                w.set(word, ("i64.shr_u", word, step))
            w.set(start, add(start, ("select", half, 0, above)))
        far = w.variable(0)
        before: Code = 0
        for way, word in enumerate(left):
            there = w.once(("i32.and", ("i32.wrap_i64", word), 1))
            chosen = both(there, eq("index", before))
            w.set(far, select(chosen, load(kept, 16 * way + 8), far))
            before = w.once(add(before, there))
        goal = ("i32.and", add(start, far), WORD - 1)
        self.offers.drawn(w, number, [add(start, low), add(goal, low_of_goals)])

    def _write_count(
        self, name: str, offer: core.Offer, env: Env, pairing: Pairing, kept: int
    ) -> None:
        """The words of all ways are kept, and how far they go."""
        legality = self.offers.legality
        around = self.offers.around(offer, env)
        w = self.context.function(name)
        w.function.locals["viewer"] = "i32"
        total = w.variable(0)
        table = self._table(w, pairing, around)

        def counted(plan: ActionPlan, inner: Env, found: Callable[[SetCode], None]) -> None:
            def choose(
                at: int,  # noqa: ARG001
                whole: SetCode,
                of: Type,  # noqa: ARG001
                one: Callable[[Code], None],  # noqa: ARG001 - words have all there is
            ) -> None:
                found(whole)

            legality.legal(w, plan, [None], inner, choose, lambda env, x: None, purpose="counted")

        def with_starts(whole: SetCode) -> None:
            starts = w.once(_word(w, whole), "i64")
            counted(pairing.goals, around, lambda goals: with_goals(starts, goals))

        def with_goals(starts: Code, whole: SetCode) -> None:
            assert whole.span is not None
            goals = Bits(w.once(_word(w, whole), "i64"), *whole.span)
            for number, way in enumerate(pairing.ways):
                if way is None:
                    there(number, starts, goals)
                else:
                    counted(way, {**around, LEFT: goals}, partial(there, number, starts))

        def there(way: int, starts: Code, goals: SetCode) -> None:
            may, far = table(way)
            seen = ("i64.rotr", _word(w, goals), far)
            word = w.once(and_(and_(starts, may), seen), "i64")
            w.store64(kept, word, 16 * way)
            w.store64(kept, far, 16 * way + 8)
            w.set(total, add(total, _size(word)))

        counted(pairing.starts, around, with_starts)
        w.give_back(total)

    def _table(self, w: Writer, pairing: Pairing, env: Env) -> Callable[[int], tuple[Code, Code]]:
        """Of each way, who can go it and how far it goes."""
        rows = [(signed(may), far % WORD) for row in pairing.moved for may, far in row]
        if len(pairing.moved) == 1:
            return lambda way: (("i64", rows[way][0]), ("i64", rows[way][1]))
        keys = self.unchanging.keys_with_code(w, pairing.keys, env)
        table = self.layout.words([number for row in rows for number in row])
        row = w.once(add(mul(self.unchanging.index_of(keys), 16 * len(pairing.ways)), table))
        return lambda way: (load64(row, 16 * way), load64(row, 16 * way + 8))


def _word(w: Writer, whole: SetCode) -> Code:
    found = whole.at_hand(w)
    assert found is not None
    return found


def _size(word: Code) -> Code:
    return ("i32.wrap_i64", ("i64.popcnt", word))
