"""Steps, actions, triggers and loops as functions.

What asks nobody is a plain function with locals. What may stop for a decision keeps its locals in
the position, beside the point where it goes on: its function starts with a jump to that point, so
a run is resumed by calling the same functions again, down to the decision.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Literal, TypeAlias, assert_never

import attrs

from ruledsl.engine.code import (
    Code,
    Function,
    Statement,
    Writer,
    add,
    both,
    eq,
    load,
    load64,
    mul,
    ne,
    no,
    op,
    signed,
    sub,
)
from ruledsl.engine.effects import OVER
from ruledsl.engine.layout import (
    CHOOSER,
    DIRTY,
    HOW,
    HOWS,
    STOPS,
    VECTOR,
    WON,
    category,
    none_of,
)
from ruledsl.engine.legality import Legality
from ruledsl.engine.sets import WORD, Bits, Everything, Listed, Nothing, SetCode
from ruledsl.engine.values import Env, Lazy
from ruledsl.model import core
from ruledsl.model.game import ActionInfo, StepInfo, TriggerInfo
from ruledsl.model.types import SetType, Type, plain
from ruledsl.model.walk import walk

Context: TypeAlias = Literal["main", "quiet"]
"""Whether triggers are tried: not during set-up, in triggers, and in looking ahead."""

DONE, STOPPED = 0, 1
SIGNAL = 3
"""The first of the numbers by which `end` finds the step or action it ends."""
MOST_PASSES = 1_000_000
MOST_TRIGGERS = 1_000


@attrs.define
class Scope:
    """Where the code being written belongs."""

    context: Context
    ends: dict[str, Callable[[], None]]
    """how to leave the running step or action of a name, or the loop"""
    leave: Callable[[Code], None]
    """how to give back a status that is not DONE"""


@attrs.define
class Frame:
    """The memory of a procedure that may stop."""

    name: str
    resume: int
    cells: dict[tuple[int, str, int], int] = attrs.Factory(dict)
    live: dict[int, list[tuple[Type, Code | SetCode]]] = attrs.Factory(dict)
    """by resume point: the names in scope there"""


class Machine:
    """A function in the making that may stop: a list of blocks with jumps."""

    def __init__(self, w: Writer, frame: Frame) -> None:
        self.w = w
        self.frame = frame
        self.blocks: list[list[Statement]] = [[]]
        self.label = w.label()
        w.function.locals["pc"] = "i32"
        w.set("pc", load(frame.resume))
        w.emit("dispatch", self.label, "pc", self.blocks)
        w.out = self.blocks[0]

    def block(self) -> int:
        self.blocks.append([])
        return len(self.blocks) - 1

    def goto(self, block: int) -> None:
        self.w.emit("goto", self.label, "pc", block)

    def go_if(self, condition: Code, block: int) -> None:
        self.w.emit("if", condition, [("goto", self.label, "pc", block)], [])

    def start(self, block: int) -> None:
        self.w.out = self.blocks[block]


class Procedures(Legality):
    """Lowers everything with a body."""

    def prepare_procedures(self) -> None:
        self._numbers: dict[tuple[str, str, Context], int] = {}
        self._frames: dict[tuple[str, str, Context], Frame] = {}
        self._stops: dict[tuple[str, str, Context], bool] = {}
        self._checkpoints: dict[tuple[str, ...], int] = {}
        self._targets: dict[str, int] = {}
        self._resets: dict[str, list[str]] = {}
        self._types: dict[int, Type] = {}
        for key, state in self.game.states.items():
            if state.each is not None:
                self._resets.setdefault(state.each, []).append(key)

    @abstractmethod
    def choose_value(self, m: Machine, node: core.ChooseValue, env: Env, scope: Scope) -> None:
        """Ask for a value, or several."""

    @abstractmethod
    def choose_action(self, m: Machine, node: core.ChooseAction, env: Env, scope: Scope) -> None:
        """Ask for an action, and carry it out."""

    @abstractmethod
    def act_together(self, m: Machine, node: core.Together, env: Env, scope: Scope) -> None:
        """Ask several players at once."""

    # ------------------------------------------------------------ what may stop

    def applicable(self, name: str) -> tuple[str, ...]:
        """The triggers that are tried after a step or action."""
        return tuple(
            key
            for key, trigger in self.game.triggers.items()
            if not trigger.after or name in trigger.after
        )

    def stops(self, sort: str, key: str, context: Context) -> bool:
        """Whether a procedure may stop for a decision."""
        known = self._stops.get((sort, key, context))
        if known is not None:
            return known
        self._stops[(sort, key, context)] = False
        blocks: list[core.Block] = []
        name = key
        if sort == "step":
            step = self.game.steps[key]
            blocks = [b for b in (step.body, *(row.body for row in step.rows)) if b is not None]
        elif sort == "action":
            blocks = [self.game.actions[key].body]
            name = self.game.actions[key].name
        else:
            blocks = [self.game.triggers[key].body]
        found = any(self.block_stops(block, context) for block in blocks)
        if not found and context == "main" and sort != "trigger":
            found = any(self.stops("trigger", each, "quiet") for each in self.applicable(name))
        self._stops[(sort, key, context)] = found
        return found

    def block_stops(self, block: core.Block, context: Context) -> bool:
        for part in walk(block):
            match part:
                case core.ChooseValue() | core.ChooseAction() | core.Together():
                    return True
                case core.Call(step=step):
                    if self.stops("step", step, context):
                        return True
                case _:
                    pass
        return False

    def target(self, name: str) -> int:
        """The status by which a step or action of this name is ended from inside another."""
        return SIGNAL + self._targets.setdefault(name, len(self._targets))

    # ------------------------------------------------------------ frames

    def _function_name(self, sort: str, key: str, context: Context) -> tuple[str, bool]:
        known = (sort, key, context) in self._numbers
        number = self._numbers.setdefault((sort, key, context), len(self._numbers))
        return f"{sort}_{number}", known

    def frame(self, sort: str, key: str, context: Context) -> Frame:
        where = (sort, key, context)
        if where not in self._frames:
            self._frames[where] = Frame(f"{sort} {key}", self.layout.cells(1))
        return self._frames[where]

    def cell(self, frame: Frame, number: int, kind: str = "i32", count: int = 1) -> int:
        """A cell of a frame for a local; locals of one number in different scopes may share it."""
        key = (number, kind, count)
        if key not in frame.cells:
            width = 8 if kind == "bits" else 4
            frame.cells[key] = self.layout.cells(count, width)
        return frame.cells[key]

    def keep_local(
        self, w: Writer, frame: Frame, local: core.Local, of: Type, value: Code | SetCode
    ) -> Code | SetCode:
        """Store a local in a frame; returns how to read it."""
        self._types[local.number] = of
        if not isinstance(value, SetCode):
            address = self.cell(frame, local.number)
            w.store(address, value)
            return load(address)
        if isinstance(value, Everything | Nothing):
            return value
        if isinstance(value, Listed) and isinstance(value.address, int) and not value.live:
            fixed = value.address
            if any(start <= fixed < start + len(data) for start, data in self.layout.data):
                return value
        if value.ordered and value.span is not None and value.span[1] <= WORD:
            address = self.cell(frame, local.number, "bits")
            w.store64(address, value.bits(w))
            return Bits(load64(address), *value.span)
        capacity = value.most()
        address = self.cell(frame, local.number, "list", capacity + 2)
        scratch = self.listed(w, value)
        w.emit("copy", address, scratch.address, mul(add(load(scratch.address), 1), 4))
        return Listed(address, capacity, value.ordered, value.span)

    # ------------------------------------------------------------ plain statements

    def plain_block(self, w: Writer, block: core.Block, env: Env, scope: Scope) -> None:
        inner = dict(env)
        for statement in block:
            self.plain(w, statement, inner, scope)

    def plain(self, w: Writer, node: core.Statement, env: Env, scope: Scope) -> None:
        """A statement that stops for nobody; names it binds are added to the environment."""
        match node:
            case core.Let(local=local):
                env[local.number] = self.let_value(w, node, env)
                self._types[local.number] = node.value.type
            case core.Assign(slot=slot, value=value):
                if category(slot.type) == "set":
                    self.assign_set(w, slot, self.set(w, value, env), env)
                else:
                    code = self.value(w, value, env, category(slot.type))
                    self.assign(w, slot, code, env, node)
            case core.Move() | core.MoveSome() | core.MoveAll() | core.Put():
                self.move(w, node, env)
            case core.Shuffle(place=place):
                self.touched(w, *(("place", kind) for kind in self.layout.kinds_of(place.type)))
                w.emit("do", ("call", "shuffle", self.value(w, place, env)))
            case core.Roll(target=target):
                outcome = self.roll(w, node, env, scope.leave)
                if isinstance(target, core.Local):
                    env[target.number] = outcome
                    of = plain(node.domain.type)
                    assert isinstance(of, SetType)
                    self._types[target.number] = of.element
                else:
                    self.assign(w, target, outcome, env, node)
            case core.Show():
                self._show(w, node, env)
            case core.Record(history=name):
                w.emit("do", ("call", f"record_{name}"))
                self.touched(w, "history")
            case core.Eliminate(player=player):
                self.eliminate(w, self.value(w, player, env))
            case core.Win(players=players):
                if category(players.type) == "set":
                    mask = self.seat_mask(w, self.set(w, players, env))
                else:
                    seat = sub(self.value(w, players, env), self.layout.first_player)
                    mask = ("i32.shl", 1, seat)
                w.store(WON, mask)
                w.store(HOW, HOWS.index("win"))
                scope.leave(OVER)
            case core.End(target=ended):
                self.end(w, ended, scope)
            case core.Skip() | core.Require():
                pass
            case core.Call():
                self._plain_call(w, node, env, scope)
            case core.If(branches=branches):
                with w.block() as done:
                    for branch in branches:
                        test: Code = 1
                        if branch.condition is not None:
                            test = self.condition(w, branch.condition, env)
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
        if target == "game":
            w.store(HOW, HOWS.index("end"))
            scope.leave(OVER)
        elif target in scope.ends:
            scope.ends[target]()
        else:
            scope.leave(self.target(target))

    def _show(self, w: Writer, node: core.Show, env: Env) -> None:
        if not self.track:
            return
        viewers = self.set(w, node.viewers, env)
        mask = w.once(self.seat_mask(w, viewers))
        if category(node.subject.type) == "set":
            inner = plain(node.subject.type)
            assert isinstance(inner, SetType)
            if self._is_piece(inner.element):
                whole = self.set(w, node.subject, env)
                whole.each(w, lambda x: self.know_shown(w, x, mask))
        elif self._is_piece(node.subject.type):
            piece = w.once(self.value(w, node.subject, env))
            with w.when(op("i32.ge_s", piece, 0)):
                self.know_shown(w, piece, mask)

    def arguments(self, w: Writer, node: core.Call, env: Env) -> list[Code | SetCode]:
        info = self.game.steps[node.step]
        found: list[Code | SetCode] = []
        for param, argument in zip(info.params, node.arguments, strict=True):
            if category(param.type) == "set":
                found.append(self.kept(w, self.set(w, argument, env)))
            else:
                found.append(w.once(self.value(w, argument, env, category(param.type))))
        return found

    def _plain_call(self, w: Writer, node: core.Call, env: Env, scope: Scope) -> None:
        arguments = self.arguments(w, node, env)
        name = self.step_function(self.game.steps[node.step], scope.context)
        codes = [self.as_argument(w, argument) for argument in arguments]
        status = w.variable(("call", name, *codes))
        self.pass_on(w, status, scope)

    def as_argument(self, w: Writer, argument: Code | SetCode) -> Code:
        """A set is passed as the address of a list."""
        return self.listed(w, argument).address if isinstance(argument, SetCode) else argument

    def pass_on(self, w: Writer, status: Code, scope: Scope) -> None:
        """What follows when a procedure gives back something other than DONE."""
        with w.when(status):
            for name, leave in scope.ends.items():
                if name != "loop":
                    with w.when(eq(status, self.target(name))):
                        leave()
            scope.leave(status)

    def _plain_for(self, w: Writer, node: core.For, env: Env, scope: Scope) -> None:
        for draw in node.draws:
            of = plain(draw.domain.type)
            if isinstance(of, SetType):
                self._types[draw.local.number] = of.element
        with w.block() as done:
            inner_scope = attrs.evolve(scope, ends={**scope.ends, "loop": lambda: w.leave(done)})
            if node.where is None and not node.order and len(node.draws) == 1:
                whole = self.set(w, node.draws[0].domain, env)
                if isinstance(whole, Everything):
                    number = node.draws[0].local.number
                    whole.each(
                        w,
                        lambda x: self.plain_block(w, node.body, {**env, number: x}, inner_scope),
                    )
                    return
            address, width = self.collect(w, node, env)
            end = w.once(add(mul(load(address), 4 * width), address + 4))
            at = w.variable(address + 4)
            with w.loop() as label:
                w.leave_if(label, op("i32.ge_u", at, end))
                inner = dict(env)
                for step, draw in enumerate(node.draws):
                    inner[draw.local.number] = w.variable(load(at, 4 * step))
                w.set(at, add(at, 4 * width))
                with w.block():
                    self.plain_block(w, node.body, inner, inner_scope)

    def collect(self, w: Writer, node: core.For, env: Env) -> tuple[int, int]:
        """All draws of a loop, before its body can change anything; a list of rows."""
        width = len(node.draws)
        if node.order:
            assert width == 1, "only a loop over one set is sorted"
            query = core.Query(
                "filter",
                node.draws,
                node.where,
                None,
                node.order,
                None,
                type=node.draws[0].domain.type,
            )
            whole = self.listed(w, self.set(w, query, env))
            if isinstance(whole.address, int):
                return whole.address, 1
            copied = self.layout.scratch(4 * (whole.most() + 2))
            self.fill_list(w, copied, whole, whole.most())
            return copied, 1
        capacity = 1
        probe: list[Statement] = []
        with w.into(probe):
            inner = dict(env)
            for draw in node.draws:
                whole_set = self.set(w, draw.domain, inner)
                capacity *= max(1, whole_set.most())
                inner[draw.local.number] = 0
        address = self.layout.scratch(4 * (capacity * width + 2))
        count = w.variable(0)

        def append(inner: Env, values: list[Code]) -> None:  # noqa: ARG001
            here = w.once(add(mul(count, 4 * width), address + 4))
            for step, value in enumerate(values):
                w.store(here, value, 4 * step)
            w.set(count, add(count, 1))

        self.draw(w, node.draws, node.where, None, env, append)
        w.store(address, count)
        return address, width

    def _plain_repeat(self, w: Writer, node: core.Repeat, env: Env, scope: Scope) -> None:
        times: Code | None = None
        if node.times is not None:
            times = w.once(self.number(w, node.times, env))
        passes = w.variable(0)
        with w.loop() as label:
            if times is not None:
                w.leave_if(label, op("i32.ge_s", passes, times))
            if node.running is not None:
                w.leave_if(label, no(self.condition(w, node.running, env)))
            inner = attrs.evolve(scope, ends={**scope.ends, "loop": lambda: w.leave(label)})
            self.plain_block(w, node.body, env, inner)
            w.set(passes, add(passes, 1))
            with w.when(op("i32.gt_s", passes, MOST_PASSES)):
                self.fail(w, "endless", "the loop goes on although nothing changes", node.span)

    # ------------------------------------------------------------ statements that may stop

    def block(self, m: Machine, block: core.Block, env: Env, scope: Scope) -> None:
        inner = dict(env)
        for statement in block:
            if self.block_stops((statement,), scope.context):
                self.stopping(m, statement, inner, scope)
            else:
                self._between(m, statement, inner, scope)

    def _between(self, m: Machine, node: core.Statement, env: Env, scope: Scope) -> None:
        """A plain statement; what it binds must outlive the next stop."""
        w = m.w
        match node:
            case core.Let(local=local, value=value):
                found = self.let_value(w, node, env)
                env[local.number] = self.keep_local(w, m.frame, local, value.type, found)
            case core.Roll(target=core.Local() as local):
                code = self.roll(w, node, env, scope.leave)
                of = plain(node.domain.type)
                assert isinstance(of, SetType)
                env[local.number] = self.keep_local(w, m.frame, local, of.element, code)
            case _:
                self.plain(w, node, env, scope)

    def stopping(self, m: Machine, node: core.Statement, env: Env, scope: Scope) -> None:
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
                    m.go_if(no(self.condition(w, branch.condition, env)), other)
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
                self.choose_value(m, node, env, scope)
            case core.ChooseAction():
                self.choose_action(m, node, env, scope)
            case core.Together():
                self.act_together(m, node, env, scope)
            case _:
                raise AssertionError(f"{type(node).__name__} stops for nobody")

    def live(self, m: Machine, point: int, env: Env, depth: int) -> None:
        """Note which names are in scope where a procedure stops."""
        m.frame.live[point] = [
            (self._types[number], binding)
            for number, binding in sorted(env.items())
            if number < depth and number in self._types and not isinstance(binding, Lazy)
        ]

    def stop_here(self, m: Machine, env: Env, depth: int) -> int:
        """A point where the procedure goes on when it is resumed."""
        point = m.block()
        m.w.store(m.frame.resume, point)
        m.goto(point)
        m.start(point)
        self.live(m, point, env, depth)
        return point

    def call_stopping(self, m: Machine, name: str, scope: Scope) -> None:
        """Call a procedure that may stop; the caller has noted where to go on."""
        status = m.w.variable(("call", name))
        self.pass_on(m.w, status, scope)

    def _stopping_call(self, m: Machine, node: core.Call, env: Env, scope: Scope) -> None:
        w = m.w
        info = self.game.steps[node.step]
        arguments = self.arguments(w, node, env)
        name = self.step_function(info, scope.context)
        frame = self.frame("step", node.step, scope.context)
        for param, argument in zip(info.params, arguments, strict=True):
            if isinstance(argument, SetCode):
                address, capacity = self._set_param(frame, param.local.number, param.type)
                whole = self.listed(w, argument)
                size = mul(add(load(whole.address), 1), 4)
                assert capacity
                w.emit("copy", address, whole.address, size)
            else:
                w.store(self.cell(frame, param.local.number), argument)
        w.store(frame.resume, 0)
        self.stop_here(m, env, node.depth)
        self.call_stopping(m, name, scope)

    def _set_param(self, frame: Frame, number: int, of: Type) -> tuple[int, int]:
        inner = plain(of)
        assert isinstance(inner, SetType)
        span = self.layout.span(inner.element)
        capacity = span[1] if span is not None else 256
        return self.cell(frame, number, "list", capacity + 2), capacity

    def _stopping_for(self, m: Machine, node: core.For, env: Env, scope: Scope) -> None:
        w = m.w
        source, width = self.collect(w, node, env)
        probe = max(
            1,
            self._capacity(node, env, w),
        )
        depth = node.draws[0].local.number
        rows = self.cell(m.frame, depth, "rows", probe * width + 2)
        cursor = self.cell(m.frame, depth, "cursor")
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
            of = plain(draw.domain.type)
            assert isinstance(of, SetType)
            value = load(here, 4 * step)
            inner[draw.local.number] = self.keep_local(w, m.frame, draw.local, of.element, value)
        inner_scope = attrs.evolve(scope, ends={**scope.ends, "loop": lambda: m.goto(after)})
        self.block(m, node.body, inner, inner_scope)
        m.goto(head)
        m.start(after)

    def _capacity(self, node: core.For, env: Env, w: Writer) -> int:
        capacity = 1
        probe: list[Statement] = []
        with w.into(probe):
            inner = dict(env)
            for draw in node.draws:
                capacity *= max(1, self.set(w, draw.domain, inner).most())
                inner[draw.local.number] = 0
        return capacity

    def _stopping_repeat(self, m: Machine, node: core.Repeat, env: Env, scope: Scope) -> None:
        w = m.w
        number = 10_000 + node.span.line * 1000 + node.span.column
        times = self.cell(m.frame, number, "times")
        passes = self.cell(m.frame, number, "passes")
        if node.times is not None:
            w.store(times, self.number(w, node.times, env))
        w.store(passes, 0)
        idle = self.cell(m.frame, number, "idle")
        w.store(idle, 0)
        head, after = m.block(), m.block()
        m.goto(head)
        m.start(head)
        if node.times is not None:
            m.go_if(op("i32.ge_s", load(passes), load(times)), after)
        if node.running is not None:
            m.go_if(no(self.condition(w, node.running, env)), after)
        stops = self.cell(m.frame, number, "stops")
        w.store(stops, load(STOPS))
        inner_scope = attrs.evolve(scope, ends={**scope.ends, "loop": lambda: m.goto(after)})
        self.block(m, node.body, env, inner_scope)
        w.store(passes, add(load(passes), 1))
        same = w.once(eq(load(stops), load(STOPS)))
        w.store(idle, ("select", add(load(idle), 1), 0, same))
        with w.when(op("i32.gt_s", load(idle), MOST_PASSES)):
            self.fail(w, "endless", "the loop goes on although nothing changes", node.span)
        m.goto(head)
        m.start(after)

    # ------------------------------------------------------------ steps

    def step_function(self, info: StepInfo, context: Context) -> str:
        """The function of a step; it takes its arguments, or finds them in its frame."""
        name, known = self._function_name("step", info.name, context)
        if known:
            return name
        outer, self.chooser_set = self.chooser_set, False
        types, self._types = self._types, {}
        if self.stops("step", info.name, context):
            self._stopping_step(name, info, context)
        else:
            self._plain_step(name, info, context)
        self.chooser_set, self._types = outer, types
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

    def set_words(self, value: object, low: int, words: int) -> list[int]:
        """A set as words with a bit for each element."""
        bits = 0
        assert isinstance(value, tuple)
        for each in value:
            bits |= 1 << (self.layout.encode(each, "thing") - low)
        mask = (1 << 64) - 1
        found = [(bits >> (64 * at)) & mask for at in range(words)]
        return [word - (1 << 64) if word >> 63 else word for word in found]

    def _plain_step(self, name: str, info: StepInfo, context: Context) -> None:
        function = self.program.add(
            Function(name, [(f"p{n}", "i32") for n in range(len(info.params))])
        )
        w = Writer(function)
        env: Env = {}
        for number, param in enumerate(info.params):
            env[param.local.number] = self._param_binding(f"p{number}", param.type)
            self._types[param.local.number] = param.type
        self._check_arguments(w, info, env)
        self._reset(w, info.name)
        with w.block() as body:
            scope = Scope(context, {info.name: lambda: w.leave(body)}, w.give_back)
            self._step_rows(w, info, env, lambda block: self.plain_block(w, block, env, scope))
        self._finish_plain(w, info.name, context)

    def _param_binding(self, code: Code, of: Type) -> Code | SetCode:
        if category(of) != "set":
            return code
        inner = plain(of)
        assert isinstance(inner, SetType)
        span = self.layout.span(inner.element)
        return Listed(code, span[1] if span is not None else 256, False, span)

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
        w = Writer(self.program.add(Function(name, [])))
        m = Machine(w, frame)
        env: Env = {}
        for param in info.params:
            self._types[param.local.number] = param.type
            if category(param.type) == "set":
                address, _ = self._set_param(frame, param.local.number, param.type)
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
            if any(self.stops("trigger", each, "quiet") for each in triggers):
                w.store(self.checkpoint_frame(triggers).resume, 0)
                self.stop_here(m, {}, 0)
                status = w.variable(("call", function))
                with w.when(status):
                    w.give_back(status)
            else:
                status = w.variable(("call", function))
                with w.when(status):
                    w.give_back(status)
        w.store(m.frame.resume, 0)
        w.give_back(DONE)

    # ------------------------------------------------------------ actions

    def action_function(self, info: ActionInfo, context: Context) -> str:
        name, known = self._function_name("action", info.key, context)
        if known:
            return name
        outer, self.chooser_set = self.chooser_set, True
        types, self._types = self._types, {}
        if self.stops("action", info.key, context):
            self._stopping_action(name, info, context)
        else:
            self._plain_action(name, info, context)
        self.chooser_set, self._types = outer, types
        return name

    def needed_lets(self, info: ActionInfo) -> list[core.Let]:
        """The names from the requirements that the effects use."""
        used = self._used(info.body)
        found: list[core.Let] = []
        for statement in reversed(info.requirements):
            if isinstance(statement, core.Let) and statement.local.number in used:
                found.insert(0, statement)
                inner = walk((statement.value,))
                used |= {part.number for part in inner if isinstance(part, core.Local)}
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

    def bind_picks(self, info: ActionInfo) -> None:
        for draw in info.picks:
            of = plain(draw.domain.type)
            assert isinstance(of, SetType)
            self._types[draw.local.number] = of.element

    def _plain_action(self, name: str, info: ActionInfo, context: Context) -> None:
        params = [("seat", "i32"), *((f"p{n}", "i32") for n in range(len(info.picks)))]
        w = Writer(self.program.add(Function(name, params)))  # type: ignore[arg-type]
        before = w.variable(load(CHOOSER))
        w.store(CHOOSER, "seat")
        self.bind_picks(info)
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
        w = Writer(self.program.add(Function(name, [])))
        m = Machine(w, frame)
        before = self.cell(frame, -1, "before")
        w.store(before, load(CHOOSER))
        w.store(CHOOSER, load(self.cell(frame, -2, "seat")))
        self.bind_picks(info)
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
            self._between(m, let, env, scope)
        self.block(m, info.body, env, scope)
        m.goto(end)
        m.start(end)
        w.store(CHOOSER, load(before))
        self._finish_stopping(m, info.name, context)

    # ------------------------------------------------------------ triggers

    def checkpoint_frame(self, triggers: tuple[str, ...]) -> Frame:
        return self.frame("checkpoint", " ".join(triggers), "main")

    def checkpoint_function(self, triggers: tuple[str, ...]) -> str:
        """Try some triggers until none holds."""
        known = triggers in self._checkpoints
        number = self._checkpoints.setdefault(triggers, len(self._checkpoints))
        name = f"checkpoint_{number}"
        if known:
            return name
        outer, self.chooser_set = self.chooser_set, False
        if any(self.stops("trigger", each, "quiet") for each in triggers):
            self._stopping_checkpoint(name, triggers)
        else:
            self._plain_checkpoint(name, triggers)
        self.chooser_set = outer
        return name

    def _may_hold(self, trigger: TriggerInfo) -> Code:
        bit = signed(1 << self._trigger_bits[trigger.name])
        return ("i64.ne", ("i64.and", load64(DIRTY), ("i64", bit)), ("i64", 0))

    def _does_not_hold(self, w: Writer, trigger: TriggerInfo) -> None:
        others = signed(~(1 << self._trigger_bits[trigger.name]))
        w.store64(DIRTY, ("i64.and", load64(DIRTY), ("i64", others)))

    def _plain_checkpoint(self, name: str, triggers: tuple[str, ...]) -> None:
        w = Writer(self.program.add(Function(name, [])))
        done = {
            key: self.layout.scratch(4 * self._rows(self.game.triggers[key]))
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

    def _rows(self, trigger: TriggerInfo) -> int:
        """Cells for the draws that a trigger has fired for."""
        return 1 + (MOST_TRIGGERS * len(trigger.picks) if trigger.picks else 1)

    def _count_fired(self, w: Writer, fired: str, trigger: TriggerInfo) -> None:
        w.set(fired, add(fired, 1))
        with w.when(op("i32.ge_s", fired, MOST_TRIGGERS)):
            message = f"triggers fire without end: {trigger.name}"
            self.fail(w, "endless", message, trigger.span)

    def _try(
        self,
        w: Writer,
        trigger: TriggerInfo,
        done: int | None,
        fire: Callable[[Env, list[Code]], None],
    ) -> None:
        """Fire a trigger for the first draw that holds; without a condition, once for each."""
        if done is None:
            with w.when(self._may_hold(trigger)):
                self.draw(w, trigger.picks, trigger.when, None, {}, fire)
                self._does_not_hold(w, trigger)
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

        self.draw(w, trigger.picks, None, None, {}, once)

    def trigger_function(self, trigger: TriggerInfo) -> tuple[str, bool]:
        """The function of a trigger's body, and whether it may stop."""
        stops = self.stops("trigger", trigger.name, "quiet")
        name, known = self._function_name("trigger", trigger.name, "quiet")
        if known:
            return name, stops
        outer, self.chooser_set = self.chooser_set, False
        types, self._types = self._types, {}
        for draw in trigger.picks:
            of = plain(draw.domain.type)
            assert isinstance(of, SetType)
            self._types[draw.local.number] = of.element
        if stops:
            frame = self.frame("trigger", trigger.name, "quiet")
            w = Writer(self.program.add(Function(name, [])))
            m = Machine(w, frame)
            env: Env = {
                draw.local.number: load(self.cell(frame, draw.local.number))
                for draw in trigger.picks
            }
            self.block(m, trigger.body, env, Scope("quiet", {}, w.give_back))
            w.store(frame.resume, 0)
            w.give_back(DONE)
        else:
            params = [(f"p{n}", "i32") for n in range(len(trigger.picks))]
            w = Writer(self.program.add(Function(name, params)))  # type: ignore[arg-type]
            env = {draw.local.number: f"p{n}" for n, draw in enumerate(trigger.picks)}
            self.plain_block(w, trigger.body, env, Scope("quiet", {}, w.give_back))
            w.give_back(DONE)
        self.chooser_set, self._types = outer, types
        return name, stops

    def _stopping_checkpoint(self, name: str, triggers: tuple[str, ...]) -> None:
        frame = self.checkpoint_frame(triggers)
        w = Writer(self.program.add(Function(name, [])))
        m = Machine(w, frame)
        done: dict[str, int] = {}
        for at, key in enumerate(triggers):
            trigger = self.game.triggers[key]
            if trigger.when is None:
                done[key] = self.cell(frame, at, "done", self._rows(trigger))
                w.store(done[key], 0)
        count = self.cell(frame, 0, "fired")
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
                inner = self.frame("trigger", key, "quiet")
                for draw, value in zip(trigger.picks, values, strict=True):
                    w.store(self.cell(inner, draw.local.number), value)
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
