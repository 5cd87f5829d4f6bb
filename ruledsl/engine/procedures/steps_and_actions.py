"""Steps and actions as functions, plain or stopping."""

from __future__ import annotations

from collections.abc import Callable

from ruledsl.engine.code.instructions import (
    Code,
    Program,
    Writer,
    load,
    ne,
    no,
    signed,
    sub,
)
from ruledsl.engine.expressions.lowering import DONE, STOPPED, Env, Lazy
from ruledsl.engine.memory.layout import (
    CHOOSER,
    VECTOR,
    Layout,
    category,
    none_of,
)
from ruledsl.engine.procedures.frames import (
    Context,
    Machine,
    Scope,
)
from ruledsl.engine.procedures.triggers import Triggers
from ruledsl.engine.sets.basic import MANY, WORD, SetCode
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core
from ruledsl.model.game import ActionInfo, StepInfo
from ruledsl.model.names import names_in
from ruledsl.model.types import Type
from ruledsl.model.walk import walk
from ruledsl.table.table import Table


class Procedures(Triggers):
    """Lowers everything with a name and a body."""

    def __init__(self, table: Table, layout: Layout, program: Program, checked: bool) -> None:
        super().__init__(table, layout, program, checked)
        self._resets: dict[str, list[str]] = {}
        """by step: the states that begin anew with it"""
        for key, state in self.game.states.items():
            if state.each is not None:
                self._resets.setdefault(state.each, []).append(key)

    # ------------------------------------------------------------ steps

    def step_function(self, info: StepInfo, context: Context) -> str:
        """The function of a step; it takes its arguments, or finds them in its frame."""
        name, known = self.function_name("step", info.name, context)
        if known:
            return name
        with self.chosen(False), self.own_names():
            if self.stops("step", info.name, context):
                self._stopping_step(name, info, context)
            else:
                self._plain_step(name, info, context)
        return name

    def _reset(self, w: Writer, name: str) -> None:
        for key in self._resets.get(name, ()):
            slot = self.layout.states[key]
            self.touched(w, ("state", key))
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

    def _plain_step(self, name: str, info: StepInfo, context: Context) -> None:
        w = self.function(name, *(f"p{n}" for n in range(len(info.params))))
        env: Env = {}
        for number, param in enumerate(info.params):
            env[param.local.number] = self._param_binding(f"p{number}", param.type)
            self.types[param.local.number] = param.type
        self._check_arguments(w, info, env)
        self._reset(w, info.name)
        with w.block() as body:
            scope = Scope(context, {info.name: lambda: w.leave(body)}, w.give_back)
            self._step_rows(w, info, env, lambda block: self.plain_block(w, block, env, scope))
        self._finish_plain(w, info.name, context)

    def _param_binding(self, code: Code, of: Type) -> Code | SetCode:
        if category(of) != "set":
            return code
        span = self.layout.span_in(of)
        return Listed(code, MANY if span is None else span[1], False, span)

    def _check_arguments(self, w: Writer, info: StepInfo, env: Env) -> None:
        if not self.checked:
            return
        for param in info.params:
            code = env[param.local.number]
            if param.bounds is None or isinstance(code, SetCode | Lazy):
                continue
            low, high = self.table.number(param.bounds.low), self.table.number(param.bounds.high)
            outside = ("i32.gt_u", sub(code, low), high - low)
            with w.when(("i32.and", outside, ne(code, none_of("number")))):
                text = f"`{param.local.name}` of `{info.name}` would lie outside {low}..{high}"
                self.fail(w, "range", text, info.span)

    def _step_rows(
        self, w: Writer, info: StepInfo, env: Env, write: Callable[[core.Block], None]
    ) -> None:
        if not info.rows:
            assert info.body is not None
            write(info.body)
            return
        first = info.params[0]
        subject = env[first.local.number]
        assert not isinstance(subject, SetCode | Lazy)
        with w.block() as done:
            for row in info.rows:
                with w.when(self.is_row(subject, first.type, row.row)):
                    write(row.body)
                    w.leave(done)
            if info.body is not None:
                write(info.body)
            else:
                self.fail(w, "body", f"{info.name} says nothing about this", info.span)

    def _finish_plain(self, w: Writer, name: str, context: Context) -> None:
        triggers = self.applicable(name) if context == "main" else ()
        if triggers:
            w.give_back(("call", self.checkpoint_function(triggers)))
        else:
            w.give_back(DONE)

    def _stopping_step(self, name: str, info: StepInfo, context: Context) -> None:
        frame = self.frame("step", info.name, context)
        w = self.function(name)
        m = Machine(w, frame)
        env: Env = {}
        for param in info.params:
            self.types[param.local.number] = param.type
            if category(param.type) == "set":
                address = self.set_param(frame, param)
                env[param.local.number] = self._param_binding(address, param.type)
            else:
                env[param.local.number] = load(self.cell(frame, param.local.number))
        self._check_arguments(w, info, env)
        self._reset(w, info.name)
        end = m.block()
        scope = Scope(context, {info.name: lambda: m.goto(end)}, w.give_back)
        if not info.rows:
            assert info.body is not None
            self.block(m, info.body, env, scope)
        else:
            first = info.params[0]
            subject = env[first.local.number]
            assert not isinstance(subject, SetCode | Lazy)
            for row in info.rows:
                other = m.block()
                m.go_if(no(self.is_row(subject, first.type, row.row)), other)
                self.block(m, row.body, env, scope)
                m.goto(end)
                m.start(other)
            if info.body is not None:
                self.block(m, info.body, env, scope)
            else:
                self.fail(w, "body", f"{info.name} says nothing about this", info.span)
        m.goto(end)
        m.start(end)
        self._finish_stopping(m, info.name, context)

    def _finish_stopping(self, m: Machine, name: str, context: Context) -> None:
        """Triggers, then the end of a procedure that may stop."""
        w = m.w
        triggers = self.applicable(name) if context == "main" else ()
        if triggers:
            function = self.checkpoint_function(triggers)
            if self.stops_at(triggers):
                w.store(self.checkpoint_frame(triggers).resume, 0)
                self.stop_here(m, {}, 0)
            status = w.variable(("call", function))
            with w.when(status):
                w.give_back(status)
        w.store(m.frame.resume, 0)
        w.give_back(DONE)

    # ------------------------------------------------------------ actions

    def action_function(self, info: ActionInfo, context: Context) -> str:
        """The function of an action; it takes its seat and values, or finds them in its frame."""
        name, known = self.function_name("action", info.key, context)
        if known:
            return name
        with self.chosen(True), self.own_names():
            if self.stops("action", info.key, context):
                self._stopping_action(name, info, context)
            else:
                self._plain_action(name, info, context)
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

    def _plain_action(self, name: str, info: ActionInfo, context: Context) -> None:
        w = self.function(name, "seat", *(f"p{n}" for n in range(len(info.picks))))
        before = w.variable(load(CHOOSER))
        w.store(CHOOSER, "seat")
        self.note_types(info.picks)
        env: Env = {draw.local.number: f"p{n}" for n, draw in enumerate(info.picks)}

        def leave(status: Code) -> None:
            w.store(CHOOSER, before)
            w.give_back(status)

        with w.block() as body:
            scope = Scope(context, {info.name: lambda: w.leave(body)}, leave)
            for let in self.needed_lets(info):
                self.plain(w, let, env, scope)
            self.plain_block(w, info.body, env, scope)
        w.store(CHOOSER, before)
        self._finish_plain(w, info.name, context)

    def _stopping_action(self, name: str, info: ActionInfo, context: Context) -> None:
        frame = self.frame("action", info.key, context)
        w = self.function(name)
        m = Machine(w, frame)
        before = self.own_cell(frame, info, "before")
        w.store(before, load(CHOOSER))
        w.store(CHOOSER, load(self.own_cell(frame, info, "seat")))
        self.note_types(info.picks)
        env: Env = {
            draw.local.number: load(self.cell(frame, draw.local.number)) for draw in info.picks
        }

        def leave(status: Code) -> None:
            with w.when(ne(status, STOPPED)):
                w.store(CHOOSER, load(before))
            w.give_back(status)

        end = m.block()
        scope = Scope(context, {info.name: lambda: m.goto(end)}, leave)
        for let in self.needed_lets(info):
            self.between(m, let, env, scope)
        self.block(m, info.body, env, scope)
        m.goto(end)
        m.start(end)
        w.store(CHOOSER, load(before))
        self._finish_stopping(m, info.name, context)

    # ------------------------------------------------------------ looking ahead

    def would(self, w: Writer, node: core.Would, env: Env) -> Code:
        info = self.game.steps[node.step]
        size = self.layout.table_end - VECTOR
        saved = self.layout.scratch(size, 8)
        arguments: list[Code] = []
        for param, argument in zip(info.params, node.arguments, strict=True):
            if category(param.type) == "set":
                arguments.append(self.listed(w, self.set(w, argument, env)).address)
            else:
                arguments.append(self.value(w, argument, env, category(param.type)))
        name = self.step_function(info, "quiet")
        arguments = [w.once(code) for code in arguments]
        w.emit("copy", saved, VECTOR, size)
        w.variable(("call", name, *arguments))
        found = w.variable(self.value(w, node.body, env))
        w.emit("copy", VECTOR, saved, size)
        return found
