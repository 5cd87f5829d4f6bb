"""Decisions and actions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from ruledsl.diagnostics import texts
from ruledsl.model import core
from ruledsl.model.changes import leading_requirements
from ruledsl.model.effects import Effects
from ruledsl.model.game import ActionInfo, ParamInfo
from ruledsl.model.queries import learn_member
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import PLAYER, Symbols
from ruledsl.model.touching import ANYTHING, Touched, touched
from ruledsl.model.types import (
    NUMBER,
    SetType,
    may_be_none,
    maybe,
    thing,
)
from ruledsl.syntax import ast
from ruledsl.syntax.expressions import written


def terminates(block: core.Block) -> bool:
    """Whether what follows the block is never reached."""
    if not block:
        return False
    match block[-1]:
        case core.End() | core.Win():
            return True
        case core.If(branches=branches):
            has_else = branches[-1].condition is None
            return has_else and all(terminates(branch.body) for branch in branches)
        case _:
            return False


class Decisions(Effects):
    """The two forms of `choose`, and what can be chosen."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(symbols)
        self.inline_actions: dict[str, ActionInfo] = {}

    @abstractmethod
    def block(self, nodes: ast.Block, scope: Scope) -> core.Block:
        """A block in a scope of its own."""

    @abstractmethod
    def sequence(self, nodes: ast.Block, scope: Scope) -> core.Block:
        """Statements one after the other; their names stay visible in `scope`."""

    @abstractmethod
    def statement(self, node: ast.Statement, scope: Scope) -> core.Statement | None:
        """One statement; None after a report."""

    @abstractmethod
    def requirement(self, node: ast.Require, scope: Scope) -> core.Require:
        """A requirement; what it says is known afterwards."""

    @abstractmethod
    def warn_unused(self, inner: Scope, outer: Scope | None) -> None:
        """Report the names of an inner scope that nothing uses."""

    @abstractmethod
    def changes_table(self, block: core.Block) -> bool:
        """Whether going on after the block means that the table may have changed."""

    def _choose_value(self, node: ast.ChooseValue, scope: Scope) -> core.Statement:
        domain = self.singles(node.domain, scope, "what is chosen from")
        element = self.element(domain)
        by = self._chooser(node.by, scope)
        candidate = scope.inner()
        name = _last_name(node.target)
        local = candidate.bind(name.text, element, name.span)
        if local.name:
            candidate.names[local.name].used = True
        learn_member(local, domain, candidate)
        how_many = self._how_many(node, scope)
        self.looked_at = None if how_many.word in ("one", "optional") else local
        where = None
        if node.where is not None:
            where = self.flag(node.where, candidate, "`where`")
            candidate.learn(where)
        requirements = tuple(self.requirement(each, candidate) for each in node.requirements)
        self.looked_at = None
        otherwise = None
        if node.otherwise is not None:
            otherwise = self.block(node.otherwise.body, scope)
        of = element
        if how_many.word == "optional":
            of = maybe(element)
        elif how_many.word != "one":
            of = SetType(element)
        if otherwise is not None and not terminates(otherwise):
            of = maybe(of)
        target = self._stored(node.target, of, scope)
        if where is not None and isinstance(target, core.Local) and not may_be_none(of):
            scope.learn(where)
        if isinstance(target, core.Slot) or (
            otherwise is not None and self.changes_table(otherwise)
        ):
            scope.forget(touched(node, self.giving))
        return core.ChooseValue(
            how_many,
            target,
            local,
            domain,
            where,
            by,
            None if node.prompt is None else self.said(node.prompt, scope),
            requirements,
            otherwise,
            local.number,
            span=node.span,
            trail=node.trail,
        )

    def said(self, node: ast.Text, scope: Scope) -> core.Said:
        """A text with the values in it."""
        values = tuple(self.expression(value, scope) for value in node.values)
        return core.Said(node.value, tuple(map(written, node.values)), values)

    def label(
        self, node: ast.Text | None, scope: Scope, owned: Iterable[core.Draw | ParamInfo], what: str
    ) -> str | None:
        """The label of a procedure; parameters are the only values in it."""
        if node is None:
            return None
        own = [each.local for each in owned]
        for value in node.values:
            if self.expression(value, scope) not in own:
                names = (local.name for local in own)
                self.report(texts.not_a_parameter(value.span, what, names))
        return node.value

    def _chooser(self, node: ast.Expr | None, scope: Scope) -> core.Expr | None:
        if node is None:
            return None
        return self.wanted(node, scope, thing(PLAYER), "the player after `by`")

    def _how_many(self, node: ast.ChooseValue, scope: Scope) -> core.HowMany:
        if node.how_many is None:
            return core.HowMany("one", None)
        amount = node.how_many.amount
        number = (
            None
            if amount is None
            else self.wanted(amount, scope, NUMBER, f"the number after `{node.how_many.word}`")
        )
        return core.HowMany(node.how_many.word, number)

    def _choose_action(self, node: ast.ChooseAction, scope: Scope) -> core.Statement:
        by = self._chooser(node.by, scope)
        offers = tuple(
            self._inline(offer, scope)
            if isinstance(offer, ast.Action)
            else self._offer(offer, scope)
            for offer in node.offers
        )
        otherwise = None
        if node.otherwise is not None:
            otherwise = self.block(node.otherwise.body, scope)
        return core.ChooseAction(
            by,
            None if node.prompt is None else self.said(node.prompt, scope),
            tuple(offer for offer in offers if offer is not None),
            otherwise,
            scope.depth,
            span=node.span,
            trail=node.trail,
        )

    def _offer(self, node: ast.Offer, scope: Scope) -> core.Offer | None:
        arguments = self.action_arguments(node.action, node.arguments or (), scope, node.span)
        if arguments is None:
            return None
        inner = scope.inner()
        locals_ = tuple(
            inner.bind(draw.local.name, draw.local.type, draw.local.span)
            for draw in self.action_picks(node.action.text)
        )
        requirements = tuple(self.requirement(each, inner) for each in node.requirements)
        return core.Offer(
            node.action.text, arguments, locals_, requirements, span=node.span, trail=node.trail
        )

    def _inline(self, node: ast.Action, scope: Scope) -> core.Offer:
        """An action on the spot: it sees the locals around it."""
        key = f"{node.name.text}@{node.name.span.line}:{node.name.span.column}"
        info = self.action_body(node, scope.inner(), key, inline=True)
        self.inline_actions[key] = info
        self.occurrences.declare(node.name.span, "action", key)
        open_ = tuple(None for _ in info.picks)
        locals_ = tuple(draw.local for draw in info.picks)
        return core.Offer(key, open_, locals_, (), span=node.span, trail=node.trail)

    def action_body(self, node: ast.Action, scope: Scope, key: str, *, inline: bool) -> ActionInfo:
        """An action in a scope where its parameters are not bound yet."""
        outer = scope.inner()
        picks = self.picks(node.picks, scope, f"the action `{node.name.text}`")
        title = self.label(node.title, scope, picks, f"the action `{node.name.text}`")
        split = leading_requirements(node.body)
        for at, statement in enumerate(node.body[:split]):
            if touched(statement, self.giving) == ANYTHING:  # a step runs for it
                split = at
                break
        requirements = self._requirements(node.body[:split], scope)
        begun = (s.name.text for s in self.symbols.states.values() if _is_each(s, key))
        scope.forget(Touched(frozenset(begun)))
        body = self.sequence(node.body[split:], scope)
        self.warn_unused(scope, outer)
        return ActionInfo(
            key=key,
            name=node.name.text,
            picks=picks,
            title=title,
            requirements=requirements,
            body=body,
            inline=inline,
            span=node.name.span,
            trail=node.trail,
        )

    def _requirements(self, nodes: ast.Block, scope: Scope) -> core.Block:
        """The part of an action that decides whether it may be taken."""
        block: list[core.Statement] = []
        for node in nodes:
            match node:
                case ast.Require():
                    block.append(self.requirement(node, scope))
                case ast.If(branches=branches):
                    block.append(self._guarded(node, branches, scope))
                case _:
                    statement = self.statement(node, scope)
                    if statement is not None:
                        block.append(statement)
        return tuple(block)

    def _guarded(
        self, node: ast.If, branches: tuple[ast.Branch, ...], scope: Scope
    ) -> core.Statement:
        """Requirements that hold only under a condition."""
        built: list[core.Branch] = []
        guarded = scope.inner()
        for branch in branches:
            inner = guarded.inner()
            condition = None
            if branch.condition is not None:
                condition = self.flag(branch.condition, guarded, "`if`")
                inner.learn(condition)
                guarded.learn(condition, False)
            body = self._requirements(branch.body, inner)
            self.warn_unused(inner, guarded)
            built.append(core.Branch(condition, body, trail=branch.trail, span=branch.span))
        return core.If(tuple(built), span=node.span)


def _last_name(node: ast.Expr) -> ast.Name:
    match node:
        case ast.Ref(name=name) | ast.Attribute(name=name):
            return name
        case _:
            return ast.Name("", span=node.span)


def _is_each(state: ast.State, action: str) -> bool:
    """Whether a state begins anew with an action."""
    return state.each is not None and state.each.text == action
