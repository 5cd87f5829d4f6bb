"""What a shell offers for the words of a command line. It loads only what it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from ruledsl.play.loading import Game

MOST_VALUES = 200


def games(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of games that begin so; where there is none, the shell completes files."""
    from ruledsl.library import Library, is_playable  # noqa: PLC0415

    if "/" in begun or begun.startswith("."):
        return _files(begun)
    library = Library()
    wanted = begun.replace("-", "_")
    named = (name for name in library.names() if name.startswith(wanted))
    sources = ((name, library.source(name)) for name in named)
    found = (name for name, source in sources if source is not None and is_playable(source))
    return _items(found) or _files(begun)


def files(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    return _files(begun)


def commands(ctx: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    shell = ctx.find_root().command
    assert isinstance(shell, click.Group)
    return _items(name for name in shell.list_commands(ctx) if name.startswith(begun))


def codes(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Kinds of mistakes."""
    from ruledsl.diagnostics.explain import all_codes  # noqa: PLC0415

    return _items(code.name for code in all_codes() if code.name.startswith(begun))


def seats(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """The last one of words with commas between them."""
    from ruledsl.players.seats import WORDS  # noqa: PLC0415

    before, comma, last = begun.rpartition(",")
    # What stands for a number to be chosen is written in capitals.
    fitting = (word for word in WORDS if word.startswith(last) and word.islower())
    return _items(f"{before}{comma}{word}" for word in fitting)


def variants(ctx: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    wanted = begun.replace("-", "_")
    return _items(
        name for game in _game(ctx) for name in game.variants() if name.startswith(wanted)
    )


def options(ctx: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of a game's options, up to the sign before the value; behind it, its values."""
    name, sign, value = begun.partition("=")
    wanted = name.replace("-", "_")
    if not sign:
        names = (each for game in _game(ctx) for each in game.checked.options)
        return _items(f"{each}=" for each in names if each.startswith(wanted))
    values = (each for game in _game(ctx) for each in _values(game, wanted))
    return _items(f"{name}={each}" for each in values if each.startswith(value))


def _values(game: Game, option: str) -> Iterator[str]:
    """What an option can be set to, as many as anybody would read."""
    from ruledsl.table.table import Table  # noqa: PLC0415
    from ruledsl.table.things import as_written  # noqa: PLC0415

    if option in game.checked.options:
        table = Table(game.checked, game.players[0])
        yield from map(as_written, table.option_values(option)[:MOST_VALUES])


def saves(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of games that are kept; where there is none, the shell completes files."""
    return _saves(begun, ended=True)


def saves_that_go_on(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """The same without games that are over."""
    return _saves(begun, ended=False)


def _saves(begun: str, *, ended: bool) -> list[CompletionItem]:
    from .kept_games import names  # noqa: PLC0415

    if "/" in begun or begun.startswith("."):
        return _files(begun)
    found = (name for name in names(ended=ended) if name.startswith(begun))
    return _items(found) or _files(begun)


def _game(ctx: click.Context) -> Iterator[Game]:
    """The game named before, if there is one and it can be played."""
    from ruledsl.play.loading import LoadError, load  # noqa: PLC0415

    # Behind an option whose value is still to come, click leaves arguments where they are.
    named = ctx.params.get("game") or next(iter(ctx.args), None)
    variant = ctx.params.get("variant")
    if isinstance(named, str):
        try:
            game = load(named)
            yield game if variant is None else game.variant(variant)
        except LoadError:
            return


def _items(words: Iterable[str]) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.isprintable()]


def _files(begun: str) -> list[CompletionItem]:
    """The shell's own completion of paths; nothing that could steer it is said again."""
    return [CompletionItem(begun, type="file")] if begun.isprintable() else []
