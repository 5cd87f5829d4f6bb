"""The reference interpreter: the meaning of the language, in executable form.

The rules run as a generator that stops at every decision and goes on with the option chosen.
"""

from __future__ import annotations

import attrs

from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.model.endings import where_it_ends
from ruledsl.play.chance import Chance, Dice
from ruledsl.play.events import Ended
from ruledsl.play.procedures import Procedures
from ruledsl.play.ranking import How, keys_of, result_of
from ruledsl.play.running import GameEnded, Run
from ruledsl.table.limits import LOOK, LOOKED
from ruledsl.table.position import Position
from ruledsl.table.queries import Evaluate, Frame
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value


class Interpreter(Procedures):
    """A whole game, and looking ahead in it."""

    def __init__(self, table: Table, chance: Chance) -> None:
        super().__init__(table, chance)
        self.seed = chance.generator.state if isinstance(chance, Dice) else None
        """what chance starts from; None where it is told"""
        table.evaluator.run_by(self)
        table.evaluator.refuel()

    def play(self) -> Run:
        """Set-up, then the game, then its result."""
        yield from self.set_up()
        yield from self.finish_with(self.run_step("play", ()))

    def set_up(self) -> Run:
        """Set-up; triggers sleep."""
        if self.refuels:
            self.table.evaluator.refuel()
        if "setup" in self.game.steps:
            yield from self.finish_with(self.run_step("setup", ()), only_endings=True)
        self.checkpoints_on = True

    def finish_with(self, run: Run, *, only_endings: bool = False) -> Run:
        """Run something that may end the game; its plain end is the game's, if not excluded."""
        try:
            yield from run
            if not only_endings:
                self._finish("the rules", ())
        except GameEnded as ended:
            self._finish(ended.how, ended.named, ended.span)

    def _finish(self, how: How, named: tuple[Thing, ...], span: Span = NOWHERE) -> None:
        self.pos.chooser = None
        self.pos.changed()
        self.settle()
        found = result_of(self.table, self.pos, how, named)
        self.result = attrs.evolve(found, keys=keys_of(self.table, self.pos))
        self.pos.finished = True
        self.pos.winners = self.result.won
        ending = where_it_ends(self.game, span)
        trail = () if ending is None else ending.trail
        self.hands.record(Ended(self.result.how, self.result.won, span=span, trail=trail))
        self.settle()

    # ------------------------------------------------------------ looking ahead

    def would(
        self, pos: Position, step: str, given: tuple[Value, ...], body: Evaluate, frame: Frame
    ) -> Value:
        """The value of an expression in the position after a step; nothing really happens."""
        evaluator = self.table.evaluator
        evaluator.burn(LOOK, self.game.steps[step].span)
        # How often one looks ahead is up to whoever judges what is legal: each time stands alone.
        work, evaluator.work = evaluator.work, self.game.allowance.statements
        outer = (self.pos, self.hands.quiet, self.checkpoints_on, self.hands.fixed)
        self.pos = pos.copy()
        self.hands.quiet, self.checkpoints_on, self.hands.fixed = True, False, set()
        try:
            for _ in self.run_step(step, given):
                raise AssertionError("no decision is made in looking ahead")
            found = body(self.pos, frame)
            spent = self.game.allowance.statements - evaluator.work
        finally:
            self.pos, self.hands.quiet, self.checkpoints_on, self.hands.fixed = outer
            evaluator.work = work
        evaluator.burn(LOOKED * spent, self.game.steps[step].span)
        return found

    def can(
        self,
        pos: Position,
        action: str,
        fixed: tuple[tuple[Value] | None, ...],
        chooser: Thing | None,
    ) -> bool:
        """Whether some choice of an action's open parameters is legal for the chooser."""
        before = pos.chooser
        if chooser is not before:
            pos.chooser = chooser
            pos.changed()
        try:
            return any(True for _ in self.legality.legal_values(pos, action, fixed, None))
        finally:
            if chooser is not before:
                pos.chooser = before
                pos.changed()

    def knows(self, pos: Position, viewer: Thing, piece: Thing) -> bool:
        return self.knowledge.knows(pos, viewer, piece)
