"""Queries: one loop over all draws, that costs no more than it must."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import assert_never

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    both,
    either,
    eq,
    load,
    no,
    op,
    select,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.draw_orders import DrawOrders
from ruledsl.engine.expressions.environment import Env, Expressions, Lazy, drawn, scope_of
from ruledsl.engine.expressions.foresight import Foresight
from ruledsl.engine.expressions.hoisting import Hoisting
from ruledsl.engine.expressions.number_guards import narrowed
from ruledsl.engine.expressions.sieving import Sieving
from ruledsl.engine.expressions.unchanging import Unchanging
from ruledsl.engine.memory.layout import NO_NUMBER, Category, category, none_of
from ruledsl.engine.sets.basic import Everything, SetCode
from ruledsl.engine.sets.derived import Filtered
from ruledsl.model import core
from ruledsl.model.names import conjuncts, names_in
from ruledsl.model.types import (
    may_be_none,
)
from ruledsl.model.walk import walk
from ruledsl.table import mishaps

MOST_UNROLLED = 8
"""Values that a loop is written out for."""
MOST_UNCOUNTED = 1_000
"""Passes that a query and those around it can make without being counted."""


class Queries(Part):
    """Lowers queries to values."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        unchanging: Unchanging,
        foresight: Foresight,
        orders: DrawOrders,
        hoisting: Hoisting,
        sieving: Sieving,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.unchanging = unchanging
        self.foresight = foresight
        self.orders = orders
        self.hoisting = hoisting
        self.sieving = sieving
        self._passes_around = 1
        """how often at most what is being written is worked out by queries around it"""
        self.notes: dict[core.Expr, int] | None = None
        """where values are noted that several functions want; None if each keeps its own"""

    # ------------------------------------------------------------ what is worked out once

    def worked_out(self, w: Writer, lazy: Lazy, kind: Category) -> Code:
        """A value that is wanted now."""
        if isinstance(lazy.known, int):
            assert isinstance(lazy.held, int)
            with w.when(no(load(lazy.known))):
                w.store(lazy.held, self.expressions.value(w, lazy.node, lazy.env, kind))
                w.store(lazy.known, 1)
            return load(lazy.held)
        assert isinstance(lazy.held, str)
        with w.when(no(lazy.known)):
            w.set(lazy.held, self.expressions.value(w, lazy.node, lazy.env, kind))
            w.set(lazy.known, 1)
        return lazy.held

    def hoisted(
        self, w: Writer, node: core.Expr, changing: set[int], env: Env
    ) -> tuple[core.Expr, Env]:
        """An expression whose costly parts that do not depend on some names are worked out once.

        Only what is wanted is worked out: here just the flags are cleared.
        """
        found, parts = self.hoisting.hoisted(node, changing, env)
        inner = dict(env)
        for local, part in parts:
            if self.notes is None:
                inner[local.number] = Lazy(part, dict(env), w.variable(0), w.temp())
            else:
                cell = self.notes.get(part) or self.layout.scratch(8)
                self.notes[part] = cell
                inner[local.number] = Lazy(part, dict(env), cell, cell + 4)
        return found, inner

    @contextmanager
    def noting(self, notes: dict[core.Expr, int] | None) -> Iterator[None]:
        """Costly values are noted in memory for a while."""
        outer, self.notes = self.notes, notes
        try:
            yield
        finally:
            self.notes = outer

    # ------------------------------------------------------------ loops

    def draw(
        self,
        w: Writer,
        draws: tuple[core.Draw, ...],
        where: core.Expr | None,
        running: core.Expr | None,
        env: Env,
        body: Callable[[Env, list[Code]], None],
        *,
        loosely: bool = False,
    ) -> None:
        """Write a loop over all draws that pass; loosely, in any order and perhaps repeated."""
        tests = [] if where is None else conjuncts(where)
        if running is None or len(draws) > 1:
            self.draw_tested(w, draws, tests, env, body, loosely=loosely)
            return
        number = draws[0].local.number
        filtered = self.passing(w, draws[0], tests, running, env, loosely=loosely)
        filtered.each(w, lambda x: body({**env, number: x}, [x]))

    def draw_tested(
        self,
        w: Writer,
        draws: tuple[core.Draw, ...],
        tests: list[core.Expr],
        env: Env,
        body: Callable[[Env, list[Code]], None],
        *,
        loosely: bool = False,
    ) -> None:
        """Write a loop over all draws that pass some tests."""
        numbers = [each.local.number for each in draws]
        early, last = self.foresight.wrong.apart(draws, tests)

        def further(
            at: int, inner: Env, values: list[Code], tests: list[core.Expr], last: list[core.Expr]
        ) -> None:
            # Conditions are tested as soon as what they depend on is drawn.
            changing = set(numbers[at:])
            now: list[core.Expr] = []
            later: list[core.Expr] = []
            for test in tests:
                (later if names_in(test) & changing else now).append(test)
            with w.block() as skip:
                for test in now:
                    w.leave_if(skip, no(self.expressions.condition(w, test, inner)))
                if at == len(draws):
                    for test in last:
                        w.leave_if(skip, no(self.expressions.condition(w, test, inner)))
                    body(inner, values)
                    return
                number = draws[at].local.number
                whole = self.expressions.set(w, draws[at].domain, inner)
                own = [test for test in later if names_in(test) & changing == {number}]
                sieve = self.sieving.planned(whole, number, own, None, inner, loosely=loosely)
                whole, left = self.sieving.sieved(w, whole, sieve, inner), sieve.left
                remaining: list[core.Expr] = []
                for test in later:
                    if test in own and test not in left:
                        continue
                    hoisted, inner = self.hoisted(w, test, changing, inner)
                    remaining.append(hoisted)
                put_off: list[core.Expr] = []
                for test in last:
                    hoisted, inner = self.hoisted(w, test, changing, inner)
                    put_off.append(hoisted)
                tail = [draw.domain for draw in draws[at + 1 :]]

                before = self._passes_around
                passes = before * max(1, whole.most())

                def one(x: Code) -> None:
                    if passes > MOST_UNCOUNTED:
                        self.context.burn(w, draws[at].domain.span)
                    bound = dict(inner)
                    if draws[at].local.name:
                        bound[number] = drawn(draws[at], x)
                    self._passes_around = passes
                    further(at + 1, bound, [*values, x], remaining, put_off)
                    self._passes_around = before

                if isinstance(whole, Everything) and self._unrolls(whole, number, tail):
                    for each in range(whole.low, whole.low + whole.size):
                        one(each)
                elif loosely:
                    whole.each_loosely(w, one)
                else:
                    whole.each(w, one)

        further(0, env, [], early, last)

    def passing(
        self,
        w: Writer,
        draw: core.Draw,
        tests: list[core.Expr],
        running: core.Expr | None,
        env: Env,
        *,
        loosely: bool = False,
    ) -> SetCode:
        """The elements that pass some tests, as long as it goes on."""
        number = draw.local.number
        whole = self.expressions.set(w, draw.domain, env)
        sieve = self.sieving.planned(whole, number, tests, running, env, loosely=loosely)
        whole, left, running = self.sieving.sieved(w, whole, sieve, env), sieve.left, sieve.running
        if not left and running is None:
            return whole
        conditions: list[core.Expr] = []
        for test in left:
            condition, env = self.hoisted(w, test, {number}, env)
            conditions.append(condition)
        if running is not None:
            running, env = self.hoisted(w, running, {number}, env)
        known = env

        def passes(w: Writer, x: Code) -> Code:
            inner = {**known, number: x}
            if len(conditions) == 1:
                return self.expressions.condition(w, conditions[0], inner)
            found = w.variable(0)
            with w.block() as label:
                for condition in conditions:
                    w.leave_if(label, no(self.expressions.condition(w, condition, inner)))
                w.set(found, 1)
            return found

        def goes_on(w: Writer, x: Code) -> Code:
            assert running is not None
            return self.expressions.condition(w, running, {**known, number: x})

        return Filtered(whole, passes if left else None, None if running is None else goes_on)

    def answered(
        self, w: Writer, node: core.Query, env: Env, *, loosely: bool = False
    ) -> SetCode | None:
        """What passes a query of one draw, if bits answer all that it asks."""
        found = self.foresight.answered(node, scope_of(env), loosely=loosely)
        if found is None:
            return None
        _, sieve = found
        whole = self.expressions.set(w, node.draws[0].domain, env)
        return self.sieving.sieved(w, whole, sieve, env)

    def _unrolls(self, whole: Everything, number: int, tail: list[core.Expr]) -> bool:
        """Whether a loop over a few values picks a different set for each of them."""
        if whole.size > MOST_UNROLLED:
            return False
        for part in walk(tuple(tail)):
            match part:
                case core.Case(subject=core.Local(number=name)) if name == number:
                    return True
                case core.CallDefine(define=key, arguments=arguments):
                    info = self.game.defines[key]
                    for param, argument in zip(info.params, arguments, strict=True):
                        if isinstance(argument, core.Local) and argument.number == number:
                            match info.body:
                                case core.Case(subject=core.Local(number=name)):
                                    if name == param.local.number:
                                        return True
                                case _:
                                    pass
                case _:
                    pass
        return False

    # ------------------------------------------------------------ queries

    def query(self, w: Writer, node: core.Query, env: Env, kind: Category) -> Code:
        whole = len(node.draws) == 1 and node.where is None and node.running is None
        match node.word:
            case "count":
                if whole:
                    return self.expressions.set(w, node.draws[0].domain, env).count(w)
                counted = self.answered(w, node, env, loosely=True)
                if counted is not None:
                    return counted.count(w)
                number = w.variable(0)

                def one(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
                    w.set(number, add(number, 1))

                self.draw(w, node.draws, node.where, node.running, env, one)
                return number
            case "any":
                if whole:
                    return self.expressions.set(w, node.draws[0].domain, env).filled(w)
                return self._exists(w, node, env)
            case "all":
                return no(self._exists(w, node, env))
            case "first" | "the":
                if node.word == "the" and self.context.checked:
                    return self._only(w, node, env, kind)
                if node.order:
                    return self._best(w, node, env)
                if whole:
                    return self.expressions.set(w, node.draws[0].domain, env).first(
                        w, none_of(kind)
                    )
                passing = self.answered(w, node, env)
                if passing is not None:
                    return passing.first(w, none_of(kind))
                found = w.variable(none_of(kind))
                with w.block() as label:

                    def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
                        w.set(found, values[0])
                        w.leave(label)

                    self.draw(w, node.draws, node.where, node.running, env, note)
                return found
            case "sum" | "max" | "min":
                return self._fold(w, node, env)
            case "filter" | "image":
                raise AssertionError("a set where a value is wanted")
            case _:
                assert_never(node.word)

    def count_to(self, w: Writer, node: core.Query, env: Env, most: int) -> Code:
        if len(node.draws) == 1 and node.where is None:
            return self.expressions.set(w, node.draws[0].domain, env).count_to(w, most)
        counted = self.answered(w, node, env, loosely=True)
        if counted is not None:
            return counted.count(w)
        if self._may_go_wrong(node):
            return self.query(w, node, env, "number")
        number = w.variable(0)
        with w.block() as label:

            def one(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
                w.set(number, add(number, 1))
                w.leave_if(label, op("i32.gt_s", number, most))

            self.draw(w, node.draws, node.where, None, env, one)
        return number

    def the(self, w: Writer, code: Code, kind: Category, node: core.Expr) -> Code:
        """Something that must not be none."""
        if not self.context.checked:
            return code
        value = w.once(code)
        with w.when(eq(value, none_of(kind))):
            self.context.suspect(w, mishaps.NOT_THERE, node.span)
        return value

    def _only(self, w: Writer, node: core.Query, env: Env, kind: Category) -> Code:
        """The only draw there is, and no other."""
        found, number = w.variable(none_of(kind)), w.variable(0)

        def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
            w.set(found, values[0])
            w.set(number, add(number, 1))

        self.draw(w, node.draws, node.where, node.running, env, note)
        with w.when(eq(number, 0)):
            self.context.suspect(w, mishaps.not_the_only(0), node.span)
        with w.when(op("i32.gt_s", number, 1)):
            self.context.suspect(w, mishaps.not_the_only(None), node.span)
        return found

    def _exists(self, w: Writer, node: core.Query, env: Env) -> Code:
        passing = self.answered(w, node, env, loosely=True)
        if passing is not None:
            return passing.filled(w)
        found = w.variable(0)
        with w.block() as label:

            def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
                test: Code = 1
                if node.body is not None:
                    test = no(self.expressions.condition(w, node.body, inner))
                with w.when(test):
                    w.set(found, 1)
                    w.leave(label)

            draws = node.draws
            if node.where is not None and node.running is None and node.body is None:
                draws = self.orders.ordered(draws, conjuncts(node.where), scope_of(env))
            loosely = not self._may_go_wrong(node)
            self.draw(w, draws, node.where, node.running, env, note, loosely=loosely)
        return found

    def _may_go_wrong(self, node: core.Query) -> bool:
        """Whether what a query asks of each thing may end in an error."""
        later = (draw.domain for draw in node.draws[1:])
        return self.foresight.wrong.may(node.where, node.running, node.body, *later)

    def _fold(self, w: Writer, node: core.Query, env: Env) -> Code:
        assert node.body is not None
        body = node.body
        if node.word == "sum":
            return self._sum(w, node, body, env)
        total = w.variable(NO_NUMBER)

        def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
            x = w.once(self.expressions.number(w, body, inner))
            sign = "i32.gt_s" if node.word == "max" else "i32.lt_s"
            better = op(sign, x, total)
            if node.word == "min":
                better = either(better, eq(total, NO_NUMBER))
            with w.when(better):
                w.set(total, x)

        self.draw(w, node.draws, node.where, node.running, env, note)
        return total

    def _sum(self, w: Writer, node: core.Query, body: core.Expr, env: Env) -> Code:
        """A total; only what it comes to in the end has to be a number."""
        if not self.context.ranges.may_fail(node):
            total = w.variable(0)
            self.draw(
                w,
                node.draws,
                node.where,
                node.running,
                env,
                lambda inner, _: w.set(total, add(total, self.expressions.number(w, body, inner))),
            )
            return total
        wide = w.variable(("i64", 0), "i64")

        def note(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
            x = ("i64.extend_i32_s", self.expressions.number(w, body, inner))
            w.set(wide, ("i64.add", wide, x))

        self.draw(w, node.draws, node.where, node.running, env, note)
        return narrowed(self.context, w, wide, node)

    def keys_of(self, w: Writer, order: tuple[core.Order, ...], env: Env) -> list[Code]:
        """The keys of a draw, such that lower is better and none comes last."""
        keys: list[Code] = []
        for each in order:
            key = w.once(self.expressions.number(w, each.key, env))
            rank: Code = sub(0, key) if each.way == "highest" else key
            if may_be_none(each.key.type):
                rank = select(eq(key, NO_NUMBER), 2**31 - 1, rank)
            keys.append(w.once(rank))
        return keys

    def _best(self, w: Writer, node: core.Query, env: Env) -> Code:
        """The first in some order: nothing need be sorted."""
        found = w.variable(none_of(category(node.type)))
        some = w.variable(0)
        best = [w.temp() for _ in node.order]

        def note(inner: Env, values: list[Code]) -> None:
            keys = self.keys_of(w, node.order, inner)
            better: Code = 0
            for key, top in reversed(list(zip(keys, best, strict=True))):
                better = either(op("i32.lt_s", key, top), both(eq(key, top), better))
            with w.when(either(no(some), better)):
                w.set(some, 1)
                w.set(found, values[0])
                for key, top in zip(keys, best, strict=True):
                    w.set(top, key)

        self.draw(w, node.draws, node.where, node.running, env, note)
        return found
