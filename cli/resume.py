"""`ruledsl resume`: go on with a saved game."""

from __future__ import annotations

import shlex

import click

from ruledsl.diagnostics.wording import amount, printable
from ruledsl.model.allowance import Allowance

from . import kept_games
from .completing import files, saves
from .game_arguments import check_seats, limit_options, remember_option
from .restore import open_save, restore, rules_option
from .screen import open_screen, plain_option
from .session import Session
from .terminal import Exit, use_color, warn


@click.command
@click.argument("file", shell_complete=saves, required=False)
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

    FILE is a save, or the name of a game that was left: without it, those are listed. Every choice
    from now on is saved in the same file.

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
    """The games that were left, the latest first."""
    found = list(kept_games.kept_games())
    if not found:
        click.echo("no game was left; `ruledsl play GAME` begins one")
    wide = max((len(name) for name, _, _ in found), default=0)
    for name, saved, when in found:
        header = saved.header
        title = header.variant or header.game
        players = ", ".join(header.seats)
        made = amount(len(saved.choices), "choice")
        click.echo(f"{name:{wide}}  {when:%Y-%m-%d %H:%M}  {printable(title)} ({players}), {made}")
    if found:
        click.echo(f"\nGo on with: ruledsl resume {shlex.quote(found[0][0])}")
    return Exit.CLEAN
