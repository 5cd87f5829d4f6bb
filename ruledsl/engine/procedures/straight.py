"""Statements that stop for nobody."""

from __future__ import annotations

from typing import assert_never

import attrs

from ruledsl.engine.choices.legality import Legality
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    eq,
    load,
    mul,
    ne,
    no,
    op,
    select,
    sub,
)
from ruledsl.engine.context import OVER, Context, Part
from ruledsl.engine.effects.effects import Effects
from ruledsl.engine.expressions.environment import Env, Expressions, scope_of
from ruledsl.engine.expressions.queries import Queries
from ruledsl.engine.expressions.set_expressions import SetExpressions, UseRow
from ruledsl.engine.memory.control import HOW, HOWS, WON
from ruledsl.engine.memory.layout import category, element_of
from ruledsl.engine.procedures.frames import Frames, Scope
from ruledsl.engine.procedures.protocols import Steps
from ruledsl.engine.sets.basic import Everything, SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.shapes import MANY
from ruledsl.model import core
from ruledsl.table import mishaps


class StraightStatements(Part):
    """Lowers statements to straight code."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        queries: Queries,
        set_expressions: SetExpressions,
        effects: Effects,
        legality: Legality,
        frames: Frames,
        steps: Steps,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.queries = queries
        self.set_expressions = set_expressions
        self.effects = effects
        self.legality = legality
        self.frames = frames
        self.steps = steps

    def plain_block(self, w: Writer, block: core.Block, env: Env, scope: Scope) -> None:
        inner = dict(env)
        for at, statement in enumerate(block):
            if self.context.counters is not None:
                self.context.counters.statements(w, block, at)
            self.plain(w, statement, inner, scope)

    def plain(self, w: Writer, node: core.Statement, env: Env, scope: Scope) -> None:
        """A statement that stops for nobody; names it binds are added to the environment."""
        match node:
            case core.Let(local=local):
                env[local.number] = self.legality.let_value(w, node, env)
                self.frames.types[local.number] = node.value.type
            case core.Assign(slot=slot, value=value):
                if category(slot.type) == "set":
                    whole = self.expressions.set(w, value, env)
                    self.effects.slots.assign_set(w, slot, whole, env, node)
                else:
                    code = self.expressions.value(w, value, env, category(slot.type))
                    self.effects.slots.assign(w, slot, code, env, node)
            case core.Move() | core.MoveSome() | core.MoveAll() | core.Put():
                counters = self.context.counters
                before = None if counters is None else w.variable(load(counters.moves))
                self.effects.moving.move(w, node, env)
                if counters is not None and before is not None:
                    counters.changes(w, node, ne(load(counters.moves), before))
            case core.Shuffle(place=place):
                self.effects.dirty.touched(
                    w, *(("place", kind) for kind in self.layout.kinds_of(place.type))
                )
                shuffled = w.once(self.expressions.value(w, place, env))
                self.effects.moving.must_be_place(w, shuffled, place.span)
                w.emit("do", ("call", "shuffle", shuffled))
            case core.Roll(target=target):
                outcome = self.effects.slots.roll(w, node, env, scope.leave)
                if isinstance(target, core.Local):
                    env[target.number] = outcome
                    self.frames.types[target.number] = element_of(node.domain.type)
                else:
                    self.effects.slots.assign(w, target, outcome, env, node)
            case core.Show():
                self._show(w, node, env)
            case core.Record(history=name):
                w.emit("do", ("call", f"record_{name}"))
                self.effects.dirty.touched(w, "history")
            case core.Eliminate(player=player):
                who = w.once(self.expressions.value(w, player, env))
                self.effects.slots.eliminate(w, who, player.span)
            case core.Win(word=word, players=players):
                if category(players.type) == "set":
                    mask = self.effects.slots.seat_mask(w, self.expressions.set(w, players, env))
                else:
                    seat = sub(self.expressions.value(w, players, env), self.layout.first_player)
                    mask = ("i32.shl", 1, seat)
                mask = w.once(mask)
                w.store(WON, mask)
                nobody = HOWS.index("draw" if word == "win" else word)
                w.store(HOW, select(mask, HOWS.index(word), nobody))
                scope.leave(OVER)
            case core.End(target=ended):
                self.end(w, ended, scope)
            case core.Skip() | core.Require() | core.Tell():
                pass
            case core.Call():
                self._plain_call(w, node, env, scope)
            case core.If(branches=branches):
                with w.block() as done:
                    for branch in branches:
                        test: Code = 1
                        if branch.condition is not None:
                            test = self.expressions.condition(w, branch.condition, env)
                        with w.when(test):
                            self.plain_block(w, branch.body, env, scope)
                            w.leave(done)
            case core.For():
                self._plain_for(w, node, env, scope)
            case core.Repeat():
                self._plain_repeat(w, node, env, scope)
            case core.Together() | core.ChooseValue() | core.ChooseAction():
                raise AssertionError("this stops for a decision")
            case _:
                assert_never(node)

    def end(self, w: Writer, target: str, scope: Scope) -> None:
        """End the game, a step, an action, or the loop."""
        if target == "game":
            w.store(HOW, HOWS.index("end"))
            scope.leave(OVER)
        elif target in scope.ends:
            scope.ends[target]()
        else:
            scope.leave(self.frames.target(target))

    def _show(self, w: Writer, node: core.Show, env: Env) -> None:
        if not self.effects.seeing.track:
            return
        viewers = self.expressions.set(w, node.viewers, env)
        mask = w.once(self.effects.slots.seat_mask(w, viewers))
        if category(node.subject.type) == "set":
            if self.layout.is_piece(element_of(node.subject.type)):
                whole = self.expressions.set(w, node.subject, env)
                whole.each(w, lambda x: self.effects.seeing.know_shown(w, x, mask))
        elif self.layout.is_piece(node.subject.type):
            piece = w.once(self.expressions.value(w, node.subject, env))
            with w.when(op("i32.ge_s", piece, 0)):
                self.effects.seeing.know_shown(w, piece, mask)

    # ------------------------------------------------------------ calls

    def arguments(self, w: Writer, node: core.Call, env: Env) -> list[Code | SetCode]:
        """What a step is called with."""
        info = self.game.steps[node.step]
        found: list[Code | SetCode] = []
        for param, argument in zip(info.params, node.arguments, strict=True):
            if category(param.type) == "set":
                found.append(self.keeping.kept(w, self.expressions.set(w, argument, env)))
            else:
                found.append(w.once(self.expressions.value(w, argument, env, category(param.type))))
        return found

    def _plain_call(self, w: Writer, node: core.Call, env: Env, scope: Scope) -> None:
        arguments = self.arguments(w, node, env)
        name = self.steps.step_function(self.game.steps[node.step], scope.setting)
        codes = [self.as_argument(w, argument) for argument in arguments]
        status = w.variable(("call", name, *codes))
        self.pass_on(w, status, scope)

    def as_argument(self, w: Writer, argument: Code | SetCode) -> Code:
        """A set is passed as the address of a list."""
        return (
            self.keeping.listed(w, argument).address if isinstance(argument, SetCode) else argument
        )

    def pass_on(self, w: Writer, status: Code, scope: Scope) -> None:
        """What follows when a procedure gives back something other than DONE."""
        with w.when(status):
            for name, leave in scope.ends.items():
                if name != "loop":
                    with w.when(eq(status, self.frames.target(name))):
                        leave()
            scope.leave(status)

    # ------------------------------------------------------------ loops

    def _plain_for(self, w: Writer, node: core.For, env: Env, scope: Scope) -> None:
        self.frames.note_types(node.draws)
        with w.block() as done:
            inner_scope = attrs.evolve(scope, ends={**scope.ends, "loop": lambda: w.leave(done)})
            if node.where is None and not node.order and len(node.draws) == 1:
                whole = self.expressions.set(w, node.draws[0].domain, env)
                if isinstance(whole, Everything):
                    number = node.draws[0].local.number

                    def one(x: Code) -> None:
                        self.context.spend(w, node.body, node.span)
                        self.plain_block(w, node.body, {**env, number: x}, inner_scope)

                    whole.each(w, one)
                    return
            address, _ = self.collect(w, node, env)

            def each(inner: Env) -> None:
                self.context.spend(w, node.body, node.span)
                with w.block():
                    self.plain_block(w, node.body, inner, inner_scope)

            self.set_expressions.each_row(w, address, node.draws, env, each)

    def collect(self, w: Writer, node: core.For, env: Env) -> tuple[int, int]:
        """All draws of a loop, before its body can change anything; a list of rows."""
        width, most = len(node.draws), self.most_passes(node, env)
        if node.order:

            def each_row(use: UseRow) -> None:
                self.queries.draw(w, node.draws, node.where, None, env, use)

            return self.set_expressions.sorted_rows(w, node.order, width, most, each_row), width
        address = self.layout.list_memory(most * width)
        count = w.variable(0)

        def append(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
            if most >= MANY:  # Nobody knows how many there are.
                with w.when(op("i32.ge_s", count, most)):
                    self.context.fail(w, mishaps.SET_TOO_LARGE, node.span)
            here = w.once(add(mul(count, 4 * width), address + 4))
            for step, value in enumerate(values):
                w.store(here, value, 4 * step)
            w.set(count, add(count, 1))

        self.queries.draw(w, node.draws, node.where, None, env, append)
        w.store(address, count)
        return address, width

    def most_passes(self, node: core.For, env: Env) -> int:
        """How many draws a loop can have."""
        return self.queries.foresight.most_draws(node.draws, scope_of(env))

    def _plain_repeat(self, w: Writer, node: core.Repeat, env: Env, scope: Scope) -> None:
        times: Code | None = None
        if node.times is not None:
            times = w.once(self.expressions.number(w, node.times, env))
        passes = w.variable(0)
        with w.loop() as label:
            if times is not None:
                w.leave_if(label, op("i32.ge_s", passes, times))
            if node.running is not None:
                w.leave_if(label, no(self.expressions.condition(w, node.running, env)))
            inner = attrs.evolve(scope, ends={**scope.ends, "loop": lambda: w.leave(label)})
            self.context.spend(w, node.body, node.span)
            self.plain_block(w, node.body, env, inner)
            w.set(passes, add(passes, 1))
