"""Drives both executors with the same history and compares them at every decision."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import partial

import attrs

from ruledsl.engine import Engine
from ruledsl.engine.memory.control import WORK
from ruledsl.engine.memory.vectors import Vector
from ruledsl.engine.played import EngineError
from ruledsl.lab.agreement import (
    Difference,
    same,
    same_decision,
    same_position,
    same_result,
)
from ruledsl.model import core
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.decisions import Decision
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.errors import RulesError

from .memory.guarded import spoil


def play_in_step(
    engine: Engine, seed: int, at_most: int | None = None, *, hand_over: bool = False
) -> int:
    """Play one game at random in both, perhaps only its first decisions; how many were compared.

    What stops the reference with an error must stop a checked engine in the same way. Of `guarded`
    memory nothing is left from one decision to the next. To hand over,
    the engine goes on from the table of the reference after every decision.
    """
    interpreter = Interpreter(engine.table, Dice(generator := Generator(seed)))
    mind = Generator(seed ^ 0x5EED)
    run = interpreter.play()
    compared = 0
    history: list[int] = []
    send: Callable[[], Decision] = partial(next, run)
    choose: Callable[[], bool] = partial(engine.start, seed)
    while True:
        where = f"seed {seed}, after {history}"
        try:
            decision: Decision | None = send()
        except StopIteration:
            decision = None
        except RulesError as error:
            if engine.code.checked:
                _same_error(choose, error, where)
            return compared
        try:
            same(choose(), decision is not None, "whether it goes on")
            same_position(engine, interpreter, generator.state, over=decision is None)
            left = struct.unpack("<i", engine.runner.read(WORK, 4))
            same(left, (engine.table.evaluator.work,), "how much may still be done")
            if decision is None:
                same_result(engine, interpreter)
                return compared
            same_decision(engine, decision)
            if decision.prompt is not None:
                _read(interpreter, decision.prompt, decision)
        except Difference as difference:
            difference.add_note(where)
            raise
        spoil(engine)
        compared += 1
        if compared == at_most:
            return compared
        if hand_over:
            saved = engine.save()
            vector = Vector(engine.table, engine.layout, saved.vector)
            vector.lay(interpreter.pos, interpreter.knowledge.known)
            engine.load(attrs.evolve(saved, vector=vector.vector()))
        chosen = mind.below(len(decision.options))
        history.append(chosen)
        send = partial(run.send, decision.options[chosen])
        choose = partial(engine.choose, chosen)


def _read(interpreter: Interpreter, prompt: core.Said, decision: Decision) -> None:
    """Whoever is asked reads what is asked; that changes nothing."""
    with interpreter.as_chooser(decision.seat):
        interpreter.legality.saying(interpreter.pos, prompt, decision.frame)


def _same_error(choose: Callable[[], bool], theirs: RulesError, where: str) -> None:
    try:
        choose()
    except EngineError as ours:
        same(ours.kind, theirs.kind, "the guard")
        same(ours.span, theirs.span, "where it went wrong")
    else:
        raise Difference(f"only the reference stops: {theirs.kind}, {theirs} ({where})")
