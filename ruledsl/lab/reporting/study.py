"""A study of a game: many games of random players, some of better ones, and sampled choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

import attrs

from ruledsl.diagnostics.wording import amount
from ruledsl.engine.counters import subject_of
from ruledsl.lab.agency import Agency, agency_of
from ruledsl.lab.arena import ArenaSummary, ArenaTally, KindSummary, RoundRobin
from ruledsl.lab.counting import CountedGames, Observed, Used
from ruledsl.lab.simulation import play_one
from ruledsl.lab.tally import GameRow
from ruledsl.lab.worth import Worth, worths
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.play.loading import Game
from ruledsl.play.words import Words
from ruledsl.players.aims import hoards
from ruledsl.players.seats import Computer, computer_of
from ruledsl.table.table import Table

USUAL_SKILLED, LEAST_SKILLED = 120, 24
"""Games of better players, unless another number is asked for: fewer where games are long."""
SKILLED_WORK = 400_000
"""Their number times the square of their length, as each choice is thought about to the end."""
PATIENT = 200
"""Mean choices of a game up to which players of medium strength are seated too."""
MOST_WORTH, LEAST_WORTH = 100_000, 200
"""Choices of the games that tell what something is worth, and games that they need at least."""
SHORT = 600
"""And up to which weak ones are, unless somebody asks for them."""


@attrs.frozen
class Setting:
    """How much is looked at."""

    players: tuple[int, ...]
    games: int
    """of random players, for each number of players"""
    skilled: int | None
    """of better players; None for the usual number, if games are not too long for it"""
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
    interrupted: bool = False
    """whether something is missing because nobody would wait for it"""

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


class Playing(Protocol):
    """Plays the games of a study, wherever that is."""

    def observe(self, table: Table, seed: int, games: int) -> Iterator[Observed]:
        """What happens in games of random players, some of them at a time."""
        ...

    def play(self, table: Table, robin: RoundRobin, games: int) -> Iterator[list[GameRow]]:
        """Games of others."""
        ...

    def undisturbed(self) -> AbstractContextManager[None]:
        """What is begun then is finished before anything is interrupted."""
        ...


class Here:
    """In this process."""

    def observe(self, table: Table, seed: int, games: int) -> Iterator[Observed]:
        yield CountedGames(table, seed).observe(0, games)

    def play(self, table: Table, robin: RoundRobin, games: int) -> Iterator[list[GameRow]]:
        for number in range(games):
            yield [play_one(table, robin.seed, number, robin.sitting(number))]

    def undisturbed(self) -> AbstractContextManager[None]:
        return nullcontext()


def main_number(numbers: Iterable[int]) -> int:
    """The number of players that most is said about: four, or what is next to it."""
    return min(numbers, key=lambda number: (abs(number - 4), -number))


def study_of(
    game: Game,
    setting: Setting,
    playing: Playing | None = None,
    told: Callable[[str], None] = lambda what: None,
) -> Study | None:
    """Play and look; the same setting gives the same study.

    Interrupted, it is a study of what was played until then, or None if that is nothing.
    """
    work = _Work(game, setting, playing or Here(), told)
    interrupted = False
    try:
        work.observe()
        work.look_closer()
    except KeyboardInterrupt:
        interrupted = True
    return work.study(interrupted=interrupted)


@attrs.define
class _Work:
    """A study while it is made."""

    game: Game
    setting: Setting
    playing: Playing
    told: Callable[[str], None]
    observed: dict[int, Observed] = attrs.Factory(dict)
    ladder: ArenaTally | None = None
    agency: Agency | None = None
    personas: list[ArenaTally] = attrs.Factory(list)
    worths: list[Worth] = attrs.Factory(list)

    def table(self, players: int) -> Table:
        return Table(self.game.checked, players, self.setting.options)

    def observe(self) -> None:
        """Random players, for each number of them."""
        setting = self.setting
        tables = {number: self.table(number) for number in setting.players}
        for number, table in tables.items():
            self.told(amount(number, "player"))
            for part in self.playing.observe(table, setting.seed, setting.games):
                with self.playing.undisturbed():
                    if number in self.observed:
                        self.observed[number].merge(part)
                    else:
                        self.observed[number] = part
                games = self.observed[number].tally.games
                self.told(f"{amount(number, 'player')}, {games:,} of {setting.games:,} games")

    def look_closer(self) -> None:
        """The number of players that most is said about: better players, choices, other aims."""
        main = main_number(self.setting.players)
        table, setting = self.table(main), self.setting
        length = self.observed[main].length.mean
        self.told("choices")
        if setting.sampled and length >= 1:
            self.agency = agency_of(table, setting.seed, length, setting.sampled)
        self.told("what everything is worth")
        if main > 1:
            for worth in _worths(table, setting, self.observed[main]):
                self.worths.append(worth)
        self._seat_better_players(table, main, length)
        self._seat_personas(table, main)

    def _seat_better_players(self, table: Table, players: int, length: float) -> None:
        """Better players against worse ones, each in every seat."""
        games = self.setting.skilled
        if games is None:
            games = usual_skilled(length)
        if not games or length < 1 or players < 2:
            return
        robin = RoundRobin(tuple(_kinds(length)), players, self.setting.seed)
        self.ladder = ArenaTally(robin)
        self._play(self.ladder, table, games, "better players")

    def _seat_personas(self, table: Table, players: int) -> None:
        """Players with aims of their own among random ones, in every seat."""
        games = self.setting.personas
        if not games or players < 2:
            return
        for word in (
            "greedy",
            "spoiler",
            "hurried",
            *(f"hoard:{each}" for each in hoards(table.game)),
        ):
            kinds = (computer_of(word), computer_of("random"))
            tally = ArenaTally(RoundRobin(kinds, players, self.setting.seed))
            self.personas.append(tally)
            self._play(tally, table, games, word)

    def _play(self, tally: ArenaTally, table: Table, games: int, what: str) -> None:
        robin = tally.robin
        total = robin.games(games)
        self.told(what)
        for rows in self.playing.play(table, robin, total):
            with self.playing.undisturbed():
                tally.add(rows)
            self.told(f"{what}, {tally.games:,} of {total:,} games")

    def study(self, *, interrupted: bool) -> Study | None:
        played = {n: each for n, each in self.observed.items() if each.tally.games}
        if not played:
            return None
        main = main_number(played)
        ladder = None if self.ladder is None or not self.ladder.games else self.ladder.summary()
        return Study(
            self.game,
            self.setting,
            main,
            played,
            ladder,
            self.agency,
            tuple(each.summary().players[0] for each in self.personas if each.games),
            tuple(self.worths),
            self.table(main),
            interrupted,
        )


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


def usual_skilled(length: float) -> int:
    """So many games of better players that nobody waits for them longer than for all the rest."""
    if not 1 <= length <= SHORT:
        return 0
    return max(LEAST_SKILLED, min(USUAL_SKILLED, int(SKILLED_WORK / length**2)))


def _kinds(length: float) -> Iterator[Computer]:
    yield computer_of("random")
    yield computer_of("easy")
    if length <= PATIENT:
        yield computer_of("medium")
