"""Operators: arithmetic, comparisons, and one value or set out of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from ruledsl.engine.code.instructions import (
    Code,
    Statement,
    Writer,
    add,
    both,
    either,
    eq,
    mul,
    ne,
    no,
    op,
    select,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.number_guards import guarded, narrowed
from ruledsl.engine.expressions.queries import Queries
from ruledsl.engine.expressions.reading import Reading
from ruledsl.engine.expressions.set_expressions import SetExpressions
from ruledsl.engine.expressions.unchanging import Unchanging
from ruledsl.engine.memory.layout import Category, category, none_of
from ruledsl.engine.sets.basic import (
    Bits,
    SetCode,
)
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.model import core
from ruledsl.model.types import (
    may_be_none,
)
from ruledsl.table import mishaps


class Operators(Part):
    """Lowers operators."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        unchanging: Unchanging,
        reading: Reading,
        queries: Queries,
        set_expressions: SetExpressions,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.unchanging = unchanging
        self.reading = reading
        self.queries = queries
        self.set_expressions = set_expressions

    # ------------------------------------------------------------ numbers

    def arithmetic(self, w: Writer, node: core.Arithmetic, env: Env) -> Code:
        left = self.expressions.number(w, node.left, env)
        right = self.expressions.number(w, node.right, env)
        match node.sign:
            case "+":
                return guarded(self.context, w, add(left, right), node)
            case "-":
                return guarded(self.context, w, sub(left, right), node)
            case "*":
                return self._product(w, left, right, node)
            case "/" | "mod":
                by = w.once(right)
                if self.context.ranges.may_fail(node):
                    with w.when(no(by)):
                        self.context.fail(w, mishaps.DIVISION, node.span)
                return ("call", "divide" if node.sign == "/" else "modulo", left, by)
            case _:
                assert_never(node.sign)

    def _product(self, w: Writer, left: Code, right: Code, node: core.Arithmetic) -> Code:
        if not self.context.ranges.may_fail(node):
            return mul(left, right)
        wide = (("i64.extend_i32_s", left), ("i64.extend_i32_s", right))
        return narrowed(self.context, w, ("i64.mul", *wide), node)

    def extreme(self, w: Writer, word: str, items: tuple[core.Expr, ...], env: Env) -> Code:
        sign = "i32.gt_s" if word == "max" else "i32.lt_s"
        best = w.once(self.expressions.number(w, items[0], env))
        for item in items[1:]:
            x = w.once(self.expressions.number(w, item, env))
            best = w.once(select(op(sign, x, best), x, best))
        return best

    # ------------------------------------------------------------ comparisons

    def compare(self, w: Writer, node: core.Compare, env: Env) -> Code:
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, core.Constant) and side.value is None:
                if category(other.type) == "set":
                    there = self.expressions.set(w, other, env).there
                    return no(there) if node.sign == "=" else there
                none = none_of(category(other.type))
                code = self.expressions.value(w, other, env)
                return eq(code, none) if node.sign == "=" else ne(code, none)
        if category(node.left.type) == "set":
            same = self._same_sets(w, node.left, node.right, env)
            return same if node.sign == "=" else no(same)
        left = self._side(w, node.left, node.right, env)
        right = self._side(w, node.right, node.left, env)
        if node.sign in ("=", "!="):
            if may_be_none(node.left.type) and may_be_none(node.right.type):
                left = w.once(left)
                none = none_of(category(node.left.type))
                same = both(eq(left, right), ne(left, none))
            else:
                same = eq(left, right)
            return same if node.sign == "=" else no(same)
        signs = {"<": "i32.lt_s", "<=": "i32.le_s", ">": "i32.gt_s", ">=": "i32.ge_s"}
        left, right = w.once(left), w.once(right)
        holds = op(signs[node.sign], left, right)
        for side, code in ((node.left, left), (node.right, right)):
            if may_be_none(side.type):
                holds = both(holds, ne(code, none_of(category(side.type))))
        return holds

    def _side(self, w: Writer, node: core.Expr, other: core.Expr, env: Env) -> Code:
        """One side of a comparison; nothing is counted further than the other side needs."""
        match node, other:
            case core.Query(word="count", running=None), core.Constant(value=int() as most):
                if self.unchanging.still(node) is None:
                    return self.queries.count_to(w, node, env, most)
            case _:
                pass
        return self.expressions.value(w, node, env)

    def _same_sets(self, w: Writer, left: core.Expr, right: core.Expr, env: Env) -> Code:
        one = self.keeping.kept(w, self.expressions.set(w, left, env))
        other = self.keeping.kept(w, self.expressions.set(w, right, env))
        there = both(one.there, other.there)
        if isinstance(one, Bits) and isinstance(other, Bits) and one.low == other.low:
            return both(there, ("i64.eq", one.word, other.word))
        same = w.variable(both(there, eq(one.count(w), other.count(w))))
        with w.when(same), w.block() as label:

            def missing(x: Code) -> None:
                with w.when(no(other.member(w, x))):
                    w.set(same, 0)
                    w.leave(label)

            one.each(w, missing)
        return same

    def member(self, w: Writer, element: core.Expr, whole: core.Expr, env: Env) -> Code:
        if isinstance(whole, core.Contents) and self.layout.is_piece(element.type):
            place = w.once(self.expressions.value(w, whole.place, env))
            piece = self.expressions.value(w, element, env)
            if may_be_none(element.type):
                piece = w.once(piece)
                found = w.variable(0)
                with w.when(op("i32.ge_s", piece, 0)):
                    w.set(found, self.reading.lies_in(piece, place, whole.place.type))
                return found
            return self.reading.lies_in(piece, place, whole.place.type)
        x = self.expressions.value(w, element, env)
        if may_be_none(element.type):
            x = w.once(x)
            found = w.variable(0)
            with w.when(ne(x, none_of(category(element.type)))):
                w.set(found, self.expressions.set(w, whole, env).member(w, x))
            return found
        return self.expressions.set(w, whole, env).member(w, x)

    # ------------------------------------------------------------ one of several

    def shortcut(
        self, w: Writer, left: core.Expr, right: core.Expr, env: Env, decided: int
    ) -> Code:
        """`and` and `or`: the right side is worked out only if it matters and costs something."""
        one = self.expressions.condition(w, left, env)
        if isinstance(one, int):
            return (
                int(bool(one))
                if bool(one) == bool(decided)
                else self.expressions.condition(w, right, env)
            )
        aside: list[Statement] = []
        with w.into(aside):
            other = self.expressions.condition(w, right, env)
        if not aside and _cheap(other):
            return either(one, other) if decided else both(one, other)
        found = w.variable(one)
        with w.when(no(found) if decided else found):
            w.out.extend(aside)
            w.set(found, other)
        return found

    def conditional(self, w: Writer, node: core.Conditional, env: Env, kind: Category) -> Code:
        condition = self.expressions.condition(w, node.condition, env)
        if isinstance(condition, int):
            return self.expressions.value(w, node.yes if condition else node.no, env, kind)
        condition = w.once(condition)
        then: list[Statement] = []
        otherwise: list[Statement] = []
        with w.into(then):
            one = self.expressions.value(w, node.yes, env, kind)
        with w.into(otherwise):
            two = self.expressions.value(w, node.no, env, kind)
        if not then and not otherwise and _cheap(one) and _cheap(two):
            return select(condition, one, two)
        found = w.temp()
        then.append(("set", found, one))
        otherwise.append(("set", found, two))
        w.emit("if", condition, then, otherwise)
        return found

    def _arms(
        self,
        w: Writer,
        node: core.Case,
        subject: Code,
        env: Env,
        write: Callable[[core.Expr | None], None],
    ) -> None:
        """Write what belongs to each value of a subject, and to all others."""
        kind = category(node.subject.type)
        with w.block() as label:
            for key, value in node.arms:
                same = eq(subject, self.expressions.value(w, key, env, kind))
                if may_be_none(node.subject.type) and may_be_none(key.type):
                    same = both(same, ne(subject, none_of(kind)))
                if same == 0:
                    continue
                if same == 1:
                    write(value)
                    return
                with w.when(same):
                    write(value)
                    w.leave(label)
            write(node.otherwise)

    def case(self, w: Writer, node: core.Case, env: Env, kind: Category) -> Code:
        found = w.temp()
        subject = w.once(self.expressions.value(w, node.subject, env))

        def write(value: core.Expr | None) -> None:
            w.set(
                found,
                none_of(kind) if value is None else self.expressions.value(w, value, env, kind),
            )

        self._arms(w, node, subject, env, write)
        return found

    def by_kind(self, w: Writer, node: core.ByKind, env: Env, kind: Category) -> Code:
        subject = w.once(self.expressions.value(w, node.subject, env))
        found = w.variable(none_of(kind))
        inner = {**env, node.local.number: subject}
        with w.block() as label:
            for kinds, arm in node.arms:
                with w.when(self._is_of(subject, kinds)):
                    w.set(found, self.expressions.value(w, arm, inner, kind))
                    w.leave(label)
        return found

    def _is_of(self, subject: Code, kinds: Iterable[str]) -> Code:
        """Whether a thing is of one of some kinds."""
        test: Code = 0
        for kind in sorted(kinds):
            test = either(test, self.layout.is_kind(subject, kind))
        return test

    def one_of_sets(
        self, w: Writer, node: core.Conditional | core.Case | core.ByKind, env: Env
    ) -> SetCode:
        """One of several sets, in any of the forms that choose one."""
        match node:
            case core.Conditional(condition=test, yes=yes, no=other):
                condition = self.expressions.condition(w, test, env)
                if isinstance(condition, int):
                    return self.expressions.set(w, yes if condition else other, env)
                condition = w.once(condition)

                def branches(write: Callable[[core.Expr], None]) -> None:
                    with w.when(condition):
                        write(yes)
                    with w.when(no(condition)):
                        write(other)

                return self.set_expressions.one_of(w, node, branches, env, env)
            case core.Case():
                chosen = w.once(self.expressions.value(w, node.subject, env))

                def arms(write: Callable[[core.Expr], None]) -> None:
                    self._arms(w, node, chosen, env, lambda v: None if v is None else write(v))

                return self.set_expressions.one_of(w, node, arms, env, env)
            case core.ByKind():
                subject = w.once(self.expressions.value(w, node.subject, env))
                inner = {**env, node.local.number: subject}

                def by_kind(write: Callable[[core.Expr], None]) -> None:
                    for kinds, arm in node.arms:
                        with w.when(self._is_of(subject, kinds)):
                            write(arm)

                return self.set_expressions.one_of(w, node, by_kind, inner, env)
            case _:
                assert_never(node)


def _cheap(code: Code) -> bool:
    """Whether a code may be worked out for nothing: no calls, few loads."""
    if not isinstance(code, tuple):
        return True
    if code[0] in ("call", "i32.mul"):
        return False
    if code[0] == "i32.shl" and isinstance(code[2], int) and code[2] > 3:
        return False  # The address of something large.
    return all(_cheap(part) for part in code[1:] if isinstance(part, tuple))
