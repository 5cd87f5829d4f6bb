"""What a place in the rules wants: a flag, a number, a set, a constant; and coercions to it."""

from __future__ import annotations

import attrs

from ruledsl.diagnostics import typing as mistyped
from ruledsl.model import core
from ruledsl.model.facts import changes_in_play
from ruledsl.model.references import References
from ruledsl.model.scope import Scope
from ruledsl.model.types import (
    ANY,
    FLAG,
    NOTHING,
    NUMBER,
    AnyType,
    FaceType,
    SetType,
    ThingType,
    Type,
    describe,
    fits,
    may_be_none,
    maybe,
    plain,
    thing,
)
from ruledsl.model.walk import expressions
from ruledsl.syntax import ast


class Wants(References):
    """Expressions that must be of a certain type."""

    looked_at: core.Local | None = None
    """in the line of a choice of several: each one that is chosen"""

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
        if isinstance(inner, ThingType):
            value = self.lone(value)
        if fits(value.type, of):
            return value
        if (may_be_none(value.type) and fits(plain(value.type), of)) or isinstance(
            value.type, type(NOTHING)
        ):
            self.report(mistyped.may_be_none(value.span, role, self._why_none(value)))
            if not isinstance(value.type, type(NOTHING)):
                return attrs.evolve(value, type=plain(value.type))
        else:
            hint = None
            if isinstance(inner, FaceType) and self.is_piece(value.type):
                hint = "add `.face`"
            elif isinstance(value.type, FaceType) and of == ThingType(frozenset({value.type.kind})):
                hint = (
                    f"say which piece it is printed on: `the(x in {value.type.kind} where x is …)`"
                )
            elif inner == FLAG and isinstance(value, core.Constant):
                hint = "write `yes` or `no`"
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

    def _why_none(self, value: core.Expr) -> str | None:
        """Where only some kinds have an attribute, what it may be; holes of a grid."""
        if isinstance(value, core.CallDefine):
            body = self.define(value.define).body
            return None if body is None else self._why_none(body)
        if isinstance(value, core.Nth) and self.has_holes(self.heads[value.kind]):
            return f"`{value.kind}` has holes: ask `… != none` first, or say `sure(…)`"
        if not isinstance(value, core.ByKind):
            return None
        having = frozenset[str]().union(*(kinds for kinds, _ in value.arms))
        subject = plain(value.subject.type)
        others = subject.kinds - having if isinstance(subject, ThingType) else frozenset[str]()
        if not others or not having:
            return None
        other, own = min(others), min(having)
        return f"perhaps it is a `{other}`, which has none: ask `… is {own}` first"

    def lone(self, value: core.Expr) -> core.Expr:
        """The name of a kind that has one piece stands for that piece where one is wanted."""
        if not isinstance(value, core.AllThings):
            return value
        piece = self.heads[value.kind].declaration
        if not isinstance(piece, ast.Piece) or piece.per or piece.columns:
            return value
        if piece.count is not None and piece.count != ast.Number(1):
            return value
        of = thing(value.kind)
        unnamed = core.Draw(core.Local("", 0, type=of), value)
        return core.Query("the", (unnamed,), None, None, (), None, type=of, span=value.span)

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
        return self.as_whole(self.expression(node, scope), role, none_is_empty=none_is_empty)

    def singles(self, node: ast.Expr, scope: Scope, role: str, *, pure: bool = False) -> core.Expr:
        """A set from which one is taken: that is a single thing, number or flag."""
        whole = self.whole(node, scope, role, none_is_empty=pure)
        if isinstance(plain(self.element(whole)), SetType):
            hint = "take one of them by `for`, or `first`"
            wanted = "a set of single things"
            self.report(mistyped.wrong_type(whole.span, wanted, describe(whole.type), role, hint))
            return attrs.evolve(whole, type=SetType(ANY))
        return whole

    def as_whole(self, value: core.Expr, role: str, *, none_is_empty: bool = False) -> core.Expr:
        if self.is_place(value.type):
            value = self.contents(value)
        if may_be_none(value.type) and not none_is_empty:
            if isinstance(plain(value.type), SetType):
                self.report(mistyped.may_be_none(value.span, role))
                return attrs.evolve(value, type=plain(value.type))
        if not isinstance(plain(value.type), SetType | AnyType):
            got, hint = describe(value.type), self.hint_of_several(value)
            self.report(mistyped.wrong_type(value.span, "a set or a place", got, role, hint))
            return attrs.evolve(value, type=SetType(ANY))
        return value

    def hint_of_several(self, value: core.Expr) -> str | None:
        """In a choice of several, a requirement is about each of them and not about all."""
        if value != self.looked_at:
            return None
        return (
            f"here `{self.looked_at.name}` is each one that is chosen: where it matters what they"
            " are together, let them be chosen one by one in a `repeat`"
        )

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
                if key not in self.changing_defines:
                    bodies = (info.body, *(row.body for row in info.rows))
                    inside = expressions(tuple(body for body in bodies if body is not None))
                    self.changing_defines[key] = any(map(self.changing, inside))
                return f"`{info.name}`" if self.changing_defines[key] else None
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
