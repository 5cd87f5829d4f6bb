"""Who sees what, and who knows where a piece is although it can't be seen any more.

A piece is known to a viewer from the stop at which it was seen, until it may have been mixed with
others unseen: by a shuffle, or by leaving an unordered place that the viewer can't look into.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import TypeAlias

import attrs

from ruledsl.model import core
from ruledsl.model.game import PlaceInfo, Sight
from ruledsl.table.evaluate import frame_size
from ruledsl.table.position import Position
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value

Sees: TypeAlias = Callable[[Position, Thing, Thing, Thing], bool]
"""Whether a viewer sees a piece in a place."""
SeesSlot: TypeAlias = Callable[[Position, Thing, "Thing | None", "Thing | None"], bool]


@attrs.define
class Knowledge:
    """What each viewer knows; `known` and `narrowed` belong to a position and are exchanged whole.

    `narrowed` says which looks (face and indexes) a piece can still have for a viewer.
    """

    table: Table
    known: frozenset[tuple[Thing, Thing]] = frozenset()
    narrowed: dict[tuple[Thing, Thing], frozenset[Look]] = attrs.Factory(dict)
    _sights: dict[str, Sees] = attrs.Factory(dict)
    _slot_sights: dict[str, SeesSlot] = attrs.Factory(dict)

    _open: dict[str, bool] = attrs.Factory(dict)
    _looked_at: dict[Thing, tuple[Thing, ...]] = attrs.Factory(dict)
    """what lay in an open place at the last stop: unchanged, it tells nothing new"""
    _chosen: dict[Thing, int] = attrs.Factory(dict)
    """the event in which a piece was chosen, since the last stop or for an action that runs"""
    _in_action: list[frozenset[Thing]] = attrs.Factory(list)
    """the pieces that running actions were chosen with"""
    _mixed: dict[tuple[Thing, Thing], int] = attrs.Factory(dict)
    """the first event since the last stop from which on a viewer can follow a piece"""

    def __attrs_post_init__(self) -> None:
        for name, kind in self.table.game.kinds.items():
            if kind.place is not None:
                self._sights[name] = self._sight(kind.place.sight)
                self._open[name] = kind.place.sight == "open"

    def _sight(self, sight: Sight) -> Sees:
        if sight == "open":
            return lambda pos, viewer, piece, place: True
        if sight == "hidden":
            return lambda pos, viewer, piece, place: False
        if sight == "private":
            return lambda pos, viewer, piece, place: viewer in place.indexes.values()
        return self._condition(sight)

    def _condition(self, sight: Sight) -> SeesSlot:
        """`seen when`, of a piece in a place, of a slot's owner twice, or of the game alone."""
        assert isinstance(sight, core.Expression)
        condition = self.table.evaluator.compiled(sight)
        size = max(3, frame_size(sight))

        def seen(pos: Position, viewer: Thing, piece: Thing | None, place: Thing | None) -> bool:
            frame: list[Value] = [place, piece, viewer, *([None] * (size - 3))]
            return bool(condition(pos, frame))

        return seen

    # ------------------------------------------------------------ seeing

    def sees(self, pos: Position, viewer: Thing, piece: Thing, place: Thing | None = None) -> bool:
        """Whether the viewer sees the piece where it lies now."""
        where = pos.place_of[piece] if place is None else place
        return self._sights[where.kind](pos, viewer, piece, where)

    def knows(self, pos: Position, viewer: Thing, piece: Thing) -> bool:
        return (viewer, piece) in self.known or self.sees(pos, viewer, piece)

    def sees_slot(self, pos: Position, viewer: Thing, state: str, owner: Thing | None) -> bool:
        """Whether the viewer may see the value of a slot."""
        info = self.table.game.states.get(state)
        if info is None or info.sight == "open":
            return True
        if info.sight == "hidden":
            return False
        if info.sight == "private":
            return owner is viewer or (owner is not None and viewer in owner.indexes.values())
        if state not in self._slot_sights:
            self._slot_sights[state] = self._condition(info.sight)
        return self._slot_sights[state](pos, viewer, owner, owner)

    def counts(self, pos: Position, viewer: Thing, place: Thing) -> bool:
        """Whether the viewer may see how many pieces lie there."""
        info = self._place(place)
        if not info.uncounted:
            return True
        pieces = pos.contents[place]
        if pieces:
            return all(self.sees(pos, viewer, piece, place) for piece in pieces)
        return info.sight == "private" and viewer in place.indexes.values()

    def _place(self, place: Thing) -> PlaceInfo:
        info = self.table.game.kinds[place.kind].place
        assert info is not None
        return info

    def always_open(self, place: Thing) -> bool:
        return self._open[place.kind]

    def restore(
        self,
        known: frozenset[tuple[Thing, Thing]],
        narrowed: dict[tuple[Thing, Thing], frozenset[Look]],
    ) -> None:
        """Go back to what was known before."""
        self.known, self.narrowed = known, narrowed
        self._looked_at = {}
        self._chosen, self._mixed = {}, {}

    # ------------------------------------------------------------ what events tell

    def chosen(self, pieces: Iterable[Thing], event: int) -> None:
        """Pieces are chosen: from then on everybody can follow them, whatever they are."""
        self._chosen.update(dict.fromkeys(pieces, event))

    def hides_among_others(self, pos: Position, viewer: Thing, piece: Thing) -> bool:
        """Whether somebody who knows that the piece lies there can't tell it from the others."""
        place = pos.place_of[piece]
        return (
            len(pos.contents[place]) > 1
            and not self._place(place).stack
            and not self.sees(pos, viewer, piece, place)
        )

    def seen_in(self, event: int, pieces: frozenset[Thing]) -> Iterator[tuple[Thing, Thing]]:
        """Which viewers can tell by now which pieces an event was about."""
        for pair in product(self.table.things("Player"), pieces):
            if pair in self.known and self._mixed.get(pair, 0) <= event:
                yield pair

    @contextmanager
    def following(self, pieces: frozenset[Thing]) -> Iterator[None]:
        """While an action runs, it may still turn out with which pieces it was chosen."""
        self._in_action.append(pieces)
        try:
            yield
        finally:
            self._in_action.remove(pieces)

    def glimpsed(
        self, pos: Position, pieces: tuple[Thing, ...], place: Thing
    ) -> Iterator[tuple[int, Thing, Thing]]:
        """Who sees chosen pieces come to a place: since which event, viewer and piece.

        Even if they are mixed with others before the next stop, that is what one saw.
        """
        for piece in pieces:
            since = self._chosen.get(piece)
            if since is None:
                continue
            for viewer in self.table.things("Player"):
                if self.sees(pos, viewer, piece, place):
                    yield max(since, self._mixed.get((viewer, piece), 0)), viewer, piece

    def sealed(self) -> None:
        """No event so far tells any more than it does now, but those of running actions."""
        kept = frozenset().union(*self._in_action)
        self._chosen = {piece: at for piece, at in self._chosen.items() if piece in kept}
        self._mixed = {pair: at for pair, at in self._mixed.items() if pair[1] in kept}

    # ------------------------------------------------------------ changes

    def at_stop(self, pos: Position) -> None:
        """Pieces are seen when the game stops for a decision, a roll or its end."""
        viewers = self.table.things("Player")
        added: set[tuple[Thing, Thing]] = set()
        for place, pieces in pos.contents.items():
            if not pieces:
                continue
            if self._open[place.kind]:
                if self._looked_at.get(place) is not pieces:
                    self._looked_at[place] = pieces
                    added.update((viewer, piece) for viewer in viewers for piece in pieces)
                continue
            sees = self._sights[place.kind]
            for viewer in viewers:
                added.update((viewer, piece) for piece in pieces if sees(pos, viewer, piece, place))
        if not added <= self.known:
            self.known = self.known | added

    @contextmanager
    def as_at_stop(self, pos: Position) -> Iterator[None]:
        """For what is told: as if the game stopped here."""
        known, looked_at = self.known, dict(self._looked_at)
        self.at_stop(pos)
        try:
            yield
        finally:
            self.known, self._looked_at = known, looked_at

    def mixes(self, place: Thing) -> bool:
        """Whether what stays in a place may be mistaken for what leaves it."""
        return not self.always_open(place) and not self._place(place).stack

    def moving(
        self, pos: Position, pieces: tuple[Thing, ...], source: Thing, target: Thing, event: int
    ) -> frozenset[tuple[Thing, Thing]]:
        """Before pieces leave a place: what is forgotten. Returns who knows which of them.

        `event` is the number of the next event.
        """
        viewers = self.table.things("Player")
        knew = frozenset(
            (viewer, piece)
            for piece in pieces
            for viewer in viewers
            if (viewer, piece) in self.known
        )
        if not self.mixes(source):
            return knew
        gone = set(pieces)
        staying = tuple(piece for piece in pos.contents[source] if piece not in gone)
        if not staying:
            return knew
        lost: set[tuple[Thing, Thing]] = set()
        for viewer in viewers:
            unseen = [
                piece
                for piece in pieces
                if not self.sees(pos, viewer, piece, source)
                and not self.sees(pos, viewer, piece, target)
            ]
            if unseen:
                lost.update((viewer, piece) for piece in (*unseen, *staying))
            else:
                mistaken = self._mistakable(pos, viewer, pieces, source, staying)
                lost.update((viewer, piece) for piece in mistaken)
        self._forget(lost, event)
        return knew - lost

    def _mistakable(
        self,
        pos: Position,
        viewer: Thing,
        pieces: tuple[Thing, ...],
        source: Thing,
        staying: tuple[Thing, ...],
    ) -> Iterator[Thing]:
        """Known pieces that look like unknown ones that are leaving: did they leave, or these?"""
        left: dict[Look, deque[Thing]] = {}
        for piece in staying:
            if (viewer, piece) in self.known:
                left.setdefault(look(piece), deque()).append(piece)
        for piece in pieces:
            if (viewer, piece) not in self.known and not self.sees(pos, viewer, piece, source):
                like = left.get(look(piece))
                if like:
                    yield like.popleft()

    def shuffled(self, pos: Position, place: Thing, event: int) -> None:
        """After a shuffle; `event` is the number of the next event."""
        viewers = self.table.things("Player")
        mixed = {
            (viewer, piece)
            for piece in pos.contents[place]
            for viewer in viewers
            if not self.sees(pos, viewer, piece, place)
        }
        for _, piece in mixed:
            self._chosen.pop(piece, None)
        self._forget(mixed, event)

    def show(self, viewers: tuple[Thing, ...], pieces: tuple[Thing, ...]) -> None:
        self.known = self.known | {(viewer, piece) for viewer in viewers for piece in pieces}

    def narrow(self, viewer: Thing, piece: Thing, looks: frozenset[Look]) -> None:
        """The viewer learns that the piece has one of these looks."""
        key = (viewer, piece)
        before = self.narrowed.get(key)
        now = looks if before is None else looks & before
        self.narrowed = {**self.narrowed, key: now}

    def _forget(self, lost: set[tuple[Thing, Thing]], event: int) -> None:
        self._mixed.update((pair, self._chosen.get(pair[1], event)) for pair in lost)
        if lost:
            self.known = self.known - lost
            if any(key in self.narrowed for key in lost):
                self.narrowed = {k: v for k, v in self.narrowed.items() if k not in lost}


Look = tuple["Thing | None", tuple[Value, ...]]
"""What can be told of a piece by looking at it: its face and its indexes."""


def look(piece: Thing) -> Look:
    return piece.face, tuple(piece.indexes.values())
