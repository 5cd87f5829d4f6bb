"""`ruledsl show`: a game on a sheet, generated from its rules."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ruledsl.play.loading import Game
from ruledsl.play.sheets.sheet import Sheet, sheet_of
from ruledsl.play.words import Words
from ruledsl.texts.text import LANGUAGES

from .completing import games, variants
from .drawing.entries import entry_lines
from .drawing.text import safe, styled, wrap
from .game_arguments import loaded
from .pager import show_paged
from .screen import open_screen
from .terminal import Exit, Refused, use_color


@click.command
@click.argument("game", shell_complete=games)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="For so many players.")
@click.option("--variant", shell_complete=variants, metavar="NAME", help="A variant of the game.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="Language of the texts.")
@click.option("--full", is_flag=True, help="Also tell what the file says, beside the rulebook.")
def command(
    game: str,
    players: int | None,
    variant: str | None,
    lang: str,
    full: bool,
) -> int:
    """Show a game on a sheet: components, set-up, turn, actions, the end.

    The rules are told in the words of the rulebook if the game has one, else from the file.

    GAME is a name, as `ruledsl list` shows it, or the path to a rules file.
    """
    found = loaded(game, variant)
    if players is not None and players not in found.players:
        allowed = ", ".join(map(str, found.players))
        raise Refused(f"{found.title} is for {allowed} players, not {players}")
    numbers = found.players if players is None else (players,)
    sheet = sheet_of(found.checked, lang, numbers, _variants(found, lang), full=full)
    screen = open_screen(color=use_color(), moves=None)
    show_paged(map(screen.finished, _lines(sheet, screen.columns)), color=True)
    return Exit.CLEAN


def _variants(game: Game, language: str) -> list[tuple[str, str]]:
    return [(name, Words(game.variant(name).checked, language).title()) for name in game.variants()]


def _lines(sheet: Sheet, columns: int) -> Iterator[str]:
    yield styled(safe(sheet.title), "bold")
    yield from wrap(safe(sheet.subtitle), columns)
    for section in sheet.sections:
        yield ""
        yield styled(safe(section.title).upper(), "bold")
        yield from entry_lines(section.entries, columns)
