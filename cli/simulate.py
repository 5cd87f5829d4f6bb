"""`ruledsl simulate`: many games by computer players, and what they add up to."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import attrs
import click

from ruledsl.diagnostics.wording import amount, printable
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.simulation import RandomGames, columns_of
from ruledsl.lab.tally import (
    GameColumns,
    GameRow,
    Share,
    Summary,
    Tally,
    columns_of_rows,
)
from ruledsl.model.allowance import Allowance
from ruledsl.play.loading import MOST_SEED, Game
from ruledsl.players.seats import Computer, Random
from ruledsl.table.table import Table

from .completing import files, games, seats, variants
from .documents import print_document, setting
from .game_arguments import (
    checked_option,
    given_options,
    laid,
    limit_options,
    loaded,
    option_option,
)
from .parallel_games import Rows, Series, check_aims, cluster_option, computers, progress, shared
from .row_file import row_file
from .terminal import Exit, Refused, json_option, undisturbed


@attrs.frozen
class Fixed:
    """The same players in the same seats in every game."""

    seats: tuple[Computer, ...]

    def sitting(self, number: int) -> tuple[Computer, ...]:  # noqa: ARG002 - always the same
        return self.seats

    @property
    def at_random(self) -> bool:
        return set(self.seats) == {Random()}


@attrs.frozen
class Part:
    """What some games add up to, and their columns if they are wanted."""

    tally: Tally
    columns: list[GameColumns]
    not_compiled: str | None = None
    """why the interpreter played them, if the engine can't"""


@attrs.frozen
class Sums:
    """Adds games up where they are played; random players are left to the engine."""

    keep: bool
    compiled: bool
    checked: bool

    def begin(self, series: Series, table: Table) -> Callable[[int, int], Part]:
        if not self.compiled:
            return self._interpreted(series, table, None)
        try:
            games = RandomGames(table, series.seed, checked=self.checked)
        except Unsupported as error:
            return self._interpreted(series, table, error.placed)

        def play(first: int, last: int) -> Part:
            part = Part(Tally.of(table), [])
            for each in games.play(first, last, keep=self.keep):
                if isinstance(each, GameRow):
                    if self.keep:
                        part.columns.append(columns_of_rows([each], series.players))
                    part.tally.add([each])
                else:
                    if self.keep:
                        part.columns.append(columns_of(each, first + part.tally.games))
                    part.tally.add_batch(each)
            return part

        return play

    def _interpreted(
        self, series: Series, table: Table, why: str | None
    ) -> Callable[[int, int], Part]:
        rows_from = Rows().begin(series, table)

        def play(first: int, last: int) -> Part:
            rows = rows_from(first, last)
            part = Part(Tally.of(table), [], why)
            part.tally.add(rows)
            if self.keep:
                part.columns.append(columns_of_rows(rows, series.players))
            return part

        return play


@click.command
@click.argument("game", shell_complete=games)
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play.")
@click.option(
    "--seats",
    shell_complete=seats,
    metavar="WHO,...",
    help="Who sits there; random players in the others.",
)
@click.option("--variant", shell_complete=variants, metavar="NAME", help="A variant of the game.")
@option_option
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Repeat a simulation.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True)
@cluster_option
@click.option(
    "--out",
    shell_complete=files,
    metavar="FILE",
    help="Write a row for each game to a new .csv or .parquet.",
)
@checked_option
@json_option
@limit_options
def command(
    game: str,
    games: int,
    players: int | None,
    seats: str | None,
    variant: str | None,
    options: tuple[str, ...],
    seed: int | None,
    jobs: int,
    cluster: str | None,
    out: str | None,
    checked: bool,
    as_json: bool,
    allowance: Allowance,
) -> int:
    """Play many games and add them up.

    `--seats greedy,random` names the players seat by seat; without it all of them play at random.

    Random players are played by compiled rules. These look after values out of their range and
    places that are too full, as the table does; `--unchecked` is a little faster, but its numbers
    mean nothing if the rules go wrong.

    Choices and options are counted in every game where that costs nothing, else in the first
    hundred and every two-hundredth: their number is told then.

    The same seed gives the same numbers, however many processes share the work. Ctrl-C ends the
    simulation and prints what there is.

    Exit code 0; 1 if the rules went wrong in a game; 2 if it could not begin; 130 if interrupted.
    """
    found = loaded(game, variant, allowance)
    given = given_options(found, options)
    sitting = _sitting(found, players, seats)
    drawn = secrets.randbelow(MOST_SEED) if seed is None else seed
    series = Series(game, variant, len(sitting.seats), given, drawn, sitting, allowance)
    table = laid(found, series.players, series.options)
    work = Sums(keep=out is not None, compiled=sitting.at_random, checked=checked)
    tally = Tally.of(table)
    interrupted = False
    not_compiled: str | None = None
    with ExitStack() as stack:
        write = None if out is None else stack.enter_context(row_file(out, series.players))
        try:
            # Whoever sees the bar may end it.
            with progress("simulating", games) as tell:
                for part in shared(work, series, table, games, jobs, cluster):
                    with undisturbed():
                        tally.merge(part.tally)
                        not_compiled = part.not_compiled
                        if write is not None:
                            for columns in part.columns:
                                write(columns)
                    tell(part.tally.games)
        except KeyboardInterrupt:
            interrupted = True
    summary = tally.summary()
    if as_json:
        played = _document(table, drawn, sitting, summary)
        told = {"interrupted": interrupted, "not_compiled": not_compiled}
        print_document("simulate", played | told)
    else:
        for line in _lines(found, series, sitting, summary, interrupted):
            click.echo(printable(line))
        if not_compiled is not None:
            click.echo(printable(f"note: played by the interpreter: {not_compiled}"))
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.FINDINGS if summary.failures else Exit.CLEAN


def _sitting(game: Game, players: int | None, seats: str | None) -> Fixed:
    """Who sits where; random players where nobody is named."""
    named = () if seats is None else computers(seats)
    number = players
    if number is None:
        number = len(named) if len(named) > 1 else game.usual_players()
    if len(named) > number:
        raise Refused(f"{len(named)} seats are given for {number} players")
    check_aims(game.checked, named)
    return Fixed((*named, *[Random()] * (number - len(named))))


# ---------------------------------------------------------------- showing


def _percent(part: Share) -> str:
    return f"{part.value:6.1%}  ({part.low:.1%} to {part.high:.1%})"


def _lines(
    game: Game, series: Series, sitting: Fixed, summary: Summary, interrupted: bool
) -> Iterator[str]:
    who = f"{series.players} random players"
    if not sitting.at_random:
        who = ", ".join(seat.word for seat in sitting.seats)
    what = f"{game.title}: {amount(summary.games, 'game')}, {who}, seed {series.seed}"
    yield what + (" (interrupted)" if interrupted else "")
    if not summary.games:
        return
    if summary.failures:
        yield f"of these {amount(summary.finished, 'game')} came to an end; they are counted here:"
    yield ""
    yield "seat   wins (95 % interval)          mean rank   mean pay-off"
    for seat in summary.seats:
        wins = _percent(seat.wins)
        yield f"{seat.seat:4}   {wins:28}   {seat.mean_rank:8.2f}   {seat.mean_payoff:12.2f}"
    yield f"draws  {_percent(summary.draws)}"
    if summary.lost.value:
        yield f"lost   {_percent(summary.lost)}  by all"
    yield ""
    yield "how games end: " + ", ".join(f"{how} {number}" for how, number in summary.endings)
    yield (
        f"choices in a game: {summary.mean_length:.1f} on average, "
        f"{summary.shortest} to {summary.longest}"
    )
    yield f"options at a choice: {summary.options_per_choice:.1f} on average"
    if summary.counted < summary.games:
        yield f"(choices and options were counted in {amount(summary.counted, 'game')})"
    for failure in summary.failures:
        where = f"first in game {failure.first}"
        yield f"{failure.games} × the rules went wrong, {where}: {failure.message}"


def _document(table: Table, seed: int, sitting: Fixed, summary: Summary) -> dict[str, object]:
    document = attrs.asdict(summary)
    for each, seat in zip(document["seats"], sitting.seats, strict=True):
        each["player"] = seat.word
        if not summary.finished:
            each.update(dict.fromkeys(("wins", "mean_rank", "mean_payoff")))
    if not summary.finished:
        document["draws"] = document["lost"] = None
    if not summary.games:
        names = ("shortest", "mean_length", "longest", "options_per_choice")
        document |= dict.fromkeys(names)
    return {
        **setting(table, seed),
        **document,
        "endings": dict(summary.endings),
    }
