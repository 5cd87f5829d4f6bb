"""Why pointing at things is no legal choice: the requirements that stand against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import attrs

from ruledsl.model import core
from ruledsl.play.decisions import Decision, Refusal
from ruledsl.play.explain import judge_action, judge_value
from ruledsl.play.match import Match
from ruledsl.scene.stage import set_of
from ruledsl.scene.touching import Touching
from ruledsl.syntax import ast
from ruledsl.table.queries import as_set
from ruledsl.table.things import Value

MOST_THINGS = 4
"""Things that can be pointed at in one go."""


@attrs.frozen
class Reason:
    """A requirement that is not met, with the rules it cites and where it stands."""

    text: str | None
    cites: tuple[str, ...]
    line: str
    """`file:line`"""


@attrs.frozen
class Answer:
    """What is to be said about a choice by pointing: it may be legal after all."""

    legal: bool
    reasons: tuple[Reason, ...]


def why(match: Match, ids: Sequence[str]) -> Answer:
    """Why no option touches all these things, in the eyes of the seat that decides."""
    decision = match.decision
    if decision is None:
        return Answer(False, ())
    view = match.view(match.seat)
    touching = Touching(set_of(match.table, match.words), view, match.interpreter.pos.place_of)
    wanted = tuple(dict.fromkeys(ids))[:MOST_THINGS]
    found: list[Refusal] = []
    for legal, refusals in _verdicts(match, decision, touching, wanted):
        if legal:
            return Answer(True, ())
        found += refusals
    said = [refusal for refusal in found if refusal.says is not None]
    return Answer(False, tuple(dict.fromkeys(_reason(match, refusal) for refusal in said)))


def _verdicts(
    match: Match, decision: Decision, touching: Touching, ids: tuple[str, ...]
) -> Iterator[tuple[bool, tuple[Refusal, ...]]]:
    interpreter, statement = match.interpreter, decision.statement
    if isinstance(statement, core.ChooseValue):
        if len(ids) == 1:
            domain = as_set(interpreter.value(statement.domain, decision.frame))
            for value in _touching(touching, domain, ids[0]):
                verdict = judge_value(interpreter, decision, value)
                yield verdict.legal, verdict.refusals
        return
    for offer in statement.offers:
        columns = _domains(match, decision, offer)
        for order in permutations(range(len(columns)), len(ids)):
            given = {
                at: values
                for at, wanted in zip(order, ids, strict=True)
                if (values := tuple(_touching(touching, columns[at], wanted)))
            }
            if len(given) == len(ids):
                name = interpreter.game.actions[offer.action].name
                verdict = judge_action(interpreter, decision, name, given)
                yield verdict.legal, verdict.refusals


def _domains(match: Match, decision: Decision, offer: core.Offer) -> list[tuple[Value, ...]]:
    """What each parameter of an action could be."""
    interpreter = match.interpreter
    judged = interpreter.legality.judged(offer.action)
    frame = interpreter.legality.frame_for(
        judged, [*decision.frame] if judged.info.inline else None
    )
    columns: list[tuple[Value, ...]] = []
    with interpreter.as_chooser(decision.seat):
        for number, domain in zip(judged.numbers, judged.domains, strict=True):
            column = as_set(domain(interpreter.pos, frame))
            columns.append(column)
            frame[number] = column[0] if column else None
    return columns


def _touching(touching: Touching, values: Sequence[Value], wanted: str) -> Iterator[Value]:
    """The values that a thing stands for; a place stands for what lies in it, too."""
    for value in values:
        touched = touching.value(value)
        if any(each == wanted or each.rpartition("/")[0] == wanted for each in touched):
            yield value


def _reason(match: Match, refusal: Refusal) -> Reason:
    assert refusal.says is not None
    cites = tuple(mark.rule for mark in refusal.trail if isinstance(mark, ast.Cite))
    where = f"{refusal.span.file}:{refusal.span.line}"
    return Reason(match.words.said(refusal.says), cites, where)
