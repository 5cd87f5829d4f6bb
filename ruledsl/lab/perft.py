"""Perft: how many ways there are to play on, counted to compare rules with other programs."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from ruledsl.engine import Engine, EngineError
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.labels import Labels
from ruledsl.play.words import Words
from ruledsl.table.table import Table

By: TypeAlias = Literal["turn", "decision"]


@attrs.frozen
class Below:
    """A first option and the number of leaves below it."""

    option: str
    count: int


def first_options(table: Table, seed: int) -> tuple[str, ...]:
    """What can be chosen first, in words."""
    interpreter = Interpreter(table, Dice(Generator(seed)))
    interpreter.ask_always = True
    decision = next(interpreter.play(), None)
    if decision is None:
        return ()
    words = Labels(Words(table.game, "en"), interpreter, decision)
    return tuple(words.label(option) for option in decision.options)


@attrs.define
class Perft:
    """Counts from the beginning of a game; one option alone is a decision, too."""

    table: Table
    seed: int
    by: By
    checked: bool = attrs.field(default=True, kw_only=True)
    engine: Engine = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.engine = Engine(self.table, checked=self.checked, lightly=True)

    def divide(self, depth: int) -> tuple[Below, ...]:
        """The leaves at a depth, by first options; games that are over earlier have none."""
        return tuple(
            Below(label, self.below(number, depth))
            for number, label in enumerate(first_options(self.table, self.seed))
        )

    def below(self, option: int, depth: int) -> int:
        """The leaves below a first option."""
        try:
            count = self._counted(option, depth)
        except EngineError:
            if not self.engine.suspicious:
                raise
        if self.engine.suspicious:
            # Something looks wrong: it is looked at more closely.
            self.engine = Engine(self.table, checked=True)
            count = self._counted(option, depth)
        return count

    def _counted(self, option: int, depth: int) -> int:
        engine = self.engine
        engine.start(self.seed, ask_always=True)
        first = engine.seat
        if not engine.choose(option):
            return int(depth == 1)
        if self.by == "decision":
            return engine.perft(depth - 1)
        return engine.perft_turns(depth if engine.seat == first else depth - 1)
