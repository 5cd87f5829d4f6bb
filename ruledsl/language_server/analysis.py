"""What is known about one text: mistakes, what its names stand for, and where things are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeVar

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source, Span
from ruledsl.language_server.reading import KeptTexts, moved, placed
from ruledsl.language_server.texts import Place, Text
from ruledsl.library import Library
from ruledsl.model.assemble import Assembly, assemble
from ruledsl.model.base import Enough
from ruledsl.model.check import Checked
from ruledsl.model.depth import allow_deep_rules
from ruledsl.model.elaborate import Elaborated, elaborate
from ruledsl.model.game import CheckedGame
from ruledsl.model.occurrences import Occurrence, Symbol
from ruledsl.syntax import ast
from ruledsl.syntax.parser import Parsed
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

Item = TypeVar("Item", bound=ast.Item)


@attrs.define(eq=False, slots=False)
class Analysis:
    """Of one source, by the texts of one moment."""

    source: Source
    checked: Checked = attrs.field(repr=False)
    steady: Parsed
    """the text with its lines numbered as they are in all that was found out by the check"""
    library: Library
    texts: KeptTexts = attrs.field(repr=False)
    """parses this text and those it builds on"""
    last: Analysis | None = attrs.field(default=None, repr=False)
    """the analysis before this one, asked while the text does not parse"""

    def __attrs_post_init__(self) -> None:
        # Of all that came before, only the last that parsed is kept, and only while it is needed.
        if self.last is not None and not self.last.steady.diagnostics:
            self.last.last = None
        elif self.last is not None:
            self.last = self.last.last

    @property
    def name(self) -> str:
        return self.source.name

    @cached_property
    def parsed(self) -> Parsed:
        """The text by its own lines."""
        return self.texts.in_text(self.steady)

    def in_text(self, span: Span) -> Span:
        """A place that the check knows, by the lines of the text it is in."""
        if span.file == self.name:
            return self.steady.source.numbers.in_text(span)
        source = self.checked.sources.get(span.file)
        return span if source is None else source.numbers.in_text(span)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(placed(found, self.in_text) for found in self.checked.diagnostics)

    @cached_property
    def all_texts(self) -> int:
        """A number that changes with this text and with those it builds on."""
        others = {name: source.text for name, source in self.checked.sources.items()}
        return hash(tuple(sorted({**others, self.name: self.source.text}.items())))

    @property
    def game(self) -> CheckedGame | None:
        """The game, if it has no mistakes."""
        return self.checked.game

    @property
    def resolved(self) -> Elaborated | None:
        """The game as far as it is resolved, of this very text."""
        return self.checked.elaborated

    @cached_property
    def known(self) -> Elaborated | None:
        """The game as far as anything is known about places in this text.

        What is broken is left out; nothing is known where more is wrong than anybody would read.
        """
        if self.resolved is not None:
            return self.resolved
        allow_deep_rules()
        assembly = assemble(self.source, self.library, self.texts.parse)
        try:
            return elaborate(assembly) if isinstance(assembly, Assembly) else None
        except Enough:
            return None

    @property
    def familiar(self) -> Elaborated | None:
        """The game as far as anything is known about names, places apart: this or the last."""
        if self.resolved is None and self.last is not None:
            return self.last.resolved
        return self.known

    @property
    def familiar_names(self) -> dict[str, list[Symbol]]:
        """What is declared under a name, by this text or the last."""
        if self.resolved is None and self.last is not None:
            return self.last.by_name
        return self.by_name

    @cached_property
    def text(self) -> Text:
        return Text(self.source)

    def text_of(self, file: str) -> Text | None:
        """The text of this file or of one it builds on."""
        if file == self.name:
            return self.text
        source = self.checked.sources.get(file)
        return None if source is None else Text(source)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables of a game without mistakes, one for each number of players."""
        return () if self.game is None else tuple(_laid(self.game))

    # ------------------------------------------------------------ items

    @property
    def items(self) -> tuple[ast.Item, ...]:
        return self.parsed.file.items

    def items_of(self, file: str) -> tuple[ast.Item, ...]:
        """The declarations of this file or of one it builds on."""
        source = self.checked.sources.get(file)
        if file == self.name or source is None:
            return self.items if file == self.name else ()
        return self.texts.in_text(self.texts.parse(source)).file.items

    @cached_property
    def header(self) -> ast.Game | ast.Library | ast.Variant | None:
        headers = (item for item in self.steady.file.items if isinstance(item, HEADERS))
        found = next(headers, None)
        return None if found is None else self._item_in_text(found)

    @cached_property
    def needs(self) -> tuple[ast.Name, ...]:
        """The names of the files this one builds on, as they are written."""
        bases = self.header.bases if isinstance(self.header, ast.Variant) else ()
        uses = (item for item in self.steady.file.items if isinstance(item, ast.Use))
        used = (name for item in uses for name in self._item_in_text(item).names)
        return (*bases, *used)

    def item_at(self, place: Place) -> ast.Item | None:
        steady = Place(self.steady.source.numbers.number(place.line), place.column)
        found = (item for item in self.steady.file.items if steady.within(item.span))
        item = next(found, None) or next(self._ends_at(place), None)
        return None if item is None else self._item_in_text(item)

    def _ends_at(self, place: Place) -> Iterator[ast.Item]:
        """A declaration ends where the next line begins, which has a number of its own."""
        number = self.steady.source.numbers.number(place.line - 1) + 1
        above = Place(number, place.column)
        return (item for item in self.steady.file.items if above.within(item.span))

    def _item_in_text(self, item: Item) -> Item:
        return moved(item, self.in_text(item.span).line - item.span.line)

    # ------------------------------------------------------------ occurrences

    @cached_property
    def occurrences(self) -> dict[int, list[Occurrence]]:
        """The names in this very text by line, in the order of their columns."""
        lines: dict[int, list[Occurrence]] = defaultdict(list)
        for occurrence in self.everywhere:
            if occurrence.span.file == self.name:
                lines[occurrence.span.line].append(occurrence)
        for found in lines.values():
            found.sort(key=lambda each: (each.span, not each.declares))
        return lines

    @cached_property
    def everywhere(self) -> tuple[Occurrence, ...]:
        """The names in this text and those it builds on."""
        known = self.known
        if known is None:
            return ()
        found = {
            (occurrence.span, occurrence.symbol): occurrence
            for occurrence in map(self._occurrence_in_text, known.occurrences.found.values())
        }
        for occurrence in further_occurrences(self, known):
            found.setdefault((occurrence.span, occurrence.symbol), occurrence)
        return tuple(found.values())

    def _occurrence_in_text(self, found: Occurrence) -> Occurrence:
        symbol = found.symbol
        if symbol.bound is not None:
            symbol = Symbol(symbol.sort, symbol.key, self.in_text(symbol.bound))
        return Occurrence(self.in_text(found.span), symbol, found.declares, found.type)

    @cached_property
    def by_symbol(self) -> dict[Symbol, list[Occurrence]]:
        found: dict[Symbol, list[Occurrence]] = defaultdict(list)
        for occurrence in self.everywhere:
            found[occurrence.symbol].append(occurrence)
        return found

    @cached_property
    def by_name(self) -> dict[str, list[Symbol]]:
        """What is declared for the whole game under a name."""
        known = self.known
        symbols = {
            occurrence.symbol: None
            for occurrence in (() if known is None else known.occurrences.found.values())
            if occurrence.symbol.sort not in ("local", "word")
        }
        found: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in symbols:
            found[symbol.name].append(symbol)
        return found

    def at(self, place: Place) -> tuple[Occurrence, ...]:
        """What the name under a cursor stands for: several things where kinds are mixed."""
        found = [each for each in self.occurrences.get(place.line, ()) if place.within(each.span)]
        # Between two names that touch, the one that begins there is meant.
        starts = max((each.span.column for each in found), default=0)
        return tuple(each for each in found if each.span.column == starts)

    def declaration(self, symbol: Symbol) -> Span | None:
        """Where something is declared."""
        declared = (each.span for each in self.by_symbol.get(symbol, ()) if each.declares)
        return next(declared, None)


HEADERS = (ast.Game, ast.Library, ast.Variant)


def _laid(game: CheckedGame) -> Iterator[Table]:
    for players in game.players:
        try:
            yield Table(game, players)
        except RulesError:
            continue


def further_occurrences(analysis: Analysis, known: Elaborated) -> Iterator[Occurrence]:
    """Names outside of expressions: what changes are about, what is translated or looks how."""
    declared: dict[str, list[Symbol]] = defaultdict(list)
    for occurrence in known.occurrences.found.values():
        if occurrence.declares and occurrence.symbol.sort != "local":
            declared[occurrence.symbol.name].append(occurrence.symbol)
    for item in analysis.items:
        match item:
            case ast.Hook(sort=sort, target=target):
                yield Occurrence(target.span, Symbol(sort, target.text))
            case ast.Remove(targets=targets):
                for dotted in targets:
                    yield from _named(dotted, declared)
            case ast.Extend(declaration=declaration):
                yield from _extended(declaration, declared)
            case _:
                pass
        inner = item.declaration if isinstance(item, ast.Replace | ast.Extend) else item
        for dotted in _labels(inner):
            yield from _named(dotted, declared)


def _labels(item: Any) -> Iterator[ast.Dotted]:
    match item:
        case ast.Language(phrases=phrases):
            yield from (phrase.key for phrase in phrases if isinstance(phrase.key, ast.Dotted))
        case ast.Looks(lines=lines):
            yield from (line.of for line in lines if isinstance(line.of, ast.Dotted))
        case ast.Notation(lines=manners):
            yield from (manner.of for manner in manners)
        case _:
            pass


def _extended(
    declaration: ast.Declaration, declared: dict[str, list[Symbol]]
) -> Iterator[Occurrence]:
    """The name of what is extended, and columns that are repeated; new rows are declarations."""
    name = getattr(declaration, "name", None)
    if isinstance(name, ast.Name) and not isinstance(declaration, ast.Ranking):
        yield from _named(ast.Dotted((name,), span=name.span), declared)
        for column in getattr(declaration, "columns", ()):
            symbol = Symbol("column", f"{name.text}.{column.text}")
            if symbol in declared.get(column.text, ()):
                yield Occurrence(column.span, symbol)


def _named(dotted: ast.Dotted, declared: dict[str, list[Symbol]]) -> Iterator[Occurrence]:
    """What a plain or dotted name stands for among all that is declared."""
    first, *rest = dotted.parts
    if not rest:
        for symbol in declared.get(first.text, ()):
            yield Occurrence(first.span, symbol)
        return
    last = rest[-1]
    key = f"{first.text}.{last.text}"
    for symbol in declared.get(last.text, ()):
        if symbol.key == key:
            yield Occurrence(last.span, symbol)
            owner = Symbol("kind", first.text)
            yield Occurrence(first.span, owner)
