"""The index of what a game declares, by name, before any of it is resolved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.model.builtins import FUNCTIONS
from ruledsl.model.changes import type_name
from ruledsl.model.forms import Forms, turned
from ruledsl.syntax import ast

KindDeclaration: TypeAlias = (
    ast.TypeList | ast.TypeTable | ast.TypeProduct | Forms | ast.Piece | ast.Place
)

PLAYER = "Player"
DIRECTION = "Dir"
DIRECTIONS = (
    "north",
    "north_east",
    "east",
    "south_east",
    "south",
    "south_west",
    "west",
    "north_west",
)
DIRECTION_SETS = {
    "Orthogonal": DIRECTIONS[::2],
    "Diagonal": DIRECTIONS[1::2],
    "Hexagonal": tuple(way for way in DIRECTIONS if way not in ("north", "south")),
}
SPECIALS = ("you", "active", "playing", "players")
SEEN_WHEN_SPECIALS = ("viewer", "it", "here")
TEST_SPECIALS = ("finished", "winners")
TAKEN_FROM_VALUES = frozenset(
    (
        PLAYER,
        DIRECTION,
        *DIRECTION_SETS,
        *SPECIALS,
        *SEEN_WHEN_SPECIALS,
        *TEST_SPECIALS,
        "flag",
        "number",
    )
)
"""Words that always mean what the language means by them, whatever type is wanted."""
BUILT_IN = TAKEN_FROM_VALUES | {*FUNCTIONS, "game", "loop"}
"""Words that nothing can be called which goes by its name alone."""


@attrs.define
class Symbols:
    """Declarations by name. Names may coexist when the kind of a first argument tells them
    apart; value names may coexist because the type wanted tells them apart."""

    kinds: dict[str, KindDeclaration] = attrs.Factory(dict)
    ranges: dict[str, ast.TypeRange] = attrs.Factory(dict)
    options: dict[str, ast.Option] = attrs.Factory(dict)
    states: dict[str, ast.State] = attrs.Factory(dict)
    """by `Owner.name`, or the name alone"""
    histories: dict[str, ast.History] = attrs.Factory(dict)
    defines: dict[str, list[ast.Define]] = attrs.Factory(lambda: defaultdict(list))
    steps: dict[str, list[ast.Step]] = attrs.Factory(lambda: defaultdict(list))
    actions: dict[str, ast.Action] = attrs.Factory(dict)
    triggers: dict[str, ast.Trigger] = attrs.Factory(dict)
    values: dict[str, list[str]] = attrs.Factory(lambda: defaultdict(list))
    """the kinds that have a row or value of this name"""
    ranking: ast.Ranking | None = None
    languages: list[ast.Language] = attrs.Factory(list)
    tests: list[ast.Test] = attrs.Factory(list)
    diagnostics: list[Diagnostic] = attrs.Factory(list)

    def declared(self) -> Iterator[str]:
        """Every name that could be meant in an expression."""
        yield from self.kinds
        yield from self.ranges
        yield from self.options
        yield from (key.rpartition(".")[2] for key in self.states)
        yield from self.histories
        yield from self.defines
        yield from self.values
        yield from (*SPECIALS, PLAYER, DIRECTION, *DIRECTION_SETS, *FUNCTIONS)


def collect(declarations: Iterable[ast.Declaration]) -> Symbols:
    """Index the declarations; names that can't be told apart are reported."""
    symbols = Symbols()
    for direction in DIRECTIONS:
        symbols.values[direction].append(DIRECTION)
    claims = _Claims(symbols)
    declared = tuple(declarations)
    shapes = {each.name.text: each.rows for each in declared if isinstance(each, ast.TypeTable)}
    for declaration in declared:
        if isinstance(declaration, ast.TypeForms):
            rows = shapes.get(declaration.of.text, ())
            _index_kind(symbols, claims, Forms(declaration, rows))
        else:
            _index(symbols, claims, declaration)
    return symbols


@attrs.define
class _Claims:
    """Who claims a name for which first argument (None: for the bare name)."""

    symbols: Symbols
    taken: dict[tuple[str, str | None], Span] = attrs.Factory(dict)

    def claim(self, name: ast.Name, first: str | None) -> None:
        if name.text in BUILT_IN and first is None:
            self.symbols.diagnostics.append(found.built_in_name(name.span, name.text))
            return
        key = (name.text, first)
        if key in self.taken:
            self.symbols.diagnostics.append(
                found.duplicate_name(name.span, name.text, first, self.taken[key])
            )
            return
        self.taken[key] = name.span


def _index(symbols: Symbols, claims: _Claims, declaration: ast.Declaration) -> None:
    match declaration:
        case ast.TypeForms():
            raise AssertionError("forms are indexed with the shapes that they turn")
        case ast.TypeRange(name=name):
            claims.claim(name, None)
            symbols.ranges[name.text] = declaration
        case ast.TypeList() | ast.TypeTable() | ast.TypeProduct() | ast.Piece() | ast.Place():
            _index_kind(symbols, claims, declaration)
        case ast.Option(name=name):
            claims.claim(name, None)
            symbols.options[name.text] = declaration
        case ast.State(owner=owner, name=name):
            claims.claim(name, None if owner is None else owner.text)
            key = name.text if owner is None else f"{owner.text}.{name.text}"
            symbols.states[key] = declaration
        case ast.History(name=name):
            claims.claim(name, None)
            symbols.histories[name.text] = declaration
        case ast.Define(name=name, params=params):
            claims.claim(name, type_name(params[0].type) if params else None)
            symbols.defines[name.text].append(declaration)
        case ast.Step(name=name):
            symbols.steps[name.text].append(declaration)
        case ast.Action(name=name):
            symbols.actions[name.text] = declaration
        case ast.Trigger(name=name):
            symbols.triggers[name.text] = declaration
        case ast.Ranking():
            symbols.ranking = declaration
        case ast.Language():
            symbols.languages.append(declaration)
        case ast.Test():
            symbols.tests.append(declaration)


def _index_kind(symbols: Symbols, claims: _Claims, declaration: KindDeclaration) -> None:
    name = declaration.name
    claims.claim(name, None)
    symbols.kinds[name.text] = declaration
    for row in row_names(declaration):
        if row.text in TAKEN_FROM_VALUES:
            symbols.diagnostics.append(found.built_in_name(row.span, row.text))
        elif name.text in symbols.values[row.text]:
            symbols.diagnostics.append(found.duplicate_row(row.span, row.text, name.text))
        else:
            symbols.values[row.text].append(name.text)
    for index in indexes(declaration):
        claims.claim(index_name(index), name.text)
    for column in columns(declaration):
        claims.claim(column, name.text)
    if isinstance(declaration, ast.Place):
        for line in declaration.rows:
            if isinstance(line, ast.Map) and line.column is not None:
                claims.claim(line.column, name.text)
        if declaration.per:
            first = declaration.per[0].kind
            claims.claim(name, first.text if isinstance(first, ast.Name) else first.kind.text)
        elif isinstance(declaration.shape, ast.Edges):
            claims.claim(name, declaration.shape.of.text)


def row_names(declaration: KindDeclaration) -> Iterator[ast.Name]:
    """The named rows, values or places of a kind.

    A network's places are named where they first occur in its paths; places that are only drawn,
    in their picture, north-west first. Edges have no names of their own.
    """
    match declaration:
        case ast.TypeList(values=values):
            yield from values
        case ast.TypeTable(rows=rows) | ast.Piece(rows=rows):
            yield from (row.name for row in rows)
        case ast.Place(
            shape=None | ast.Network(), columns=(), rows=(ast.Map(column=None, rows=lines),)
        ):
            drawn = (cell for line in lines for cell in line.cells if isinstance(cell, ast.Name))
            yield from _first_met(drawn)
        case ast.Place(shape=ast.Edges()):
            pass
        case ast.Place(rows=lines):
            stops = (stop for line in lines if isinstance(line, ast.Path) for stop in line.stops)
            yield from (line.name for line in lines if isinstance(line, ast.Row))
            named = {line.name.text for line in lines if isinstance(line, ast.Row)}
            yield from (stop for stop in _first_met(stops) if stop.text not in named)
        case Forms(node=node):
            yield from (ast.Name(form.name, span=node.of.span) for form in turned(declaration))
        case ast.TypeProduct():
            pass


def columns(declaration: KindDeclaration) -> tuple[ast.Name, ...]:
    """The columns of a table, but for those that are drawn."""
    match declaration:
        case ast.TypeTable() | ast.Piece() | ast.Place():
            return declaration.columns
        case Forms(node=node, column=column):
            return (ast.Name(column, span=node.of.span),)
        case ast.TypeList() | ast.TypeProduct():
            return ()


def nameless(declaration: KindDeclaration) -> frozenset[str]:
    """What the rows are called that were given no name."""
    match declaration:
        case ast.TypeTable(rows=rows) | ast.Piece(rows=rows) | ast.Place(rows=rows):
            found = (row for row in rows if isinstance(row, ast.Row) and row.nameless)
            return frozenset(row.name.text for row in found)
        case ast.TypeList() | ast.TypeProduct() | Forms():
            return frozenset()


def _first_met(names: Iterable[ast.Name]) -> Iterator[ast.Name]:
    met: set[str] = set()
    for name in names:
        if name.text not in met:
            met.add(name.text)
            yield name


def index_name(index: ast.Index) -> ast.Name:
    """The name an index is read by: its own, else its kind's with a small first letter."""
    if index.name is not None:
        return index.name
    if isinstance(index.kind, ast.FaceOf):
        return ast.Name("face", span=index.span)
    kind = index.kind.text
    return ast.Name(kind[:1].lower() + kind[1:], span=index.span)


def indexes(declaration: KindDeclaration) -> tuple[ast.Index, ...]:
    """What a kind is indexed by."""
    match declaration:
        case ast.Piece(per=per) | ast.TypeProduct(per=per) | ast.Place(per=per):
            return per
        case _:
            return ()
