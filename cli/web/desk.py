"""A match as messages see it: what a seat may look at, and what it may do.

Everything here is plain data and takes no time to speak of. Whoever keeps a desk decides who may
speak for a seat, where choices are written down, and who thinks for computers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from ruledsl.play.match import IllegalChoice, Match
from ruledsl.play.sheets.sheet import sheet_of
from ruledsl.scene.data import as_json
from ruledsl.scene.refusing import why
from ruledsl.scene.scene import cites_of, scene_of, stage_of
from ruledsl.texts.text import LANGUAGES

LONGEST_ID = 200


class Objection(Exception):
    """A message that can't be obeyed; the word names a phrase."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@attrs.frozen
class Made:
    """A choice that was made: its number, its code, and the seat."""

    number: int
    code: str
    seat: int


@attrs.frozen
class Done:
    """What a message changed: choices that were made, or how many were taken back."""

    made: tuple[Made, ...] = ()
    dropped: int = 0


class Desk:
    """A match with people and computers in its seats, asked by messages."""

    def __init__(self, match: Match, sitting: Sequence[str]) -> None:
        self.match = match
        self.sitting = tuple(sitting)
        self._past: Match | None = None

    @property
    def turn(self) -> int:
        """How many choices were made: what a choice refers to."""
        return len(self.match.history)

    # ------------------------------------------------------------ looking

    def stage(self, language: str) -> dict[str, Any]:
        self.match.speak(language)
        return {
            "stage": as_json(stage_of(self.match)),
            "sitting": list(self.sitting),
            "languages": ["en", *self.match.game.languages],
        }

    def look(self, seat: int | None, since: int, language: str) -> dict[str, Any]:
        """The scene of a seat, with what happened since the seat last looked."""
        self.match.speak(language)
        scene = scene_of(self.match, seat, since)
        return {
            "scene": as_json(scene),
            "since": since,
            "turn": self.turn,
            "undo": seat is not None and self.match.seat == seat and self.match.can_undo(),
        }

    def past(self, seat: int | None, turn: int, language: str) -> dict[str, Any]:
        """What a seat saw after so many choices."""
        if not 0 <= turn <= self.turn:
            raise Objection("no such turn")
        match = self.match
        if self._past is None:
            self._past = Match(
                match.game, match.players, match.settings, match.seed, match.words.language
            )
        past = self._past
        wanted = match.history[:turn]
        if past.history != wanted[: len(past.history)]:
            past.replay(())
        for number in wanted[len(past.history) :]:
            past.choose(number)
        past.speak(language)
        scene = attrs.evolve(scene_of(past, seat), ask=None)
        return {"past": as_json(scene), "at": turn, "of": self.turn}

    def why(self, ids: Sequence[str], language: str) -> dict[str, Any]:
        """Why no option touches these things; asked by the seat that decides."""
        self.match.speak(language)
        answer = why(self.match, ids)
        return {
            "why": {
                "legal": answer.legal,
                "reasons": [attrs.asdict(reason) for reason in answer.reasons],
            }
        }

    def rules(self, language: str) -> dict[str, Any]:
        """The sheet of the rules, with citations."""
        sheet = sheet_of(self.match.game, language, (self.match.players,), ())
        return {
            "rules": {
                "title": sheet.title,
                "subtitle": sheet.subtitle,
                "sections": [
                    {
                        "title": section.title,
                        "entries": [
                            {
                                "text": entry.text,
                                "depth": entry.depth,
                                "head": entry.head,
                                "cites": list(cites_of(entry.trail)),
                            }
                            for entry in section.entries
                        ],
                    }
                    for section in sheet.sections
                ],
            }
        }

    # ------------------------------------------------------------ doing

    def choose(self, seat: int, number: int, turn: int) -> Done:
        if self.match.seat != seat:
            raise Objection("not your turn")
        if turn != self.turn:
            raise Objection("too late")
        choices = self.match.options
        if not 0 <= number < len(choices):
            raise Objection("no such option")
        made = Made(number, choices[number].code, seat)
        self.match.choose(choices[number])
        return Done((made,))

    def undo(self, seat: int) -> Done:
        """Take back the last choice; of a choice of several, all that was picked."""
        if self.match.seat != seat or not self.match.can_undo():
            raise Objection("no undo")
        dropped = 0
        try:
            while True:
                self.match.undo()
                dropped += 1
                decision = self.match.decision
                if decision is None or not decision.picked or not self.match.can_undo():
                    break
        except IllegalChoice:
            pass
        return Done(dropped=dropped)


# ------------------------------------------------------------ reading messages


def number_in(message: Mapping[str, Any], name: str) -> int:
    value = message.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > 10**9:
        raise Objection("bad message")
    return value


def language_in(message: Mapping[str, Any]) -> str:
    value = message.get("language", "en")
    if value not in LANGUAGES:
        raise Objection("bad message")
    return str(value)


def ids_in(message: Mapping[str, Any]) -> list[str]:
    value = message.get("ids")
    if not isinstance(value, list) or not 1 <= len(value) <= 4:
        raise Objection("bad message")
    if not all(isinstance(each, str) and len(each) <= LONGEST_ID for each in value):
        raise Objection("bad message")
    return value
