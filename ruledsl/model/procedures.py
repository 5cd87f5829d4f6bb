"""Everything in the rules that has a body: steps, actions and triggers alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.syntax import ast

Procedure: TypeAlias = tuple[str, Span, ast.Trail, core.Block]
"""A name, where it is written, its marks, and the body or one of several."""


def procedures(game: CheckedGame) -> Iterator[Procedure]:
    for step in game.steps.values():
        if step.body is not None:
            yield step.name, step.span, step.trail, step.body
        for row in step.rows:
            yield step.name, step.span, row.trail, row.body
    for action in game.actions.values():
        yield action.name, action.span, action.trail, action.body
    for trigger in game.triggers.values():
        yield trigger.name, trigger.span, trigger.trail, trigger.body
