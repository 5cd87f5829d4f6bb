"""Rules that never came to be: actions, triggers and branches that no game went through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk
from ruledsl.syntax import ast


@attrs.frozen
class Unfired:
    """What never happened: a whole action or trigger, or a line."""

    sort: Literal["action", "trigger", "line"]
    name: str
    span: Span
    trail: ast.Trail


def unfired(game: CheckedGame, uses: Callable[[core.Stmt], int]) -> Iterator[Unfired]:
    """The outermost of what never happened; what an option switches off is left out."""
    for action in game.actions.values():
        if action.body and not uses(action.body[0]):
            yield Unfired("action", action.key, action.span, action.trail)
        else:
            yield from _within(action.body, uses)
    for name, trigger in game.triggers.items():
        if trigger.body and not uses(trigger.body[0]):
            yield Unfired("trigger", name, trigger.span, trigger.trail)
        else:
            yield from _within(trigger.body, uses)
    for step in game.steps.values():
        bodies = [step.body or (), *(row.body for row in step.rows)]
        if any(body and uses(body[0]) for body in bodies):
            for body in bodies:
                yield from _within(body, uses)


def _within(block: core.Block, uses: Callable[[core.Stmt], int]) -> Iterator[Unfired]:
    for statement in block:
        if not uses(statement):
            # What ends the game is told as an ending; what follows is no news.
            if not _ends_game(statement):
                yield Unfired("line", "", statement.span, statement.trail)
            return
        for inner in _blocks(statement):
            yield from _within(inner, uses)


def _ends_game(statement: core.Statement) -> bool:
    return isinstance(statement, core.Win) or (
        isinstance(statement, core.End) and statement.target == "game"
    )


def _blocks(statement: core.Statement) -> Iterator[core.Block]:
    match statement:
        case core.If(branches=branches):
            for branch in branches:
                if branch.condition is None or not by_option(branch.condition):
                    yield branch.body
        case core.For(body=body) | core.Repeat(body=body) | core.Together(body=body):
            yield body
        case core.ChooseValue(otherwise=block) | core.ChooseAction(otherwise=block):
            if block is not None:
                yield block
        case _:
            pass


def by_option(condition: core.Expr) -> bool:
    """Whether an option says what holds, or the number of players."""
    return any(
        isinstance(part, core.OptionValue)
        or (isinstance(part, core.Special) and part.word == "players")
        for part in walk((condition,))
    )
