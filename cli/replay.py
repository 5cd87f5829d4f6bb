"""`ruledsl replay`: what happened in a saved game, up to any choice, and the position then."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ruledsl.diagnostics.render import amount, printable
from ruledsl.play.match import Match
from ruledsl.play.views import PieceView, View

from .restore import cited, open_save, restore, result_lines
from .saves import Header
from .terminal import Exit, Refused


@click.command
@click.argument("file")
@click.option("--to", type=click.IntRange(min=0), metavar="N", help="Stop after N choices.")
@click.option("--seat", type=click.IntRange(min=1), metavar="S", help="As this seat sees it.")
@click.option("--lang", metavar="CODE", help="Language of the texts, such as `de`.")
def command(file: str, to: int | None, seat: int | None, lang: str | None) -> int:
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
    for line in (*_log(match, looking), "", *_end(match, looking)):
        click.echo(printable(line))
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
        text = f"{line.text}{cited(line.trail)}"
        yield text if line.headline else f"    {text}"


def _end(match: Match, seat: int) -> Iterator[str]:
    if match.result is not None:
        yield from result_lines(match)
        return
    yield from position_lines(match, match.view(seat))


def position_lines(match: Match, view: View) -> Iterator[str]:
    """The position in words: each place with what lies there, each visible value."""
    words = match.words
    for place in view.places:
        if place.pieces is None:
            yield f"{words.place(place.place)}: ?"
        elif place.pieces:
            yield f"{words.place(place.place)}: {_counted(match, place.pieces)}"
    for key, owner, value in view.slots:
        of = "" if owner is None else f" ({words.thing(owner)})"
        yield f"{words.name(key.rpartition('.')[2])}{of}: {words.value(value)}"


def _counted(match: Match, pieces: tuple[PieceView, ...]) -> str:
    counts: dict[str, int] = {}
    for piece in pieces:
        label = match.words.kind(piece.kind)
        if piece.piece is not None:
            label = match.words.piece(piece.piece)
            states = ", ".join(match.words.value(value) for _, value in piece.states)
            label = f"{label} [{states}]" if states else label
        counts[label] = counts.get(label, 0) + 1
    return ", ".join(f"{label} × {n}" if n > 1 else label for label, n in counts.items())
