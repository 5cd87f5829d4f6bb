"""Things that somebody names though they can't be chosen: whose they are, or where they are not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

import attrs

from ruledsl.model import core
from ruledsl.model.types import SetType, ThingType, Type, plain
from ruledsl.play.decisions import Decision
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.words import Words
from ruledsl.table.queries import as_set
from ruledsl.table.things import Thing, Value

Why: TypeAlias = Literal["others", "empty", "not there", "not offered"]


@attrs.frozen
class Elsewhere:
    """A thing that can't be chosen: it is somebody else's, nothing stands there, it does not lie
    where one chooses from, or it is simply not among what is offered."""

    thing: str
    why: Why
    where: str = ""
    """whose it is, or where it does not lie"""


def elsewhere(
    words: Words, interpreter: Interpreter, decision: Decision, text: str
) -> Elsewhere | None:
    """What a text names that could be chosen by its kind, but not here and now.

    It tells nothing that the one who decides does not see.
    """
    typed = _words(text)
    for domain, of, values in _domains(interpreter, decision):
        meant = list(_named(words, interpreter, of, typed))
        # Of several called so, one that is there is meant, and something else is wrong.
        if meant and not any(thing in values for thing in meant):
            return _Judging(words, interpreter, decision).judged(meant[0], domain, values)
    return None


def _domains(
    interpreter: Interpreter, decision: Decision
) -> Iterator[tuple[core.Expr, Type, tuple[Value, ...]]]:
    """What each part of a choice is taken from, the first parameters of actions first."""
    statement = decision.statement
    with interpreter.as_chooser(decision.seat):
        if isinstance(statement, core.ChooseValue):
            values = as_set(interpreter.value(statement.domain, decision.frame))
            yield statement.domain, statement.element.type, values
            return
        for offer in statement.offers:
            judged = interpreter.legality.judged(offer.action)
            around = [*decision.frame] if judged.info.inline else None
            frame = interpreter.legality.frame_for(judged, around)
            if judged.domains:
                draw = judged.info.picks[0]
                values = as_set(judged.domains[0](interpreter.pos, frame))
                yield draw.domain, draw.local.type, values


def _named(words: Words, interpreter: Interpreter, of: Type, typed: list[str]) -> Iterator[Thing]:
    """The things of a type whose name begins what was typed."""
    inner = plain(of)
    inner = inner.element if isinstance(inner, SetType) else inner
    for kind in sorted(inner.kinds) if isinstance(inner, ThingType) else ():
        for thing in interpreter.table.things(kind):
            for sign in words.signs(thing):
                name = _words(sign)
                if name and typed[: len(name)] == name:
                    yield thing
                    break


@attrs.frozen
class _Judging:
    words: Words
    interpreter: Interpreter
    decision: Decision

    def judged(self, thing: Thing, domain: core.Expr, values: tuple[Value, ...]) -> Elsewhere:
        """Why a thing is not among what is chosen from, as far as the chooser may know."""
        name, pos = self.words.value(thing), self.interpreter.pos
        standing = pos.contents.get(thing)
        if standing is not None and self._is_board(thing):
            if not standing:
                return Elsewhere(name, "empty")
            owner = self._owner(standing[-1])
            if owner is not None and owner is not self.decision.seat:
                return Elsewhere(name, "others", self.words.value(owner))
        if thing in pos.place_of:
            owner = self._owner(thing)
            if owner is not None and owner is not self.decision.seat:
                return Elsewhere(name, "others", self.words.value(owner))
            place = self._chosen_from(domain)
            if place is not None and all(self._knows(each) for each in values):
                return Elsewhere(name, "not there", self.words.place(place))
        return Elsewhere(name, "not offered")

    def _is_board(self, place: Thing) -> bool:
        kind = self.interpreter.game.kinds[place.kind]
        return kind.place is not None and kind.place.sight == "open" and not kind.place.stack

    def _chosen_from(self, domain: core.Expr) -> Thing | None:
        if isinstance(domain, core.Contents):
            with self.interpreter.as_chooser(self.decision.seat):
                place = self.interpreter.value(domain.place, self.decision.frame)
            return place if isinstance(place, Thing) else None
        return None

    def _knows(self, value: Value) -> bool:
        knowledge, pos = self.interpreter.knowledge, self.interpreter.pos
        return not isinstance(value, Thing) or knowledge.knows(pos, self.decision.seat, value)

    def _owner(self, piece: Thing) -> Thing | None:
        """Whose piece it is, by its index."""
        if not self._knows(piece):
            return None
        owners = (each for each in piece.indexes.values() if isinstance(each, Thing))
        return next((each for each in owners if each.kind == "Player"), None)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+|[^\w\s]", text.casefold())
