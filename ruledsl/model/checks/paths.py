"""How a block can be left: at its end, by ending a loop, or by ending something around it."""

from __future__ import annotations

from typing import TypeAlias

from ruledsl.model import core
from ruledsl.model.checks.graph import blocks, callees_first, with_calls
from ruledsl.model.checks.reads_writes import ReadsWrites
from ruledsl.model.checks.values import Values
from ruledsl.model.game import CheckedGame
from ruledsl.model.symbols import PLAYER
from ruledsl.model.types import SetType, plain, thing
from ruledsl.model.walk import walk

Exit: TypeAlias = tuple[str, str]
Exits: TypeAlias = frozenset[Exit]

ON: Exit = ("on", "")
LOOP: Exit = ("end", "loop")
GAME: Exit = ("end", "game")


class Paths:
    """The exits of blocks.

    With `quiet`, only those that can be reached without passing a decision or a roll; a loop
    over something that never changes is then taken to have something to run over.
    """

    def __init__(self, game: CheckedGame, *, quiet: ReadsWrites | None = None) -> None:
        self.game = game
        self.quiet = quiet
        self.values = Values(game, named=False)
        self._steps: dict[str, Exits] = {}
        self._actions: dict[str, Exits] = {}
        self.ended_by_triggers = frozenset(
            part.target
            for trigger in game.triggers.values()
            for part in walk(with_calls(game, trigger.body))
            if isinstance(part, core.End)
        )
        for node in callees_first(game):
            if node.sort == "step":
                self.called(node.key)
            else:
                self._taken(node.key)

    def exits(self, block: core.Block) -> Exits:
        found: set[Exit] = {ON}
        for statement in block:
            if ON not in found:
                break
            found.discard(ON)
            found |= self.of(statement)
        return frozenset(found)

    def of(self, statement: core.Statement) -> Exits:
        """The exits of one statement."""
        match statement:
            case core.End(target=target):
                return frozenset({("end", target)})
            case core.Win():
                return frozenset({GAME})
            case core.Call(step=step):
                return self.called(step)
            case core.If(branches=branches):
                without = frozenset() if branches[-1].condition is None else frozenset({ON})
                return without.union(*(self.exits(branch.body) for branch in branches))
            case core.For(draws=draws, where=where, body=body):
                sure = self._passed(where) and all(self._filled(draw.domain) for draw in draws)
                return self._looped(body, at_least_once=sure)
            case core.Together(domain=domain, body=body):
                return self._looped(body, at_least_once=self._filled(domain))
            case core.Repeat(times=None, running=None, body=body):
                # Only its own `end loop` leads on; a pass that comes to its end goes round.
                return frozenset(ON if each == LOOP else each for each in self.exits(body) - {ON})
            case core.Repeat(times=times, running=running, body=body):
                sure = self._passed(running) and times is not None and self._positive(times)
                return self._looped(body, at_least_once=sure)
            case core.Roll() | core.ChooseValue() | core.ChooseAction() if self.quiet is not None:
                return frozenset()
            case core.ChooseValue(otherwise=otherwise):
                return frozenset({ON}).union(() if otherwise is None else self.exits(otherwise))
            case core.ChooseAction(offers=offers, otherwise=otherwise):
                taken = (self._taken(offer.action) for offer in offers)
                return frozenset().union(*taken, () if otherwise is None else self.exits(otherwise))
            case _:
                return frozenset({ON})

    def _looped(self, body: core.Block, *, at_least_once: bool) -> Exits:
        inside = frozenset(ON if each == LOOP else each for each in self.exits(body))
        return inside if at_least_once else inside | {ON}

    def _filled(self, whole: core.Expr) -> bool:
        if self.quiet is None:
            return self.values.filled(whole)
        of = plain(whole.type)
        players = isinstance(of, SetType) and plain(of.element) == thing(PLAYER)
        return players or not self.quiet.reads(whole)

    def _passed(self, condition: core.Expr | None) -> bool:
        if condition is None:
            return True
        return self.quiet is not None and not self.quiet.reads(condition)

    def _positive(self, times: core.Expr) -> bool:
        if self.quiet is None:
            return self.values.positive(times)
        return not self.quiet.reads(times)

    def called(self, step: str) -> Exits:
        """After `end` of the step itself the caller goes on."""
        if step not in self._steps:
            self._steps[step] = frozenset({ON})  # a circle is reported elsewhere
            found = frozenset[Exit]().union(
                *(self.exits(body) for body in blocks(self.game.steps[step]))
            )
            if step in self.ended_by_triggers:
                found |= {ON}
            self._steps[step] = frozenset(ON if each == ("end", step) else each for each in found)
        return self._steps[step]

    def _taken(self, key: str) -> Exits:
        if key not in self._actions:
            self._actions[key] = frozenset({ON})
            action = self.game.actions[key]
            found = self.exits(action.body)
            if action.name in self.ended_by_triggers:
                found |= {ON}
            name = ("end", action.name)
            self._actions[key] = frozenset(ON if each == name else each for each in found)
        return self._actions[key]
