"""Put a game together from its files: libraries, the game, and variants that change it by name.

The result is a plain list of declarations, as if one file had said it all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import TypeAlias

import attrs

from ruledsl.diagnostics import assembly as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source, Span
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.library import Library
from ruledsl.model.changes import Changes, key_of
from ruledsl.syntax import ast
from ruledsl.syntax.parser import Parsed, parse

Header: TypeAlias = ast.Game | ast.Library | ast.Variant


@attrs.frozen
class Assembly:
    """All declarations of a game with its changes applied, and every source they came from."""

    header: Header
    game: ast.Game | None
    names: tuple[str, ...]
    """the declared names of the files, base first"""
    own_files: frozenset[str]
    """the file checked, and those of the game and the variants below it: no libraries they use"""
    declarations: tuple[ast.Declaration, ...]
    looks: tuple[ast.Looks, ...]
    notations: tuple[ast.Notation, ...]
    rule_texts: tuple[ast.RuleTexts, ...]
    sources: dict[str, Source]
    diagnostics: tuple[Diagnostic, ...]


@attrs.frozen
class Unassembled:
    """Why no game can be put together, and every source that was read."""

    sources: dict[str, Source]
    diagnostics: tuple[Diagnostic, ...]


@attrs.frozen
class _Part:
    """One parsed file on the way: its header, and the items after it."""

    source: Source
    header: Header
    items: tuple[ast.Item, ...]
    below: frozenset[str] = frozenset()
    """the files it builds on"""


def assemble(
    source: Source, library: Library, read: Callable[[Source], Parsed] = parse
) -> Assembly | Unassembled:
    """The whole game a source stands for, or why there is none."""
    return _Assembler(library, read).assemble(source)


class _Assembler:
    def __init__(self, library: Library, read: Callable[[Source], Parsed]) -> None:
        self.library = library
        self.read = read
        self.diagnostics: list[Diagnostic] = []
        self.sources: dict[str, Source] = {}

    def assemble(self, source: Source) -> Assembly | Unassembled:
        part = self._part(source)
        if part is None:
            return Unassembled(self.sources, tuple(self.diagnostics))
        stem = PurePath(source.name).stem
        if source.name.endswith(".rules") and stem != part.header.name.text:
            self.diagnostics.append(
                found.name_mismatch(part.header.name.span, part.header.name.text, stem)
            )
        layers = self._layers(part, ())
        if layers is None:
            return Unassembled(self.sources, tuple(self.diagnostics))
        game = next((layer.header for layer in layers if isinstance(layer.header, ast.Game)), None)
        if game is not None and not any(isinstance(line, ast.Players) for line in game.lines):
            self.diagnostics.append(found.missing_players(game.name.span))
        replaced = (item for item in part.items if isinstance(item, ast.Replace))
        changes = Changes(settled=frozenset(key_of(item.declaration) for item in replaced))
        for layer in layers:
            changes.apply(layer.items, below=layer.below, last=layer is layers[-1])
        return Assembly(
            header=part.header,
            game=game,
            names=tuple(layer.header.name.text for layer in layers),
            own_files=frozenset(
                layer.source.name
                for layer in layers
                if layer is layers[-1] or not isinstance(layer.header, ast.Library)
            ),
            declarations=changes.declarations(),
            looks=tuple(changes.looks),
            notations=tuple(changes.notations),
            rule_texts=tuple(changes.rule_texts),
            sources=self.sources,
            diagnostics=(*self.diagnostics, *changes.diagnostics),
        )

    def _part(self, source: Source) -> _Part | None:
        """The file, parsed, with its header first."""
        parsed = self.read(source)
        self.sources[source.name] = parsed.source
        self.diagnostics.extend(parsed.diagnostics)
        items = parsed.file.items
        headers = [item for item in items if isinstance(item, Header)]
        if not headers:
            if parsed.is_whole:
                start = items[0].span if items else Span(source.name, 1, 1, 1, 1)
                self.diagnostics.append(found.missing_header(start.first(1)))
            return None
        if items[0] is not headers[0]:
            self.diagnostics.append(found.misplaced_header(headers[0].name.span, None))
        for header in headers[1:]:
            self.diagnostics.append(found.misplaced_header(header.name.span, headers[0].name.span))
        rest = tuple(item for item in items if not isinstance(item, Header))
        return _Part(source, headers[0], rest)

    def _layers(self, part: _Part, path: tuple[_Part, ...]) -> list[_Part] | None:
        """The files to apply, base first, each once."""
        path = (*path, part)
        layers: list[_Part] = []
        for name, sort in _needs(part):
            below = self._fetch(name, sort, path)
            if below is None:
                return None
            known = {layer.source.name for layer in layers}
            layers.extend(layer for layer in below if layer.source.name not in known)
        games = [layer.header.name for layer in layers if isinstance(layer.header, ast.Game)]
        if len(games) > 1:
            self.diagnostics.append(found.two_games(part.header.name.span, part.header.name.text))
            return None
        return [*layers, attrs.evolve(part, below=frozenset(x.source.name for x in layers))]

    def _fetch(self, name: ast.Name, sort: str, path: tuple[_Part, ...]) -> list[_Part] | None:
        near = path[-1].source
        names = [part.header.name.text for part in path]
        try:
            source = self.library.source(name.text, near=near.name)
        except LibraryError as error:
            self.diagnostics.append(found.broken_file(name.span, name.text, str(error)))
            return None
        if source is None:
            known = self.library.names(near=near.name)
            self.diagnostics.append(found.unknown_file(name.span, name.text, sort, known))
            return None
        if name.text in names or any(part.source.name == source.name for part in path):
            self.diagnostics.append(found.circular_files(name.span, (*names, name.text)))
            return None
        part = self._part(source)
        if part is None:
            why = "it has no header, or none that can be read"
            self.diagnostics.append(found.broken_file(name.span, name.text, why))
            return None
        is_library = isinstance(part.header, ast.Library)
        if is_library != (sort == "library"):
            what = "a library" if is_library else "not a library"
            wanted = "a library" if sort == "library" else "a game or a variant"
            self.diagnostics.append(found.wrong_file(name.span, name.text, what, wanted))
            return None
        return self._layers(part, path)


def _needs(part: _Part) -> Iterator[tuple[ast.Name, str]]:
    """What a file builds on: the bases of a variant first, then the libraries it uses."""
    if isinstance(part.header, ast.Variant):
        for base in part.header.bases:
            yield base, "game or variant"
    for item in part.items:
        if isinstance(item, ast.Use):
            for name in item.names:
                yield name, "library"
