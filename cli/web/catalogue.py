"""The games there are, for a lobby: titles, players, options with their values, variants."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, TypeAlias

import attrs

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.loading import Game, load
from ruledsl.play.words import Words
from ruledsl.syntax import ast
from ruledsl.syntax.parser import parse
from ruledsl.table.table import Table
from ruledsl.table.things import as_written

Items: TypeAlias = tuple[ast.Item, ...]


def _in_languages(items: Items, own: str, *names: str) -> dict[str, str]:
    """A text of a file, and what stands for it, or for its names, in other languages."""
    found = {"en": own}
    for item in items:
        if isinstance(item, ast.Language):
            for phrase in item.phrases:
                key = phrase.key
                text = key.value if isinstance(key, ast.Text) else key.parts[0].text
                single = isinstance(key, ast.Text) or len(key.parts) == 1
                if single and text in (own, *names):
                    found[item.code.text] = phrase.text.value
    return found


@attrs.define
class Catalogue:
    """The shipped games, and those that were named; details are worked out when asked for."""

    named: tuple[str, ...] = ()
    _details: dict[str, dict[str, Any]] = attrs.Factory(dict)
    _list: list[dict[str, Any]] | None = None

    def games(self) -> list[dict[str, Any]]:
        if self._list is None:
            shelf = Library()
            sources = [*(shelf.find(name) for name in self.named), *shelf.sources()]
            self._list = list(_entries(sources, self.named))
        return self._list

    def details(self, name: str) -> dict[str, Any]:
        """Of one game: numbers of players and options."""
        if name not in self._details:
            self._details[name] = details_of(load(name))
        return self._details[name]


def _entries(sources: Iterable[Source], named: tuple[str, ...]) -> Iterable[dict[str, Any]]:
    seen: set[str] = set()
    for number, source in enumerate(sources):
        items = parse(source).file.items
        header = next((item for item in items if isinstance(item, ast.Game | ast.Variant)), None)
        if header is None or header.name.text in seen:
            continue
        name = header.name.text
        seen.add(name)
        title = name if header.title is None else header.title.value
        yield {
            "id": named[number] if number < len(named) else name,
            "titles": _in_languages(items, title, name),
            "variantOf": header.bases[0].text if isinstance(header, ast.Variant) else None,
            "players": _players(header, source),
            "aims": _aims(header, items),
            "collection": PurePath(source.name).parent.name,
        }


def _players(header: ast.Game | ast.Variant, source: Source) -> str | None:
    """How many play, as the header says; a variant leaves that to its base."""
    lines = header.lines if isinstance(header, ast.Game) else ()
    line = next((line for line in lines if isinstance(line, ast.Players)), None)
    if line is None:
        return None
    span = line.domain.span
    written = source.text.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1]
    return written.replace("..", "–").strip("{}")


def _aims(header: ast.Game | ast.Variant, items: Items) -> dict[str, str]:
    """What a game is all about, in each language."""
    lines = header.lines if isinstance(header, ast.Game) else ()
    line = next((line for line in lines if isinstance(line, ast.Aim)), None)
    return {} if line is None else _in_languages(items, line.text.value)


def details_of(game: Game) -> dict[str, Any]:
    """What is to be settled before a game."""
    checked = game.checked
    table = Table(checked, checked.players[0])
    options = []
    for name, info in checked.options.items():
        domain = table.option_values(name)
        options.append(
            {
                "id": name,
                "default": as_written(table.options[name]),
                "values": [as_written(value) for value in domain],
                "labels": {
                    language: {
                        "title": Words(checked, language).name(name, None, info.title),
                        "values": [Words(checked, language).value(value) for value in domain],
                    }
                    for language in ("en", *checked.languages)
                },
            }
        )
    return {
        "id": game.name,
        "titles": {
            language: Words(checked, language).title() for language in ("en", *checked.languages)
        },
        "players": list(checked.players),
        "usual": game.usual_players(),
        "options": options,
        "languages": ["en", *checked.languages],
    }
