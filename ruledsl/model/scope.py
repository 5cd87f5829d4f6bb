"""The names visible at a point of the rules, and what is known there."""

from __future__ import annotations

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.facts import Facts
from ruledsl.model.touching import ANYTHING, Touched
from ruledsl.model.types import Type


@attrs.define
class Bound:
    """A local name."""

    local: core.Local
    span: Span
    warn_unused: bool
    used: bool = False


@attrs.define
class Scope:
    """Locals, facts, and which of the language's words make sense here.

    The number of a local is how many are visible when it is bound: within a procedure it serves
    as the position in its frame, and equal expressions in one scope are equal as values.
    """

    names: dict[str, Bound] = attrs.Factory(dict)
    depth: int = 0
    facts: Facts = attrs.Factory(Facts)
    own: core.Local | None = None
    """the thing a declaration is about: its attributes can be named directly"""
    seen_when: bool = False
    """whether `viewer`, `it` and `here` mean something"""
    in_test: bool = False
    """whether `finished`, `winners` and naming pieces by their faces are allowed"""
    giving: str | None = None
    """the step around, if it gives something"""
    loops: int = 0
    """how many loops are around in this procedure"""

    def inner(self) -> Scope:
        """A scope inside this one."""
        return attrs.evolve(self, names=dict(self.names))

    def bind(self, name: str, of: Type, span: Span, *, warn_unused: bool = False) -> core.Local:
        """Make a name visible from here on."""
        local = core.Local(name, self.depth, type=of, span=span)
        self.depth += 1
        if name:
            self.names[name] = Bound(local, span, warn_unused)
        return local

    def learn(self, condition: core.Expr, holds: bool = True) -> None:
        self.facts = self.facts.assume(condition, holds)

    def forget(self, change: Touched = ANYTHING) -> None:
        """The table may have changed."""
        self.facts = self.facts.after(change)
