"""The log of a game as a seat may read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TypeVar, assert_never

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model.game import ActionInfo, TriggerInfo
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
from ruledsl.play.inflection import Phrase
from ruledsl.play.value_phrases import ValuePhrases
from ruledsl.play.words import Words, is_told
from ruledsl.syntax import ast
from ruledsl.table.things import Thing, Value
from ruledsl.texts import events as texts
from ruledsl.texts.text import Phrases

T = TypeVar("T", bound=Value)

FEW = 2
"""A value shown to more players than this is what an action did, not news of its own."""

SHOWN_PIECES = (texts.SHOWN_OPENLY, texts.SHOWN_TO_YOU, texts.SHOWN, texts.SHOWN_TO_SEVERAL)
SHOWN_VALUES = (
    texts.VALUE_SHOWN_OPENLY,
    texts.VALUE_SHOWN_TO_YOU,
    texts.VALUE_SHOWN,
    texts.VALUE_SHOWN_TO_SEVERAL,
)
HIDDEN_VALUES = (
    texts.VALUE_SHOWN_OPENLY,
    texts.VALUE_SHOWN_TO_YOU,
    texts.HIDDEN_SHOWN,
    texts.HIDDEN_SHOWN_TO_SEVERAL,
)
"""To all, to the only reader, to one other, to several."""


@attrs.frozen
class Line:
    """A line of the log; headlines say what somebody did or what happened by itself."""

    text: str
    headline: bool
    span: Span
    trail: ast.Trail


def log_lines(
    events: Iterable[AnyEvent], viewers: tuple[Thing, ...], words: Words
) -> Iterator[Line]:
    """The events as they can be told to some viewers at once; to nobody, everything can."""
    teller = Teller(frozenset(viewers), words)
    yield from (line for event in events if (line := teller.line(event)) is not None)


@attrs.frozen
class Teller:
    """Puts events in words for some viewers."""

    viewers: frozenset[Thing]
    words: Words

    def line(self, event: AnyEvent) -> Line | None:
        """An event as a line of the log, if it can be told at all."""
        told = self.tell(event)
        return None if told is None else Line(*told, event.span, event.trail)

    @property
    def phrase(self) -> Phrases:
        return Phrases(self.words.language)

    def tell(self, event: AnyEvent) -> tuple[str, bool] | None:
        words = self.words
        match event:
            case Chosen(seat=seat, action=action, values=values, viewers=viewers):
                if not event.is_noticed_by(self.viewers):
                    return None
                player = words.thing(seat)
                if not self.viewers <= viewers:
                    return self.phrase(texts.CHOSEN_SECRETLY, player=player), True
                if action is None:
                    what = self.values((values,), event)
                else:
                    info = words.game.actions[action]
                    what = self.labelled(info, values, event, partial(words.action, action))
                return self.phrase(texts.CHOSEN, player=player, what=what), True
            case Moved(pieces=pieces, source=source, target=target):
                if not pieces or source is target:
                    return None
                what = self.pieces(pieces, event)
                told = self.phrase(
                    texts.MOVED, what=what, source=words.place(source), target=words.place(target)
                )
                return told, False
            case Assigned(state=state, owner=owner, value=value, viewers=viewers):
                if not self.viewers <= viewers:
                    return None
                label = self._state(state, owner, event)
                return self.phrase(
                    texts.ASSIGNED, state=label, value=self.values((value,), event)
                ), False
            case Rolled(value=value, viewers=viewers):
                if not self.viewers <= viewers:
                    return self.phrase(texts.ROLLED_SECRETLY), True
                return self.phrase(texts.ROLLED, value=self.values((value,), event)), True
            case Shuffled(place=place):
                return self.phrase(texts.SHUFFLED, place=words.place(place)), False
            case Shown():
                return self.shown(event), bool(event.pieces) or len(event.viewers) <= FEW
            case Narrated(text=text, values=told):
                return self.told(text, dict(told), event), True
            case Triggered(trigger=trigger, values=values):
                happened = words.game.triggers[trigger]
                if happened.title is None:
                    return None
                said = self.labelled(happened, values, event, partial(words.trigger, trigger))
                return said, True
            case Eliminated(player=player):
                return self.phrase(texts.ELIMINATED, player=words.thing(player)), True
            case Ended(how=how, winners=winners):
                if not winners:
                    return self.phrase(texts.LOST if how == "lose" else texts.DRAWN), True
                won = texts.WON if len(winners) == 1 else texts.ALL_WON
                return self.phrase(won, players=self._players(winners, event)), True
            case _:
                assert_never(event)

    def told(self, text: str, values: Mapping[str, Value], event: AnyEvent) -> str:
        """A sentence of the rules' own, with words for its values."""
        return self._phrases(event).filled(self.words.text(text), values)

    def phrased(self, value: Value, event: AnyEvent) -> Phrase:
        """A value with its article, as a sentence needs it."""
        return self._phrases(event).of(value)

    def _phrases(self, event: AnyEvent) -> ValuePhrases:
        return ValuePhrases(self.words, unknown=lambda value: self.is_unknown(value, event))

    def labelled(
        self,
        info: ActionInfo | TriggerInfo,
        values: tuple[Value, ...],
        event: AnyEvent,
        label: Callable[[Mapping[str, str]], str],
    ) -> str:
        """A label with what it has a place for, and the other parameters behind it."""
        given = [(draw.local.name, value) for draw, value in zip(info.picks, values, strict=True)]
        said = label({name: self.values((value,), event) for name, value in given})
        rest = tuple(value for name, value in given if not is_told(info.title, name))
        return f"{said}: {self.values(rest, event)}" if rest else said

    def shown(self, event: Shown) -> str:
        players = tuple(sorted(event.viewers, key=lambda player: player.order))
        told = self.viewers <= event.viewers
        if event.pieces:
            what = self.pieces(event.pieces, event)
            openly, to_you, to_one, to_several = SHOWN_PIECES
        else:
            what = self.values((event.value,), event) if told else ""
            openly, to_you, to_one, to_several = SHOWN_VALUES if told else HIDDEN_VALUES
        if told and len(event.viewers) > FEW:
            return self.phrase(openly, what=what)
        if told and len(self.viewers) == 1:
            return self.phrase(to_you, what=what)
        said = to_one if len(players) == 1 else to_several
        return self.phrase(said, players=self._players(players, event), what=what)

    def _players(self, players: tuple[Thing, ...], event: AnyEvent) -> str:
        return str(self.phrased(players, event)) if players else self.words.own("none")

    def _state(self, state: str, owner: Thing | None, event: AnyEvent) -> str:
        label = self.words.state(state)
        if owner is None:
            return label
        return f"{label} ({self.one(owner, event)})"

    def values(self, values: tuple[Value, ...], event: AnyEvent) -> str:
        flat: list[Value] = []
        for value in values:
            flat.extend(self._known_first(value, event) if isinstance(value, tuple) else (value,))
        return ", ".join(self.one(value, event) for value in flat) or self.words.own("none")

    def _known_first(self, values: tuple[T, ...], event: AnyEvent) -> list[T]:
        """A set in an order that does not tell what its unknown pieces are."""
        return sorted(values, key=lambda value: self.is_unknown(value, event))

    def is_unknown(self, value: Value, event: AnyEvent) -> bool:
        return (
            isinstance(value, Thing)
            and self.is_piece(value)
            and any((viewer, value) not in event.seen for viewer in self.viewers)
        )

    def one(self, value: Value, event: AnyEvent) -> str:
        if isinstance(value, Thing) and self.is_piece(value):
            if isinstance(event, Chosen) and value in dict(event.places):
                place = dict(event.places)[value]
                return f"{self.words.kind(value.kind)} ({self.words.place(place)})"
            if self.is_unknown(value, event):
                return self.words.kind(value.kind)
            if isinstance(event, Assigned) and value is event.owner and event.place is not None:
                return f"{self.words.value(value)} ({self.words.place(event.place)})"
        return self.words.value(value)

    def is_piece(self, thing: Thing) -> bool:
        kind = self.words.game.kinds.get(thing.kind)
        return kind is not None and kind.sort == "piece"

    def pieces(self, pieces: tuple[Thing, ...], event: AnyEvent) -> str:
        """Known pieces by name, the others counted."""
        counted: dict[str, int] = {}
        for piece in self._known_first(pieces, event):
            label = self.one(piece, event)
            counted[label] = counted.get(label, 0) + 1
        return ", ".join(
            label if number == 1 else self.phrase(texts.SEVERAL, number=str(number), kind=label)
            for label, number in counted.items()
        )
