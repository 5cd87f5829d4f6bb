"""What has happened in sentences: what was chosen, and what came of it.

The events between two choices make a chapter. In it what belongs together is one sentence: the way
of a piece, the cards that were dealt, a value from where it was to where it is. Turn-taking and
bookkeeping are left out, and what a choice says already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import attrs

from ruledsl.model.game import has_secrets
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
from ruledsl.play.log import FEW, Teller
from ruledsl.play.naming import Naming
from ruledsl.play.words import is_told
from ruledsl.scene.looks import is_player
from ruledsl.scene.stage import Set
from ruledsl.table.things import Thing, Value
from ruledsl.texts import story as texts

MANY = 4
"""So many pieces that go the same kind of way are told together."""


@attrs.frozen
class Sentence:
    """A sentence, with the number of the event that it begins with."""

    at: int
    text: str
    headline: bool


@attrs.define
class _Way:
    """Pieces that went from place to place."""

    at: int
    labels: list[str]
    places: list[Thing]
    pieces: tuple[Thing, ...]
    """those that the reader can follow"""
    scattered: bool = False
    """they came from several places of a kind"""


@attrs.define
class _Change:
    at: int
    event: Assigned
    before: str | None
    first: Value
    last: Assigned


_Entry = Sentence | _Way | _Change | list[tuple[int, Rolled]]


class Story:
    """Tells the events of a game to some viewers."""

    def __init__(self, scenery: Set, teller: Teller) -> None:
        self.set = scenery
        self.teller = teller
        self.words = scenery.words
        self.say = teller.phrase
        self.open = not has_secrets(scenery.table.game)
        self.untold = scenery.untold
        self.everybody = frozenset(scenery.table.things("Player"))
        self.naming = Naming(scenery.words)
        kinds = scenery.table.game.kinds
        self._nouns = {
            self.words.kind(name): self.naming.kind_noun(name)
            for name, kind in kinds.items()
            if kind.sort == "piece"
        }

    def sentences(self, events: Sequence[AnyEvent]) -> Iterator[Sentence]:
        starts = [at for at, event in enumerate(events) if isinstance(event, Chosen)]
        bounds = dict.fromkeys((0, *starts, len(events)))
        for start, end in pairwise(bounds):
            begun = False
            turn = start
            for each in self._chapter(events, start, end):
                # What rules tell of a choice is a headline, and what else they tell comes of it,
                # until it is somebody else's turn.
                begun &= not any(map(_is_next_turn, events[turn : each.at]))
                turn = max(turn, each.at)
                follows = begun and isinstance(events[each.at], Narrated)
                told = attrs.evolve(each, headline=False) if follows else each
                begun |= told.headline and isinstance(events[start], Chosen)
                yield told

    def _chapter(self, events: Sequence[AnyEvent], start: int, end: int) -> Iterator[Sentence]:
        """The events from `start` to `end`, of which the first may be a choice."""
        entries: list[_Entry] = []
        said: set[Thing] = set()
        chosen = events[start] if start < end and isinstance(events[start], Chosen) else None
        assert chosen is None or isinstance(chosen, Chosen)
        for at in range(start, end):
            event = events[at]
            if self._is_untold(event):
                continue
            if isinstance(event, Narrated):
                # What follows is told behind it, and from there.
                yield from self._all(entries)
                entries.clear()
            follows = events[at + 1] if at + 1 < len(events) else None
            if isinstance(event, Moved):
                follows = _behind_moves(events, at, event.target)
            self._add(entries, at, event, chosen, follows, said)
        yield from self._all(entries)

    def _all(self, entries: list[_Entry]) -> Iterator[Sentence]:
        for entry in self._together(entries):
            yield from self._told(entry)

    def _is_untold(self, event: AnyEvent) -> bool:
        """Whether the rules tell it themselves, or not at all; a secret choice they can't tell.

        Nor can they tell one player alone what was shown to that one.
        """
        if isinstance(event, Moved | Assigned | Rolled | Shuffled):
            return event.span in self.untold
        if isinstance(event, Shown):
            to_these = self.teller.viewers <= event.viewers
            return event.span in self.untold and (not to_these or self.everybody <= event.viewers)
        return (
            isinstance(event, Chosen)
            and self.teller.viewers <= event.viewers
            and event.span in self.untold
        )

    def _together(self, entries: list[_Entry]) -> Iterator[_Entry]:
        """Many alike that go the same kind of way, such as a row that is pushed, are told once."""
        groups: dict[object, list[_Way]] = {}
        for entry in entries:
            if isinstance(entry, _Way):
                groups.setdefault(_manner(entry), []).append(entry)
        for entry in entries:
            group = groups[_manner(entry)] if isinstance(entry, _Way) else []
            if len(group) < MANY:
                yield entry
            elif entry is group[0]:
                assert isinstance(entry, _Way)
                labels = [label for way in group for label in way.labels]
                yield Sentence(entry.at, self._many(labels, entry.places), False)

    def _many(self, labels: Sequence[str], places: Sequence[Thing]) -> str:
        what = sentence(self._counted(labels))
        first, last = (self.words.name(place.kind) for place in (places[0], places[-1]))
        if places[0].kind == places[-1].kind:
            return self.say(texts.MOVED_ON, what=what, place=first)
        if not self._is_shown(places[0]):
            return self.say(texts.CAME, what=what, target=last)
        if not self._is_shown(places[-1]):
            return self.say(texts.LEFT, what=what, source=first)
        return self.say(texts.MOVED, what=what, way=f"{first} → {last}")

    def _add(
        self,
        entries: list[_Entry],
        at: int,
        event: AnyEvent,
        chosen: Chosen | None,
        follows: AnyEvent | None,
        said: set[Thing],
    ) -> None:
        match event:
            case Moved():
                known = not any(self.teller.is_unknown(piece, event) for piece in event.pieces)
                if chosen is None or not known or not self._says(chosen, event, said):
                    self._moved(entries, at, event, follows)
                said.update(event.pieces)
            case Assigned():
                if not _is_answer(event, follows):
                    self._assigned(entries, at, event)
            case Rolled():
                last = entries[-1] if entries else None
                if not self.teller.viewers <= event.viewers:
                    entries.append(Sentence(at, self.say(texts.ROLLED_SECRETLY), True))
                elif isinstance(last, list) and _is_dice(last[0][1]) == _is_dice(event):
                    last.append((at, event))
                else:
                    entries.append([(at, event)])
            case Chosen():
                text = self._chosen(event)
                if text is not None:
                    entries.append(Sentence(at, text, True))
            case Shuffled(place=place):
                if place in self.set.shown:
                    self._plain(entries, at, event)
            case Shown(value=bool(), pieces=()):
                pass  # a bare yes or no is what the choice before it was about
            case Shown() | Narrated() | Triggered() | Eliminated() | Ended():
                self._plain(entries, at, event)

    def _says(self, chosen: Chosen, event: Moved, before: set[Thing]) -> bool:
        """Whether a choice says already that these pieces go there, or that they are used up."""
        if _says(chosen, event, before):
            return True
        heard = self.teller.viewers <= chosen.viewers and not chosen.forced
        named = set(event.pieces) <= set(chosen.values) - before
        return heard and named and not self._is_shown(event.target)

    def _plain(self, entries: list[_Entry], at: int, event: AnyEvent) -> None:
        """What is a sentence by itself."""
        line = self.teller.line(event)
        if line is not None:
            loud = not isinstance(event, Shuffled) and not (
                isinstance(event, Shown) and not event.pieces and len(event.viewers) > FEW
            )
            text = line.text if isinstance(event, Narrated) else f"{line.text}."
            entries.append(Sentence(at, sentence(text), loud))

    # ------------------------------------------------------------ choices

    def _chosen(self, event: Chosen) -> str | None:
        """A choice; of nothing, or without another option, it is none."""
        player = self.words.thing(event.seat)
        if not self.teller.viewers <= event.viewers:
            told = self.teller.line(event)
            return None if told is None else f"{told.text}."
        if event.forced and self.open and not (event.action and event.values):
            # Where something is hidden, it would tell what somebody can't choose.
            return None
        if event.action is None:
            values = [value for value in event.values if value is not None]
            if not values:
                return None
            what = self.teller.values((tuple(values),), event)
            prompt = "" if event.prompt is None else self.words.text(event.prompt)
            if prompt:
                asked = prompt if prompt.endswith(("?", "!")) else f"{prompt.rstrip('.:')}:"
                return self.say(texts.ANSWERED, player=player, prompt=asked, what=what)
            return self.say(texts.CHOSE, player=player, what=what)
        info = self.words.game.actions[event.action]
        given = [
            (draw.local.name, value, self.teller.values((value,), event))
            for draw, value in zip(info.picks, event.values, strict=True)
        ]
        label = self.words.action(event.action, {name: text for name, _, text in given})
        left = [(value, text) for name, value, text in given if not is_told(info.title, name)]
        what = f"{label}: {self._values(left, event)}" if left else label
        if (
            event.written
            and event.written not in what
            and (self.open or self.teller.viewers == {event.seat})
        ):
            what = f"{what} ({event.written})"
        return self.say(texts.CHOSE, player=player, what=what)

    def _values(self, given: Sequence[tuple[Value, str]], event: Chosen) -> str:
        """The parameters of an action: from where to where, or one after the other."""
        said = given[0][1]
        for (before, _), (value, text) in pairwise(given):
            leads = self._is_field(before, event) and self._is_field(value, event)
            said += f"{' → ' if leads else ', '}{text}"
        return said

    def _is_field(self, value: Value, event: Chosen) -> bool:
        if not isinstance(value, Thing):
            return False
        return value in dict(event.places) or any(
            place.id == str(value) and place.board is not None for place in self.set.stage.places
        )

    # ------------------------------------------------------------ moves

    def _moved(
        self, entries: list[_Entry], at: int, event: Moved, follows: AnyEvent | None
    ) -> None:
        source, target = event.source, event.target
        shown = self._is_shown(source), self._is_shown(target)
        if not event.pieces or source is target or not any(shown):
            return
        known = tuple(p for p in event.pieces if not self.teller.is_unknown(p, event))
        ways = [entry for entry in entries if isinstance(entry, _Way)]
        followed = [way for way in ways if way.pieces == known and way.places[-1] is source]
        if followed and len(known) == len(event.pieces):
            followed[-1].places.append(target)
            return
        # Known ones first, so that their order does not tell what the others are.
        pieces = sorted(event.pieces, key=lambda piece: self.teller.is_unknown(piece, event))
        labels = [self.teller.one(piece, event) for piece in pieces]
        if isinstance(follows, Shuffled) and follows.place is target:
            # Of what becomes a deck again, nobody wants to hear every card.
            labels = [self.words.kind(piece.kind) for piece in pieces]
        alike = [way for way in ways if way.places == [source, target]]
        if alike:
            alike[-1].labels += labels
            alike[-1].pieces = ()
            return
        gathered = [way for way in ways if _gather(way, source, target)]
        if gathered:
            gathered[-1].labels += labels
            gathered[-1].pieces = ()
            gathered[-1].scattered = True
            return
        whole = known if len(known) == len(event.pieces) else ()
        entries.append(_Way(at, labels, [source, target], whole))

    def _is_shown(self, place: Thing) -> bool:
        return place in self.set.shown or any(
            isinstance(index, Thing) and not is_player(index) for index in place.indexes.values()
        )

    def _way(self, way: _Way) -> str:
        what = self._counted(way.labels)
        first, *_, last = way.places
        player = next((i for i in last.indexes.values() if is_player(i)), None)
        info = self.words.game.kinds[first.kind].place
        if player is not None and info is not None and info.stack and info.sight == "hidden":
            drawn = self._drawn(way.labels)
            return self.say(texts.DREW, player=self.words.value(player), what=drawn)
        if not self._is_shown(first):
            return self.say(texts.CAME, what=sentence(what), target=self.words.place(last))
        if not self._is_shown(last):
            return self.say(texts.LEFT, what=sentence(what), source=self.words.place(first))
        start = self.words.name(first.kind) if way.scattered else self.words.place(first)
        way_text = " → ".join([start, *self._onwards(way.places)])
        return self.say(texts.MOVED, what=sentence(what), way=way_text)

    def _onwards(self, places: Sequence[Thing]) -> Iterator[str]:
        """The places after the first; of one family, only what tells them apart."""
        for before, place in pairwise(places):
            if place.kind == before.kind and len(place.indexes) == 1:
                (index,) = place.indexes.values()
                yield self.words.value(index)
            else:
                yield self.words.place(place)

    def _counted(self, labels: Sequence[str]) -> str:
        counts = Counter(labels)
        return ", ".join(
            label if number == 1 else self._several(label, number)
            for label, number in counts.items()
        )

    def _several(self, label: str, number: int) -> str:
        """So many alike: in the plural, if it is known."""
        noun = self._nouns.get(label)
        if noun is None or noun.many == noun.one:
            return f"{number} × {label}"
        return str(self.naming.grammar.some(noun, str(number)))

    def _drawn(self, labels: Sequence[str]) -> str:
        """What somebody draws: one of a kind with its article."""
        (label, *others) = dict.fromkeys(labels)
        noun = self._nouns.get(label)
        if others or len(labels) > 1 or noun is None:
            return self._counted(labels)
        return format(self.naming.grammar.a(noun), "acc")

    # ------------------------------------------------------------ values

    def _assigned(self, entries: list[_Entry], at: int, event: Assigned) -> None:
        info = self.words.game.states.get(event.state)
        if info is None or info.each is not None or not self.teller.viewers <= event.viewers:
            return
        if self.set.looks.is_bookkeeping(event.state):
            return
        for entry in entries:
            if isinstance(entry, _Change) and _slot(entry.event) == _slot(event):
                entry.last = event
                return
        before = None
        if self.teller.viewers <= event.saw and event.before is not None:
            before = self.teller.values((event.before,), event)
        entries.append(_Change(at, event, before, event.before, event))

    def _change(self, change: _Change) -> str | None:
        event = change.last
        if change.first == event.value and self.teller.viewers <= change.event.saw:
            return None
        state = self.words.state(event.state)
        owner = event.owner
        who = self.say(texts.THE_GAME) if owner is None else self._owner(owner, event)
        if isinstance(event.value, bool):
            text = texts.FLAG_ON if event.value else texts.FLAG_OFF
            return sentence(self.say(text, owner=who, state=state))
        value = self.teller.values((event.value,), event)
        if owner is None:
            if change.before is None:
                return sentence(self.say(texts.BECAME, state=state, value=value))
            return sentence(self.say(texts.CHANGED, state=state, before=change.before, value=value))
        if change.before is None:
            return sentence(self.say(texts.OWNER_BECAME, owner=who, state=state, value=value))
        return sentence(
            self.say(texts.OWNER_CHANGED, owner=who, state=state, before=change.before, value=value)
        )

    def _owner(self, owner: Thing, event: Assigned) -> str:
        """Whose value it is: a piece of a player with its article."""
        if event.place is None and owner.indexes and self.teller.is_piece(owner):
            return str(self.teller.phrased(owner, event))
        return self.teller.one(owner, event)

    def _rolls(self, rolls: list[tuple[int, Rolled]]) -> str:
        said = []
        for _, event in rolls:
            value = self.teller.values((event.value,), event)
            named = event.state in self.words.game.states
            names = [self.words.state(event.state or "")] if named else []
            if event.owner is not None and self.set.looks.piece_shape(event.owner.kind) == "die":
                names = []  # It is what it shows.
            elif event.owner is not None:
                names.insert(0, self.teller.one(event.owner, event))
            said.append(" ".join([*names, value]))
        text = texts.ROLLED if _is_dice(rolls[0][1]) else texts.BY_LOT
        return self.say(text, values=", ".join(said))

    # ------------------------------------------------------------ telling

    def _told(self, entry: _Entry) -> Iterator[Sentence]:
        match entry:
            case Sentence():
                yield entry
            case _Way():
                yield Sentence(entry.at, self._way(entry), False)
            case _Change():
                text = self._change(entry)
                if text is not None:
                    yield Sentence(entry.at, text, False)
            case list():
                yield Sentence(entry[0][0], self._rolls(entry), True)


def _behind_moves(events: Sequence[AnyEvent], at: int, target: Thing) -> AnyEvent | None:
    """What comes when all that goes to a place has gone there."""
    for following in range(at + 1, len(events)):
        event = events[following]
        if not (isinstance(event, Moved) and event.target is target):
            return event
    return None


def _is_next_turn(event: AnyEvent) -> bool:
    return isinstance(event, Assigned) and event.state == "active" and event.value != event.before


def sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def _gather(way: _Way, source: Thing, target: Thing) -> bool:
    """Whether more comes to where some went, from a like place: the cards of a trick."""
    same = way.places[0].kind == source.kind and way.places[-1] is target
    return same and len(way.places) == 2 and source.kind != target.kind


def _manner(way: _Way) -> object:
    """What ways have in common that are told together."""
    return tuple(way.labels), way.places[0].kind, way.places[-1].kind, len(way.places)


def _slot(event: Assigned) -> tuple[str, Thing | None]:
    return event.state, event.owner


def _is_dice(event: Rolled) -> bool:
    """What is kept in a state was rolled; a thing for once, and a player, is drawn by lot."""
    value = event.value
    return not isinstance(value, Thing) or (event.state is not None and not is_player(value))


def _is_answer(event: Assigned, follows: AnyEvent | None) -> bool:
    """Whether the choice that follows says the same."""
    if not isinstance(follows, Chosen) or follows.action is not None:
        return False
    value = event.value if isinstance(event.value, tuple) else (event.value,)
    return follows.values == value


def _says(chosen: Chosen, event: Moved, before: set[Thing]) -> bool:
    """Whether a choice says that these pieces go there; they went nowhere `before`."""
    if before.intersection(event.pieces):
        return False
    values = set(chosen.values)
    own = chosen.seat in event.source.indexes.values()
    named = set(event.pieces) <= values or event.source in values
    indexes = event.target.indexes.values()
    there = event.target in values or any(index in values for index in indexes)
    return (there and (named or own)) or (named and chosen.seat in indexes)
