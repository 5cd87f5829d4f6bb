"""What can be reached from somewhere, step by step.

Where the ways never change, and bits tell where one may go, a step from an element to all that
follow it is a few words from a table; otherwise they are tried one by one.
"""

from __future__ import annotations

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    load64,
    mul,
    no,
    op,
    select,
    sub,
)
from ruledsl.engine.code.masks import ALL_OF_THEM, NONE_OF_THEM, and_, not_
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions, scope_of
from ruledsl.engine.expressions.foresight import Foresight
from ruledsl.engine.expressions.unchanging import Key, Unchanging
from ruledsl.engine.expressions.words import WordConditions
from ruledsl.engine.memory.board_plans import words_for
from ruledsl.engine.memory.layout import Span
from ruledsl.engine.sets.basic import Bits, Body, SetCode, each_in_memory
from ruledsl.engine.sets.derived import Flood, Flooded, Reached, Stepped
from ruledsl.engine.sets.shapes import WORD
from ruledsl.engine.sets.stored import Words
from ruledsl.engine.unsupported import Unsupported
from ruledsl.model import core
from ruledsl.model.types import may_be_none

_ALL_BITS = (1 << WORD) - 1


class Reaching(Part):
    """Lowers what can be reached."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        unchanging: Unchanging,
        foresight: Foresight,
        words: WordConditions,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.unchanging = unchanging
        self.foresight = foresight
        self.words = words
        self._known_ways: dict[tuple[core.Expr, int, Span], int] = {}
        """addresses of tables, by what leads on"""

    def reached(self, w: Writer, node: core.Reach, env: Env) -> SetCode:
        """All that is met on the way, or what is there after so many steps."""
        span = self.layout.span_in(node.type)
        if span is None:
            raise Unsupported("`reach` goes through numbers", node.span)
        if node.exactly is None:
            flood = self._flood(node, env, span)
            if flood is not None:
                return Flooded(span, flood)
            return Reached(
                self.layout,
                span,
                lambda w, met, body: self._reach_all(w, node, env, met, body),
            )
        found = self._reach_exactly(w, node, env, span)
        if found.met.words > 1:
            return found
        return Bits(w.once(load64(found.met.address), "i64"), found.met.low, WORD)

    def _onward(
        self, w: Writer, node: core.Reach, env: Env, x: Code, note: Body, met: Words | None = None
    ) -> None:
        """One step on from an element, but to none that was met."""
        number = node.local.number
        following = self.expressions.set(w, node.via, {**env, number: x})

        def one(y: Code) -> None:
            y = w.once(y)
            with w.when(1 if met is None else no(met.has(w, y))):
                test: Code = 1
                if node.where is not None:
                    test = self.expressions.condition(w, node.where, {**env, number: y})
                with w.when(test):
                    note(y)

        following.each_loosely(w, one)

    def _reach_all(self, w: Writer, node: core.Reach, env: Env, met: Words, body: Body) -> None:
        """Go through everything that is met, as it is met."""
        queue = self.layout.list_memory(met.size)
        end = w.variable(queue)
        met.clear(w)

        def push(y: Code) -> None:
            met.put(w, y)
            w.store(end, y)
            w.set(end, add(end, 4))

        def start(y: Code) -> None:
            y = w.once(y)
            with w.when(no(met.has(w, y))):
                push(y)

        def visit(x: Code) -> None:
            body(x)
            self._onward(w, node, env, x, push, met)

        self.expressions.set(w, node.start, env).each_loosely(w, start)
        each_in_memory(w, queue, end, visit)  # The queue grows on the way.

    def _reach_exactly(self, w: Writer, node: core.Reach, env: Env, span: Span) -> Stepped:
        """Go from list to list; bits tell what is in the one that is made."""
        assert node.exactly is not None
        met = Words.scratch(self.layout, span)
        here = w.variable(self.layout.list_memory(met.size))
        there = w.variable(self.layout.list_memory(met.size))
        end = w.variable(here)
        met.clear(w)

        def append(x: Code) -> None:
            x = w.once(x)
            with w.when(no(met.has(w, x))):
                met.put(w, x)
                w.store(end, x)
                w.set(end, add(end, 4))

        self.expressions.set(w, node.start, env).each_loosely(w, append)
        times = w.once(self.expressions.number(w, node.exactly, env))
        with w.counting(0, times):
            last = w.variable(end)
            each_in_memory(w, here, last, lambda x: met.put(w, x, there=False))
            w.set(end, there)
            each_in_memory(w, here, last, lambda x: self._onward(w, node, env, x, append))
            before = w.variable(here)
            w.set(here, there)
            w.set(there, before)
        return Stepped(met, here, end)

    # ------------------------------------------------------------ with bits

    def _flood(self, node: core.Reach, env: Env, span: Span) -> Flood | None:
        """How to reach everything with bits; None if they don't tell."""
        plan = self.foresight.flood(node, scope_of(env), span)
        if plan is None:
            return None
        subjects = plan.subjects
        ways = self._ways(node, span)

        def flood(w: Writer, body: Body) -> tuple[Code, ...]:
            masks = [ALL_OF_THEM for _ in subjects]  # Where one may go.
            if plan.admitted:
                masks = self.words.masks(w, plan.admitted, subjects, env)
            own = [w.once(mask, "i64") for mask in masks]
            lows = [subject.span[0] for subject in subjects]
            met = [w.variable(NONE_OF_THEM, "i64") for _ in subjects]

            def start(x: Code) -> None:
                x = w.once(x)
                for word, subject in zip(met, subjects, strict=True):
                    w.set(word, ("i64.or", word, subject.bit(x)))

            if isinstance(node.start, core.SetOf) and not _any_none(node.start.items):
                for item in node.start.items:
                    start(self.expressions.value(w, item, env))
            else:
                self.expressions.set(w, node.start, env).each_loosely(w, start)
            left = [w.variable(word, "i64") for word in met]
            with w.loop() as label:
                any_left: Code = left[0]
                for word in left[1:]:
                    any_left = ("i64.or", any_left, word)
                w.leave_if(label, ("i64.eqz", any_left))
                x = w.once(_taken(w, left, lows))
                body(x)
                at = w.once(add(mul(sub(x, span[0]), 8 * len(lows)), ways))
                for part, (word, rest, may) in enumerate(zip(met, left, own, strict=True)):
                    onward = and_(load64(at, 8 * part), may)
                    fresh = w.once(and_(onward, not_(word)), "i64")
                    w.set(word, ("i64.or", word, fresh))
                    w.set(rest, ("i64.or", rest, fresh))
            return tuple(met)

        return flood

    def _ways(self, node: core.Reach, span: Span) -> int:
        """A table of what follows each element, as words."""
        name = (node.via, node.local.number, span)
        if name not in self._known_ways:
            self._known_ways[name] = self._table_of_ways(node, *span)
        return self._known_ways[name]

    def _table_of_ways(self, node: core.Reach, low: int, size: int) -> int:
        words: list[int] = []
        key = Key(node.local.number, [*self.layout.things[low : low + size]], 0)
        for following in self.unchanging.all_values(node.via, [key]):
            bits = 0
            for each in following if isinstance(following, tuple) else ():
                bits |= 1 << (self.layout.encode(each, "thing") - low)
            words.extend(bits >> WORD * part & _ALL_BITS for part in range(words_for(size)))
        return self.layout.words(words)


def _any_none(items: tuple[core.Expr, ...]) -> bool:
    return any(may_be_none(item.type) for item in items)


def _taken(w: Writer, words: list[str], lows: list[int]) -> Code:
    """Take the lowest element out of the first word that has any."""
    taken: Code = NONE_OF_THEM
    low: Code = 0
    for word, least in zip(reversed(words), reversed(lows), strict=True):
        there = w.once(("i64.ne", word, NONE_OF_THEM))
        taken, low = w.once(select(there, word, taken), "i64"), w.once(select(there, least, low))
    bit = w.once(("i64.and", taken, ("i64.sub", ("i64", 0), taken)), "i64")
    for word, least in zip(words, lows, strict=True):
        own = bit if len(words) == 1 else select(op("i32.eq", low, least), bit, NONE_OF_THEM)
        w.set(word, ("i64.xor", word, own))
    return add(("i32.wrap_i64", ("i64.ctz", bit)), low)
