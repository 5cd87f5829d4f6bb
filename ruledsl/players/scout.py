"""Trying out options on positions that are not the real one.

The interpreter stops in the middle of rules and can't be copied, but where it stopped is known: the
calls that are running, and the statement that asks. A scout goes on from there by itself, as far as
what comes next is certain: up to the next decision, anything that another seat may choose, or the
end of a pass of a counted loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, TypeVar

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.decisions import ActionOption, Decision, DoneOption, Option, ValueOption
from ruledsl.play.events import Ended
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.ranking import How, Result, result_of, scores_of
from ruledsl.play.running import GameEnded, LoopEnded, Run, StepEnded
from ruledsl.players.aims import Aim, Reached
from ruledsl.players.player import Standing
from ruledsl.players.sampler import Sample
from ruledsl.table.errors import RulesError
from ruledsl.table.queries import Frame
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value, in_order


@attrs.frozen
class Body:
    """The whole of a step, an action or a trigger."""

    name: str
    sort: Literal["step", "action", "trigger"]


@attrs.frozen
class Spot:
    """Where a statement stands: at a number of a block, in another statement, in a body."""

    block: core.Block
    at: int
    around: core.Statement | None
    """the statement whose block it is; None at the top of a body"""
    body: Body


Spots = Mapping[int, Spot]


@attrs.frozen
class Stop:
    """A decision, and the calls around it with their frames, the innermost last."""

    decision: Decision
    calls: tuple[tuple[core.Call | core.ChooseAction, Frame], ...]


T = TypeVar("T")


class _Unclear(Exception):
    """What comes next depends on more than the position."""


class Scout(Interpreter):
    """Goes on from positions it is given; nothing really happens."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, Dice(Generator(0)))
        self.hands.quiet = True
        self._chances = _Counted(Generator(0))
        self.chance = self.hands.chance = self._chances
        self._looking: Thing | None = None
        """whose option is tried out"""
        self._over = False
        """whether the game ended there"""
        self._spots: Spots = table.kept.setdefault("spots", spots_of(table.game))

    def after(
        self, sample: Sample, stop: Stop, number: int, seed: int, aim: Aim | None = None
    ) -> tuple[Standing | None, bool]:
        """How the seat stands after an option, and whether chance had no part in it."""
        moved = self._begin(sample, stop, seed)
        seat = moved.decision.seat
        try:
            result = self._result(self._go_on(moved, moved.decision.options[number]))
            standing = self._judged(seat, result)
            if aim is not None:
                reached = Reached(self.table, self.pos, result, self._over)
                standing = Standing(aim.worth(reached, seat), ())
        except (RulesError, KeyError, TypeError, ValueError):
            # Rules for the end may ask for what there is only then.
            standing = None
        return standing, not self._chances.drawn

    def tried(self, sample: Sample, stop: Stop, number: int, seed: int) -> bool:
        """Try out an option, and note what happens; whether chance had no part in it."""
        moved = self._begin(sample, stop, seed)
        self.hands.events, self._settled = [], 0
        self.hands.quiet = False
        run = self._go_on(moved, moved.decision.options[number])
        try:
            result = self._result(run)
            if self._over:
                self.hands.record(Ended(result.how, result.won))
            self.settle()
        except (RulesError, KeyError, TypeError, ValueError):
            return False
        finally:
            self.hands.quiet = True
        return not self._chances.drawn

    def _begin(self, sample: Sample, stop: Stop, seed: int) -> Stop:
        """Stand where a sample stops."""
        self._chances.generator.state = seed
        self._chances.drawn = False
        moved = _moved(stop, sample)
        self.pos = sample.pos.copy()
        self.knowledge.restore(sample.known, sample.narrowed)
        self.frames = [(frame, call.depth) for call, frame in moved.calls]
        self.calls = [call for call, _ in moved.calls]
        self.decisions = 0
        self.table.evaluator.refuel()
        self.checkpoints_on = True
        self._looking = moved.decision.seat
        return moved

    def _result(self, run: Run) -> Result:
        """The result if the game ended where a run stops, or as it ends there."""
        how: How = "end"
        named: tuple[Thing, ...] = ()
        self._over = False
        try:
            next(run, None)
        except GameEnded as ended:
            how, named = ended.how, ended.named
            self._over = True
        except (StepEnded, LoopEnded, _Unclear):
            pass
        finally:
            run.close()
        self.pos.chooser = None
        self.pos.changed()
        return result_of(self.table, self.pos, how, named)

    def _judged(self, seat: Thing, result: Result) -> Standing:
        ranking = self.table.game.ranking
        scores = scores_of(self.table, self.pos)
        leads = [0] * (0 if ranking is None else len(ranking.keys))
        if seat in scores:
            columns = zip(*scores.values(), strict=True)
            for at, (own, column) in enumerate(zip(scores[seat], columns, strict=True)):
                leads[at] = sum(column) - own * len(column)  # Less is better.
        if ranking is not None and ranking.payoff is not None:
            return Standing(result.payoffs[seat], tuple(leads))
        return Standing(result.ahead(seat), tuple(leads))

    # ------------------------------------------------------------ going on

    def _go_on(self, stop: Stop, option: Option) -> Run:
        """Take an option, then finish whatever is running, from the inside out."""
        statement, frame = stop.decision.statement, stop.decision.frame
        inside = self._spot(statement).body
        self._in_trigger = any(
            self._spot(each).body.sort == "trigger" for each in (statement, *self.calls)
        )
        ended: StepEnded | LoopEnded | None = None
        """what is being ended from inside"""
        broken = False
        try:
            try:
                yield from self._take(stop.decision, option)
            except LoopEnded:
                broken = True
            yield from self._rest(statement, frame, broken=broken)
        except (StepEnded, LoopEnded) as end:
            ended = end
        while True:
            try:
                name = self._leave(inside)
                if isinstance(ended, StepEnded) and ended.target == name:
                    ended = None
                if ended is None:
                    yield from self.checkpoint(name)
                if not self.calls:
                    return
                call, (frame, _) = self.calls.pop(), self.frames.pop()
                inside = self._spot(call).body
                if not isinstance(ended, StepEnded):
                    broken, ended = ended is not None, None
                    yield from self._rest(call, frame, broken=broken)
            except (StepEnded, LoopEnded) as end:
                ended = end

    def _take(self, decision: Decision, option: Option) -> Run:
        """Carry out an option; a choice of several ends with it."""
        statement, seat, frame = decision.statement, decision.seat, decision.frame
        if isinstance(statement, core.ChooseAction):
            assert isinstance(option, ActionOption)
            yield from self.take_action(statement, seat, option, frame)
            return
        chosen: Value
        if decision.several:
            added = (option.value,) if isinstance(option, ValueOption) else ()
            taken = self._truly([*decision.picked, *added], [*decision.classes])
            chosen = in_order(set(taken))
        else:
            assert isinstance(option, ValueOption)
            chosen = self._one_of(option.members)
        self.take_value(statement, seat, chosen, frame)

    def _choose_value(self, statement: core.ChooseValue, frame: Frame) -> Run:
        self._mine(statement, frame)
        return super()._choose_value(statement, frame)

    def _choose_action(self, statement: core.ChooseAction, frame: Frame) -> Run:
        self._mine(statement, frame)
        return super()._choose_action(statement, frame)

    def _mine(self, statement: core.ChooseValue | core.ChooseAction, frame: Frame) -> None:
        """Only the seat's own choices are worth working out: a single option is no decision."""
        if self._seat(statement.by, frame, statement.span) is not self._looking:
            raise _Unclear

    def _rest(self, statement: core.Statement, frame: Frame, *, broken: bool = False) -> Run:
        """What stands behind a statement, up to the end of its body.

        `broken`: the statement has ended the loop around it, perhaps beyond this body.
        """
        while True:
            spot = self._spot(statement)
            if not broken:
                try:
                    yield from self.block(spot.block[spot.at + 1 :], frame)
                except LoopEnded:
                    broken = True
            match spot.around:
                case None:
                    if broken:
                        raise LoopEnded
                    return
                case core.For() | core.Repeat() if broken:
                    broken = False
                case core.Repeat(times=None) as loop:
                    yield from self._repeat(loop, frame)
                case core.For() | core.Repeat() | core.Together():
                    # How many passes are left, and what others chose, is not known here.
                    raise _Unclear
                case _:
                    pass
            statement = spot.around

    def _leave(self, body: Body) -> str:
        """Nobody acts any more; returns after which step or action triggers are tried."""
        match body.sort:
            case "action":
                if not any(self._spot(call).body.sort == "action" for call in self.calls[:-1]):
                    self._choosing(None)
            case "trigger":
                self._in_trigger = False
                return _called(self.calls)
            case "step":
                pass
        return body.name

    def _spot(self, statement: core.Statement) -> Spot:
        spot = self._spots.get(id(statement))
        if spot is None:
            raise _Unclear
        return spot


def _called(calls: Sequence[core.Call | core.ChooseAction]) -> str:
    """What was called last, as far as the call tells."""
    match calls[-1] if calls else None:
        case core.Call(step=step):
            return step
        case core.ChooseAction(offers=(offer,)):
            return offer.action
        case _:
            raise _Unclear


# ---------------------------------------------------------------- where statements stand


def spots_of(game: CheckedGame) -> Spots:
    """The spot of each statement; one that stands at several has none."""
    spots: dict[int, Spot] = {}
    twice: set[int] = set()

    def note(block: core.Block, around: core.Statement | None, body: Body) -> None:
        for at, statement in enumerate(block):
            if id(statement) in spots:
                twice.add(id(statement))
            spots[id(statement)] = Spot(block, at, around, body)
            for inner in _blocks(statement):
                note(inner, statement, body)

    for step in game.steps.values():
        for block in (step.body or (), *(row.body for row in step.rows)):
            note(block, None, Body(step.name, "step"))
    for action in game.actions.values():
        note(action.body, None, Body(action.name, "action"))
    for trigger in game.triggers.values():
        note(trigger.body, None, Body(trigger.name, "trigger"))
    return {key: spot for key, spot in spots.items() if key not in twice}


def _blocks(statement: core.Statement) -> Iterator[core.Block]:
    match statement:
        case core.If(branches=branches):
            yield from (branch.body for branch in branches)
        case core.For(body=body) | core.Repeat(body=body) | core.Together(body=body):
            yield body
        case core.ChooseValue(otherwise=block) | core.ChooseAction(otherwise=block):
            yield block or ()
        case _:
            pass


# ---------------------------------------------------------------- in a sample


def _moved(stop: Stop, sample: Sample) -> Stop:
    """The stop as it would be in a sample; frames are copied, and shared as before."""
    frames = {
        id(frame): [sample.renamed(value) for value in frame]
        for frame in (stop.decision.frame, *(frame for _, frame in stop.calls))
    }
    calls = tuple((call, frames[id(frame)]) for call, frame in stop.calls)
    decision = attrs.evolve(stop.decision, frame=frames[id(stop.decision.frame)])
    if sample.roles:
        decision = attrs.evolve(
            decision,
            options=tuple(_option(option, sample) for option in decision.options),
            picked=tuple(sample.renamed(value) for value in decision.picked),
            classes=tuple(_members(group, sample) for group in decision.classes),
        )
    return Stop(decision, calls)


def _option(option: Option, sample: Sample) -> Option:
    match option:
        case ActionOption(key=key, name=name, members=members):
            moved = [tuple(sample.renamed(value) for value in each) for each in members]
            moved.sort(key=_order)
            return ActionOption(key, name, moved[0], tuple(moved))
        case ValueOption(members=values):
            alike = _members(values, sample)
            return ValueOption(alike[0], alike)
        case DoneOption():
            return option


def _members(values: tuple[Value, ...], sample: Sample) -> tuple[Value, ...]:
    return tuple(sorted((sample.renamed(value) for value in values), key=_order))


def _order(value: Value) -> tuple[int, object]:
    """An order for any values; members of an option are alike in kind."""
    match value:
        case None:
            return 0, 0
        case Thing(order=order):
            return 1, order
        case tuple():
            return 2, [_order(item) for item in value]
        case _:
            return 3, value


@attrs.define
class _Counted(Dice):
    """Notices whether anything was left to chance."""

    drawn: bool = False

    def roll(self, outcomes: tuple[Value, ...], span: Span) -> Value:
        self.drawn = True
        return super().roll(outcomes, span)

    def shuffled(self, pieces: tuple[Thing, ...]) -> tuple[Thing, ...]:
        self.drawn = True
        return super().shuffled(pieces)

    def one_of(self, items: tuple[T, ...]) -> T:
        self.drawn = True
        return super().one_of(items)
