"""Which parts of an expression are worked out once, because they cost much and stay the same."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.unchanging import Unchanging, bodies_of
from ruledsl.engine.memory.layout import category
from ruledsl.model import core
from ruledsl.model.names import bound_by, changed, free_in, names_in
from ruledsl.model.walk import walk

FRESH_NAMES = 1_000_000
"""The number of the first name that the rules don't have."""


class Hoisting(Part):
    """Finds what is worked out once."""

    def __init__(self, context: Context, unchanging: Unchanging) -> None:
        super().__init__(context)
        self.unchanging = unchanging
        self._costly: dict[str, bool] = {}
        self._fresh_names = count(FRESH_NAMES)

    def costly(self, node: core.Expr) -> bool:
        """Whether an expression goes through something, so that it should be worked out once."""
        for part in walk((node,)):
            match part:
                case core.Query(word="count" | "any" | "first", where=None, draws=(draw,)) if (
                    isinstance(draw.domain, core.Contents)
                ):
                    pass
                case core.Query() | core.Reach() | core.LongestTrail() | core.Would() | core.Can():
                    return True
                case core.CallDefine(define=key):
                    if self._costly_define(key):
                        return True
                case _:
                    pass
        return False

    def _costly_define(self, key: str) -> bool:
        if key not in self._costly:
            bodies = bodies_of(self.game.defines[key])
            self._costly[key] = not self.unchanging.define_is_still(key) and any(
                map(self.costly, bodies)
            )
        return self._costly[key]

    def hoisted(
        self, node: core.Expr, changing: set[int], known: Collection[int]
    ) -> tuple[core.Expr, list[tuple[core.Local, core.Expr]]]:
        """An expression with names for its costly parts that do not depend on some others.

        `known` are the names that have a value already.
        """
        if not self.costly(node):
            return node, []
        found: dict[core.Expr, core.Local] = {}

        def replace(part: core.Expr, bound: frozenset[int]) -> core.Expr:
            if isinstance(part, core.Would):
                return part
            names = names_in(part)
            if (
                isinstance(part, core.Query | core.CallDefine | core.Can)
                and category(part.type) != "set"
                and self.costly(part)
                and not names & changing
                and not names & bound
                and all(name in known for name in free_in(part))
            ):
                if part not in found:
                    number = next(self._fresh_names)
                    found[part] = core.Local("hoisted", number, type=part.type, span=part.span)
                return found[part]
            deeper = bound | bound_by(part)
            return changed(part, lambda child: replace(child, deeper))

        replaced = replace(node, frozenset())
        return replaced, [(local, part) for part, local in found.items()]
