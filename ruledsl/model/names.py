"""Names in expressions: which are used, which are bound, and other parts put in their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from ruledsl.model import core
from ruledsl.model.walk import walk


def names_in(node: core.Expr | core.Statement) -> set[int]:
    """The names used somewhere inside."""
    # A set as a whole is drawn from without a name.
    return {part.number for part in walk((node,)) if isinstance(part, core.Local) and part.name}


def bound_in(node: core.Expr) -> set[int]:
    """The names bound somewhere inside."""
    return {
        part.local.number
        for part in walk((node,))
        if isinstance(part, core.Reach | core.ByKind)
        or (isinstance(part, core.Draw) and part.local.name)
    } | {
        part.local.number
        for part in walk((node,))
        if isinstance(part, core.LongestTrail) and part.local is not None
    }


def free_in(node: core.Expr) -> set[int]:
    """The names used inside, and bound outside."""
    return names_in(node) - bound_in(node)


def bound_by(node: core.Expr) -> frozenset[int]:
    """The names that an expression itself binds."""
    match node:
        case core.Query(draws=draws):
            return frozenset(draw.local.number for draw in draws if draw.local.name)
        case core.Reach(local=local) | core.ByKind(local=local):
            return frozenset({local.number})
        case core.LongestTrail(local=core.Local(number=number)):
            return frozenset({number})
        case _:
            return frozenset()


def conjuncts(node: core.Expr) -> list[core.Expr]:
    """The parts of `A and B and …`."""
    if isinstance(node, core.Both):
        return [*conjuncts(node.left), *conjuncts(node.right)]
    return [node]


def changed(node: core.Expr, change: Callable[[core.Expr], core.Expr]) -> core.Expr:
    """An expression with its parts changed; the same object if none is."""
    changes: dict[str, Any] = {}
    for field in attrs.fields(type(node)):
        if field.name in ("type", "span"):
            continue
        before = getattr(node, field.name)
        after = _changed_part(before, change)
        if after is not before:
            changes[field.name] = after
    return attrs.evolve(node, **changes) if changes else node


def filled_in(node: core.Expr, values: Mapping[int, core.Expr]) -> core.Expr:
    """An expression with what some names stand for in their place.

    A number is given again when its name is out of scope: inside a value, and in what comes before
    it, the same number may be another name.
    """
    own = bound_in(node)

    def replace(part: core.Expr) -> core.Expr:
        if isinstance(part, core.Local) and part.number in values and part.number not in own:
            before = {number: each for number, each in values.items() if number < part.number}
            return attrs.evolve(filled_in(values[part.number], before), type=part.type)
        return changed(part, replace)

    return replace(node)


def _changed_part(value: object, change: Callable[[core.Expr], core.Expr]) -> object:
    if isinstance(value, core.Expression):
        return change(value)  # type: ignore[arg-type]
    if isinstance(value, core.Draw):
        domain = change(value.domain)
        return value if domain is value.domain else attrs.evolve(value, domain=domain)
    if isinstance(value, core.Order):
        key = change(value.key)
        return value if key is value.key else attrs.evolve(value, key=key)
    if isinstance(value, tuple):
        items = [_changed_part(item, change) for item in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return tuple(items)
    return value
