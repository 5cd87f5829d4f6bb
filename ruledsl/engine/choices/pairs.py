"""Pairs of things that words have all of: how two parameters are drawn at once, decided beforehand.

What never changes says which goals a start can have at all. If these lie in few ways from it, as
the next row does, then for each way one word tells the starts that have such a goal: the starts
there are, and the goals there are, moved back by as much. What changes, and depends on both, has to
be told by the goal alone once the way is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

import attrs

from ruledsl.engine.choices.domains import Domains, as_condition
from ruledsl.engine.choices.plans import ActionPlan, Checks, Level
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions import unchanging
from ruledsl.engine.expressions.environment import Scalar, Scope
from ruledsl.engine.expressions.unchanging import Unchanging
from ruledsl.engine.memory.layout import Span
from ruledsl.engine.sets import shapes
from ruledsl.model import core
from ruledsl.model.names import conjuncts, filled_in, free_in, names_in
from ruledsl.model.outline import outline
from ruledsl.model.types import FlagType
from ruledsl.table.things import Value

MOST_WAYS = 8
"""Ways from a start to its goals."""
MOST_PAIRS = 1 << 14
"""Pairs that are looked at, for all that they depend on."""
LEFT = -2
"""The number of a name for the goals that meet what does not depend on starts."""

Residue: TypeAlias = core.Expr | bool
"""What is left of a condition once what never changes is known."""
Moved: TypeAlias = tuple[int, int]
"""The starts that can go a way, as bits, and how far it goes."""


@attrs.frozen(eq=False)
class Pairing:
    """How the two parameters of an action are drawn at once."""

    starts: ActionPlan
    """what the first one is taken from"""
    goals: ActionPlan
    """the same of the second one, as far as it does not depend on the first"""
    ways: tuple[ActionPlan | None, ...]
    """what is left to be asked of goals that lie in some way from their starts; None if nothing"""
    spans: tuple[Span, Span]
    """the things that bits of both stand for"""
    keys: unchanging.Domains
    """what else it depends on where the ways lead"""
    moved: tuple[tuple[Moved, ...], ...]
    """where each way leads, for all that it depends on"""

    def lines(self, indent: str = "") -> Iterator[str]:
        first, second = self.starts.picks[0].local, self.goals.picks[0].local
        yield f"{indent}{first.name} and {second.name} at once, in {len(self.ways)} ways"
        for number, way in enumerate(self.ways, 1):
            if way is not None:
                (condition,) = map(as_condition, way.checks.levels[1])
                assert condition is not None
                yield f"{indent}    in way {number}: {outline(condition)}"


class Pairs(Part):
    """Decides where two parameters are drawn at once."""

    def __init__(self, context: Context, domains: Domains, unchanging: Unchanging) -> None:
        super().__init__(context)
        self.domains = domains
        self.unchanging = unchanging

    def planned(self, plan: ActionPlan, scope: Scope) -> Pairing | None:
        """How the parameters of an action are drawn at once, if they can be."""
        if len(plan.picks) != 2 or plan.checks.split is not None:
            return None
        first, second = plan.picks
        conditions = _conditions(plan.checks.levels)
        if conditions is None:
            return None
        if first.local.number in names_in(second.domain):
            anywhere = self._anywhere(second, first.local.number, scope)
            if anywhere is None:
                return None
            conditions.append(core.Member(second.local, second.domain, type=FlagType()))
            second = anywhere
        known = {*scope, first.local.number, second.local.number}
        if not all(free_in(each) <= known and self._is_harmless(each) for each in conditions):
            return None
        a, b = first.local.number, second.local.number
        of_starts = [each for each in conditions if b not in names_in(each)]
        of_goals = [each for each in conditions if names_in(each) & {a, b} == {b}]
        of_both = [each for each in conditions if {a, b} <= names_in(each)]
        lasting = [each for each in of_both if self.unchanging.still(each) is not None]
        mixed = [each for each in of_both if self.unchanging.still(each) is None]
        before, own = plan.checks.levels[:2]
        starts = _part(plan, first, (before, (*own, *_required(of_starts))))
        goals = _part(plan, second, ((), _required(of_goals)))
        spans = self._span(starts, scope), self._span(goals, scope)
        if not lasting or spans[0] is None or spans[1] is None:
            return None
        found = self._ways(first, second, (spans[0], spans[1]), lasting, mixed, scope)
        if found is None:
            return None
        keys, residues, moved = found
        left = core.Local("left", LEFT, type=second.domain.type)
        rest = attrs.evolve(second, domain=left)
        ways = tuple(
            None if isinstance(each, bool) else _part(plan, rest, ((), _required([each])))
            for each in residues
        )
        inner = {**scope, LEFT: shapes.word(spans[1])}
        if any(way is not None and self._span(way, inner) != spans[1] for way in ways):
            return None
        return Pairing(starts, goals, ways, (spans[0], spans[1]), keys, moved)

    def _anywhere(self, draw: core.Draw, first: int, scope: Scope) -> core.Draw | None:
        """A parameter taken from all things of a kind, and not from what depends on another one.

        None if the order of things would not be the same.
        """
        domain = draw.domain
        kinds = self.layout.kinds_in(domain.type)
        still = self.unchanging.still(domain)
        if len(kinds) != 1 or still is None:
            return None
        keys = self.unchanging.keys_of(still, {**scope, first: Scalar()})
        if keys is None or not self.unchanging.longest_value(domain, keys)[1]:
            return None
        return attrs.evolve(draw, domain=core.AllThings(kinds[0], type=domain.type))

    def _is_harmless(self, node: core.Expr) -> bool:
        """Whether a condition may be asked about more things than the rules ask it about."""
        return self.domains.foresight.words.harmless(node) and not any(
            isinstance(part, core.Sure) or (isinstance(part, core.Query) and part.word == "the")
            for part in unchanging.with_definitions(self.game, node)
        )

    def _span(self, plan: ActionPlan, scope: Scope) -> Span | None:
        """The things that bits of one word, in order, stand for; None if they don't tell all."""
        cases = self.domains.foreseen(plan, [False], scope, "counted")
        if len(cases) != 1 or cases[0][0].tested:
            return None
        shape = cases[0][0].shape
        return shape.span if shape.words == 1 and shape.one_word and shape.ordered else None

    # ------------------------------------------------------------ ways

    def _ways(
        self,
        first: core.Draw,
        second: core.Draw,
        spans: tuple[Span, Span],
        lasting: Sequence[core.Expr],
        mixed: Sequence[core.Expr],
        scope: Scope,
    ) -> tuple[unchanging.Domains, tuple[Residue, ...], tuple[tuple[Moved, ...], ...]] | None:
        """What the ways depend on, what is left to be asked in each, and where they lead."""
        names = first.local.number, second.local.number
        told = [leaf for each in mixed for leaf in _leaves(each) if names[0] in names_in(leaf)]
        keys = self._keys([*lasting, *told], names, scope)
        things = [self.layout.things[low : low + size] for low, size in spans]
        if keys is None:
            return None
        if prod(len(each) for _, each in keys) * len(things[0]) * len(things[1]) > MOST_PAIRS:
            return None
        numbers = [*(number for number, _ in keys), *names]
        residues: list[Residue] = []
        moved: list[dict[int, Moved]] = []
        for given in product(*(each for _, each in keys)):
            pairs: list[tuple[Value, ...]] = [(*given, *pair) for pair in product(*things)]
            for each in lasting:
                values = self.unchanging.values_at(each, numbers, pairs)
                pairs = [pair for pair, value in zip(pairs, values, strict=True) if value is True]
            known = [self.unchanging.values_at(leaf, numbers, pairs) for leaf in told]
            met: dict[tuple[int, Residue], int] = {}
            for pair, *values_of_pair in zip(pairs, *known, strict=True):
                residue = _residue(mixed, dict(zip(told, values_of_pair, strict=True)))
                start, goal = (self.layout.encode(thing, "thing") for thing in pair[-2:])
                far = goal - spans[1][0] - (start - spans[0][0])
                if residue is not False:
                    met[far, residue] = met.get((far, residue), 0) | 1 << start - spans[0][0]
            moved.append(_in_turn(met, residues))
            if len(residues) > MOST_WAYS:
                return None
        if not residues:
            return None
        nowhere: Moved = (0, 0)
        rows = [tuple(row.get(way, nowhere) for way in range(len(residues))) for row in moved]
        return keys, tuple(residues), tuple(rows)

    def _keys(
        self, conditions: Iterable[core.Expr], names: tuple[int, int], scope: Scope
    ) -> unchanging.Domains | None:
        """What some conditions depend on besides two names; None if one of them may change."""
        inner = {**scope, **dict.fromkeys(names, Scalar())}
        found: dict[int | None, list[Value]] = {}
        for each in conditions:
            still = self.unchanging.still(each)
            keys = None if still is None else self.unchanging.keys_of(still, inner)
            if keys is None:
                return None
            found.update(keys)
        return [(number, things) for number, things in found.items() if number not in names]


def _conditions(levels: Sequence[Level]) -> list[core.Expr] | None:
    """What is required once all parameters are known, with what names stand for in their place.

    None if it is no single condition.
    """
    lets = {
        each.local.number: each.value
        for level in levels
        for each in level
        if isinstance(each, core.Let)
    }
    found: list[core.Expr] = []
    for each in levels[-1]:
        if not isinstance(each, core.Let):
            condition = as_condition(each)
            if condition is None:
                return None
            found += conjuncts(filled_in(condition, lets))
    return found


def _part(plan: ActionPlan, pick: core.Draw, levels: tuple[Level, Level]) -> ActionPlan:
    """A plan of one parameter: what is asked before it is taken, and of it."""
    return ActionPlan(plan.action, (pick,), Checks(levels, None), ())


def _required(conditions: Iterable[core.Expr]) -> Level:
    return tuple(core.Require(each, core.Said("")) for each in conditions)


def _leaves(node: core.Expr) -> Iterator[core.Expr]:
    """The conditions that `and`, `or` and `not` join."""
    match node:
        case core.Both(left=left, right=right) | core.Either(left=left, right=right):
            yield from _leaves(left)
            yield from _leaves(right)
        case core.Not(operand=operand):
            yield from _leaves(operand)
        case _:
            yield node


def _residue(conditions: Sequence[core.Expr], known: Mapping[core.Expr, Value]) -> Residue:
    """What is left to be asked where some conditions are known to hold or not."""
    found: Residue = True
    for each in conditions:
        found = _both(found, _left_of(each, known))
    return found


def _left_of(node: core.Expr, known: Mapping[core.Expr, Value]) -> Residue:
    match node:
        case core.Both(left=left, right=right):
            return _both(_left_of(left, known), _left_of(right, known))
        case core.Either(left=left, right=right):
            neither = _both(_not(_left_of(left, known)), _not(_left_of(right, known)))
            return _not(neither)
        case core.Not(operand=operand):
            return _not(_left_of(operand, known))
        case _:
            return known[node] is True if node in known else node


def _both(left: Residue, right: Residue) -> Residue:
    if left is False or right is False:
        return False
    if left is True:
        return right
    return left if right is True else core.Both(left, right, type=FlagType())


def _not(residue: Residue) -> Residue:
    match residue:
        case bool():
            return not residue
        case core.Not(operand=operand):
            return operand
        case _:
            return core.Not(residue, type=FlagType())


def _in_turn(met: Mapping[tuple[int, Residue], int], residues: list[Residue]) -> dict[int, Moved]:
    """By way, which starts go how far: goals of a start come in the order of ways.

    A way that nothing else goes is added where it is missing.
    """
    found: dict[int, Moved] = {}
    at = 0
    for (far, residue), starts in sorted(met.items(), key=lambda item: item[0][0]):
        while at < len(residues) and residues[at] != residue:
            at += 1
        if at == len(residues):
            residues.append(residue)
        found[at] = (starts, far)
        at += 1
    return found
