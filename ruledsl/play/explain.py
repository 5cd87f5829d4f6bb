"""Why a choice is not allowed: each requirement on its own, with message and citation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import attrs

from ruledsl.model import core
from ruledsl.play.decisions import Decision, Refusal
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.queries import Frame, as_set
from ruledsl.table.things import Thing, Value

MOST_COMPLETIONS = 2_000
"""Completions of a half-given move that are looked at."""


@attrs.frozen
class Verdict:
    """Whether a choice is legal, and what is against it if not."""

    legal: bool
    refusals: tuple[Refusal, ...]


def judge_action(
    interpreter: Interpreter, decision: Decision, name: str, given: dict[int, tuple[Value, ...]]
) -> Verdict:
    """Judge an action; each parameter given may be any of some values, others are open.

    The refusals of a half-given move are those of its completions.
    """
    statement = decision.statement
    if not isinstance(statement, core.ChooseAction):
        return Verdict(False, (Refusal(None, decision.span, decision.trail),))
    found: list[Refusal] = []
    offered = False
    with interpreter.as_chooser(decision.seat):
        for offer in statement.offers:
            info = interpreter.game.actions[offer.action]
            if info.name != name:
                continue
            offered = True
            for values in _completions(interpreter, decision, offer, given):
                refusals = tuple(_refusals(interpreter, decision, offer, values))
                if not refusals:
                    return Verdict(True, ())
                found.extend(_telling(refusals))
    if not offered or not found:
        found.append(Refusal(None, decision.span, decision.trail))
    return Verdict(False, tuple(dict.fromkeys(found)))


def _completions(
    interpreter: Interpreter,
    decision: Decision,
    offer: core.Offer,
    given: dict[int, tuple[Value, ...]],
) -> Iterator[tuple[Value, ...]]:
    """All ways to fill the open parameters from their domains, whether legal or not."""
    judged = interpreter.legality.judged(offer.action)
    inline = judged.info.inline
    frame = interpreter.legality.frame_for(judged, [*decision.frame] if inline else None)
    columns: list[tuple[Value, ...]] = []
    for at, domain in enumerate(judged.domains):
        fixed = offer.arguments[at]
        if fixed is not None:
            columns.append((interpreter.value(fixed, decision.frame),))
        elif at in given:
            columns.append(given[at])
        else:
            column = as_set(domain(interpreter.pos, frame))
            legality = interpreter.legality
            columns.append(legality.arranged(interpreter.pos, decision.seat, (), column))
        frame[judged.numbers[at]] = columns[-1][0] if columns[-1] else None
    for number, values in enumerate(product(*columns)):
        if number == MOST_COMPLETIONS:
            return
        yield values


def _refusals(
    interpreter: Interpreter, decision: Decision, offer: core.Offer, values: tuple[Value, ...]
) -> Iterator[Refusal]:
    judged = interpreter.legality.judged(offer.action)
    info = judged.info
    pos = interpreter.pos
    around = [*decision.frame]
    frame = interpreter.legality.frame_for(judged, around if info.inline else None)
    inside = True
    for number, domain, value, draw in zip(
        judged.numbers, judged.domains, values, info.picks, strict=True
    ):
        if value not in as_set(domain(pos, frame)):
            inside = False
            yield Refusal(None, draw.domain.span, info.trail)
        frame[number] = value
    if not inside:
        return
    yield from interpreter.legality.refusals(pos, info.requirements, frame)
    interpreter.bind_offer(offer, values, around)
    yield from interpreter.legality.refusals(pos, offer.requirements, around)


def _telling(refusals: tuple[Refusal, ...]) -> tuple[Refusal, ...]:
    """Without those that name something which isn't there, unless there are no others."""
    telling = tuple(
        refusal
        for refusal in refusals
        if refusal.says is None or all(value is not None for _, value in refusal.says.values)
    )
    return telling or refusals


def judge_value(interpreter: Interpreter, decision: Decision, value: Value) -> Verdict:
    """Judge a value where one is to be chosen."""
    statement = decision.statement
    none_at_all = Verdict(False, (Refusal(None, decision.span, decision.trail),))
    if not isinstance(statement, core.ChooseValue):
        return none_at_all
    if value is None:
        return Verdict(True, ()) if statement.how_many.word == "optional" else none_at_all
    frame: Frame = [*decision.frame]
    with interpreter.as_chooser(decision.seat):
        if value not in as_set(interpreter.value(statement.domain, frame)):
            return none_at_all
        frame[statement.element.number] = value
        if statement.where is not None and not interpreter.value(statement.where, frame):
            return Verdict(False, (Refusal(None, statement.where.span, statement.trail),))
        refusals = tuple(
            interpreter.legality.refusals(interpreter.pos, statement.requirements, frame)
        )
    return Verdict(not refusals, refusals)


def pieces_like(interpreter: Interpreter, face: Thing) -> tuple[Value, ...]:
    """Every piece with a face."""
    kinds = [name for name, kind in interpreter.game.kinds.items() if kind.sort == "piece"]
    return tuple(
        piece for kind in kinds for piece in interpreter.table.things(kind) if piece.face is face
    )
