"""A file at work: what is wrong with it, what broke, and what moved since it was last looked at."""

from __future__ import annotations

from time import monotonic

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source
from ruledsl.lab.comparing.paired import Moved, compared, listed_games, more_games
from ruledsl.lab.tally import GameRow
from ruledsl.library import Library
from ruledsl.model.game import CheckedGame
from ruledsl.model.memory import Memory
from ruledsl.play.check import check_source
from ruledsl.play.examples import Failure, Tables, run_test
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

SEED = 1
MOST_GAMES = 20_000


@attrs.frozen
class Broke:
    """A test that fails, and whether it passed the last time."""

    title: str
    failure: Failure
    new: bool


@attrs.frozen
class Look:
    """What a file is like at a moment."""

    diagnostics: tuple[Diagnostic, ...]
    sources: dict[str, Source]
    tests: int = 0
    broken: tuple[Broke, ...] = ()
    mended: tuple[str, ...] = ()
    """tests that failed the last time"""
    rows: tuple[GameRow, ...] = ()
    players: int = 0
    moved: tuple[Moved, ...] = ()
    """figures that surely moved since the last time"""
    compared: int = 0
    """pairs of games that tell it; 0 if there was nothing to compare with"""
    trouble: str | None = None
    """why nothing could be played"""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(each for each in self.diagnostics if each.severity == "error")


@attrs.define
class Watcher:
    """Looks at a file again and again, and remembers the last time it could be played."""

    seconds: float = 2.0
    players: int | None = None
    _memory: Memory = attrs.Factory(Memory)
    _last: Look | None = None

    def look(self, source: Source, library: Library) -> Look:
        """Check, test, and play for some seconds."""
        checked = check_source(source, library, self._memory)
        errors = [each for each in checked.diagnostics if each.severity == "error"]
        if checked.game is None or errors:
            return Look(checked.diagnostics, checked.sources)
        game = checked.game
        failures = _failures(game)
        before = self._last
        failed = set() if before is None else {each.title for each in before.broken}
        broken = tuple(
            Broke(title, failure, before is not None and title not in failed)
            for title, failure in failures.items()
        )
        look = Look(
            checked.diagnostics,
            checked.sources,
            len(game.tests),
            broken,
            tuple(title for title in failed if title not in failures),
        )
        if "play" in game.steps:
            look = self._played(game, look)
        self._last = look
        return look

    def _played(self, game: CheckedGame, look: Look) -> Look:
        number = self.players or min(game.players, key=lambda each: (abs(each - 4), -each))
        if number not in game.players:
            return attrs.evolve(look, trouble=f"the game is not for {number} players")
        try:
            found = self._games(Table(game, number))
        except RulesError as error:
            return attrs.evolve(look, trouble=error.message)
        moved: tuple[Moved, ...] = ()
        pairs = 0
        if self._last is not None and self._last.players == number:
            pairs = min(len(found), len(self._last.rows))
            both = compared(self._last.rows[:pairs], found[:pairs]) if pairs else ()
            moved = tuple(each for each in both if each.significant)
        return attrs.evolve(look, rows=found, players=number, moved=moved, compared=pairs)

    def _games(self, table: Table) -> tuple[GameRow, ...]:
        """As many games as there is time for; always the same ones."""
        found: list[GameRow] = []
        play = listed_games(table, SEED)
        until = monotonic() + self.seconds
        while len(found) < MOST_GAMES and (not found or monotonic() < until):
            found.extend(play(len(found), min(MOST_GAMES, more_games(len(found)))))
        return tuple(found)


def _failures(game: CheckedGame) -> dict[str, Failure]:
    tables = Tables(game)
    found: dict[str, Failure] = {}
    for test in game.tests:
        failure = run_test(tables, test).failure
        if failure is not None:
            found[test.title] = failure
    return found
