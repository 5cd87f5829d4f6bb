"""What happened, as data and in sentences, as far as somebody may know it.

Which piece it was is told by what they could tell when it happened, not by what they know now.
"""

from __future__ import annotations

from typing import Any, assert_never

import attrs

from ruledsl.play.events import (
    AnyEvent,
    Assigned,
    Chosen,
    Eliminated,
    Ended,
    Moved,
    Narrated,
    Rolled,
    Shown,
    Shuffled,
    Triggered,
)
from ruledsl.play.log import Teller
from ruledsl.scene.data import Happening, Piece, Sort, Stat
from ruledsl.scene.looks import is_player
from ruledsl.scene.stage import Set, Told
from ruledsl.scene.story import Story
from ruledsl.syntax import ast
from ruledsl.table.things import Thing, Value, things

BLOCK = 4096
"""Events that are compared at once: of a long game, whole lists would be copied again and again."""


def _common(before: list[AnyEvent], events: list[AnyEvent]) -> int:
    """So many events at the beginning are the same.

    They are all, but for some at the end, whenever a game goes on; so parts of lists are compared,
    and lists only: nothing else is equal to one.
    """
    most = min(len(before), len(events))
    same, step = 0, BLOCK
    while same < most and step:
        end = min(same + step, most)
        if before[same:end] == events[same:end]:
            same = end
        else:
            step //= 2
    return same


class Telling:
    """Tells what happened to some viewers at once."""

    def __init__(self, scenery: Set, viewers: tuple[Thing, ...]) -> None:
        self.set = scenery
        self.viewers = frozenset(viewers)
        self.teller = Teller(self.viewers, scenery.words)
        self.story = Story(scenery, self.teller)

    def happenings(self, events: list[AnyEvent], since: int) -> tuple[int, list[Happening]]:
        """How much the viewers may know of, and all of it `since` then.

        What was told before is not put in words again.
        """
        told = self.set.told.setdefault(self.viewers, Told())
        same = _common(told.events, events)
        while 0 < same < len(events) and not isinstance(events[same], Chosen):
            same -= 1  # a chapter is told as a whole
        fresh = [self._happening(event) for event in events[same:]]
        for sentence in self.story.sentences(events[same:]):
            happening = fresh[sentence.at]
            if happening is not None:
                fresh[sentence.at] = attrs.evolve(
                    happening, text=sentence.text, headline=sentence.headline
                )
        told.go_on(same, events, fresh)
        return len(told.happenings), told.happenings[since:]

    def shown(self, events: list[AnyEvent], since: int) -> frozenset[Thing]:
        """The pieces that the viewers were shown `since` so many happenings."""
        self.happenings(events, since)
        return frozenset(
            piece
            for event in self.set.told[self.viewers].since(since)
            if isinstance(event, Shown) and self.viewers <= event.viewers
            for piece in event.pieces
        )

    def _happening(self, event: AnyEvent) -> Happening | None:
        match event:
            case Chosen() if not event.is_noticed_by(self.viewers):
                return None
            case Chosen(seat=seat, values=values, viewers=viewers):
                touches = self._touches(values, event) if self.viewers <= viewers else ()
                return self._told("chosen", event, seat=seat.index + 1, touches=touches)
            case Moved(pieces=pieces, source=source, target=target):
                if not pieces or source is target:
                    return None
                return self._told(
                    "moved",
                    event,
                    pieces=self._pieces(pieces, event),
                    source=str(source),
                    target=str(target),
                )
            case Assigned(state=state, owner=owner, value=value, viewers=viewers):
                if not self.viewers <= viewers or self.set.looks.is_bookkeeping(state):
                    return None
                return self._told(
                    "set",
                    event,
                    stat=self._stat(state, value, event),
                    owner=self._id(owner, event),
                )
            case Rolled(state=state, owner=owner, value=value, viewers=viewers):
                if not self.viewers <= viewers:
                    return self._told("rolled", event)
                return self._told(
                    "rolled",
                    event,
                    stat=self._stat(state or "", value, event),
                    owner=self._id(owner, event),
                )
            case Shuffled(place=place):
                return self._told("shuffled", event, target=str(place))
            case Shown(pieces=pieces):
                return self._told("shown", event, pieces=self._pieces(pieces, event))
            case Narrated(values=told):
                values = tuple(things(value for _, value in told))
                return self._told("told", event, touches=self._touches(values, event))
            case Triggered(values=values):
                if self.teller.line(event) is None:
                    return None
                return self._told("happened", event, touches=self._touches(values, event))
            case Eliminated(player=player):
                return self._told("out", event, seat=player.index + 1)
            case Ended():
                return self._told("over", event)
            case _:
                assert_never(event)

    def _told(self, sort: Sort, event: AnyEvent, **parts: Any) -> Happening:
        cites = tuple(mark.rule for mark in event.trail if isinstance(mark, ast.Cite))
        return Happening(sort, None, cites=cites, **parts)

    # ------------------------------------------------------------ what it was about

    def _pieces(self, pieces: tuple[Thing, ...], event: AnyEvent) -> tuple[Piece, ...]:
        """Known ones first, so that their order does not tell what the others are."""
        told = [self._piece(piece, event) for piece in pieces]
        return tuple(sorted(told, key=lambda piece: not piece.known))

    def _piece(self, piece: Thing, event: AnyEvent) -> Piece:
        looks, words = self.set.looks, self.set.words
        if self.teller.is_unknown(piece, event):
            back = looks.back(piece.kind)
            return Piece("", piece.kind, words.kind(piece.kind), back.shape, known=False)
        look = looks.piece(piece, ())
        label = looks.body(piece, ())
        owner = looks.owner(piece, ())
        return Piece(
            "",
            piece.kind,
            label,
            look.shape,
            letters=looks.letters[piece.kind].get(label, ""),
            colour=look.colour,
            symbols=look.symbols,
            owner=None if owner is None else owner.index + 1,
        )

    def _stat(self, state: str, value: Value, event: AnyEvent) -> Stat:
        words = self.set.words
        look = self.set.looks.of_value(value)
        number = value if isinstance(value, int) and not isinstance(value, bool) else None
        return Stat(
            state,
            words.state(state) if state else "",
            self.teller.values((value,), event),
            number=number,
            flag=value is True,
            symbol=look.symbol,
            colour=look.colour,
        )

    def _touches(self, values: tuple[Value, ...], event: AnyEvent) -> tuple[str, ...]:
        found = (self._id(value, event) for value in values if isinstance(value, Thing))
        return tuple(sorted({each for each in found if each is not None}))

    def _id(self, thing: Thing | None, event: AnyEvent) -> str | None:
        """A place or a player; of a piece, where it stood on a board."""
        if thing is None:
            return None
        if is_player(thing) or thing in self.set.shown:
            return str(thing)
        if isinstance(event, Chosen) and thing in dict(event.places):
            return str(dict(event.places)[thing])
        return None
