"""What is foreseen of a set, and to whom its parts are handed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import attrs

from ruledsl.engine.expressions.environment import Scope
from ruledsl.engine.expressions.sieves import Sieve
from ruledsl.engine.sets.shapes import Shape
from ruledsl.model import core
from ruledsl.model.game import DefineInfo


@attrs.frozen
class Foreseen:
    """A set: its shape, and whether something is gone through, or called, to have it at all."""

    shape: Shape
    far: bool = False


class Foreseeing(Protocol):
    """Foresees any expression; its parts, which hold each other, are handed to it."""

    def constant(self, node: core.Expr, scope: Scope) -> int | None:
        """A number or flag that is known when code is written."""

    def set(self, node: core.Expr, scope: Scope) -> Foreseen:
        """A set of things, numbers, or lists."""

    def goes_far(self, node: core.Expr, scope: Scope) -> bool:
        """Whether working out a value goes through something, or calls what may."""

    def any_far(self, nodes: Iterable[core.Expr], scope: Scope) -> bool:
        """Whether one of several values goes far."""

    def arguments(
        self, node: core.CallDefine, info: DefineInfo, scope: Scope
    ) -> tuple[Scope, bool]:
        """What is known about the parameters of a definition, and whether they cost much."""

    def answered(
        self, node: core.Query, scope: Scope, *, loosely: bool = False
    ) -> tuple[Foreseen, Sieve] | None:
        """A query of one draw, if bits answer all that it asks: its domain, and how."""
