"""What is not put in words from the events: lines of rules that tell it themselves, or need not."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk


def untold(game: CheckedGame) -> frozenset[Span]:
    """The statements of procedures with a `tell`, and of those that are bookkeeping."""
    return frozenset(_untold(game))


def _untold(game: CheckedGame) -> Iterator[Span]:
    for name, span, body in _procedures(game):
        statements = [part for part in walk(body) if isinstance(part, core.Stmt)]
        look = game.looks.get(name)
        silent = look is not None and look.bookkeeping
        if silent or any(isinstance(each, core.Tell) for each in statements):
            yield span
            yield from (each.span for each in statements)


def _procedures(game: CheckedGame) -> Iterator[tuple[str, Span, core.Block]]:
    for step in game.steps.values():
        for body in (step.body or (), *(row.body for row in step.rows)):
            yield step.name, step.span, body
    for action in game.actions.values():
        yield action.name, action.span, action.body
    for trigger in game.triggers.values():
        yield trigger.name, trigger.span, trigger.body
