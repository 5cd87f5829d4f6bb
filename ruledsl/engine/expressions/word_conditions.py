"""Conditions on all elements of a set at once: as the bits of those that meet them.

How they are answered is planned beforehand (`word_planner.py`); what can't be answered so is left
to the loop over the bits that remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    load64,
    mul,
    op,
    select,
    signed,
    sub,
    within,
)
from ruledsl.engine.code.masks import ALL_OF_THEM, NONE_OF_THEM, and_, not_, or_, shifted
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.boards import Boards
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.subjects import Subject
from ruledsl.engine.expressions.unchanging import Key, Unchanging
from ruledsl.engine.expressions.word_plans import (
    BySize,
    ByValue,
    ForAll,
    Held,
    Inverted,
    Joined,
    Members,
    Near,
    Never,
    OneOfThese,
    Run,
    Same,
    Showing,
    Tabled,
    Unfolded,
    WordPlan,
)
from ruledsl.engine.sets.shapes import WORD
from ruledsl.model import core
from ruledsl.table import mishaps
from ruledsl.table.things import Value


class WordConditions(Part):
    """Lowers conditions to bits."""

    def __init__(
        self, context: Context, expressions: Expressions, unchanging: Unchanging, boards: Boards
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.unchanging = unchanging
        self.boards = boards
        self._words: dict[object, int] = {}
        """addresses of tables of words, by what they are tables of"""

    def mask(
        self, w: Writer, plan: WordPlan, subject: Subject, env: Env, among: Code | None = None
    ) -> Code:
        """The elements that meet a condition; `among` are those it is asked for, if known."""
        match plan:
            case ForAll(condition=condition):
                return self._for_all(w, condition, env)
            case Tabled():
                return self._tabled(w, plan, subject, env)
            case Joined(sign=sign, left=left, right=right):
                one = self.mask(w, left, subject, env, among)
                open_ = one if sign == "and" else not_(one)
                rest = None if among is None else and_(among, open_)
                other = self.mask(w, right, subject, env, rest)
                return and_(one, other) if sign == "and" else or_(one, other)
            case Inverted(plan=inner):
                return not_(self.mask(w, inner, subject, env, among))
            case Held(near=near, sure=sure):
                self._look_after(w, near, sure, subject, env, among)
                return self._held(w, near, subject, env)
            case Showing(near=near, sure=sure, reading=reading, value=value, of=of):
                self._look_after(w, near, sure, subject, env, among)
                shown = 1 if value is None else self.at_once(w, value, env)
                found = self.boards.showing(w, *subject.places, reading, shown, of)
                assert found is not None
                return self._seen_from(w, near, found, env)
            case Run():
                return self._run(w, plan, subject, env)
            case Same(other=other):
                return subject.bit(self.at_once(w, other, env))
            case ByValue():
                return self._by_value(w, plan, env)
            case BySize():
                return self._by_size(w, plan, env)
            case Never():
                return NONE_OF_THEM
            case OneOfThese(plans=plans):
                met: Code = NONE_OF_THEM
                for each in plans:
                    met = or_(met, self.mask(w, each, subject, env, among))
                return met
            case Members(whole=whole):
                return self._members(w, whole, subject, env)
            case Unfolded(number=number, arguments=arguments, plan=inner):
                around: Env = {name: self.at_once(w, node, env) for name, node in arguments}
                return self.mask(w, inner, subject.named(number), around, among)
            case _:
                assert_never(plan)

    def masks(
        self, w: Writer, plans: Sequence[WordPlan], subjects: Sequence[Subject], env: Env
    ) -> list[Code]:
        """The same for the elements of several words."""
        return [
            self.mask(w, plan, subject, env) for plan, subject in zip(plans, subjects, strict=True)
        ]

    def at_once(self, w: Writer, node: core.Expr, env: Env) -> Code:
        """A value that can be worked out without being asked for."""
        return w.once(self.expressions.value(w, node, env))

    def _for_all(self, w: Writer, node: core.Expr, env: Env) -> Code:
        """A condition that is the same for all elements."""
        found = w.once(self.expressions.condition(w, node, env))
        if isinstance(found, int):
            return ALL_OF_THEM if found else NONE_OF_THEM
        return ("i64.extend_i32_s", sub(0, found))

    def _tabled(self, w: Writer, plan: Tabled, subject: Subject, env: Env) -> Code:
        """A condition that never changes, in a table of words by all else it depends on."""
        keys = self.unchanging.keys_with_code(w, plan.keys, env)
        node = plan.condition
        name = ("mask", node, subject.number, subject.span, tuple(key.number for key in keys))
        if name not in self._words:
            all_keys = [*keys, Key(subject.number, list(subject.things), 0)]
            values = list(self.unchanging.all_values(node, all_keys))
            size = len(subject.things)
            self._words[name] = self.layout.words(
                [_bits(values[at : at + size]) for at in range(0, len(values), size)]
            )
        index = self.unchanging.index_of([_inside(w, key) for key in keys])
        return load64(add(mul(index, 8), self._words[name]))

    # ------------------------------------------------------------ comparisons

    def _by_value(self, w: Writer, plan: ByValue, env: Env) -> Code:
        """A table of words by values."""
        value = self.at_once(w, plan.other, env)
        low, count = plan.low, plan.count
        words = [
            signed(sum(1 << at for at, each in enumerate(plan.values) if each == number))
            for number in range(low, low + count)
        ]
        if isinstance(value, int):
            return ("i64", words[value - low] if low <= value < low + count else 0)
        table = self._word_table(words)
        at = w.once(sub(value, low))
        index = w.once(select(op("i32.lt_u", at, count), at, count))
        return load64(add(mul(index, 8), table))

    def _by_size(self, w: Writer, plan: BySize, env: Env) -> Code:
        """A table of words by numbers."""
        value = self.at_once(w, plan.other, env)
        low, high = plan.low, plan.high
        words = [
            signed(
                sum(
                    1 << at
                    for at, each in enumerate(plan.values)
                    if each is not None and _compare(plan.sign, each, number)
                )
            )
            for number in range(low, high + 1)
        ]
        if isinstance(value, int):
            return ("i64", words[min(max(value, low), high) - low])
        x = w.once(select(op("i32.gt_s", value, high), high, value))
        x = w.once(select(op("i32.lt_s", x, low), low, x))
        return load64(add(mul(sub(x, low), 8), self._word_table(words)))

    def _word_table(self, words: list[int]) -> int:
        key = ("words", *words)
        if key not in self._words:
            self._words[key] = self.layout.words([*words, 0])
        return self._words[key]

    def _members(self, w: Writer, whole: core.Expr, subject: Subject, env: Env) -> Code:
        """The elements that are in another set, too."""
        other = self.expressions.set(w, whole, env)
        assert other.span is not None
        by = other.span[0] - subject.span[0]
        word = w.once(other.bits(w), "i64")
        return shifted(word, by) if abs(by) < WORD else NONE_OF_THEM

    # ------------------------------------------------------------ pieces on places

    def _held(self, w: Writer, near: Near, subject: Subject, env: Env) -> Code:
        held = self.boards.occupied(*subject.places)
        assert held is not None
        return self._seen_from(w, near, held, env)

    def _look_after(
        self,
        w: Writer,
        near: Near,
        sure: core.Expr | None,
        subject: Subject,
        env: Env,
        among: Code | None,
    ) -> None:
        """If rules say `the` piece, it has to be there for all that are asked for."""
        if sure is None:
            return
        assert among is not None
        held = self._held(w, near, subject, env)
        with w.when(("i64.ne", and_(among, not_(held)), NONE_OF_THEM)):
            self.context.suspect(w, mishaps.not_the_only(0), sure.span)

    def _run(self, w: Writer, plan: Run, subject: Subject, env: Env) -> Code:
        """The elements after which so many places all meet a condition: one more in each step."""
        met = w.once(self.mask(w, plan.plan, subject.named(plan.number), env), "i64")
        turn, there = self._step(w, plan.near, env)
        found = ALL_OF_THEM
        for _ in range(plan.length):
            found = w.once(and_(("i64.rotr", and_(found, met), turn), there), "i64")
        return found

    def _seen_from(self, w: Writer, near: Near, mask: Code, env: Env) -> Code:
        """The elements for which a place, they themselves or the next in a direction, has a bit."""
        if near.way is None:
            return mask
        turn, there = self._step(w, near, env)
        return ("i64.and", ("i64.rotr", mask, turn), there)

    def _step(self, w: Writer, near: Near, env: Env) -> tuple[Code, Code]:
        """How far bits turn in a step, and which elements can make it."""
        assert near.way is not None
        value = self.at_once(w, near.way, env)
        first = self.layout.first["Dir"]
        if isinstance(value, int):
            turn, there = near.steps[value - first]
            return ("i64", turn), ("i64", signed(there))
        turns = self._word_table([turn for turn, _ in near.steps])
        theres = self._word_table([signed(there) for _, there in near.steps])
        at = w.once(mul(sub(value, first), 8))
        return w.once(load64(add(at, turns)), "i64"), w.once(load64(add(at, theres)), "i64")


def _bits(values: list[Value]) -> int:
    return sum(1 << at for at, value in enumerate(values) if value is True)


def _inside(w: Writer, key: Key) -> Key:
    """A number may lie elsewhere where nobody asks: then any word will do."""
    low = key.things[0]
    if not isinstance(low, int):
        return key
    inside = within(key.code, low, len(key.things))
    return attrs.evolve(key, code=w.once(select(inside, key.code, low)))


def _compare(sign: str, left: int, right: int) -> bool:
    match sign:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right
