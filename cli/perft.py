"""`ruledsl perft`: how many ways there are to play on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial

import attrs
import click

from ruledsl.diagnostics.wording import printable
from ruledsl.engine import EngineError
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.perft import Below, By, Perft, first_options
from ruledsl.model.allowance import Allowance
from ruledsl.table.errors import RulesError

from .completing import games, variants
from .documents import print_document, setting
from .game_arguments import (
    checked_option,
    given_options,
    laid,
    limit_options,
    loaded,
    option_option,
)
from .terminal import Exit, Refused, complain, json_option
from .workers import in_order

DEEPEST = 60
"""The engine counts through a few more decisions."""


@click.command
@click.argument("game", shell_complete=games)
@click.option("--depth", type=click.IntRange(1, DEEPEST), required=True, metavar="N")
@click.option(
    "--by",
    type=click.Choice(["turn", "decision"]),
    default="turn",
    show_default=True,
    help="What a step is; decisions of one seat in a row are one turn.",
)
@click.option("--players", type=click.IntRange(min=1), metavar="P", help="How many play.")
@click.option("--variant", shell_complete=variants, metavar="NAME", help="A variant of the game.")
@option_option
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, metavar="S", help="What chance does."
)
@checked_option
@json_option
@limit_options
def command(
    game: str,
    depth: int,
    by: By,
    players: int | None,
    variant: str | None,
    options: tuple[str, ...],
    seed: int,
    checked: bool,
    as_json: bool,
    allowance: Allowance,
) -> int:
    """Count the ways to play on, to depths of 1, 2, up to N.

    At the last depth the ways are divided by the first option. A decision with one option is
    counted like any other, a game that is over earlier is not. Ctrl-C ends the counting and prints
    what there is.

    Values out of their range and places that are too full stop the counting; `--unchecked` does
    not look after them and is a little faster, but means nothing if the rules go wrong.

    Exit code 0; 1 if the rules went wrong; 2 if it could not begin; 130 if interrupted.
    """
    found = loaded(game, variant, allowance)
    given = given_options(found, options)
    number = found.usual_players() if players is None else players
    table = laid(found, number, given)
    try:
        labels = first_options(table, seed)
    except RulesError as error:
        complain(f"the rules went wrong before the first choice: {error.placed}")
        return Exit.FINDINGS
    if not as_json:
        click.echo(printable(f"{found.title}: {number} players, by {by}, seed {seed}"))
        click.echo("\ndepth  ways to play on")
    counts: list[int] = []
    divided: tuple[Below, ...] = ()
    failure: str | None = None
    interrupted = False
    begin = partial(_begin, game, variant, allowance, number, given, seed, by, checked)
    parts = ((option, each) for each in range(1, depth + 1) for option in range(len(labels)))
    try:
        # A count in another process can be ended at any moment.
        with closing(in_order(begin, parts, 1)) as done:
            for each in range(1, depth + 1):
                divided = tuple(Below(label, next(done)) for label in labels)
                counts.append(sum(one.count for one in divided))
                if not as_json:
                    click.echo(f"{each:5}  {counts[-1]}")
    except KeyboardInterrupt:
        interrupted = True
    except EngineError as error:
        failure = error.placed
    except Unsupported as error:
        raise Refused(f"these rules can't be compiled: {error.placed}") from error
    if as_json:
        document = {
            **setting(table, seed),
            "interrupted": interrupted,
            "by": by,
            "counts": counts,
            "divide": [attrs.asdict(below) for below in divided],
            "failure": failure,
        }
        print_document("perft", document)
    elif divided:
        click.echo(f"\nat depth {len(counts)}, by the first option:")
        width = len(str(max(below.count for below in divided)))
        for below in divided:
            click.echo(printable(f"{below.count:{width + 2}}  {below.option}"))
    if failure is not None:
        complain(f"the rules went wrong: {failure}")
        return Exit.FINDINGS
    return Exit.INTERRUPTED if interrupted else Exit.CLEAN


def _begin(
    game: str,
    variant: str | None,
    allowance: Allowance,
    players: int,
    options: dict[str, str],
    seed: int,
    by: By,
    checked: bool,
) -> Callable[[tuple[int, int]], int]:
    """In a process of its own."""
    table = laid(loaded(game, variant, allowance), players, options)
    perft = Perft(table, seed, by, checked=checked)
    return lambda part: perft.below(*part)
