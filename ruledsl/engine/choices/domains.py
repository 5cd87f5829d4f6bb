"""What the parameters of an action are taken from, decided before code is written.

A domain is made smaller by requirements that can be met beforehand: by bits, by a table, or by
going through another set that is required. What is foreseen here says whether options can be
counted, or drawn by trial.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import attrs

from ruledsl.engine.choices.plans import ActionPlan, Level, Split
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Known, Later, Scalar, Scope
from ruledsl.engine.expressions.foresight import Foresight
from ruledsl.engine.expressions.hoisting import Hoisting
from ruledsl.engine.expressions.sieves import Sieve
from ruledsl.engine.memory.layout import Span, category
from ruledsl.engine.sets import shapes
from ruledsl.engine.sets.shapes import Shape
from ruledsl.model import core
from ruledsl.model.names import filled_in, free_in, names_in
from ruledsl.model.outline import outline
from ruledsl.model.types import FlagType
from ruledsl.model.walk import walk

SHORT = 3
"""Elements of a list from which one is rather drawn in vain now and then than counted."""
SHORTER = 4
"""A list that has to be made for every trial pays if it is so many times shorter than what one
would draw from without it."""

Purpose: TypeAlias = Literal["listed", "counted", "tried"]
"""What becomes of the values of parameters: all are listed, or one is drawn."""


@attrs.frozen(eq=False)
class Narrowing:
    """How a domain is made smaller, and the requirements that are left."""

    shape: Shape
    checks: Level
    sieve: Sieve | None = None
    """by bits"""
    table: core.Query | None = None
    """to a set in a table of what never changes"""
    members: core.Expr | None = None
    """to another set"""
    written: bool = False
    """whether that set is written down as a list, whatever its order"""

    def lines(self, indent: str = "") -> Iterator[str]:
        if self.sieve is not None:
            yield from self.sieve.lines(indent)
        elif self.table is not None:
            yield f"{indent}{self.shape}, in a table"
        elif self.members is not None:
            yield f"{indent}{self.shape}: {outline(self.members)}"
        else:
            yield f"{indent}{self.shape}"


@attrs.frozen(eq=False)
class Domain:
    """What a parameter is taken from, in one of the cases that an action has."""

    at: int
    narrowing: Narrowing
    tested: bool
    """whether something is left to be tested once it is taken"""

    @property
    def shape(self) -> Shape:
        return self.narrowing.shape

    @property
    def whole_span(self) -> Span | None:
        """The things of a kind, if any of them may be taken; None otherwise."""
        return self.shape.span if self.shape.form == "everything" and not self.tested else None

    def lines(self, picks: Sequence[core.Draw], indent: str = "") -> Iterator[str]:
        name = picks[self.at].local.name
        first, *rest = self.narrowing.lines(indent)
        yield f"{indent}{name} from {first.strip()}"
        yield from rest


class Domains(Part):
    """Decides what parameters are taken from."""

    def __init__(self, context: Context, foresight: Foresight, hoisting: Hoisting) -> None:
        super().__init__(context)
        self.foresight = foresight
        self.hoisting = hoisting

    # ------------------------------------------------------------ all parameters

    def foreseen(
        self, plan: ActionPlan, fixed: Sequence[bool], scope: Scope, purpose: Purpose
    ) -> list[tuple[Domain, ...]]:
        """The domains of all parameters that are not fixed, for each case of an action."""
        checks = plan.checks
        return list(self._cases(plan, fixed, 0, scope, {}, checks.levels, checks.split, purpose))

    def _cases(
        self,
        plan: ActionPlan,
        fixed: Sequence[bool],
        at: int,
        scope: Scope,
        lets: dict[int, core.Let],
        levels: Sequence[Level],
        split: Split | None,
        purpose: Purpose,
    ) -> Iterator[tuple[Domain, ...]]:
        numbers = [draw.local.number for draw in plan.picks]
        pending = dict(lets)
        current = dict(scope)
        now, *later = levels
        for statement in now:
            if isinstance(statement, core.Let):
                pending[statement.local.number] = statement
            else:
                self._bind_needed(statement, pending, current)
        if at == len(numbers):
            yield ()
            return
        for level in later:
            for statement in level:
                if not isinstance(statement, core.Let):
                    self._bind_needed(statement, pending, current)
        if split is not None:
            for rest in (split.holds, split.fails):
                yield from self._cases(
                    plan, fixed, at, current, pending, rest.levels, rest.split, purpose
                )
            return
        domain: tuple[Domain, ...] = ()
        if not fixed[at]:
            unknown = {n: let.value for n, let in pending.items()}
            found = self.narrowed(plan, at, later[0], current, unknown, purpose)
            later[0] = found.checks
            tested = any(not isinstance(each, core.Let) for each in found.checks)
            domain = (Domain(at, found, tested),)
        further, current = self._hoisted(later, set(numbers[at:]), current)
        current[numbers[at]] = Scalar()
        for rest_of in self._cases(plan, fixed, at + 1, current, pending, further, None, purpose):
            yield (*domain, *rest_of)

    def _bind_needed(
        self, statement: core.Statement, pending: dict[int, core.Let], scope: dict[int, Known]
    ) -> None:
        """What is known about the names that a requirement uses."""
        for part in walk((statement,)):
            if isinstance(part, core.Local) and part.number in pending:
                let = pending[part.number]
                if free_in(let.value) <= scope.keys() | pending.keys():
                    del pending[part.number]
                    self._bind_needed(let, pending, scope)
                    scope[let.local.number] = self._known(let.value, scope)

    def _known(self, value: core.Expr, scope: Scope) -> Known:
        if category(value.type) == "set":
            return shapes.kept(self.foresight.shape(value, scope))
        return Scalar(self.foresight.constant(value, scope))

    def _hoisted(
        self, levels: Sequence[Level], changing: set[int], scope: dict[int, Known]
    ) -> tuple[list[Level], dict[int, Known]]:
        """Requirements with names for what is worked out once."""
        found: list[Level] = []
        inner = dict(scope)
        for level in levels:
            checks: list[core.Statement] = []
            for statement in level:
                if isinstance(statement, core.Require):
                    condition, parts = self.hoisting.hoisted(statement.condition, changing, inner)
                    around = dict(inner)
                    for local, part in parts:
                        inner[local.number] = Later(part, around)
                    if parts:
                        statement = attrs.evolve(statement, condition=condition)  # noqa: PLW2901
                checks.append(statement)
            found.append(tuple(checks))
        return found, inner

    # ------------------------------------------------------------ one parameter

    def narrowed(
        self,
        plan: ActionPlan,
        at: int,
        checks: Level,
        scope: Scope,
        lets: dict[int, core.Expr],
        purpose: Purpose,
    ) -> Narrowing:
        """A domain, smaller by requirements that can be met beforehand, and all other ones.

        `lets` are names whose values are not worked out yet. Where a single value is drawn from
        a domain, a short list is best.
        """
        pick = plan.picks[at]
        lets = lets | {
            each.local.number: each.value for each in checks if isinstance(each, core.Let)
        }
        if purpose != "listed":
            short = self._tabled(pick, checks, scope)
            if short is not None and short.shape.most <= SHORT:
                return short
        number = pick.local.number
        tests: dict[int, core.Expr] = {}
        for place, each in enumerate(checks):
            condition = as_condition(each)
            if condition is not None:
                condition = filled_in(condition, lets)
                if number in names_in(condition) and free_in(condition) <= scope.keys() | {number}:
                    tests[place] = condition
        whole = self.foresight.shape(pick.domain, scope)
        sieve = self.foresight.siever.planned(whole, number, list(tests.values()), None, scope)
        if purpose == "tried":
            before = {draw.local.number for draw in plan.picks[:at]}
            shorter = self._shorter(pick, checks, scope, before, sieve.shape)
            if shorter is not None:
                return shorter
        if len(sieve.left) < len(tests):
            met = [n for n, test in tests.items() if not any(test is each for each in sieve.left)]
            left = tuple(each for n, each in enumerate(checks) if n not in met)
            return Narrowing(sieve.shape, left, sieve=sieve)
        return (
            self._tabled(pick, checks, scope)
            or self._members(pick, checks, scope)
            or Narrowing(whole, checks)
        )

    def _tabled(self, pick: core.Draw, checks: Level, scope: Scope) -> Narrowing | None:
        """A domain that requirements which never change make smaller, in a table."""
        domain, number = pick.domain, pick.local.number
        if not isinstance(domain, core.AllThings):
            return None
        unchanging = self.foresight.unchanging
        met: list[core.Require] = []
        for each in checks:
            if isinstance(each, core.Require):
                found = unchanging.still(each.condition)
                if found is not None and number in found.locals:
                    if all(n == number or n in scope for n in found.locals):
                        met.append(each)
        if not met:
            return None
        where = met[0].condition
        for each in met[1:]:
            where = core.Both(where, each.condition, type=where.type)
        query = core.Query(
            "filter", (pick,), where, None, (), None, type=domain.type, span=domain.span
        )
        keys = unchanging.table_keys(query, scope)
        if keys is None:
            return None
        shape = self.foresight.lasting.tabled(query, keys)
        left = tuple(each for each in checks if each not in met)
        return Narrowing(shape, left, table=query)

    def _members(self, pick: core.Draw, checks: Level, scope: Scope) -> Narrowing | None:
        """A domain in the place of which another set can be gone through that is required."""
        for whole, inner, rest in self._required(pick, checks, scope):
            if inner.ordered:
                return Narrowing(shapes.kept(inner), rest, members=whole)
            if inner.span is not None and inner.one_word:
                return Narrowing(shapes.word(inner.span), rest, members=whole)
        return None

    def _shorter(
        self, pick: core.Draw, checks: Level, scope: Scope, before: set[int], shape: Shape
    ) -> Narrowing | None:
        """The same where one value is tried, in any order, if so far fewer are tried in vain.

        What does not depend on the parameters `before` would be the same for each trial.
        """
        candidates = candidates_of(shape) or shape.most
        own = (pick.domain, self.foresight.shape(pick.domain, scope), checks)
        for whole, inner, rest in (own, *self._required(pick, checks, scope)):
            if SHORTER * inner.most <= candidates and names_in(whole) & before:
                return Narrowing(shapes.written(inner), rest, members=whole, written=True)
        return None

    def _required(
        self, pick: core.Draw, checks: Level, scope: Scope
    ) -> Iterator[tuple[core.Expr, Shape, Level]]:
        """Sets that a parameter has to be in, which may be any thing of a kind; with the rest."""
        if not isinstance(pick.domain, core.AllThings):
            return
        number = pick.local.number
        for each in checks:
            match each:
                case core.Require(
                    condition=core.Member(element=core.Local(number=name), whole=whole)
                ) if name == number:
                    if number not in names_in(whole) and free_in(whole) <= scope.keys():
                        rest = tuple(other for other in checks if other is not each)
                        yield whole, self.foresight.shape(whole, scope), rest
                case _:
                    pass


def candidates_of(shape: Shape) -> int | None:
    """How many candidates there are to draw an inner parameter from; None if that costs too much.

    It is known when code is written, so that all candidates stay equally likely.
    """
    match shape.form:
        case "straight" if shape.span is not None:
            return shape.span[1]
        case "everything" | "cell" | "word" | "words" | "list":
            return shape.most
        case "numbers":
            return shape.most if shape.sized else None
        case "guarded" | "filtered" if shape.inside is not None:
            return candidates_of(shape.inside)
        case _:
            return None


def as_condition(statement: core.Statement) -> core.Expr | None:
    """What a requirement requires; None if names are bound on the way."""
    match statement:
        case core.Require(condition=condition):
            return condition
        case core.If(branches=branches):
            found: core.Expr = core.Constant(True, type=FlagType())
            for branch in reversed(branches):
                required: core.Expr = core.Constant(True, type=FlagType())
                for each in branch.body:
                    inner = as_condition(each)
                    if inner is None:
                        return None
                    required = core.Both(required, inner, type=FlagType())
                if branch.condition is None:
                    found = required
                else:
                    unless = core.Not(branch.condition, type=FlagType())
                    found = core.Both(
                        core.Either(unless, required, type=FlagType()),
                        core.Either(branch.condition, found, type=FlagType()),
                        type=FlagType(),
                    )
            return found
        case _:
            return None
