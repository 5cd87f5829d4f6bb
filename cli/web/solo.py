"""A table without a server: Python runs in the page, and this answers the page's messages.

The messages are those of the server. Computers think here, too, one choice at a time, so that the
page can show each of them.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any

from ruledsl.library import Library
from ruledsl.play.loading import MOST_SEED, LoadError, load
from ruledsl.players.seats import computer_of, player_for
from ruledsl.players.situation import situation_of
from ruledsl.table.errors import RulesError

from .advice import chance_of, checked, hinted, simulated, tested
from .catalogue import Catalogue, details_of
from .desk import Desk, Objection, ids_in, language_in, number_in
from .recipe import Recipe, load_text


class Solo:
    """Answers messages as JSON; what it has to say comes as a list of messages."""

    def __init__(self) -> None:
        self.catalogue = Catalogue()
        self.desk: Desk | None = None
        self.language = "en"
        self.told = 0
        self.seen: int | None = None
        """the seat whose scene the page shows"""

    def answer(self, text: str) -> str:
        message = json.loads(text)
        try:
            found = self._obey(message)
        except Objection as error:
            found = [{"problem": error.word}]
        except LoadError as error:
            found = [{"problem": str(error)}]
        except RulesError as error:
            found = [{"problem": "broken", "detail": error.message}]
        return json.dumps([{**each, "id": message.get("id")} for each in found])

    def _obey(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        match message.get("do"):
            case "games":
                return [{"games": self.catalogue.games()}]
            case "details":
                return [{"details": self._details(message)}]
            case "source":
                source = Library().source(str(message["game"]))
                return [{"rules_text": "" if source is None else source.text}]
            case "check":
                return [{"checked": checked(str(message["rules"]))}]
            case "test":
                return [{"tested": tested(str(message["rules"]))}]
            case "simulate":
                players = number_in(message, "players")
                return [{"simulated": simulated(str(message["rules"]), players)}]
            case "start":
                return self._start(message)
            case "think":
                return self._think()
            case _:
                return self._at_table(message)

    # ------------------------------------------------------------ before a game

    def _details(self, message: Mapping[str, Any]) -> dict[str, Any]:
        rules = message.get("rules")
        return details_of(load_text(rules) if isinstance(rules, str) else load(message["game"]))

    def _start(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        seats = tuple(map(str, message["seats"]))
        self.language = language_in(message)
        given = message.get("seed")
        seed = given if isinstance(given, int) else secrets.randbelow(MOST_SEED)
        rules = message.get("rules")
        recipe = Recipe(
            str(message.get("game", "")),
            len(seats),
            seed,
            message.get("variant"),
            dict(message.get("options") or {}),
            rules if isinstance(rules, str) else None,
        )
        self.desk = Desk(recipe.start(self.language), seats)
        self.told, self.seen = 0, None
        return [self.desk.stage(self.language), *self._look()]

    # ------------------------------------------------------------ at the table

    def _seat(self) -> int | None:
        """Whose scene is shown: that of the person who decides, or who decided last."""
        assert self.desk is not None
        people = [seat for seat, who in enumerate(self.desk.sitting, 1) if who == "human"]
        seat = self.desk.match.seat
        if seat in people:
            return seat
        if self.seen is not None:
            return self.seen
        return people[0] if people else None

    def _look(self) -> list[dict[str, Any]]:
        assert self.desk is not None
        seat = self._seat()
        if seat != self.seen:
            self.told = 0
        self.seen = seat
        found = self.desk.look(seat, self.told, self.language)
        self.told = found["scene"]["told"]
        match = self.desk.match
        waits = match.seat is not None and self.desk.sitting[match.seat - 1] != "human"
        return [{**found, "computer": waits}]

    def _at_table(self, message: Mapping[str, Any]) -> list[dict[str, Any]]:
        desk = self.desk
        if desk is None:
            raise Objection("bad message")
        seat = self._seat()
        match message.get("do"):
            case "choose":
                assert seat is not None
                desk.choose(seat, number_in(message, "number"), number_in(message, "turn"))
                return self._look()
            case "undo":
                assert seat is not None
                desk.undo(seat)
                self.told = 0
                return self._look()
            case "why":
                return [desk.why(ids_in(message), self.language)]
            case "rules":
                return [desk.rules(self.language)]
            case "past":
                return [desk.past(seat, number_in(message, "turn"), self.language)]
            case "hint":
                desk.match.speak(self.language)
                return [{"hint": hinted(desk.match)}]
            case "language":
                self.language = language_in(message)
                self.told = 0
                return [desk.stage(self.language), *self._look()]
            case _:
                raise Objection("bad message")

    def _think(self) -> list[dict[str, Any]]:
        """One choice of a computer."""
        desk = self.desk
        if desk is None or desk.match.decision is None:
            return []
        match = desk.match
        assert match.seat is not None and match.decision is not None
        word = desk.sitting[match.seat - 1]
        if word == "human":
            return []
        player = player_for(computer_of(word), chance_of(match))
        number = player.choose(situation_of(match.interpreter, match.decision))
        desk.choose(match.seat, number, desk.turn)
        return self._look()
