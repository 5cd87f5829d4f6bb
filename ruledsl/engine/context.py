"""What all parts of the compiler share: the table, its layout, the program, what can go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Program,
    Width,
    Writer,
    load,
    no,
    op,
    sub,
    within,
)
from ruledsl.engine.counters import Counters
from ruledsl.engine.memory.control import ACTIVE, CHOOSER, PASSES, SUSPECT, WORK
from ruledsl.engine.memory.layout import Layout
from ruledsl.engine.somebody_active import somebody_is_active
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk
from ruledsl.table import mishaps
from ruledsl.table.mishaps import Mishap
from ruledsl.table.ranges import Ranges
from ruledsl.table.table import Table
from ruledsl.table.work import weight

DONE, STOPPED, OVER, SIGNAL = 0, 1, 2, 3
"""What a procedure gives back: it is done, somebody has to decide, the game is over; and from
`SIGNAL` on a number for each step or action that `end` ends from inside another."""


@attrs.frozen
class Failure:
    """What can go wrong, and the place in the rules."""

    mishap: Mishap
    span: object


@attrs.define(eq=False)
class Context:
    """A program in the making, and facts about the rules it is made from."""

    table: Table = attrs.field(on_setattr=attrs.setters.frozen)
    layout: Layout = attrs.field(on_setattr=attrs.setters.frozen)
    program: Program = attrs.field(on_setattr=attrs.setters.frozen)
    checked: bool = attrs.field(on_setattr=attrs.setters.frozen)
    """whether it stops where the rules go wrong"""
    lightly: bool = attrs.field(on_setattr=attrs.setters.frozen)
    """whether a check that would cost much only notes that something looks wrong"""
    players_leave: bool = attrs.field(on_setattr=attrs.setters.frozen)
    """whether anybody may leave the game"""
    counters: Counters | None = attrs.field(on_setattr=attrs.setters.frozen)
    """what is counted in games, if anything is"""
    from_the_start: bool = attrs.field(default=True, on_setattr=attrs.setters.frozen)
    """whether all that is carried out follows from set-up; tests begin anywhere"""
    ranges: Ranges = attrs.field(init=False, on_setattr=attrs.setters.frozen)
    """which numbers are too large"""
    failures: list[Failure] = attrs.field(factory=list, init=False)
    """by the number of their sites, from 1 on"""
    _chooser_set: bool = attrs.field(default=False, init=False)
    """whether the code being written only runs while somebody has chosen"""

    @ranges.default
    def _ranges(self) -> Ranges:
        return Ranges(self.table)

    @property
    def game(self) -> CheckedGame:
        return self.table.game

    def function(
        self, name: str, *params: str, result: bool = True, exported: bool = False
    ) -> Writer:
        """Begin a function of 32-bit numbers."""
        widths: list[tuple[str, Width]] = [(param, "i32") for param in params]
        function = Function(name, widths, "i32" if result else None, exported=exported)
        return Writer(self.program.add(function))

    def must_be(self, w: Writer, thing: Code, first: int, count: int, span: object) -> None:
        """Stop where what is written would belong to no thing, or to another one.

        This is looked after without checks, too: memory has to stay in order.
        """
        if isinstance(thing, int) and first <= thing < first + count:
            return
        with w.when(no(within(thing, first, count))):
            self.fail(w, mishaps.NO_THING, span)

    def fail(self, w: Writer, mishap: Mishap, span: object) -> None:
        """Stop with an error."""
        self.failures.append(Failure(mishap, span))
        w.emit("do", ("call", "fail", len(self.failures)))
        w.emit("trap")

    def suspect(self, w: Writer, mishap: Mishap, span: object) -> None:
        """Stop with an error, or note that something looks wrong and go on."""
        if self.lightly:
            w.store(SUSPECT, 1)
        else:
            self.fail(w, mishap, span)

    # ------------------------------------------------------------ work

    def spend(self, w: Writer, block: core.Block, span: object) -> None:
        """A block is carried out: rules that go on and on are stopped."""
        left = w.once(sub(load(WORK), weight(block)))
        w.store(WORK, left)
        with w.when(op("i32.lt_s", left, 0)):
            self.fail(w, mishaps.TOO_LONG, span)

    def burn(self, w: Writer, span: object, passes: Code = 1) -> None:
        """A pass of something long, or of what may be part of something long.

        The interpreter counts passes too, but others: it goes through what words answer here.
        """
        left = w.once(sub(load(PASSES), passes))
        w.store(PASSES, left)
        with w.when(op("i32.lt_s", left, 0)):
            self.fail(w, mishaps.TOO_SLOW, span)

    def refuel(self, w: Writer) -> None:
        """Somebody decides: what follows has time of its own."""
        w.store(WORK, self.table.game.allowance.statements)
        w.store(PASSES, self.table.game.allowance.queries)

    # ------------------------------------------------------------ who chooses

    @contextmanager
    def chosen(self, there: bool) -> Iterator[None]:
        """Whether what is written inside only runs while somebody has chosen."""
        outer, self._chooser_set = self._chooser_set, there
        try:
            yield
        finally:
            self._chooser_set = outer

    def you(self, w: Writer) -> Code:
        """Who chooses, or else whose turn it is."""
        if self._chooser_set:
            return load(CHOOSER)
        return w.once(("select", load(ACTIVE), load(CHOOSER), op("i32.lt_s", load(CHOOSER), 0)))

    @cached_property
    def looks_for_someone(self) -> bool:
        """Whether it is looked after that somebody is there to choose."""
        if not self.checked or _begins_a_turn(self.game):
            return False
        return not (self.from_the_start and somebody_is_active(self.game))

    def someone(self, w: Writer, player: Code, span: object) -> Code:
        """A player who must be there: before set-up says whose turn it is, nobody is."""
        if not self.looks_for_someone:
            return player
        player = w.once(player)
        with w.when(op("i32.lt_s", player, 0)):
            self.fail(w, mishaps.NOBODY_ACTIVE, span)
        return player


class Part:
    """A part of the compiler; what else it may touch, its constructor says."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.table = context.table
        self.game = context.game
        self.layout = context.layout


def _begins_a_turn(game: CheckedGame) -> bool:
    """Whether set-up surely sets `active`, and nothing before may or may not.

    What reads it where nothing can have set it is no clean file.
    """
    step = game.steps.get("setup")
    for statement in () if step is None or step.body is None else step.body:
        if isinstance(statement, core.Assign) and statement.slot.state == "active":
            return True
        for part in walk((statement,)):
            if isinstance(part, core.Call) or (
                isinstance(part, core.Slot) and part.state == "active"
            ):
                return False
    return False


def lets_players_leave(block: core.Block) -> bool:
    return any(
        isinstance(part, core.Eliminate)
        or (isinstance(part, core.Slot) and part.state == "playing")
        for part in walk(block)
    )
