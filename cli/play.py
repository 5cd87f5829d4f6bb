"""`ruledsl play`: a game in the terminal."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from ruledsl.model.allowance import Allowance
from ruledsl.model.game import has_secrets
from ruledsl.play.loading import MOST_SEED, Game, LoadError
from ruledsl.players.seats import OPPONENT, WORDS, Human
from ruledsl.texts.text import LANGUAGES

from . import kept_games
from .completing import files, games, seats, variants
from .game_arguments import (
    check_seats,
    given_options,
    limit_options,
    loaded,
    option_option,
    remember_option,
    unplayable,
)
from .saves import FORMAT, Header, Save, SaveError, rules_hash
from .screen import open_screen, plain_option
from .session import Session
from .terminal import Refused, use_color, warn


@click.command
@click.argument("game", shell_complete=games)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play.")
@click.option(
    "--seats", shell_complete=seats, metavar="WHO,...", help=f"Who sits there: {', '.join(WORDS)}."
)
@click.option("--variant", shell_complete=variants, metavar="NAME", help="A variant of the game.")
@option_option
@click.option("--seed", type=click.IntRange(min=0), metavar="S", help="Repeat a game's chance.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="Language of the texts.")
@click.option(
    "--save",
    "save_to",
    shell_complete=files,
    metavar="FILE",
    help="Save every choice to a new file.",
)
@click.option(
    "--moves",
    shell_complete=files,
    metavar="FILE",
    help="Make the choices in a file first, one a line.",
)
@remember_option
@plain_option
@limit_options
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
    remember: bool,
    plain: bool,
    allowance: Allowance,
) -> int:
    """Play a game in the terminal.

    GAME is a name, as `ruledsl list` shows it, or the path to a rules file. You sit in seat 1, the
    computer in the others; `--seats human,hard` chooses how far it looks ahead,
    `--seats human,human` is for two people at one keyboard, and `--seats medium,medium` lets the
    computer play alone.

    The table shows what lies open. With --remember it also shows what you once saw and can follow.

    Choices are typed by number or by words. Where the input is no terminal they are read from it,
    or from the file given by --moves, one a line.

    Exit code 0: the game is over, or you left it; 1: the input ended before the game, or the rules
    went wrong; 2: it could not begin; 130: interrupted.
    """
    found = loaded(game, variant, allowance)
    given = given_options(found, options)
    number, sitting = _seats(found, players, seats)
    drawn = secrets.randbelow(MOST_SEED) if seed is None else seed
    try:
        match = found.start(number, None, given, drawn, lang)
    except LoadError as error:
        raise unplayable(error) from error
    header = Header(FORMAT, game, variant, given, number, sitting, drawn, lang, rules_hash(match))
    screen = open_screen(color=use_color(), moves=moves, plain=plain)
    try:
        save = None if save_to is None else Save.create(Path(save_to), header)
    except SaveError as error:
        raise Refused(str(error)) from error
    if save is None and screen.interactive and Human().word in sitting:
        save = _kept(header)
    if seed is not None and sitting.count(Human().word) > 1 and has_secrets(match.game):
        warn("whoever knows the seed can work out what is hidden from others")
    known = seed is not None
    return Session(match, header, screen, save, seed_is_known=known, remember=remember).run()


def _kept(header: Header) -> Save | None:
    """Every game that people play is kept until it is over."""
    try:
        return kept_games.keep(header)
    except SaveError as error:
        warn(str(error))
        return None


def _seats(game: Game, players: int | None, seats: str | None) -> tuple[int, tuple[str, ...]]:
    """How many play, and who sits where."""
    named = [] if seats is None else [seat.strip() for seat in seats.split(",")]
    check_seats(named)
    number = players
    if number is None:
        number = len(named) if len(named) > 1 else game.usual_players()
    if len(named) > number:
        raise Refused(f"{len(named)} seats are given for {number} players")
    usual = (Human().word, *[OPPONENT.word] * (number - 1))
    return number, (*named, *usual[max(1, len(named)) if named else 0 :])
