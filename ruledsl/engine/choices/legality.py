"""What may be chosen, as code: loops over an action's parameters, tested as early as can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs

from ruledsl.engine.choices.candidates import Candidates
from ruledsl.engine.choices.domains import Domains, Narrowing, Purpose
from ruledsl.engine.choices.plans import ActionPlan, Level, Planner, Split
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    load,
    no,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions, scope_of
from ruledsl.engine.expressions.queries import Queries
from ruledsl.engine.expressions.sieving import Sieving
from ruledsl.engine.expressions.unchanging import Unchanging
from ruledsl.engine.memory.control import CHOOSER
from ruledsl.engine.memory.layout import category, element_of
from ruledsl.engine.sets.basic import Bits, SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core
from ruledsl.model.game import ActionInfo
from ruledsl.model.names import free_in
from ruledsl.model.types import Type
from ruledsl.model.walk import walk

Choose: TypeAlias = Callable[[int, SetCode, Type, Callable[[Code], None]], None]
"""Takes the parameter of a number from its domain, and goes on with each value."""


Refused: TypeAlias = Callable[[core.Require], None]
"""Writes what is done where a requirement is not met."""


MANY_WAYS = 1_000_000
"""Where parameters could be combined in more ways, it is counted how many are tried."""


class Legality(Part):
    """Lowers requirements."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        unchanging: Unchanging,
        sieving: Sieving,
        queries: Queries,
        candidates: Candidates,
        planner: Planner,
        domains: Domains,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.unchanging = unchanging
        self.sieving = sieving
        self.queries = queries
        self.candidates = candidates
        self.planner = planner
        self.domains = domains
        self._can: dict[tuple[str, tuple[bool, ...]], str] = {}

    # ------------------------------------------------------------ parameters

    def legal(
        self,
        w: Writer,
        plan: ActionPlan,
        fixed: list[Code | None],
        env: Env,
        choose: Choose,
        body: Callable[[Env, list[Code]], None],
        notes: dict[core.Expr, int] | None = None,
        *,
        purpose: Purpose = "listed",
        refused: Refused | None = None,
    ) -> None:
        """Write loops over every legal choice of an action's parameters.

        `choose` says how each parameter is taken from its domain: most often one after the other.
        In `notes` costly values that do not depend on the parameters are shared with others. What a
        parameter is taken from may depend on the `purpose`. Whoever wants to be told what is
        `refused` gets every requirement judged one by one, none of them beforehand.
        """
        numbers = [draw.local.number for draw in plan.picks]

        def descend(
            at: int,
            inner: Env,
            values: list[Code],
            lets: dict[int, core.Let],
            levels: Sequence[Level],
            split: Split | None = None,
            ways: int = 1,
        ) -> None:
            with w.block() as skip:
                pending = dict(lets)
                current = dict(inner)
                now, *later = levels
                if at == 0 and notes is not None:
                    with self.queries.noting(notes):
                        (now,), current = self._hoisted_checks(w, [now], set(numbers), current)
                for statement in now:
                    if isinstance(statement, core.Let) and not self.planner.wrong(statement):
                        pending[statement.local.number] = statement
                        continue
                    self.bind_needed(w, statement, pending, current)
                    if isinstance(statement, core.Let):
                        current[statement.local.number] = self.let_value(w, statement, current)
                        continue
                    self.check(w, statement, current, skip, refused)
                if at == len(numbers):
                    body(current, values)
                    return
                for level in later:
                    for statement in level:
                        if not isinstance(statement, core.Let):
                            self.bind_needed(w, statement, pending, current)
                if split is not None and refused is None:
                    with self.queries.noting(notes):
                        test, known = self.queries.hoisted(w, split.test, set(numbers), current)
                    holds = w.once(self.expressions.condition(w, test, known))
                    for condition, rest in ((holds, split.holds), (no(holds), split.fails)):
                        with w.when(condition):
                            descend(at, current, values, pending, rest.levels, rest.split, ways)
                    return
                given = fixed[at]
                pick = plan.picks[at]
                whole: SetCode
                if given is None and refused is not None:
                    whole = self.expressions.set(w, pick.domain, current)
                elif given is None:
                    unknown = {n: let.value for n, let in pending.items()}
                    scope = scope_of(current)
                    found = self.domains.narrowed(plan, at, later[0], scope, unknown, purpose)
                    whole, later[0] = self._narrowed(w, pick, found, current), found.checks
                further: list[Level] = list(later)
                if refused is None:
                    changing = set(numbers[at:])
                    with self.queries.noting(notes if at == 0 else None):
                        further, current = self._hoisted_checks(w, later, changing, current)
                if given is not None:
                    whole = self.expressions.set(w, pick.domain, current)
                    w.leave_if(skip, no(whole.member(w, given)))
                    inner = {**current, numbers[at]: given}
                    descend(at + 1, inner, [*values, given], pending, further, ways=ways)
                    return
                so_far = ways * whole.most()

                def one(x: Code) -> None:
                    if so_far > MANY_WAYS:
                        self.context.burn(w, pick.domain.span)
                    inner = {**current, numbers[at]: x}
                    descend(at + 1, inner, [*values, x], pending, further, ways=so_far)

                choose(at, whole, pick.domain.type, one)

        descend(0, dict(env), [], {}, plan.checks.levels, plan.checks.split)

    def _hoisted_checks(
        self, w: Writer, levels: Sequence[Level], changing: set[int], env: Env
    ) -> tuple[list[Level], Env]:
        """Requirements whose costly parts that do not depend on some names are worked out once."""
        found: list[Level] = []
        for level in levels:
            checks: list[core.Statement] = []
            for statement in level:
                if isinstance(statement, core.Require):
                    condition, env = self.queries.hoisted(w, statement.condition, changing, env)
                    if condition is not statement.condition:
                        statement = attrs.evolve(statement, condition=condition)  # noqa: PLW2901
                checks.append(statement)
            found.append(tuple(checks))
        return found, env

    def bind_needed(
        self, w: Writer, statement: core.Statement, pending: dict[int, core.Let], env: Env
    ) -> None:
        """Work out the names that a requirement uses, just before it."""
        for part in walk((statement,)):
            if isinstance(part, core.Local) and part.number in pending:
                let = pending[part.number]
                if free_in(let.value) <= env.keys() | pending.keys():
                    del pending[part.number]
                    self.bind_needed(w, let, pending, env)
                    env[let.local.number] = self.let_value(w, let, env)

    def let_value(self, w: Writer, let: core.Let, env: Env) -> Code | SetCode:
        if category(let.value.type) == "set":
            return self.keeping.kept(w, self.expressions.set(w, let.value, env))
        return w.once(self.expressions.value(w, let.value, env))

    def check(
        self,
        w: Writer,
        statement: core.Statement,
        env: Env,
        skip: str,
        refused: Refused | None = None,
    ) -> None:
        match statement:
            case core.Require(condition=condition):
                if refused is None:
                    w.leave_if(skip, no(self.expressions.condition(w, condition, env)))
                    return
                with w.when(no(self.expressions.condition(w, condition, env))):
                    refused(statement)
                    w.leave(skip)
            case core.If(branches=branches):
                with w.block() as done:
                    for branch in branches:
                        test: Code = 1
                        if branch.condition is not None:
                            test = self.expressions.condition(w, branch.condition, env)
                        with w.when(test):
                            inner = dict(env)
                            for each in branch.body:
                                if isinstance(each, core.Let):
                                    inner[each.local.number] = self.let_value(w, each, inner)
                                else:
                                    self.check(w, each, inner, skip, refused)
                            w.leave(done)
            case _:
                raise AssertionError("only `let`, `require` and `if` come before effects")

    def _narrowed(self, w: Writer, pick: core.Draw, found: Narrowing, env: Env) -> SetCode:
        """A domain made smaller as planned."""
        if found.table is not None:
            tabled = self.unchanging.tabled(w, found.table, env)
            assert isinstance(tabled, Listed)
            return tabled
        if found.members is not None:
            inner = self.expressions.set(w, found.members, env)
            if found.written:
                return self.keeping.listed(w, inner)
            if inner.ordered:
                return self.keeping.kept(w, inner)
            assert inner.span is not None
            return Bits(w.once(inner.bits(w), "i64"), *inner.span)
        whole = self.expressions.set(w, pick.domain, env)
        return whole if found.sieve is None else self.sieving.sieved(w, whole, found.sieve, env)

    # ------------------------------------------------------------ can

    def can(self, w: Writer, node: core.Can, env: Env) -> Code:
        info = self.game.actions[node.action]
        given = tuple(each is not None for each in node.arguments)
        name = self._can_function(info, given)
        arguments: list[Code] = []
        for each, draw in zip(node.arguments, info.picks, strict=True):
            if each is not None:
                kind = category(element_of(draw.domain.type))
                arguments.append(self.expressions.value(w, each, env, kind))
        chooser = load(CHOOSER) if node.by is None else self.expressions.value(w, node.by, env)
        return ("call", name, chooser, *arguments)

    def _can_function(self, info: ActionInfo, given: tuple[bool, ...]) -> str:
        key = (info.key, given)
        if key in self._can:
            return self._can[key]
        name = self._can[key] = f"can_{len(self._can)}"
        w = self.context.function(name, "chooser", *(f"p{n}" for n in range(sum(given))))
        with self.context.chosen(False):
            before = w.variable(load(CHOOSER))
            w.store(CHOOSER, "chooser")
            names = iter(f"p{n}" for n in range(sum(given)))
            fixed: list[Code | None] = [next(names) if each else None for each in given]

            def found(env: Env, values: list[Code]) -> None:  # noqa: ARG001
                w.store(CHOOSER, before)
                w.give_back(1)

            plan = self.planner.planned(info, ())
            self.legal(w, plan, fixed, {}, lambda at, whole, of, one: whole.each(w, one), found)
            w.store(CHOOSER, before)
            w.give_back(0)
        return name
