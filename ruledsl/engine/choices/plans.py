"""How a choice will be carried out, decided before any code is written.

A plan is made from the checked rules alone, and is what listing, counting and drawing work by: at
which parameter each requirement is tested, what is told apart first, what is put off to the end,
and how one option is found at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import attrs

from ruledsl.engine.expressions.unchanging import with_definitions
from ruledsl.engine.memory.layout import category
from ruledsl.model import core
from ruledsl.model.game import ActionInfo, CheckedGame
from ruledsl.model.names import filled_in, free_in, names_in
from ruledsl.model.outline import outline
from ruledsl.model.walk import walk

Level: TypeAlias = tuple[core.Statement, ...]
"""What is tested, and given a name, once so many parameters are known."""


@attrs.frozen
class Checks:
    """Requirements by the number of parameters that have to be known for them."""

    levels: tuple[Level, ...]
    """one more than there are parameters"""
    split: Split | None

    def lines(self, picks: tuple[core.Draw, ...], indent: str) -> Iterator[str]:
        levels = self.levels if self.split is None else self.levels[:1]
        for at, level in enumerate(levels):
            if at:
                yield f"{indent}take {outline(picks[at - 1])}"
            for each in level:
                yield f"{indent}    {outline(each)}"
        if self.split is not None:
            yield f"{indent}if {outline(self.split.test)}"
            yield from self.split.holds.lines(picks, f"{indent}    ")
            yield f"{indent}otherwise"
            yield from self.split.fails.lines(picks, f"{indent}    ")


@attrs.frozen
class Split:
    """`require A or B` where A is known before any parameter: what is left if it holds, or not."""

    test: core.Expr
    holds: Checks
    fails: Checks


@attrs.frozen
class ActionPlan:
    """How legal choices of an action's parameters are gone through."""

    action: str
    picks: tuple[core.Draw, ...]
    checks: Checks
    deferred: tuple[core.Require, ...]
    """requirements that look ahead, and so cost far more than all others"""

    def lines(self) -> Iterator[str]:
        yield self.action
        yield from self.checks.lines(self.picks, "    ")
        for each in self.deferred:
            yield f"    put off {outline(each.condition)}"


class Planner:
    """Makes plans; `harmless` says what can be judged in any position, `wrong` what may fail."""

    def __init__(
        self,
        game: CheckedGame,
        harmless: Callable[[core.Expr], bool],
        wrong: Callable[[core.Expr | core.Statement], bool],
    ) -> None:
        self._game = game
        self._harmless = harmless
        self.wrong = wrong
        self._plans: dict[tuple[str, frozenset[int]], ActionPlan] = {}

    def planned(self, info: ActionInfo, around: Iterable[int]) -> ActionPlan:
        """The plan of an action; names of `around` are known where it is written on the spot."""
        known = frozenset(around) if info.inline else frozenset()
        if (info.key, known) not in self._plans:
            self._plans[info.key, known] = self._made(info, known)
        return self._plans[info.key, known]

    def _made(self, info: ActionInfo, around: frozenset[int]) -> ActionPlan:
        numbers = [draw.local.number for draw in info.picks]
        depends = {number: at + 1 for at, number in enumerate(numbers)}
        levels: list[list[core.Statement]] = [[] for _ in range(len(numbers) + 1)]
        level = 0
        gone_wrong = False
        for statement in without_lone_names(info.requirements, self.wrong):
            own = max((depends.get(name, 0) for name in names_in(statement)), default=0)
            level = max(level, own)
            if isinstance(statement, core.Let):
                depends[statement.local.number] = level
            # What holds or not whatever is required before it need not wait for that.
            early = isinstance(statement, core.Require) and self._harmless(statement.condition)
            levels[own if early and not gone_wrong else level].append(statement)
            gone_wrong = gone_wrong or self.wrong(statement)
        found = tuple(map(tuple, levels))
        checks = self._checks(found, around | _named(found))
        return ActionPlan(info.name, info.picks, checks, self.deferred(info))

    def _checks(self, levels: tuple[Level, ...], known: frozenset[int]) -> Checks:
        return Checks(levels, self._split(levels[1:], known))

    def _split(self, levels: tuple[Level, ...], known: frozenset[int]) -> Split | None:
        for at, level in enumerate(levels):
            for number, statement in enumerate(level):
                match statement:
                    case core.Require(condition=core.Either(left=left, right=right)):
                        for test, other in ((left, right), (right, left)):
                            wrong = self.wrong(left) or (test is right and self.wrong(right))
                            if wrong or not free_in(test) <= known:
                                continue
                            before, after = level[:number], level[number + 1 :]
                            rest = attrs.evolve(statement, condition=other)
                            holds = (*levels[:at], (*before, *after), *levels[at + 1 :])
                            fails = (*levels[:at], (*before, rest, *after), *levels[at + 1 :])
                            return Split(
                                test,
                                self._checks(((), *holds), known),
                                self._checks(((), *fails), known),
                            )
                    case _:
                        pass
        return None

    def without_deferred(self, info: ActionInfo, around: Iterable[int]) -> ActionPlan:
        """The same for all requirements but those that look ahead."""
        deferred = self.deferred(info)
        light = tuple(each for each in info.requirements if each not in deferred)
        known = frozenset(around) if info.inline else frozenset()
        return self._made(attrs.evolve(info, requirements=light), known)

    def deferred(self, info: ActionInfo) -> tuple[core.Require, ...]:
        """The requirements of an action that look ahead."""
        requirements = (each for each in info.requirements if isinstance(each, core.Require))
        return tuple(each for each in requirements if self.looks_ahead(each.condition))

    def looks_ahead(self, node: core.Expr) -> bool:
        """Whether an expression looks ahead, so that it costs far more than all others."""
        return any(isinstance(part, core.Would) for part in with_definitions(self._game, node))


def _named(levels: tuple[Level, ...]) -> frozenset[int]:
    """Names of the first level that are worked out before parameters are taken: those in use."""
    lets = {each.local.number: each for each in levels[0] if isinstance(each, core.Let)}
    wanted = {
        number
        for level in levels
        for each in level
        if not isinstance(each, core.Let)
        for number in names_in(each)
    }
    found: set[int] = set()
    left = [number for number in wanted if number in lets]
    while left:
        number = left.pop()
        if number not in found:
            found.add(number)
            left += [each for each in names_in(lets[number]) if each in lets]
    return frozenset(found)


def without_lone_names(
    requirements: core.Block, wrong: Callable[[core.Expr | core.Statement], bool]
) -> list[core.Statement]:
    """Requirements in which a set with a name that is used just once stands in its place.

    Then no more of the set is worked out than is asked for.
    """
    found: list[core.Statement] = []
    sets: dict[int, core.Expr] = {}
    for at, each in enumerate(requirements):
        match each:
            case core.Let(local=local, value=value) if category(value.type) == "set" and not wrong(
                value
            ):
                uses = sum(_uses(other, local.number) for other in requirements[at + 1 :])
                if uses == 1:
                    sets[local.number] = value
                    continue
            case core.Require(condition=condition) if sets:
                filled = filled_in(condition, sets)
                found.append(attrs.evolve(each, condition=filled))
                continue
            case core.Let(value=value) if sets:
                found.append(attrs.evolve(each, value=filled_in(value, sets)))
                continue
            case _:
                pass
        found.append(each)
    return found


def _uses(statement: core.Statement, number: int) -> int:
    """How often a name is used; many times in what is done again and again, or conditionally."""
    if not isinstance(statement, core.Require | core.Let):
        return 2 * (number in names_in(statement))
    again = [
        part
        for part in walk((statement,))
        if isinstance(part, core.Query | core.Reach | core.LongestTrail | core.Would | core.Can)
    ]
    if any(number in names_in(part) for part in again):
        return 2
    return sum(isinstance(p, core.Local) and p.number == number for p in walk((statement,)))
