"""What rules name by numbers or indexes, such as `Cell(1, 2)`: it may not be there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from ruledsl.model import core
from ruledsl.model.game import (
    ActionInfo,
    DefineInfo,
    ExampleInfo,
    StepInfo,
    TriggerInfo,
    WhenInfo,
)
from ruledsl.model.walk import walk

Addressed: TypeAlias = core.Nth | core.PlaceAt
Rule: TypeAlias = DefineInfo | StepInfo | ActionInfo | TriggerInfo | ExampleInfo


def addressed(rule: Rule) -> Iterator[Addressed]:
    """All that a rule or a test names in this way."""
    for part in walk(tuple(_nodes(rule))):
        if isinstance(part, core.Nth | core.PlaceAt):
            yield part


def _nodes(rule: Rule) -> Iterator[object]:
    match rule:
        case DefineInfo() | StepInfo():
            yield rule.body
            yield from (row.body for row in rule.rows)
        case ActionInfo():
            yield rule.requirements + rule.body
        case TriggerInfo():
            yield (rule.body, rule.when)
        case ExampleInfo():
            for part in rule.parts:
                if isinstance(part, WhenInfo):
                    yield part.arguments
                else:
                    yield tuple(x if isinstance(x, core.Stmt) else x.condition for x in part)
        case _:
            assert_never(rule)
