"""Statements and blocks."""

from __future__ import annotations

from typing import assert_never

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.decisions import Decisions, terminates
from ruledsl.model.giving import given_by, lying
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import PLAYER
from ruledsl.model.touching import touched, touched_by
from ruledsl.model.types import (
    NOTHING,
    NUMBER,
    AnyType,
    SetType,
    Type,
    describe,
    may_be_none,
    plain,
    thing,
)
from ruledsl.syntax import ast

PLAYERS = SetType(thing(PLAYER))


class Statements(Decisions):
    """Resolution of blocks."""

    def block(self, nodes: ast.Block, scope: Scope) -> core.Block:
        """A block in a scope of its own; `scope` learns nothing from it."""
        inner = scope.inner()
        statements = self.sequence(nodes, inner)
        self.warn_unused(inner, scope)
        return statements

    def sequence(self, nodes: ast.Block, scope: Scope) -> core.Block:
        """Statements one after the other; their names stay visible in `scope`."""
        statements: list[core.Statement] = []
        for node in nodes:
            match node:
                case ast.Let(value=ast.Ref() as call) if self._calls_giving(call, scope):
                    statements += self._take_given(node, call, scope)
                case _:
                    statement = self.statement(node, scope)
                    if statement is not None:
                        statements.append(statement)
                    if isinstance(statement, core.Call) and statement.step in self.giving:
                        statements.append(self._nothing_given(statement.step, node.span))
        return tuple(statements)

    def warn_unused(self, inner: Scope, outer: Scope | None) -> None:
        for name, bound in inner.names.items():
            known = outer is not None and outer.names.get(name) is bound
            if bound.warn_unused and not bound.used and not known:
                self.report(found.unused_name(bound.span, f"`{name}`"))

    def statement(self, node: ast.Statement, scope: Scope) -> core.Statement | None:
        match node:
            case ast.Let(name=name, value=expression, trail=trail):
                value = self.expression(expression, scope)
                local = self.bind(name, value.type, scope, warn_unused=True)
                return core.Let(local, value, span=node.span, trail=trail)
            case ast.Require():
                self.report(mistyped.requirement_late(node.span))
                return self.requirement(node, scope)
            case ast.Skip(trail=trail):
                return core.Skip(span=node.span, trail=trail)
            case ast.Give():
                return self._give(node, scope)
            case ast.If():
                return self._if(node, scope)
            case ast.Show():
                return self._show(node, scope)
            case ast.Tell(text=text, trail=trail):
                return core.Tell(self.said(text, scope), span=node.span, trail=trail)
            case ast.ChooseValue():
                return self._choose_value(node, scope)
            case _:
                statement = self._effect(node, scope)
                scope.forget(touched(node, self.giving))
                return statement

    def requirement(self, node: ast.Require, scope: Scope) -> core.Require:
        condition = self.flag(node.condition, scope, "`require`")
        message = self.said(node.message, scope)
        scope.learn(condition)
        return core.Require(condition, message, span=node.span, trail=node.trail)

    def _effect(
        self,
        node: ast.Set
        | ast.Add
        | ast.Take
        | ast.Move
        | ast.MoveSome
        | ast.MoveAll
        | ast.Put
        | ast.Shuffle
        | ast.Roll
        | ast.Record
        | ast.Eliminate
        | ast.Win
        | ast.End
        | ast.Call
        | ast.For
        | ast.Together
        | ast.Repeat
        | ast.ChooseAction,
        scope: Scope,
    ) -> core.Statement | None:
        """A statement that may change the table."""
        span = node.span
        match node:
            case ast.Set() | ast.Add() | ast.Take():
                return self._assign(node, scope)
            case ast.Move() | ast.MoveSome() | ast.MoveAll() | ast.Put():
                return self._move(node, scope)
            case ast.Shuffle(place=place, trail=trail):
                where = self._shuffled(place, scope)
                return core.Shuffle(where, span=span, trail=trail)
            case ast.Roll(target=target, domain=domain, trail=trail):
                whole = self.singles(domain, scope, "what is rolled")
                stored = self._stored(target, self.element(whole), scope)
                return core.Roll(stored, whole, span=span, trail=trail)
            case ast.Record(history=name, trail=trail):
                self.use("history", name.text)
                self.occurrences.meet(name.span, "history", name.text)
                if name.text not in self.symbols.histories:
                    self.report(found.unknown_name(name.span, name.text, self.symbols.histories))
                return core.Record(name.text, span=span, trail=trail)
            case ast.Eliminate(player=player, trail=trail):
                who = self.wanted(player, scope, thing(PLAYER), "who is eliminated")
                return core.Eliminate(who, span=span, trail=trail)
            case ast.Win(word="win", players=ast.Nothing(), trail=trail):
                return core.Win("win", core.SetOf((), type=PLAYERS), span=span, trail=trail)
            case ast.Win(word=word, players=players, trail=trail):
                who = self._players(players, scope, "who wins" if word == "win" else "who loses")
                return core.Win(word, who, span=span, trail=trail)
            case ast.End():
                return self._end(node, scope)
            case ast.Call(step=step, arguments=arguments, trail=trail):
                values = self.step_arguments(step, arguments or (), scope, span)
                if values is None:
                    return None
                return core.Call(step.text, values, scope.depth, span=span, trail=trail)
            case ast.For() | ast.Together() | ast.Repeat():
                return self._loop(node, scope)
            case ast.ChooseAction():
                return self._choose_action(node, scope)
            case _:
                assert_never(node)

    # ------------------------------------------------------------ steps that give something

    def _calls_giving(self, call: ast.Ref, scope: Scope) -> bool:
        return call.name.text in self.giving and call.name.text not in scope.names

    def _take_given(self, node: ast.Let, call: ast.Ref, scope: Scope) -> list[core.Statement]:
        """`let x = step(…)`: the step runs, then the name is bound, then nothing lies there."""
        name, span, trail = call.name, node.span, node.trail
        values = self.step_arguments(name, call.arguments or (), scope, call.span)
        scope.forget()
        of, slot = self._given(name.text)
        local = self.bind(node.name, of, scope, warn_unused=True)
        if values is None:
            return []
        read = core.ReadState(slot.state, None, type=of, span=call.span)
        return [
            core.Call(name.text, values, scope.depth - 1, span=span, trail=trail),
            core.Let(local, read, span=span, trail=trail),
            self._nothing_given(name.text, span),
        ]

    def _nothing_given(self, step: str, span: Span) -> core.Statement:
        """What was given is taken, or lost."""
        of, slot = self._given(step)
        nothing: core.Expr = core.Constant(None, type=NOTHING, span=span)
        if isinstance(of, SetType):
            nothing = core.SetOf((), type=of, span=span)
        return core.Assign(slot, nothing, span=span)

    def _give(self, node: ast.Give, scope: Scope) -> core.Statement:
        span, trail = node.span, node.trail
        if scope.giving is None:
            wanted = "in a step that `gives` something"
            self.report(mistyped.word_out_of_place(span, "give", wanted))
            self.expression(node.value, scope)
            return core.Skip(span=span)
        of, slot = self._given(scope.giving)
        value = self.wanted(node.value, scope, of, f"what `{scope.giving}` gives")
        given = core.Assign(slot, value, span=span, trail=trail)
        end = core.End(scope.giving, span=span)
        return core.If((core.Branch(None, (given, end), span=span),), span=span)

    def _given(self, step: str) -> tuple[Type, core.Slot]:
        """What a step gives, and where it lies until it is taken."""
        of, _ = self.giving[step]
        return of, core.Slot(given_by(step), None, type=lying(of))

    # ------------------------------------------------------------ small statements

    def _players(self, node: ast.Expr, scope: Scope, role: str) -> core.Expr:
        """One player or a set of them, as a set."""
        value = self.expression(node, scope, thing(PLAYER))
        if isinstance(plain(value.type), SetType):
            return self.checked(value, PLAYERS, role)
        one = self.checked(value, thing(PLAYER), role)
        return core.SetOf((one,), type=PLAYERS, span=one.span)

    def _show(self, node: ast.Show, scope: Scope) -> core.Statement:
        subject = self.expression(node.subject, scope)
        if self.is_place(subject.type):
            subject = self.contents(subject)
        if may_be_none(subject.type):
            self.report(mistyped.may_be_none(subject.span, "what is shown"))
        viewers = self._players(node.viewers, scope, "to whom it is shown")
        return core.Show(subject, viewers, span=node.span, trail=node.trail)

    def _end(self, node: ast.End, scope: Scope) -> core.Statement:
        name = node.target
        if name.text == "loop":
            if not scope.loops:
                self.report(mistyped.word_out_of_place(name.span, "end loop", "inside a loop"))
        elif name.text != "game":
            known = (*self.symbols.steps, *self.symbols.actions, "game", "loop")
            if name.text not in known:
                self.report(found.unknown_step(name.span, name.text, known, False))
            self.use("step", name.text)
            self.meet_rule(name)
        return core.End(name.text, span=node.span, trail=node.trail)

    def meet_rule(self, name: ast.Name) -> None:
        """Note that a step or an action is named here."""
        if name.text in self.symbols.steps:
            self.occurrences.meet(name.span, "step", name.text)
        elif name.text in self.symbols.actions:
            self.occurrences.meet(name.span, "action", name.text)

    # ------------------------------------------------------------ branches and loops

    def _if(self, node: ast.If, scope: Scope) -> core.Statement:
        branches: list[core.Branch] = []
        guarded = scope.inner()
        leaving = True
        after = scope.facts
        for branch in node.branches:
            inner = guarded.inner()
            condition = None
            if branch.condition is not None:
                condition = self.flag(branch.condition, guarded, "`if`")
                inner.learn(condition)
                guarded.learn(condition, False)
            body = self.block(branch.body, inner)
            leaving = leaving and terminates(body)
            if leaving and condition is not None:
                after = after.assume(condition, False)
            branches.append(core.Branch(condition, body, trail=branch.trail, span=branch.span))
        scope.facts = after
        for written, built in zip(node.branches, branches, strict=True):
            if self.changes_table(built.body):
                scope.forget(touched_by(written.body, self.giving))
        return core.If(tuple(branches), span=node.span)

    def changes_table(self, block: core.Block) -> bool:
        """Whether going on after the block means that the table may have changed."""
        if terminates(block):
            return False
        for statement in block:
            match statement:
                case core.Let() | core.Require() | core.Skip() | core.Show() | core.Tell():
                    pass
                case core.If(branches=branches):
                    if any(self.changes_table(branch.body) for branch in branches):
                        return True
                case _:
                    return True
        return False

    def _loop(self, node: ast.For | ast.Together | ast.Repeat, scope: Scope) -> core.Statement:
        inner = scope.inner()
        inner.loops += 1
        span, trail = node.span, node.trail
        match node:
            case ast.For(draws=nodes):
                draws = self.draws(nodes, inner, "`for`", pure=False)
                inner.forget(touched_by(node.body, self.giving))
                where = None
                if node.where is not None:
                    where = self.flag(node.where, inner, "`where`")
                    inner.learn(where)
                order = self.orders(node.order, inner)
                body = self.block(node.body, inner)
                return core.For(draws, where, order, body, span=span, trail=trail)
            case ast.Together(name=name, domain=domain):
                whole = self.whole(domain, inner, "who acts together")
                self._check_players(whole)
                local = self.bind(name, self.element(whole), inner)
                inner.forget(touched_by(node.body, self.giving))
                body = self.block(node.body, inner)
                return core.Together(local, whole, body, span=span, trail=trail)
            case ast.Repeat():
                times = running = None
                if node.times is not None:
                    times = self.wanted(node.times, scope, NUMBER, "how often it is repeated")
                inner.forget(touched_by(node.body, self.giving))
                if node.running is not None:
                    running = self.flag(node.running, inner, "`while`")
                    inner.learn(running)
                body = self.block(node.body, inner)
                return core.Repeat(times, running, body, span=span, trail=trail)
            case _:
                assert_never(node)

    def _check_players(self, whole: core.Expr) -> None:
        of = plain(self.element(whole))
        if not isinstance(of, AnyType) and of != thing(PLAYER):
            self.report(
                mistyped.wrong_type(
                    whole.span, "a set of players", describe(whole.type), "who acts together"
                )
            )
