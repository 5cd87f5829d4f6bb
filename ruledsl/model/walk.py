"""Go through checked rules, whatever their form."""

from __future__ import annotations

from collections.abc import Iterator
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
_LEAVES: set[type] = set()
"""Types of values that have no parts to go through."""


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
        elif kind in _LEAVES:
            continue
        elif isinstance(top, _NODES):
            yield top
            stack.extend([getattr(top, name) for name in _fields(kind)][::-1])
        else:
            _LEAVES.add(kind)


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
