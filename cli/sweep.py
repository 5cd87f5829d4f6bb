"""`ruledsl sweep`: many settings of a game, and which of them meet an aim."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from multiprocessing import cpu_count
from typing import Any

import attrs
import click

from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.wording import amount, printable
from ruledsl.lab.comparing.paired import listed_games
from ruledsl.lab.reporting.sweep_page import Swept, sweep_page
from ruledsl.lab.settings import SettingError, set_to
from ruledsl.lab.sweep import (
    VERDICTS,
    Batch,
    Goal,
    Impossible,
    Played,
    SweepError,
    Tried,
    Varied,
    conclusions,
    goals,
    named,
    settings_of,
    shown,
    sweep,
    varied,
)
from ruledsl.lab.tally import GameRow
from ruledsl.library import Library
from ruledsl.play.loading import Game, LoadError
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

from .cluster import on_cluster
from .completing import files, games
from .documents import from_text, print_document
from .pages import check_out, write_page
from .parallel_games import cluster_option
from .sides import named_game
from .terminal import Exit, Refused, json_option
from .workers import in_order

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
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True)
@cluster_option
@click.option(
    "--out", shell_complete=files, metavar="FILE", help="Write a page with pictures (.html)."
)
@json_option
def command(
    game: str,
    vary: tuple[str, ...],
    aim: str,
    players: int | None,
    games: int,
    seed: int,
    jobs: int,
    cluster: str | None,
    out: str | None,
    as_json: bool,
) -> int:
    """Try many settings of a game, and find those that meet an aim.

    Options and named numbers (`define floors = 7`) are varied alike, and no file is edited:
    `--vary roof=7..8 --vary hand_size=3..5 --aim "fair, 30 to 45 choices, draws below 5 %"`.

    All settings play some games; those that surely meet or miss the aim are told, the others play
    twice as many, and so on. What could not be told apart is said. `--out sweep.html` writes a page
    with a map of the settings (it needs `pip install 'tabletop-rules[lab]'`).

    The same seed gives the same numbers, however many processes share the work. Ctrl-C ends the
    sweep and prints what there is.

    Exit code 0 if a setting meets the aim, 1 if none surely does, 2 if it could not begin, 130 if
    interrupted.
    """
    found = named_game(game).game
    try:
        names, aims = [varied(text) for text in vary], goals(aim)
    except SweepError as error:
        raise Refused(str(error), error.hint) from error
    if out is not None:
        check_out(out, ".html")
    settings = settings_of(names)
    if len(settings) > MOST_SETTINGS:
        raise Refused(
            f"{len(settings)} settings are too many", f"at most {MOST_SETTINGS} are tried"
        )
    number = found.usual_players() if players is None else players
    if number not in found.players:
        allowed = ", ".join(map(str, found.players))
        raise Refused(f"{found.title} is for {allowed} players, not {number}")
    _check_names(found, settings[0])
    tried = [Tried(values) for values in settings]
    play = _Playing(found.checked.sources, number, seed, jobs, cluster)
    interrupted = False
    try:
        sweep(tried, aims, play, games, _told)
    except KeyboardInterrupt:
        interrupted = True
    if out is not None:
        subtitle = f"{amount(number, 'player')}, aim: {aim}; seed {seed}"
        subtitle += " (interrupted)" if interrupted else ""
        swept = Swept(f"{found.title}: {', '.join(vary)}", subtitle, names, tried, aims)
        write_page(out, lambda: sweep_page(swept))
    if as_json:
        document = {
            "game": found.checked.name,
            "variant": found.checked.variant,
            "players": number,
            "seed": seed,
            "interrupted": interrupted,
            "settings": _document(tried, aims),
        }
        print_document("sweep", document)
    else:
        for line in _lines(found, number, names, tried, aims):
            click.echo(printable(line))
        if interrupted:
            click.echo("(interrupted)")
        if out is not None:
            click.echo(f"written: {out}")
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.CLEAN if any(each.verdict == "meets" for each in tried) else Exit.FINDINGS


def _check_names(game: Game, values: dict[str, str]) -> None:
    """Refuse names that stand for nothing, before anything is played."""
    try:
        set_to(game.source, game.library, values)
    except SettingError as error:
        raise Refused(str(error), error.hint) from error
    except LoadError:
        return  # Of this value; others may do.


@attrs.frozen
class _Playing:
    """Shares batches out among processes, or machines; plays them here if there is nobody else."""

    texts: dict[str, Source]
    players: int
    seed: int
    jobs: int
    cluster: str | None

    def __call__(self, batches: Sequence[Batch]) -> Iterator[Played]:
        begin = partial(_begin, self.texts, self.players, self.seed)
        if self.cluster is not None:
            return on_cluster(begin, iter(batches), self.cluster)
        number = min(self.jobs, len(batches), cpu_count())
        return map(begin(), batches) if number == 1 else in_order(begin, iter(batches), number)


def _begin(texts: dict[str, Source], players: int, seed: int) -> Callable[[Batch], Played]:
    """In a process of its own, perhaps on another machine: it has the texts, and not the files."""
    main, library = next(iter(texts.values())), Library(opened=texts)

    @cache
    def playing(
        *values: tuple[str, str],
    ) -> Callable[[int, int], Iterator[GameRow]] | Impossible:
        try:
            return listed_games(Table(set_to(main, library, dict(values)).checked, players), seed)
        except LoadError as error:
            reason = error.diagnostics[0].message if error.diagnostics else str(error)
            return Impossible(reason)
        except RulesError as error:
            return Impossible(error.message)

    def play(batch: Batch) -> Played:
        values, first, last = batch
        found = playing(*values.items())
        return found if isinstance(found, Impossible) else list(found(first, last))

    return play


def _told(left: int, games: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"{amount(left, 'setting')}, {amount(games, 'game')} of each", err=True)


# ---------------------------------------------------------------- showing


def _lines(
    game: Game, players: int, names: Sequence[Varied], tried: list[Tried], aims: Sequence[Goal]
) -> Iterator[str]:
    yield f"{game.title}, {amount(players, 'player')}: {amount(len(tried), 'setting')}"
    yield ""
    width = max(8, *(len(named(each)) for each in tried))
    heads = "".join(f"{goal.name:>26}" for goal in aims)
    yield f"{'setting':{width}}   verdict    games{heads}"
    for each in tried:
        figures = "".join(f"{shown(each, goal):>26}" for goal in aims)
        if each.verdict == "impossible":
            figures = f"   {each.impossible}"
        verdict = VERDICTS[each.verdict]
        yield f"{named(each):{width}}   {verdict:10} {each.games:5}{figures}"
    if len(names) == 2:
        yield ""
        yield from _heat_map(names, tried, aims)
    yield ""
    yield from conclusions(tried, aims)


def _heat_map(names: Sequence[Varied], tried: list[Tried], aims: Sequence[Goal]) -> Iterator[str]:
    """How near each setting is to the aim: the darker, the further."""
    across, down = names
    yield f"how far from the aim ({across.name} across, {down.name} down; darker is further)"
    by_values = {tuple(each.values.values()): each for each in tried}
    most = max((each.miss(aims) for each in tried if each.games), default=0) or 1
    left = max(len(value) for value in down.values)
    yield " " * (left + 3) + "".join(f"{value:>4}" for value in across.values)
    for value in down.values:
        cells = [by_values[other, value] for other in across.values]
        shown = "".join(f"{_shade(cell, aims, most):>4}" for cell in cells)
        yield f"  {value:>{left}} {shown}"


def _shade(tried: Tried, aims: Sequence[Goal], most: float) -> str:
    if not tried.games:
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
            if not each.games
            else {goal.name: attrs.asdict(each.figure(goal)) for goal in aims},
        }
        for each in tried
    ]
