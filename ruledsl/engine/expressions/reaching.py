"""What can be reached from somewhere, step by step.

Where the ways never change, and bits tell where one may go, a step from an element to all that
follow it is a few words from a table, and where a word has all elements and shifts lead from each
to the next, all of them make a step at once; where pieces only arrive, groups are kept (`groups`);
otherwise elements are tried one by one.
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
    signed,
    sub,
)
from ruledsl.engine.code.masks import ALL_OF_THEM, NONE_OF_THEM, and_, not_, or_, shifted
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions, scope_of
from ruledsl.engine.expressions.floods import FloodPlan
from ruledsl.engine.expressions.foresight import Foresight
from ruledsl.engine.expressions.groups import Groups
from ruledsl.engine.expressions.ways import Shift
from ruledsl.engine.expressions.word_conditions import WordConditions
from ruledsl.engine.memory.layout import Span
from ruledsl.engine.sets.basic import Bits, Body, SetCode, each_in_memory
from ruledsl.engine.sets.derived import Flooded, Reached, Stepped, Whole, or_into
from ruledsl.engine.sets.keeping import KeptSets
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
        foresight: Foresight,
        words: WordConditions,
        groups: Groups,
        keeping: KeptSets,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.foresight = foresight
        self.words = words
        self.groups = groups
        self.keeping = keeping
        self._known_ways: dict[tuple[int, ...], int] = {}
        """addresses of tables, by what they hold"""

    def reached(self, w: Writer, node: core.Reach, env: Env) -> SetCode:
        """All that is met on the way, or what is there after so many steps."""
        span = self.layout.span_in(node.type)
        if span is None:
            raise Unsupported("`reach` goes through numbers", node.span)
        if node.exactly is None:
            plan = self.foresight.floods.planned(node, scope_of(env), span)
            if plan is not None and plan.shifts is not None:
                return Bits(self._all_at_once(w, node, env, plan, plan.shifts), *span)
            if plan is not None and plan.kept:
                assert isinstance(node.start, core.SetOf)
                start = self.expressions.value(w, node.start.items[0], env)
                return self.groups.group(w, node, start, plan, env)
            if plan is not None:
                return Flooded(span, lambda w, body: self._flood(w, node, env, plan, body))
            found = Reached(
                self.layout,
                span,
                lambda w, met, body: self._reach_all(w, node, env, met, body),
            )
            if self.foresight.wrong.may(node.via, node.where):
                return Whole(found, self.keeping.listed)
            return found
        stepped = self._reach_exactly(w, node, env, span)
        if stepped.met.words > 1:
            return stepped
        return Bits(w.once(load64(stepped.met.address), "i64"), stepped.met.low, WORD)

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

    def _all_at_once(
        self, w: Writer, node: core.Reach, env: Env, plan: FloodPlan, shifts: tuple[Shift, ...]
    ) -> Code:
        """Everything that can be reached: all elements of a word step on until none is new."""
        (may,) = self._admitted(w, env, plan)
        (met,) = self._started(w, node, env, plan)
        with w.loop() as label:
            onward: Code = NONE_OF_THEM
            for each in shifts:
                onward = or_(onward, shifted(and_(met, ("i64", signed(each.from_))), each.by))
            further = w.once(or_(met, and_(onward, may)), "i64")
            w.leave_if(label, ("i64.eq", further, met))
            w.set(met, further)
        return met

    def _flood(
        self, w: Writer, node: core.Reach, env: Env, plan: FloodPlan, body: Body
    ) -> tuple[Code, ...]:
        """The same from element to element, with something done with each; as words."""
        own = self._admitted(w, env, plan)
        met = self._started(w, node, env, plan)
        lows = [subject.span[0] for subject in plan.subjects]
        ways = self._table_of_ways(plan)
        left = [w.variable(word, "i64") for word in met]
        with w.loop() as label:
            any_left: Code = left[0]
            for word in left[1:]:
                any_left = ("i64.or", any_left, word)
            w.leave_if(label, ("i64.eqz", any_left))
            x = w.once(_taken(w, left, lows))
            body(x)
            at = w.once(add(mul(sub(x, lows[0]), 8 * len(lows)), ways))
            for part, (word, rest, may) in enumerate(zip(met, left, own, strict=True)):
                onward = and_(load64(at, 8 * part), may)
                fresh = w.once(and_(onward, not_(word)), "i64")
                w.set(word, ("i64.or", word, fresh))
                w.set(rest, ("i64.or", rest, fresh))
        return tuple(met)

    def _admitted(self, w: Writer, env: Env, plan: FloodPlan) -> list[Code]:
        """Where one may go, as words."""
        if not plan.admitted:
            return [ALL_OF_THEM for _ in plan.subjects]
        masks = self.words.masks(w, plan.admitted, plan.subjects, env)
        return [w.once(mask, "i64") for mask in masks]

    def _started(self, w: Writer, node: core.Reach, env: Env, plan: FloodPlan) -> list[str]:
        """Where one begins, as words in locals."""
        met = [w.variable(NONE_OF_THEM, "i64") for _ in plan.subjects]

        def start(x: Code) -> None:
            x = w.once(x)
            for word, subject in zip(met, plan.subjects, strict=True):
                w.set(word, ("i64.or", word, subject.bit(x)))

        if isinstance(node.start, core.SetOf) and not _any_none(node.start.items):
            for item in node.start.items:
                start(self.expressions.value(w, item, env))
            return met
        whole = self.expressions.set(w, node.start, env)
        if len(met) == 1 and whole.span == plan.subjects[0].span:
            or_into(w, met[0], whole, plan.subjects[0].span[0])
        else:
            whole.each_loosely(w, start)
        return met

    def _table_of_ways(self, plan: FloodPlan) -> int:
        """A table of what follows each element, as words."""
        if plan.rows not in self._known_ways:
            parts = range(len(plan.subjects))
            self._known_ways[plan.rows] = self.layout.words(
                [bits >> WORD * part & _ALL_BITS for bits in plan.rows for part in parts]
            )
        return self._known_ways[plan.rows]


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
