"""The run of a game: from wherever the position is to the next stop, or to the end."""

from __future__ import annotations

from ruledsl.engine.code.instructions import (
    Function,
    Writer,
    add,
    eq,
    load,
    no,
)
from ruledsl.engine.context import OVER, STOPPED, Context, Part
from ruledsl.engine.memory.control import (
    ANSWER,
    CHOICES,
    GROUPS_ASKED,
    HOW,
    HOWS,
    MODE,
    OPTIONS_SEEN,
    RANDOM,
    SEAT,
    SITE,
    TREE,
)
from ruledsl.engine.procedures.frames import Frames, Machine, Setting
from ruledsl.engine.procedures.protocols import Steps
from ruledsl.engine.runtime.trials import TrialCode


class Running(Part):
    """Writes the run, and who answers decisions in it."""

    def __init__(
        self, context: Context, frames: Frames, steps: Steps, trial: TrialCode | None
    ) -> None:
        super().__init__(context)
        self.frames = frames
        self.steps = steps
        self.trial = trial
        """what tests ask for beside the game"""

    def write_decide(self) -> None:
        """The answer to a decision, or -1 to stop for it."""
        w = self.context.function("decide", "seat", "site", "number")
        with w.when(("i32.and", load(MODE), RANDOM)):
            w.store(CHOICES, add(load(CHOICES), 1))
            w.store(OPTIONS_SEEN, add(load(OPTIONS_SEEN), "number"))
            w.give_back(("call", "mind_below", "number"))
        with w.when(eq(load(MODE), TREE)):
            w.give_back(("call", "tree_decide", "seat", "site", "number"))
        answer = w.variable(load(ANSWER))
        w.store(ANSWER, -1)
        w.store(SEAT, "seat")
        w.store(SITE, "site")
        w.store(GROUPS_ASKED, "number")
        w.give_back(answer)

    def write_run(self) -> None:
        """From wherever the position is to the next stop, or to the end."""
        frame = self.frames.frame("run", "", "main")
        function = self.context.program.add(Function("run", [], exported=True))
        w = Writer(function)
        m = Machine(w, frame)
        status = w.temp()
        if "setup" in self.game.steps:
            name = self.steps.step_function(self.game.steps["setup"], "quiet")
            self._call_main(m, "setup", "quiet", name, status)
        name = self.steps.step_function(self.game.steps["play"], "main")
        self._call_main(m, "play", "main", name, status)
        with w.when(no(load(HOW))):
            w.store(HOW, HOWS.index("the rules"))
        w.emit("do", ("call", "finish"))
        w.give_back(OVER)
        if self.trial is not None:
            self.trial.write_starts(m)

    def _call_main(self, m: Machine, step: str, setting: Setting, name: str, status: str) -> None:
        w = m.w
        if self.frames.stops("step", step, setting):
            w.store(self.frames.frame("step", step, setting).resume, 0)
            m.resume_point()
        w.set(status, ("call", name))
        with w.when(eq(status, STOPPED)):
            w.give_back(STOPPED)
        with w.when(eq(status, OVER)):
            w.emit("do", ("call", "finish"))
            w.give_back(OVER)
