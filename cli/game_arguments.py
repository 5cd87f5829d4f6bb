"""From the words of a command line to a game: loaded, with its options and players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TypeVar, cast

import click

from ruledsl.diagnostics.render import render_text
from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.model.allowance import MOST_TIMES, USUAL, Allowance
from ruledsl.play.loading import Game, LoadError, load
from ruledsl.players.seats import SeatError, seat_of
from ruledsl.table.errors import RulesError
from ruledsl.table.limits import LARGEST
from ruledsl.table.table import Table

from . import completing
from .terminal import Refused, refused, use_color

option_option = click.option(
    "--option",
    "options",
    shell_complete=completing.options,
    metavar="NAME=VALUE",
    multiple=True,
    help="Set an option of the game.",
)
remember_option = click.option(
    "--remember", is_flag=True, help="Show what you once saw, and not only what lies open."
)
checked_option = click.option(
    "--checked/--unchecked", default=True, help="Look after the limits of values."
)


Command = TypeVar("Command", bound=Callable[..., int])


def limit_options(command: Command) -> Command:
    """How much rules may do, for commands that carry them out: `allowance`."""

    @wraps(command)
    def limited(*args: object, limit_work: int, limit_decisions: int, **others: object) -> int:
        return command(*args, allowance=Allowance(limit_work, limit_decisions), **others)

    options = (
        click.option(
            "--limit-work",
            type=click.IntRange(1, MOST_TIMES),
            default=USUAL.times,
            metavar="TIMES",
            help="Let rules work so many times as long as usual between two decisions.",
        ),
        click.option(
            "--limit-decisions",
            type=click.IntRange(1, LARGEST),
            default=USUAL.decisions,
            metavar="N",
            show_default=True,
            help="Stop a game that has no limit of its own after so many decisions.",
        ),
    )
    for option in reversed(options):
        limited = option(limited)
    return cast(Command, limited)


def loaded(game: str, variant: str | None, allowance: Allowance = USUAL) -> Game:
    """The game or its variant; a clear refusal where there is none, or none that can be played."""
    try:
        found = load(game)
        return (found if variant is None else found.variant(variant)).allowing(allowance)
    except LoadError as error:
        raise unplayable(error) from error


def unplayable(error: LoadError) -> Refused:
    if isinstance(error.__cause__, LibraryError):
        return refused(error.__cause__)
    show_mistakes(error)
    message, _, hint = str(error).partition("; ")
    return Refused(message, hint or None)


def show_mistakes(error: LoadError) -> None:
    """Say what is wrong in the rules, if that is why there is no game."""
    if error.diagnostics:
        colored = use_color(err=True)
        text = render_text(error.diagnostics, error.sources, color=colored)
        click.echo(text, nl=False, err=True, color=colored)


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
