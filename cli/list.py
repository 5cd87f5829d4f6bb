"""`ruledsl list`: the games there are, with their players, variants and options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs
import click

from ruledsl.diagnostics.source import Source, Span
from ruledsl.diagnostics.wording import printable
from ruledsl.library import Library, identifier
from ruledsl.syntax import ast
from ruledsl.syntax.parser import declared

from .completing import games
from .documents import Plain, print_document
from .pager import show_paged
from .source_arguments import Inputs, is_name, read_inputs
from .terminal import Exit, complain, json_option, use_color

MOST_PLAYERS = 100
"""More are not counted up: the checker refuses such a game."""


@attrs.frozen
class Option:
    """Something to be agreed on before a game; its domain as it is written."""

    id: str
    title: str | None
    domain: str
    default: Plain


@attrs.frozen
class Variant:
    """Another way to play a game."""

    id: str
    title: str | None
    file: str
    options: tuple[Option, ...]


@attrs.frozen
class Game:
    """A game and all ways to play it."""

    id: str
    title: str | None
    file: str
    players: tuple[int, ...]
    options: tuple[Option, ...]
    variants: tuple[Variant, ...]


@click.command
@click.argument("paths", shell_complete=games, metavar="[GAME]...", nargs=-1)
@json_option
def command(paths: tuple[str, ...], as_json: bool) -> int:
    """List the shipped games, and those in any file or folder given.

    With the names of games or variants, only those are listed, and what is in the files.

    Exit code 0; 1 if a file could not be listed; 2 if something could not be read.
    """
    names = {identifier(word) for word in paths if is_name(word)}
    inputs = read_inputs(paths)
    shipped = tuple(Library().sources())
    given = {source.name for source in inputs.sources}
    sources = (*inputs.sources, *(source for source in shipped if source.name not in given))
    games, skipped = _games(sources)
    if names:
        games = tuple(game for game in games if game.file in given or names & _called(game))
    if as_json:
        print_document("list", {"games": [attrs.asdict(game) for game in games]})
    else:
        show_paged(printable_list(games).splitlines(), color=use_color())
    return _complaints(inputs, skipped)


def _called(game: Game) -> set[str]:
    return {game.id, *(variant.id for variant in game.variants)}


def printable_list(games: Iterable[Game]) -> str:
    """A block of lines for each game, its id in front."""
    return "".join(f"{printable(line)}\n" for game in games for line in _lines(game))


def _lines(game: Game) -> Iterator[str]:
    yield f"{game.id}: {game.title or game.id}, {_players(game.players)}"
    yield from (f"    {_option(option)}" for option in game.options)
    for variant in game.variants:
        yield f"    variant {variant.id}: {variant.title or variant.id}"
        yield from (f"        {_option(option)}" for option in variant.options)


def _option(option: Option) -> str:
    default = option.default
    if isinstance(default, bool):
        default = "yes" if default else "no"
    return f"option {option.id}: {option.title or option.id}, {option.domain} ({default})"


def _players(players: Sequence[int]) -> str:
    if not players:
        return "any players"
    if len(players) > 1 and players[-1] - players[0] == len(players) - 1:
        return f"{players[0]} to {players[-1]} players"
    counts = " or ".join(map(str, players))
    return f"{counts} player{'' if counts == '1' else 's'}"


def _complaints(inputs: Inputs, skipped: Iterable[str]) -> int:
    code = Exit.CLEAN
    for name in (*(found.span.file for found in inputs.diagnostics), *skipped):
        complain(f"can't list `{name}`", f"`ruledsl check {name}` says what is wrong with it")
        code = Exit.FINDINGS
    for error in inputs.unreadable:
        complain(str(error), error.hint)
        code = Exit.USAGE
    return code


def _games(sources: Iterable[Source]) -> tuple[tuple[Game, ...], tuple[str, ...]]:
    """The games in the order of the sources, and the names of sources that can't be listed."""
    headers: dict[str, tuple[ast.Game | ast.Variant, Source, tuple[Option, ...]]] = {}
    skipped: list[str] = []
    for source in sources:
        items = declared(source, ("game", "variant", "library", "option"))
        options = tuple(_declared(item, source) for item in items if isinstance(item, ast.Option))
        match next((i for i in items if isinstance(i, ast.Game | ast.Variant | ast.Library)), None):
            case ast.Game() | ast.Variant() as header:
                headers.setdefault(header.name.text, (header, source, options))
            case ast.Library():
                pass
            case None:
                skipped.append(source.name)
    bases = {
        name: [base.text for base in header.bases]
        for name, (header, _, _) in headers.items()
        if isinstance(header, ast.Variant)
    }
    variants: dict[str, list[Variant]] = {}
    for name in sorted(bases):
        header, source, options = headers[name]
        game = _game_of(name, bases)
        if game not in headers:
            skipped.append(source.name)
        variants.setdefault(game, []).append(
            Variant(name, _value(header.title), source.name, options)
        )
    games = tuple(
        Game(
            name,
            _value(header.title),
            source.name,
            _counts(header),
            options,
            tuple(variants.get(name, ())),
        )
        for name, (header, source, options) in headers.items()
        if isinstance(header, ast.Game)
    )
    return games, tuple(skipped)


def _game_of(name: str, bases: Mapping[str, Sequence[str]]) -> str:
    """What a variant is in the end a variant of; nothing if variants go in a circle."""
    seen = set()
    while name in bases and name not in seen:
        seen.add(name)
        name = bases[name][0]
    return "" if name in seen else name


def _declared(option: ast.Option, source: Source) -> Option:
    domain = _written(option.domain.span, source)
    return Option(option.name.text, _value(option.title), domain, _default(option, source))


def _default(option: ast.Option, source: Source) -> Plain:
    match option.default:
        case ast.Number(value) | ast.Flag(value):
            return value
        case other:
            return _written(other.span, source)


def _counts(game: ast.Game) -> tuple[int, ...]:
    domains = [line.domain for line in game.lines if isinstance(line, ast.Players)]
    match domains:
        case [ast.Number(value)]:
            return (value,)
        case [ast.Interval(ast.Number(low), ast.Number(high))]:
            return tuple(range(low, min(high, low + MOST_PLAYERS) + 1))
        case [ast.SetOf(items)]:
            return tuple(sorted({item.value for item in items if isinstance(item, ast.Number)}))
        case _:
            return ()


def _value(text: ast.Text | None) -> str | None:
    return None if text is None else text.value


def _written(span: Span, source: Source) -> str:
    """What stands in the source, on one line."""
    lines = source.text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(" ".join(lines).split())
