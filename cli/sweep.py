"""`ruledsl sweep`: many settings of a game, and which of them meet an aim."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import click

from ruledsl.diagnostics.wording import amount, printable
from ruledsl.lab.comparing.paired import rows
from ruledsl.lab.settings import SettingError, set_to
from ruledsl.lab.sweep import (
    Goal,
    SettingImpossible,
    SweepError,
    Tried,
    Varied,
    goals,
    settings_of,
    sweep,
    varied,
)
from ruledsl.lab.tally import GameRow
from ruledsl.play.loading import Game, LoadError
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

from .completing import games
from .documents import from_text, print_document
from .sides import named_game
from .terminal import Exit, Refused, json_option

MOST_SETTINGS = 400
SHADES = " ░▒▓█"


@click.command
@click.argument("game", shell_complete=games)
@click.option("--vary", "vary", multiple=True, required=True, metavar="NAME=A..B")
@click.option("--aim", default="fair", show_default=True, help="What settings should be like.")
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play.")
@click.option(
    "--games",
    type=click.IntRange(min=50),
    default=6400,
    show_default=True,
    help="At most, of each.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="S")
@json_option
def command(
    game: str,
    vary: tuple[str, ...],
    aim: str,
    players: int | None,
    games: int,
    seed: int,
    as_json: bool,
) -> int:
    """Try many settings of a game, and find those that meet an aim.

    Options and named numbers (`define floors = 7`) are varied alike, and no file is edited:
    `--vary roof=7..8 --vary hand_size=3..5 --aim "fair, 30 to 45 choices, draws below 5 %"`.

    All settings play some games; those that surely meet or miss the aim are told, the others play
    twice as many, and so on. What could not be told apart is said.

    Exit code 0 if a setting meets the aim, 1 if none surely does, 2 if it could not begin.
    """
    found = named_game(game).game
    try:
        names, aims = [varied(text) for text in vary], goals(aim)
    except SweepError as error:
        raise Refused(str(error), error.hint) from error
    settings = settings_of(names)
    if len(settings) > MOST_SETTINGS:
        raise Refused(
            f"{len(settings)} settings are too many", f"at most {MOST_SETTINGS} are tried"
        )
    number = found.usual_players() if players is None else players
    if number not in found.players:
        allowed = ", ".join(map(str, found.players))
        raise Refused(f"{found.title} is for {allowed} players, not {number}")
    tried = sweep(settings, aims, _Player(found, number, seed), games, _told)
    if as_json:
        about = {"game": found.checked.name, "variant": found.checked.variant}
        document = {"players": number, "seed": seed, "settings": _document(tried, aims)}
        print_document("sweep", about | document)
    else:
        for line in _lines(found, number, names, tried, aims):
            click.echo(printable(line))
    return Exit.CLEAN if any(each.verdict == "meets" for each in tried) else Exit.FINDINGS


@attrs.define
class _Player:
    """Plays games of settings; each is checked and compiled when it is first wanted."""

    game: Game
    players: int
    seed: int
    _tables: dict[tuple[str, ...], Table] = attrs.Factory(dict)

    def __call__(self, values: dict[str, str], first: int, last: int) -> Iterator[GameRow]:
        return rows(self._table(values), self.seed, first, last)

    def _table(self, values: dict[str, str]) -> Table:
        key = tuple(values.values())
        if key not in self._tables:
            try:
                varied_game = set_to(self.game.source, self.game.library, values)
                self._tables[key] = Table(varied_game.checked, self.players)
            except SettingError as error:
                raise Refused(str(error), error.hint) from error
            except LoadError as error:
                reason = error.diagnostics[0].message if error.diagnostics else str(error)
                raise SettingImpossible(reason) from error
            except RulesError as error:
                raise SettingImpossible(error.message) from error
        return self._tables[key]


def _told(left: int, games: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"{amount(left, 'setting')}, {amount(games, 'game')} of each", err=True)


# ---------------------------------------------------------------- showing


def _lines(
    game: Game, players: int, names: Sequence[Varied], tried: list[Tried], aims: Sequence[Goal]
) -> Iterator[str]:
    yield f"{game.title}, {amount(players, 'player')}: {amount(len(tried), 'setting')}"
    yield ""
    width = max(8, *(len(_named(each)) for each in tried))
    heads = "".join(f"{goal.name:>18}" for goal in aims)
    yield f"{'setting':{width}}   verdict    games{heads}"
    for each in tried:
        figures = "".join(f"{_figure(each, goal):>18}" for goal in aims)
        if each.verdict == "impossible":
            figures = f"   {each.impossible}"
        verdict = {"open": "can't tell"}.get(each.verdict, each.verdict)
        yield f"{_named(each):{width}}   {verdict:10} {each.games:5}{figures}"
    if len(names) == 2:
        yield ""
        yield from _heat_map(names, tried, aims)
    yield ""
    meets = [each for each in tried if each.verdict == "meets"]
    unsure = [each for each in tried if each.verdict == "open"]
    if meets:
        best = sorted(meets, key=lambda each: each.miss(aims))
        yield f"meets the aim: {'; '.join(map(_named, best))}"
    else:
        yield "no setting surely meets the aim"
    if unsure:
        nearest = sorted(unsure, key=lambda each: each.miss(aims))
        yield f"could not be told apart: {'; '.join(map(_named, nearest))}"


def _named(tried: Tried) -> str:
    return ", ".join(f"{name}={value}" for name, value in tried.values.items())


def _figure(tried: Tried, goal: Goal) -> str:
    found = tried.figure(goal)
    if goal.percent:
        return f"{100 * found.value:.1f} ± {100 * found.half:.1f} %"
    return f"{found.value:.1f} ± {found.half:.1f}"


def _heat_map(names: Sequence[Varied], tried: list[Tried], aims: Sequence[Goal]) -> Iterator[str]:
    """How near each setting is to the aim: the darker, the further."""
    across, down = names
    yield f"how far from the aim ({across.name} across, {down.name} down; darker is further)"
    by_values = {tuple(each.values.values()): each for each in tried}
    most = max((e.miss(aims) for e in tried if e.verdict != "impossible"), default=0) or 1
    left = max(len(value) for value in down.values)
    yield " " * (left + 3) + "".join(f"{value:>4}" for value in across.values)
    for value in down.values:
        cells = [by_values[other, value] for other in across.values]
        shown = "".join(f"{_shade(cell, aims, most):>4}" for cell in cells)
        yield f"  {value:>{left}} {shown}"


def _shade(tried: Tried, aims: Sequence[Goal], most: float) -> str:
    if tried.verdict == "impossible":
        return "–"
    if tried.verdict == "meets":
        return "✓"
    return SHADES[min(4, 1 + int(3.999 * tried.miss(aims) / most))] * 2


def _document(tried: list[Tried], aims: Sequence[Goal]) -> list[dict[str, Any]]:
    return [
        {
            "setting": {name: from_text(value) for name, value in each.values.items()},
            "verdict": each.verdict,
            "games": each.games,
            "why": each.impossible,
            "figures": {}
            if each.verdict == "impossible"
            else {goal.name: attrs.asdict(each.figure(goal)) for goal in aims},
        }
        for each in tried
    ]
