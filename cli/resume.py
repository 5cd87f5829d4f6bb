"""`ruledsl resume`: go on with a saved game."""

from __future__ import annotations

import shlex
from datetime import datetime

import click

from ruledsl.diagnostics.wording import amount, printable
from ruledsl.model.allowance import Allowance

from . import kept_games
from .completing import files, saves_that_go_on
from .game_arguments import check_seats, limit_options, remember_option
from .restore import open_save, restore, rules_option
from .saves import Saved
from .screen import open_screen, plain_option
from .session import Session
from .terminal import Exit, use_color, warn


@click.command
@click.argument("file", shell_complete=saves_that_go_on, required=False)
@click.option("--lang", metavar="CODE", help="Language of the texts, such as `de`.")
@click.option(
    "--moves",
    shell_complete=files,
    metavar="FILE",
    help="Make the choices in a file first, one a line.",
)
@rules_option
@remember_option
@plain_option
@limit_options
def command(
    file: str | None,
    lang: str | None,
    moves: str | None,
    rules: str | None,
    remember: bool,
    plain: bool,
    allowance: Allowance,
) -> int:
    """Go on with a saved game.

    FILE is a save, or the name of a game that was left: without it, those are listed, and the last
    that are over. Every choice from now on is saved in the same file.

    Exit code 0: the game is over, or you left it; 1: the input ended before the game, a choice is
    no longer legal, or the rules went wrong; 2: the file can't be read; 130: interrupted.
    """
    if file is None:
        return _list()
    with open_save(file) as save:
        restored = restore(save.saved, lang, rules=rules, allowance=allowance)
        if not restored.same_rules:
            warn("the rules have changed since the game was saved, but it can go on")
        check_seats(save.header.seats)
        screen = open_screen(color=use_color(), moves=moves, plain=plain)
        return Session(restored.match, save.header, screen, save, remember=remember).run()


def _list() -> int:
    """The games that were left, the latest first, and below them those that are over."""
    left = list(kept_games.kept_games(kept_games.folder()))
    over = list(kept_games.kept_games(kept_games.folder_of_ended()))
    wide = max((len(name) for name, _, _ in (*left, *over)), default=0)
    if not left:
        click.echo("no game was left; `ruledsl play GAME` begins one")
    for each in left:
        click.echo(_line(each, wide))
    if left:
        click.echo(f"\nGo on with: ruledsl resume {shlex.quote(left[0][0])}")
    if over:
        click.echo("\nOver:")
    for each in over:
        click.echo(_line(each, wide))
    if over:
        click.echo(f"\nLook back on one with: ruledsl history {shlex.quote(over[0][0])}")
    return Exit.CLEAN


def _line(kept: tuple[str, Saved, datetime], wide: int) -> str:
    name, saved, when = kept
    title = saved.header.variant or saved.header.game
    players = ", ".join(saved.header.seats)
    made = amount(len(saved.choices), "choice")
    return f"{name:{wide}}  {when:%Y-%m-%d %H:%M}  {printable(title)} ({players}), {made}"
