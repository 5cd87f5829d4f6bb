"""What is kept track of: states with their ranges, and who sees them."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.game import StateInfo
from ruledsl.model.types import FlagType, NumberType, SetType
from ruledsl.play.noun_phrases import NounPhrases
from ruledsl.play.sheets.context import SheetContext
from ruledsl.play.sheets.entries import Entry
from ruledsl.texts import sheets

STATE_SIGHTS = {"hidden": sheets.STATE_HIDDEN, "private": sheets.STATE_PRIVATE}


@attrs.frozen
class Values:
    context: SheetContext

    def entries(self) -> Iterator[Entry]:
        for state in self.context.game.states.values():
            if self.context.is_shown(state.key):
                telling = self.context.telling
                noun = telling.noun(state.name).one
                owner = "" if state.owner is None else telling.kind_noun(state.owner).one
                named = f"{noun} ({owner})" if owner else noun
                parts = "; ".join(self._value(state))
                yield Entry(self.context.sentence(f"{named}: {parts}"), trail=state.trail)

    def _value(self, state: StateInfo) -> Iterator[str]:
        phrase = self.context.phrase
        telling = self.context.telling.owning(state.own)
        kind, start = self._kind(state, telling), state.start
        if start is None or start == core.SetOf(()):
            yield kind
        else:
            yield phrase(sheets.AT_FIRST, type=kind, start=str(telling.said(start)))
        if isinstance(state.sight, str) and state.sight in STATE_SIGHTS:
            yield phrase(STATE_SIGHTS[state.sight])
        elif isinstance(state.sight, core.Expression):
            yield self.context.seen(state.own, state.sight)
        if state.each is not None:
            yield phrase(sheets.EACH, step=self.context.prose.referred(state.each))

    def _kind(self, state: StateInfo, telling: NounPhrases) -> str:
        """What kind of value it is, or from where to where it goes."""
        match state.type:
            case FlagType():
                return self.context.phrase(sheets.FLAG)
            case NumberType() if state.bounds is not None:
                low, high = telling.said(state.bounds.low), telling.upper(state.bounds.high)
                return telling.part("range", a=low, b=high)
            case NumberType():
                return self.context.phrase(sheets.NUMBER)
            case SetType():
                return str(telling.grammar.some(telling.noun_of(state.type)))
            case _:
                return str(telling.grammar.a(telling.noun_of(state.type)))
