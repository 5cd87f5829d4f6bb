"""Go through checked rules, whatever their form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruledsl.model import core
from ruledsl.structural import Walk

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


walk = Walk(_NODES, "span", "type", "trail")
"""A node, or each of a tuple of nodes, and everything below, in the order written."""


def children(node: Any) -> Iterator[Any]:
    """The parts directly below a node, expressions and statements alike."""
    for name in walk.fields(type(node)):
        yield from _parts(getattr(node, name))


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, _NODES):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _parts(item)


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
