"""How sets will look as code: their shapes, told from the rules and from what is known of names."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.definition_plans import DefinitionPlans, strict_in
from ruledsl.engine.expressions.environment import Scalar, Scope, known_draw
from ruledsl.engine.expressions.floods import Floods
from ruledsl.engine.expressions.foreseen import Foreseeing, Foreseen
from ruledsl.engine.expressions.lasting_shapes import LastingShapes
from ruledsl.engine.expressions.sieves import Siever
from ruledsl.engine.expressions.unchanging import Unchanging, bodies_of
from ruledsl.engine.memory.layout import Span
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.shapes import WORD, Shape
from ruledsl.engine.sets.stored import LONG
from ruledsl.model import core
from ruledsl.model.builtins import IN_ORDER
from ruledsl.model.names import conjuncts
from ruledsl.model.types import may_be_none
from ruledsl.table.things import face_kind


class SetShapes(Part):
    """Foresees the shapes of sets."""

    def __init__(
        self,
        context: Context,
        foreseeing: Foreseeing,
        unchanging: Unchanging,
        lasting: LastingShapes,
        definitions: DefinitionPlans,
        siever: Siever,
        floods: Floods,
    ) -> None:
        super().__init__(context)
        self.foreseeing = foreseeing
        self.unchanging = unchanging
        self.lasting = lasting
        self.definitions = definitions
        self.siever = siever
        self.floods = floods

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
            return Foreseen(self.lasting.tabled(node, keys))
        match node:
            case core.ReadColumn(subject=subject):
                column = attrs.evolve(self.lasting.constant_list(node.type), ordered=True)
                return Foreseen(column, self.foreseeing.goes_far(subject, scope))
            case core.PlacesOf(place=name, indexes=indexes):
                most = self.table.boards.most_places_of(name)
                some = attrs.evolve(self.lasting.constant_list(node.type, most), ordered=True)
                return Foreseen(some, self.foreseeing.any_far(indexes, scope))
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
                ends = shapes.numbers(
                    self.foreseeing.constant(low, scope), self.foreseeing.constant(high, scope)
                )
                return Foreseen(ends, self.foreseeing.any_far((low, high), scope))
            case core.SetOf(items=items):
                if span is not None and span[1] <= WORD:
                    return Foreseen(shapes.word(span), self.foreseeing.any_far(items, scope))
                return Foreseen(shapes.listed(len(items), span, ordered=True), True)
            case core.Query(word="filter"):
                return self._filtered(node, scope)
            case core.Query(word="image"):
                most = shapes.MANY if span is None else span[1]
                return Foreseen(Shape("image", span, most, ordered=False))
            case core.Reach():
                return self._reached(node, scope)
            case core.Conditional(condition=condition, yes=yes, no=other):
                known = self.foreseeing.constant(condition, scope)
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
                return Foreseen(shapes.listed(LONG, span), self.foreseeing.goes_far(node, scope))

    def _state_set(self, state: str, subject: core.Expr | None, scope: Scope) -> Foreseen:
        slot = self.layout.states[state]
        whole = (
            shapes.word((slot.low, WORD))
            if slot.words == 1
            else shapes.stored_words(slot.low, slot.words)
        )
        if subject is None:
            return Foreseen(whole)
        far = self.foreseeing.goes_far(subject, scope)
        return Foreseen(shapes.guarded(whole) if may_be_none(subject.type) else whole, far)

    def _feature_set(self, node: core.ReadFeature, scope: Scope) -> Foreseen:
        subject = node.subject
        kinds = self.layout.kinds_of(subject.type)
        match node.feature:
            case "ray":
                (kind,) = kinds
                found = self.lasting.constant_list(node.type, self.unchanging.longest_ray(kind))
                straight = found.words == 1 and self.unchanging.goes_straight(kind)
                far = self.foreseeing.any_far((subject, *node.arguments), scope)
                return Foreseen(attrs.evolve(found, straight=straight), far)
            case "cover":
                (kind,) = kinds
                forms = self.layout.kinds_of(node.arguments[0].type)
                most = self.unchanging.cover(kind, forms).longest
                found = self.lasting.constant_list(node.type, most)
                far = self.foreseeing.any_far((subject, *node.arguments), scope)
                return Foreseen(attrs.evolve(found, ordered=True), far)
            case "onward" | "backward" | "round" | "others":
                (kind,) = kinds
                if self.game.kinds[kind].indexes:
                    most = self.unchanging.largest_set(node.feature, kinds)
                    found = self.lasting.constant_list(node.type, most)
                    return Foreseen(found, self.foreseeing.goes_far(subject, scope))
                span = (self.layout.first[kind], self.layout.size[kind])
                steps = span[1] - 1 if node.feature == "others" else span[1]
                turned = shapes.in_turn(span, steps)
                if may_be_none(subject.type):
                    turned = shapes.guarded(turned)
                return Foreseen(turned, self.foreseeing.goes_far(subject, scope))
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
                return Foreseen(
                    attrs.evolve(found, ordered=ordered), self.foreseeing.goes_far(subject, scope)
                )

    def _contents(self, place: core.Expr, scope: Scope, span: Span | None) -> Foreseen:
        far = self.foreseeing.goes_far(place, scope)
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
            found = self.lasting.tabled(call, domains, ("define", node.define))
            return Foreseen(found, self.foreseeing.any_far(node.arguments, scope))
        inner, far = self.foreseeing.arguments(node, info, scope)
        span = self.layout.span_in(node.type)
        if info.rows or strict_in(info, node):
            return attrs.evolve(self._one_of(bodies_of(info), span, inner), far=True)
        assert info.body is not None
        body = self.set(info.body, inner)
        return attrs.evolve(body, far=body.far or far)

    def _one_of(self, nodes: Sequence[core.Expr], span: Span | None, scope: Scope) -> Foreseen:
        found = tuple(self.set(node, scope).shape for node in nodes)
        return Foreseen(shapes.one_of(found, span), True)

    def _case(self, node: core.Case, span: Span | None, scope: Scope) -> Foreseen:
        """One of several sets by a value; where it is known, only those that can be meant."""
        subject = self.foreseeing.constant(node.subject, scope)
        arms: list[core.Expr] = []
        for key, value in node.arms:
            same = None if subject is None else self.foreseeing.constant(key, scope)
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
        found = self._passing(draw, tests, node.running, scope)
        if not node.order:
            return found
        return Foreseen(shapes.listed(found.shape.most, found.shape.span), True)

    def _passing(
        self,
        draw: core.Draw,
        tests: Sequence[core.Expr],
        running: core.Expr | None,
        scope: Scope,
    ) -> Foreseen:
        """The elements of a domain that pass some tests, as long as it goes on."""
        whole = self.set(draw.domain, scope)
        number = draw.local.number
        sieve = self.siever.planned(whole.shape, number, tests, running, scope)
        far = whole.far or sieve.far
        if sieve.answers_all:
            return Foreseen(sieve.shape, far)
        inner = {**scope, number: known_draw(draw)}
        left = [*sieve.left, *(() if sieve.running is None else (sieve.running,))]
        found = shapes.filtered(
            sieve.shape, runs=sieve.running is not None, far=self.foreseeing.any_far(left, inner)
        )
        return Foreseen(found, far)

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
