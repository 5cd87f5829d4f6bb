"""What lowering will come to, told from the rules alone: what is known, shapes of sets, costs.

Nothing is written here. Whoever writes code asks first, and then writes what was foreseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.definition_plans import DefinitionPlans
from ruledsl.engine.expressions.environment import Known, Scalar, Scope, known_draw
from ruledsl.engine.expressions.floods import Floods
from ruledsl.engine.expressions.foreseen import Foreseen
from ruledsl.engine.expressions.going_far import GoingFar
from ruledsl.engine.expressions.going_wrong import GoingWrong
from ruledsl.engine.expressions.lasting_shapes import LastingShapes
from ruledsl.engine.expressions.set_shapes import SetShapes
from ruledsl.engine.expressions.sieves import Sieve, Siever
from ruledsl.engine.expressions.unchanging import Unchanging
from ruledsl.engine.expressions.ways import Ways
from ruledsl.engine.expressions.word_planner import WordPlanner
from ruledsl.engine.memory.layout import Span, category
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.shapes import Shape
from ruledsl.model import core
from ruledsl.model.game import DefineInfo
from ruledsl.model.names import conjuncts


class Foresight(Part):
    """Foresees what lowering comes to."""

    def __init__(
        self, context: Context, unchanging: Unchanging, definitions: DefinitionPlans
    ) -> None:
        super().__init__(context)
        self.unchanging = unchanging
        self.lasting = LastingShapes(context, unchanging)
        self.wrong = GoingWrong(context)
        self.words = WordPlanner(context, unchanging, self.goes_far, self._bits_of)
        self.siever = Siever(context, self.words, self.wrong)
        self.floods = Floods(context, self.words, Ways(context, unchanging))
        self._sets = SetShapes(
            context, self, unchanging, self.lasting, definitions, self.siever, self.floods
        )
        self._costs = GoingFar(context, self, unchanging, definitions)

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

    def set(self, node: core.Expr, scope: Scope) -> Foreseen:
        """A set of things, numbers, or lists."""
        return self._sets.set(node, scope)

    def goes_far(self, node: core.Expr, scope: Scope) -> bool:
        """Whether working out a value goes through something, or calls what may."""
        return self._costs.goes_far(node, scope)

    def any_far(self, nodes: Iterable[core.Expr], scope: Scope) -> bool:
        """Whether one of several values goes far."""
        return any(self.goes_far(node, scope) for node in nodes)

    # ------------------------------------------------------------ queries and definitions

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

    def most_draws(self, draws: Sequence[core.Draw], scope: Scope) -> int:
        """How often a loop over some draws can come round."""
        most = 1
        inner = dict(scope)
        for draw in draws:
            most *= max(1, self.shape(draw.domain, inner).most)
            inner[draw.local.number] = known_draw(draw)
        return most

    def arguments(
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

    def _bits_of(self, node: core.Expr, scope: Scope) -> tuple[Span, bool] | None:
        """The span of a set that is one word of bits, and whether it is gone through for them."""
        found = self.set(node, scope)
        if found.shape.span is None or not found.shape.one_word:
            return None
        return found.shape.span, found.far or "bits" in found.shape.loops
