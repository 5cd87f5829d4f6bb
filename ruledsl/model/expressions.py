"""Expressions: operators, sets, queries."""

from __future__ import annotations

from typing import assert_never

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.facts import changes_in_play
from ruledsl.model.references import References
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import PLAYER
from ruledsl.model.types import (
    ANY,
    FLAG,
    NOTHING,
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
    fits,
    join,
    may_be_none,
    maybe,
    plain,
    thing,
)
from ruledsl.model.walk import expressions
from ruledsl.syntax import ast


class Expressions(References):
    """Resolution of every form of expression."""

    def expression(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> core.Expr:
        return scope.facts.narrowed(self._expression(node, scope, expected))

    def _expression(self, node: ast.Expr, scope: Scope, expected: Type | None) -> core.Expr:
        span = node.span
        match node:
            case ast.Number(value=number):
                return core.Constant(number, type=NUMBER, span=span)
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
                return core.Negate(value, type=NUMBER, span=span)
            case ast.Arithmetic():
                return self._arithmetic(node, scope, expected)
            case ast.Interval(low=low, high=high):
                first = self.wanted(low, scope, NUMBER, "the limit of a range")
                last = self.wanted(high, scope, NUMBER, "the limit of a range")
                return core.Interval(first, last, type=SetType(NUMBER), span=span)
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
                return core.Extreme(word, numbers, type=NUMBER, span=span)
            case ast.Reach():
                return self._reach(node, scope)
            case ast.Would():
                return self._would(node, scope)
            case ast.Can():
                return self._can(node, scope)
            case _:
                assert_never(node)

    # ------------------------------------------------------------ what a place in the rules wants

    def wanted(self, node: ast.Expr, scope: Scope, of: Type, role: str) -> core.Expr:
        value = self.expression(node, scope, of)
        return self.checked(value, of, role)

    def checked(self, value: core.Expr, of: Type, role: str) -> core.Expr:
        """The value, coerced where that is allowed; reports when it does not fit."""
        inner = plain(of)
        if isinstance(inner, SetType) and self.is_place(value.type):
            value = self.contents(value)
        if isinstance(value, core.Face) and isinstance(inner, ThingType):
            if value.kind in inner.kinds:
                value = self.as_copy(value)
        if fits(value.type, of):
            return value
        if (may_be_none(value.type) and fits(plain(value.type), of)) or isinstance(
            value.type, type(NOTHING)
        ):
            self.report(mistyped.may_be_none(value.span, role))
        else:
            hint = None
            if isinstance(inner, FaceType) and self.is_piece(value.type):
                hint = "add `.face`"
            elif inner == FLAG and value.type == NUMBER:
                hint = "compare it, as in `… > 0`"
            elif inner == FLAG and (isinstance(value.type, SetType) or self.is_place(value.type)):
                hint = "ask `empty(…)` or `any(…)`"
            self.report(
                mistyped.wrong_type(
                    value.span, self.wanted_words(of), describe(value.type), role, hint
                )
            )
        return attrs.evolve(value, type=of)

    def contents(self, place: core.Expr) -> core.Expr:
        """A place where a set is wanted."""
        of = self.contents_type(place.type)
        if may_be_none(place.type):
            of = maybe(of)
        return core.Contents(place, type=of, span=place.span)

    def flag(self, node: ast.Expr, scope: Scope, word: str) -> core.Expr:
        return self.wanted(node, scope, FLAG, f"the condition of {word}")

    def whole(
        self, node: ast.Expr, scope: Scope, role: str, *, none_is_empty: bool = False
    ) -> core.Expr:
        """A set, or a place for its pieces."""
        value = self.expression(node, scope)
        if self.is_place(value.type):
            value = self.contents(value)
        if may_be_none(value.type) and not none_is_empty:
            if isinstance(plain(value.type), SetType):
                self.report(mistyped.may_be_none(value.span, role))
                return attrs.evolve(value, type=plain(value.type))
        if not isinstance(plain(value.type), SetType | AnyType):
            self.report(
                mistyped.wrong_type(value.span, "a set or a place", describe(value.type), role)
            )
            return attrs.evolve(value, type=SetType(ANY))
        return value

    def element(self, whole: core.Expr) -> Type:
        inner = plain(whole.type)
        return inner.element if isinstance(inner, SetType) else ANY

    def constant(self, node: ast.Expr, scope: Scope, what: str) -> core.Expr:
        value = self.wanted(node, scope, NUMBER, what)
        self.must_be_constant(value, what)
        return value

    def must_be_constant(self, value: core.Expr, what: str) -> None:
        """Report what in a value is known only during the game."""
        for part in expressions(value):
            because = self.changing(part)
            if because is not None:
                self.report(mistyped.not_constant(part.span, what, because))
                return

    def changing(self, part: core.Expr) -> str | None:
        """What a part reads that changes during the game, or None."""
        match part:
            case core.CallDefine(define=key):
                info = self.define(key)
                bodies = (info.body, *(row.body for row in info.rows))
                for body in bodies:
                    for inner in () if body is None else expressions(body):
                        if self.changing(inner) is not None:
                            return f"`{info.name}`"
                return None
            case core.Special(word="players"):
                return None
            case core.Special(word=word):
                return f"`{word}`"
            case core.Contents():
                return "what lies in a place"
            case core.ReadState(state=state):
                return f"`{state}`"
            case _ if changes_in_play(part):
                return "this"
            case _:
                return None

    # ------------------------------------------------------------ operators

    def _attribute_of(self, node: ast.Attribute, scope: Scope) -> core.Expr:
        """`x.f`, also `Suit.clubs` and `board.times`."""
        subject = node.subject
        if isinstance(subject, ast.Ref) and subject.arguments is None:
            name = subject.name.text
            if name not in scope.names and node.arguments is None:
                head = self.heads.get(name)
                if head is not None and node.name.text in head.rows:
                    return attrs.evolve(self.value(name, node.name), span=node.span)
                if name in self.symbols.histories:
                    self.use("history", name)
                    if node.name.text != "times":
                        self.report(
                            found.unknown_attribute(
                                node.name.span, node.name.text, f"`{name}`", ("times",)
                            )
                        )
                    return core.ReadHistory(name, type=NUMBER, span=node.span)
        value = self.expression(subject, scope)
        return self.attribute(value, node.name, node.arguments or (), scope, node.span)

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
        return core.Arithmetic(node.sign, left, right, type=NUMBER, span=node.span)

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
            self.report(
                mistyped.never_equal(span, describe(plain(left.type)), describe(plain(right.type)))
            )

    def _is_ordered(self, side: core.Expr) -> bool:
        """Whether a side can be smaller or larger; reports when not."""
        inner = plain(side.type)
        ordered = isinstance(inner, NumberType | AnyType) or (
            isinstance(inner, ThingType)
            and all(self.heads[kind].sort == "enumeration" for kind in inner.kinds)
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
                if any(key == other for other, _ in arms):
                    self.report(found.duplicate_parameter(key.span, self._words(arm.key)))
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

    # ------------------------------------------------------------ queries

    def bind(
        self, name: ast.Name, of: Type, scope: Scope, *, warn_unused: bool = False
    ) -> core.Local:
        """Bind a local name; reports when it is visible already."""
        bound = scope.names.get(name.text)
        if bound is not None:
            self.report(found.shadowed_name(name.span, name.text, bound.span))
        elif self._is_declared(name.text):
            self.report(found.hidden_name(name.span, name.text))
        return scope.bind(name.text, of, name.span, warn_unused=warn_unused)

    def _is_declared(self, name: str) -> bool:
        """Whether the bare name already means something in the whole game."""
        if name in self.symbols.values or name in self.symbols.options:
            return True
        if name in self.symbols.states or name in self.symbols.histories:
            return True
        if name in self.heads:
            head = self.heads[name]
            return self.single_place(head) or not head.indexes
        return any(group.first is None for group in self.define_groups(name))

    def draws(
        self, nodes: tuple[ast.Draw, ...], scope: Scope, word: str, *, pure: bool = True
    ) -> tuple[core.Draw, ...]:
        bound = []
        for node in nodes:
            role = f"what `{node.name.text}` is drawn from in {word}"
            domain = self.whole(node.domain, scope, role, none_is_empty=pure)
            bound.append(core.Draw(self.bind(node.name, self.element(domain), scope), domain))
        return tuple(bound)

    def orders(self, nodes: tuple[ast.Order, ...], scope: Scope) -> tuple[core.Order, ...]:
        return tuple(
            core.Order(node.way, self.wanted(node.key, scope, maybe(NUMBER), f"`{node.way}`"))
            for node in nodes
        )

    def _query(self, node: ast.Query, scope: Scope, expected: Type | None) -> core.Expr:
        shown = {"filter": "`{…}`", "image": "`{… for …}`"}
        word = shown.get(node.word, f"`{node.word}`")
        if len(node.draws) > 1 and node.word in ("first", "the", "filter"):
            self.report(mistyped.bad_query(node.span, f"{word} is about one name, not several"))
        if len(node.draws) > 1 and node.running is not None:
            self.report(mistyped.bad_query(node.span, "`while` goes with one name, not several"))
        inner = scope.inner()
        draws = self.draws(node.draws, inner, word)
        where = running = body = None
        if node.where is not None:
            where = self.flag(node.where, inner, "`where`")
            inner.learn(where)
        if node.running is not None:
            running = self.flag(node.running, inner, "`while`")
            inner.learn(running)
        order = self.orders(node.order, inner)
        if node.order and node.word not in ("first", "the", "filter", "image"):
            self.report(
                mistyped.bad_query(
                    node.span,
                    f"{word} does not depend on an order",
                    "leave out `highest` and `lowest`",
                )
            )
        if node.body is not None:
            body = self._body(node.word, node.body, inner, expected)
        of = self._query_type(node.word, draws, where, running, body)
        return core.Query(node.word, draws, where, running, order, body, type=of, span=node.span)

    def _body(self, word: str, node: ast.Expr, scope: Scope, expected: Type | None) -> core.Expr:
        if word == "all":
            return self.flag(node, scope, "`have`")
        if word == "image":
            inner = plain(expected) if expected is not None else None
            element = inner.element if isinstance(inner, SetType) else None
            body = self.expression(node, scope, element)
            if may_be_none(body.type):
                self.report(mistyped.may_be_none(body.span, "an element of a set"))
            return body
        return self.wanted(node, scope, NUMBER, f"what `{word}` adds up or compares")

    def _query_type(
        self,
        word: ast.QueryWord,
        draws: tuple[core.Draw, ...],
        where: core.Expr | None,
        running: core.Expr | None,
        body: core.Expr | None,
    ) -> Type:
        element = draws[0].local.type
        match word:
            case "count" | "sum":
                return NUMBER
            case "any" | "all":
                return FLAG
            case "first":
                return maybe(element)
            case "the":
                return element
            case "filter":
                return SetType(element)
            case "image":
                return SetType(plain(body.type) if body is not None else ANY)
            case "max" | "min":
                certain = where is None and running is None
                sure = all(isinstance(draw.domain, core.AllThings) for draw in draws)
                return NUMBER if certain and sure else maybe(NUMBER)
            case _:
                assert_never(word)

    def _over(self, node: ast.Over, scope: Scope) -> core.Expr:
        """A query over a whole set; `the(e)` also of something that may be none."""
        # Whether `the` is about a place or its piece must not depend on what is known here.
        value = self._expression(node.subject, scope, None)
        perhaps = node.word == "the" and may_be_none(value.type)
        value = scope.facts.narrowed(value)
        if self.is_place(value.type) and not perhaps:
            value = self.contents(value)
        if node.word == "the" and not isinstance(plain(value.type), SetType):
            return core.The(value, type=plain(value.type), span=node.span)
        if not isinstance(plain(value.type), SetType | AnyType):
            self.report(
                mistyped.wrong_type(
                    value.span,
                    "a set or a place",
                    describe(value.type),
                    f"what `{node.word}` asks about",
                )
            )
            value = attrs.evolve(value, type=SetType(ANY))
        unnamed = core.Local("", 0, type=self.element(value))
        draws = (core.Draw(unnamed, value),)
        of = self._query_type(node.word, draws, None, None, None)
        return core.Query(node.word, draws, None, None, (), None, type=of, span=node.span)

    def _reach(self, node: ast.Reach, scope: Scope) -> core.Expr:
        start = self.whole(node.start, scope, "where `reach` starts", none_is_empty=True)
        inner = scope.inner()
        local = self.bind(node.name, self.element(start), inner)
        via = self.whole(node.via, inner, "where `reach` goes on to", none_is_empty=True)
        if not fits(self.element(via), local.type):
            self.report(
                mistyped.wrong_type(
                    via.span,
                    f"a set of {describe(local.type)}",
                    describe(via.type),
                    "where `reach` goes on to",
                )
            )
        where = None if node.where is None else self.flag(node.where, inner, "`where`")
        exactly = (
            None
            if node.exactly is None
            else self.wanted(node.exactly, scope, NUMBER, "the number after `exactly`")
        )
        of = SetType(local.type)
        return core.Reach(local, start, via, where, exactly, type=of, span=node.span)

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
