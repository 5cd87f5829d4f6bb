"""Somebody's turn must have begun before `active` or `you` is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.checks.graph import PLAY, SETUP, blocks, own_expressions, values
from ruledsl.model.elaborate import Elaborated
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import expressions


def check_turns(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """The first reading of the active player that nothing before it can have set."""
    game = elaborated.game
    if PLAY.key not in game.steps:
        return
    reader = _Reader(game)
    for step in (SETUP.key, PLAY.key):
        if step in game.steps:
            reader.call(step, (), acting=False)
    if reader.needed is not None:
        yield found.nobody_active(*reader.needed)


class _Reader:
    """Goes through the statements in order until somebody may be active, or is needed.

    `acting` is inside an action, where `you` is who took it.
    """

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self.settled = False
        self.needed: tuple[Span, tuple[str, ...]] | None = None
        self._done: set[tuple[str, bool]] = set()
        self._defines: dict[tuple[str, bool], bool] = {}

    def call(self, step: str, path: tuple[str, ...], *, acting: bool) -> None:
        # What made nobody active the first time doesn't do it the second time either.
        if (step, acting) not in self._done:
            self._done.add((step, acting))
            self._either(blocks(self.game.steps[step]), (*path, step), acting=acting)

    def _either(
        self, ways: tuple[core.Block, ...], path: tuple[str, ...], *, acting: bool
    ) -> None:
        """One of several blocks is run: each starts as things are now."""
        before = settled = self.settled
        for block in ways:
            self.settled = before
            for statement in block:
                if not self.settled:
                    self._statement(statement, path, acting=acting)
            settled = settled or self.settled
        self.settled = settled

    def _statement(self, statement: core.Statement, path: tuple[str, ...], *, acting: bool) -> None:
        self._read(own_expressions(statement), path, acting=acting)
        match statement:
            case core.ChooseValue(by=by) | core.ChooseAction(by=by):
                if by is None and not acting:
                    self._need(statement.span, path)
            case _:
                pass
        if self.settled:
            return
        match statement:
            case core.Assign(slot=core.Slot(state="active")):
                self.settled = True
            case core.Roll(target=core.Slot(state="active")):
                self.settled = True
            case core.Call(step=step):
                self.call(step, path, acting=acting)
            case core.If(branches=branches):
                conditions = [branch.condition for branch in branches]
                self._read((each for each in conditions if each is not None), path, acting=acting)
                self._either(tuple(branch.body for branch in branches), path, acting=acting)
            case core.For(body=body) | core.Together(body=body) | core.Repeat(body=body):
                self._either((body,), path, acting=acting)
            case core.ChooseValue():
                self._choice(statement, path, acting=acting)
            case core.ChooseAction(offers=offers, otherwise=otherwise):
                bodies = tuple(self._taken(offer, path) for offer in offers)
                self._either(bodies, path, acting=True)
                self._either(() if otherwise is None else (otherwise,), path, acting=acting)
            case _:
                pass

    def _choice(self, choice: core.ChooseValue, path: tuple[str, ...], *, acting: bool) -> None:
        for require in choice.requirements:
            self._read((require.condition,), path, acting=acting)
        otherwise = () if choice.otherwise is None else (choice.otherwise,)
        self._either(otherwise, path, acting=acting)
        if isinstance(choice.target, core.Slot) and choice.target.state == "active":
            self.settled = True

    def _taken(self, offer: core.Offer, path: tuple[str, ...]) -> core.Block:
        """What an offered action does, after its requirements have been read."""
        action = self.game.actions[offer.action]
        asked: list[Any] = [draw.domain for draw in action.picks]
        self._read(asked, path, acting=True)
        self._read(expressions(action.requirements), path, acting=True)
        return action.body

    def _read(self, nodes: Any, path: tuple[str, ...], *, acting: bool) -> None:
        for node in nodes:
            for part in expressions((node,)):
                if self._reads(part, acting):
                    self._need(part.span, path)

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

    def _need(self, span: Span, path: tuple[str, ...]) -> None:
        if not self.settled and self.needed is None:
            self.needed = (span, path)
        self.settled = True
