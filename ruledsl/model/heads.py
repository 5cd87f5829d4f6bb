"""The declared kinds by name, before their expressions are resolved, and who asked for which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model.game import IndexInfo, Sort
from ruledsl.model.symbols import KindDeclaration

ALL_KINDS = "all kinds"
"""What is asked for by whoever looks at all of them."""


@attrs.frozen
class Head:
    """A kind before its expressions are resolved."""

    name: str
    sort: Sort
    span: Span
    declaration: KindDeclaration | None
    indexes: tuple[IndexInfo, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    holds: tuple[str, ...]

    def names(self) -> Iterator[str]:
        """By which names what it declares can be asked for."""
        yield self.name
        yield from (*self.rows, *self.columns)
        yield from (index.name for index in self.indexes)
        if self.indexes:
            yield "owner"


class Heads(dict[str, Head]):
    """The kinds by name. `asked` has those that somebody asked for, named in the rules or not.

    Who looks through all of them asks for `all`, unless it is for a name that is in the rules, or
    to tell what does not fit.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Head:
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        self.asked.add(name)
        return super().get(name, default)

    def __contains__(self, name: object) -> bool:
        self.asked.add(str(name))
        return super().__contains__(name)

    def all(self) -> tuple[Head, ...]:
        self.asked.add(ALL_KINDS)
        return tuple(self.values())


def states_of(kind: str) -> str:
    """What is asked for by whoever looks at all states of a kind; no name is written so."""
    return f"{kind}.*"
