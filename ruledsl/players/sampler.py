"""A whole position that agrees with everything a seat sees and knows.

Pieces that the seat can't identify change roles within their kind: where they lie, what is known
of them, what names them. Each way to do that which agrees with what the seat was told is equally
likely. Slots that the seat can't see get any value. What comes out depends on the view of the seat
and on the generator, not on the truth: so whoever looks ahead from samples can't peek.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import attrs

from ruledsl.model.types import (
    FaceType,
    FlagType,
    MaybeType,
    NumberType,
    SetType,
    ThingType,
    Type,
)
from ruledsl.play.chance import Generator
from ruledsl.play.knowledge import Knowledge, Look, look
from ruledsl.table.position import Position, SlotKey
from ruledsl.table.table import Slot, Table
from ruledsl.table.things import Thing, Value, in_order

ATTEMPTS = 200
"""Deals that are tried before pieces are exchanged one by one."""
EXCHANGES = 40
"""For each piece about which something was told."""

Roles = Mapping[Thing, Thing]
"""For a piece that the seat can't identify: which one lies in its stead."""


@attrs.frozen
class Sample:
    """A position that could be, and what would be known in it."""

    pos: Position
    known: frozenset[tuple[Thing, Thing]]
    narrowed: dict[tuple[Thing, Thing], frozenset[Look]]
    roles: Roles

    def renamed(self, value: Value) -> Value:
        """A value in which pieces have changed roles."""
        return _renamed(value, self.roles)


class Sampler:
    """Makes samples of one position for one seat.

    `named` are pieces that locals of the running rules name: each of them is told from others.
    """

    def __init__(
        self,
        table: Table,
        pos: Position,
        knowledge: Knowledge,
        seat: Thing,
        named: Sequence[Thing] = (),
    ) -> None:
        self._table = table
        self._pos = pos
        self._knowledge = knowledge
        self._seat = seat
        self._named = {piece: at for at, piece in reversed([*enumerate(named)])}
        self._hidden_slots = [key for key in pos.slots if not knowledge.sees_slot(pos, seat, *key)]
        hidden = set(self._hidden_slots)
        self._naming = [
            key
            for key, value in pos.slots.items()
            if isinstance(value, Thing | tuple) and key not in hidden and key[1] not in pos.place_of
        ]
        """slots by which the seat can tell pieces apart that it can't identify"""
        self._uncounted = [
            place for place in pos.contents if not knowledge.counts(pos, seat, place)
        ]
        unknown = [piece for piece in pos.place_of if not knowledge.knows(pos, seat, piece)]
        self._parts = self._by_kind(unknown)

    @property
    def certain(self) -> bool:
        """Whether the seat knows everything: then a sample is the position itself."""
        return all(len(part) == 1 for part in self._parts) and not self._hidden_slots

    @property
    def unknown(self) -> tuple[Thing, ...]:
        """The pieces that may change roles."""
        return tuple(piece for part in self._parts for piece in part)

    @property
    def roles_are_all(self) -> bool:
        """Whether samples differ by nothing but the roles of pieces."""
        return not self._hidden_slots and len(self._uncounted) < 2

    @property
    def kinds(self) -> tuple[tuple[Thing, ...], ...]:
        """The same by kind, in an order that does not depend on what they are."""
        return tuple(map(tuple, self._parts))

    @property
    def told(self) -> bool:
        """Whether the seat was told something about a piece that it can't identify."""
        told = self._knowledge.narrowed
        return any((self._seat, piece) in told for piece in self.unknown)

    def deal(self, generator: Generator) -> dict[Thing, Thing]:
        """Roles for the pieces that the seat can't identify."""
        roles: dict[Thing, Thing] = {}
        for part in self._parts:
            roles.update(self._dealt(part, generator))
        return roles

    def sample(self, generator: Generator) -> Sample:
        roles = self.deal(generator)
        pos = self._pos.copy()
        known, narrowed = self._knowledge.known, self._knowledge.narrowed
        if roles:
            self._exchange(pos, roles)
            known = frozenset((who, roles.get(piece, piece)) for who, piece in known)
            narrowed = {
                (who, roles.get(piece, piece)): looks for (who, piece), looks in narrowed.items()
            }
        for key in self._hidden_slots:
            pos.slots[key] = self._any_value(key, generator)
        self._spread(pos, generator)
        pos.changed()
        return Sample(pos, known, narrowed, roles)

    # ------------------------------------------------------------ who is unknown

    def _by_kind(self, unknown: Iterable[Thing]) -> list[list[Thing]]:
        """The unknown pieces of each kind, in an order that does not depend on what they are."""
        parts: dict[str, list[Thing]] = {}
        for piece in unknown:
            parts.setdefault(piece.kind, []).append(piece)
        for part in parts.values():
            part.sort(key=self._role)
        return list(parts.values())

    def _role(self, piece: Thing) -> tuple[object, ...]:
        """What there is to say about a piece, apart from which one it is."""
        pos, knowledge = self._pos, self._knowledge
        place = pos.place_of[piece]
        uncounted = place in self._uncounted
        at = pos.contents[place].index(piece) if self._is_stack(place) and not uncounted else 0
        told = knowledge.narrowed.get((self._seat, piece))
        viewers = self._table.things("Player")
        return (
            -1 if uncounted else place.order,
            at,
            self._named.get(piece, len(self._named)),
            "" if told is None else str(sorted(map(str, told))),
            [(viewer, piece) in knowledge.known for viewer in viewers],
            str(
                [
                    pos.slots[key, piece]
                    for key, state in self._table.game.states.items()
                    if state.owner == piece.kind and (key, piece) not in self._hidden_slots
                ]
            ),
            [at for at, key in enumerate(self._naming) if _names(pos.slots[key], piece)],
        )

    def _is_stack(self, place: Thing) -> bool:
        info = self._table.game.kinds[place.kind].place
        assert info is not None
        return info.stack

    # ------------------------------------------------------------ dealing

    def _dealt(self, part: Sequence[Thing], generator: Generator) -> dict[Thing, Thing]:
        """For each piece another one in its stead, as far as the seat was told."""
        told = self._knowledge.narrowed
        pieces = sorted(part, key=lambda piece: piece.order)
        fitting: dict[Thing, list[Thing]] = {}
        for role in part:
            looks = told.get((self._seat, role))
            if looks is not None:
                fitting[role] = [piece for piece in pieces if look(piece) in looks]
        chosen = _all_different(fitting, generator) or _matched(fitting, generator)
        taken = set(chosen.values())
        rest = generator.shuffled([piece for piece in pieces if piece not in taken])
        free = [role for role in part if role not in chosen]
        return chosen | dict(zip(free, rest, strict=True))

    def _exchange(self, pos: Position, roles: Roles) -> None:
        """Let pieces change roles."""
        for place, held in pos.contents.items():
            if any(piece in roles for piece in held):
                now = [roles.get(piece, piece) for piece in held]
                if not self._is_stack(place):
                    now.sort(key=lambda piece: piece.order)
                pos.contents[place] = tuple(now)
                for piece in now:
                    pos.place_of[piece] = place
        before = pos.slots
        pos.slots = dict(before)
        for (key, owner), value in before.items():
            now_owned = roles.get(owner, owner) if owner is not None else None
            pos.slots[key, now_owned] = _renamed(value, roles)

    # ------------------------------------------------------------ what even the view leaves out

    def _any_value(self, key: SlotKey, generator: Generator) -> Value:
        """Any value that a slot can hold."""
        slot = self._table.slots[key]
        values = self._values(slot.state.type, slot)
        if isinstance(slot.state.type, SetType):
            return in_order({value for value in values if generator.below(2)})
        return values[generator.below(len(values))] if values else self._pos.slots[key]

    def _values(self, of: Type, slot: Slot) -> Sequence[Value]:
        match of:
            case MaybeType(inner):
                return (None, *self._values(inner, slot))
            case SetType(element):
                return self._values(element, slot)
            case FlagType():
                return (False, True)
            case NumberType() if slot.low is not None and slot.high is not None:
                return range(slot.low, slot.high + 1)
            case ThingType(kinds):
                kept = sorted(kinds)
                return [thing for kind in kept for thing in self._table.things(kind)]
            case FaceType(kind):
                return self._table.faces(kind)
            case _:
                return ()

    def _spread(self, pos: Position, generator: Generator) -> None:
        """Where not even the number of pieces is known, they may lie in any such place."""
        if len(self._uncounted) < 2:
            return
        for part in self._parts:
            self._spread_kind(pos, part, generator)

    def _spread_kind(self, pos: Position, part: Sequence[Thing], generator: Generator) -> None:
        loose = [piece for piece in part if pos.place_of[piece] in self._uncounted]
        homes = [place for place in self._uncounted if self._may_hold(place, part[0].kind)]
        if len(homes) < 2:
            return
        loose.sort(key=lambda piece: piece.order)
        for place in homes:
            pos.contents[place] = tuple(p for p in pos.contents[place] if p not in loose)
        for piece in loose:
            rooms = self._table.rooms
            free = [
                place
                for place in homes
                if (room := rooms[place]) is None or len(pos.contents[place]) < room
            ]
            place = free[generator.below(len(free))]
            held = (*pos.contents[place], piece)
            if not self._is_stack(place):
                held = tuple(sorted(held, key=lambda each: each.order))
            pos.contents[place] = held
            pos.place_of[piece] = place

    def _may_hold(self, place: Thing, kind: str) -> bool:
        info = self._table.game.kinds[place.kind].place
        assert info is not None
        return kind in info.holds


def _renamed(value: Value, roles: Roles) -> Value:
    if isinstance(value, Thing):
        return roles.get(value, value)
    if isinstance(value, tuple):
        now = tuple(_renamed(item, roles) for item in value)
        return value if now == value else _arranged(value, now)
    return value


def _arranged(before: tuple[Value, ...], now: tuple[Value, ...]) -> tuple[Value, ...]:
    """A set stays in the table's order; a sequence keeps its own."""
    orders = [item.order for item in before if isinstance(item, Thing)]
    if len(orders) == len(before) and orders == sorted(orders):
        return in_order(set(now))
    return now


def _names(value: Value, piece: Thing) -> bool:
    return value is piece or (isinstance(value, tuple) and piece in value)


# ---------------------------------------------------------------- all different


def _all_different(
    fitting: Mapping[Thing, list[Thing]], generator: Generator
) -> dict[Thing, Thing] | None:
    """For each role one of the pieces that fit, all different, each way equally likely.

    They are drawn apart from each other until no two are the same; None if that takes too long.
    """
    for _ in range(ATTEMPTS):
        drawn = {role: fits[generator.below(len(fits))] for role, fits in fitting.items()}
        if len(set(drawn.values())) == len(drawn):
            return drawn
    return None


def _matched(fitting: Mapping[Thing, list[Thing]], generator: Generator) -> dict[Thing, Thing]:
    """The same where many roles are told to be few things: some way, mixed by many exchanges."""
    holder: dict[Thing, Thing] = {}
    for role in fitting:
        found = _augment(role, fitting, holder, set(), generator)
        assert found, "the true pieces fit"
    chosen = {role: piece for piece, role in holder.items()}
    roles = list(fitting)
    fits = {role: set(pieces) for role, pieces in fitting.items()}
    for _ in range(EXCHANGES * len(roles)):
        role = roles[generator.below(len(roles))]
        piece = fitting[role][generator.below(len(fitting[role]))]
        other = next((who for who in roles if chosen[who] is piece), None)
        if other is None:
            chosen[role] = piece
        elif chosen[role] in fits[other]:
            chosen[role], chosen[other] = piece, chosen[role]
    return {role: chosen[role] for role in roles}


def _augment(
    role: Thing,
    fitting: Mapping[Thing, list[Thing]],
    holder: dict[Thing, Thing],
    tried: set[Thing],
    generator: Generator,
) -> bool:
    """Find a piece for a role; others may have to take another one."""
    for piece in generator.shuffled(fitting[role]):
        if piece in tried:
            continue
        tried.add(piece)
        if piece not in holder or _augment(holder[piece], fitting, holder, tried, generator):
            holder[piece] = role
            return True
    return False
