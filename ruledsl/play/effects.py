"""Single effects: setting, moving, rolling, showing, recording, leaving the game."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import product
from typing import assert_never

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.additions import added
from ruledsl.model.walk import walk
from ruledsl.play.chance import weight
from ruledsl.play.events import Eliminated, Narrated, Rolled, Shown, pieces_of
from ruledsl.play.knowledge import look
from ruledsl.play.running import Running
from ruledsl.play.sayings import saying
from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError
from ruledsl.table.queries import Evaluate, Frame, as_set
from ruledsl.table.things import Thing, Value


class Effects(Running):
    """Statements that change the table and ask nobody."""

    def _assign(self, slot: core.Slot, value: Value, frame: Frame, statement: core.Stmt) -> Value:
        owner = None
        if slot.subject is not None:
            owner = self.thing(slot.subject, frame)
        return self.hands.assign(
            self.pos,
            slot.state,
            owner,
            value,
            statement.span,
            statement.trail,
            adds=added(statement) is not None,
        )

    def _viewers(self, slot: core.Slot, frame: Frame) -> frozenset[Thing]:
        """Who sees a slot's value."""
        owner = None if slot.subject is None else self.thing(slot.subject, frame)
        return frozenset(
            viewer
            for viewer in self.table.things("Player")
            if self.knowledge.sees_slot(self.pos, viewer, slot.state, owner)
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
                    raise RulesError(mishaps.NOTHING_TO_MOVE, node.span)
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
            raise RulesError(mishaps.no_copy(value), node.span)
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
        if not any(weight(outcome) for outcome in outcomes):
            raise RulesError(mishaps.NOTHING_TO_ROLL, statement.span)
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
            viewers = self._viewers(target, frame)
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

    def _tell(self, statement: core.Tell, frame: Frame) -> None:
        told = saying(statement.said, lambda node: self.value(node, frame), lambda _: True)
        if any(value is None or value == () for _, value in told.values):
            return  # there is nothing to tell of
        event = Narrated(told.text, told.values, span=statement.span, trail=statement.trail)
        # Who knows a piece by now reads what it is, even if it is mixed with others before a stop.
        pieces = pieces_of(event)
        known = self.knowledge.known.intersection(product(self.table.things("Player"), pieces))
        seen = frozenset(pair for pair in known if self.can_tell_which(*pair, pieces))
        self.hands.record(attrs.evolve(event, seen=seen))

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
        mark = _digest(repr(parts))
        noted = self.pos.histories.get(name, ())
        self.table.evaluator.burn(1 + len(noted) // 16, history.span)
        self.pos.histories[name] = (*noted, mark)
        self.pos.changed()
        if self.on_record is not None:
            self.on_record(name)

    def _eliminate(self, player: Thing, statement: core.Stmt) -> None:
        if player in self.pos.playing:
            self.pos.playing = tuple(each for each in self.pos.playing if each is not player)
            self.pos.out = (*self.pos.out, player)
            self.pos.changed()
            self.hands.record(Eliminated(player, span=statement.span, trail=statement.trail))


def _digest(text: str) -> int:
    """64 bits that stand for a text, the same in every process."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


def _locals(node: core.Expr) -> Iterator[core.Local]:
    return (part for part in walk((node,)) if isinstance(part, core.Local))
