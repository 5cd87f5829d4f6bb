"""A study of a game: many games of random players, some of better ones, and sampled choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from math import inf
from time import monotonic
from typing import Protocol

import attrs

from ruledsl.diagnostics.wording import amount
from ruledsl.engine.choices.listing import takes_several
from ruledsl.engine.counters import Counter, Sort, subject_of, value_owner
from ruledsl.lab.agency import Agency, agency_of
from ruledsl.lab.arena import ArenaSummary, ArenaTally, KindSummary, RoundRobin
from ruledsl.lab.beginning import Beginning, beginning
from ruledsl.lab.counting import CountedGames, Observed, Used
from ruledsl.lab.offered import offered
from ruledsl.lab.patience import Left, Patience
from ruledsl.lab.simulation import play_one, seconds_of_choice
from ruledsl.lab.tally import GameRow
from ruledsl.lab.worth import Worth, worths
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk
from ruledsl.play.loading import Game
from ruledsl.play.words import Words
from ruledsl.players.aims import hoards
from ruledsl.players.seats import Computer, computer_of
from ruledsl.table.table import Table

USUAL_GAMES = 10_000
"""Games for each number of players, unless another number is asked for: as far as time allows."""
USUAL_SKILLED = 120
"""And games of better players."""
USUAL_SECONDS = 50
"""What all this may take together; drawing pictures takes a few more."""
OBSERVING, BEGINNING, CHOICES, WORTHS, BETTER = 0.38, 0.02, 0.1, 0.25, 0.25
"""Of these seconds: for the games that most is about, who chooses first, sampled choices, what
things are worth, and better players. What one does not need, the next has."""
RANDOM, EASY, MEDIUM = map(computer_of, ("random", "easy", "medium"))
ENOUGH_TO_TELL = 20
"""Games of random players after which it shows whether they come to an end; others need fewer."""
FEW_TO_TELL = 3
SORTS_CHOSEN: tuple[Sort, ...] = ("action", "value")
LEAST_SEATED = 8
"""Games of better players for which there has to be time, before they are seated unasked."""


@attrs.frozen
class Setting:
    """How much is looked at."""

    players: tuple[int, ...]
    games: int | None
    """for each number of players; None for the usual number, or as many as there is time for"""
    skilled: int | None
    """of better players; None for the usual number, or as many as there is time for"""
    seed: int
    options: Mapping[str, str] = attrs.Factory(dict)
    sampled: int = 100
    """choices whose options are played on, at most"""
    personas: int = 0
    """games of players with other aims than to win, of each"""
    seconds: float = inf
    """for all whose number was not asked for"""

    @property
    def wanted(self) -> int:
        """Games for each number of players."""
        return USUAL_GAMES if self.games is None else self.games


@attrs.frozen(eq=False)
class Study:
    """All that was found out."""

    game: Game
    setting: Setting
    players: int
    """the number of players that most is said about"""
    who: Computer
    """who played the games that were observed"""
    unfinished: Observed | None
    """games of random players, if others had to try as these came to no end"""
    tried: tuple[Computer, ...]
    """who these others were"""
    observed: dict[int, Observed]
    """by the number of players"""
    ladder: ArenaSummary | None
    beginning: Beginning | None
    agency: Agency | None
    offered: frozenset[tuple[str, str]] | None
    """what was offered in some games: what for, and its name; None if nobody looked"""
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
        """All that were observed, whatever the number of players."""
        return sum(each.tally.games for each in self.observed.values())

    @property
    def of_whom(self) -> str:
        """Whose games were observed, in words."""
        return "random players" if self.who == RANDOM else f"“{self.who.word}” players"

    def line(self, statement: core.Stmt) -> int:
        """How often a statement was carried out, with any number of players."""
        found = (each.counts.line(statement.span) for each in self.observed.values())
        return sum(used.uses for used in found if used is not None)

    @cached_property
    def questions(self) -> dict[str, str]:
        """What players are asked, by what they choose then."""
        asked = (part for block in self.checked.blocks() for part in walk(block))
        return {
            value_owner(part): part.prompt.text
            for part in asked
            if isinstance(part, core.ChooseValue) and part.prompt is not None
        }

    @cached_property
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

    def observe(self, table: Table, seed: int, games: int, who: Computer) -> Iterator[Observed]:
        """What happens in games of such players, some of them at a time."""
        ...

    def play(self, table: Table, robin: RoundRobin, games: int) -> Iterator[list[GameRow]]:
        """Games of others."""
        ...

    def undisturbed(self) -> AbstractContextManager[None]:
        """What is begun then is finished before anything is interrupted."""
        ...


AT_ONCE = 64


class Here:
    """In this process."""

    def observe(self, table: Table, seed: int, games: int, who: Computer) -> Iterator[Observed]:
        counted = CountedGames(table, seed, who)
        for first in range(0, games, AT_ONCE):
            yield counted.observe(first, min(games, first + AT_ONCE))

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
    now: Callable[[], float] = monotonic,
) -> Study | None:
    """Play and look; the same setting gives the same study, if time is no matter.

    Interrupted, it is a study of what was played until then, or None if that is nothing.
    """
    work = _Work(game, setting, playing or Here(), told, Patience(setting.seconds, now))
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
    patience: Patience
    who: Computer = RANDOM
    unfinished: Observed | None = None
    tried: list[Computer] = attrs.Factory(list)
    observed: dict[int, Observed] = attrs.Factory(dict)
    ladder: ArenaTally | None = None
    beginning: Beginning | None = None
    agency: Agency | None = None
    offered: frozenset[tuple[str, str]] | None = None
    personas: list[ArenaTally] = attrs.Factory(list)
    worths: tuple[Worth, ...] = ()

    @property
    def main(self) -> int:
        return main_number(self.setting.players)

    def table(self, players: int) -> Table:
        return Table(self.game.checked, players, self.setting.options)

    # ------------------------------------------------------------ the games that most is about

    def observe(self) -> None:
        """Games for each number of players: of random ones, or of others who come to an end."""
        asked = self.setting.games is not None
        with self.patience.share(OBSERVING) as left:
            if self._observe(RANDOM, _for_ever if asked else left):
                return
        self.unfinished = self.observed[self.main]
        # Sampled choices and what things are worth tell nothing then, and need no time.
        with self.patience.share(CHOICES + WORTHS) as left:
            table, length = self.table(self.main), self.unfinished.length.mean
            for who in () if self.setting.skilled == 0 else (EASY, MEDIUM):
                # A game of theirs is hardly longer, and mostly far shorter.
                if length * self._seconds_of_choice(table, who) > left():
                    break
                self.tried.append(who)
                if self._observe(who, left):
                    return
            self._observe(RANDOM, _for_ever if asked else left, to_the_end=True)

    def _observe(self, who: Computer, left: Left, *, to_the_end: bool = False) -> bool:
        """Whether they play on: those whose games are mostly cut stop early, unless they must."""
        self.who, self.observed = who, {}
        few = ENOUGH_TO_TELL if who == RANDOM else FEW_TO_TELL
        others = [number for number in self.setting.players if number != self.main]
        for waiting, number in reversed([*enumerate((*others, self.main))]):
            # The others have as much time.
            allowed, begun = left() / (waiting + 1), self.patience.now()
            for found in self._observed(number, who):
                enough = found.tally.games >= min(few, self.setting.wanted)
                if enough and not to_the_end and number == self.main and cut_share(found) > 0.5:
                    return False
                if self.patience.now() - begun >= allowed:
                    break
        return True

    def _observed(self, number: int, who: Computer) -> Iterator[Observed]:
        """Games of some players added up, as far as they are played."""
        table, games = self.table(number), self.setting.wanted
        what = amount(number, "player") if who == RANDOM else f"{number} × “{who.word}”"
        self.told(what)
        for part in self.playing.observe(table, self.setting.seed, games, who):
            with self.playing.undisturbed():
                if number in self.observed:
                    self.observed[number].merge(part)
                else:
                    self.observed[number] = part
            found = self.observed[number]
            self.told(f"{what}, {found.tally.games:,} of {games:,} games")
            yield found

    # ------------------------------------------------------------ what is looked at more closely

    def look_closer(self) -> None:
        """The number of players that most is said about: better players, choices, other aims."""
        table, observed = self.table(self.main), self.observed[self.main]
        if self.unfinished is None and self.main > 1:
            self.told("who chooses first")
            with self.patience.share(BEGINNING) as left:
                self.beginning = beginning(table, self.setting.seed, observed.tally.games, left)
        if self.unfinished is None and self.setting.sampled:
            self._look_at_choices(table, observed)
        if observed.length.mean >= 1 and self.main > 1:
            with self.patience.share(BETTER) as left:
                self._seat_better_players(table, observed.length.mean, left)
            self._seat_personas(table)

    def _look_at_choices(self, table: Table, observed: Observed) -> None:
        setting, length = self.setting, observed.length.mean
        self.told("choices")
        with self.patience.share(CHOICES) as left:
            if length >= 1:
                self.agency = agency_of(table, setting.seed, length, setting.sampled, left)
                self.offered = offered(table, setting.seed, left)
        self.told("what everything is worth")
        with self.patience.share(WORTHS) as left:
            used = {*_chosen(table.game, observed)}
            if len(used) > 1 and self.main > 1:
                for found in worths(table, setting.seed, observed.tally.games, used, left):
                    self.worths = found

    def _seat_better_players(self, table: Table, length: float, left: Left) -> None:
        """Better players against worse ones, each in every seat; the best if there is time."""
        asked = self.setting.skilled
        if asked == 0:
            return
        seconds = {RANDOM: 0.0, EASY: length * self._seconds_of_choice(table, EASY)}
        if seconds[EASY] < left():
            seconds[MEDIUM] = length * self._seconds_of_choice(table, MEDIUM)
        while len(seconds) > 1:
            robin = RoundRobin((*seconds,), self.main, self.setting.seed)
            longest = robin.games(asked or LEAST_SEATED) * sum(seconds.values()) / len(seconds)
            if longest <= left() or (asked and len(seconds) == 2):
                self.ladder = ArenaTally(robin)
                games, time = asked or USUAL_SKILLED, _for_ever if asked else left
                self._play(self.ladder, table, games, "better players", time)
                return
            seconds.popitem()

    def _seconds_of_choice(self, table: Table, who: Computer) -> float:
        self.told(f"how long “{who.word}” thinks")
        return seconds_of_choice(table, self.setting.seed, who, self.patience.now)

    def _seat_personas(self, table: Table) -> None:
        """Players with aims of their own among random ones, in every seat."""
        games = self.setting.personas
        if not games:
            return
        for word in (
            "greedy",
            "spoiler",
            "hurried",
            *(f"hoard:{each}" for each in hoards(table.game)),
        ):
            tally = ArenaTally(
                RoundRobin((computer_of(word), RANDOM), self.main, self.setting.seed)
            )
            self.personas.append(tally)
            self._play(tally, table, games, word, _for_ever)

    def _play(self, tally: ArenaTally, table: Table, games: int, what: str, left: Left) -> None:
        robin = tally.robin
        total = robin.games(games)
        self.told(what)
        for rows in self.playing.play(table, robin, total):
            with self.playing.undisturbed():
                tally.add(rows)
            self.told(f"{what}, {tally.games:,} of {total:,} games")
            if left() <= 0:
                break

    def study(self, *, interrupted: bool) -> Study | None:
        played = {n: self.observed[n] for n in self.setting.players if n in self.observed}
        if not any(each.tally.games for each in played.values()):
            return None
        main = main_number(played)
        ladder = None if self.ladder is None or not self.ladder.games else self.ladder.summary()
        return Study(
            self.game,
            self.setting,
            main,
            self.who,
            self.unfinished,
            tuple(self.tried),
            played,
            ladder,
            self.beginning,
            self.agency,
            self.offered,
            tuple(each.summary().players[0] for each in self.personas if each.games),
            self.worths,
            self.table(main),
            interrupted,
        )


def _for_ever() -> float:
    return inf


def cut_share(observed: Observed) -> float:
    """Of games that were over because the limit of decisions was reached."""
    return cut_games(observed) / max(1, observed.tally.games)


def cut_games(observed: Observed) -> int:
    return observed.tally.endings["limit, drawn"] + observed.tally.endings["limit"]


def _chosen(game: CheckedGame, observed: Observed) -> Iterator[Counter]:
    """Actions that are used, and what is chosen alone: nobody can do without a part of a set."""
    asked = (part for block in game.blocks() for part in walk(block))
    sets = {value_owner(q) for q in asked if isinstance(q, core.ChooseValue) and takes_several(q)}
    for sort in SORTS_CHOSEN:
        for counter, used in observed.counts.of_sort(sort):
            if used.uses and counter.of not in sets:
                yield counter
