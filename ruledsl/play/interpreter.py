"""The reference interpreter: the meaning of the language, in executable form.

The rules run as a generator that stops at every decision and goes on with the option chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias, assert_never

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import ActionInfo, StepInfo, TriggerInfo
from ruledsl.model.walk import walk
from ruledsl.play.chance import Chance
from ruledsl.play.changes import Hands
from ruledsl.play.decisions import ActionOption, Decision, DoneOption, Option, ValueOption
from ruledsl.play.events import (
    AnyEvent,
    Chosen,
    Eliminated,
    Ended,
    Rolled,
    Shown,
    Triggered,
    pieces_of,
)
from ruledsl.play.knowledge import Knowledge, look
from ruledsl.play.legality import Legality
from ruledsl.play.ranking import Result, result_of
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import Evaluate, Frame, as_set, frame_size, row_of
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value, in_order

Run: TypeAlias = Generator[Decision, Option, None]
Draws: TypeAlias = Callable[[Position, Frame], list[tuple[Value, ...]]]
Arrange: TypeAlias = Callable[[Position, Frame, list[tuple[Value, ...]]], list[tuple[Value, ...]]]

MOST_TRIGGERS = 1_000
"""Triggers that may fire at one checkpoint."""


class StepEnded(Exception):
    """`end step`: unwinds to the running step or action of this name."""

    def __init__(self, target: str) -> None:
        super().__init__(target)
        self.target = target


class LoopEnded(Exception):
    """`end loop`"""


class GameEnded(Exception):
    """`end game`, `win`, or the limit."""

    def __init__(self, how: str, winners: tuple[Thing, ...] = ()) -> None:
        super().__init__(how)
        self.how = how
        self.winners = winners


@attrs.frozen
class Perspective:
    """A position, what is known in it, and what happened on the way."""

    pos: Position
    known: frozenset[tuple[Thing, Thing]]
    events: tuple[AnyEvent, ...]


class Interpreter:
    """Runs the rules on a table.

    `pos` is the position; within `together` each player acts on a copy of it, so that nobody's
    choice shows before all have chosen.
    """

    def __init__(self, table: Table, chance: Chance) -> None:
        self.table = table
        self.game = table.game
        self.chance = chance
        self.knowledge = Knowledge(table)
        self.hands = Hands(table, chance, self.knowledge)
        self.legality = Legality(table, self.knowledge)
        self.pos: Position = table.start()
        self.result: Result | None = None
        self.decisions = 0
        self.ask_always = False
        """whether a choice with a single option is asked too: for counting moves"""
        self.on_forced: Callable[[Decision], None] | None = None
        """told of every choice that is taken without asking"""
        self.frames: list[tuple[Frame, int]] = []
        """frames of running procedures, with the number of locals in scope"""
        self.checkpoints_on = False
        """triggers sleep during set-up, in looking ahead, and while a test is prepared"""
        self._in_trigger = False
        self._asked = 0
        self._secret = False
        self._together: tuple[Thing, ...] = ()
        self._acting: Thing | None = None
        self._apart: dict[Thing, Perspective] = {}
        self._settled = 0
        self._resets: dict[str, list[str]] = {}
        for key, state in self.game.states.items():
            if state.each is not None:
                self._resets.setdefault(state.each, []).append(key)
        self._sizes: dict[int, int] = {}
        self._trigger_queries: dict[int, Draws] = {}
        self._loops: dict[int, tuple[Draws, Arrange]] = {}
        self.put_pieces: set[Thing] = set()
        """what a test has put somewhere"""
        self._starts: dict[Thing, Thing] = {}
        table.evaluator.would = self._would
        table.evaluator.can = self._can
        table.evaluator.knows = self.knowledge.knows

    # ------------------------------------------------------------ the whole game

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

    def perspective(self, viewer: Thing) -> Perspective:
        """What a viewer's sight is based on: while all choose together, not what others did."""
        if viewer in self._apart and viewer is not self._acting:
            return self._apart[viewer]
        return Perspective(self.pos, self.knowledge.known, tuple(self.hands.events))

    def settle(self) -> None:
        """A stop: what lies open is seen, and the events since the last one are sealed."""
        self.knowledge.at_stop(self.pos)
        known = self.knowledge.known
        events = self.hands.events
        for at in range(self._settled, len(events)):
            event = events[at]
            pieces = pieces_of(event)
            if pieces:
                seen = event.seen | {pair for pair in known if pair[1] in pieces}
                events[at] = attrs.evolve(event, seen=frozenset(seen))
        self._settled = len(events)

    # ------------------------------------------------------------ procedures

    def run_step(self, name: str, arguments: tuple[Value, ...]) -> Run:
        info = self.game.steps[name]
        body = self._step_body(info, arguments)
        for key in self._resets.get(name, ()):
            self._reset(key, info.span)
        frame: Frame = [*arguments] + [None] * (self._size(body) - len(arguments))
        try:
            yield from self.block(body, frame)
        except StepEnded as ended:
            if ended.target != name:
                raise
        yield from self.checkpoint(name)

    def _step_body(self, info: StepInfo, arguments: tuple[Value, ...]) -> core.Block:
        if info.rows:
            row = row_of(arguments[0])
            for each in info.rows:
                if each.row == row:
                    return each.body
        if info.body is None:
            raise RulesError("body", f"{info.name} says nothing about {arguments[0]}", info.span)
        return info.body

    def _size(self, body: core.Block) -> int:
        key = id(body)
        if key not in self._sizes:
            self._sizes[key] = frame_size(*body) + 8
        return self._sizes[key]

    def _reset(self, key: str, span: Span) -> None:
        state = self.game.states[key]
        owners = (None,) if state.owner is None else self.table.things(state.owner)
        for owner in owners:
            slot = self.table.slots[(key, owner)]
            value = self.table.start_value(slot)
            if self.pos.slots[(key, owner)] != value:
                self.hands.assign(self.pos, key, owner, value, span)

    def run_action(
        self, info: ActionInfo, seat: Thing, values: tuple[Value, ...], around: Frame | None
    ) -> Run:
        judged = self.legality.judged(info.key)
        frame = self.legality.frame_for(judged, around)
        for number, value in zip(judged.numbers, values, strict=True):
            frame[number] = value
        before = self.pos.chooser
        self._choosing(seat)
        for checks in judged.checks:
            for check in checks:
                check(self.pos, frame)
        try:
            yield from self.block(info.body, frame)
        except StepEnded as ended:
            if ended.target != info.name:
                raise
        finally:
            self._choosing(before)
        yield from self.checkpoint(info.name)

    def _choosing(self, seat: Thing | None) -> None:
        self.pos.chooser = seat
        self.pos.changed()

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
        raise RulesError("endless", f"triggers fire without end after {name}", trigger.span)

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
        if key not in self._trigger_queries:
            self._trigger_queries[key] = self.table.evaluator.drawn(trigger.picks, trigger.when)
        yield from self._trigger_queries[key](self.pos, frame)

    def _trigger_frame(self, trigger: TriggerInfo) -> Frame:
        parts = [draw.domain for draw in trigger.picks]
        if trigger.when is not None:
            parts.append(trigger.when)
        return [None] * (frame_size(*parts, *trigger.body) + len(trigger.picks) + 8)

    def _fire(self, trigger: TriggerInfo, values: tuple[Value, ...]) -> Run:
        frame = self._trigger_frame(trigger)
        for draw, value in zip(trigger.picks, values, strict=True):
            frame[draw.local.number] = value
        self.hands.record(Triggered(trigger.name, values, span=trigger.span, trail=trigger.trail))
        self._in_trigger = True
        try:
            yield from self.block(trigger.body, frame)
        finally:
            self._in_trigger = False
        if trigger.when is not None and values in list(self._trigger_draws(trigger)):
            shown = ", ".join(str(value) for value in values)
            raise RulesError(
                "endless",
                f"the trigger {trigger.name}({shown}) leaves its own condition true",
                trigger.span,
            )

    # ------------------------------------------------------------ statements

    def value(self, node: core.Expr, frame: Frame) -> Value:
        return self.legality.compiled(node)(self.pos, frame)

    def number(self, node: core.Expr, frame: Frame) -> int:
        value = self.value(node, frame)
        if not isinstance(value, int):
            raise RulesError("none", "a number is wanted, but there is none", node.span)
        return value

    def thing(self, node: core.Expr, frame: Frame) -> Thing:
        value = self.value(node, frame)
        if not isinstance(value, Thing):
            raise RulesError("none", "there is none", node.span)
        return value

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
                case core.Show():
                    self._show(statement, frame)
                case core.Record(history=name):
                    self._record(name)
                case core.Eliminate(player=node):
                    self._eliminate(self.thing(node, frame), statement)
                case core.Win(players=node):
                    winners = as_set(self.value(node, frame))
                    raise GameEnded("win", tuple(who for who in winners if isinstance(who, Thing)))
                case core.End(target=target):
                    _end(target)
                case core.Skip():
                    pass
                case core.Require(condition=node, message=message):
                    if not self.value(node, frame):
                        raise RulesError("require", message, statement.span)
                case core.Call(step=step, arguments=nodes, depth=depth):
                    arguments = tuple(self.value(node, frame) for node in nodes)
                    self.frames.append((frame, depth))
                    try:
                        yield from self.run_step(step, arguments)
                    finally:
                        self.frames.pop()
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

    def _assign(self, slot: core.Slot, value: Value, frame: Frame, statement: core.Stmt) -> Value:
        owner = None
        if slot.subject is not None:
            owner = self.thing(slot.subject, frame)
        return self.hands.assign(
            self.pos, slot.state, owner, value, statement.span, statement.trail
        )

    def _move(
        self, statement: core.Move | core.MoveSome | core.MoveAll | core.Put, frame: Frame
    ) -> None:
        target = self.thing(statement.target, frame)
        span, trail = statement.span, statement.trail
        match statement:
            case core.Move(pieces=node, bottom=bottom):
                moved = self.value(node, frame)
                if moved is None:
                    raise RulesError("none", "there is nothing to move", node.span)
                pieces = moved if isinstance(moved, tuple) else (moved,)
                things = tuple(piece for piece in pieces if isinstance(piece, Thing))
                self.hands.move(self.pos, things, target, bottom=bottom, span=span, trail=trail)
            case core.MoveSome(amount=amount, source=node, bottom=bottom):
                source = self.value(node, frame)
                self.hands.deal(
                    self.pos,
                    self.number(amount, frame),
                    source,
                    target,
                    bottom=bottom,
                    span=span,
                    trail=trail,
                )
            case core.MoveAll(source=node, bottom=bottom):
                source = self.value(node, frame)
                held = self.pos.contents[source] if isinstance(source, Thing) else as_set(source)
                things = tuple(piece for piece in held if isinstance(piece, Thing))
                self.hands.move(self.pos, things, target, bottom=bottom, span=span, trail=trail)
            case core.Put(pieces=nodes):
                self._put(nodes, target, frame, span)
            case _:
                assert_never(statement)

    def _put(self, nodes: tuple[core.Expr, ...], target: Thing, frame: Frame, span: Span) -> None:
        """In a test: the place then holds just these pieces, listed lowest first.

        A face, or a piece that is one of several copies, stands for a copy not put before: one
        that lies there already, else one where it starts, else any. What lay there before changes
        places with a piece that started where it did, as cards of one deck do; what finds none
        goes back where it started.
        """
        wanted: list[Thing] = []
        for node in nodes:
            wanted.append(self._copy_to_put(node, target, wanted, frame))
        self.put_pieces.update(wanted)
        starts = self._start_places()
        place_of = self.pos.place_of
        vacated = [piece for piece in wanted if place_of[piece] is not target]
        displaced: dict[Thing, Thing] = {}
        for piece in self.pos.contents[target]:
            if piece not in wanted:
                home = starts[piece]
                room = self.table.rooms[home]
                full = room is not None and len(self.pos.contents[home]) >= room
                swaps = [p for p in vacated if starts[p] is home]
                if not swaps and (home is target or full):
                    swaps = vacated
                if swaps:
                    home = place_of[swaps[0]]
                    vacated.remove(swaps[0])
                displaced[piece] = home
        self.hands.exchange(self.pos, displaced, tuple(wanted), target, span)

    def _copy_to_put(
        self, node: core.Expr, target: Thing, taken: list[Thing], frame: Frame
    ) -> Thing:
        value = self.thing(node, frame)
        if isinstance(node, core.Face):
            copies = [p for p in self.table.things(node.kind) if p.face is value]
        elif isinstance(node, core.Indexed):
            copies = [p for p in self.table.things(value.kind) if look(p) == look(value)]
        else:
            copies = [value]
        free = [p for p in copies if p not in taken and p not in self.put_pieces]
        free = free or [p for p in copies if p not in taken]
        if not free:
            raise RulesError("put", f"there are not so many copies of {value}", node.span)
        starts = self._start_places()
        return min(
            free,
            key=lambda p: (
                self.pos.place_of[p] is not target,
                self.pos.place_of[p] is not starts[p],
            ),
        )

    def _start_places(self) -> dict[Thing, Thing]:
        if not self._starts:
            self._starts = self.table.start().place_of
        return self._starts

    def _roll(self, statement: core.Roll, frame: Frame) -> None:
        self._count()
        outcomes = as_set(self.value(statement.domain, frame))
        if not outcomes:
            raise RulesError("stuck", "there is nothing to roll", statement.span)
        self.settle()
        value = self.chance.roll(outcomes, statement.span)
        self._asked += 1
        everybody = frozenset(self.table.things("Player"))
        target = statement.target
        if isinstance(target, core.Local):
            frame[target.number] = value
            rolled = Rolled(
                None, None, value, everybody, span=statement.span, trail=statement.trail
            )
        else:
            owner = None if target.subject is None else self.thing(target.subject, frame)
            viewers = frozenset(
                viewer
                for viewer in everybody
                if self.knowledge.sees_slot(self.pos, viewer, target.state, owner)
            )
            rolled = Rolled(
                target.state, owner, value, viewers, span=statement.span, trail=statement.trail
            )
            before = self.hands.quiet
            self.hands.quiet = True
            self.hands.assign(self.pos, target.state, owner, value, statement.span)
            self.hands.quiet = before
        self.hands.record(rolled)

    def _show(self, statement: core.Show, frame: Frame) -> None:
        viewers = tuple(
            who for who in as_set(self.value(statement.viewers, frame)) if isinstance(who, Thing)
        )
        value = self.value(statement.subject, frame)
        shown = value if isinstance(value, tuple) else (value,)
        pieces = tuple(
            piece for piece in shown if isinstance(piece, Thing) and piece in self.pos.place_of
        )
        seen: frozenset[tuple[Thing, Thing]] = frozenset()
        if pieces:
            self.knowledge.show(viewers, pieces)
            seen = frozenset((viewer, piece) for viewer in viewers for piece in pieces)
        else:
            self._narrow(statement.subject, value, viewers, frame)
        self.hands.record(
            Shown(
                value,
                frozenset(viewers),
                pieces,
                span=statement.span,
                trail=statement.trail,
                seen=seen,
            )
        )

    def _narrow(
        self, node: core.Expr, value: Value, viewers: tuple[Thing, ...], frame: Frame
    ) -> None:
        """Telling a value of one hidden piece narrows down what that piece can be."""
        evaluate = self.legality.compiled(node)
        locals_ = {
            part.number
            for part in _locals(node)
            if isinstance(frame[part.number], Thing) and frame[part.number] in self.pos.place_of
        }
        if len(locals_) != 1:
            return
        (number,) = locals_
        piece = frame[number]
        assert isinstance(piece, Thing)
        possible = frozenset(
            look(other)
            for other in self.table.things(piece.kind)
            if self._would_be(evaluate, frame, number, other) == value
        )
        frame[number] = piece
        for viewer in viewers:
            self.knowledge.narrow(viewer, piece, possible)

    def _would_be(self, evaluate: Evaluate, frame: Frame, number: int, other: Thing) -> Value:
        frame[number] = other
        return evaluate(self.pos, frame)

    def _record(self, name: str) -> None:
        history = self.game.histories[name]
        parts: list[object] = []
        for part in history.parts:
            if part == "active":
                parts.append(self.pos.active)
            elif part == "playing":
                parts.append(self.pos.playing)
            elif part in self.game.states:
                owner = self.game.states[part].owner
                owners = (None,) if owner is None else self.table.things(owner)
                parts.append(tuple(self.pos.slots[(part, each)] for each in owners))
            else:
                parts.extend(
                    tuple(self._look(piece) for piece in self.pos.contents[place])
                    for place in self.table.things(part)
                )
        mark = hash(tuple(str(part) for part in parts))
        self.pos.histories[name] = (*self.pos.histories.get(name, ()), mark)
        self.pos.changed()

    def _look(self, piece: Thing) -> tuple[object, ...]:
        states = tuple(
            self.pos.slots[(key, piece)]
            for key, state in self.game.states.items()
            if state.owner == piece.kind
        )
        return (piece.kind, look(piece), states)

    def _eliminate(self, player: Thing, statement: core.Stmt) -> None:
        if player in self.pos.playing:
            self.pos.playing = tuple(each for each in self.pos.playing if each is not player)
            self.pos.out = (*self.pos.out, player)
            self.pos.changed()
            self.hands.record(Eliminated(player, span=statement.span, trail=statement.trail))

    # ------------------------------------------------------------ loops

    def _for(self, statement: core.For, frame: Frame) -> Run:
        key = id(statement)
        if key not in self._loops:
            evaluator = self.table.evaluator
            self._loops[key] = (
                evaluator.drawn(statement.draws, statement.where),
                evaluator.ordered(statement.draws, statement.order),
            )
        draws, arrange = self._loops[key]
        found = arrange(self.pos, frame, draws(self.pos, frame))
        numbers = [draw.local.number for draw in statement.draws]
        for values in found:
            for number, value in zip(numbers, values, strict=True):
                frame[number] = value
            try:
                yield from self.block(statement.body, frame)
            except LoopEnded:
                break

    def _repeat(self, statement: core.Repeat, frame: Frame) -> Run:
        times = None if statement.times is None else self.number(statement.times, frame)
        passes = 0
        same = 0
        while times is None or passes < times:
            if statement.running is not None and not self.value(statement.running, frame):
                return
            asked = self._asked
            before = self.fingerprint()
            try:
                yield from self.block(statement.body, frame)
            except LoopEnded:
                return
            passes += 1
            if asked == self._asked and before == self.fingerprint():
                same += 1
                if same == 2 and times is None:
                    raise RulesError(
                        "endless", "the loop goes on although nothing changes", statement.span
                    )
            else:
                same = 0

    def fingerprint(self) -> int:
        """A number that is equal for equal positions."""
        pos = self.pos
        return hash(
            (tuple(pos.contents.values()), tuple(pos.slots.values()), pos.active, pos.playing)
        )

    def _act_together(self, statement: core.Together, frame: Frame) -> Run:
        """Everybody acts on a copy of the same position; then all of it happens."""
        players = tuple(
            who for who in as_set(self.value(statement.domain, frame)) if isinstance(who, Thing)
        )
        common = self.pos
        start = common.copy()
        known, narrowed = self.knowledge.known, self.knowledge.narrowed
        outer_events, outer_settled = self.hands.events, self._settled
        outer = (self._secret, self._together)
        acts: list[tuple[Position, list[AnyEvent]]] = []
        outside = Perspective(common, known, tuple(outer_events))
        outer_apart = self._apart
        self._apart = dict.fromkeys(self.table.things("Player"), outside)
        try:
            for player in players:
                self.pos = start.copy()
                self.hands.events = list(outer_events)
                self.knowledge.known, self.knowledge.narrowed = known, narrowed
                self._settled = outer_settled
                self._secret, self._together = True, players
                frame[statement.local.number] = player
                self._acting = player
                with suppress(LoopEnded):
                    yield from self.block(statement.body, frame)
                acts.append((self.pos, self.hands.events[len(outer_events) :]))
                own = Perspective(self.pos, self.knowledge.known, tuple(self.hands.events))
                self._apart = {**self._apart, player: own}
        finally:
            self.pos = common
            self.hands.events = outer_events
            self._settled = outer_settled
            self.knowledge.known, self.knowledge.narrowed = known, narrowed
            self._secret, self._together = outer
            self._apart = outer_apart
        for after, events in acts:
            self._merge(start, after)
            self.hands.events.extend(events)
        self.settle()

    def _merge(self, start: Position, after: Position) -> None:
        """Bring into the position what one of several players changed."""
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
            if value != start.slots[key]:
                pos.slots[key] = value
        self.hands.quiet = quiet
        pos.changed()

    def _know_moves(self, pos: Position, pieces: tuple[Thing, ...], target: Thing) -> None:
        for piece in pieces:
            self.knowledge.moving(pos, (piece,), pos.place_of[piece], target)

    # ------------------------------------------------------------ decisions

    def _count(self) -> None:
        self.decisions += 1
        if self.table.limit is not None and self.decisions > self.table.limit:
            raise GameEnded("limit")

    def _ask(self, decision: Decision) -> Generator[Decision, Option, Option]:
        """The option chosen; a single one is taken without asking."""
        if len(decision.options) == 1 and not self.ask_always:
            if self.on_forced is not None:
                self.on_forced(decision)
            return decision.options[0]
        self._asked += 1
        self.settle()
        chosen = yield decision
        return chosen

    @contextmanager
    def as_chooser(self, seat: Thing) -> Iterator[None]:
        """Judge what is legal for this player."""
        before = self.pos.chooser
        if before is seat:
            yield
            return
        self._choosing(seat)
        try:
            yield
        finally:
            self._choosing(before)

    def _seat(self, node: core.Expr | None, frame: Frame, span: Span) -> Thing:
        if node is not None:
            return self.thing(node, frame)
        you = self.pos.you
        if you is None:
            raise RulesError("active", "nobody is active, so nobody can choose", span)
        return you

    def _choose_value(self, statement: core.ChooseValue, frame: Frame) -> Run:
        self._count()
        seat = self._seat(statement.by, frame, statement.span)
        with self.as_chooser(seat):
            candidates = self._candidates(statement, frame)
        apart = self.legality.apart(self.pos, [*self.frames, (frame, statement.depth)])
        groups: dict[object, list[Value]] = {}
        for value in candidates:
            mark = self.legality.signature(self.pos, seat, value, apart)
            groups.setdefault(mark, []).append(value)
        classes = [tuple(group) for group in groups.values()]
        chosen: Value
        match statement.how_many.word:
            case "one" | "optional":
                options: list[Option] = [ValueOption(group[0], group) for group in classes]
                if statement.how_many.word == "optional":
                    options.append(ValueOption(None, (None,)))
                if not options:
                    yield from self._nothing_legal(statement, frame)
                    if isinstance(statement.target, core.Local):
                        frame[statement.target.number] = None
                    return
                decision = self._decision(statement, seat, tuple(options), frame)
                option = yield from self._ask(decision)
                assert isinstance(option, ValueOption)
                chosen = self._one_of(option.members)
            case "any" | "some" | "exactly" | "up to":
                if statement.how_many.word in ("some", "exactly") and not candidates:
                    if statement.otherwise is not None:
                        yield from self.block(statement.otherwise, frame)
                        if isinstance(statement.target, core.Local):
                            frame[statement.target.number] = None
                        return
                    if statement.how_many.word == "some":
                        raise self._stuck(statement.span)
                chosen = yield from self._choose_several(statement, seat, classes, frame)
            case _:
                assert_never(statement.how_many.word)
        if isinstance(statement.target, core.Local):
            frame[statement.target.number] = chosen
        else:
            self._assign(statement.target, chosen, frame, statement)
        values = chosen if isinstance(chosen, tuple) else (chosen,)
        self._log_choice(statement, seat, None, values)

    def _candidates(self, statement: core.ChooseValue, frame: Frame) -> list[Value]:
        number = statement.element.number
        before = frame[number]
        where = None if statement.where is None else self.legality.compiled(statement.where)
        required = [self.legality.compiled(each.condition) for each in statement.requirements]
        found: list[Value] = []
        for value in as_set(self.value(statement.domain, frame)):
            frame[number] = value
            if where is not None and not where(self.pos, frame):
                continue
            if all(condition(self.pos, frame) for condition in required):
                found.append(value)
        frame[number] = before
        return found

    def _decision(
        self,
        statement: core.ChooseValue | core.ChooseAction,
        seat: Thing,
        options: tuple[Option, ...],
        frame: Frame,
        picked: tuple[Value, ...] = (),
        *,
        several: bool = False,
        least: int = 0,
        most: int = 0,
    ) -> Decision:
        return Decision(
            seat=seat,
            options=options,
            prompt=statement.prompt,
            span=statement.span,
            trail=statement.trail,
            picked=picked,
            several=several,
            least=least,
            most=most,
            together=self._together,
            statement=statement,
            frame=frame,
        )

    def _one_of(self, members: tuple[Value, ...]) -> Value:
        """One of several that are alike to the chooser: by chance, if they differ in truth."""
        pieces = tuple(piece for piece in members if isinstance(piece, Thing))
        if len(pieces) < 2 or pieces[0] not in self.pos.place_of:
            return members[0]
        first = self._look(pieces[0])
        if all(self._look(piece) == first for piece in pieces):
            return pieces[0]
        return self.chance.one_of(pieces)

    def _choose_several(
        self,
        statement: core.ChooseValue,
        seat: Thing,
        classes: list[tuple[Value, ...]],
        frame: Frame,
    ) -> Generator[Decision, Option, tuple[Value, ...]]:
        """Pick after pick, never going back in the order; alike ones are taken by number."""
        total = sum(len(group) for group in classes)
        least, most = self._bounds(statement, frame, total)
        picked: list[Value] = []
        at = 0
        taken = 0
        while len(picked) < most:
            options: list[Option] = []
            numbers: list[int] = []
            for number in range(at, len(classes)):
                left = classes[number][taken:] if number == at else classes[number]
                rest = sum(len(group) for group in classes[number:])
                if number == at:
                    rest -= taken
                # Passing over what is needed to reach the least number is not possible.
                if left and len(picked) + rest >= least:
                    options.append(ValueOption(left[0], left))
                    numbers.append(number)
            if len(picked) >= least:
                options.append(DoneOption())
            decision = self._decision(
                statement,
                seat,
                tuple(options),
                frame,
                tuple(picked),
                several=True,
                least=least,
                most=most,
            )
            if not options:
                break
            option = yield from self._ask(decision)
            if isinstance(option, DoneOption):
                break
            assert isinstance(option, ValueOption)
            number = numbers[options.index(option)]
            taken = taken + 1 if number == at else 1
            at = number
            picked.append(option.value)
        return in_order(set(self._truly(picked, classes)))

    def _truly(self, picked: list[Value], classes: list[tuple[Value, ...]]) -> Iterator[Value]:
        """The pieces picked; among unlike ones that look alike, chance decides which."""
        for group in classes:
            number = sum(1 for value in picked if value in group)
            pieces = tuple(piece for piece in group if isinstance(piece, Thing))
            if number and number < len(pieces) and pieces[0] in self.pos.place_of:
                first = self._look(pieces[0])
                if not all(self._look(piece) == first for piece in pieces):
                    yield from self.chance.shuffled(pieces)[:number]
                    continue
            yield from group[:number]

    def _bounds(self, statement: core.ChooseValue, frame: Frame, total: int) -> tuple[int, int]:
        """The least and the greatest number that can be chosen."""
        amount = statement.how_many.amount
        number = 0 if amount is None else max(0, self.number(amount, frame))
        match statement.how_many.word:
            case "any":
                return 0, total
            case "some":
                return 1, total
            case "exactly":
                return min(number, total), min(number, total)
            case _:
                return 0, min(number, total)

    def _stuck(self, span: Span) -> RulesError:
        return RulesError("stuck", "a choice must be made, but nothing is legal", span)

    def _nothing_legal(self, statement: core.ChooseValue | core.ChooseAction, frame: Frame) -> Run:
        if statement.otherwise is None:
            raise self._stuck(statement.span)
        yield from self.block(statement.otherwise, frame)

    def _choose_action(self, statement: core.ChooseAction, frame: Frame) -> Run:
        self._count()
        seat = self._seat(statement.by, frame, statement.span)
        options = self.action_options(statement, seat, frame)
        if not options:
            yield from self._nothing_legal(statement, frame)
            return
        option = yield from self._ask(self._decision(statement, seat, options, frame))
        assert isinstance(option, ActionOption)
        values = self._true_member(option)
        info = self.game.actions[option.key]
        self._log_choice(statement, seat, info, values)
        self.frames.append((frame, statement.depth))
        try:
            yield from self.run_action(info, seat, values, frame if info.inline else None)
        finally:
            self.frames.pop()

    def _true_member(self, option: ActionOption) -> tuple[Value, ...]:
        if len(option.members) < 2:
            return option.values
        looks = {
            tuple(
                self._look(value)
                if isinstance(value, Thing) and value in self.pos.place_of
                else (value,)
                for value in member
            )
            for member in option.members
        }
        if len(looks) == 1:
            return option.values
        number = self.chance.roll(
            tuple(range(len(option.members))), self.game.actions[option.key].span
        )
        assert isinstance(number, int)
        return option.members[number]

    def action_options(
        self, statement: core.ChooseAction, seat: Thing, frame: Frame
    ) -> tuple[Option, ...]:
        """Everything the player may do now, in the order of the rules."""
        apart = self.legality.apart(self.pos, [*self.frames, (frame, statement.depth)])
        options: list[Option] = []
        for offer in statement.offers:
            fixed = tuple(
                None if node is None else self.value(node, frame) for node in offer.arguments
            )
            with self.as_chooser(seat):
                options.extend(self._offered(offer, seat, fixed, frame, apart))
        return tuple(options)

    def _offered(
        self,
        offer: core.Offer,
        seat: Thing,
        fixed: tuple[Value, ...],
        frame: Frame,
        apart: frozenset[Value],
    ) -> list[ActionOption]:
        is_fixed = tuple(node is not None for node in offer.arguments)
        info = self.game.actions[offer.action]
        conditions = [self.legality.compiled(each.condition) for each in offer.requirements]

        def extra(values: tuple[Value, ...]) -> bool:
            self.bind_offer(offer, values, frame)
            return all(condition(self.pos, frame) for condition in conditions)

        legal = self.legality.legal_values(
            self.pos,
            info.key,
            fixed,
            is_fixed,
            frame if info.inline else None,
            extra if conditions else None,
        )
        return self.legality.merged_actions(self.pos, seat, info.key, legal, apart)

    def bind_offer(self, offer: core.Offer, values: tuple[Value, ...], frame: Frame) -> None:
        """Give the offer's own requirements the action's parameters."""
        needed = max((local.number for local in offer.locals), default=-1) + 1
        if len(frame) < needed:
            frame.extend([None] * (needed - len(frame)))
        for local, value in zip(offer.locals, values, strict=True):
            frame[local.number] = value

    def _log_choice(
        self,
        statement: core.ChooseValue | core.ChooseAction,
        seat: Thing,
        info: ActionInfo | None,
        values: tuple[Value, ...],
    ) -> None:
        self.hands.record(
            Chosen(
                seat,
                None if info is None else info.key,
                values,
                False,
                self._secret,
                span=statement.span if info is None else info.span,
                trail=statement.trail if info is None else (*statement.trail, *info.trail),
            )
        )

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


def _end(target: str) -> None:
    match target:
        case "game":
            raise GameEnded("end")
        case "loop":
            raise LoopEnded
        case _:
            raise StepEnded(target)


def _locals(node: core.Expr) -> Iterator[core.Local]:
    return (part for part in walk((node,)) if isinstance(part, core.Local))
