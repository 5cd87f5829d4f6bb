"""What names stand for while an expression is lowered, and to whom its parts are handed."""

from __future__ import annotations

from typing import Protocol, TypeAlias

import attrs

from ruledsl.engine.code.instructions import Code, Writer
from ruledsl.engine.memory.layout import Category, category, element_of
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.stored import LONG, Listed
from ruledsl.model import core

Binding: TypeAlias = "Code | SetCode | Lazy"
Env: TypeAlias = dict[int, Binding]
"""What the names in scope stand for, by their numbers."""


@attrs.frozen(eq=False)
class Lazy:
    """A value that is worked out when it is first wanted, and then kept."""

    node: core.Expr
    env: Env
    known: str | int
    """the local, or the cell of memory, that tells whether it was worked out"""
    held: str | int
    """the local or the cell that holds it then"""


def drawn(draw: core.Draw, x: Code) -> Code | SetCode:
    """What the name of a draw stands for; a list is drawn by its address."""
    if category(element_of(draw.domain.type)) == "set":
        return Listed(x, LONG)
    return x


class Expressions(Protocol):
    """Lowers an expression of any form."""

    def value(self, w: Writer, node: core.Expr, env: Env, want: Category | None = None) -> Code:
        """A number, a flag or a thing; none as `want` has it where the type does not tell."""

    def number(self, w: Writer, node: core.Expr, env: Env) -> Code:
        """A number; none as numbers have it."""

    def condition(self, w: Writer, node: core.Expr, env: Env) -> Code:
        """Whether a flag is set; none is not."""

    def set(self, w: Writer, node: core.Expr, env: Env) -> SetCode:
        """A set of things, numbers, or lists."""


class LookAhead(Protocol):
    """Lowers what asks about actions and steps from inside an expression."""

    def would(self, w: Writer, node: core.Would, env: Env) -> Code:
        """The value of an expression in the position after a step."""

    def can(self, w: Writer, node: core.Can, env: Env) -> Code:
        """Whether an action could be chosen."""
