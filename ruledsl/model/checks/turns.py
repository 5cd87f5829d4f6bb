"""Somebody's turn must have begun before `active` or `you` is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.checks.graph import (
    PLAY,
    SETUP,
    blocks,
    callees_first,
    own_expressions,
    values,
)
from ruledsl.model.checks.lines import first_line
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import expressions


def check_turns(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """The first reading of the active player that nothing before it can have set."""
    game = elaborated.game
    if PLAY.key not in game.steps:
        return
    reader = _Reader(game)
    for node in callees_first(game):
        if node.sort == "step":
            reader.of_step(node.key, acting=False)
            reader.of_step(node.key, acting=True)
    for step in (SETUP.key, PLAY.key):
        first = reader.of_step(step, acting=False) if step in game.steps else NOTHING
        if first.needed is not None:
            yield found.nobody_active(first.needed, first.path)
        if first != NOTHING:
            return


@attrs.frozen
class First:
    """What happens first in a step: somebody active is needed, or there may be one then."""

    needed: Span | None = None
    path: tuple[str, ...] = ()
    settled: bool = False


NOTHING = First()


class _Reader:
    """Goes through the statements in order until somebody may be active, or is needed.

    `acting` is inside an action, where `you` is who took it.
    """

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.first = NOTHING
        self._steps: dict[tuple[str, bool], First] = {}
        self._actions: dict[str, First] = {}
        self._defines: dict[tuple[str, bool], bool] = {}

    def of_step(self, step: str, *, acting: bool) -> First:
        memo = (step, acting)
        if memo not in self._steps:
            self._steps[memo] = NOTHING  # a circle is reported elsewhere
            before, self.first = self.first, NOTHING
            self._either(blocks(self.game.steps[step]), acting=acting)
            path = (step, *self.first.path) if self.first.needed is not None else ()
            self._steps[memo] = attrs.evolve(self.first, path=path)
            self.first = before
        return self._steps[memo]

    def _either(self, ways: tuple[core.Block, ...], *, acting: bool) -> None:
        """One of several blocks is run: each starts as things are now."""
        self._any_of(tuple(self._of_block(block, acting=acting) for block in ways))

    def _of_block(self, block: core.Block, *, acting: bool) -> First:
        """What comes first in a block that is run as things are now."""
        before = self.first
        for statement in block:
            if self.first == NOTHING:
                self._statement(statement, acting=acting)
        first, self.first = self.first, before
        return first

    def _any_of(self, ways: tuple[First, ...]) -> None:
        for first in ways:
            if self.first == NOTHING or (self.first.needed is None and first.needed is not None):
                self.first = first

    def _of_action(self, key: str) -> First:
        """What comes first in an action; all that offer it want to know."""
        if key not in self._actions:
            self._actions[key] = NOTHING
            before, self.first = self.first, NOTHING
            first = self._of_block(self.game.actions[key].body, acting=True)
            self._actions[key], self.first = first, before
        return self._actions[key]

    def _statement(self, statement: core.Statement, *, acting: bool) -> None:
        self._read(*own_expressions(statement), acting=acting)
        match statement:
            case core.ChooseValue(by=by) | core.ChooseAction(by=by):
                if by is None and not acting:
                    self._need(first_line(self.game, statement.span))
            case _:
                pass
        if self.first != NOTHING:
            return
        match statement:
            case core.Assign(slot=core.Slot(state="active")):
                self.first = First(settled=True)
            case core.Roll(target=core.Slot(state="active")):
                self.first = First(settled=True)
            case core.Call(step=step):
                self.first = self.of_step(step, acting=acting)
            case core.If(branches=branches):
                self._read(*(branch.condition for branch in branches), acting=acting)
                self._either(tuple(branch.body for branch in branches), acting=acting)
            case core.For(body=body) | core.Together(body=body) | core.Repeat(body=body):
                self._either((body,), acting=acting)
            case core.ChooseValue():
                self._choice(statement, acting=acting)
            case core.ChooseAction(offers=offers, otherwise=otherwise):
                for offer in offers:
                    action = self.game.actions[offer.action]
                    self._read(action.picks, action.requirements, acting=True)
                if self.first == NOTHING:
                    self._any_of(tuple(self._of_action(offer.action) for offer in offers))
                if self.first == NOTHING:
                    self._either(() if otherwise is None else (otherwise,), acting=acting)
            case _:
                pass

    def _choice(self, choice: core.ChooseValue, *, acting: bool) -> None:
        self._read(choice.requirements, acting=acting)
        if self.first == NOTHING:
            otherwise = () if choice.otherwise is None else (choice.otherwise,)
            self._either(otherwise, acting=acting)
        if isinstance(choice.target, core.Slot) and choice.target.state == "active":
            if self.first == NOTHING:
                self.first = First(settled=True)

    def _read(self, *contents: Any, acting: bool) -> None:
        for part in expressions(contents):
            if self._reads(part, acting):
                self._need(part.span)
                return

    def _reads(self, part: core.Expr, acting: bool) -> bool:
        match part:
            case core.Special(word="active"):
                return True
            case core.Special(word="you"):
                return not acting
            case core.CallDefine(define=key):
                if (key, acting) not in self._defines:
                    self._defines[(key, acting)] = False
                    bodies = values(self.game.defines[key])
                    self._defines[(key, acting)] = any(
                        self._reads(inner, acting) for inner in expressions(bodies)
                    )
                return self._defines[(key, acting)]
            case _:
                return False

    def _need(self, span: Span) -> None:
        if self.first == NOTHING:
            self.first = First(needed=span)
