"""`ruledsl play`: a game in the terminal."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from ruledsl.diagnostics.render import render_text
from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.library import Library, LibraryError
from ruledsl.play.loading import MOST_SEED, Game, LoadError, load
from ruledsl.play.match import Match

from .saves import FORMAT, Header, Save, SaveError, rules_hash
from .screen import open_screen
from .session import HUMAN, PLAYERS, Session
from .terminal import ColorChoice, Refused, color_option, refused, use_color

LANGUAGES = ("en", "de")


def _games(
    ctx: click.Context,  # noqa: ARG001 (click's signature)
    param: click.Parameter,  # noqa: ARG001
    incomplete: str,
) -> list[CompletionItem]:
    """Names of games that begin so; paths are completed by the shell."""
    if "/" in incomplete or incomplete.startswith("."):
        return [CompletionItem(incomplete, type="file")]
    wanted = incomplete.replace("-", "_")
    playable = re.compile("^(game|variant) ", re.MULTILINE)
    library = Library()
    return [
        CompletionItem(name)
        for name in library.names()
        if name.startswith(wanted)
        and (source := library.source(name)) is not None
        and playable.search(source.text)
    ]


@click.command
@click.argument("game", shell_complete=_games)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play.")
@click.option(
    "--seats", metavar="WHO,...", help=f"Who sits there: {HUMAN}, or {', '.join(PLAYERS)}."
)
@click.option("--variant", metavar="NAME", help="A variant of the game.")
@click.option(
    "--option", "options", metavar="NAME=VALUE", multiple=True, help="Set an option of the game."
)
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Repeat a game's chance.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="Language of the texts.")
@click.option("--save", "save_to", metavar="FILE", help="Save every choice to a new file.")
@click.option("--moves", metavar="FILE", help="Make the choices in a file first, one a line.")
@color_option
def command(
    game: str,
    players: int | None,
    seats: str | None,
    variant: str | None,
    options: tuple[str, ...],
    seed: int | None,
    lang: str,
    save_to: str | None,
    moves: str | None,
    color: ColorChoice,
) -> int:
    """Play a game in the terminal.

    GAME is a name, as `ruledsl list` shows it, or the path to a rules file. You sit in seat 1, the
    computer in the others; `--seats human,human` is for two people at one keyboard, and
    `--seats random,random` lets the computer play alone.

    Choices are typed by number or by words. Where the input is no terminal they are read from it,
    or from the file given by --moves, one a line.

    Exit code 0: the game is over, or you left it; 1: the input ended before the game, or the rules
    went wrong; 2: it could not begin; 130: interrupted.
    """
    given = _given(options)
    loaded = _loaded(game, variant)
    number, sitting = _seats(loaded, players, seats)
    drawn = secrets.randbelow(MOST_SEED) if seed is None else seed
    match = _started(loaded, number, given, drawn, lang)
    header = Header(FORMAT, game, variant, given, number, sitting, drawn, lang, rules_hash(match))
    screen = open_screen(color=use_color(color), moves=moves)
    if save_to is None:
        session = Session(match, header, screen)
        try:
            return session.run()
        finally:
            if session.save is not None:
                session.save.close()
    try:
        with Save.create(Path(save_to), header) as save:
            return Session(match, header, screen, save).run()
    except SaveError as error:
        raise Refused(str(error)) from error


def _given(options: tuple[str, ...]) -> dict[str, str]:
    given = {}
    for option in options:
        name, sign, value = option.partition("=")
        if not sign or not name:
            raise Refused(f"`{option}` is no option with a value", "write `--option name=value`")
        given[name.strip().replace("-", "_")] = value.strip()
    return given


def _loaded(game: str, variant: str | None) -> Game:
    try:
        found = load(game)
        return found if variant is None else found.variant(variant)
    except LoadError as error:
        raise _unplayable(error) from error


def _unplayable(error: LoadError) -> Refused:
    if isinstance(error.__cause__, LibraryError):
        return refused(error.__cause__)
    if error.diagnostics:
        click.echo(render_text(error.diagnostics, error.sources), nl=False, err=True)
    message, _, hint = str(error).partition("; ")
    return Refused(message, hint or None)


def _seats(game: Game, players: int | None, seats: str | None) -> tuple[int, tuple[str, ...]]:
    """How many play, and who sits where."""
    named = [] if seats is None else [seat.strip() for seat in seats.split(",")]
    for name in named:
        if name != HUMAN and name not in PLAYERS:
            known = (HUMAN, *PLAYERS)
            hint = did_you_mean(name, known) or f"there are: {', '.join(known)}"
            raise Refused(f"nobody called `{name}` can sit there", hint)
    number = players
    if number is None:
        number = len(named) if len(named) > 1 else game.usual_players()
    if len(named) > number:
        raise Refused(f"{len(named)} seats are given for {number} players")
    usual = (HUMAN, *[next(iter(PLAYERS))] * (number - 1))
    return number, (*named, *usual[max(1, len(named)) if named else 0 :])


def _started(game: Game, players: int, options: dict[str, str], seed: int, lang: str) -> Match:
    known = game.checked.options
    for name in options:
        if name not in known:
            hint = did_you_mean(name, known) or (
                f"there are: {', '.join(known)}" if known else "this game has no options"
            )
            raise Refused(f"{game.title} has no option called `{name}`", hint)
    try:
        return game.start(players, None, options, seed, lang)
    except LoadError as error:
        raise _unplayable(error) from error
