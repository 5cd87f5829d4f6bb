"""Blocks, steps, actions, triggers and loops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import assert_never

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import ActionInfo, StepInfo, TriggerInfo
from ruledsl.play.choosing import Choosing
from ruledsl.play.events import AnyEvent, Triggered
from ruledsl.play.running import GameEnded, LoopEnded, Run, StepEnded
from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import frame_size, row_of
from ruledsl.table.limits import MOST_TRIGGERS
from ruledsl.table.position import Position, SlotKey
from ruledsl.table.queries import Frame, as_set
from ruledsl.table.things import Thing, Value
from ruledsl.table.work import weight


class Procedures(Choosing):
    """Everything with a body."""

    # ------------------------------------------------------------ blocks

    def block(self, statements: core.Block, frame: Frame) -> Run:
        for statement in statements:
            match statement:
                case core.Let(local=local, value=node):
                    frame[local.number] = self.value(node, frame)
                case core.Assign(slot=slot, value=node):
                    self._assign(slot, self.value(node, frame), frame, statement)
                case core.Move() | core.MoveSome() | core.MoveAll() | core.Put():
                    self._move(statement, frame)
                case core.Shuffle(place=node):
                    place = self.thing(node, frame)
                    self.hands.shuffle(self.pos, place, statement.span, statement.trail)
                case core.Roll():
                    self._roll(statement, frame)
                case core.Tell():
                    self._tell(statement, frame)
                case core.Show():
                    self._show(statement, frame)
                case core.Record(history=name):
                    self._record(name)
                case core.Eliminate(player=node):
                    self._eliminate(self.thing(node, frame), statement)
                case core.Win(word=word, players=node):
                    named = as_set(self.value(node, frame))
                    players = tuple(who for who in named if isinstance(who, Thing))
                    how = "draw" if word == "win" and not players else word
                    raise GameEnded(how, players, statement.span)
                case core.End(target=target):
                    _end(target, statement.span)
                case core.Skip():
                    pass
                case core.Require(condition=node, message=message):
                    if not self.value(node, frame):
                        raise RulesError(mishaps.not_met(message.text), statement.span)
                case core.Call(step=step, arguments=nodes, depth=depth):
                    arguments = tuple(self.value(node, frame) for node in nodes)
                    self.frames.append((frame, depth))
                    self.calls.append(statement)
                    try:
                        yield from self.run_step(step, arguments)
                    finally:
                        self.frames.pop()
                        self.calls.pop()
                case core.If(branches=branches):
                    for branch in branches:
                        if branch.condition is None or self.value(branch.condition, frame):
                            yield from self.block(branch.body, frame)
                            break
                case core.For():
                    yield from self._for(statement, frame)
                case core.Together():
                    yield from self._act_together(statement, frame)
                case core.Repeat():
                    yield from self._repeat(statement, frame)
                case core.ChooseValue():
                    yield from self._choose_value(statement, frame)
                case core.ChooseAction():
                    yield from self._choose_action(statement, frame)
                case _:
                    assert_never(statement)

    # ------------------------------------------------------------ steps and actions

    def run_step(self, name: str, arguments: tuple[Value, ...]) -> Run:
        info = self.game.steps[name]
        self._check_arguments(info, arguments)
        body = self._step_body(info, arguments)
        self.table.evaluator.spend(self._cost(body), info.span)
        for key in self._resets.get(name, ()):
            self._reset(key, info.span)
        frame: Frame = [*arguments] + [None] * (self._size(body) - len(arguments))
        try:
            yield from self.block(body, frame)
        except StepEnded as ended:
            if ended.target != name:
                raise
        yield from self.checkpoint(name)

    def _check_arguments(self, info: StepInfo, arguments: tuple[Value, ...]) -> None:
        """Numbers passed to a step lie in the ranges of its parameters."""
        for param, value in zip(info.params, arguments, strict=True):
            if param.bounds is None or not isinstance(value, int):
                continue
            low = self.table.number(param.bounds.low)
            high = self.table.number(param.bounds.high)
            if not low <= value <= high:
                name = param.local.name
                raise RulesError(
                    mishaps.outside(f"`{name}` of `{info.name}`", low, high, value), info.span
                )

    def _step_body(self, info: StepInfo, arguments: tuple[Value, ...]) -> core.Block:
        if info.rows:
            row = row_of(arguments[0])
            for each in info.rows:
                if each.row == row:
                    return each.body
        if info.body is None:
            raise RulesError(mishaps.nothing_said(info.name, arguments[0]), info.span)
        return info.body

    def _size(self, body: core.Block) -> int:
        key = id(body)
        if key not in self.prepared.sizes:
            self.prepared.sizes[key] = frame_size(*body) + 8
        return self.prepared.sizes[key]

    def _cost(self, block: core.Block) -> int:
        key = id(block)
        if key not in self.prepared.costs:
            self.prepared.costs[key] = weight(block)
        return self.prepared.costs[key]

    def _reset(self, key: str, span: Span) -> None:
        state = self.game.states[key]
        owners = (None,) if state.owner is None else self.table.things(state.owner)
        for owner in owners:
            slot = self.table.slots[(key, owner)]
            value = self.table.start_value(slot)
            if self.pos.slots[(key, owner)] != value:
                self.hands.assign(self.pos, key, owner, value, span)
            self.hands.fixed.add((key, owner))

    def run_action(
        self, info: ActionInfo, seat: Thing, values: tuple[Value, ...], around: Frame | None
    ) -> Run:
        judged = self.legality.judged(info.key)
        frame = self.legality.frame_for(judged, around)
        for number, value in zip(judged.numbers, values, strict=True):
            frame[number] = value
        self.table.evaluator.spend(self._cost(info.body), info.span)
        before = self.pos.chooser
        self._choosing(seat)
        for checks in judged.checks:
            for check in checks:
                check(self.pos, frame)
        for key in self._resets.get(info.key, ()):
            self._reset(key, info.span)
        try:
            yield from self.block(info.body, frame)
        except StepEnded as ended:
            if ended.target != info.name:
                raise
        finally:
            self._choosing(before)
        yield from self.checkpoint(info.name)

    # ------------------------------------------------------------ triggers

    def checkpoint(self, name: str) -> Run:
        """Try all triggers until none holds; the first that holds runs, then from the top."""
        if not self.checkpoints_on or self._in_trigger:
            return
        done: set[tuple[str, tuple[Value, ...]]] = set()
        for _ in range(MOST_TRIGGERS):
            found = self._holding(name, done)
            if found is None:
                return
            trigger, values = found
            done.add((trigger.name, values))
            yield from self._fire(trigger, values)
        raise RulesError(mishaps.firing_without_end(trigger.name), trigger.span)

    def _holding(
        self, name: str, done: set[tuple[str, tuple[Value, ...]]]
    ) -> tuple[TriggerInfo, tuple[Value, ...]] | None:
        for trigger in self.game.triggers.values():
            if trigger.after and name not in trigger.after:
                continue
            for values in self._trigger_draws(trigger):
                if trigger.when is not None or (trigger.name, values) not in done:
                    return trigger, values
        return None

    def _trigger_draws(self, trigger: TriggerInfo) -> Iterator[tuple[Value, ...]]:
        frame = self._trigger_frame(trigger)
        if not trigger.picks:
            if trigger.when is None or self.value(trigger.when, frame):
                yield ()
            return
        key = id(trigger)
        if key not in self.prepared.trigger_queries:
            self.prepared.trigger_queries[key] = self.table.evaluator.drawn(
                trigger.picks, trigger.when
            )
        yield from self.prepared.trigger_queries[key](self.pos, frame)

    def _trigger_frame(self, trigger: TriggerInfo) -> Frame:
        key = id(trigger)
        if key not in self.prepared.sizes:
            parts = [draw.domain for draw in trigger.picks]
            if trigger.when is not None:
                parts.append(trigger.when)
            self.prepared.sizes[key] = frame_size(*parts, *trigger.body) + len(trigger.picks) + 8
        return [None] * self.prepared.sizes[key]

    def _fire(self, trigger: TriggerInfo, values: tuple[Value, ...]) -> Run:
        frame = self._trigger_frame(trigger)
        for draw, value in zip(trigger.picks, values, strict=True):
            frame[draw.local.number] = value
        self.hands.record(Triggered(trigger.name, values, span=trigger.span, trail=trigger.trail))
        self.table.evaluator.spend(self._cost(trigger.body), trigger.span)
        self._in_trigger = True
        try:
            yield from self.block(trigger.body, frame)
        finally:
            self._in_trigger = False
        if trigger.when is not None and values in list(self._trigger_draws(trigger)):
            shown = ", ".join(str(value) for value in values)
            raise RulesError(mishaps.still_holding(trigger.name, shown), trigger.span)

    # ------------------------------------------------------------ loops

    def _for(self, statement: core.For, frame: Frame) -> Run:
        key = id(statement)
        if key not in self.prepared.loops:
            evaluator = self.table.evaluator
            self.prepared.loops[key] = (
                evaluator.drawn(statement.draws, statement.where),
                evaluator.ordered(statement.draws, statement.order),
            )
        draws, arrange = self.prepared.loops[key]
        found = arrange(self.pos, frame, draws(self.pos, frame))
        numbers = [draw.local.number for draw in statement.draws]
        cost = self._cost(statement.body)
        for values in found:
            self.table.evaluator.spend(cost, statement.span)
            for number, value in zip(numbers, values, strict=True):
                frame[number] = value
            try:
                yield from self.block(statement.body, frame)
            except LoopEnded:
                break

    def _repeat(self, statement: core.Repeat, frame: Frame) -> Run:
        times = None if statement.times is None else self.number(statement.times, frame)
        cost = self._cost(statement.body)
        passes = 0
        same = 0
        while times is None or passes < times:
            if statement.running is not None and not self.value(statement.running, frame):
                return
            asked = self._asked
            before = self.fingerprint()
            self.table.evaluator.spend(cost, statement.span)
            try:
                yield from self.block(statement.body, frame)
            except LoopEnded:
                return
            passes += 1
            if asked == self._asked and before == self.fingerprint():
                same += 1
                if same == 2 and times is None:
                    raise RulesError(mishaps.SAME_AGAIN, statement.span)
            else:
                same = 0

    def _act_together(self, statement: core.Together, frame: Frame) -> Run:
        """Everybody acts on a copy of the same position; then all of it happens."""
        players = tuple(
            who for who in as_set(self.value(statement.domain, frame)) if isinstance(who, Thing)
        )
        self.settle()
        common = self.pos
        start = common.copy()
        known, narrowed = self.knowledge.known, self.knowledge.narrowed
        outer_events, outer_settled = self.hands.events, self._settled
        outer_together, outer_fixed = self._together, self.hands.fixed
        acts: list[tuple[Position, list[AnyEvent], set[SlotKey]]] = []
        outer_apart, outer_outside = self._apart, self._outside
        outside = self._perspective().kept
        self._outside = outer_outside or outside
        self._blocks += 1
        self._apart = dict.fromkeys(self.table.things("Player"), outside)
        try:
            for player in players:
                self.table.evaluator.spend(self._cost(statement.body), statement.span)
                self.pos = start.copy()
                self.hands.events = list(outer_events)
                self.hands.fixed = set()
                self.knowledge.restore(known, narrowed)
                self._settled = outer_settled
                self._together = players
                frame[statement.local.number] = player
                self._acting = player
                with suppress(LoopEnded):
                    yield from self.block(statement.body, frame)
                done = self.hands.events[len(outer_events) :]
                acts.append((self.pos, done, self.hands.fixed))
                self._apart = {**self._apart, player: self._perspective().kept}
        finally:
            self.pos = common
            self.hands.events = outer_events
            self._settled = outer_settled
            self.knowledge.restore(known, narrowed)
            self._together, self.hands.fixed = outer_together, outer_fixed
            self._apart, self._outside = outer_apart, outer_outside
        for after, events, fixed in acts:
            for event in events:
                self.hands.record(event)
            self._merge(start, after, fixed, statement.span)
        # What is turned up at once may still be told as what was chosen.
        self.settle(seal=False)

    def _merge(self, start: Position, after: Position, fixed: set[SlotKey], span: Span) -> None:
        """Bring into the position what one of several players changed.

        What was only added to a number is added to what the others made of it; `fixed` slots were
        set.
        """
        pos = self.pos
        moved = [p for p, place in after.place_of.items() if place is not start.place_of[p]]
        by_target: dict[Thing, list[Thing]] = {}
        for piece in moved:
            by_target.setdefault(after.place_of[piece], []).append(piece)
        quiet, self.hands.quiet = self.hands.quiet, True
        for target, pieces in by_target.items():
            ordered = tuple(p for p in after.contents[target] if p in set(pieces))
            self._know_moves(pos, ordered, target)
            self.hands.move(pos, ordered, target, span=self.game.kinds[target.kind].span)
        for key, value in after.slots.items():
            before = start.slots[key]
            if value == before:
                continue
            if key in fixed:
                pos.slots[key] = value
                self.hands.fixed.add(key)
            else:
                now = pos.slots[key]
                assert isinstance(value, int) and isinstance(before, int) and isinstance(now, int)
                self.hands.assign(pos, *key, now + value - before, span, adds=True)
        self._merge_players(start, after)
        self.hands.quiet = quiet
        pos.changed()

    def _merge_players(self, start: Position, after: Position) -> None:
        """Who left, who still plays, and whose turn it is."""
        pos = self.pos
        left = after.out[len(start.out) :]
        if after.playing == tuple(player for player in start.playing if player not in left):
            pos.playing = tuple(player for player in pos.playing if player not in left)
        else:
            pos.playing = after.playing
        pos.out = (*pos.out, *(player for player in left if player not in pos.out))
        if after.active is not start.active:
            pos.active = after.active

    def _know_moves(self, pos: Position, pieces: tuple[Thing, ...], target: Thing) -> None:
        for piece in pieces:
            source, event = pos.place_of[piece], len(self.hands.events)
            self.knowledge.moving(pos, (piece,), source, target, event)


def _end(target: str, span: Span) -> None:
    match target:
        case "game":
            raise GameEnded("end", span=span)
        case "loop":
            raise LoopEnded
        case _:
            raise StepEnded(target)
