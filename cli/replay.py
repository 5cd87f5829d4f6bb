"""`ruledsl replay`: what happened in a saved game, up to any choice, and the position then."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ruledsl.diagnostics.render import amount
from ruledsl.play.match import Match

from .drawing.artist import Artist
from .drawing.text import safe, styled
from .restore import cited, open_save, restore, result_lines
from .saves import Header
from .screen import open_screen
from .terminal import ColorChoice, Exit, Refused, color_option, use_color


@click.command
@click.argument("file")
@click.option("--to", type=click.IntRange(min=0), metavar="N", help="Stop after N choices.")
@click.option("--seat", type=click.IntRange(min=1), metavar="S", help="As this seat sees it.")
@click.option("--lang", metavar="CODE", help="Language of the texts, such as `de`.")
@color_option
def command(
    file: str, to: int | None, seat: int | None, lang: str | None, color: ColorChoice
) -> int:
    """Play a saved game again and print what happened, as one seat sees it.

    Without --seat, that is the seat of the only human player, or the first.

    Exit code 0; 1 if a choice is no longer legal; 2 if the file can't be read.
    """
    with open_save(file) as save:
        total = len(save.choices)
        if to is not None and to > total:
            raise Refused(f"the save has {amount(total, 'choice')}, not {to}")
        match = restore(save, lang, to).match
        looking = _looking(save.header, match, seat)
    screen = open_screen(color=use_color(color), moves=None)
    for line in _log(match, looking):
        screen.tell(line)
    board = Artist(match.table, match.words).draw(match.view(looking), screen.columns)
    screen.show(["", *board])
    if match.result is not None:
        screen.show(["", *result_lines(match)])
    return Exit.CLEAN


def _looking(header: Header, match: Match, seat: int | None) -> int:
    """Whose eyes to look through."""
    if seat is not None:
        if seat > header.players:
            raise Refused(f"there are {header.players} seats, not {seat}")
        return seat
    humans = [number for number, who in enumerate(header.seats, 1) if who == "human"]
    if len(humans) > 1 and match.result is None:
        raise Refused(
            "several people play, and the game is not over: whose view?", "add `--seat 1`"
        )
    return humans[0] if humans else 1


def _log(match: Match, seat: int) -> Iterator[str]:
    for line in match.log(seat):
        text = safe(f"{line.text}{cited(line.trail)}")
        yield styled(text, "bold") if line.headline else f"    {text}"
