"""An engine that carries out tests: in positions from outside, with rolls that are told."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from ruledsl.engine.context import OVER, STOPPED
from ruledsl.engine.engine import Engine, Saved
from ruledsl.engine.memory.control import (
    ANSWER,
    CHOOSER,
    DECISIONS,
    GENERATOR,
    MODE,
    OUT,
    STOP,
    WORK,
)
from ruledsl.engine.memory.layout import NO_THING, category, element_of
from ruledsl.engine.memory.vectors import Vector
from ruledsl.engine.runtime.trials import MOST_FATES, Names, Trial
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value


class Stage:
    """Carries out what a trial asks for."""

    def __init__(self, table: Table, trial: Trial) -> None:
        self.engine = Engine(table, checked=True, trial=trial)
        code = self.engine.code.trial
        assert code is not None
        self._code = code
        self.over = False
        """whether the run came to the end of the game"""

    def lay(
        self,
        pos: Position,
        known: frozenset[tuple[Thing, Thing]],
        generator: int,
        decisions: int,
        marks: Mapping[str, tuple[int, ...]],
    ) -> None:
        """Be at a position in which no rule is running."""
        engine = self.engine
        layout = engine.layout
        vector = Vector(engine.table, layout, engine.code.first_vector)
        vector.lay(pos, known)
        vector.put(CHOOSER, NO_THING if pos.chooser is None else layout.id(pos.chooser))
        vector.put(OUT, len(pos.out))
        for number, player in enumerate(pos.out):
            vector.put(layout.out_list + 4 * number, player.index)
        vector.put_word(GENERATOR, generator)
        vector.put(DECISIONS, decisions)
        for name, seen in marks.items():
            vector.put(layout.history_lengths[name], len(seen))
        engine.load(Saved(vector.vector(), dict(marks)))

    def begin(self, start: int, names: Sequence[Value]) -> None:
        """Let the run begin with one of the steps; `names` are what the test has bound."""
        self._bind(self._code.start_names[start], names)
        resume = self.engine.code.frames["run", "", "main"].resume
        self._put(resume, self._code.blocks[start])
        allowance = self.engine.table.game.allowance
        self._write(WORK, allowance.statements, allowance.queries)

    def go_on(self, answer: int | None, fates: Sequence[int]) -> bool:
        """To the next decision, perhaps answering one, with rolls as told.

        Whether somebody has to decide then.
        """
        told = fates[:MOST_FATES]
        self._write(self._code.fates, len(told), 0, *told)
        self._put(MODE, STOP)
        self._put(ANSWER, -1 if answer is None else answer)
        status = self.engine.call("run")
        self.over = status == OVER
        return status == STOPPED

    def holds(self, fact: int, names: Sequence[Value]) -> bool:
        """Whether one of the facts holds in the position."""
        self._bind(self._code.fact_names[fact], names)
        return self.engine.call(f"fact_{fact}") != 0

    def note(self, history: str) -> None:
        """Note the position in a history."""
        self.engine.call(f"note_{history}")

    def _bind(self, cells: Names, names: Sequence[Value]) -> None:
        layout = self.engine.layout
        for number, (of, address) in cells.items():
            value = names[number]
            if isinstance(value, tuple):
                kind = category(element_of(of))
                self._write(address, len(value), *(layout.encode(each, kind) for each in value))
            else:
                self._put(address, layout.encode(value, category(of)))

    def _put(self, address: int, value: int) -> None:
        self._write(address, value)

    def _write(self, address: int, *cells: int) -> None:
        self.engine.runner.write(address, struct.pack(f"<{len(cells)}i", *cells))
