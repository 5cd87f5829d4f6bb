"""From the words of a command line to a game: loaded, with its options and players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click

from ruledsl.diagnostics.render import render_text
from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.play.loading import Game, LoadError, load
from ruledsl.players.seats import SeatError, seat_of
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

from .terminal import Refused, refused

option_option = click.option(
    "--option", "options", metavar="NAME=VALUE", multiple=True, help="Set an option of the game."
)
remember_option = click.option(
    "--remember", is_flag=True, help="Show what you once saw, and not only what lies open."
)
checked_option = click.option(
    "--checked/--unchecked", default=True, help="Look after the limits of values."
)


def loaded(game: str, variant: str | None) -> Game:
    """The game or its variant; a clear refusal where there is none, or none that can be played."""
    try:
        found = load(game)
        return found if variant is None else found.variant(variant)
    except LoadError as error:
        raise unplayable(error) from error


def unplayable(error: LoadError) -> Refused:
    if isinstance(error.__cause__, LibraryError):
        return refused(error.__cause__)
    if error.diagnostics:
        click.echo(render_text(error.diagnostics, error.sources), nl=False, err=True)
    message, _, hint = str(error).partition("; ")
    return Refused(message, hint or None)


def given_options(game: Game, options: Iterable[str]) -> dict[str, str]:
    """Options as `name=value`, of those the game has."""
    known = game.checked.options
    given: dict[str, str] = {}
    for option in options:
        name, sign, value = option.partition("=")
        if not sign or not name:
            raise Refused(f"`{option}` is no option with a value", "write `--option name=value`")
        name = name.strip().replace("-", "_")
        if name not in known:
            hint = did_you_mean(name, known) or (
                f"there are: {', '.join(known)}" if known else "this game has no options"
            )
            raise Refused(f"{game.title} has no option called `{name}`", hint)
        given[name] = value.strip()
    return given


def laid(game: Game, players: int, options: Mapping[str, str]) -> Table:
    """The table for so many players."""
    if players not in game.players:
        allowed = ", ".join(str(each) for each in game.players)
        raise Refused(f"{game.title} is for {allowed} players, not {players}")
    try:
        return Table(game.checked, players, options)
    except RulesError as error:
        raise Refused(error.message) from error


def check_seats(words: Iterable[str]) -> None:
    """Refuse words that stand for nobody."""
    try:
        for word in words:
            seat_of(word)
    except SeatError as error:
        raise Refused(str(error), error.hint) from error
