"""A study of a game: many games of random players, some of better ones, and sampled choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

import attrs

from ruledsl.engine.counters import subject_of
from ruledsl.lab.agency import Agency, agency_of
from ruledsl.lab.arena import ArenaSummary, ArenaTally, KindSummary, RoundRobin
from ruledsl.lab.counting import CountedGames, Observed, Used
from ruledsl.lab.simulation import play_one
from ruledsl.lab.worth import Worth, worths
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.play.loading import Game
from ruledsl.play.words import Words
from ruledsl.players.aims import hoards
from ruledsl.players.seats import Computer, computer_of
from ruledsl.table.table import Table

PATIENT = 200
"""Mean choices of a game up to which players of medium strength are seated too."""
MOST_WORTH, LEAST_WORTH = 100_000, 200
"""Choices of the games that tell what something is worth, and games that they need at least."""
SHORT = 600
"""And up to which a round of weak ones is."""


@attrs.frozen
class Setting:
    """How much is looked at."""

    players: tuple[int, ...]
    games: int
    """of random players, for each number of players"""
    skilled: int
    """of better players"""
    seed: int
    options: Mapping[str, str] = attrs.Factory(dict)
    sampled: int = 100
    """choices whose options are played on, at most"""
    personas: int = 0
    """games of players with other aims than to win, of each"""


@attrs.frozen(eq=False)
class Study:
    """All that was found out."""

    game: Game
    setting: Setting
    players: int
    """the number of players that most is said about"""
    observed: dict[int, Observed]
    """by the number of players"""
    ladder: ArenaSummary | None
    agency: Agency | None
    personas: tuple[KindSummary, ...]
    worths: tuple[Worth, ...]
    """what everything is worth that is chosen"""
    table: Table

    @property
    def checked(self) -> CheckedGame:
        return self.game.checked

    @property
    def main(self) -> Observed:
        return self.observed[self.players]

    @property
    def games(self) -> int:
        """Of random players, whatever their number."""
        return sum(each.tally.games for each in self.observed.values())

    def line(self, statement: core.Stmt) -> int:
        """How often a statement was carried out, with any number of players."""
        found = (each.counts.line(statement.span) for each in self.observed.values())
        return sum(used.uses for used in found if used is not None)

    def labels(self) -> dict[str, str]:
        """Words for what is chosen, by the names that counters have."""
        words = Words(self.checked)
        found: dict[str, str] = {}
        for kind in self.checked.kinds:
            for thing in self.table.things(kind):
                label = words.kind(thing.kind) if subject_of(thing) == thing.kind else ""
                found.setdefault(subject_of(thing), label or words.value(thing))
        return found

    def values(self) -> dict[str, dict[str, Used]]:
        """For each parameter of an action, and each choice, how its values were used."""
        found: dict[str, dict[str, Used]] = {}
        for counter, used in self.main.counts.of_sort("value"):
            found.setdefault(counter.of, {})[counter.name] = used
        return found


class Observing(Protocol):
    """Plays random games of a table and tells what happened, wherever they are played."""

    def __call__(self, table: Table, players: int, seed: int, games: int) -> Observed: ...


def observe_here(table: Table, players: int, seed: int, games: int) -> Observed:  # noqa: ARG001
    """In this process."""
    return CountedGames(table, seed).observe(0, games)


def study_of(
    game: Game,
    setting: Setting,
    observe: Observing = observe_here,
    told: Callable[[str], None] = lambda what: None,
) -> Study:
    """Play and look; the same setting gives the same study."""
    tables = {number: Table(game.checked, number, setting.options) for number in setting.players}
    main = min(setting.players, key=lambda number: (abs(number - 4), -number))
    observed: dict[int, Observed] = {}
    for number, table in tables.items():
        told(f"{number} players")
        observed[number] = observe(table, number, setting.seed, setting.games)
    length = observed[main].length.mean
    told("better players")
    ladder = _ladder(tables[main], main, setting, length)
    told("choices")
    agency = None
    if setting.sampled and length >= 1:
        agency = agency_of(tables[main], setting.seed, length, setting.sampled)
    told("players with other aims")
    personas = tuple(_personas(tables[main], main, setting))
    told("what everything is worth")
    worth = tuple(_worths(tables[main], setting, observed[main])) if main > 1 else ()
    return Study(game, setting, main, observed, ladder, agency, personas, worth, tables[main])


def _worths(table: Table, setting: Setting, observed: Observed) -> Iterator[Worth]:
    """Of what is chosen in actions, where there is something else to choose."""
    games = int(min(setting.games, MOST_WORTH / max(1.0, observed.length.mean)))
    used = {
        counter
        for sort in ("action", "value")
        for counter, uses in observed.counts.of_sort(sort)
        if uses.uses and not counter.of.startswith("choose ")
    }
    if setting.sampled and games >= LEAST_WORTH and len(used) > 1:
        yield from worths(table, setting.seed, games, used)


def _personas(table: Table, players: int, setting: Setting) -> Iterator[KindSummary]:
    """How players with aims of their own fare among random ones, in every seat."""
    if not setting.personas or players < 2:
        return
    words = ("greedy", "spoiler", "hurried", *(f"hoard:{each}" for each in hoards(table.game)))
    for word in words:
        robin = RoundRobin((computer_of(word), computer_of("random")), players, setting.seed)
        tally = ArenaTally(robin)
        for number in range(robin.games(setting.personas)):
            tally.add([play_one(table, setting.seed, number, robin.sitting(number))])
        yield tally.summary().players[0]


def _ladder(table: Table, players: int, setting: Setting, length: float) -> ArenaSummary | None:
    """Better players against worse ones, each in every seat."""
    if not setting.skilled or length < 1 or length > SHORT or players < 2:
        return None
    kinds = tuple(_kinds(length))
    robin = RoundRobin(kinds, players, setting.seed)
    tally = ArenaTally(robin)
    for number in range(robin.games(setting.skilled)):
        row = play_one(table, setting.seed, number, robin.sitting(number))
        tally.add([row])
    return tally.summary()


def _kinds(length: float) -> Iterator[Computer]:
    yield computer_of("random")
    yield computer_of("easy")
    if length <= PATIENT:
        yield computer_of("medium")
