"""What may be chosen, as code: loops over an action's parameters, tested as early as can be."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from ruledsl.engine.choices.candidates import Candidates
from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    load,
    no,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.queries import Queries
from ruledsl.engine.expressions.sieving import Sieving
from ruledsl.engine.expressions.unchanging import Unchanging
from ruledsl.engine.expressions.words import WordConditions
from ruledsl.engine.memory.control import CHOOSER
from ruledsl.engine.memory.layout import category, element_of
from ruledsl.engine.sets.basic import WORD, Bits, SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core
from ruledsl.model.game import ActionInfo
from ruledsl.model.names import filled_in, free_in, names_in
from ruledsl.model.types import FlagType, Type
from ruledsl.model.walk import walk

SHORT = 3
"""Elements of a list from which one is rather drawn in vain now and then than counted."""

Choose: TypeAlias = Callable[[int, SetCode, Type, Callable[[Code], None]], None]
"""Takes the parameter of a number from its domain, and goes on with each value."""


class Legality(Part):
    """Lowers requirements."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        unchanging: Unchanging,
        words: WordConditions,
        sieving: Sieving,
        queries: Queries,
        candidates: Candidates,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.unchanging = unchanging
        self.words = words
        self.sieving = sieving
        self.queries = queries
        self.candidates = candidates
        self._can: dict[tuple[str, tuple[bool, ...]], str] = {}

    # ------------------------------------------------------------ parameters

    def legal(
        self,
        w: Writer,
        info: ActionInfo,
        fixed: list[Code | None],
        env: Env,
        choose: Choose,
        body: Callable[[Env, list[Code]], None],
        notes: dict[core.Expr, int] | None = None,
        *,
        drawn: bool = False,
    ) -> None:
        """Write loops over every legal choice of an action's parameters.

        `choose` says how each parameter is taken from its domain: most often one after the other.
        In `notes` costly values that do not depend on the parameters are shared with others. Where
        a single value is `drawn` from a domain, a short list is best.
        """
        numbers = [draw.local.number for draw in info.picks]
        depends = {number: at + 1 for at, number in enumerate(numbers)}
        levels: list[list[core.Statement]] = [[] for _ in range(len(numbers) + 1)]
        level = 0
        for statement in without_lone_names(info.requirements):
            own = _level(statement, depends)
            level = max(level, own)
            if isinstance(statement, core.Let):
                depends[statement.local.number] = level
            # What holds or not whatever is required before it need not wait for that.
            early = isinstance(statement, core.Require) and self.words.harmless(statement.condition)
            levels[own if early else level].append(statement)

        def descend(
            at: int,
            inner: Env,
            values: list[Code],
            lets: dict[int, core.Let],
            checks: list[list[core.Statement]],
        ) -> None:
            with w.block() as skip:
                pending = dict(lets)
                current = dict(inner)
                now, *later = checks
                if at == 0 and notes is not None:
                    with self.queries.noting(notes):
                        (now,), current = self._hoisted_checks(w, [now], set(numbers), current)
                for statement in now:
                    if isinstance(statement, core.Let):
                        pending[statement.local.number] = statement
                        continue
                    self.bind_needed(w, statement, pending, current)
                    self.check(w, statement, current, skip)
                if at == len(numbers):
                    body(current, values)
                    return
                for level in later:
                    for statement in level:
                        if not isinstance(statement, core.Let):
                            self.bind_needed(w, statement, pending, current)
                split = self._split(later, current) if at == 0 else None
                if split is not None:
                    test, without, with_other = split
                    with self.queries.noting(notes):
                        test, known = self.queries.hoisted(w, test, set(numbers), current)
                    holds = w.once(self.expressions.condition(w, test, known))
                    for condition, rest in ((holds, without), (no(holds), with_other)):
                        with w.when(condition):
                            descend(at, current, values, pending, [[], *rest])
                    return
                given = fixed[at]
                pick = info.picks[at]
                whole: SetCode
                if given is None:
                    unknown = {n: let.value for n, let in pending.items()}
                    found = self._narrowed(w, pick, later[0], current, unknown, drawn=drawn)
                    whole, later[0] = found
                with self.queries.noting(notes if at == 0 else None):
                    further, current = self._hoisted_checks(w, later, set(numbers[at:]), current)
                if given is not None:
                    whole = self.expressions.set(w, pick.domain, current)
                    w.leave_if(skip, no(whole.member(w, given)))
                    inner = {**current, numbers[at]: given}
                    descend(at + 1, inner, [*values, given], pending, further)
                    return

                def one(x: Code) -> None:
                    descend(at + 1, {**current, numbers[at]: x}, [*values, x], pending, further)

                choose(at, whole, pick.domain.type, one)

        descend(0, dict(env), [], {}, levels)

    def _split(
        self, levels: list[list[core.Statement]], env: Env
    ) -> tuple[core.Expr, list[list[core.Statement]], list[list[core.Statement]]] | None:
        """`require A or B` where A is known beforehand: the requirements if A holds, and if not."""
        for at, level in enumerate(levels):
            for number, statement in enumerate(level):
                match statement:
                    case core.Require(condition=core.Either(left=left, right=right)):
                        for test, other in ((left, right), (right, left)):
                            if not free_in(test) <= env.keys():
                                continue
                            without = [list(each) for each in levels]
                            without[at].pop(number)
                            with_other = [list(each) for each in levels]
                            with_other[at][number] = attrs.evolve(statement, condition=other)
                            return test, without, with_other
                    case _:
                        pass
        return None

    def _hoisted_checks(
        self, w: Writer, levels: list[list[core.Statement]], changing: set[int], env: Env
    ) -> tuple[list[list[core.Statement]], Env]:
        """Requirements whose costly parts that do not depend on some names are worked out once."""
        found: list[list[core.Statement]] = []
        for level in levels:
            checks: list[core.Statement] = []
            for statement in level:
                if isinstance(statement, core.Require):
                    condition, env = self.queries.hoisted(w, statement.condition, changing, env)
                    if condition is not statement.condition:
                        statement = attrs.evolve(statement, condition=condition)  # noqa: PLW2901
                checks.append(statement)
            found.append(checks)
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

    def check(self, w: Writer, statement: core.Statement, env: Env, skip: str) -> None:
        match statement:
            case core.Require(condition=condition):
                w.leave_if(skip, no(self.expressions.condition(w, condition, env)))
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
                                    self.check(w, each, inner, skip)
                            w.leave(done)
            case _:
                raise AssertionError("only `let`, `require` and `if` come before effects")

    def _narrowed(
        self,
        w: Writer,
        pick: core.Draw,
        checks: list[core.Statement],
        env: Env,
        lets: dict[int, core.Expr],
        *,
        drawn: bool,
    ) -> tuple[SetCode, list[core.Statement]]:
        """A domain, smaller by requirements that can be met beforehand, and all other ones.

        `lets` are names whose values are not worked out yet.
        """
        lets = lets | {
            each.local.number: each.value for each in checks if isinstance(each, core.Let)
        }
        if drawn:
            found = self._tabled_domain(w, pick, checks, env)
            if found is not None and found[0].capacity <= SHORT:
                return found
        number = pick.local.number
        tests: dict[int, core.Expr] = {}
        for at, each in enumerate(checks):
            condition = as_condition(each)
            if condition is not None:
                condition = filled_in(condition, lets)
                if number in names_in(condition) and free_in(condition) <= env.keys() | {number}:
                    tests[at] = condition
        whole = self.expressions.set(w, pick.domain, env)
        sieved, left, _ = self.sieving.sieved(w, whole, number, list(tests.values()), None, env)
        if len(left) < len(tests):
            met = [at for at, test in tests.items() if not any(test is each for each in left)]
            return sieved, [each for at, each in enumerate(checks) if at not in met]
        return (
            self._tabled_domain(w, pick, checks, env)
            or self._member_domain(w, pick, checks, env)
            or (whole, checks)
        )

    def _tabled_domain(
        self, w: Writer, pick: core.Draw, checks: list[core.Statement], env: Env
    ) -> tuple[Listed, list[core.Statement]] | None:
        """A domain that requirements which never change make smaller, in a table."""
        domain, number = pick.domain, pick.local.number
        if not isinstance(domain, core.AllThings):
            return None
        met: list[core.Require] = []
        for each in checks:
            if isinstance(each, core.Require):
                found = self.unchanging.still(each.condition)
                if found is not None and number in found.locals:
                    if all(n == number or n in env for n in found.locals):
                        met.append(each)
        if not met:
            return None
        where = met[0].condition
        for each in met[1:]:
            where = core.Both(where, each.condition, type=where.type)
        query = core.Query(
            "filter", (pick,), where, None, (), None, type=domain.type, span=domain.span
        )
        tabled = self.unchanging.tabled(w, query, env)
        if not isinstance(tabled, Listed):
            return None
        return attrs.evolve(tabled, ordered=True), [each for each in checks if each not in met]

    def _member_domain(
        self, w: Writer, pick: core.Draw, checks: list[core.Statement], env: Env
    ) -> tuple[SetCode, list[core.Statement]] | None:
        """A domain in the place of which another set can be gone through that is required."""
        if not isinstance(pick.domain, core.AllThings):
            return None
        number = pick.local.number
        for each in checks:
            match each:
                case core.Require(
                    condition=core.Member(element=core.Local(number=name), whole=whole)
                ) if name == number:
                    if number in names_in(whole) or not free_in(whole) <= env.keys():
                        continue
                    rest = [other for other in checks if other is not each]
                    inner = self.expressions.set(w, whole, env)
                    if inner.ordered:
                        return self.keeping.kept(w, inner), rest
                    if inner.span is not None and inner.span[1] <= WORD:
                        return Bits(w.once(inner.bits(w), "i64"), *inner.span), rest
                case _:
                    pass
        return None

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

            self.legal(w, info, fixed, {}, lambda at, whole, of, one: whole.each(w, one), found)
            w.store(CHOOSER, before)
            w.give_back(0)
        return name


def _level(statement: core.Statement, depends: dict[int, int]) -> int:
    """How many parameters must be known before a statement can be judged."""
    return max((depends.get(name, 0) for name in names_in(statement)), default=0)


def without_lone_names(requirements: core.Block) -> list[core.Statement]:
    """Requirements in which a set with a name that is used just once stands in its place.

    Then no more of the set is worked out than is asked for.
    """
    found: list[core.Statement] = []
    sets: dict[int, core.Expr] = {}
    for at, each in enumerate(requirements):
        match each:
            case core.Let(local=local, value=value) if category(value.type) == "set":
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
        if isinstance(part, core.Query | core.Reach | core.Would | core.Can)
    ]
    if any(number in names_in(part) for part in again):
        return 2
    return sum(isinstance(p, core.Local) and p.number == number for p in walk((statement,)))


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
