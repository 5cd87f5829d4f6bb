"""`ruledsl perft`: how many ways there are to play on."""

from __future__ import annotations

import json

import attrs
import click

from ruledsl.diagnostics.render import printable
from ruledsl.engine import EngineError
from ruledsl.lab.perft import Below, By, Perft

from .tables import checked_option, given_options, laid, loaded, option_option
from .terminal import Exit, complain, json_option

DEEPEST = 60
"""The engine counts through a few more decisions."""


@click.command
@click.argument("game")
@click.option("--depth", type=click.IntRange(1, DEEPEST), required=True, metavar="N")
@click.option(
    "--by",
    type=click.Choice(["turn", "decision"]),
    default="turn",
    show_default=True,
    help="What a step is; decisions of one seat in a row are one turn.",
)
@click.option("--players", type=click.IntRange(min=1), metavar="P", help="How many play.")
@click.option("--variant", metavar="NAME", help="A variant of the game.")
@option_option
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, metavar="S", help="What chance does."
)
@checked_option
@json_option
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
) -> int:
    """Count the ways to play on, to depths of 1, 2, up to N.

    At the last depth the ways are divided by the first option. A game that is over earlier is not
    counted. Ctrl-C ends the counting and prints what there is.

    Values out of their range and places that are too full stop the counting; `--unchecked` does
    not look after them and is a little faster.

    Exit code 0; 1 if the rules went wrong; 2 if it could not begin; 130 if interrupted.
    """
    found = loaded(game, variant)
    given = given_options(found, options)
    number = found.usual_players() if players is None else players
    table = laid(found, number, given)
    counts: list[int] = []
    divided: tuple[Below, ...] = ()
    interrupted = False
    if not as_json:
        click.echo(printable(f"{found.title}: {number} players, by {by}, seed {seed}"))
        click.echo("\ndepth  ways to play on")
    try:
        perft = Perft(table, seed, by, checked=checked)
        for each in range(1, depth + 1):
            divided = perft.divide(each)
            counts.append(sum(below.count for below in divided))
            if not as_json:
                click.echo(f"{each:5}  {counts[-1]}")
    except KeyboardInterrupt:
        interrupted = True
    except EngineError as error:
        complain(f"the rules went wrong: {error.placed}")
        return Exit.FINDINGS
    if as_json:
        document = {
            "game": found.name,
            "players": number,
            "options": given,
            "seed": seed,
            "by": by,
            "counts": counts,
            "divide": [attrs.asdict(below) for below in divided],
        }
        click.echo(json.dumps(document, indent=2))
    elif divided:
        click.echo(f"\nat depth {len(counts)}, by the first option:")
        width = len(str(max(below.count for below in divided)))
        for below in divided:
            click.echo(printable(f"{below.count:{width + 2}}  {below.option}"))
    return Exit.INTERRUPTED if interrupted else Exit.CLEAN
