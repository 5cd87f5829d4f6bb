"""Expressions: every form of them."""

from __future__ import annotations

from typing import assert_never

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.syntax import definitions_too_deep
from ruledsl.model import core
from ruledsl.model.depth import DEEPEST_EXPRESSION
from ruledsl.model.limits import between, combined, extreme
from ruledsl.model.operators import Operators
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import PLAYER
from ruledsl.model.types import (
    ANY,
    FLAG,
    NOTHING,
    NUMBER,
    FaceType,
    NumberType,
    SetType,
    Type,
    thing,
)
from ruledsl.syntax import ast


class Expressions(Operators):
    """Resolution of every form of expression."""

    _nesting = 0
    """how many expressions are being resolved, each for the one before"""
    _too_deep = False
    """whether that was reported: once is enough"""

    def expression(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> core.Expr:
        self._nesting += 1
        try:
            if self._nesting > DEEPEST_EXPRESSION:
                if not self._too_deep:
                    self.report(definitions_too_deep(node.span))
                self._too_deep = True
                return core.Constant(None, type=ANY, span=node.span)
            return scope.facts.narrowed(self._expression(node, scope, expected))
        finally:
            self._nesting -= 1

    def _expression(self, node: ast.Expr, scope: Scope, expected: Type | None) -> core.Expr:
        span = node.span
        match node:
            case ast.Number(value=number):
                return core.Constant(number, type=NumberType(number, number), span=span)
            case ast.Flag(value=flag):
                return core.Constant(flag, type=FLAG, span=span)
            case ast.Nothing():
                return core.Constant(None, type=NOTHING, span=span)
            case ast.Text():
                self.report(mistyped.text_as_value(span))
                return core.Constant(None, type=ANY, span=span)
            case ast.Ref():
                return self.reference(node, scope, expected)
            case ast.Attribute():
                return self._attribute_of(node, scope)
            case ast.FaceOf(kind=kind):
                of = self.face_type(kind)
                whole: Type = SetType(of)
                if not isinstance(of, FaceType):
                    return core.Constant(None, type=ANY, span=span)
                return core.AllFaces(of.kind, type=whole, span=span)
            case ast.Negative(operand=operand):
                value = self.wanted(operand, scope, NUMBER, "what is negated")
                zero = core.Constant(0, type=NumberType(0, 0))
                return core.Negate(value, type=combined("-", zero, value), span=span)
            case ast.Arithmetic():
                return self._arithmetic(node, scope, expected)
            case ast.Interval(low=low, high=high):
                first = self.wanted(low, scope, NUMBER, "the limit of a range")
                last = self.wanted(high, scope, NUMBER, "the limit of a range")
                return core.Interval(first, last, type=SetType(between(first, last)), span=span)
            case ast.Comparison():
                return self._comparison(node, scope)
            case ast.Not(operand=operand):
                return core.Not(self.flag(operand, scope, "`not`"), type=FLAG, span=span)
            case ast.Both(left=left, right=right):
                one = self.flag(left, scope, "`and`")
                guarded = scope.inner()
                guarded.learn(one)
                return core.Both(one, self.flag(right, guarded, "`and`"), type=FLAG, span=span)
            case ast.Either(left=left, right=right):
                one = self.flag(left, scope, "`or`")
                guarded = scope.inner()
                guarded.learn(one, False)
                return core.Either(one, self.flag(right, guarded, "`or`"), type=FLAG, span=span)
            case ast.Conditional():
                return self._conditional(node, scope, expected)
            case ast.Case():
                return self._case(node, scope, expected)
            case ast.SetOf(items=items):
                return self._set_of(node, items, scope, expected)
            case ast.Query():
                return self._query(node, scope, expected)
            case ast.Over():
                return self._over(node, scope)
            case ast.Extreme(word=word, items=items):
                role = f"the argument of `{word}`"
                numbers = tuple(self.wanted(item, scope, NUMBER, role) for item in items)
                return core.Extreme(word, numbers, type=extreme(word, numbers), span=span)
            case ast.Reach():
                return self._reach(node, scope)
            case ast.LongestTrail():
                return self._trail(node, scope)
            case ast.Would():
                return self._would(node, scope)
            case ast.Can():
                return self._can(node, scope)
            case _:
                assert_never(node)

    def _attribute_of(self, node: ast.Attribute, scope: Scope) -> core.Expr:
        """`x.f`, also `Suit.clubs` and `board.times`."""
        subject = node.subject
        if isinstance(subject, ast.Ref) and subject.arguments is None:
            name = subject.name.text
            if name not in scope.names and node.arguments is None:
                head = self.heads.get(name)
                if head is not None and node.name.text in head.rows:
                    self.occurrences.meet(subject.name.span, "kind", name)
                    return attrs.evolve(self.value(name, node.name), span=node.span)
                if name in self.symbols.histories:
                    self.use("history", name)
                    self.occurrences.meet(subject.name.span, "history", name)
                    if node.name.text != "times":
                        self.report(
                            found.unknown_attribute(
                                node.name.span, node.name.text, f"`{name}`", ("times",)
                            )
                        )
                    return core.ReadHistory(name, type=NUMBER, span=node.span)
        value = self.lone(self.expression(subject, scope))
        return self.attribute(value, node.name, node.arguments or (), scope, node.span)

    # ------------------------------------------------------------ looking ahead

    def _would(self, node: ast.Would, scope: Scope) -> core.Expr:
        arguments = self.step_arguments(node.step, node.arguments or (), scope, node.span)
        after = scope.inner()
        after.forget()
        body = self.expression(node.body, after)
        if arguments is None:
            return core.Constant(None, type=ANY, span=node.span)
        return core.Would(body, node.step.text, arguments, type=body.type, span=node.span)

    def _can(self, node: ast.Can, scope: Scope) -> core.Expr:
        arguments = self.action_arguments(node.action, node.arguments or (), scope, node.span)
        by = (
            None
            if node.by is None
            else self.wanted(node.by, scope, thing(PLAYER), "the player after `by`")
        )
        if arguments is None:
            return core.Constant(None, type=ANY, span=node.span)
        return core.Can(node.action.text, arguments, by, type=FLAG, span=node.span)
