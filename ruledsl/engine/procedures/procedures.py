"""The parts that lower statements and whatever has them, assembled."""

from __future__ import annotations

from ruledsl.engine.choices.choices import Choices
from ruledsl.engine.code.instructions import Code, Writer
from ruledsl.engine.context import Context
from ruledsl.engine.effects.effects import Effects
from ruledsl.engine.expressions.any_expression import AnyExpression
from ruledsl.engine.expressions.environment import Env
from ruledsl.engine.procedures.decisions import Decisions
from ruledsl.engine.procedures.frames import Frames, Machine, Scope, Setting
from ruledsl.engine.procedures.named_pieces import NamedPieces
from ruledsl.engine.procedures.resumable import ResumableStatements
from ruledsl.engine.procedures.steps_and_actions import StepsAndActions
from ruledsl.engine.procedures.straight import StraightStatements
from ruledsl.engine.procedures.together import Together
from ruledsl.engine.procedures.triggers import Triggers
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.model import core
from ruledsl.model.game import StepInfo


class Procedures:
    """Lowers statements, steps, actions, triggers and decisions, which may hold each other."""

    def __init__(
        self,
        context: Context,
        expressions: AnyExpression,
        keeping: KeptSets,
        effects: Effects,
        choices: Choices,
    ) -> None:
        seeing, dirty, slots = effects.seeing, effects.dirty, effects.slots
        legality, queries = choices.legality, expressions.queries
        frames = Frames(context, keeping)
        straight = StraightStatements(
            context,
            expressions,
            keeping,
            queries,
            expressions.set_expressions,
            effects,
            legality,
            frames,
            self,
        )
        resumable = ResumableStatements(
            context, expressions, keeping, slots, legality, frames, self, self, straight
        )
        triggers = Triggers(context, queries, dirty, frames, straight, resumable)
        self._steps = StepsAndActions(
            context,
            expressions,
            keeping,
            expressions.reading,
            dirty,
            frames,
            straight,
            resumable,
            triggers,
        )
        self._decisions = Decisions(
            context,
            expressions,
            effects,
            choices,
            frames,
            straight,
            resumable,
            triggers,
            self._steps,
        )
        self.together = Together(
            context, expressions, keeping, expressions.boards, effects, frames, resumable
        )
        self.named_pieces = NamedPieces(context, seeing, choices.candidates, frames)
        self.frames = frames
        self.resumable = resumable
        self._legality = legality
        expressions.look_ahead = self

    # ------------------------------------------------------------ what statements hand on

    def step_function(self, info: StepInfo, setting: Setting) -> str:
        return self._steps.step_function(info, setting)

    def choose_value(self, m: Machine, node: core.ChooseValue, env: Env, scope: Scope) -> None:
        self._decisions.choose_value(m, node, env, scope)

    def choose_action(self, m: Machine, node: core.ChooseAction, env: Env, scope: Scope) -> None:
        self._decisions.choose_action(m, node, env, scope)

    def act_together(self, m: Machine, node: core.Together, env: Env, scope: Scope) -> None:
        self.together.act_together(m, node, env, scope)

    # ------------------------------------------------------------ what expressions hand on

    def would(self, w: Writer, node: core.Would, env: Env) -> Code:
        return self._steps.would(w, node, env)

    def can(self, w: Writer, node: core.Can, env: Env) -> Code:
        return self._legality.can(w, node, env)
