"""Choices of a quick game, noted so that others can make them.

Options that are drawn without a list are drawn from other numbers than the interpreter draws; so a
game that somebody has to look into is played once more, and notes what was chosen. The interpreter
follows the notes, or an engine with more checks.
"""

from __future__ import annotations

from ruledsl.engine.choices.candidates import Candidates
from ruledsl.engine.code.instructions import add, eq, load, mul, op, select
from ruledsl.engine.context import Context, Part
from ruledsl.engine.memory.control import MODE, NOTED

MOST_NOTED = 1 << 14
"""Choices; whoever follows a game with more goes on by chance."""


class NoteTaking(Part):
    """Writes how choices are noted, and how notes are followed."""

    def __init__(self, context: Context, candidates: Candidates) -> None:
        super().__init__(context)
        self.candidates = candidates
        self.at = self.layout.scratch(4)
        """how many choices were noted, or made by notes"""
        self.made = self.layout.scratch(4)
        """how many notes there are to follow"""
        self.log = self.layout.scratch(candidates.stride * MOST_NOTED)

    def write(self) -> None:
        """Functions for a candidate that was chosen, and for a pick among several by its number."""
        stride, options = self.candidates.stride, self.candidates.options
        for name in ("noted", "noted_number"):
            w = self.context.function(name, "chosen")
            at = w.once(load(self.at))
            here = w.once(add(mul(at, stride), self.log))
            noting = eq(load(MODE), NOTED)
            room = w.once(select(noting, MOST_NOTED, load(self.made)))
            with w.when(op("i32.ge_s", at, room)):
                w.give_back("chosen")
            w.store(self.at, add(at, 1))
            if name == "noted":
                with w.when(noting):
                    w.emit("copy", here, "chosen", stride)
                    w.give_back("chosen")
                w.emit("copy", options, here, stride)
                w.give_back(options)
            else:
                with w.when(noting):
                    w.store(here, "chosen")
                w.give_back(load(here))
