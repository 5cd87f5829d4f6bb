"""What costs much: values for which something is gone through, or called that may go through it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.definition_plans import DefinitionPlans
from ruledsl.engine.expressions.environment import Known, Later, Scalar, Scope, known_draw
from ruledsl.engine.expressions.foreseen import Foreseeing, Foreseen
from ruledsl.engine.expressions.unchanging import Unchanging, bodies_of
from ruledsl.engine.memory.layout import category
from ruledsl.engine.sets import shapes
from ruledsl.model import core


class GoingFar(Part):
    """Foresees which values cost much."""

    def __init__(
        self,
        context: Context,
        foreseeing: Foreseeing,
        unchanging: Unchanging,
        definitions: DefinitionPlans,
    ) -> None:
        super().__init__(context)
        self.foreseeing = foreseeing
        self.unchanging = unchanging
        self.definitions = definitions

    def goes_far(self, node: core.Expr, scope: Scope) -> bool:
        """Whether working out a value goes through something, or calls what may."""
        match node:
            case core.Local(number=number):
                found = scope.get(number)
                return isinstance(found, Later) and self.goes_far(found.node, found.scope)
            case core.Constant() | core.Value() | core.Face() | core.Copy() | core.OptionValue():
                return False
            case core.Special(word="you" | "active"):
                return self.context.looks_for_someone
            case core.Special():
                return False
            case _:
                pass
        if self.unchanging.table_keys(node, scope) is not None:
            return False
        match node:
            case core.PlaceAt(indexes=parts) | core.Indexed(indexes=parts):
                return self.foreseeing.any_far(parts, scope)
            case (
                core.Nth(numbers=parts) | core.Extreme(items=parts) | core.Computed(operands=parts)
            ):
                return self.foreseeing.any_far(parts, scope)
            case core.ReadColumn(subject=subject) | core.ReadIndex(subject=subject):
                return self.goes_far(subject, scope)
            case core.ReadState(subject=subject):
                return subject is not None and self.goes_far(subject, scope)
            case core.ReadFeature(feature=feature, subject=subject, arguments=arguments):
                calls = feature in ("turned", "sixths") or (
                    feature == "next" and self.context.players_leave
                )
                return calls or self.foreseeing.any_far((subject, *arguments), scope)
            case core.ByKind(subject=subject, local=local, arms=arms):
                inner = {**scope, local.number: Scalar()}
                return self.goes_far(subject, scope) or self.foreseeing.any_far(
                    (arm for _, arm in arms), inner
                )
            case core.CallDefine():
                return self._call_goes_far(node, scope)
            case core.Negate(operand=operand) | core.Not(operand=operand):
                return self.goes_far(operand, scope)
            case core.Arithmetic(sign=sign, left=left, right=right):
                if sign in ("/", "mod") or self.context.ranges.may_fail(node):
                    return True
                return self.foreseeing.any_far((left, right), scope)
            case core.Compare():
                return self._comparison_goes_far(node, scope)
            case core.Member(element=element, whole=whole):
                return self._membership_goes_far(element, whole, scope)
            case core.IsFace(subject=subject, face=face):
                return self.foreseeing.any_far((subject, face), scope)
            case core.IsKind(subject=subject):
                return self.goes_far(subject, scope)
            case core.Both(left=left, right=right):
                return self._shortcut_goes_far(left, right, scope, 0)
            case core.Either(left=left, right=right):
                return self._shortcut_goes_far(left, right, scope, 1)
            case core.Conditional(condition=condition, yes=yes, no=other):
                known = self.foreseeing.constant(condition, scope)
                if known is not None:
                    return self.goes_far(yes if known else other, scope)
                return self.foreseeing.any_far((condition, yes, other), scope)
            case core.Case(subject=subject, arms=arms, otherwise=otherwise):
                rest = () if otherwise is None else (otherwise,)
                keys = (key for key, _ in arms)
                values = (value for _, value in arms)
                return self.foreseeing.any_far((subject, *keys, *values, *rest), scope)
            case core.Query():
                return self._query_goes_far(node, scope)
            case core.Sure(value=value):
                stops = self.context.checked and not self.context.lightly
                return stops or self.goes_far(value, scope)
            case core.Empty(whole=whole):
                return _uses_far(self.foreseeing.set(whole, scope), "filled")
            case (
                core.LongestTrail() | core.Would() | core.Can() | core.Knows() | core.ReadHistory()
            ):
                return True
            case (
                core.AllThings()
                | core.PlacesOf()
                | core.AllFaces()
                | core.Contents()
                | core.Combine()
                | core.Interval()
                | core.SetOf()
                | core.Reach()
            ):
                return self.foreseeing.set(node, scope).far
            case _:
                assert_never(node)

    def _shortcut_goes_far(
        self, left: core.Expr, right: core.Expr, scope: Scope, decided: int
    ) -> bool:
        known = self.foreseeing.constant(left, scope)
        if known is not None:
            return bool(known) != bool(decided) and self.goes_far(right, scope)
        return self.foreseeing.any_far((left, right), scope)

    def _comparison_goes_far(self, node: core.Compare, scope: Scope) -> bool:
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, core.Constant) and side.value is None:
                if category(other.type) == "set":
                    return self.foreseeing.set(other, scope).far
                return self.goes_far(other, scope)
        if category(node.left.type) == "set":
            left, right = (
                self.foreseeing.set(node.left, scope),
                self.foreseeing.set(node.right, scope),
            )
            kept = [shapes.kept(each.shape) for each in (left, right)]
            if any(each.far or shapes.keeps_far(each.shape) for each in (left, right)):
                return True
            one, other_ = kept
            words = all(each.form in ("word", "straight") for each in kept)
            return not (words and one.span and other_.span and one.span[0] == other_.span[0])
        return self._side_goes_far(node.left, node.right, scope) or self._side_goes_far(
            node.right, node.left, scope
        )

    def _side_goes_far(self, node: core.Expr, other: core.Expr, scope: Scope) -> bool:
        match node, other:
            case core.Query(word="count", running=None), core.Constant(value=int()):
                if self.unchanging.still(node) is None:
                    if len(node.draws) == 1 and node.where is None:
                        return _uses_far(
                            self.foreseeing.set(node.draws[0].domain, scope), "count to"
                        )
                    return self._query_goes_far(node, scope)
            case _:
                pass
        return self.goes_far(node, scope)

    def _membership_goes_far(self, element: core.Expr, whole: core.Expr, scope: Scope) -> bool:
        if isinstance(whole, core.Contents) and self.layout.is_piece(element.type):
            return self.foreseeing.any_far((whole.place, element), scope)
        return self.goes_far(element, scope) or _uses_far(
            self.foreseeing.set(whole, scope), "member"
        )

    # ------------------------------------------------------------ queries

    def _query_goes_far(self, node: core.Query, scope: Scope) -> bool:
        whole = len(node.draws) == 1 and node.where is None and node.running is None
        match node.word:
            case "count":
                return self._asking_goes_far(node, scope, "count", whole, loosely=True)
            case "any":
                return self._asking_goes_far(node, scope, "filled", whole, loosely=True)
            case "all":
                return self._asking_goes_far(node, scope, "filled", False, loosely=True)
            case "first" | "the":
                if node.word == "the" and self.context.checked:
                    return not self.context.lightly or self._drawing_goes_far(node, scope)
                if node.order:
                    keys = (each.key for each in node.order)
                    return self._drawing_goes_far(node, scope, keys)
                return self._asking_goes_far(node, scope, "first", whole, loosely=False)
            case "sum" | "max" | "min":
                assert node.body is not None
                if node.word == "sum" and self.context.ranges.may_fail(node):
                    return True
                return self._drawing_goes_far(node, scope, (node.body,))
            case "filter" | "image":
                return self.foreseeing.set(node, scope).far
            case _:
                assert_never(node.word)

    def _asking_goes_far(
        self, node: core.Query, scope: Scope, use: shapes.Use, whole: bool, *, loosely: bool
    ) -> bool:
        if whole:
            return _uses_far(self.foreseeing.set(node.draws[0].domain, scope), use)
        answered = self.foreseeing.answered(node, scope, loosely=loosely)
        if answered is not None:
            domain, sieve = answered
            return domain.far or sieve.far or use in sieve.shape.loops
        body = () if node.body is None else (node.body,)
        return self._drawing_goes_far(node, scope, body, loosely=loosely and use == "filled")

    def _drawing_goes_far(
        self,
        node: core.Query,
        scope: Scope,
        then: Iterable[core.Expr] = (),
        *,
        loosely: bool = False,
    ) -> bool:
        """Whether going through draws loops, or what is done with each goes far."""
        inner: dict[int, Known] = dict(scope)
        for draw in node.draws:
            domain = self.foreseeing.set(draw.domain, inner)
            if _uses_far(domain, "loosely" if loosely else "each"):
                return True
            if draw.local.name:
                inner[draw.local.number] = known_draw(draw)
        parts = [each for each in (node.where, node.running) if each is not None]
        return self.foreseeing.any_far((*parts, *then), inner)

    # ------------------------------------------------------------ definitions

    def _call_goes_far(self, node: core.CallDefine, scope: Scope) -> bool:
        info = self.game.defines[node.define]
        if self.definitions.domains(node, info) is not None:
            return self.foreseeing.any_far(node.arguments, scope)
        if not self.definitions.is_written_out(info):
            return True
        inner, far = self.foreseeing.arguments(node, info, scope)
        if far or (info.rows and info.body is None):
            return True
        return self.foreseeing.any_far(bodies_of(info), inner)


def _uses_far(found: Foreseen, use: shapes.Use) -> bool:
    return found.far or use in found.shape.loops
