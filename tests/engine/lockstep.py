"""Drives both executors with the same history and compares them at every decision."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import attrs

from ruledsl.engine import Engine
from ruledsl.engine.engine import EngineError
from ruledsl.engine.vectors import Vector
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.decisions import ActionOption, Decision, ValueOption
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.errors import RulesError
from ruledsl.table.things import Value


class Difference(AssertionError):
    """The executors disagree."""


def play_in_step(
    engine: Engine, seed: int, at_most: int | None = None, *, hand_over: bool = False
) -> int:
    """Play one game at random in both, perhaps only its first decisions; how many were compared.

    What stops the reference with an error must stop a checked engine in the same way. To hand over,
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
        going = choose()
        _same(going, decision is not None, "whether it goes on", where)
        _compare_positions(engine, interpreter, generator, where)
        if decision is None:
            break
        _compare_decisions(engine, decision, where)
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
    _compare_results(engine, interpreter, f"seed {seed}, at the end")
    return compared


def _same_error(choose: Callable[[], bool], theirs: RulesError, where: str) -> None:
    try:
        choose()
    except EngineError as ours:
        _same(ours.kind, theirs.kind, "the guard", where)
        _same(ours.span, theirs.span, "where it went wrong", where)
    else:
        raise Difference(f"only the reference stops: {theirs.kind}, {theirs} ({where})")


def _same(ours: object, theirs: object, what: str, where: str) -> None:
    if ours != theirs:
        raise Difference(f"{what}: the engine has {ours!r}, the reference {theirs!r} ({where})")


def _compare_positions(
    engine: Engine, interpreter: Interpreter, generator: Generator, where: str
) -> None:
    found = engine.position()
    pos = interpreter.pos
    contents = found["contents"]
    assert isinstance(contents, dict)
    for place, pieces in pos.contents.items():
        _same(contents[place], pieces, f"what {place} holds", where)
    _same(found["place_of"], pos.place_of, "where pieces lie", where)
    slots = found["slots"]
    assert isinstance(slots, dict)
    for key, value in pos.slots.items():
        _same(slots[key], value, f"the slot {key}", where)
    for name in ("active", "playing", "out"):
        _same(found[name], getattr(pos, name), name, where)
    if interpreter.result is None:
        _same(found["chooser"], pos.chooser, "chooser", where)
    _same(found["generator"], generator.state, "the generator", where)
    _same(found["decisions"], interpreter.decisions, "the number of decisions", where)
    known = found["known"]
    if known is not None:
        _same(known, interpreter.knowledge.known, "what is known", where)
    times = found["times"]
    assert isinstance(times, dict)
    for name, number in times.items():
        seen = pos.histories.get(name, ())
        _same(number, seen.count(seen[-1]) if seen else 0, f"how often {name} occurred", where)


def _compare_decisions(engine: Engine, decision: Decision, where: str) -> None:
    _same(engine.seat, decision.seat, "who decides", where)
    _same(engine.statement.span, decision.span, "the decision", where)
    _same(engine.number, len(decision.options), "how many options there are", where)
    groups: dict[int, list[tuple[Value, ...]]] = {}
    for candidate in engine.candidates():
        groups.setdefault(candidate.option, []).append(candidate.values)
    wanted: list[tuple[tuple[Value, ...], ...]] = []
    if decision.several:
        wanted = [tuple((value,) for value in group) for group in decision.classes]
    else:
        for option in decision.options:
            assert isinstance(option, ActionOption | ValueOption)
            if isinstance(option, ActionOption):
                wanted.append(option.members)
            else:
                wanted.append(tuple((value,) for value in option.members))
    _same(len(groups), len(wanted), "how many groups there are", where)
    for number, members in enumerate(wanted):
        _same(tuple(groups[number]), members, f"option {number}", where)


def _compare_results(engine: Engine, interpreter: Interpreter, where: str) -> None:
    result = interpreter.result
    assert result is not None
    seats = engine.table.things("Player")
    found = engine.result()
    _same(found.how, result.how, "how it ended", where)
    _same(found.ranks, tuple(result.ranks[seat] for seat in seats), "ranks", where)
    _same(found.payoffs, tuple(result.payoffs[seat] for seat in seats), "pay-offs", where)
    winners = tuple(seat.index + 1 for seat in result.winners)
    _same(found.winners, winners, "winners", where)
