"""`ruledsl replay`: what happened in a saved game, up to any choice, and the position then."""

from __future__ import annotations

import attrs
import click

from ruledsl.diagnostics.wording import amount
from ruledsl.model.game import has_secrets
from ruledsl.play.match import Match
from ruledsl.scene.scene import scene_of, stage_of

from .announcer import log_lines
from .completing import saves
from .drawing.artist import Artist
from .restore import look_at_save, restore, result_lines, rules_option
from .saves import Header
from .screen import open_screen
from .terminal import Exit, Refused, use_color


@click.command
@click.argument("file", shell_complete=saves)
@click.option("--to", type=click.IntRange(min=0), metavar="N", help="Stop after N choices.")
@click.option("--seat", type=click.IntRange(min=1), metavar="S", help="As this seat sees it.")
@click.option("--lang", metavar="CODE", help="Language of the texts, such as `de`.")
@click.option("--open", "opened", is_flag=True, help="Show what is hidden in a running game.")
@rules_option
def command(
    file: str,
    to: int | None,
    seat: int | None,
    lang: str | None,
    opened: bool,
    rules: str | None,
) -> int:
    """Play a saved game again and print what happened, as one seat sees it.

    Without --seat, that is the seat of the only human player, or the first. As long as a game with
    secrets goes on, other seats are shown with --open only.

    Exit code 0; 1 if a choice is no longer legal; 2 if the file can't be read.
    """
    saved = look_at_save(file)
    total = len(saved.choices)
    if to is not None and to > total:
        raise Refused(f"the save has {amount(total, 'choice')}, not {to}")
    match = restore(saved, lang, rules=rules).match
    looking = _looking(saved.header, match, seat, opened=opened)
    if to is not None:
        match = restore(saved, lang, to, rules).match
    screen = open_screen(color=use_color(), moves=None)
    scene = scene_of(match, looking, remember=False)
    for line in log_lines(scene):
        screen.tell(line, "      ")
    scene = attrs.evolve(scene, happenings=(), ask=None)
    screen.show(["", *Artist(stage_of(match), match.players).draw(scene, screen.columns)])
    if match.result is not None:
        screen.show(["", *result_lines(match)])
    return Exit.CLEAN


def _looking(header: Header, match: Match, seat: int | None, *, opened: bool) -> int:
    """Whose eyes to look through."""
    if seat is not None and seat > header.players:
        raise Refused(f"there are {header.players} seats, not {seat}")
    humans = [number for number, who in enumerate(header.seats, 1) if who == "human"]
    secret = match.result is None and has_secrets(match.game) and not opened
    if len(humans) > 1 and secret:
        raise Refused(
            "several people play, and the game is not over: this would show hidden things",
            "`ruledsl history` lists what everybody knows; with `--open` you see all the same",
        )
    own = humans[0] if humans else 1
    if seat is not None and seat != own and secret:
        raise Refused(
            f"the game is not over: seat {seat} sees what is hidden from seat {own}",
            "with `--open` you see it all the same",
        )
    return own if seat is None else seat
