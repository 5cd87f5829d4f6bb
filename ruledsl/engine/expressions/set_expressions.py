"""Sets that are put together: written out, combined, filtered, sorted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    cell_at,
    either,
    eq,
    load,
    mul,
    ne,
    no,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions, drawn, scope_of
from ruledsl.engine.expressions.foresight import Foresight
from ruledsl.engine.expressions.queries import Queries
from ruledsl.engine.memory.layout import NO_NUMBER, NO_THING, Span, category, none_of
from ruledsl.engine.sets.basic import Bits, Body, Everything, SetCode, Written, bit_of
from ruledsl.engine.sets.derived import (
    EachSet,
    Filtered,
    Image,
    OneOf,
    Union,
    Whole,
    or_into,
)
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.shapes import WORD, hull
from ruledsl.engine.sets.stored import Listed, Words
from ruledsl.model import core
from ruledsl.model.names import conjuncts, names_in
from ruledsl.model.types import (
    may_be_none,
)
from ruledsl.table import mishaps

ExprBranches: TypeAlias = Callable[[Callable[[core.Expr], None]], None]
"""Writes conditions, and has something done with the expression that belongs to each."""
UseRow: TypeAlias = Callable[[Env, list[Code]], None]
"""Has something done with what is drawn: the names, and their values in a row."""


class SetExpressions(Part):
    """Lowers sets that are made from others."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        foresight: Foresight,
        keeping: KeptSets,
        queries: Queries,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.foresight = foresight
        self.keeping = keeping
        self.queries = queries

    def written_out(
        self, w: Writer, items: tuple[core.Expr, ...], env: Env, span: Span | None
    ) -> SetCode:
        """A set that is written element by element."""
        codes = [
            (w.once(self.expressions.value(w, item, env)), may_be_none(item.type)) for item in items
        ]
        if span is not None and span[1] <= WORD:
            word: Code = ("i64", 0)
            for code, maybe in codes:
                bit = bit_of(code, span[0])
                if maybe:
                    bit = ("select", bit, ("i64", 0), op("i32.ge_s", code, 0))
                word = bit if word == ("i64", 0) else ("i64.or", word, bit)
            elements = tuple(code for code, _ in codes)
            return Written(w.once(word, "i64"), *span, elements=elements)
        address = self.layout.list_memory(len(items))
        w.store(address, 0)
        none = NO_THING if span is not None else NO_NUMBER
        for code, _ in codes:
            with w.when(ne(code, none)):
                w.emit("do", ("call", "insert", address, code))
        return Listed(address, len(items), True, span)

    def combined(self, w: Writer, node: core.Combine, env: Env) -> SetCode:
        """Two sets added, or one without the other."""
        left, right = (
            self.expressions.set(w, node.left, env),
            self.expressions.set(w, node.right, env),
        )
        span = hull(left.shape, right.shape)
        if node.sign == "-":
            if left.ordered:
                kept = (
                    right if isinstance(right, Everything | Bits) else self.keeping.kept(w, right)
                )
                return Filtered(left, lambda w, x: no(kept.member(w, x)), None)
            span = left.span
        if span is not None and node.sign == "+":
            return Union(self.layout, left, right, span)
        if span is not None and span[1] <= WORD:
            word = w.variable(("i64", 0), "i64")
            or_into(w, word, left, span[0])
            if node.sign == "-":
                other = w.variable(("i64", 0), "i64")
                or_into(w, other, right, span[0])
                w.set(word, ("i64.and", word, ("i64.xor", other, ("i64", -1))))
            return Bits(word, *span)
        if span is None:
            return self._combined_numbers(w, node.sign, left, right)
        words = Words.scratch(self.layout, span)
        words.clear(w)
        left.each_loosely(w, lambda x: words.put(w, x))
        right.each_loosely(w, lambda x: words.put(w, x, there=False))
        return words

    def _insert(self, w: Writer, address: int, capacity: int, x: Code) -> None:
        with w.when(op("i32.ge_s", load(address), capacity)):
            self.context.fail(w, mishaps.SET_TOO_LARGE, None)
        w.emit("do", ("call", "insert", address, x))

    def _combined_numbers(self, w: Writer, sign: str, left: SetCode, right: SetCode) -> SetCode:
        """Numbers, collected in order."""
        capacity = left.most() + (right.most() if sign == "+" else 0)
        address = self.layout.list_memory(capacity)
        w.store(address, 0)
        if sign == "+":
            for whole in (left, right):
                whole.each(w, lambda x: self._insert(w, address, capacity, x))
        else:
            kept = self.keeping.kept(w, right)

            def unless_there(x: Code) -> None:
                x = w.once(x)
                with w.when(no(kept.member(w, x))):
                    self._insert(w, address, capacity, x)

            left.each(w, unless_there)
        return Listed(address, capacity, True)

    def filtered(self, w: Writer, node: core.Query, env: Env) -> SetCode:
        """The elements that pass, perhaps sorted."""
        (draw,) = node.draws
        tests = [] if node.where is None else conjuncts(node.where)
        whole = self.queries.passing(w, draw, tests, node.running, env)
        if node.order:
            return self._sorted(w, node, whole, env)
        if isinstance(whole, Filtered) and self.foresight.wrong.may(node.where, node.running):
            return Whole(whole, self.keeping.listed)
        return whole

    def _sorted(self, w: Writer, node: core.Query, whole: SetCode, env: Env) -> Listed:
        """A list in the order of keys; equal ones stay as they were."""
        number = node.draws[0].local.number

        def each_row(use: UseRow) -> None:
            whole.each(w, lambda x: use({**env, number: x}, [x]))

        address = self.sorted_rows(w, node.order, 1, whole.most(), each_row)
        return Listed(address, whole.most(), False, whole.span)

    def sorted_rows(
        self,
        w: Writer,
        order: tuple[core.Order, ...],
        width: int,
        capacity: int,
        each_row: Callable[[UseRow], None],
    ) -> int:
        """The address of a list of rows of values in the order of keys; equal ones stay."""
        address = self.layout.list_memory(capacity * width)
        rows = address + 4
        ranks = [self.layout.list_memory(capacity) for _ in order]
        w.store(address, 0)

        def insert(inner: Env, values: list[Code]) -> None:
            values = [w.once(value) for value in values]
            key = self.queries.keys_of(w, order, inner)
            at = w.variable(load(address))
            w.store(address, add(at, 1))
            with w.loop() as label:
                w.leave_if(label, eq(at, 0))
                before = w.once(sub(at, 1))
                better: Code = 0
                for own, base in reversed(list(zip(key, ranks, strict=True))):
                    other = load(cell_at(base, before))
                    better = either(op("i32.lt_s", own, other), both(eq(own, other), better))
                w.leave_if(label, no(better))
                row = w.once(add(mul(before, 4 * width), rows))
                for step in range(width):
                    w.store(row, load(row, 4 * step), 4 * (step + width))
                for base in ranks:
                    w.store(cell_at(base, at), load(cell_at(base, before)))
                w.set(at, before)
            here = w.once(add(mul(at, 4 * width), rows))
            for step, value in enumerate(values):
                w.store(here, value, 4 * step)
            for own, base in zip(key, ranks, strict=True):
                w.store(cell_at(base, at), own)

        each_row(insert)
        return address

    def each_row(
        self,
        w: Writer,
        address: int,
        draws: tuple[core.Draw, ...],
        env: Env,
        body: Callable[[Env], None],
    ) -> None:
        """Have something done with the names for each row of a list."""
        width = len(draws)
        end = w.once(add(mul(load(address), 4 * width), address + 4))
        at = w.variable(address + 4)
        with w.loop() as label:
            w.leave_if(label, op("i32.ge_u", at, end))
            inner = dict(env)
            for step, draw in enumerate(draws):
                inner[draw.local.number] = drawn(draw, w.variable(load(at, 4 * step)))
            w.set(at, add(at, 4 * width))
            body(inner)

    def one_of(
        self, w: Writer, node: core.Expr, branches: ExprBranches, env: Env, around: Env
    ) -> SetCode:
        """One of several sets, by conditions; `around` are the names that the whole stands in."""

        def each_set(use: Callable[[SetCode], None]) -> None:
            branches(lambda node: use(self.expressions.set(w, node, env)))

        shape = self.foresight.shape(node, scope_of(around))
        fill = self.keeping.fill_list
        found = OneOf(self.layout, each_set, fill, shape.span, shape.ordered, shape.most)
        if not may_be_none(node.type):
            return found
        there = w.variable(0)
        each_set(lambda whole: w.set(there, whole.there))
        return found.if_there(there)

    def image(self, node: core.Query, env: Env, span: Span | None) -> SetCode:
        """The values of an expression for all draws."""
        assert node.body is not None
        expression = node.body
        none = none_of(category(expression.type))

        def each_value(w: Writer, body: Body, *, loosely: bool = False) -> None:
            def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001 (names stand for them)
                x = w.once(self.expressions.value(w, expression, inner))
                with w.when(ne(x, none) if may_be_none(expression.type) else 1):
                    body(x)

            if not node.order:
                self.queries.draw(
                    w, node.draws, node.where, node.running, env, note, loosely=loosely
                )
                return
            if len(node.draws) > 1:
                most = self.foresight.most_draws(node.draws, scope_of(env))
                rows = self.sorted_rows(
                    w,
                    node.order,
                    len(node.draws),
                    most,
                    lambda use: self.queries.draw(w, node.draws, node.where, None, env, use),
                )
                self.each_row(w, rows, node.draws, env, lambda inner: note(inner, []))
                return
            domain = node.draws[0].domain
            one_by_one = attrs.evolve(node, word="filter", body=None, type=domain.type)
            number = node.draws[0].local.number
            whole = self.expressions.set(w, one_by_one, env)
            whole.each(w, lambda x: note({**env, number: x}, [x]))

        sets = None
        if isinstance(expression, core.Local) and node.running is None and not node.order:
            if expression.number == node.draws[-1].local.number and span is not None:
                sets = self._united(node, env)
        found = Image(self.layout, each_value, span, sets)
        later = (draw.domain for draw in node.draws[1:])
        if self.foresight.wrong.may(node.where, node.running, expression, *later):
            return Whole(found, self.keeping.listed)
        return found

    def _united(self, node: core.Query, env: Env) -> EachSet:
        """The sets that the last name of a query is drawn from, all of whose elements are meant."""
        *draws, last = node.draws
        tests = [] if node.where is None else conjuncts(node.where)
        inner = [test for test in tests if last.local.number in names_in(test)]
        outer = [test for test in tests if test not in inner]

        def each_set(w: Writer, use: Callable[[SetCode], None]) -> None:
            def one(around: Env, values: list[Code]) -> None:  # noqa: ARG001 (names stand for them)
                use(self.queries.passing(w, last, inner, None, around, loosely=True))

            self.queries.draw_tested(w, tuple(draws), outer, env, one, loosely=True)

        return each_set
