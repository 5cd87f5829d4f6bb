"""Go through checked rules, whatever their form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

import attrs

from ruledsl.model import core

_NODES = (
    core.Expression,
    core.Stmt,
    core.Draw,
    core.Order,
    core.Offer,
    core.Branch,
    core.Slot,
    core.HowMany,
    core.Said,
)


_FIELDS: dict[type, tuple[str, ...]] = {}
_BELOW: dict[type, Callable[[Any], Iterable[Any]] | None] = {}


def _fields(node_type: Any) -> tuple[str, ...]:
    if node_type not in _FIELDS:
        names = (field.name for field in attrs.fields(node_type))
        _FIELDS[node_type] = tuple(n for n in names if n not in ("span", "type", "trail"))
    return _FIELDS[node_type]


def children(node: Any) -> Iterator[Any]:
    """The parts directly below a node, expressions and statements alike."""
    for name in _fields(type(node)):
        yield from _parts(getattr(node, name))


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, _NODES):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _parts(item)


def walk(node: Any) -> Iterator[Any]:
    """A node, or each of a tuple of nodes, and everything below, in the order written."""
    stack: list[Any] = [node]
    while stack:
        top = stack.pop()
        kind = type(top)
        if kind is tuple:
            stack.extend(top[::-1])
            continue
        below = _BELOW[kind] if kind in _BELOW else _look_below(top)
        if below is not None:
            yield top
            stack.extend(below(top))


def _look_below(value: Any) -> Callable[[Any], Iterable[Any]] | None:
    """How to get at the parts of values of this type, the last first; None if they have none."""
    below: Callable[[Any], Iterable[Any]] | None = None
    if isinstance(value, _NODES):
        names = _fields(type(value))[::-1]
        # With two names or more, all are read at once.
        below = (
            attrgetter(*names)
            if len(names) > 1
            else lambda node: [getattr(node, name) for name in names]
        )
    _BELOW[type(value)] = below
    return below


def height(node: core.Expr) -> int:
    """How deep an expression is nested."""
    highest = 0
    stack: list[tuple[Any, int]] = [(node, 1)]
    while stack:
        top, level = stack.pop()
        highest = max(highest, level)
        stack.extend((child, level + 1) for child in children(top))
    return highest


def expressions(node: Any) -> Iterator[core.Expr]:
    """Every expression in a node."""
    return (part for part in walk(node) if isinstance(part, core.Expression))  # type: ignore[misc]


def statements(block: core.Block) -> Iterator[core.Statement]:
    """Every statement of a block, nested ones too."""
    return (part for part in walk(block) if isinstance(part, core.Stmt))  # type: ignore[misc]
