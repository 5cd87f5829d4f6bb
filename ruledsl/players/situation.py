"""Situations at a real table: the one place where players and positions meet.

Players get it as a `Situation`, which has no way to the position.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from ruledsl.play.chance import Generator
from ruledsl.play.decisions import Decision
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.labels import Labels
from ruledsl.play.views import View, view_of
from ruledsl.play.words import Words
from ruledsl.players.aims import Aim
from ruledsl.players.follower import follower_of, named_in
from ruledsl.players.player import Forecast, Situation, Thinking
from ruledsl.players.sampler import Sampler
from ruledsl.players.scout import Scout, Stop
from ruledsl.table.table import Table


def situation_of(interpreter: Interpreter, decision: Decision) -> Situation:
    """What the seat that decides gets to know."""
    return _AtTable(interpreter, decision)


@attrs.define
class _AtTable:
    _interpreter: Interpreter
    _decision: Decision
    _sampler: Sampler | None = None

    @property
    def view(self) -> View:
        return view_of(self._interpreter, self._decision.seat)

    @property
    def count(self) -> int:
        return len(self._decision.options)

    @property
    def options(self) -> tuple[str, ...]:
        words = Words(self._interpreter.game, "en")
        labels = Labels(words, self._interpreter, self._decision)
        return tuple(labels.code(option) for option in self._decision.options)

    def forecast(self, generator: Generator, aim: Aim | None = None) -> Forecast:
        interpreter = self._interpreter
        stop = _stop(interpreter, self._decision)
        if self._sampler is None:
            self._sampler = _new_sampler(interpreter, stop)
        sample = self._sampler.sample(generator)
        seed = generator.next()
        with scouting(interpreter.table) as scout:
            found = [scout.after(sample, stop, number, seed, aim) for number in range(self.count)]
        certain = self._sampler.certain and all(sure for _, sure in found)
        return Forecast(tuple(standing for standing, _ in found), certain)

    def think(self, generator: Generator) -> Thinking:
        return follower_of(self._interpreter.table).think(
            self._interpreter, self._decision, generator
        )


def stop_at(interpreter: Interpreter, decision: Decision) -> tuple[Stop, Sampler]:
    """Where the rules stand, and positions that agree with what the seat that decides knows."""
    stop = _stop(interpreter, decision)
    return stop, _new_sampler(interpreter, stop)


def _stop(interpreter: Interpreter, decision: Decision) -> Stop:
    frames = [frame for frame, _ in interpreter.frames]
    return Stop(decision, tuple(zip(interpreter.calls, frames, strict=True)))


def _new_sampler(interpreter: Interpreter, stop: Stop) -> Sampler:
    named = named_in([*(frame for _, frame in stop.calls), stop.decision.frame])
    return Sampler(
        interpreter.table, interpreter.pos, interpreter.knowledge, stop.decision.seat, named
    )


@contextmanager
def scouting(table: Table) -> Iterator[Scout]:
    """The scout of a table, who looks ahead for a while instead of the interpreter."""
    evaluator = table.evaluator
    runner, fuel, work = evaluator.runner(), evaluator.fuel, evaluator.work
    if "scout" not in table.kept:
        table.kept["scout"] = Scout(table)
    scout: Scout = table.kept["scout"]
    evaluator.run_by(scout)
    evaluator.refuel()
    try:
        yield scout
    finally:
        evaluator.run_by(runner)
        evaluator.fuel, evaluator.work = fuel, work
