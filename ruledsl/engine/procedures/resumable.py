"""Statements that may stop for a decision: blocks with jumps."""

from __future__ import annotations

import attrs

from ruledsl.engine.choices.legality import Legality
from ruledsl.engine.code.instructions import (
    add,
    load,
    mul,
    no,
    op,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.effects.slots_and_rolls import SlotsAndRolls
from ruledsl.engine.expressions.environment import Env, Expressions, drawn
from ruledsl.engine.memory.layout import element_of
from ruledsl.engine.procedures.frames import (
    Frame,
    Frames,
    Machine,
    Scope,
)
from ruledsl.engine.procedures.protocols import Asking, Steps
from ruledsl.engine.procedures.straight import StraightStatements
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.shapes import MANY
from ruledsl.model import core
from ruledsl.model.game import ParamInfo


class ResumableStatements(Part):
    """Lowers statements to blocks that can be resumed."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        slots: SlotsAndRolls,
        legality: Legality,
        frames: Frames,
        steps: Steps,
        asking: Asking,
        straight: StraightStatements,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.slots = slots
        self.legality = legality
        self.frames = frames
        self.steps = steps
        self.asking = asking
        self.straight = straight

    def block(self, m: Machine, block: core.Block, env: Env, scope: Scope) -> None:
        """Statements, some of which may stop."""
        inner = dict(env)
        for at, statement in enumerate(block):
            if self.context.counters is not None:
                self.context.counters.statements(m.w, block, at)
            if self.frames.block_stops((statement,), scope.setting):
                self.stopping(m, statement, inner, scope)
            else:
                self.between(m, statement, inner, scope)

    def between(self, m: Machine, node: core.Statement, env: Env, scope: Scope) -> None:
        """A plain statement; what it binds must outlive the next stop."""
        w = m.w
        match node:
            case core.Let(local=local, value=value):
                found = self.legality.let_value(w, node, env)
                env[local.number] = self.frames.keep_local(w, m.frame, local, value.type, found)
            case core.Roll(target=core.Local() as local):
                code = self.slots.roll(w, node, env, scope.leave)
                of = element_of(node.domain.type)
                env[local.number] = self.frames.keep_local(w, m.frame, local, of, code)
            case _:
                self.straight.plain(w, node, env, scope)

    def stopping(self, m: Machine, node: core.Statement, env: Env, scope: Scope) -> None:
        """A statement that may stop."""
        w = m.w
        match node:
            case core.Call():
                self._stopping_call(m, node, env, scope)
            case core.If(branches=branches):
                after = m.block()
                for branch in branches:
                    if branch.condition is None:
                        self.block(m, branch.body, env, scope)
                        break
                    other = m.block()
                    m.go_if(no(self.expressions.condition(w, branch.condition, env)), other)
                    self.block(m, branch.body, env, scope)
                    m.goto(after)
                    m.start(other)
                m.goto(after)
                m.start(after)
            case core.For():
                self._stopping_for(m, node, env, scope)
            case core.Repeat():
                self._stopping_repeat(m, node, env, scope)
            case core.ChooseValue():
                self.asking.choose_value(m, node, env, scope)
            case core.ChooseAction():
                self.asking.choose_action(m, node, env, scope)
            case core.Together():
                self.asking.act_together(m, node, env, scope)
            case _:
                raise AssertionError(f"{type(node).__name__} stops for nobody")

    # ------------------------------------------------------------ calls

    def call_stopping(self, m: Machine, name: str, scope: Scope) -> None:
        """Call a procedure that may stop; the caller has noted where to go on."""
        status = m.w.variable(("call", name))
        self.straight.pass_on(m.w, status, scope)

    def _stopping_call(self, m: Machine, node: core.Call, env: Env, scope: Scope) -> None:
        w = m.w
        info = self.game.steps[node.step]
        arguments = self.straight.arguments(w, node, env)
        name = self.steps.step_function(info, scope.setting)
        frame = self.frames.frame("step", node.step, scope.setting)
        for param, argument in zip(info.params, arguments, strict=True):
            if isinstance(argument, SetCode):
                address = self.set_param(frame, param)
                whole = self.keeping.listed(w, argument)
                w.emit("copy", address, whole.address, mul(add(load(whole.address), 1), 4))
            else:
                w.store(self.frames.cell(frame, param.local.number), argument)
        w.store(frame.resume, 0)
        self.frames.stop_here(m, env, node.depth)
        self.call_stopping(m, name, scope)

    def set_param(self, frame: Frame, param: ParamInfo) -> int:
        """The address of the list that a frame has for a parameter."""
        span = self.layout.span_in(param.type)
        capacity = MANY if span is None else span[1]
        return self.frames.cell(frame, param.local.number, "list", capacity + 2)

    # ------------------------------------------------------------ loops

    def _stopping_for(self, m: Machine, node: core.For, env: Env, scope: Scope) -> None:
        w = m.w
        source, width = self.straight.collect(w, node, env)
        number = node.draws[0].local.number
        rows = self.frames.cell(
            m.frame, number, "rows", self.straight.most_passes(node, env) * width + 2
        )
        cursor = self.frames.cell(m.frame, number, "cursor")
        size = add(mul(load(source), 4 * width), 4)
        w.emit("copy", rows, source, size)
        w.store(cursor, 0)
        head, after = m.block(), m.block()
        m.goto(head)
        m.start(head)
        m.go_if(op("i32.ge_s", load(cursor), load(rows)), after)
        here = w.once(add(mul(load(cursor), 4 * width), rows + 4))
        w.store(cursor, add(load(cursor), 1))
        inner = dict(env)
        for step, draw in enumerate(node.draws):
            of = element_of(draw.domain.type)
            value = load(here, 4 * step)
            kept = self.frames.keep_local(w, m.frame, draw.local, of, value)
            assert not isinstance(kept, SetCode)
            inner[draw.local.number] = drawn(draw, kept)
        inner_scope = attrs.evolve(scope, ends={**scope.ends, "loop": lambda: m.goto(after)})
        self.context.spend(w, node.body, node.span)
        self.block(m, node.body, inner, inner_scope)
        m.goto(head)
        m.start(after)

    def _stopping_repeat(self, m: Machine, node: core.Repeat, env: Env, scope: Scope) -> None:
        w = m.w
        times = self.frames.own_cell(m.frame, node, "times")
        passes = self.frames.own_cell(m.frame, node, "passes")
        if node.times is not None:
            w.store(times, self.expressions.number(w, node.times, env))
        w.store(passes, 0)
        head, after = m.block(), m.block()
        m.goto(head)
        m.start(head)
        if node.times is not None:
            m.go_if(op("i32.ge_s", load(passes), load(times)), after)
        if node.running is not None:
            m.go_if(no(self.expressions.condition(w, node.running, env)), after)
        inner_scope = attrs.evolve(scope, ends={**scope.ends, "loop": lambda: m.goto(after)})
        self.context.spend(w, node.body, node.span)
        self.block(m, node.body, env, inner_scope)
        w.store(passes, add(load(passes), 1))
        m.goto(head)
        m.start(after)
