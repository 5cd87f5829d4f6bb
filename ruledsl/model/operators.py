"""Operators: arithmetic, comparisons, membership, `is`, conditions, cases and sets."""

from __future__ import annotations

from typing import assert_never

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.limits import combined
from ruledsl.model.queries import Queries
from ruledsl.model.scope import Scope
from ruledsl.model.types import (
    ANY,
    FLAG,
    NUMBER,
    AnyType,
    FaceType,
    FlagType,
    NumberType,
    SetType,
    ThingType,
    Type,
    comparable,
    describe,
    join,
    may_be_none,
    maybe,
    plain,
    thing,
)
from ruledsl.syntax import ast


class Operators(Queries):
    """Expressions made of two sides, or of several."""

    def _arithmetic(self, node: ast.Arithmetic, scope: Scope, expected: Type | None) -> core.Expr:
        if node.sign in ("+", "-"):
            set_wanted = expected is not None and isinstance(plain(expected), SetType)
            left = self.expression(node.left, scope, expected if set_wanted else None)
            if isinstance(plain(left.type), SetType) or self.is_place(left.type):
                return self._combine(node, left, scope)
            left = self.checked(left, NUMBER, f"the left side of `{node.sign}`")
        else:
            left = self.wanted(node.left, scope, NUMBER, f"the left side of `{node.sign}`")
        right = self.wanted(node.right, scope, NUMBER, f"the right side of `{node.sign}`")
        of = combined(node.sign, left, right)
        return core.Arithmetic(node.sign, left, right, type=of, span=node.span)

    def _combine(self, node: ast.Arithmetic, left: core.Expr, scope: Scope) -> core.Expr:
        role = f"the side of `{node.sign}`"
        if self.is_place(left.type):
            left = self.contents(left)
        if may_be_none(left.type):
            self.report(mistyped.may_be_none(left.span, role))
        right = self.expression(node.right, scope, plain(left.type))
        if self.is_place(right.type):
            right = self.contents(right)
        if may_be_none(right.type):
            self.report(mistyped.may_be_none(right.span, role))
        of = join(plain(left.type), plain(right.type))
        if of is None or not isinstance(plain(right.type), SetType | AnyType):
            self.report(
                mistyped.wrong_type(
                    right.span, describe(plain(left.type)), describe(right.type), role
                )
            )
            of = plain(left.type)
        if node.sign == "-":
            of = plain(left.type)
        sign = "+" if node.sign == "+" else "-"
        return core.Combine(sign, left, right, type=of, span=node.span)  # type: ignore[arg-type]

    def _comparison(self, node: ast.Comparison, scope: Scope) -> core.Expr:
        span = node.span
        match node.sign:
            case "=" | "!=":
                left, right = self._both_sides(node, scope)
                self._check_comparable(left, right, span)
                return core.Compare(node.sign, left, right, type=FLAG, span=span)
            case "<" | "<=" | ">" | ">=":
                left, right = self._both_sides(node, scope)
                if self._is_ordered(left) and self._is_ordered(right):
                    self._check_comparable(left, right, span)
                return core.Compare(node.sign, left, right, type=FLAG, span=span)
            case "in" | "not in":
                member = self._member(node, scope)
                if node.sign == "in":
                    return member
                return core.Not(member, type=FLAG, span=span)
            case "is" | "is not":
                test = self._is(node, scope)
                return test if node.sign == "is" else core.Not(test, type=FLAG, span=span)
            case _:
                assert_never(node.sign)

    def _both_sides(self, node: ast.Comparison, scope: Scope) -> tuple[core.Expr, core.Expr]:
        """The side that is not a bare value first: its type tells the other's values apart."""
        if self._is_bare_value(node.left, scope) and not self._is_bare_value(node.right, scope):
            right = self.expression(node.right, scope)
            left = self.expression(node.left, scope, right.type)
        else:
            left = self.expression(node.left, scope)
            right = self.expression(node.right, scope, left.type)
        # A set compared with a place means the place's pieces.
        if isinstance(plain(left.type), SetType) and self.is_place(right.type):
            right = self.contents(right)
        if isinstance(plain(right.type), SetType) and self.is_place(left.type):
            left = self.contents(left)
        # A face compared with a piece means its only copy.
        if isinstance(right, core.Face) and self.is_piece(left.type):
            right = self.as_copy(right)
        if isinstance(left, core.Face) and self.is_piece(right.type):
            left = self.as_copy(left)
        return left, right

    def _is_bare_value(self, node: ast.Expr, scope: Scope) -> bool:
        if isinstance(node, ast.SetOf):
            return bool(node.items) and all(self._is_bare_value(i, scope) for i in node.items)
        return (
            isinstance(node, ast.Ref)
            and node.arguments is None
            and node.name.text not in scope.names
            and node.name.text in self.symbols.values
        )

    def _check_comparable(self, left: core.Expr, right: core.Expr, span: Span) -> None:
        if not comparable(left.type, right.type):
            one, other = plain(left.type), plain(right.type)
            constant = isinstance(left, core.Constant) or isinstance(right, core.Constant)
            hint = "write `yes` or `no`" if constant and FLAG in (one, other) else None
            self.report(mistyped.never_equal(span, describe(one), describe(other), hint))

    def _is_ordered(self, side: core.Expr) -> bool:
        """Whether a side can be smaller or larger; reports when not."""
        inner = plain(side.type)
        ordered = isinstance(inner, NumberType | AnyType) or (
            isinstance(inner, ThingType)
            and all(self.heads[kind].sort in ("enumeration", "product") for kind in inner.kinds)
        )
        if not ordered:
            self.report(
                mistyped.wrong_type(
                    side.span,
                    "a number, or a value of a `type`",
                    describe(side.type),
                    "what is compared by size",
                )
            )
        return ordered

    def _member(self, node: ast.Comparison, scope: Scope) -> core.Expr:
        if self._is_bare_value(node.left, scope):
            whole = self.whole(node.right, scope, "the right side of `in`", none_is_empty=True)
            element = self.expression(node.left, scope, self.element(whole))
        else:
            element = self.expression(node.left, scope)
            whole_value = self.expression(node.right, scope, SetType(plain(element.type)))
            whole = self.contents(whole_value) if self.is_place(whole_value.type) else whole_value
            if not isinstance(plain(whole.type), SetType | AnyType):
                self.report(
                    mistyped.wrong_type(
                        whole.span,
                        "a set or a place",
                        describe(whole.type),
                        "the right side of `in`",
                    )
                )
        of = self.element(whole)
        if isinstance(element, core.Face) and self.is_piece(of):
            element = self.as_copy(element)
        if not comparable(element.type, of):
            self.report(
                mistyped.never_equal(
                    node.span, describe(plain(element.type)), f"in {describe(plain(whole.type))}"
                )
            )
        return core.Member(element, whole, type=FLAG, span=node.span)

    def _is(self, node: ast.Comparison, scope: Scope) -> core.Expr:
        """`x is face` and `x is Kind`."""
        subject = self.expression(node.left, scope)
        inner = plain(subject.type)
        right = node.right
        if (
            isinstance(right, ast.Ref)
            and right.arguments is None
            and right.name.text not in scope.names
            and right.name.text in self.heads
            and self.heads[right.name.text].sort in ("piece", "place")
            and not self.single_place(self.heads[right.name.text])
        ):
            kind = right.name.text
            self.use("kind", kind)
            if isinstance(inner, ThingType) and kind not in inner.kinds:
                self.report(mistyped.never_equal(node.span, describe(inner), describe(thing(kind))))
            return core.IsKind(subject, kind, type=FLAG, span=node.span)
        if isinstance(inner, ThingType) and not self.is_piece(inner):
            self.report(
                mistyped.wrong_type(
                    subject.span,
                    "a piece or a face",
                    describe(subject.type),
                    "the left side of `is`",
                    "use `=` to compare values",
                )
            )
            return core.Constant(False, type=FLAG, span=node.span)
        face = self._face_of(right, inner, scope)
        if isinstance(inner, NumberType | FlagType | SetType):
            self.report(
                mistyped.wrong_type(
                    subject.span, "a piece or a face", describe(inner), "the left side of `is`"
                )
            )
        return core.IsFace(subject, face, type=FLAG, span=node.span)

    def _face_of(self, node: ast.Expr, subject: Type, scope: Scope) -> core.Expr:
        kinds: frozenset[str] = frozenset()
        if isinstance(subject, ThingType):
            kinds = subject.kinds
        elif isinstance(subject, FaceType):
            kinds = frozenset({subject.kind})
        if isinstance(node, ast.Ref) and node.arguments is None:
            bare = node.name.text not in scope.names
            fitting = [
                kind for kind in self.symbols.values.get(node.name.text, []) if kind in kinds
            ]
            if bare and len(fitting) == 1:
                return attrs.evolve(self.value(fitting[0], node.name), span=node.span)
        expected = FaceType(next(iter(kinds))) if len(kinds) == 1 else None
        face = self.expression(node, scope, expected)
        inner = plain(face.type)
        if isinstance(inner, AnyType):
            return face
        if not isinstance(inner, FaceType):
            hint = "add `.face`" if self.is_piece(inner) else None
            self.report(
                mistyped.wrong_type(
                    face.span,
                    "a face or a kind",
                    describe(face.type),
                    "the right side of `is`",
                    hint,
                )
            )
        elif kinds and inner.kind not in kinds:
            self.report(mistyped.never_equal(face.span, describe(subject), describe(inner)))
        return face

    # ------------------------------------------------------------ conditions, cases, sets

    def _conditional(self, node: ast.Conditional, scope: Scope, expected: Type | None) -> core.Expr:
        condition = self.flag(node.condition, scope, "`if`")
        then_scope, else_scope = scope.inner(), scope.inner()
        then_scope.learn(condition)
        else_scope.learn(condition, False)
        yes = self.expression(node.yes, then_scope, expected)
        no = self.expression(node.no, else_scope, expected or yes.type)
        yes, no, of = self._one_type(yes, no, "the two sides of `if`")
        return core.Conditional(condition, yes, no, type=of, span=node.span)

    def _one_type(
        self, one: core.Expr, other: core.Expr, what: str
    ) -> tuple[core.Expr, core.Expr, Type]:
        if isinstance(plain(one.type), SetType) and self.is_place(other.type):
            other = self.contents(other)
        if isinstance(plain(other.type), SetType) and self.is_place(one.type):
            one = self.contents(one)
        if isinstance(one, core.Face) and self.is_piece(other.type):
            one = self.as_copy(one)
        if isinstance(other, core.Face) and self.is_piece(one.type):
            other = self.as_copy(other)
        of = join(one.type, other.type)
        if of is None:
            self.report(
                mistyped.not_one_type(other.span, describe(one.type), describe(other.type), what)
            )
            of = ANY
        return one, other, of

    def _case(self, node: ast.Case, scope: Scope, expected: Type | None) -> core.Expr:
        subject = self.expression(node.subject, scope)
        if self.is_piece(subject.type):
            kinds = plain(subject.type)
            assert isinstance(kinds, ThingType)
            if len(kinds.kinds) == 1:
                of_face = FaceType(next(iter(kinds.kinds)))
                subject = core.ReadFeature("face", subject, (), type=of_face, span=subject.span)
        arms: list[tuple[core.Expr, core.Expr]] = []
        keys: set[core.Expr] = set()
        otherwise: core.Expr | None = None
        value_type: Type | None = None
        for arm in node.arms:
            value = self.expression(arm.value, scope, expected or value_type)
            if value_type is None:
                value_type = value.type
            else:
                joined = join(value_type, value.type)
                if joined is None:
                    self.report(
                        mistyped.not_one_type(
                            value.span,
                            describe(value_type),
                            describe(value.type),
                            "the values of `case`",
                        )
                    )
                else:
                    value_type = joined
            if arm.key is None:
                otherwise = value
            else:
                key = self.expression(arm.key, scope, plain(subject.type))
                self._check_comparable(subject, key, key.span)
                if key in keys:
                    self.report(found.duplicate_parameter(key.span, self._words(arm.key)))
                keys.add(key)
                arms.append((key, value))
        of = value_type or ANY
        if otherwise is None and not self._covers(subject, [key for key, _ in arms]):
            of = maybe(of)
        return core.Case(subject, tuple(arms), otherwise, type=of, span=node.span)

    def _words(self, node: ast.Expr) -> str:
        match node:
            case ast.Ref(name=name):
                return name.text
            case ast.Number(value=value):
                return str(value)
            case _:
                return "this key"

    def _covers(self, subject: core.Expr, keys: list[core.Expr]) -> bool:
        """Whether the keys name every value the subject can have."""
        if isinstance(subject, core.Special) and subject.word == "players":
            return True  # a missing number of players is found when that table is laid
        match plain(subject.type):
            case ThingType(kinds) if len(kinds) == 1 and not may_be_none(subject.type):
                (kind,) = kinds
                named = {key.name for key in keys if isinstance(key, core.Value)}
                rows = self.heads[kind].rows
                return bool(rows) and named >= set(rows)
            case FaceType(kind) if not may_be_none(subject.type):
                named = {key.name for key in keys if isinstance(key, core.Face)}
                return named >= set(self.heads[kind].rows)
            case FlagType():
                return len(keys) == 2
            case _:
                return False

    def _set_of(
        self, node: ast.SetOf, items: tuple[ast.Expr, ...], scope: Scope, expected: Type | None
    ) -> core.Expr:
        wanted: Type | None = None
        if expected is not None and isinstance(inner := plain(expected), SetType):
            wanted = plain(inner.element)
        values: list[core.Expr] = []
        of: Type = ANY
        # Bare values are told apart by the others' types.
        hinted = wanted
        if hinted is None:
            for item in items:
                if not self._is_bare_value(item, scope):
                    hinted = plain(self._quiet_type(item, scope))
                    break
        for item in items:
            value = self.expression(item, scope, hinted)
            if isinstance(value, core.Face) and isinstance(hinted, ThingType):
                value = self.as_copy(value)
            if may_be_none(value.type):
                self.report(mistyped.may_be_none(value.span, "an element of a set", None))
            joined = join(of, plain(value.type))
            if joined is None:
                self.report(
                    mistyped.not_one_type(
                        value.span, describe(of), describe(value.type), "the elements of a set"
                    )
                )
            else:
                of = joined
            values.append(value)
        return core.SetOf(tuple(values), type=SetType(of), span=node.span)

    def _quiet_type(self, node: ast.Expr, scope: Scope) -> Type:
        """The type of an expression, without reporting; it is resolved again later."""
        before = len(self.diagnostics)
        of = self.expression(node, scope).type
        del self.diagnostics[before:]
        return of
