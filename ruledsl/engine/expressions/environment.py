"""What names stand for while an expression is lowered, and to whom its parts are handed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeAlias

import attrs

from ruledsl.engine.code.instructions import Code, Writer
from ruledsl.engine.memory.layout import Category, category, element_of
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.shapes import Shape
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


@attrs.frozen
class Scalar:
    """A number, a flag or a thing, perhaps known before code is written."""

    value: int | None = None


@attrs.frozen(eq=False)
class Later:
    """A value that will be worked out when it is first wanted."""

    node: core.Expr
    scope: Scope


Known: TypeAlias = "Scalar | Later | Shape"
Scope: TypeAlias = Mapping[int, Known]
"""What is known about the names in scope before code is written, by their numbers."""


def scope_of(env: Env) -> Scope:
    """What is known about names that already stand for code."""
    return _Bound(env)


@attrs.frozen(eq=False)
class _Bound(Mapping[int, Known]):
    """Tells what is known about a name when it is asked for."""

    env: Env

    def __getitem__(self, number: int) -> Known:
        return known_of(self.env[number])

    def __iter__(self) -> Iterator[int]:
        return iter(self.env)

    def __len__(self) -> int:
        return len(self.env)


def known_of(binding: Binding) -> Known:
    match binding:
        case SetCode():
            return binding.shape
        case Lazy(node=node, env=env):
            return Later(node, scope_of(env))
        case int():
            return Scalar(binding)
        case _:
            return Scalar()


def known_draw(draw: core.Draw) -> Known:
    """What is known about the name of a draw; see `drawn`."""
    if category(element_of(draw.domain.type)) == "set":
        return shapes.listed(LONG, None)
    return Scalar()


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
