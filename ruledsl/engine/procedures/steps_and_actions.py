"""Steps and actions as functions, plain or stopping."""

from __future__ import annotations

from collections.abc import Callable

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    load,
    mul,
    ne,
    no,
    signed,
    sub,
)
from ruledsl.engine.context import DONE, STOPPED, Context, Part
from ruledsl.engine.effects.dirty_triggers import DirtyTriggers
from ruledsl.engine.expressions.environment import Env, Expressions, Lazy
from ruledsl.engine.expressions.reading import Reading
from ruledsl.engine.memory.control import CHOOSER, VECTOR, WORK
from ruledsl.engine.memory.layout import category, none_of
from ruledsl.engine.procedures.frames import (
    Frames,
    Machine,
    Scope,
    Setting,
)
from ruledsl.engine.procedures.resumable import ResumableStatements
from ruledsl.engine.procedures.straight import StraightStatements
from ruledsl.engine.procedures.triggers import Triggers
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.shapes import MANY, WORD
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core
from ruledsl.model.game import ActionInfo, StepInfo
from ruledsl.model.names import names_in
from ruledsl.model.types import Type
from ruledsl.model.walk import walk
from ruledsl.table import mishaps
from ruledsl.table.limits import LOOK, LOOKED


class StepsAndActions(Part):
    """Lowers everything with a name and a body."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        reading: Reading,
        dirty: DirtyTriggers,
        frames: Frames,
        straight: StraightStatements,
        resumable: ResumableStatements,
        triggers: Triggers,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.reading = reading
        self.dirty = dirty
        self.frames = frames
        self.straight = straight
        self.resumable = resumable
        self.triggers = triggers
        self._resets: dict[str, list[str]] = {}
        """by step or action: the states that begin anew with it"""
        for key, state in self.game.states.items():
            if state.each is not None:
                self._resets.setdefault(state.each, []).append(key)

    # ------------------------------------------------------------ steps

    def step_function(self, info: StepInfo, setting: Setting) -> str:
        """The function of a step; it takes its arguments, or finds them in its frame."""
        name, known = self.frames.function_name("step", info.name, setting)
        if known:
            return name
        with self.context.chosen(False), self.frames.own_names():
            if self.frames.stops("step", info.name, setting):
                self._stopping_step(name, info, setting)
            else:
                self._plain_step(name, info, setting)
        return name

    def _reset(self, w: Writer, name: str) -> None:
        for key in self._resets.get(name, ()):
            slot = self.layout.states[key]
            self.dirty.touched(w, ("state", key))
            for number in range(slot.count):
                owner = None
                if self.game.states[key].owner is not None:
                    owner = self.layout.things[slot.first + number]
                value = self.table.start_value(self.table.slots[(key, owner)])
                address = slot.base + number * slot.stride
                if slot.words:
                    for at, word in enumerate(self.set_words(value, slot.low, slot.words)):
                        w.store64(address + 8 * at, ("i64", word))
                else:
                    w.store(address, self.layout.encode(value, slot.category))
                if slot.fixed:
                    w.store(slot.fixed + 4 * number, 1)

    def set_words(self, value: object, low: int, words: int) -> list[int]:
        """A set as words with a bit for each element."""
        bits = 0
        assert isinstance(value, tuple)
        for each in value:
            bits |= 1 << (self.layout.encode(each, "thing") - low)
        return [signed(bits >> (WORD * at)) for at in range(words)]

    def _plain_step(self, name: str, info: StepInfo, setting: Setting) -> None:
        w = self.context.function(name, *(f"p{n}" for n in range(len(info.params))))
        env: Env = {}
        for number, param in enumerate(info.params):
            env[param.local.number] = self._param_binding(f"p{number}", param.type)
            self.frames.types[param.local.number] = param.type
        self._check_arguments(w, info, env)
        self._reset(w, info.name)
        with w.block() as body:
            scope = Scope(setting, {info.name: lambda: w.leave(body)}, w.give_back)

            def carry_out(block: core.Block) -> None:
                self.context.spend(w, block, info.span)
                self.straight.plain_block(w, block, env, scope)

            self._step_rows(w, info, env, carry_out)
        self._finish_plain(w, info.name, setting)

    def _param_binding(self, code: Code, of: Type) -> Code | SetCode:
        if category(of) != "set":
            return code
        span = self.layout.span_in(of)
        return Listed(code, MANY if span is None else span[1], False, span)

    def _check_arguments(self, w: Writer, info: StepInfo, env: Env) -> None:
        if not self.context.checked:
            return
        for param in info.params:
            code = env[param.local.number]
            if param.bounds is None or isinstance(code, SetCode | Lazy):
                continue
            low, high = self.table.number(param.bounds.low), self.table.number(param.bounds.high)
            outside = ("i32.gt_u", sub(code, low), high - low)
            with w.when(("i32.and", outside, ne(code, none_of("number")))):
                what = f"`{param.local.name}` of `{info.name}`"
                self.context.fail(w, mishaps.outside(what, low, high), info.span)

    def _step_rows(
        self, w: Writer, info: StepInfo, env: Env, write: Callable[[core.Block], None]
    ) -> None:
        if not info.rows:
            assert info.body is not None
            write(info.body)
            return
        self.reading.by_row(w, info, env, write)

    def _finish_plain(self, w: Writer, name: str, setting: Setting) -> None:
        triggers = self.frames.applicable(name) if setting == "main" else ()
        if triggers:
            w.give_back(("call", self.triggers.checkpoint_function(triggers)))
        else:
            w.give_back(DONE)

    def _stopping_step(self, name: str, info: StepInfo, setting: Setting) -> None:
        frame = self.frames.frame("step", info.name, setting)
        w = self.context.function(name)
        m = Machine(w, frame)
        env: Env = {}
        for param in info.params:
            self.frames.types[param.local.number] = param.type
            if category(param.type) == "set":
                address = self.resumable.set_param(frame, param)
                env[param.local.number] = self._param_binding(address, param.type)
            else:
                env[param.local.number] = load(self.frames.cell(frame, param.local.number))
        self._check_arguments(w, info, env)
        self._reset(w, info.name)
        end = m.block()
        scope = Scope(setting, {info.name: lambda: m.goto(end)}, w.give_back)
        if not info.rows:
            assert info.body is not None
            self.context.spend(w, info.body, info.span)
            self.resumable.block(m, info.body, env, scope)
        else:
            first = info.params[0]
            subject = env[first.local.number]
            assert not isinstance(subject, SetCode | Lazy)
            for row in info.rows:
                other = m.block()
                m.go_if(no(self.reading.is_row(subject, first.type, row.row)), other)
                self.context.spend(w, row.body, info.span)
                self.resumable.block(m, row.body, env, scope)
                m.goto(end)
                m.start(other)
            if info.body is not None:
                self.context.spend(w, info.body, info.span)
                self.resumable.block(m, info.body, env, scope)
            else:
                self.context.fail(w, mishaps.nothing_said(info.name), info.span)
        m.goto(end)
        m.start(end)
        self._finish_stopping(m, info.name, setting)

    def _finish_stopping(self, m: Machine, name: str, setting: Setting) -> None:
        """Triggers, then the end of a procedure that may stop."""
        w = m.w
        triggers = self.frames.applicable(name) if setting == "main" else ()
        if triggers:
            function = self.triggers.checkpoint_function(triggers)
            if self.triggers.stops_at(triggers):
                w.store(self.triggers.checkpoint_frame(triggers).resume, 0)
                self.frames.stop_here(m, {}, 0)
            status = w.variable(("call", function))
            with w.when(status):
                w.give_back(status)
        w.store(m.frame.resume, 0)
        w.give_back(DONE)

    # ------------------------------------------------------------ actions

    def action_function(self, info: ActionInfo, setting: Setting) -> str:
        """The function of an action; it takes its seat and values, or finds them in its frame."""
        name, known = self.frames.function_name("action", info.key, setting)
        if known:
            return name
        with self.context.chosen(True), self.frames.own_names():
            if self.frames.stops("action", info.key, setting):
                self._stopping_action(name, info, setting)
            else:
                self._plain_action(name, info, setting)
        return name

    def needed_lets(self, info: ActionInfo) -> list[core.Let]:
        """The names from the requirements that the effects use."""
        used = self._used(info.body)
        found: list[core.Let] = []
        for statement in reversed(info.requirements):
            if isinstance(statement, core.Let) and statement.local.number in used:
                found.insert(0, statement)
                used |= names_in(statement.value)
        return found

    def _used(self, block: core.Block) -> set[int]:
        """The names that statements use, in actions written on the spot too."""
        used: set[int] = set()
        for part in walk(block):
            if isinstance(part, core.Local):
                used.add(part.number)
            elif isinstance(part, core.Offer):
                inner = self.game.actions[part.action]
                if inner.inline:
                    used |= self._used((*inner.requirements, *inner.body))
                    used |= {p.number for p in walk(inner.picks) if isinstance(p, core.Local)}
        return used

    def _plain_action(self, name: str, info: ActionInfo, setting: Setting) -> None:
        w = self.context.function(name, "seat", *(f"p{n}" for n in range(len(info.picks))))
        before = w.variable(load(CHOOSER))
        w.store(CHOOSER, "seat")
        self.frames.note_types(info.picks)
        env: Env = {draw.local.number: f"p{n}" for n, draw in enumerate(info.picks)}

        def leave(status: Code) -> None:
            w.store(CHOOSER, before)
            w.give_back(status)

        with w.block() as body:
            scope = Scope(setting, {info.name: lambda: w.leave(body)}, leave)
            self.context.spend(w, info.body, info.span)
            for let in self.needed_lets(info):
                self.straight.plain(w, let, env, scope)
            self._reset(w, info.key)
            self.straight.plain_block(w, info.body, env, scope)
        w.store(CHOOSER, before)
        self._finish_plain(w, info.name, setting)

    def _stopping_action(self, name: str, info: ActionInfo, setting: Setting) -> None:
        frame = self.frames.frame("action", info.key, setting)
        w = self.context.function(name)
        m = Machine(w, frame)
        before = self.frames.own_cell(frame, info, "before")
        w.store(before, load(CHOOSER))
        w.store(CHOOSER, load(self.frames.own_cell(frame, info, "seat")))
        self.frames.note_types(info.picks)
        env: Env = {
            draw.local.number: load(self.frames.cell(frame, draw.local.number))
            for draw in info.picks
        }

        def leave(status: Code) -> None:
            with w.when(ne(status, STOPPED)):
                w.store(CHOOSER, load(before))
            w.give_back(status)

        end = m.block()
        scope = Scope(setting, {info.name: lambda: m.goto(end)}, leave)
        self.context.spend(w, info.body, info.span)
        for let in self.needed_lets(info):
            self.resumable.between(m, let, env, scope)
        self._reset(w, info.key)
        self.resumable.block(m, info.body, env, scope)
        m.goto(end)
        m.start(end)
        w.store(CHOOSER, load(before))
        self._finish_stopping(m, info.name, setting)

    # ------------------------------------------------------------ looking ahead

    def would(self, w: Writer, node: core.Would, env: Env) -> Code:
        info = self.game.steps[node.step]
        size = self.layout.table_end - VECTOR
        saved = self.layout.scratch(size, 8)
        arguments: list[Code] = []
        for param, argument in zip(info.params, node.arguments, strict=True):
            if category(param.type) == "set":
                arguments.append(
                    self.keeping.listed(w, self.expressions.set(w, argument, env)).address
                )
            else:
                arguments.append(self.expressions.value(w, argument, env, category(param.type)))
        name = self.step_function(info, "quiet")
        arguments = [w.once(code) for code in arguments]
        counters = self.context.counters
        mark = 0 if counters is None else w.variable(counters.mark)
        real = 0 if counters is None else counters.only_tried(w)
        w.emit("copy", saved, VECTOR, size)
        self.context.burn(w, node.span, LOOK)
        # How often one looks ahead is up to whoever judges what is legal: each time stands alone.
        work = w.variable(load(WORK))
        w.store(WORK, self.game.allowance.statements)
        w.variable(("call", name, *arguments))
        found = w.variable(self.expressions.value(w, node.body, env))
        spent = w.once(sub(self.game.allowance.statements, load(WORK)))
        w.store(WORK, work)
        self.context.burn(w, node.span, mul(spent, LOOKED))
        w.emit("copy", VECTOR, saved, size)
        if counters is not None:
            counters.back_to(w, mark)
            counters.for_real(w, real)
        return found
