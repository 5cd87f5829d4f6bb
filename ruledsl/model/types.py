"""The types of the language: every one of them stands for a finite domain."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

import attrs


@attrs.frozen
class AnyType:
    """What stands where a mistake was reported: it fits everywhere and causes no second report."""


@attrs.frozen
class NothingType:
    """The type of `none`."""


@attrs.frozen
class FlagType:
    """`flag`"""


Limit: TypeAlias = "int | Hashable | None"
"""A number, an expression that is constant once the table is laid, or none that is known."""


@attrs.frozen
class NumberType:
    """`number` and every `a..b`: one type, with what is known of the limits of a value."""

    low: Limit = attrs.field(default=None, eq=False)
    high: Limit = attrs.field(default=None, eq=False)

    def lies_in(self, low: Limit, high: Limit) -> bool:
        """Whether every value is certainly one of these numbers."""
        return _reaches(self.low, low) and _reaches(high, self.high)


def _reaches(greater: Limit, smaller: Limit) -> bool:
    """Whether the one limit is certainly not less than the other."""
    if greater is None or smaller is None:
        return False
    if greater == smaller:
        return True
    least, most = _known(greater).low, _known(smaller).high
    return isinstance(least, int) and isinstance(most, int) and least >= most


def _known(limit: Limit) -> NumberType:
    """What is known of a limit itself."""
    if isinstance(limit, int):
        return NumberType(limit, limit)
    inner = plain(getattr(limit, "type", ANY))
    return inner if isinstance(inner, NumberType) else NUMBER


@attrs.frozen
class TextType:
    """A message; never the value of an expression."""


@attrs.frozen
class ThingType:
    """A thing of one of several kinds: players, values, pieces, places, products, directions."""

    kinds: frozenset[str]


@attrs.frozen
class FaceType:
    """`face of Card`"""

    kind: str


@attrs.frozen
class SetType:
    """`set of Spot`, and every sequence"""

    element: Type


@attrs.frozen
class MaybeType:
    """`Card or none`"""

    of: Type


Type: TypeAlias = (
    AnyType
    | NothingType
    | FlagType
    | NumberType
    | TextType
    | ThingType
    | FaceType
    | SetType
    | MaybeType
)

ANY = AnyType()
NOTHING = NothingType()
FLAG = FlagType()
NUMBER = NumberType()
TEXT = TextType()


SHOWN_KINDS = 4
"""Of more kinds a message names only two."""


def thing(*kinds: str) -> ThingType:
    return ThingType(frozenset(kinds))


def maybe(of: Type) -> Type:
    """The type with `or none`."""
    return of if isinstance(of, MaybeType | AnyType | NothingType) else MaybeType(of)


def plain(of: Type) -> Type:
    """The type without `or none`."""
    return of.of if isinstance(of, MaybeType) else of


def may_be_none(of: Type) -> bool:
    return isinstance(of, MaybeType | NothingType)


def join(one: Type, other: Type) -> Type | None:
    """The smallest type that both fit, or None where there is none."""
    if isinstance(one, NumberType) and isinstance(other, NumberType):
        return NumberType(_least(one.low, other.low), _most(one.high, other.high))
    if isinstance(one, SetType) and isinstance(other, SetType):
        element = join(one.element, other.element)
        return None if element is None else SetType(element)
    if isinstance(other, AnyType):
        return one
    if isinstance(one, AnyType):
        return other
    if isinstance(one, NothingType):
        return maybe(other)
    if isinstance(other, NothingType):
        return maybe(one)
    if isinstance(one, MaybeType) or isinstance(other, MaybeType):
        inner = join(plain(one), plain(other))
        return None if inner is None else maybe(inner)
    if isinstance(one, ThingType) and isinstance(other, ThingType):
        return ThingType(one.kinds | other.kinds)
    return one if one == other else None


def _least(one: Limit, other: Limit) -> Limit:
    """The limit below both, if it is known."""
    if isinstance(one, int) and isinstance(other, int):
        return min(one, other)
    return one if one == other else None


def _most(one: Limit, other: Limit) -> Limit:
    if isinstance(one, int) and isinstance(other, int):
        return max(one, other)
    return one if one == other else None


def meet_numbers(one: NumberType, other: NumberType) -> NumberType:
    """What is known of a number that lies within the limits of both."""
    low = one.low if other.low is None or _reaches(one.low, other.low) else other.low
    high = one.high if other.high is None or _reaches(other.high, one.high) else other.high
    return NumberType(low, high)


def widened(of: Type) -> Type:
    """The type without the limits of its numbers."""
    match of:
        case NumberType():
            return NUMBER
        case SetType(element):
            return SetType(widened(element))
        case MaybeType(inner):
            return MaybeType(widened(inner))
        case _:
            return of


def fits(actual: Type, wanted: Type) -> bool:
    """Whether a value of the one type can stand where the other is wanted."""
    match actual, wanted:
        case (AnyType(), _) | (_, AnyType()):
            return True
        case NothingType(), MaybeType():
            return True
        case MaybeType(of), MaybeType(other):
            return fits(of, other)
        case _, MaybeType(other):
            return fits(actual, other)
        case ThingType(kinds), ThingType(others):
            return kinds <= others
        case SetType(element), SetType(other):
            return fits(element, other)
        case _:
            return actual == wanted


def comparable(one: Type, other: Type) -> bool:
    """Whether the two can ever be equal, apart from none."""
    first, second = plain(one), plain(other)
    if isinstance(first, AnyType | NothingType) or isinstance(second, AnyType | NothingType):
        return True
    if ThingType(frozenset()) in (first, second):
        return True  # of a kind that is unknown, as was said where it is named
    if isinstance(first, ThingType) and isinstance(second, ThingType):
        return bool(first.kinds & second.kinds)
    if isinstance(first, SetType) and isinstance(second, SetType):
        return comparable(first.element, second.element)
    return first == second


def _one(kind: str) -> str:
    """`a Card`, `an Owl`; a place called `deck` is itself."""
    if not kind[:1].isupper():
        return f"`{kind}`"
    return f"an `{kind}`" if kind[0] in "AEIOU" else f"a `{kind}`"


def describe(of: Type) -> str:
    """The type in the words of a message."""
    match of:
        case AnyType():
            return "anything"
        case NothingType():
            return "`none`"
        case FlagType():
            return "a flag"
        case NumberType():
            return "a number"
        case TextType():
            return "a text"
        case ThingType(kinds):
            shown = [_one(kind) for kind in sorted(kinds)]
            return " or ".join(shown if len(shown) <= SHOWN_KINDS else [*shown[:2], "the like"])
        case FaceType(kind):
            return f"a face of `{kind}`"
        case SetType(element):
            if isinstance(element, NumberType | FlagType):
                return f"a set of {describe(element).removeprefix('a ')}s"
            inner = describe(element).replace("or an ", "or ").replace("or a ", "or ")
            return f"a set of {inner.removeprefix('an ').removeprefix('a ')}"
        case MaybeType(inner):
            return f"{describe(inner)} or none"
