"""Procedures that may stop for a decision, and what they keep meanwhile.

What asks nobody is a plain function with locals. What may stop for a decision keeps its locals in
the position, beside the point where it goes on: its function starts with a jump to that point, so
a run is resumed by calling the same functions again, down to the decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Statement,
    Writer,
    add,
    load,
    load64,
    mul,
)
from ruledsl.engine.context import SIGNAL, Context, Part
from ruledsl.engine.expressions.environment import Env, Lazy
from ruledsl.engine.memory.layout import element_of
from ruledsl.engine.sets.basic import Bits, Everything, Nothing, SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.shapes import WORD
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core
from ruledsl.model.types import Type
from ruledsl.model.walk import walk

Setting: TypeAlias = Literal["main", "quiet"]
"""Whether triggers are tried: not during set-up, in triggers, and in looking ahead."""

Sort: TypeAlias = Literal["run", "step", "action", "trigger", "checkpoint"]
Procedure: TypeAlias = tuple[Sort, str, Setting]
"""What a function or a frame belongs to."""


@attrs.frozen
class Gathering:
    """A simultaneous choice in a procedure: what it needs to begin anew."""

    table: int
    """the first cell of the table that all start from"""
    cursor: int
    """the cell that says who acts"""
    head: int
    """the block that lets the next one act"""
    end: int
    """blocks from here on are not part of it"""


@attrs.define
class Scope:
    """Where the code being written belongs."""

    setting: Setting
    ends: dict[str, Callable[[], None]]
    """how to leave the running step or action of a name, or the loop"""
    leave: Callable[[Code], None]
    """how to give back a status that is not DONE"""


@attrs.define
class Frame:
    """The memory of a procedure that may stop."""

    resume: int
    """the cell of the point where it goes on"""
    locals: dict[tuple[int, str, int], int] = attrs.Factory(dict)
    """the cells of names, by number, form and size"""
    own: dict[tuple[int, str], int] = attrs.Factory(dict)
    """the cells that statements need for themselves"""
    gatherings: list[Gathering] = attrs.Factory(list)
    """where all choose together"""
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
        """What is written from here on belongs to a block."""
        self.w.out = self.blocks[block]

    def resume_point(self) -> int:
        """A block that is noted as the one to go on with."""
        point = self.block()
        self.w.store(self.frame.resume, point)
        self.goto(point)
        self.start(point)
        return point


class Frames(Part):
    """Knows what may stop, and where its names are kept."""

    def __init__(self, context: Context, keeping: KeptSets) -> None:
        super().__init__(context)
        self.keeping = keeping
        self._numbers: dict[Procedure, int] = {}
        self.frames: dict[Procedure, Frame] = {}
        self._stops: dict[Procedure, bool] = {}
        self._targets: dict[str, int] = {}
        self.types: dict[int, Type] = {}
        """the types of names, by number"""

    # ------------------------------------------------------------ what may stop

    def applicable(self, name: str) -> tuple[str, ...]:
        """The triggers that are tried after a step or action."""
        return tuple(
            key
            for key, trigger in self.game.triggers.items()
            if not trigger.after or name in trigger.after
        )

    def stops(self, sort: Sort, key: str, setting: Setting) -> bool:
        """Whether a procedure may stop for a decision."""
        known = self._stops.get((sort, key, setting))
        if known is not None:
            return known
        self._stops[(sort, key, setting)] = False
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
        found = any(self.block_stops(block, setting) for block in blocks)
        if not found and setting == "main" and sort != "trigger":
            found = any(self.stops("trigger", each, "quiet") for each in self.applicable(name))
        self._stops[(sort, key, setting)] = found
        return found

    def block_stops(self, block: core.Block, setting: Setting) -> bool:
        """Whether statements may stop for a decision."""
        for part in walk(block):
            match part:
                case core.ChooseValue() | core.ChooseAction() | core.Together():
                    return True
                case core.Call(step=step):
                    if self.stops("step", step, setting):
                        return True
                case _:
                    pass
        return False

    def target(self, name: str) -> int:
        """The status by which a step or action of this name is ended from inside another."""
        return SIGNAL + self._targets.setdefault(name, len(self._targets))

    # ------------------------------------------------------------ frames

    def function_name(self, sort: Sort, key: str, setting: Setting) -> tuple[str, bool]:
        """The name of a function, and whether it was asked for before."""
        known = (sort, key, setting) in self._numbers
        number = self._numbers.setdefault((sort, key, setting), len(self._numbers))
        return f"{sort}_{number}", known

    def frame(self, sort: Sort, key: str, setting: Setting) -> Frame:
        """The frame of a procedure; nothing is recursive, so it needs one only."""
        where = (sort, key, setting)
        if where not in self.frames:
            self.frames[where] = Frame(self.layout.cells(1))
        return self.frames[where]

    def cell(self, frame: Frame, number: int, kind: str = "value", count: int = 1) -> int:
        """A cell of a frame for a local; locals of one number in different scopes may share it."""
        key = (number, kind, count)
        if key not in frame.locals:
            width = 8 if kind == "bits" else 4
            frame.locals[key] = self.layout.cells(count, width)
        return frame.locals[key]

    def own_cell(
        self, frame: Frame, node: object, name: str, count: int = 1, *, width: int = 4
    ) -> int:
        """A cell that a statement or declaration needs for itself.

        Statements that say the same are equal, but each needs its own: it goes by identity.
        """
        key = (id(node), name)
        if key not in frame.own:
            frame.own[key] = self.layout.cells(count, width)
        return frame.own[key]

    def keep_local(
        self, w: Writer, frame: Frame, local: core.Local, of: Type, value: Code | SetCode
    ) -> Code | SetCode:
        """Store a local in a frame; returns how to read it."""
        self.types[local.number] = of
        if not isinstance(value, SetCode):
            address = self.cell(frame, local.number)
            w.store(address, value)
            return load(address)
        if value.there != 1:
            address = self.cell(frame, local.number, "there")
            w.store(address, value.there)
            return self._keep_set(w, frame, local, value).if_there(load(address))
        return self._keep_set(w, frame, local, value)

    def _keep_set(self, w: Writer, frame: Frame, local: core.Local, value: SetCode) -> SetCode:
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
        scratch = self.keeping.listed(w, value)
        w.emit("copy", address, scratch.address, mul(add(load(scratch.address), 1), 4))
        return Listed(address, capacity, value.ordered, value.span)

    def stop_here(self, m: Machine, env: Env, depth: int) -> int:
        """A point where the procedure goes on when it is resumed; names below `depth` are live."""
        point = m.resume_point()
        m.frame.live[point] = [
            (self.types[number], binding)
            for number, binding in sorted(env.items())
            if number < depth and number in self.types and not isinstance(binding, Lazy)
        ]
        return point

    @contextmanager
    def own_names(self) -> Iterator[None]:
        """Names inside have nothing to do with those of the same numbers outside."""
        outer, self.types = self.types, {}
        try:
            yield
        finally:
            self.types = outer

    def note_types(self, draws: Iterable[core.Draw]) -> None:
        """Remember the types of names that are drawn."""
        for draw in draws:
            self.types[draw.local.number] = element_of(draw.domain.type)
