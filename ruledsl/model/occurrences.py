"""What each name in the text stands for: found while names are resolved, kept for editors."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model.forms import Forms
from ruledsl.model.symbols import Symbols, index_name, indexes, nameless, row_names
from ruledsl.model.types import Type
from ruledsl.syntax import ast

SymbolSort: TypeAlias = Literal[
    "kind",
    "range",
    "value",
    "column",
    "index",
    "state",
    "option",
    "history",
    "define",
    "step",
    "action",
    "trigger",
    "local",
    "word",
]


@attrs.frozen
class Symbol:
    """Something with a name. The key is what the model files it under: `Card.suit` for a column.

    Locals of the same name are told apart by where they are bound; `word` is one of the
    language's own.
    """

    sort: SymbolSort
    key: str
    bound: Span | None = None

    @property
    def name(self) -> str:
        """The name as it is written."""
        if self.sort in ("value", "column", "index", "state"):
            return self.key.rpartition(".")[2]
        if self.sort == "action":
            return self.key.partition("@")[0]
        return self.key.partition(" of ")[0]


@attrs.frozen
class Occurrence:
    """A name at a place, and what it stands for there."""

    span: Span
    symbol: Symbol
    declares: bool = False
    type: Type | None = attrs.field(default=None, eq=False)


class Occurrences:
    """A collection that has each occurrence once, whoever resolves it how often."""

    def __init__(self) -> None:
        self.found: dict[tuple[Span, Symbol], Occurrence] = {}

    def meet(self, span: Span, sort: SymbolSort, key: str, of: Type | None = None) -> None:
        symbol = Symbol(sort, key)
        self.found.setdefault((span, symbol), Occurrence(span, symbol, type=of))

    def meet_local(self, span: Span, name: str, bound: Span, of: Type) -> None:
        symbol = Symbol("local", name, bound)
        occurrence = Occurrence(span, symbol, declares=span == bound, type=of)
        self.found.setdefault((span, symbol), occurrence)

    def declare(self, span: Span, sort: SymbolSort, key: str) -> None:
        symbol = Symbol(sort, key)
        self.found[span, symbol] = Occurrence(span, symbol, declares=True)

    def update(self, other: Occurrences) -> None:
        self.found.update(other.found)


def declare_all(symbols: Symbols, found: Occurrences) -> None:
    """Where everything is declared, but for locals and definitions, whose keys come with types."""
    for key, kind in symbols.kinds.items():
        found.declare(kind.name.span, "kind", key)
        if isinstance(kind, Forms):
            continue  # Its values, and the column of their shapes, are written nowhere.
        for row in row_names(kind):
            if row.text not in nameless(kind):
                found.declare(row.span, "value", f"{key}.{row.text}")
        for index in indexes(kind):
            name = index_name(index)
            # Without a name of its own, an index is called like its kind: no text declares it.
            if index.name is not None:
                found.declare(name.span, "index", f"{key}.{name.text}")
        for column in _columns(kind):
            found.declare(column.span, "column", f"{key}.{column.text}")
    for key, declared in symbols.ranges.items():
        found.declare(declared.name.span, "range", key)
    for key, state in symbols.states.items():
        found.declare(state.name.span, "state", key)
    for key, option in symbols.options.items():
        found.declare(option.name.span, "option", key)
    for key, history in symbols.histories.items():
        found.declare(history.name.span, "history", key)
    for key, steps in symbols.steps.items():
        for step in steps:
            found.declare(step.name.span, "step", key)
    for key, action in symbols.actions.items():
        found.declare(action.name.span, "action", key)
    for key, trigger in symbols.triggers.items():
        found.declare(trigger.name.span, "trigger", key)


def _columns(kind: ast.Node) -> tuple[ast.Name, ...]:
    match kind:
        case ast.TypeTable(columns=columns) | ast.Piece(columns=columns):
            return columns
        case ast.Place(columns=columns, rows=rows):
            maps = (line.column for line in rows if isinstance(line, ast.Map))
            return (*columns, *(column for column in maps if column is not None))
        case _:
            return ()
