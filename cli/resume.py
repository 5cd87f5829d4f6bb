"""`ruledsl resume`: go on with a saved game."""

from __future__ import annotations

import click

from .game_arguments import check_seats, remember_option
from .restore import open_save, restore, rules_option
from .screen import open_screen
from .session import Session
from .terminal import ColorChoice, color_option, complain, use_color


@click.command
@click.argument("file")
@click.option("--lang", metavar="CODE", help="Language of the texts, such as `de`.")
@click.option("--moves", metavar="FILE", help="Make the choices in a file first, one a line.")
@rules_option
@remember_option
@color_option
def command(
    file: str,
    lang: str | None,
    moves: str | None,
    rules: str | None,
    remember: bool,
    color: ColorChoice,
) -> int:
    """Go on with a saved game.

    Every choice from now on is saved in the same file.

    Exit code 0: the game is over, or you left it; 1: the input ended before the game, a choice is
    no longer legal, or the rules went wrong; 2: the file can't be read; 130: interrupted.
    """
    with open_save(file) as save:
        restored = restore(save.saved, lang, rules=rules)
        if not restored.same_rules:
            complain("the rules have changed since the game was saved, but it can go on")
        check_seats(save.header.seats)
        screen = open_screen(color=use_color(color), moves=moves)
        return Session(restored.match, save.header, screen, save, remember=remember).run()
