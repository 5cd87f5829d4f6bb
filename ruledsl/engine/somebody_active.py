"""Whether somebody is active, or has chosen, wherever rules ask who: then nothing looks after it.

The rules are followed from set-up on. Who is active once stays so until another one is, so it is
enough to know at each point whether `active` has been set on every way there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import attrs

from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk


@attrs.frozen
class _Known:
    """What is known at a point of the rules."""

    active: bool
    """whether `active` is set"""
    chosen: bool = False
    """whether somebody is choosing, or has chosen what is done"""

    @property
    def everything(self) -> _Known:
        return _Known(active=True, chosen=self.chosen)


def somebody_is_active(game: CheckedGame) -> bool:
    """Whether nothing reads who is active, or who `you` are, while nobody is."""
    rules = _Rules(game)
    if rules.asks_in(_wanted_at_any_time(game), _Known(active=False)):
        return False
    try:
        known = rules.step("setup", _Known(active=False))
        rules.step("play", known)
    except _NobodyIsThere:
        return False
    return True


def _wanted_at_any_time(game: CheckedGame) -> tuple[object, ...]:
    """What triggers, states and the ranking ask: who knows when."""
    found: list[object] = [state.start for state in game.states.values()]
    for trigger in game.triggers.values():
        found.extend((trigger.picks, trigger.when, trigger.body))
    if game.ranking is not None:
        found.extend((game.ranking.domain, game.ranking.team))
        found.extend(key.value for key in game.ranking.keys)
        found.append(None if game.ranking.payoff is None else game.ranking.payoff.value)
    return tuple(found)


class _NobodyIsThere(Exception):
    """Somebody is asked for where there may be nobody."""


class _Rules:
    """Follows rules from step to step."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self._after: dict[tuple[str, _Known], _Known] = {}
        self._asked_by: dict[str, frozenset[str]] = {}

    # ------------------------------------------------------------ who is asked for

    def asks_in(self, parts: tuple[object, ...], known: _Known) -> bool:
        """Whether parts of the rules ask for somebody who may not be there."""
        if known.active:
            return False
        asked = self._asked(parts)
        return bool(asked - {"you"} if known.chosen else asked)

    def _asked(self, parts: tuple[object, ...]) -> frozenset[str]:
        """Who is asked for; what looks ahead may ask for anybody."""
        found: set[str] = set()
        for part in walk(parts):
            match part:
                case core.Special(word="you" | "active" as word):
                    found.add(word)
                case core.Can() | core.Would():
                    found.add("active")
                case core.CallDefine(define=key):
                    found |= self._asked_by_define(key)
                case core.ChooseValue(by=None) | core.ChooseAction(by=None):
                    found.add("you")
                case core.Call() | core.ChooseAction():
                    found.add("active")
                case _:
                    pass
        return frozenset(found)

    def _asked_by_define(self, key: str) -> frozenset[str]:
        if key not in self._asked_by:
            info = self.game.defines[key]
            bodies = (info.body, *(row.body for row in info.rows))
            self._asked_by[key] = self._asked(bodies)
        return self._asked_by[key]

    def _ask(self, known: _Known, *parts: object) -> None:
        if self.asks_in(parts, known):
            raise _NobodyIsThere

    # ------------------------------------------------------------ the way of the rules

    def step(self, name: str, known: _Known) -> _Known:
        """What is known after a step."""
        info = self.game.steps.get(name)
        if info is None or known.active:
            return known
        key = (name, known)
        if key not in self._after:
            blocks = [row.body for row in info.rows]
            blocks += [] if info.body is None else [info.body]
            self._after[key] = _joined([self._block(block, known) for block in blocks], known)
        return self._after[key]

    def _block(self, block: core.Block, known: _Known) -> _Known:
        for statement in block:
            known = self._statement(statement, known)
        return known

    def _statement(self, statement: core.Statement, known: _Known) -> _Known:
        match statement:
            case core.Assign(slot=core.Slot(state="active"), value=value):
                self._ask(known, value)
                return known.everything
            case core.Roll(target=core.Slot(state="active"), domain=domain):
                self._ask(known, domain)
                return known.everything
            case core.Call(step=name, arguments=arguments):
                self._ask(known, arguments)
                after = self.step(name, attrs.evolve(known, chosen=False))
                return known.everything if after.active else known
            case core.If(branches=branches):
                found: list[_Known] = []
                for branch in branches:
                    self._ask(known, branch.condition)
                    found.append(self._block(branch.body, known))
                return known if branches[-1].condition is not None else _joined(found, known)
            case core.For(draws=draws, where=where, order=order, body=body):
                self._ask(known, draws, where, order)
                self._block(body, known)
            case core.Together(domain=domain, body=body):
                self._ask(known, domain)
                self._block(body, known)
            case core.Repeat(times=times, running=running, body=body):
                self._ask(known, times, running)
                self._block(body, known)
            case core.ChooseValue():
                self._chosen_value(statement, known)
            case core.ChooseAction():
                self._chosen_action(statement, known)
            case (
                core.Let()
                | core.Assign()
                | core.Move()
                | core.MoveSome()
                | core.MoveAll()
                | core.Put()
                | core.Shuffle()
                | core.Roll()
                | core.Show()
                | core.Tell()
                | core.Record()
                | core.Eliminate()
                | core.Win()
                | core.End()
                | core.Skip()
                | core.Require()
            ):
                self._ask(known, statement)
            case _:
                assert_never(statement)
        return known

    def _chosen_value(self, node: core.ChooseValue, known: _Known) -> None:
        self._ask(known, core.Special("you") if node.by is None else node.by)
        asked = attrs.evolve(known, chosen=True)
        self._ask(asked, node.how_many, node.target, node.domain, node.where, node.requirements)
        self._block(node.otherwise or (), known)

    def _chosen_action(self, node: core.ChooseAction, known: _Known) -> None:
        self._ask(known, core.Special("you") if node.by is None else node.by)
        asked = attrs.evolve(known, chosen=True)
        for offer in node.offers:
            action = self.game.actions[offer.action]
            self._ask(asked, offer.arguments, offer.requirements, action.picks)
            self._block((*action.requirements, *action.body), asked)
        self._block(node.otherwise or (), known)


def _joined(found: Iterable[_Known], before: _Known) -> _Known:
    """What is known where several ways meet."""
    ways = list(found)
    return before.everything if ways and all(each.active for each in ways) else before
