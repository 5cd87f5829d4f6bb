"""Expressions as code: which part lowers which form."""

from __future__ import annotations

from typing import assert_never

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    eq,
    load,
    ne,
    no,
    select,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.addressing import Addressing
from ruledsl.engine.expressions.boards import Boards
from ruledsl.engine.expressions.definition_plans import DefinitionPlans
from ruledsl.engine.expressions.definitions import Definitions
from ruledsl.engine.expressions.draw_orders import DrawOrders
from ruledsl.engine.expressions.environment import Env, Lazy, LookAhead
from ruledsl.engine.expressions.foresight import Foresight
from ruledsl.engine.expressions.groups import Groups
from ruledsl.engine.expressions.hoisting import Hoisting
from ruledsl.engine.expressions.number_functions import LOWERINGS
from ruledsl.engine.expressions.operators import Operators
from ruledsl.engine.expressions.queries import Queries
from ruledsl.engine.expressions.reaching import Reaching
from ruledsl.engine.expressions.reading import Reading
from ruledsl.engine.expressions.set_expressions import SetExpressions
from ruledsl.engine.expressions.sieving import Sieving
from ruledsl.engine.expressions.trails import Trails
from ruledsl.engine.expressions.unchanging import Unchanging
from ruledsl.engine.expressions.word_conditions import WordConditions
from ruledsl.engine.memory.control import ACTIVE, HOW, PLAYING, WINNERS
from ruledsl.engine.memory.layout import Category, category, none_of
from ruledsl.engine.sets.basic import Everything, Nothing, Numbers, SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.stored import LONG, Listed
from ruledsl.model import core
from ruledsl.model.types import (
    may_be_none,
)
from ruledsl.table.things import face_kind


class AnyExpression(Part):
    """Lowers expressions, to values and to sets."""

    look_ahead: LookAhead
    """is there once steps and actions can be lowered"""

    def __init__(self, context: Context, keeping: KeptSets) -> None:
        super().__init__(context)
        self.unchanging = Unchanging(context)
        definition_plans = DefinitionPlans(context, self.unchanging)
        self.addressing = Addressing(context, self, self.unchanging)
        self.reading = Reading(context, self, keeping, self.unchanging)
        self.boards = Boards(context)
        self.foresight = foresight = Foresight(context, self.unchanging, definition_plans)
        self.words = WordConditions(context, self, self.unchanging, self.boards)
        self.sieving = Sieving(context, self, self.words, foresight.siever)
        self.hoisting = Hoisting(context, self.unchanging)
        orders = DrawOrders(context, foresight)
        self.queries = Queries(
            context, self, self.unchanging, foresight, orders, self.hoisting, self.sieving
        )
        groups = Groups(context, self, self.words)
        self.reaching = Reaching(context, self, foresight, self.words, groups, keeping)
        self.trails = Trails(context, self)
        self.set_expressions = SetExpressions(context, self, foresight, keeping, self.queries)
        self.definitions = Definitions(
            context,
            self,
            keeping,
            self.unchanging,
            self.reading,
            self.set_expressions,
            definition_plans,
        )
        self.operators = Operators(
            context,
            self,
            keeping,
            self.unchanging,
            self.reading,
            self.queries,
            self.set_expressions,
        )

    def number(self, w: Writer, node: core.Expr, env: Env) -> Code:
        return self.value(w, node, env, "number")

    def condition(self, w: Writer, node: core.Expr, env: Env) -> Code:
        """Whether a flag is set; none is not."""
        code = self.value(w, node, env)
        if may_be_none(node.type) and not isinstance(
            node, core.Compare | core.Member | core.Not | core.Both | core.Either | core.Empty
        ):
            return eq(code, 1)
        return code

    def value(self, w: Writer, node: core.Expr, env: Env, want: Category | None = None) -> Code:
        """A number, a flag or a thing; none as `want` has it where the type does not tell."""
        kind = want or category(node.type)
        match node:
            case core.Constant(value=None):
                return none_of(kind)
            case core.Constant(value=literal):
                assert literal is not None
                return int(literal)
            case core.Local(number=number):
                bound = env[number]
                assert not isinstance(bound, SetCode), node.name
                return self.queries.worked_out(w, bound, kind) if isinstance(bound, Lazy) else bound
            case core.Value() | core.Face() | core.Copy() | core.OptionValue():
                return self.unchanging.constant(node, kind)
            case core.Special():
                return self._special(w, node)
            case _:
                pass
        tabled = self.unchanging.tabled(w, node, env)
        if tabled is not None and not isinstance(tabled, SetCode):
            return tabled
        match node:
            case core.PlaceAt(place=place, indexes=indexes):
                return self.addressing.thing_at(w, place, indexes, env)
            case core.Nth():
                return self.addressing.nth(w, node, env)
            case core.Indexed(kind=name, indexes=indexes):
                return self.addressing.thing_at(w, name, indexes, env)
            case core.ReadColumn():
                return self.reading.read_column(w, node, env)
            case core.ReadIndex():
                return self.reading.read_index(w, node, env)
            case core.ReadState(state=state, subject=subject):
                return self.reading.read_state(w, state, subject, env)
            case core.ReadHistory(history=name):
                return ("call", f"times_{name}")
            case core.ReadFeature():
                return self.reading.feature(w, node, env)
            case core.ByKind():
                return self.operators.by_kind(w, node, env, kind)
            case core.CallDefine():
                return self.definitions.call_value(w, node, env, kind)
            case core.Negate(operand=operand):
                return sub(0, self.number(w, operand, env))
            case core.Arithmetic():
                return self.operators.arithmetic(w, node, env)
            case core.Compare():
                return self.operators.compare(w, node, env)
            case core.Member(element=element, whole=whole):
                return self.operators.member(w, element, whole, env)
            case core.IsFace(subject=subject, face=face):
                shown = self.value(w, subject, env)
                return eq(self.reading.face_of(shown, subject.type), self.value(w, face, env))
            case core.IsKind(subject=subject, kind=name):
                return self.layout.is_kind(self.value(w, subject, env), name)
            case core.Not(operand=operand):
                return no(self.condition(w, operand, env))
            case core.Both(left=left, right=right):
                return self.operators.shortcut(w, left, right, env, 0)
            case core.Either(left=left, right=right):
                return self.operators.shortcut(w, left, right, env, 1)
            case core.Conditional():
                return self.operators.conditional(w, node, env, kind)
            case core.Case():
                return self.operators.case(w, node, env, kind)
            case core.Query():
                return self.queries.query(w, node, env, kind)
            case core.Sure(value=inner):
                return self.queries.the(w, self.value(w, inner, env, kind), kind, node)
            case core.Extreme(word=most, items=items):
                return self.operators.extreme(w, most, items, env)
            case core.Empty(whole=whole):
                return no(self.set(w, whole, env).filled(w))
            case core.Computed(function=name, operands=operands):
                given = [w.once(self.number(w, each, env)) for each in operands]
                return LOWERINGS[name](w, *given)
            case core.LongestTrail():
                return self.trails.longest(w, node, env)
            case core.Would():
                return self.look_ahead.would(w, node, env)
            case core.Can():
                return self.look_ahead.can(w, node, env)
            case core.Knows():
                raise AssertionError("`knows` stands in tests only")
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
                raise AssertionError(f"a set where a value is wanted: {type(node).__name__}")
            case _:
                assert_never(node)

    def _special(self, w: Writer, node: core.Special) -> Code:
        word = node.word
        match word:
            case "you":
                return self.context.someone(w, self.context.you(w), node.span)
            case "active":
                return self.context.someone(w, load(ACTIVE), node.span)
            case "players":
                return self.layout.players
            case "finished":
                return ne(load(HOW), 0)
            case "playing" | "winners":
                raise AssertionError("a set where a value is wanted")
            case _:
                assert_never(word)

    def set(self, w: Writer, node: core.Expr, env: Env) -> SetCode:
        """A set of things, numbers, or lists."""
        span = self.layout.span_in(node.type)
        match node:
            case core.Local(number=number):
                bound = env[number]
                assert isinstance(bound, SetCode), node.name
                return bound
            case core.AllThings(kind=kind):
                return Everything(self.layout.first[kind], self.layout.size[kind])
            case core.AllFaces(kind=kind):
                faces = face_kind(kind)
                return Everything(self.layout.first[faces], self.layout.size[faces])
            case core.Constant(value=None):
                return Nothing().if_there(0)
            case core.Special(word="playing"):
                if not self.context.players_leave:
                    return Everything(self.layout.first_player, self.layout.players)
                return self.reading.seats_in(load(PLAYING))
            case core.Special(word="winners"):
                return self.reading.seats_in(load(WINNERS))
            case _:
                pass
        tabled = self.unchanging.tabled(w, node, env)
        if tabled is not None:
            assert isinstance(tabled, Listed)
            return attrs.evolve(tabled, span=span)
        match node:
            case core.ReadColumn():
                address = w.once(self.reading.read_column(w, node, env))
                return attrs.evolve(self.unchanging.constant_list(address, node.type), ordered=True)
            case core.PlacesOf():
                return self.addressing.places_of(w, node, env)
            case core.ReadState(state=state, subject=subject):
                return self.reading.state_set(w, state, subject, env)
            case core.ReadFeature():
                return self.reading.feature_set(w, node, env)
            case core.Contents(place=place):
                return self.reading.contents(w, place, env, span)
            case core.CallDefine():
                return self.definitions.call_set(w, node, env)
            case core.Combine():
                return self.set_expressions.combined(w, node, env)
            case core.Interval(low=low, high=high):
                first = w.once(self.number(w, low, env))
                return Numbers(first, w.once(self.number(w, high, env)))
            case core.SetOf(items=items):
                return self.set_expressions.written_out(w, items, env, span)
            case core.Query(word="filter"):
                return self.set_expressions.filtered(w, node, env)
            case core.Query(word="image"):
                return self.set_expressions.image(node, env, span)
            case core.Reach():
                return self.reaching.reached(w, node, env)
            case core.Conditional() | core.Case() | core.ByKind():
                return self.operators.one_of_sets(w, node, env)
            case core.Sure(value=inner):
                return self.set(w, inner, env)
            case _:
                if category(node.type) == "set":
                    address = self.value(w, node, env, "set")
                    if not may_be_none(node.type):
                        return Listed(address, LONG, False, span)
                    address = w.once(address)
                    there = ne(address, none_of("set"))
                    listed = select(there, address, self.unchanging.nothing)
                    return Listed(w.once(listed), LONG, False, span).if_there(there)
                raise AssertionError(f"no set: {type(node).__name__}")
