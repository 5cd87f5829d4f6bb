"""Checkpoints: triggers are tried until none holds."""

from __future__ import annotations

from collections.abc import Callable

from ruledsl.engine.code.instructions import Code, Writer, add, both, eq, load, mul, no, op
from ruledsl.engine.context import DONE, Context, Part
from ruledsl.engine.effects.dirty_triggers import DirtyTriggers
from ruledsl.engine.expressions.environment import Env, Lazy
from ruledsl.engine.expressions.queries import Queries
from ruledsl.engine.procedures.frames import (
    Frame,
    Frames,
    Machine,
    Scope,
)
from ruledsl.engine.procedures.resumable import ResumableStatements
from ruledsl.engine.procedures.straight import StraightStatements
from ruledsl.engine.sets.basic import SetCode
from ruledsl.model.game import TriggerInfo
from ruledsl.table import mishaps
from ruledsl.table.limits import MOST_TRIGGERS


class Triggers(Part):
    """Lowers triggers."""

    def __init__(
        self,
        context: Context,
        queries: Queries,
        dirty: DirtyTriggers,
        frames: Frames,
        straight: StraightStatements,
        resumable: ResumableStatements,
    ) -> None:
        super().__init__(context)
        self.queries = queries
        self.dirty = dirty
        self.frames = frames
        self.straight = straight
        self.resumable = resumable
        self._checkpoints: dict[tuple[str, ...], str] = {}

    def stops_at(self, triggers: tuple[str, ...]) -> bool:
        """Whether one of some triggers may stop for a decision."""
        return any(self.frames.stops("trigger", each, "quiet") for each in triggers)

    def checkpoint_frame(self, triggers: tuple[str, ...]) -> Frame:
        return self.frames.frame("checkpoint", " ".join(triggers), "main")

    def checkpoint_function(self, triggers: tuple[str, ...]) -> str:
        """Try some triggers until none holds."""
        if triggers in self._checkpoints:
            return self._checkpoints[triggers]
        name = self._checkpoints[triggers] = f"checkpoint_{len(self._checkpoints)}"
        with self.context.chosen(False):
            if self.stops_at(triggers):
                self._stopping_checkpoint(name, triggers)
            else:
                self._plain_checkpoint(name, triggers)
        return name

    def _plain_checkpoint(self, name: str, triggers: tuple[str, ...]) -> None:
        w = self.context.function(name)
        done = {
            key: self.layout.scratch(4 * _rows(self.game.triggers[key]))
            for key in triggers
            if self.game.triggers[key].when is None
        }
        for address in done.values():
            w.store(address, 0)
        fired = w.variable(0)
        with w.loop() as again:
            for key in triggers:
                trigger = self.game.triggers[key]
                function, _ = self.trigger_function(trigger)

                def fire(
                    env: Env,  # noqa: ARG001
                    values: list[Code],
                    function: str = function,
                    trigger: TriggerInfo = trigger,
                ) -> None:
                    status = w.variable(("call", function, *values))
                    with w.when(status):
                        w.give_back(status)
                    self._count_fired(w, fired, trigger)
                    w.emit("again", again)

                self._try(w, trigger, done.get(key), fire)
            w.leave(again)
        w.give_back(DONE)

    def _count_fired(self, w: Writer, fired: str, trigger: TriggerInfo) -> None:
        w.set(fired, add(fired, 1))
        with w.when(op("i32.ge_s", fired, MOST_TRIGGERS)):
            self.context.fail(w, mishaps.firing_without_end(trigger.name), trigger.span)

    def _try(
        self,
        w: Writer,
        trigger: TriggerInfo,
        done: int | None,
        fire: Callable[[Env, list[Code]], None],
    ) -> None:
        """Fire a trigger for the first draw that holds; without a condition, once for each."""
        if done is None:
            with w.when(self.dirty.may_hold(trigger)):
                self.queries.draw(w, trigger.picks, trigger.when, None, {}, fire)
                self.dirty.does_not_hold(w, trigger)
            return
        width = max(1, len(trigger.picks))

        def once(env: Env, values: list[Code]) -> None:
            known = w.variable(0)
            with w.counting(0, load(done)) as at:
                row = w.once(add(mul(at, 4 * width), done + 4))
                same: Code = 1
                for step, value in enumerate(values):
                    same = both(same, eq(load(row, 4 * step), value))
                with w.when(same):
                    w.set(known, 1)
            with w.when(no(known)):
                row = w.once(add(mul(load(done), 4 * width), done + 4))
                for step, value in enumerate(values):
                    w.store(row, value, 4 * step)
                w.store(done, add(load(done), 1))
                fire(env, values)

        self.queries.draw(w, trigger.picks, None, None, {}, once)

    def trigger_function(self, trigger: TriggerInfo) -> tuple[str, bool]:
        """The function of a trigger's body, and whether it may stop."""
        stops = self.frames.stops("trigger", trigger.name, "quiet")
        name, known = self.frames.function_name("trigger", trigger.name, "quiet")
        if known:
            return name, stops
        with self.context.chosen(False), self.frames.own_names():
            self.frames.note_types(trigger.picks)
            if stops:
                frame = self.frames.frame("trigger", trigger.name, "quiet")
                w = self.context.function(name)
                m = Machine(w, frame)
                env: Env = {
                    draw.local.number: load(self.frames.cell(frame, draw.local.number))
                    for draw in trigger.picks
                }
                self.context.spend(w, trigger.body, trigger.span)
                self.resumable.block(m, trigger.body, env, Scope("quiet", {}, w.give_back))
                self._guard_end(w, trigger, env)
                w.store(frame.resume, 0)
                w.give_back(DONE)
            else:
                w = self.context.function(name, *(f"p{n}" for n in range(len(trigger.picks))))
                env = {draw.local.number: f"p{n}" for n, draw in enumerate(trigger.picks)}
                self.context.spend(w, trigger.body, trigger.span)
                self.straight.plain_block(w, trigger.body, env, Scope("quiet", {}, w.give_back))
                self._guard_end(w, trigger, env)
                w.give_back(DONE)
        return name, stops

    def _guard_end(self, w: Writer, trigger: TriggerInfo, env: Env) -> None:
        """A trigger must not leave true what it fired for."""
        if not self.context.checked or trigger.when is None:
            return
        fired = [env[draw.local.number] for draw in trigger.picks]

        def again(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
            same: Code = 1
            for before, value in zip(fired, values, strict=True):
                assert not isinstance(before, SetCode | Lazy)
                same = both(same, eq(before, value))
            with w.when(same):
                self.context.fail(w, mishaps.still_holding(trigger.name), trigger.span)

        self.queries.draw(w, trigger.picks, trigger.when, None, {}, again)

    def _stopping_checkpoint(self, name: str, triggers: tuple[str, ...]) -> None:
        frame = self.checkpoint_frame(triggers)
        w = self.context.function(name)
        m = Machine(w, frame)
        done: dict[str, int] = {}
        for key in triggers:
            trigger = self.game.triggers[key]
            if trigger.when is None:
                done[key] = self.frames.own_cell(frame, trigger, "done", _rows(trigger))
                w.store(done[key], 0)
        count = self.frames.own_cell(frame, triggers, "fired")
        w.store(count, 0)
        head = m.block()
        runs = {key: m.block() for key in triggers}
        m.goto(head)
        m.start(head)
        for key in triggers:
            trigger = self.game.triggers[key]
            function, stops = self.trigger_function(trigger)

            def fire(
                env: Env,  # noqa: ARG001
                values: list[Code],
                key: str = key,
                function: str = function,
                stops: bool = stops,
                trigger: TriggerInfo = trigger,
            ) -> None:
                fired = w.variable(load(count))
                self._count_fired(w, fired, trigger)
                w.store(count, fired)
                if not stops:
                    status = w.variable(("call", function, *values))
                    with w.when(status):
                        w.give_back(status)
                    m.goto(head)
                    return
                inner = self.frames.frame("trigger", key, "quiet")
                for draw, value in zip(trigger.picks, values, strict=True):
                    w.store(self.frames.cell(inner, draw.local.number), value)
                w.store(inner.resume, 0)
                w.store(frame.resume, runs[key])
                m.goto(runs[key])

            self._try(w, trigger, done.get(key), fire)
        w.store(frame.resume, 0)
        w.give_back(DONE)
        for key in triggers:
            m.start(runs[key])
            function, stops = self.trigger_function(self.game.triggers[key])
            if stops:
                status = w.variable(("call", function))
                with w.when(status):
                    w.give_back(status)
            m.goto(head)


def _rows(trigger: TriggerInfo) -> int:
    """Cells for the draws that a trigger has fired for."""
    return 1 + (MOST_TRIGGERS * len(trigger.picks) if trigger.picks else 1)
