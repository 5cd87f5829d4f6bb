"""Where a definition will stand: written out, in a function of its own, or in a table."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from math import prod

import attrs

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.unchanging import MOST_ENTRIES, Domains, Unchanging, bodies_of
from ruledsl.engine.memory.layout import category, none_of
from ruledsl.engine.unsupported import Unsupported
from ruledsl.model import core
from ruledsl.model.game import DefineInfo
from ruledsl.model.names import changed
from ruledsl.model.types import AnyType, MaybeType, may_be_none
from ruledsl.model.walk import walk
from ruledsl.table.things import Value

SMALL = 16
"""Definitions of so few parts are written out where they are used."""
MOST_WRITTEN_OUT = 200
"""Parts that this may come to, with what is written out inside."""
MOST_UNFOLDED = 40
"""Parts of a definition that stands in the place of a call because of its arguments."""
FRESH_NAMES = 2_000_000
"""The number of the first name in a definition that stands there; others have theirs below it."""
MOST_OF_SETS = 20_000
"""The same where there is no other way: of definitions that give or take sets."""


class DefinitionPlans(Part):
    """Decides how calls of definitions are lowered."""

    def __init__(self, context: Context, unchanging: Unchanging) -> None:
        super().__init__(context)
        self.unchanging = unchanging
        self._parts: dict[str, int] = {}
        self._calls: dict[str, int] = {}
        self._unfolded: dict[core.CallDefine, core.Expr | None] = {}
        self._fresh = count(FRESH_NAMES)

    def is_written_out(self, info: DefineInfo) -> bool:
        """Whether a definition stands where it is used, or in a function of its own."""
        parts = self._parts_written_out(info)
        if category(info.type) == "set" or any(category(p.type) == "set" for p in info.params):
            if parts > MOST_OF_SETS:
                raise Unsupported(f"`{info.name}` is written out too often", info.span)
            return True
        size = sum(1 for body in bodies_of(info) for _ in walk((body,)))
        return size <= SMALL and not info.rows and parts <= MOST_WRITTEN_OUT

    def _parts_written_out(self, info: DefineInfo) -> int:
        """The parts of a definition, with those of definitions written out inside."""
        if info.key not in self._parts:
            parts = 0
            for part in walk(tuple(bodies_of(info))):
                parts += 1
                if isinstance(part, core.CallDefine):
                    inner = self.game.defines[part.define]
                    if self.is_written_out(inner):
                        parts += self._parts_written_out(inner)
            self._parts[info.key] = parts
        return self._parts[info.key]

    def unfolded(self, node: core.CallDefine) -> core.Expr | None:
        """What a call says, with its arguments in their places; None if it is better to call.

        It is better to unfold where arguments are worked out from what never changes: then what a
        query asks of each element can be looked up by what they are worked out from.
        """
        if node not in self._unfolded:
            self._unfolded[node] = self._worth_unfolding(node)
        return self._unfolded[node]

    def _worth_unfolding(self, node: core.CallDefine) -> core.Expr | None:
        info = self.game.defines[node.define]
        body = info.body
        if body is None or info.rows or strict_in(info, node) or self.is_written_out(info):
            return None
        plain = (core.Local, core.Constant, core.Value)
        worked_out = [each for each in node.arguments if not isinstance(each, plain)]
        if not worked_out or any(self.unchanging.still(each) is None for each in worked_out):
            return None
        parts = list(walk((body,)))
        binding = (core.Reach, core.LongestTrail, core.ByKind, core.Would, core.Can)
        if len(parts) > MOST_UNFOLDED or any(isinstance(part, binding) for part in parts):
            return None
        if not any(isinstance(part, core.Query) for part in parts):
            return None
        given = zip(info.params, node.arguments, strict=True)
        return self._renamed(body, {param.local.number: value for param, value in given})

    def _renamed(self, node: core.Expr, values: Mapping[int, core.Expr]) -> core.Expr:
        """An expression with values for some names, and fresh numbers for those it binds."""
        if isinstance(node, core.Local):
            found = values.get(node.number)
            return node if found is None else attrs.evolve(found, type=node.type)
        if not isinstance(node, core.Query):
            return changed(node, lambda part: self._renamed(part, values))
        draws: list[core.Draw] = []
        inner = dict(values)
        for draw in node.draws:
            domain = self._renamed(draw.domain, inner)
            local = attrs.evolve(draw.local, number=next(self._fresh))
            draws.append(attrs.evolve(draw, local=local, domain=domain))
            inner[draw.local.number] = local
        rest = changed(attrs.evolve(node, draws=()), lambda part: self._renamed(part, inner))
        assert isinstance(rest, core.Query)
        return attrs.evolve(rest, draws=tuple(draws))

    def calls_inside(self, key: str) -> int:
        """How many calls of definitions a call of one leads to, if none is left out."""
        if key not in self._calls:
            bodies = tuple(bodies_of(self.game.defines[key]))
            inner = [part.define for part in walk(bodies) if isinstance(part, core.CallDefine)]
            self._calls[key] = 1 + sum(map(self.calls_inside, inner))
        return self._calls[key]

    def domains(self, node: core.CallDefine, info: DefineInfo) -> Domains | None:
        """What a definition that never changes is looked up by; None if it is not."""
        if not self.unchanging.define_is_still(node.define):
            return None
        if any(category(param.type) == "set" for param in info.params):
            return None
        keys: Domains = []
        for param, argument in zip(info.params, node.arguments, strict=True):
            if category(param.type) == "number":
                if param.bounds is None:
                    return None
                low = self.table.number(param.bounds.low)
                high = self.table.number(param.bounds.high)
                things: list[Value] | None = list(range(low, high + 1))
            else:
                things = self.unchanging.domain(param.type)
            if not things or isinstance(param.type, MaybeType | AnyType):
                return None
            if may_be_none(argument.type):
                return None
            keys.append((len(keys), things))
        if prod(len(things) for _, things in keys) > MOST_ENTRIES:
            return None
        name = ("define", node.define)
        told = self.unchanging.may_stand_in_a_table(self.tabled(node, info), keys, name)
        return keys if told else None

    def tabled(self, node: core.CallDefine, info: DefineInfo) -> core.CallDefine:
        """A call by the names that a table of a definition has."""
        names = tuple(core.Local(p.local.name, n) for n, p in enumerate(info.params))
        return attrs.evolve(node, arguments=names)


def strict_in(info: DefineInfo, node: core.CallDefine) -> list[tuple[int, int]]:
    """Parameters that may be none here, although the definition wants something; and their none."""
    return [
        (number, none_of(category(param.type)))
        for number, (param, given) in enumerate(zip(info.params, node.arguments, strict=True))
        if not isinstance(param.type, MaybeType | AnyType)
        and category(param.type) != "set"
        and may_be_none(given.type)
    ]
