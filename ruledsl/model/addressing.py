"""Things by their indexes and numbers: `hand(p)`, `Cell(3, 2)`, `wall(p, 3, 2)`, `road(a, b)`.

A family that has a shape may be named in part: `wall(p)` are the places of one player's wall, and
`road(a)` are the edges that end in `a`.
"""

from __future__ import annotations

from typing import TypeAlias

from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.base import Base
from ruledsl.model.facts import is_written
from ruledsl.model.heads import Head
from ruledsl.model.limits import limits
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import DIRECTION_SETS
from ruledsl.model.types import (
    ANY,
    NUMBER,
    SetType,
    ThingType,
    Type,
    may_be_none,
    maybe,
    plain,
    thing,
)
from ruledsl.syntax import ast

Arguments: TypeAlias = tuple[ast.Argument, ...]

_NUMBERS = {0: "no numbers", 1: "one number", 2: "a column and a row"}


class Addressing(Base):
    """Resolution of things that are named by indexes and numbers."""

    def addressed(
        self,
        head: Head,
        subject: core.Expr | None,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr:
        """`kind(arguments)`; with a subject, `subject.kind(arguments)`."""
        place = head.declaration
        shape = place.shape if isinstance(place, ast.Place) else None
        if isinstance(shape, ast.Edges):
            return self._edge(head, shape, subject, arguments, scope, span)
        indexes = self._indexes(head, subject, arguments, scope)
        rest = arguments[len(indexes) - (subject is not None) :]
        numbered = 0 if head.indexes and shape is None else self._numbers(head, shape)
        if len(indexes) < len(head.indexes) or len(rest) not in (
            (0, numbered) if head.indexes and shape is not None else (numbered,)
        ):
            given = len(arguments) + (subject is not None)
            return self._miscounted(head, numbered, given, span)
        of: Type = thing(head.name)
        if not self._surely_there(head, subject, indexes, scope):
            of = maybe(of)
        if head.indexes and not rest:
            if shape is not None:
                return core.PlacesOf(head.name, indexes, type=SetType(thing(head.name)), span=span)
            if head.sort == "place":
                return core.PlaceAt(head.name, indexes, type=of, span=span)
            return core.Indexed(head.name, indexes, type=of, span=span)
        numbers = tuple(
            self.wanted(argument.value, scope, maybe(NUMBER), f"the number of `{head.name}`")
            for argument in rest
        )
        if not self._lies_on(head, numbers):
            of = maybe(of)
        if head.indexes:
            return core.PlaceAt(head.name, (*indexes, *numbers), type=of, span=span)
        return core.Nth(head.name, numbers, type=of, span=span)

    def _numbers(self, head: Head, shape: ast.Shape | None) -> int:
        """How many numbers name a thing of a kind, beside its indexes."""
        if isinstance(shape, ast.Grid | ast.Hexagon):
            return 2
        return 0 if head.sort in ("piece", "product") else 1

    def _miscounted(self, head: Head, numbered: int, given: int, span: Span) -> core.Expr:
        many = len(head.indexes)
        takes = f"{many} index" + "es" * (many != 1) if many else "no indexes"
        if numbered:
            takes = f"{takes} and {_NUMBERS[numbered]}" if many else _NUMBERS[numbered]
        self.report(mistyped.argument_count(span, f"`{head.name}`", takes, given))
        return core.Constant(None, type=ANY, span=span)

    def _indexes(
        self, head: Head, subject: core.Expr | None, arguments: Arguments, scope: Scope
    ) -> tuple[core.Expr, ...]:
        given = () if subject is None else (subject,)
        wanted = head.indexes[len(given) :]
        return given + tuple(
            self.wanted(argument.value, scope, self.index_type(index), f"the index `{index.name}`")
            for argument, index in zip(arguments, wanted, strict=False)
        )

    def _surely_there(
        self,
        head: Head,
        subject: core.Expr | None,
        indexes: tuple[core.Expr, ...],
        scope: Scope,
    ) -> bool:
        """Whether there are certainly things with these indexes.

        What is read from something that may be none may be none anyway.
        """
        for index, given in zip(head.indexes, indexes, strict=True):
            if given is not subject and may_be_none(given.type):
                return False
            if index.subset is not None and not self.is_in(given, index.subset, scope):
                return False
            if index.kind in self.symbols.ranges and not isinstance(given, core.Constant):
                there = plain(given.type) if given is subject else given.type
                if not limits(there).lies_in(*self.range_limits(index.kind)):
                    return False
        return True

    def is_in(self, given: core.Expr, subset: str, scope: Scope) -> bool:
        """Whether something is certainly one of a set of directions."""
        if isinstance(given, core.Value):
            return given.name in DIRECTION_SETS[subset]
        if isinstance(given, core.ReadFeature) and given.feature == "sixths":
            return subset == "Hexagonal" and not may_be_none(given.type)
        if isinstance(given, core.ReadIndex):
            of = plain(given.subject.type)
            kinds = of.kinds if isinstance(of, ThingType) else frozenset()
            read = [i for kind in kinds for i in self.heads[kind].indexes if i.name == given.name]
            if read and all(each.subset == subset for each in read):
                return True
        known = core.Member(given, self.direction_set(subset, given.span))
        return known in scope.facts.known

    def _lies_on(self, head: Head, numbers: tuple[core.Expr, ...]) -> bool:
        """Whether there is certainly a thing with these numbers; written ones are tried out."""
        if all(isinstance(number, core.Constant) for number in numbers):
            return True
        inside = all(
            not may_be_none(number.type) and limits(number.type).lies_in(*ends)
            for number, ends in zip(numbers, self.numbered(head), strict=True)
        )
        return inside and not self.may_be_hole(head, [number.type for number in numbers])

    def _edge(
        self,
        head: Head,
        shape: ast.Edges,
        subject: core.Expr | None,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr:
        role = f"an end of `{head.name}`"
        given = [self.wanted(each.value, scope, thing(shape.of.text), role) for each in arguments]
        ends = tuple(given if subject is None else (subject, *given))
        if len(ends) == 1:
            return core.PlacesOf(head.name, ends, type=SetType(thing(head.name)), span=span)
        if len(ends) == 2:
            edge = thing(head.name)
            of = edge if all(map(is_written, ends)) else maybe(edge)
            return core.PlaceAt(head.name, ends, type=of, span=span)
        self.report(mistyped.argument_count(span, f"`{head.name}`", "one or two ends", len(ends)))
        return core.Constant(None, type=ANY, span=span)
