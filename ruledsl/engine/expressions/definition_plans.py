"""Where a definition will stand: written out, in a function of its own, or in a table."""

from __future__ import annotations

from math import prod

import attrs

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.unchanging import MOST_ENTRIES, Domains, Unchanging, bodies_of
from ruledsl.engine.memory.layout import category, none_of
from ruledsl.engine.unsupported import Unsupported
from ruledsl.model import core
from ruledsl.model.game import DefineInfo
from ruledsl.model.types import AnyType, MaybeType, may_be_none
from ruledsl.model.walk import walk
from ruledsl.table.things import Value

SMALL = 16
"""Definitions of so few parts are written out where they are used."""
MOST_WRITTEN_OUT = 200
"""Parts that this may come to, with what is written out inside."""
MOST_OF_SETS = 20_000
"""The same where there is no other way: of definitions that give or take sets."""


class DefinitionPlans(Part):
    """Decides how calls of definitions are lowered."""

    def __init__(self, context: Context, unchanging: Unchanging) -> None:
        super().__init__(context)
        self.unchanging = unchanging
        self._parts: dict[str, int] = {}
        self._calls: dict[str, int] = {}

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
        return None if prod(len(things) for _, things in keys) > MOST_ENTRIES else keys

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
