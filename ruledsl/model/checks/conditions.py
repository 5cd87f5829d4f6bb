"""Requirements and conditions that can never hold, or always do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from ruledsl.diagnostics import flow as found
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.checks.graph import own_expressions, values
from ruledsl.model.checks.situations import Situation, Situations
from ruledsl.model.checks.values import Values
from ruledsl.model.elaborate import Elaborated

Verdict: TypeAlias = tuple[Span, str, bool]
"""Where a condition stands, what it is, and what it always is."""


def check_conditions(elaborated: Elaborated) -> Iterator[Diagnostic]:
    """Only the file's own: what is open in a library may be settled in a game that uses it."""
    verdicts = _Conditions(elaborated).all()
    for span, what, holds in dict.fromkeys(verdicts):
        if span.file == elaborated.header.span.file:
            yield found.always_holds(span, what) if holds else found.never_holds(span, what)


class _Conditions:
    def __init__(self, elaborated: Elaborated) -> None:
        self.game = elaborated.game
        self.values = Values(self.game, named=False)
        self.situations = Situations(self.game, self.values)

    def all(self) -> Iterator[Verdict]:
        for _, statement, here in self.situations.all():
            yield from self._statement(statement, here)
        for trigger in self.game.triggers.values():
            here = self.situations.drawn(trigger.picks, Situation())
            if trigger.when is not None:
                yield from self._condition(trigger.when, "the condition of a trigger", here)
        for action in self.game.actions.values():
            yield from self._inside(draw.domain for draw in action.picks)
        for define in self.game.defines.values():
            yield from self._inside(values(define))

    def _condition(self, node: core.Expr, what: str, here: Situation) -> Iterator[Verdict]:
        verdict = self.values.judged(node, here.env, here.known)
        if verdict is not None:
            yield node.span, what, verdict
        else:
            yield from self._inside((node,), here)

    def _statement(self, statement: core.Statement, here: Situation) -> Iterator[Verdict]:
        match statement:
            case core.Require(condition=condition):
                yield from self._condition(condition, "a requirement", here)
            case core.If(branches=branches):
                for branch in branches:
                    if branch.condition is not None:
                        yield from self._condition(branch.condition, "a condition", here)
                        here = here.excluding(branch.condition)
            case core.Repeat(times=times, running=running):
                yield from self._inside((times,), here)
                if running is not None:
                    yield from self._condition(running, "a condition", here.forgetting())
            case core.For(draws=draws, where=where):
                yield from self._inside((draw.domain for draw in draws), here)
                inner = self.situations.drawn(draws, here)
                if where is not None:
                    yield from self._condition(where, "a condition", inner)
            case core.ChooseValue(element=element, domain=domain, where=where):
                yield from self._inside((domain,), here)
                inner = self.situations.drawn((core.Draw(element, domain),), here)
                if where is not None:
                    yield from self._condition(where, "a condition", inner)
                    inner = inner.knowing(where)
                for require in statement.requirements:
                    yield from self._condition(require.condition, "a requirement", inner)
                    inner = inner.knowing(require.condition)
            case core.ChooseAction(offers=offers):
                for offer in offers:
                    yield from self._inside(offer.arguments, here)
                    for require in offer.requirements:
                        yield from self._condition(require.condition, "a requirement", here)
            case core.Together(domain=domain):
                yield from self._inside((domain,), here)
            case _:
                yield from self._inside(own_expressions(statement), here)

    def _inside(
        self, nodes: Iterable[core.Expr | None], here: Situation | None = None
    ) -> Iterator[Verdict]:
        """The conditions within expressions."""
        here = here or Situation()
        stack: list[tuple[core.Expr, Situation]] = [(n, here) for n in nodes if n is not None]
        while stack:
            node, here = stack.pop()
            match node:
                case core.Conditional(condition=condition):
                    verdict = self.values.judged(condition, here.env)
                    if verdict is not None:
                        yield condition.span, "a condition", verdict
                case core.Query(draws=draws, where=where):
                    here = self.situations.drawn(draws, Situation(here.env))
                    if where is not None:
                        verdict = self.values.judged(where, here.env, here.known)
                        if verdict is not None:
                            yield where.span, "a condition", verdict
                case _:
                    pass
            stack.extend((child, here) for child in own_expressions(node))
