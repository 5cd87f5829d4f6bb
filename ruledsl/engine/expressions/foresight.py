"""What lowering will come to, told from the rules alone: shapes of sets, and what costs much.

Nothing is written here. Whoever writes code asks first, and then writes what was foreseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

import attrs

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.definition_plans import DefinitionPlans, strict_in
from ruledsl.engine.expressions.environment import Known, Later, Scalar, Scope, known_draw
from ruledsl.engine.expressions.floods import Floods
from ruledsl.engine.expressions.lasting_shapes import LastingShapes
from ruledsl.engine.expressions.sieves import Sieve, Siever
from ruledsl.engine.expressions.unchanging import Unchanging, bodies_of, is_ordered
from ruledsl.engine.expressions.ways import Ways
from ruledsl.engine.expressions.word_planner import WordPlanner
from ruledsl.engine.memory.layout import Span, category
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.shapes import WORD, Shape
from ruledsl.engine.sets.stored import LONG
from ruledsl.model import core
from ruledsl.model.builtins import IN_ORDER
from ruledsl.model.game import DefineInfo
from ruledsl.model.names import conjuncts
from ruledsl.model.types import may_be_none
from ruledsl.table.things import face_kind


@attrs.frozen
class Foreseen:
    """A set: its shape, and whether something is gone through, or called, to have it at all."""

    shape: Shape
    far: bool = False


class Foresight(Part):
    """Foresees what lowering comes to."""

    def __init__(
        self, context: Context, unchanging: Unchanging, definitions: DefinitionPlans
    ) -> None:
        super().__init__(context)
        self.unchanging = unchanging
        self.definitions = definitions
        self.lasting = LastingShapes(context, unchanging)
        self.words = WordPlanner(context, unchanging, self.goes_far, self._bits_of)
        self.siever = Siever(context, self.words)
        self.floods = Floods(context, self.words, Ways(context, unchanging))

    def shape(self, node: core.Expr, scope: Scope) -> Shape:
        """The shape of a set."""
        return self.set(node, scope).shape

    def constant(self, node: core.Expr, scope: Scope) -> int | None:
        """A number or flag that is known when code is written."""
        match node:
            case core.Constant(value=int() as value):
                return int(value)
            case core.Local(number=number):
                found = scope.get(number)
                return found.value if isinstance(found, Scalar) else None
            case core.Special(word="players"):
                return self.layout.players
            case core.Value() | core.Face() | core.Copy() | core.OptionValue():
                return self.unchanging.constant(node, category(node.type))
            case core.Not(operand=operand):
                inner = self.constant(operand, scope)
                return None if inner is None else int(not inner)
            case _:
                pass
        keys = self.unchanging.table_keys(node, scope)
        if keys is None or keys or category(node.type) == "set":
            return None
        found_value = self.unchanging.only_value(node, category(node.type))
        return found_value if isinstance(found_value, int) else None

    # ------------------------------------------------------------ what costs much

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
                return self._any_far(parts, scope)
            case (
                core.Nth(numbers=parts) | core.Extreme(items=parts) | core.Computed(operands=parts)
            ):
                return self._any_far(parts, scope)
            case core.ReadColumn(subject=subject) | core.ReadIndex(subject=subject):
                return self.goes_far(subject, scope)
            case core.ReadState(subject=subject):
                return subject is not None and self.goes_far(subject, scope)
            case core.ReadFeature(feature=feature, subject=subject, arguments=arguments):
                calls = feature in ("turned", "sixths") or (
                    feature == "next" and self.context.players_leave
                )
                return calls or self._any_far((subject, *arguments), scope)
            case core.ByKind(subject=subject, local=local, arms=arms):
                inner = {**scope, local.number: Scalar()}
                return self.goes_far(subject, scope) or self._any_far(
                    (arm for _, arm in arms), inner
                )
            case core.CallDefine():
                return self._call_goes_far(node, scope)
            case core.Negate(operand=operand) | core.Not(operand=operand):
                return self.goes_far(operand, scope)
            case core.Arithmetic(sign=sign, left=left, right=right):
                if sign in ("/", "mod") or self.context.ranges.may_fail(node):
                    return True
                return self._any_far((left, right), scope)
            case core.Compare():
                return self._comparison_goes_far(node, scope)
            case core.Member(element=element, whole=whole):
                return self._membership_goes_far(element, whole, scope)
            case core.IsFace(subject=subject, face=face):
                return self._any_far((subject, face), scope)
            case core.IsKind(subject=subject):
                return self.goes_far(subject, scope)
            case core.Both(left=left, right=right):
                return self._shortcut_goes_far(left, right, scope, 0)
            case core.Either(left=left, right=right):
                return self._shortcut_goes_far(left, right, scope, 1)
            case core.Conditional(condition=condition, yes=yes, no=other):
                known = self.constant(condition, scope)
                if known is not None:
                    return self.goes_far(yes if known else other, scope)
                return self._any_far((condition, yes, other), scope)
            case core.Case(subject=subject, arms=arms, otherwise=otherwise):
                rest = () if otherwise is None else (otherwise,)
                keys = (key for key, _ in arms)
                values = (value for _, value in arms)
                return self._any_far((subject, *keys, *values, *rest), scope)
            case core.Query():
                return self._query_goes_far(node, scope)
            case core.Sure(value=value):
                stops = self.context.checked and not self.context.lightly
                return stops or self.goes_far(value, scope)
            case core.Empty(whole=whole):
                return self._uses_far(self.set(whole, scope), "filled")
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
                return self.set(node, scope).far
            case _:
                assert_never(node)

    def _any_far(self, nodes: Iterable[core.Expr], scope: Scope) -> bool:
        return any(self.goes_far(node, scope) for node in nodes)

    def _uses_far(self, found: Foreseen, use: shapes.Use) -> bool:
        return found.far or use in found.shape.loops

    def _shortcut_goes_far(
        self, left: core.Expr, right: core.Expr, scope: Scope, decided: int
    ) -> bool:
        known = self.constant(left, scope)
        if known is not None:
            return bool(known) != bool(decided) and self.goes_far(right, scope)
        return self._any_far((left, right), scope)

    def _comparison_goes_far(self, node: core.Compare, scope: Scope) -> bool:
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, core.Constant) and side.value is None:
                if category(other.type) == "set":
                    return self.set(other, scope).far
                return self.goes_far(other, scope)
        if category(node.left.type) == "set":
            left, right = self.set(node.left, scope), self.set(node.right, scope)
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
                        return self._uses_far(self.set(node.draws[0].domain, scope), "count to")
                    return self._query_goes_far(node, scope)
            case _:
                pass
        return self.goes_far(node, scope)

    def _membership_goes_far(self, element: core.Expr, whole: core.Expr, scope: Scope) -> bool:
        if isinstance(whole, core.Contents) and self.layout.is_piece(element.type):
            return self._any_far((whole.place, element), scope)
        return self.goes_far(element, scope) or self._uses_far(self.set(whole, scope), "member")

    # ------------------------------------------------------------ queries

    def answered(
        self, node: core.Query, scope: Scope, *, loosely: bool = False
    ) -> tuple[Foreseen, Sieve] | None:
        """A query of one draw, if bits answer all that it asks: its domain, and how."""
        if len(node.draws) > 1 or (node.where is None and node.running is None and not node.body):
            return None
        (draw,) = node.draws
        tests = [] if node.where is None else conjuncts(node.where)
        if node.word == "all":
            assert node.body is not None
            tests.append(core.Not(node.body, type=node.body.type, span=node.body.span))
        whole = self.set(draw.domain, scope)
        sieve = self.siever.planned(
            whole.shape, draw.local.number, tests, node.running, scope, loosely=loosely
        )
        return (whole, sieve) if sieve.answers_all else None

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
                return self.set(node, scope).far
            case _:
                assert_never(node.word)

    def _asking_goes_far(
        self, node: core.Query, scope: Scope, use: shapes.Use, whole: bool, *, loosely: bool
    ) -> bool:
        if whole:
            return self._uses_far(self.set(node.draws[0].domain, scope), use)
        answered = self.answered(node, scope, loosely=loosely)
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
            domain = self.set(draw.domain, inner)
            if self._uses_far(domain, "loosely" if loosely else "each"):
                return True
            if draw.local.name:
                inner[draw.local.number] = known_draw(draw)
        parts = [each for each in (node.where, node.running) if each is not None]
        return self._any_far((*parts, *then), inner)

    # ------------------------------------------------------------ definitions

    def _call_goes_far(self, node: core.CallDefine, scope: Scope) -> bool:
        info = self.game.defines[node.define]
        if self.definitions.domains(node, info) is not None:
            return self._any_far(node.arguments, scope)
        if not self.definitions.is_written_out(info):
            return True
        inner, far = self._arguments(node, info, scope)
        if far or (info.rows and info.body is None):
            return True
        return self._any_far(bodies_of(info), inner)

    def _arguments(
        self, node: core.CallDefine, info: DefineInfo, scope: Scope
    ) -> tuple[Scope, bool]:
        """What is known about the parameters of a definition, and whether they cost much."""
        inner: dict[int, Known] = {}
        far = False
        for param, argument in zip(info.params, node.arguments, strict=True):
            if category(param.type) == "set":
                found = self.set(argument, scope)
                inner[param.local.number] = shapes.kept(found.shape)
                far = far or found.far or shapes.keeps_far(found.shape)
            else:
                inner[param.local.number] = Scalar(self.constant(argument, scope))
                far = far or self.goes_far(argument, scope)
        return inner, far

    # ------------------------------------------------------------ sets

    def set(self, node: core.Expr, scope: Scope) -> Foreseen:
        """A set of things, numbers, or lists."""
        span = self.layout.span_in(node.type)
        match node:
            case core.Local(number=number):
                found = scope[number]
                assert isinstance(found, Shape), node.name
                return Foreseen(found)
            case core.AllThings(kind=kind):
                return Foreseen(self.lasting.all_of(kind))
            case core.AllFaces(kind=kind):
                return Foreseen(self.lasting.all_of(face_kind(kind)))
            case core.Constant(value=None):
                return Foreseen(shapes.NOTHING)
            case core.Special(word="playing" | "winners" as word):
                seats = (self.layout.first_player, self.layout.players)
                if word == "playing" and not self.context.players_leave:
                    return Foreseen(shapes.everything(*seats))
                return Foreseen(shapes.word(seats))
            case _:
                pass
        keys = self.unchanging.table_keys(node, scope)
        if keys is not None:
            return Foreseen(attrs.evolve(self.lasting.tabled(node, keys), ordered=is_ordered(node)))
        match node:
            case core.ReadColumn(subject=subject):
                column = attrs.evolve(self.lasting.constant_list(node.type), ordered=True)
                return Foreseen(column, self.goes_far(subject, scope))
            case core.PlacesOf(place=name, indexes=indexes):
                most = self.table.boards.most_places_of(name)
                some = attrs.evolve(self.lasting.constant_list(node.type, most), ordered=True)
                return Foreseen(some, self._any_far(indexes, scope))
            case core.ReadState(state=state, subject=subject):
                return self._state_set(state, subject, scope)
            case core.ReadFeature():
                return self._feature_set(node, scope)
            case core.Contents(place=place):
                return self._contents(place, scope, span)
            case core.CallDefine():
                return self._call_set(node, scope)
            case core.Combine():
                return self._combined(node, scope)
            case core.Interval(low=low, high=high):
                ends = shapes.numbers(self.constant(low, scope), self.constant(high, scope))
                return Foreseen(ends, self._any_far((low, high), scope))
            case core.SetOf(items=items):
                if span is not None and span[1] <= WORD:
                    return Foreseen(shapes.word(span), self._any_far(items, scope))
                return Foreseen(shapes.listed(len(items), span, ordered=True), True)
            case core.Query(word="filter"):
                return self._filtered(node, scope)
            case core.Query(word="image"):
                most = shapes.MANY if span is None else span[1]
                return Foreseen(Shape("image", span, most, ordered=False))
            case core.Reach():
                return self._reached(node, scope)
            case core.Conditional(condition=condition, yes=yes, no=other):
                known = self.constant(condition, scope)
                if known is not None:
                    return self.set(yes if known else other, scope)
                return self._one_of((yes, other), span, scope)
            case core.Case():
                return self._case(node, span, scope)
            case core.ByKind(local=local, arms=arms):
                inner = {**scope, local.number: Scalar()}
                return self._one_of([arm for _, arm in arms], span, inner)
            case core.Sure(value=inner_node):
                return self.set(inner_node, scope)
            case _:
                return Foreseen(shapes.listed(LONG, span), self.goes_far(node, scope))

    def _state_set(self, state: str, subject: core.Expr | None, scope: Scope) -> Foreseen:
        slot = self.layout.states[state]
        whole = (
            shapes.word((slot.low, WORD))
            if slot.words == 1
            else shapes.stored_words(slot.low, slot.words)
        )
        if subject is None:
            return Foreseen(whole)
        far = self.goes_far(subject, scope)
        return Foreseen(shapes.guarded(whole) if may_be_none(subject.type) else whole, far)

    def _feature_set(self, node: core.ReadFeature, scope: Scope) -> Foreseen:
        subject = node.subject
        kinds = self.layout.kinds_of(subject.type)
        match node.feature:
            case "ray":
                (kind,) = kinds
                found = self.lasting.constant_list(node.type, self.unchanging.longest_ray(kind))
                straight = found.words == 1 and self.unchanging.goes_straight(kind)
                far = self._any_far((subject, *node.arguments), scope)
                return Foreseen(attrs.evolve(found, straight=straight), far)
            case "cover":
                (kind,) = kinds
                forms = self.layout.kinds_of(node.arguments[0].type)
                most = self.unchanging.cover(kind, forms).longest
                found = self.lasting.constant_list(node.type, most)
                far = self._any_far((subject, *node.arguments), scope)
                return Foreseen(attrs.evolve(found, ordered=True), far)
            case "onward" | "backward" | "round" | "others":
                (kind,) = kinds
                if self.game.kinds[kind].indexes:
                    most = self.unchanging.largest_set(node.feature, kinds)
                    found = self.lasting.constant_list(node.type, most)
                    return Foreseen(found, self.goes_far(subject, scope))
                span = (self.layout.first[kind], self.layout.size[kind])
                steps = span[1] - 1 if node.feature == "others" else span[1]
                turned = shapes.in_turn(span, steps)
                if may_be_none(subject.type):
                    turned = shapes.guarded(turned)
                return Foreseen(turned, self.goes_far(subject, scope))
            case "reversed":
                whole = self.set(subject, scope)
                listed = whole.shape
                lasts = listed.form == "list" and listed.lasting
                if not lasts:
                    listed = shapes.listed(listed.most, listed.span, ordered=listed.ordered)
                return Foreseen(shapes.backward(listed), whole.far or not lasts)
            case _:
                most = self.unchanging.largest_set(node.feature, kinds)
                found = self.lasting.constant_list(node.type, most)
                ordered = node.feature in IN_ORDER
                return Foreseen(attrs.evolve(found, ordered=ordered), self.goes_far(subject, scope))

    def _contents(self, place: core.Expr, scope: Scope, span: Span | None) -> Foreseen:
        far = self.goes_far(place, scope)
        kinds = [k for k in self.layout.kinds_of(place.type) if self.layout.size[k]]
        if len(kinds) == 1:
            at = self.layout.places[kinds[0]]
            if at.form == "cell":
                return Foreseen(shapes.cell(span), far)
            held = self.lasting.held_in(at, span)
            return Foreseen(shapes.guarded(held) if may_be_none(place.type) else held, far)
        capacity = max((self.layout.places[kind].capacity for kind in kinds), default=0)
        return Foreseen(shapes.listed(capacity, span), True)

    def _call_set(self, node: core.CallDefine, scope: Scope) -> Foreseen:
        info = self.game.defines[node.define]
        self.definitions.is_written_out(info)
        domains = self.definitions.domains(node, info)
        if domains is not None:
            call = self.definitions.tabled(node, info)
            longest = self.unchanging.longest_value(call, domains, ("define", node.define))
            found = self.lasting.constant_list(node.type, longest)
            ordered = all(map(is_ordered, bodies_of(info)))
            return Foreseen(
                attrs.evolve(found, ordered=ordered), self._any_far(node.arguments, scope)
            )
        inner, far = self._arguments(node, info, scope)
        span = self.layout.span_in(node.type)
        if info.rows or strict_in(info, node):
            return attrs.evolve(self._one_of(bodies_of(info), span, inner), far=True)
        assert info.body is not None
        body = self.set(info.body, inner)
        return attrs.evolve(body, far=body.far or far)

    def _one_of(self, nodes: Sequence[core.Expr], span: Span | None, scope: Scope) -> Foreseen:
        found = tuple(self.shape(node, scope) for node in nodes)
        return Foreseen(shapes.one_of(found, span), True)

    def _case(self, node: core.Case, span: Span | None, scope: Scope) -> Foreseen:
        """One of several sets by a value; where it is known, only those that can be meant."""
        subject = self.constant(node.subject, scope)
        arms: list[core.Expr] = []
        for key, value in node.arms:
            same = None if subject is None else self.constant(key, scope)
            if same is not None and same != subject:
                continue
            arms.append(value)
            if same is not None:
                return self._one_of(arms, span, scope)
        rest = () if node.otherwise is None else (node.otherwise,)
        return self._one_of((*arms, *rest), span, scope)

    def _combined(self, node: core.Combine, scope: Scope) -> Foreseen:
        left, right = self.set(node.left, scope), self.set(node.right, scope)
        far = left.far or right.far
        span = shapes.hull(left.shape, right.shape)
        if node.sign == "-":
            if left.shape.ordered:
                simple = right.shape.form in ("everything", "word", "straight")
                keeps = not simple and shapes.keeps_far(right.shape)
                tests = "member" in shapes.kept(right.shape).loops
                return Foreseen(shapes.filtered(left.shape, far=tests), far or keeps)
            span = left.shape.span
        if span is not None and node.sign == "+":
            return Foreseen(shapes.union(left.shape, right.shape, span), far)
        if span is not None and span[1] <= WORD:
            ors = any(shapes.ors_far(each.shape, span[0]) for each in (left, right))
            return Foreseen(shapes.word(span), far or ors)
        if span is None:
            most = left.shape.most + (right.shape.most if node.sign == "+" else 0)
            return Foreseen(shapes.listed(most, None, ordered=True), True)
        return Foreseen(shapes.stored_words(span[0], -(-span[1] // WORD)), True)

    def _filtered(self, node: core.Query, scope: Scope) -> Foreseen:
        (draw,) = node.draws
        tests = [] if node.where is None else conjuncts(node.where)
        found = self.passing(draw, tests, node.running, scope)
        if not node.order:
            return found
        return Foreseen(shapes.listed(found.shape.most, found.shape.span), True)

    def passing(
        self,
        draw: core.Draw,
        tests: Sequence[core.Expr],
        running: core.Expr | None,
        scope: Scope,
        *,
        loosely: bool = False,
    ) -> Foreseen:
        """The elements of a domain that pass some tests, as long as it goes on."""
        whole = self.set(draw.domain, scope)
        number = draw.local.number
        sieve = self.siever.planned(whole.shape, number, tests, running, scope, loosely=loosely)
        far = whole.far or sieve.far
        if sieve.answers_all:
            return Foreseen(sieve.shape, far)
        inner = {**scope, number: known_draw(draw)}
        left = [*sieve.left, *(() if sieve.running is None else (sieve.running,))]
        found = shapes.filtered(
            sieve.shape, runs=sieve.running is not None, far=self._any_far(left, inner)
        )
        return Foreseen(found, far)

    def most_draws(self, draws: Sequence[core.Draw], scope: Scope) -> int:
        """How often a loop over some draws can come round."""
        most = 1
        inner = dict(scope)
        for draw in draws:
            most *= max(1, self.shape(draw.domain, inner).most)
            inner[draw.local.number] = known_draw(draw)
        return most

    # ------------------------------------------------------------ reaching

    def _reached(self, node: core.Reach, scope: Scope) -> Foreseen:
        span = self.layout.span_in(node.type)
        if span is None:
            return Foreseen(shapes.NOTHING, True)  # It is refused.
        if node.exactly is None:
            plan = self.floods.planned(node, scope, span)
            if plan is not None and plan.shifts is not None:
                return Foreseen(shapes.word(span), True)
            if plan is not None and plan.kept:
                return Foreseen(shapes.words(span), True)
            form: shapes.Form = "reached" if plan is None else "flooded"
            return Foreseen(Shape(form, span, span[1]))
        met = shapes.stored_words(span[0], -(-span[1] // WORD))
        if met.most > WORD:
            return Foreseen(shapes.stepped(met), True)
        return Foreseen(shapes.word((span[0], WORD)), True)

    def _bits_of(self, node: core.Expr, scope: Scope) -> tuple[Span, bool] | None:
        """The span of a set that is one word of bits, and whether it is gone through for them."""
        found = self.set(node, scope)
        if found.shape.span is None or not found.shape.one_word:
            return None
        return found.shape.span, found.far or "bits" in found.shape.loops
