"""`ruledsl arena`: players of several kinds against each other, and how strong they are."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import click

from ruledsl.diagnostics.wording import amount, printable
from ruledsl.lab.arena import ArenaSummary, ArenaTally, Rating, RoundRobin
from ruledsl.lab.tally import Share
from ruledsl.model.allowance import Allowance
from ruledsl.play.loading import MOST_SEED, Game
from ruledsl.players.seats import Computer

from .completing import games, seats, variants
from .documents import print_document, rated, setting
from .game_arguments import given_options, laid, limit_options, loaded, option_option
from .parallel_games import Series, check_aims, cluster_option, computers, played, progress
from .terminal import Exit, Refused, json_option, undisturbed


@click.command
@click.argument("game", shell_complete=games)
@click.option(
    "--seats", shell_complete=seats, metavar="A,B,...", required=True, help="The kinds of players."
)
@click.option("--games", type=click.IntRange(min=1), default=100, show_default=True)
@click.option("--players", type=click.IntRange(min=2), metavar="N", help="How many play a game.")
@click.option("--variant", shell_complete=variants, metavar="NAME", help="A variant of the game.")
@option_option
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Repeat an arena.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True)
@cluster_option
@json_option
@limit_options
def command(
    game: str,
    seats: str,
    games: int,
    players: int | None,
    variant: str | None,
    options: tuple[str, ...],
    seed: int | None,
    jobs: int,
    cluster: str | None,
    as_json: bool,
    allowance: Allowance,
) -> int:
    """Let players of several kinds play against each other, and rate them.

    All groups of kinds that fill the table meet, and each sits in every seat equally often: more
    games than a round has are rounded up to whole rounds. Ratings are Elo's, from the ranks in each
    game; 0 is their mean.

    The same seed gives the same numbers, however many processes share the work, unless a player
    has a budget in seconds. Ctrl-C ends the arena and prints what there is.

    Exit code 0; 1 if the rules went wrong in a game; 2 if it could not begin; 130 if interrupted.
    """
    found = loaded(game, variant, allowance)
    kinds = _kinds(seats)
    check_aims(found.checked, kinds)
    number = found.usual_players() if players is None else players
    drawn = secrets.randbelow(MOST_SEED) if seed is None else seed
    robin = RoundRobin(kinds, number, drawn)
    given = given_options(found, options)
    series = Series(game, variant, number, given, drawn, robin, allowance)
    table = laid(found, series.players, series.options)
    if games < robin.round_length:
        raise Refused(
            f"{amount(len(kinds), 'kind')} at a table of {number} need {robin.round_length} games "
            f"for a round, not {games}",
            f"write `--games {robin.round_length}`, or name fewer kinds",
        )
    total = robin.games(games)
    tally = ArenaTally(robin)
    interrupted = False
    with progress("playing", total) as tell:
        try:
            for rows in played(series, table, total, jobs, cluster):
                with undisturbed():
                    tally.add(rows)
                tell(len(rows))
        except KeyboardInterrupt:
            interrupted = True
    summary = tally.summary()
    if as_json:
        told = {"interrupted": interrupted, **rated(summary)}
        print_document("arena", setting(table, drawn) | told)
    else:
        for line in _lines(found, series, summary, interrupted):
            click.echo(printable(line))
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.FINDINGS if summary.failures else Exit.CLEAN


def _kinds(seats: str) -> tuple[Computer, ...]:
    kinds = computers(seats)
    twice = next((kind.word for kind in kinds if kinds.count(kind) > 1), None)
    if twice is not None:
        raise Refused(f"`{twice}` is named twice", "each kind of player is named once")
    if len(kinds) < 2:
        raise Refused(
            f"`{kinds[0].word}` has nobody to play against", "write `--seats greedy,random`"
        )
    return kinds


# ---------------------------------------------------------------- showing


def _percent(part: Share) -> str:
    return f"{part.value:6.1%}  ({part.low:.1%} to {part.high:.1%})"


def _points(rating: Rating) -> str:
    return f"{rating.value:+5.0f}  ({rating.low:+.0f} to {rating.high:+.0f})"


def _lines(game: Game, series: Series, summary: ArenaSummary, interrupted: bool) -> Iterator[str]:
    games = f"{amount(summary.games, 'game')} of {series.players} players"
    what = f"{game.title}: {games}, seed {series.seed}"
    yield what + (" (interrupted)" if interrupted else "")
    if not summary.games:
        return
    width = max(6, *(len(kind.player) for kind in summary.players))
    yield ""
    yield f"{'player':{width}}   wins (95 % interval)          mean rank   Elo (95 % interval)"
    for kind in sorted(summary.players, key=lambda kind: -kind.elo.value):
        yield (
            f"{kind.player:{width}}   {_percent(kind.wins):28}   {kind.mean_rank:8.2f}   "
            f"{_points(kind.elo)}"
        )
    yield f"{'draws':{width}}   {_percent(summary.draws)}"
    yield f"a fair share of the wins would be {1 / series.players:.1%}"
    yield ""
    for pair in summary.pairs:
        ahead = _percent(pair.better).strip()
        meetings = amount(pair.meetings, "meeting")
        yield f"{pair.player} before {pair.against}: {ahead} of {meetings}"
    for failure, number in summary.failures:
        yield f"{number} × the rules went wrong: {failure}"
