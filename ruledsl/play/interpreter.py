"""The reference interpreter: the meaning of the language, in executable form.

The rules run as a generator that stops at every decision and goes on with the option chosen.
"""

from __future__ import annotations

from ruledsl.model import core
from ruledsl.play.chance import Chance
from ruledsl.play.events import Ended
from ruledsl.play.procedures import Procedures
from ruledsl.play.ranking import result_of
from ruledsl.play.running import GameEnded, Run
from ruledsl.table.evaluate import Evaluate, Frame
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value


class Interpreter(Procedures):
    """A whole game, and looking ahead in it."""

    def __init__(self, table: Table, chance: Chance) -> None:
        super().__init__(table, chance)
        table.evaluator.would = self._would
        table.evaluator.can = self._can
        table.evaluator.knows = self.knowledge.knows

    def play(self) -> Run:
        """Set-up, then the game, then its result."""
        yield from self.set_up()
        yield from self.finish_with(self.run_step("play", ()))

    def set_up(self) -> Run:
        """Set-up; triggers sleep."""
        if "setup" in self.game.steps:
            yield from self.finish_with(self.run_step("setup", ()), only_endings=True)
        self.checkpoints_on = True

    def finish_with(self, run: Run, *, only_endings: bool = False) -> Run:
        """Run something that may end the game; its plain end is the game's, if not excluded."""
        try:
            yield from run
            if not only_endings:
                self._finish("the rules", (), False)
        except GameEnded as ended:
            self._finish(ended.how, ended.winners, ended.how == "limit")

    def _finish(self, how: str, winners: tuple[Thing, ...], drawn: bool) -> None:
        self.pos.chooser = None
        self.pos.changed()
        self.settle()
        self.result = result_of(self.table, self.pos, winners, drawn=drawn, how=how)
        self.pos.finished = True
        self.pos.winners = self.result.winners
        self.hands.record(Ended(how, self.result.winners))
        self.settle()

    # ------------------------------------------------------------ looking ahead

    def _would(self, node: core.Would) -> Evaluate:
        arguments = [self.table.evaluator.compile(each) for each in node.arguments]
        body = self.table.evaluator.compile(node.body)
        step = node.step

        def would(pos: Position, frame: Frame) -> Value:
            given = tuple(argument(pos, frame) for argument in arguments)
            outer = (self.pos, self.hands.quiet, self.checkpoints_on)
            self.pos = pos.copy()
            self.hands.quiet, self.checkpoints_on = True, False
            try:
                for _ in self.run_step(step, given):
                    raise AssertionError("no decision is made in looking ahead")
                return body(self.pos, frame)
            finally:
                self.pos, self.hands.quiet, self.checkpoints_on = outer

        return would

    def _can(self, node: core.Can) -> Evaluate:
        arguments = [
            None if each is None else self.table.evaluator.compile(each) for each in node.arguments
        ]
        by = None if node.by is None else self.table.evaluator.compile(node.by)
        is_fixed = tuple(each is not None for each in arguments)
        action = node.action

        def can(pos: Position, frame: Frame) -> Value:
            fixed = tuple(None if each is None else each(pos, frame) for each in arguments)
            before = pos.chooser
            who = before if by is None else by(pos, frame)
            if who is not before:
                pos.chooser = who  # type: ignore[assignment]
                pos.changed()
            try:
                legal = self.legality.legal_values(pos, action, fixed, is_fixed, None)
                return any(True for _ in legal)
            finally:
                if who is not before:
                    pos.chooser = before
                    pos.changed()

        return can
