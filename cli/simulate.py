"""`ruledsl simulate`: many games by computer players, and what they add up to."""

from __future__ import annotations

import csv
import json
import secrets
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from typing import IO

import attrs
import click

from ruledsl.diagnostics.render import printable
from ruledsl.lab.simulation import GameRow, Share, Summary, Tally, play_one
from ruledsl.play.loading import MOST_SEED, Game, LoadError
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

from .tables import given_options, loaded, option_option, unplayable
from .terminal import Exit, Refused, json_option

CHUNK = 10
"""Games a process plays before it reports."""


@attrs.frozen
class Plan:
    """What is simulated: enough for any process to lay the table by itself."""

    game: str
    variant: str | None
    players: int
    options: dict[str, str]
    seed: int


@click.command
@click.argument("game")
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play.")
@click.option("--variant", metavar="NAME", help="A variant of the game.")
@option_option
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Repeat a simulation.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True)
@click.option("--out", metavar="FILE.csv", help="Write a row for each game to a new file.")
@json_option
def command(
    game: str,
    games: int,
    players: int | None,
    variant: str | None,
    options: tuple[str, ...],
    seed: int | None,
    jobs: int,
    out: str | None,
    as_json: bool,
) -> int:
    """Play many games at random and add them up.

    The same seed gives the same numbers, however many processes share the work. Ctrl-C ends the
    simulation and prints what there is.

    Exit code 0; 1 if the rules went wrong in a game; 2 if it could not begin; 130 if interrupted.
    """
    found = loaded(game, variant)
    plan = Plan(
        game,
        variant,
        found.usual_players() if players is None else players,
        given_options(found, options),
        secrets.randbelow(MOST_SEED) if seed is None else seed,
    )
    table = _laid(found, plan)
    tally = Tally(plan.players)
    interrupted = False
    with ExitStack() as stack:
        write = _writer(stack, out, plan.players)
        bar = stack.enter_context(
            click.progressbar(length=games, label="simulating", file=sys.stderr, hidden=_quiet())
        )
        try:
            for rows in _played(plan, table, games, jobs):
                tally.add(rows)
                for row in rows:
                    write(row)
                bar.update(len(rows))
        except KeyboardInterrupt:
            interrupted = True
    summary = tally.summary()
    if as_json:
        click.echo(json.dumps(_document(found, plan, summary), indent=2))
    else:
        for line in _lines(found, plan, summary, interrupted):
            click.echo(printable(line))
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.FINDINGS if summary.failures else Exit.CLEAN


def _quiet() -> bool:
    return not sys.stderr.isatty()


def _laid(game: Game, plan: Plan) -> Table:
    if plan.players not in game.players:
        allowed = ", ".join(str(each) for each in game.players)
        raise Refused(f"{game.title} is for {allowed} players, not {plan.players}")
    try:
        return Table(game.checked, plan.players, plan.options)
    except RulesError as error:
        raise Refused(error.message) from error


# ---------------------------------------------------------------- playing


def _played(plan: Plan, table: Table, games: int, jobs: int) -> Iterator[list[GameRow]]:
    """The games in order, some at a time."""
    chunks = [(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    if jobs == 1:
        for first, last in chunks:
            yield [play_one(table, plan.seed, number) for number in range(first, last)]
        return
    # A fresh process lays its own table: nothing is shared, so nothing depends on the sharing.
    with get_context("spawn").Pool(jobs, _begin, (plan,)) as pool:
        yield from pool.imap(_chunk, chunks)


_worker: tuple[Table, int] | None = None


def _begin(plan: Plan) -> None:
    global _worker  # noqa: PLW0603 - a pool's processes are set up through a global
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        game = loaded(plan.game, plan.variant)
    except LoadError as error:
        raise unplayable(error) from error
    _worker = (_laid(game, plan), plan.seed)


def _chunk(numbers: tuple[int, int]) -> list[GameRow]:
    assert _worker is not None
    table, seed = _worker
    return [play_one(table, seed, number) for number in range(*numbers)]


# ---------------------------------------------------------------- showing


def _writer(stack: ExitStack, out: str | None, players: int) -> Callable[[GameRow], object]:
    """A function that writes a game's row, or nothing."""
    if out is None:
        return lambda row: None
    path = Path(out)
    if path.suffix != ".csv":
        raise Refused(f"`{out}` is no CSV file", "write `--out games.csv`")
    try:
        file: IO[str] = stack.enter_context(path.open("x", newline="", encoding="utf-8"))
    except FileExistsError:
        raise Refused(f"`{out}` exists already") from None
    except OSError as error:
        raise Refused(f"`{out}` can't be written: {error.strerror}") from error
    table = csv.writer(file)
    seats = range(1, players + 1)
    table.writerow(
        [
            "game",
            "ending",
            *(f"rank_{seat}" for seat in seats),
            *(f"payoff_{seat}" for seat in seats),
            "choices",
            "options",
        ]
    )
    empty = ("",) * players
    return lambda row: table.writerow(
        [
            row.number,
            row.how,
            *(row.ranks or empty),
            *(row.payoffs or empty),
            row.choices,
            row.options,
        ]
    )


def _percent(part: Share) -> str:
    return f"{part.value:6.1%}  ({part.low:.1%} to {part.high:.1%})"


def _lines(game: Game, plan: Plan, summary: Summary, interrupted: bool) -> Iterator[str]:
    what = f"{game.title}: {summary.games} games, {plan.players} random players, seed {plan.seed}"
    yield what + (" (interrupted)" if interrupted else "")
    if not summary.games:
        return
    yield ""
    yield "seat   wins (95 % interval)          mean rank   mean pay-off"
    for seat in summary.seats:
        wins = _percent(seat.wins)
        yield f"{seat.seat:4}   {wins:28}   {seat.mean_rank:8.2f}   {seat.mean_payoff:12.2f}"
    yield f"draws  {_percent(summary.draws)}"
    yield ""
    yield "how games end: " + ", ".join(f"{how} {number}" for how, number in summary.endings)
    yield (
        f"choices in a game: {summary.mean_length:.1f} on average, "
        f"{summary.shortest} to {summary.longest}"
    )
    yield f"options at a choice: {summary.options_per_choice:.1f} on average"
    for failure, number in summary.failures:
        yield f"{number} × the rules went wrong: {failure}"


def _document(game: Game, plan: Plan, summary: Summary) -> dict[str, object]:
    return {
        "game": game.name,
        "players": plan.players,
        "options": plan.options,
        "seed": plan.seed,
        **attrs.asdict(summary),
        "endings": dict(summary.endings),
        "failures": dict(summary.failures),
    }
