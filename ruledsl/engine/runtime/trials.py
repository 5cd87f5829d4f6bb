"""What the tests in a rules file ask of compiled rules beside the game itself.

A module for tests can begin with any step in a position that was written from outside, tells
whether a fact holds, and rolls what it is told to.
"""

from __future__ import annotations

import attrs

from ruledsl.engine.code.instructions import Code, add, load, mul, no, op, sub
from ruledsl.engine.context import DONE, OVER, Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.memory.control import HOW, HOWS
from ruledsl.engine.memory.layout import Category, category
from ruledsl.engine.procedures.frames import Frames, Machine, Scope, Setting
from ruledsl.engine.procedures.resumable import ResumableStatements
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core
from ruledsl.model.names import free_in
from ruledsl.model.types import Type
from ruledsl.model.walk import walk

MOST_FATES = 4096
"""Rolls between two decisions that can be told."""
UNTOLD = -1
"""In the place of an outcome: chance decides."""

Names = dict[int, tuple[Type, int]]
"""Names that a test has bound: their types, and where their values are written."""


@attrs.frozen
class Start:
    """A step that a test begins with; in a quiet setting triggers sleep."""

    call: core.Call
    setting: Setting


@attrs.frozen
class Trial:
    """What is asked, by number."""

    starts: tuple[Start, ...]
    facts: tuple[core.Expr, ...]
    given: tuple[core.Block, ...]
    """what happens to positions before they are written from outside"""


class TrialCode(Part):
    """Writes what a trial asks for."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        frames: Frames,
        resumable: ResumableStatements,
        trial: Trial,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.frames = frames
        self.resumable = resumable
        self._trial = trial
        self._cells: dict[tuple[int, Category, int], int] = {}
        self.blocks: list[int] = []
        """for each start, where the run begins"""
        self.start_names: list[Names] = []
        self.fact_names: list[Names] = []
        self.fates = self.layout.scratch(4 * (MOST_FATES + 2))
        """how many outcomes are told, how many of them were used, and the outcomes"""

    def write_fate(self) -> None:
        """The number of the next outcome: told, or by chance."""
        w = self.context.function("fate", "limit")
        told, used = load(self.fates), load(self.fates + 4)
        with w.when(op("i32.lt_s", used, told)):
            outcome = w.once(load(add(mul(used, 4), self.fates + 8)))
            w.store(self.fates + 4, add(used, 1))
            with w.when(op("i32.ge_s", outcome, 0)):
                w.give_back(outcome)
        w.give_back(("call", "below", "limit"))

    def write_starts(self, m: Machine) -> None:
        """Further places where the run can begin."""
        w = m.w

        def leave(status: Code) -> None:
            with w.when(no(sub(status, OVER))):
                w.emit("do", ("call", "finish"))
            w.give_back(status)

        for start in self._trial.starts:
            names: Names = {}
            self.blocks.append(m.block())
            m.start(self.blocks[-1])
            with self.frames.own_names():
                env = self._bound(start.call.arguments, names)
                self.resumable.block(m, (start.call,), env, Scope(start.setting, {}, leave))
            self.start_names.append(names)
            if start.call.step == "play":
                w.store(HOW, HOWS.index("the rules"))
                leave(OVER)
            w.give_back(DONE)

    def write_facts(self) -> None:
        """For each fact a function that tells whether it holds; for each history one that notes."""
        for name in self.game.histories:
            w = self.context.function(f"note_{name}", result=False, exported=True)
            w.emit("do", ("call", f"record_{name}"))
        for number, fact in enumerate(self._trial.facts):
            names: Names = {}
            w = self.context.function(f"fact_{number}", exported=True)
            with self.frames.own_names():
                w.give_back(self.expressions.condition(w, fact, self._bound((fact,), names)))
            self.fact_names.append(names)

    def _bound(self, nodes: tuple[core.Expr, ...], names: Names) -> Env:
        """What names stand for that are bound before; where to write them is noted."""
        env: Env = {}
        free = {number for node in nodes for number in free_in(node)}
        for part in walk(nodes):
            if isinstance(part, core.Local) and part.number in free and part.number not in env:
                kind, span = category(part.type), self.layout.span_in(part.type)
                size = 0 if span is None else span[1]
                key = (part.number, kind, size)
                if key not in self._cells:
                    self._cells[key] = self.layout.list_memory(size)
                address = self._cells[key]
                names[part.number] = (part.type, address)
                env[part.number] = (
                    Listed(address, size, False, span) if kind == "set" else load(address)
                )
        return env
