"""`ruledsl diff`: what changed between two games, where it shows, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import attrs
import click

from ruledsl.diagnostics.wording import amount, printable
from ruledsl.lab.comparing.elsewhere import Elsewhere, Subject, failing_elsewhere
from ruledsl.lab.comparing.paired import LEVEL, Moved, compared, listed_games, played_by_both
from ruledsl.lab.comparing.sheets import SectionChange, sheet_changes
from ruledsl.lab.comparing.witness import Search, Witness, find_witness
from ruledsl.lab.tally import GameRow
from ruledsl.lab.wording import change, changed_points
from ruledsl.play.loading import Game
from ruledsl.table.table import Table

from .citations import cited
from .completing import games
from .documents import print_document
from .game_arguments import laid
from .parallel_games import AllRandom, Series, cluster_option, shared
from .sides import Named, named_game
from .terminal import Exit, Refused, json_option, use_color

FEW = 4
"""Differences after set-up that are named one by one."""


@attrs.frozen
class Comparison:
    """All that is known about two games side by side."""

    one: Named
    other: Named
    players: int
    words: tuple[SectionChange, ...]
    search: Search
    moved: tuple[Moved, ...]
    games: int
    asked: int
    """games that there should have been, if there had been time"""
    seed: int
    tests: Elsewhere

    @property
    def same(self) -> bool:
        return not (
            self.words
            or self.search.set_up
            or self.search.witness
            or any(each.significant for each in self.moved)
            or self.tests.failed
        )


@click.command
@click.argument("one", shell_complete=games, metavar="A")
@click.argument("other", shell_complete=games, metavar="[B]", required=False)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play.")
@click.option("--games", type=click.IntRange(min=0), default=10_000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="S")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    default=10.0,
    show_default=True,
    help="How long to search for the shortest game in which both differ, and how long to play.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Play all games, in so many processes.",
)
@cluster_option
@json_option
def command(
    one: str,
    other: str | None,
    players: int | None,
    games: int,
    seed: int,
    seconds: float,
    jobs: int,
    cluster: str | None,
    as_json: bool,
) -> int:
    """Say what changed between two games, show it in a game, and measure what it does.

    A and B are games by name or path, `FILE@REVISION` for a file as it was (`@HEAD~1`, a branch, a
    tag), and `GAME:name=value` for a game with other options or named numbers. A file without B is
    compared with what was committed last.

    Tells, in this order: what changed in the words of the rule sheet; the shortest game in which
    both differ; which figures moved in games with the same seeds, corrected for looking at many;
    tests of A that fail in B.

    Exit code 0 if nothing differs, 1 if something does, 2 if it could not begin.
    """
    if other is None:
        one, other = f"{one}@HEAD", one
    paired = Paired(games, seed, seconds, jobs, cluster)
    found = _compare(named_game(one), named_game(other), players, paired, seconds)
    if as_json:
        print_document("diff", _document(found))
    else:
        colored = use_color()
        for line in _lines(found):
            click.echo(_painted(printable(line)) if colored else printable(line), color=colored)
    return Exit.CLEAN if found.same else Exit.FINDINGS


@attrs.frozen
class Paired:
    """How many games of both are played, and where: here while there is time, or elsewhere."""

    games: int
    seed: int
    seconds: float
    jobs: int
    cluster: str | None

    def rows(self, one: Table, other: Table) -> tuple[list[GameRow], list[GameRow]]:
        if self.jobs == 1 and self.cluster is None:
            return played_by_both(one, other, self.seed, self.games, self.seconds)
        return self._shared(one), self._shared(other)

    def _shared(self, table: Table) -> list[GameRow]:
        players = len(table.things("Player"))
        series = Series(table.game.name, None, players, {}, self.seed, AllRandom(players))
        parts = shared(Listed(), series, table, self.games, self.jobs, self.cluster)
        return [row for part in parts for row in part]


@attrs.frozen
class Listed:
    """Games of random players with all their figures."""

    def begin(self, series: Series, table: Table) -> Callable[[int, int], list[GameRow]]:
        play = listed_games(table, series.seed)
        return lambda first, last: list(play(first, last))


def _compare(
    one: Named, other: Named, players: int | None, paired: Paired, seconds: float
) -> Comparison:
    number = _players(one.game, other.game, players)
    tables = laid(one.game, number, {}), laid(other.game, number, {})
    both = tuple(n for n in one.game.players if n in other.game.players)
    sides = [Subject(side.game.source, side.game.library) for side in (one, other)]
    words = sheet_changes(one.game.checked, other.game.checked, both)
    search = find_witness(*tables, seconds=seconds)
    played = paired.rows(*tables)
    return Comparison(
        one,
        other,
        number,
        words,
        search,
        compared(*played) if paired.games else (),
        len(played[0]),
        paired.games,
        paired.seed,
        failing_elsewhere(*sides),
    )


def _players(one: Game, other: Game, players: int | None) -> int:
    both = [number for number in one.players if number in other.players]
    if not both:
        raise Refused("there is no number of players that both games are for")
    if players is None:
        return min(both, key=lambda number: (abs(number - 4), -number))
    if players not in both:
        raise Refused(f"not both games are for {players} players")
    return players


# ---------------------------------------------------------------- showing


def _lines(found: Comparison) -> Iterator[str]:
    yield f"A: {found.one.label} ({found.one.game.title})"
    yield f"B: {found.other.label} ({found.other.game.title})"
    yield ""
    if found.same:
        yield "Nothing differs: the rules read the same, and so did all games that were played."
        return
    yield "WHAT CHANGED"
    if not found.words:
        yield "  nothing that the rule sheet would show"
    for section in found.words:
        yield f"  {section.title}"
        for line in section.lines:
            entry = line.entry
            yield f"  {line.sign} {'  ' * entry.depth}{entry.text}{cited(entry.trail)}"
    yield ""
    yield f"THE SHORTEST GAME IN WHICH BOTH DIFFER ({amount(found.players, 'player')})"
    yield from (f"  {line}" for line in _witness_lines(found.search))
    yield ""
    yield from _moved_lines(found)
    yield ""
    yield from _test_lines(found.tests)


def _witness_lines(search: Search) -> Iterator[str]:
    if search.set_up:
        yield f"After set-up {amount(len(search.set_up), 'thing')} differ already:"
        for each in search.set_up[:FEW]:
            yield f"  {each.what}: {each.one} in A, {each.other} in B"
        if len(search.set_up) > FEW:
            yield f"  and {len(search.set_up) - FEW} more"
    where = "" if search.deals == 1 else f", in {search.deals} deals"
    if search.witness is None:
        if search.exhausted:
            yield f"There is none: all {search.games} ways to play were tried{where}."
        else:
            yield (
                f"None was found in {search.games} games: none with fewer than "
                f"{amount(search.searched, 'choice')}{where}, and none at random."
            )
        return
    yield from _story(search.witness, search)


def _story(witness: Witness, search: Search) -> Iterator[str]:
    number = len(witness.choices)
    if witness.proven:
        why = "no game with fewer shows one" + (
            "" if search.deals == 1 else f" in {search.deals} deals"
        )
    else:
        why = f"found at random; no game with fewer than {search.searched} shows one"
    yield f"It takes {amount(number, 'choice')} ({why})."
    for line in witness.story:
        yield f"  {'' if line.headline else '  '}{line.text}{cited(line.trail)}"
    yield f"{witness.difference.what}:"
    yield f"  in A: {witness.difference.one}"
    yield f"  in B: {witness.difference.other}"


def _moved_lines(found: Comparison) -> Iterator[str]:
    pairs = amount(found.games, "pair")
    short = f"; for {found.asked} there was no time" if found.games < found.asked else ""
    yield f"WHAT IT DOES ({pairs} of games by random players, seed {found.seed}{short})"
    if not found.games:
        yield "  nothing was played"
        return
    told = [each for each in found.moved if each.significant]
    for each in told:
        yield f"  {moved_line(each)}"
    if not told:
        yield f"  no figure moved more than chance moves it ({len(found.moved)} were looked at)"
    else:
        rest = len(found.moved) - len(told)
        yield f"  {amount(rest, 'other figure')} moved no more than chance moves them (p ≥ {LEVEL})"


def moved_line(each: Moved) -> str:
    """A figure of both games, and how sure its change is."""

    def shown(value: float) -> str:
        return f"{value:.1%}" if each.percent else f"{value:.2f}"

    by = changed_points(each.change) if each.percent else change(each.change)
    return f"{each.name}: {shown(each.one)} → {shown(each.other)}, {by}"


def _test_lines(tests: Elsewhere) -> Iterator[str]:
    yield f"TESTS OF A THAT FAIL IN B ({len(tests.failed)} of {tests.asked})"
    for each in tests.failed:
        what = each.message if each.why == "fails" else f"means nothing there: {each.message}"
        yield f"  {each.span.file}:{each.span.line}: {each.title}: {what}"
    if not tests.failed:
        yield "  none"


def _painted(line: str) -> str:
    """Old lines red, new ones green."""
    if line.startswith("  - "):
        return click.style(line, fg="red")
    if line.startswith("  + "):
        return click.style(line, fg="green")
    return click.style(line, bold=True) if line.isupper() else line


def _document(found: Comparison) -> dict[str, Any]:
    search = found.search
    witness = search.witness
    return {
        "one": found.one.label,
        "other": found.other.label,
        "players": found.players,
        "same": found.same,
        "changed": [
            {
                "section": section.title,
                "lines": [f"{line.sign} {line.entry.text}" for line in section.lines],
            }
            for section in found.words
        ],
        "set_up": [attrs.asdict(each) for each in search.set_up],
        "witness": None
        if witness is None
        else {
            "choices": list(witness.choices),
            "story": [line.text for line in witness.story],
            "difference": attrs.asdict(witness.difference),
            "shortest": witness.proven,
        },
        "searched": {
            "below": search.searched,
            "deals": search.deals,
            "games": search.games,
            "exhausted": search.exhausted,
        },
        "games": found.games,
        "seed": found.seed,
        "moved": [attrs.asdict(each) | {"significant": each.significant} for each in found.moved],
        "tests": {
            "asked": found.tests.asked,
            "failed": [
                {
                    "file": each.span.file,
                    "line": each.span.line,
                    "test": each.title,
                    "why": each.why,
                    "message": each.message,
                }
                for each in found.tests.failed
            ],
        },
    }
