"""Tests in rules files: given, when, then."""

from __future__ import annotations

from itertools import pairwise

import attrs

from ruledsl.diagnostics import flow
from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.model import core
from ruledsl.model.game import (
    AnswerInfo,
    ExampleInfo,
    FactInfo,
    FateInfo,
    RefusalInfo,
    StopInfo,
    WhenInfo,
)
from ruledsl.model.rules import Rules
from ruledsl.model.scope import Scope
from ruledsl.model.types import AnyType, FaceType, ThingType, Type, describe, fits, plain
from ruledsl.syntax import ast


class Examples(Rules):
    """Resolution of `test`."""

    def example(self, node: ast.Test) -> ExampleInfo:
        players: core.Expr | None = None
        options: list[tuple[str, core.Expr]] = []
        parts: list[core.Block | WhenInfo | tuple[FactInfo, ...]] = []
        scope = Scope(in_test=True)
        for part in node.parts:
            match part:
                case ast.TestPlayers(amount=amount):
                    players = self.constant(amount, Scope(), "the number of players")
                case ast.TestOption(name=name, value=value):
                    options.extend(self._option(name, value))
                case ast.Given(body=body):
                    parts.append(self.sequence(body, scope))
                case ast.TestWhen():
                    parts.append(self._when(part, scope))
                case ast.Then(facts=facts):
                    parts.append(tuple(self._fact(fact, scope) for fact in facts))
        self.warn_unused(scope, None)
        return ExampleInfo(
            title=node.title.value,
            players=players,
            options=tuple(options),
            parts=tuple(parts),
            span=node.title.span,
            trail=node.trail,
        )

    def _option(self, name: ast.Name, value: ast.Expr) -> list[tuple[str, core.Expr]]:
        if name.text not in self.symbols.options:
            self.report(found.unknown_option(name.span, name.text, self.symbols.options))
            return []
        self.use("option", name.text)
        self.occurrences.meet(name.span, "option", name.text)
        of = self.option_type(name.text)
        return [(name.text, self.wanted(value, Scope(), of, "the value of an option"))]

    def _fact(self, node: ast.Fact, scope: Scope) -> FactInfo:
        condition = self.flag(node.condition, scope, "`then`")
        return FactInfo(condition, node.span, node.trail)

    def _when(self, node: ast.TestWhen, scope: Scope) -> WhenInfo:
        arguments = self.step_arguments(node.step, node.arguments or (), scope, node.span)
        answers: list[AnswerInfo | FateInfo | RefusalInfo | StopInfo] = []
        for answer in node.answers:
            match answer:
                case ast.Answer(value=value, trail=trail):
                    answers.append(attrs.evolve(self._answer(value, scope), trail=trail))
                case ast.Fate(value=value, trail=trail):
                    outcome = self.expression(value, scope)
                    answers.append(FateInfo(outcome, answer.span, trail))
                case ast.Refuse(value=value, message=message, trail=trail):
                    refused = self._answer(value, scope)
                    text = None if message is None else message.value
                    answers.append(RefusalInfo(refused, text, answer.span, trail))
                case ast.StopHere(trail=trail):
                    answers.append(StopInfo(answer.span, trail))
        for before, after in pairwise(node.answers):
            if isinstance(before, ast.StopHere):
                self.report(flow.unreachable(after.span, before.span))
        scope.forget()
        return WhenInfo(node.step.text, arguments or (), tuple(answers), node.span)

    def _answer(self, node: ast.Expr, scope: Scope) -> AnswerInfo:
        """An action with arguments, by name; otherwise a value."""
        if isinstance(node, ast.Ref) and node.name.text not in scope.names:
            name = node.name.text
            if name in self.symbols.actions:
                self.use("answer", name)
                self.occurrences.meet(node.name.span, "action", name)
                return self._action_answer(node, self.action_picks(name), scope)
            inline = [info for info in self.inline_actions.values() if info.name == name]
            if inline:
                self.occurrences.meet(node.name.span, "action", inline[0].key)
                return self._action_answer(node, inline[0].picks, scope)
        value = self._answer_value(node, None, scope)
        return AnswerInfo(None, (), value, node.span, ())

    def _action_answer(
        self, node: ast.Ref, picks: tuple[core.Draw, ...], scope: Scope
    ) -> AnswerInfo:
        """Positional arguments are kept with their positions among the open parameters."""
        names = [draw.local.name for draw in picks]
        arguments: list[tuple[int, core.Expr]] = []
        given = node.arguments or ()
        positional = [argument for argument in given if argument.name is None]
        if len(given) > len(picks):
            takes = f"{len(picks)} argument" + "s" * (len(picks) != 1)
            what = f"`{node.name.text}`"
            self.report(mistyped.argument_count(node.span, what, takes, len(given)))
            return AnswerInfo(node.name.text, (), None, node.span, ())
        # An offer may fix the first parameters: the last ones are then those given.
        offset = len(picks) - len(given) if len(positional) == len(given) else 0
        for number, argument in enumerate(given):
            if argument.name is None:
                at = self._position(picks, number, offset, argument, scope)
            elif argument.name.text in names:
                at = names.index(argument.name.text)
                local = picks[at].local
                label = argument.name
                self.occurrences.meet_local(label.span, label.text, local.span, local.type)
            else:
                label = argument.name
                what = f"`{node.name.text}`"
                self.report(found.unknown_parameter(label.span, label.text, what, names))
                continue
            value = self._answer_value(argument.value, picks[at].local.type, scope)
            arguments.append((at, value))
        return AnswerInfo(node.name.text, tuple(arguments), None, node.span, ())

    def _position(
        self,
        picks: tuple[core.Draw, ...],
        number: int,
        offset: int,
        argument: ast.Argument,
        scope: Scope,
    ) -> int:
        """The parameter a positional argument is for: the first place where its type fits."""
        if not offset:
            return number
        before = len(self.diagnostics)
        value = self.expression(argument.value, scope, picks[number].local.type)
        del self.diagnostics[before:]
        for at in range(number, number + offset + 1):
            wanted = plain(picks[at].local.type)
            if fits(plain(value.type), wanted) or _stands_for_a_piece(value, wanted):
                return at
        return number + offset

    def _answer_value(self, node: ast.Expr, of: Type | None, scope: Scope) -> core.Expr:
        """A value, where a face or a kind may stand for any of its pieces."""
        if isinstance(node, ast.SetOf):
            items = tuple(self._answer_value(item, of, scope) for item in node.items)
            return core.SetOf(items, span=node.span)
        value = self.expression(node, scope, of)
        if of is None or isinstance(plain(of), AnyType):
            return value
        wanted, got = plain(of), plain(value.type)
        fitting = fits(got, wanted) or isinstance(got, AnyType)
        if not fitting and not _stands_for_a_piece(value, wanted):
            self.report(
                mistyped.wrong_type(value.span, describe(wanted), describe(got), "the answer")
            )
        return value


def _stands_for_a_piece(value: core.Expr, wanted: Type) -> bool:
    """Whether this is a face or a kind, and a piece of it is wanted."""
    if not isinstance(wanted, ThingType):
        return False
    if isinstance(value, core.AllThings):
        return value.kind in wanted.kinds
    got = plain(value.type)
    return isinstance(got, FaceType) and got.kind in wanted.kinds
