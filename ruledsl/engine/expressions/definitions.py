"""Definitions: written out where they are used, called, or looked up."""

from __future__ import annotations

from collections.abc import Callable

from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Width,
    Writer,
    both,
    ne,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.definition_plans import DefinitionPlans, strict_in
from ruledsl.engine.expressions.environment import Env, Expressions, Lazy
from ruledsl.engine.expressions.reading import Reading
from ruledsl.engine.expressions.set_expressions import SetExpressions
from ruledsl.engine.expressions.unchanging import (
    Key,
    Unchanging,
    keys_only,
)
from ruledsl.engine.memory.layout import Category, category, none_of
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.keeping import KeptSets
from ruledsl.engine.sets.stored import Listed
from ruledsl.model import core
from ruledsl.model.game import DefineInfo

FEW_CALLS = 1_000
"""Calls of definitions by definitions that are not counted."""


class Definitions(Part):
    """Lowers calls of definitions."""

    def __init__(
        self,
        context: Context,
        expressions: Expressions,
        keeping: KeptSets,
        unchanging: Unchanging,
        reading: Reading,
        set_expressions: SetExpressions,
        plans: DefinitionPlans,
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.keeping = keeping
        self.unchanging = unchanging
        self.reading = reading
        self.set_expressions = set_expressions
        self.plans = plans
        self._functions: dict[tuple[str, Category], str] = {}

    # ------------------------------------------------------------ values

    def call_value(self, w: Writer, node: core.CallDefine, env: Env, kind: Category) -> Code:
        info = self.game.defines[node.define]
        strict = strict_in(info, node)
        tabled = self._tabled_call(w, node, info, env, kind)
        if tabled is not None:
            assert not isinstance(tabled, SetCode)
            return tabled
        if self.plans.is_written_out(info):
            inner = self._arguments(w, node, info, env)
            if not strict:
                return self._body(w, info, inner, kind)
            found = w.variable(none_of(kind))
            with w.when(_all_there(inner, strict)):
                w.set(found, self._body(w, info, inner, kind))
            return found
        unfolded = self.plans.unfolded(node)
        if unfolded is not None:
            return self.expressions.value(w, unfolded, env, kind)
        name = self._define_function(info, kind)
        arguments = [
            self.expressions.value(w, argument, env, category(param.type))
            for param, argument in zip(info.params, node.arguments, strict=True)
        ]
        if not strict:
            return ("call", name, *arguments)
        plain_arguments: Env = {n: w.once(code) for n, code in enumerate(arguments)}
        found = w.variable(none_of(kind))
        with w.when(_all_there(plain_arguments, strict)):
            w.set(found, ("call", name, *plain_arguments.values()))
        return found

    def _body(self, w: Writer, info: DefineInfo, env: Env, kind: Category) -> Code:
        """What a definition says, its arguments being known."""
        if not info.rows:
            assert info.body is not None
            return self.expressions.value(w, info.body, env, kind)
        found = w.variable(none_of(kind))
        self.reading.by_row(
            w, info, env, lambda body: w.set(found, self.expressions.value(w, body, env, kind))
        )
        return found

    def _define_function(self, info: DefineInfo, kind: Category) -> str:
        key = (info.key, kind)
        if key in self._functions:
            return self._functions[key]
        name = self._functions[key] = f"define_{len(self._functions)}"
        params: list[tuple[str, Width]] = [(f"p{n}", "i32") for n in range(len(info.params))]
        w = Writer(self.context.program.add(Function(name, params)))
        env: Env = {param.local.number: f"p{n}" for n, param in enumerate(info.params)}
        with self.context.chosen(False):
            if self.plans.calls_inside(info.key) > FEW_CALLS:
                self.context.burn(w, info.span)
            w.give_back(self._body(w, info, env, kind))
        return name

    # ------------------------------------------------------------ sets

    def call_set(self, w: Writer, node: core.CallDefine, env: Env) -> SetCode:
        info = self.game.defines[node.define]
        self.plans.is_written_out(info)
        tabled = self._tabled_call(w, node, info, env, "set")
        if tabled is not None:
            assert isinstance(tabled, Listed)
            return tabled
        inner = self._arguments(w, node, info, env)
        strict = strict_in(info, node)
        if info.rows:
            return self.set_expressions.one_of(
                w, node, lambda write: self.reading.by_row(w, info, inner, write), inner, env
            )
        body = info.body
        assert body is not None
        if not strict:
            return self.expressions.set(w, body, inner)

        def when_there(write: Callable[[core.Expr], None]) -> None:
            with w.when(_all_there(inner, strict)):
                write(body)

        return self.set_expressions.one_of(w, node, when_there, inner, env)

    # ------------------------------------------------------------ arguments and rows

    def _arguments(self, w: Writer, node: core.CallDefine, info: DefineInfo, env: Env) -> Env:
        inner: Env = {}
        for param, argument in zip(info.params, node.arguments, strict=True):
            if category(param.type) == "set":
                inner[param.local.number] = self.keeping.kept(
                    w, self.expressions.set(w, argument, env)
                )
            else:
                code = self.expressions.value(w, argument, env, category(param.type))
                inner[param.local.number] = w.once(code)
        return inner

    def _tabled_call(
        self, w: Writer, node: core.CallDefine, info: DefineInfo, env: Env, kind: Category
    ) -> Code | SetCode | None:
        """A definition that never changes, as a table over its parameters."""
        domains = self.plans.domains(node, info)
        if domains is None:
            return None
        table = self.unchanging.table_of(
            ("define", node.define), self.plans.tabled(node, info), keys_only(domains), kind
        )
        given = [
            Key(number, things, self.expressions.value(w, argument, env))
            for (number, things), argument in zip(domains, node.arguments, strict=True)
        ]
        return self.unchanging.looked_up(w, table, given, node.type, kind)


def _all_there(env: Env, strict: list[tuple[int, int]]) -> Code:
    """Whether the arguments are there that have to be."""
    test: Code = 1
    for number, none in strict:
        code = env[number]
        assert not isinstance(code, SetCode | Lazy)
        test = both(test, ne(code, none))
    return test
