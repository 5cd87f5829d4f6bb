"""How a condition is answered for all elements of a set at once, decided before code is written.

`x.top.owner = you and x.row = 8` is, for all x at once, one word of a board and one of a table. A
plan says which words these are; where there is none, elements are tested one by one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

import attrs

from ruledsl.engine.expressions.unchanging import Domains
from ruledsl.model import core
from ruledsl.model.outline import outline
from ruledsl.model.types import Type
from ruledsl.structural import Structural

Values: TypeAlias = tuple[int | None, ...]
"""What never changes about each element."""


@attrs.frozen(eq=False, repr=False)
class ForAll(Structural):
    """A condition that is the same for all elements."""

    condition: core.Expr


@attrs.frozen(eq=False)
class Tabled:
    """A condition that never changes, in a table of words by all else it depends on."""

    condition: core.Expr
    keys: Domains


@attrs.frozen(eq=False, repr=False)
class Joined(Structural):
    """`and`, `or`: the right side is asked for those that the left one leaves open."""

    sign: Literal["and", "or"]
    left: WordPlan
    right: WordPlan


@attrs.frozen(eq=False, repr=False)
class Inverted(Structural):
    plan: WordPlan


@attrs.frozen(eq=False, repr=False)
class Near(Structural):
    """Where a piece is looked for: on the element itself, or next to it in a direction."""

    way: core.Expr | None
    steps: tuple[tuple[int, int], ...] = ()
    """by direction: how far bits turn in a step, and which elements can make it"""


@attrs.frozen(eq=False, repr=False)
class Held(Structural):
    """A piece lies there; `sure` is what says that one has to."""

    near: Near
    sure: core.Expr | None = None


@attrs.frozen(eq=False, repr=False)
class Showing(Structural):
    """What is read from the piece there has a value; None means that a flag is set."""

    near: Near
    sure: core.Expr | None
    reading: str
    value: core.Expr | None
    of: Type


@attrs.frozen(eq=False, repr=False)
class Run(Structural):
    """The next places in a direction, so many of them, all meet a condition."""

    near: Near
    length: int
    number: int
    """of the name that stands for the places"""
    plan: WordPlan


@attrs.frozen(eq=False, repr=False)
class Same(Structural):
    """The element is a given thing."""

    other: core.Expr


@attrs.frozen(eq=False, repr=False)
class ByValue(Structural):
    """What never changes about an element is equal to something."""

    values: Values
    low: int
    count: int
    other: core.Expr


@attrs.frozen(eq=False, repr=False)
class BySize(Structural):
    """What never changes about an element is more or less than a number."""

    sign: str
    values: Values
    low: int
    high: int
    other: core.Expr


@attrs.frozen(eq=False, repr=False)
class Never(Structural):
    """No element meets it."""


@attrs.frozen(eq=False, repr=False)
class OneOfThese(Structural):
    """The element, or something about it, is one of a few."""

    plans: tuple[WordPlan, ...]


@attrs.frozen(eq=False, repr=False)
class Members(Structural):
    """The element is in another set, too."""

    whole: core.Expr
    far: bool


@attrs.frozen(eq=False, repr=False)
class Unfolded(Structural):
    """What a definition says, by the names it has there."""

    number: int
    """of the name that stands for the elements"""
    arguments: tuple[tuple[int, core.Expr], ...]
    plan: WordPlan


WordPlan: TypeAlias = (
    ForAll
    | Tabled
    | Joined
    | Inverted
    | Held
    | Showing
    | Run
    | Same
    | ByValue
    | BySize
    | Never
    | OneOfThese
    | Members
    | Unfolded
)


def plan_lines(plan: WordPlan, indent: str = "") -> Iterator[str]:
    """A plan as text."""
    match plan:
        case ForAll(condition=condition):
            yield f"{indent}all or none: {outline(condition)}"
        case Tabled(condition=condition):
            yield f"{indent}words in a table: {outline(condition)}"
        case Joined(sign=sign, left=left, right=right):
            yield f"{indent}{sign}"
            yield from plan_lines(left, f"{indent}    ")
            yield from plan_lines(right, f"{indent}    ")
        case Inverted(plan=inner):
            yield f"{indent}not"
            yield from plan_lines(inner, f"{indent}    ")
        case Held(near=near):
            yield f"{indent}a piece {_where(near)}"
        case Showing(near=near, reading=reading, value=value):
            shown = "yes" if value is None else outline(value)
            yield f"{indent}a piece {_where(near)} whose {reading} is {shown}"
        case Run(near=near, length=length, plan=inner):
            yield f"{indent}each of {length} places on, {_where(near)}"
            yield from plan_lines(inner, f"{indent}    ")
        case Same(other=other):
            yield f"{indent}the bit of {outline(other)}"
        case ByValue(other=other):
            yield f"{indent}words by the value of {outline(other)}"
        case BySize(sign=sign, other=other):
            yield f"{indent}words by what is {sign} {outline(other)}"
        case Never():
            yield f"{indent}none"
        case OneOfThese(plans=plans):
            yield f"{indent}one of"
            for each in plans:
                yield from plan_lines(each, f"{indent}    ")
        case Members(whole=whole):
            yield f"{indent}the bits of {outline(whole)}"
        case Unfolded(plan=inner):
            yield from plan_lines(inner, indent)


def _where(near: Near) -> str:
    return "there" if near.way is None else f"next to it, {outline(near.way)}"


def plan_goes_far(plan: WordPlan) -> bool:
    """Whether a set is gone through for the words."""
    match plan:
        case Members(far=far):
            return far
        case Joined(left=left, right=right):
            return plan_goes_far(left) or plan_goes_far(right)
        case Inverted(plan=inner) | Unfolded(plan=inner) | Run(plan=inner):
            return plan_goes_far(inner)
        case OneOfThese(plans=plans):
            return any(map(plan_goes_far, plans))
        case _:
            return False
