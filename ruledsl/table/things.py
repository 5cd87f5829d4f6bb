"""The things on a table: players, values, faces, pieces, places, products, directions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import attrs


@attrs.define(eq=False, repr=False)
class Thing:
    """One thing. There is one object for each, so things are compared by identity.

    `order` is its number on the whole table: sets are kept in this order. `index` counts from 0
    within its kind.
    """

    kind: str
    index: int
    name: str
    order: int
    indexes: dict[str, Value] = attrs.Factory(dict)
    columns: dict[str, Value] = attrs.Factory(dict)
    face: Thing | None = None
    """the row of a piece's table"""
    col: int | None = None
    row: int | None = None
    """where it lies in a grid or picture, from 1 at the south-west"""
    number: int | None = None
    """on its ring or line, from 1"""
    ends: tuple[Thing, ...] = ()
    """of an edge: the two places it lies between"""

    def __repr__(self) -> str:
        return self.name


Value: TypeAlias = "int | bool | Thing | tuple[Value, ...] | None"
"""What an expression can be; a tuple is a set in the table's order, or a sequence."""


def sort_key(value: Value) -> int:
    """The place of a value among values of its type."""
    if isinstance(value, Thing):
        return value.order
    assert isinstance(value, int)
    return value


def in_order(values: set[Value] | frozenset[Value]) -> tuple[Value, ...]:
    """A set as a tuple in the table's order; sets of sets keep any stable order."""
    if any(isinstance(value, tuple) for value in values):
        return tuple(sorted(values, key=_nested_key))
    return tuple(sorted(values, key=sort_key))


def _nested_key(value: Value) -> tuple[int, ...]:
    if isinstance(value, tuple):
        return tuple(sort_key(item) for item in value)
    return (sort_key(value),)


def as_written(value: Value) -> str:
    """A value as it stands in rules and on command lines."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case tuple():
            return f"{{{', '.join(map(as_written, value))}}}"
        case _:
            return str(value)


def is_nameless(piece: Thing) -> bool:
    """Whether a piece has no name of its own, but at most an owner."""
    return piece.face is None and all(
        isinstance(index, Thing) and index.kind == "Player" for index in piece.indexes.values()
    )


def face_kind(kind: str) -> str:
    """The kind of a piece's faces."""
    return f"face of {kind}"


def things(values: Iterable[Value]) -> Iterator[Thing]:
    """The things among some values, those in sets, too."""
    for value in values:
        if isinstance(value, tuple):
            yield from things(value)
        elif isinstance(value, Thing):
            yield value
