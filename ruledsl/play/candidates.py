"""Choices that can be pointed at, legal or not: among them is found what somebody means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

import attrs

from ruledsl.model import core
from ruledsl.play.decisions import ActionOption, Decision, Option, ValueOption
from ruledsl.play.explain import Verdict, judge_action, judge_value
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.queries import as_set
from ruledsl.table.things import Thing, Value

MOST_CANDIDATES = 20_000
"""Choices of one action among which a typed one is looked for."""


@attrs.frozen
class Candidate:
    """A choice, and a way to hear what the rules say to it."""

    option: Option
    judge: Callable[[], Verdict]


def candidates(interpreter: Interpreter, decision: Decision) -> Iterator[Candidate]:
    """All that can be chosen from where a decision takes its values, legal or not."""
    statement = decision.statement
    if isinstance(statement, core.ChooseValue):
        values = as_set(interpreter.value(statement.domain, decision.frame))
        for value in interpreter.legality.arranged(interpreter.pos, decision.seat, (), values):
            judge = partial(judge_value, interpreter, decision, value)
            yield Candidate(ValueOption(value, (value,)), judge)
        return
    for offer in statement.offers:
        judged = interpreter.legality.judged(offer.action)
        info = judged.info
        with interpreter.as_chooser(decision.seat):
            columns: list[tuple[Value, ...]] = []
            inline = [*decision.frame] if info.inline else None
            frame = interpreter.legality.frame_for(judged, inline)
            for number, domain in zip(judged.numbers, judged.domains, strict=True):
                column = as_set(domain(interpreter.pos, frame))
                columns.append(_alike_once(interpreter, decision, column))
                frame[number] = column[0] if column else None
        for at, values in enumerate(product(*columns)):
            if at == MOST_CANDIDATES:
                break
            given: dict[int, tuple[Value, ...]] = {
                number: (value,) for number, value in enumerate(values)
            }
            yield Candidate(
                ActionOption(info.key, info.name, values, (values,)),
                partial(judge_action, interpreter, decision, info.name, given),
            )


def _alike_once(
    interpreter: Interpreter, decision: Decision, column: tuple[Value, ...]
) -> tuple[Value, ...]:
    """Of pieces that are alike to the chooser, one."""
    found: dict[object, Value] = {}
    for value in interpreter.legality.arranged(interpreter.pos, decision.seat, (), column):
        if isinstance(value, Thing):
            mark = interpreter.legality.signature(interpreter.pos, decision.seat, value, ())
            found.setdefault(mark, value)
        else:
            found.setdefault(value, value)
    return tuple(found.values())
