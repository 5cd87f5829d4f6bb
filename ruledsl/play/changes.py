"""The primitive changes of a position, with their guards; every change goes through here."""

from __future__ import annotations

from typing import Literal

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model.game import PlaceInfo
from ruledsl.model.giving import is_given
from ruledsl.model.types import may_be_none
from ruledsl.play.chance import Chance
from ruledsl.play.events import AnyEvent, Assigned, Chosen, Moved, Shuffled, pieces_of
from ruledsl.play.knowledge import Knowledge, look
from ruledsl.syntax import ast
from ruledsl.table import mishaps
from ruledsl.table.errors import RulesError
from ruledsl.table.limits import FEW, SHUFFLED, STAYING
from ruledsl.table.position import Position, SlotKey
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value, in_order, is_nameless


class Hands:
    """Moves pieces and sets slots, keeps knowledge and the log up to date.

    `quiet` hands change only the position: for looking ahead and for set-up of tests.
    """

    def __init__(self, table: Table, chance: Chance, knowledge: Knowledge) -> None:
        self.table = table
        self.chance = chance
        self.knowledge = knowledge
        self.events: list[AnyEvent] = []
        self.quiet = False
        self.short_deals: Literal["allowed", "error"] = "allowed"
        self.fixed: set[SlotKey] = set()
        """the slots that were set, and not only added to, since it was emptied"""

    def record(self, event: AnyEvent) -> None:
        if not self.quiet:
            if isinstance(event, Chosen):
                self.knowledge.chosen(pieces_of(event), len(self.events))
            self.events.append(event)

    def info(self, place: Thing) -> PlaceInfo:
        info = self.table.game.kinds[place.kind].place
        assert info is not None
        return info

    # ------------------------------------------------------------ moving

    def move(
        self,
        pos: Position,
        pieces: tuple[Thing, ...],
        target: Thing,
        *,
        bottom: bool = False,
        span: Span,
        trail: ast.Trail = (),
    ) -> None:
        """Move pieces, in this order, wherever they lie."""
        self.table.evaluator.burn(len(pieces), span)
        sources: dict[Thing, list[Thing]] = {}
        for piece in pieces:
            sources.setdefault(pos.place_of[piece], []).append(piece)
        moved = [
            self._move_from(pos, source, tuple(some), target, bottom, span, trail)
            for source, some in sources.items()
        ]
        # In the order of places: that of the pieces could tell what they are.
        for event in sorted(moved, key=lambda event: event.source.order):
            self.record(event)
        if not self.quiet:
            for since, viewer, piece in self.knowledge.glimpsed(pos, pieces, target):
                self._tell(since, viewer, piece)

    def _tell(self, since: int, viewer: Thing, piece: Thing) -> None:
        """What happened to a piece since then is told to a viewer."""
        for at in range(since, len(self.events)):
            event = self.events[at]
            if piece in pieces_of(event) and (viewer, piece) not in event.seen:
                self.events[at] = attrs.evolve(event, seen=event.seen | {(viewer, piece)})

    def _move_from(
        self,
        pos: Position,
        source: Thing,
        pieces: tuple[Thing, ...],
        target: Thing,
        bottom: bool,
        span: Span,
        trail: ast.Trail,
    ) -> Moved:
        if source is not target:
            self._guard_room(pos, target, len(pieces), span)
        # What stays is laid anew, which counts where many lie and few are moved.
        self.table.evaluator.burn(len(pos.contents[source]) // STAYING, span)
        knew: frozenset[tuple[Thing, Thing]] = frozenset()
        if not self.quiet:
            if self.knowledge.mixes(source):
                # Each player may lose sight of all that stays.
                viewers = len(self.table.things("Player"))
                self.table.evaluator.burn(viewers * len(pos.contents[source]), span)
            knew = self.knowledge.moving(pos, pieces, source, target, len(self.events))
        gone = set(pieces)
        pos.contents[source] = tuple(p for p in pos.contents[source] if p not in gone)
        pos.contents[target] = self._laid(target, pos.contents[target], pieces, bottom=bottom)
        for piece in pieces:
            pos.place_of[piece] = target
        pos.changed()
        return Moved(pieces, source, target, span=span, trail=trail, seen=knew)

    def _guard_room(self, pos: Position, target: Thing, more: int, span: Span) -> None:
        room = self.table.rooms[target]
        number = len(pos.contents[target]) + more
        if room is not None and number > room:
            raise RulesError(mishaps.no_room(target, room, number), span)

    def exchange(
        self,
        pos: Position,
        displaced: dict[Thing, Thing],
        wanted: tuple[Thing, ...],
        target: Thing,
        span: Span,
    ) -> None:
        """Put pieces on top of a place and others from it elsewhere, to the bottom, all at once.

        So full places can swap what they hold.
        """
        targets = displaced | dict.fromkeys(wanted, target)
        moves = [(piece, pos.place_of[piece], place) for piece, place in targets.items()]
        for piece, source, place in moves:
            self.knowledge.moving(pos, (piece,), source, place, len(self.events))
            pos.contents[source] = tuple(p for p in pos.contents[source] if p is not piece)
        for piece, source, place in moves:
            self._guard_room(pos, place, 1, span)
            held = pos.contents[place]
            pos.contents[place] = self._laid(place, held, (piece,), bottom=piece in displaced)
            pos.place_of[piece] = place
            self.record(Moved((piece,), source, place, span=span))
        pos.changed()

    def _laid(
        self, place: Thing, held: tuple[Thing, ...], pieces: tuple[Thing, ...], *, bottom: bool
    ) -> tuple[Thing, ...]:
        """What a place holds when pieces come to it; only a stack keeps an order of its own."""
        if not self.info(place).stack:
            return tuple(sorted((*held, *pieces), key=lambda piece: piece.order))
        return (*pieces, *held) if bottom else (*held, *pieces)

    def take(self, pos: Position, amount: int, source: Value, span: Span) -> tuple[Thing, ...]:
        """The pieces that `move n from …` is about: fewer if there are fewer."""
        if isinstance(source, Thing):
            info = self.info(source)
            held = pos.contents[source]
            if info.stack:
                return held[::-1][: max(amount, 0)]
            pieces = held
        else:
            assert isinstance(source, tuple)
            pieces = tuple(piece for piece in source if isinstance(piece, Thing))
        if 0 < amount < len(pieces) and not self._alike(pos, pieces):
            raise RulesError(mishaps.mixed(amount), span)
        return pieces[: max(amount, 0)]

    def _alike(self, pos: Position, pieces: tuple[Thing, ...]) -> bool:
        first = pieces[0]
        states = [key for key, s in self.table.game.states.items() if s.owner == first.kind]
        return all(
            piece.kind == first.kind
            and look(piece) == look(first)
            and pos.place_of[piece] is pos.place_of[first]
            and all(pos.slots[(key, piece)] == pos.slots[(key, first)] for key in states)
            for piece in pieces
        )

    def deal(
        self,
        pos: Position,
        amount: int,
        source: Value,
        target: Thing,
        *,
        bottom: bool,
        span: Span,
        trail: ast.Trail,
    ) -> None:
        """`move n from P to Q`, one piece after the other from a stack that refills itself."""
        refilled = self.info(source).refilled if isinstance(source, Thing) else None
        if refilled is None or not isinstance(source, Thing):
            pieces = self.take(pos, amount, source, span)
            if len(pieces) < amount and self.short_deals == "error":
                raise RulesError(mishaps.too_few(amount, len(pieces)), span)
            self.move(pos, pieces, target, bottom=bottom, span=span, trail=trail)
            return
        reserve = self.table.place_at(refilled, tuple(source.indexes.values()))
        for _ in range(amount):
            if not pos.contents[source]:
                self.move(pos, pos.contents[reserve], source, span=span)
                self.shuffle(pos, source, span)
            pieces = self.take(pos, 1, source, span)
            if not pieces:
                return
            self.move(pos, pieces, target, bottom=bottom, span=span, trail=trail)

    def shuffle(self, pos: Position, place: Thing, span: Span, trail: ast.Trail = ()) -> None:
        if len(pos.contents[place]) > 1:
            self.table.evaluator.burn(SHUFFLED * len(pos.contents[place]), span)
            pos.contents[place] = self.chance.shuffled(pos.contents[place])
            pos.changed()
        if not self.quiet:
            self.knowledge.shuffled(pos, place, len(self.events))
        self.record(Shuffled(place, span=span, trail=trail))

    # ------------------------------------------------------------ slots

    def assign(
        self,
        pos: Position,
        state: str,
        owner: Thing | None,
        value: Value,
        span: Span,
        trail: ast.Trail = (),
        *,
        adds: bool = False,
    ) -> Value:
        """Set a slot within its limits; returns what it holds then."""
        if not adds:
            self.fixed.add((state, owner))
        if value is None and not self._may_be_none(state, owner):
            raise RulesError(mishaps.set_to_none(state), span)
        if isinstance(value, tuple):
            value = in_order(set(value))
            if len(value) > FEW:
                self.table.evaluator.burn(len(value), span)
        saw = frozenset[Thing]() if self.quiet else self._viewers(pos, state, owner)
        before = pos.slots.get((state, owner))
        if state == "active":
            assert isinstance(value, Thing)
            pos.active = value
        elif state == "playing":
            assert isinstance(value, tuple)
            pos.playing = tuple(player for player in value if isinstance(player, Thing))
        else:
            value = self._within(state, owner, value, span)
            pos.slots[(state, owner)] = value
        pos.changed()
        if not self.quiet and not is_given(state):
            viewers = self._viewers(pos, state, owner)
            seen = frozenset[tuple[Thing, Thing]]()
            if owner in pos.place_of:
                seen = frozenset((v, owner) for v in viewers if self.knowledge.sees(pos, v, owner))
            self.record(
                Assigned(
                    state,
                    owner,
                    value,
                    viewers,
                    before,
                    saw,
                    self._told_apart_by(pos, owner),
                    span=span,
                    trail=trail,
                    seen=seen,
                )
            )
        return value

    def _told_apart_by(self, pos: Position, owner: Thing | None) -> Thing | None:
        """The place that tells a piece from others like it; none if it has a name, or none does."""
        place = None if owner is None else pos.place_of.get(owner)
        if owner is None or place is None or not is_nameless(owner):
            return None
        here = [piece for piece in pos.contents[place] if _is_like(piece, owner)]
        others = (piece for piece in self.table.things(owner.kind) if _is_like(piece, owner))
        return place if len(here) == 1 and any(piece is not owner for piece in others) else None

    def _viewers(self, pos: Position, state: str, owner: Thing | None) -> frozenset[Thing]:
        """Who sees a slot now."""
        return frozenset(
            viewer
            for viewer in self.table.things("Player")
            if self.knowledge.sees_slot(pos, viewer, state, owner)
        )

    def _may_be_none(self, state: str, owner: Thing | None) -> bool:
        if state in ("active", "playing"):
            return False
        return may_be_none(self.table.slots[(state, owner)].state.type)

    def _within(self, state: str, owner: Thing | None, value: Value, span: Span) -> Value:
        slot = self.table.slots[(state, owner)]
        if isinstance(value, tuple) and slot.low is not None:
            for each in value:
                self._within(state, owner, each, span)
        if isinstance(value, bool) or not isinstance(value, int):
            return value
        if slot.low is None or slot.high is None or slot.low <= value <= slot.high:
            return value
        if slot.state.clamped:
            return max(slot.low, min(slot.high, value))
        raise RulesError(mishaps.outside(f"`{state}`", slot.low, slot.high, value), span)


def _is_like(piece: Thing, other: Thing) -> bool:
    return piece.kind == other.kind and piece.indexes == other.indexes
