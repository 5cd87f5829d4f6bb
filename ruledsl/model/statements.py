"""Statements and decisions."""

from __future__ import annotations

from typing import assert_never

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.changes import leading_requirements
from ruledsl.model.expressions import Expressions
from ruledsl.model.game import ActionInfo
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import PLAYER, Symbols
from ruledsl.model.types import (
    ANY,
    NUMBER,
    AnyType,
    SetType,
    ThingType,
    Type,
    describe,
    may_be_none,
    maybe,
    plain,
    thing,
)
from ruledsl.syntax import ast

PLAYERS = SetType(thing(PLAYER))


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


class Statements(Expressions):
    """Resolution of blocks."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(symbols)
        self.inline_actions: dict[str, ActionInfo] = {}

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
            statement = self.statement(node, scope)
            if statement is not None:
                statements.append(statement)
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
            case ast.If():
                return self._if(node, scope)
            case ast.Show():
                return self._show(node, scope)
            case ast.ChooseValue():
                return self._choose_value(node, scope)
            case _:
                statement = self._effect(node, scope)
                scope.forget()
                return statement

    def requirement(self, node: ast.Require, scope: Scope) -> core.Require:
        condition = self.flag(node.condition, scope, "`require`")
        scope.learn(condition)
        return core.Require(condition, node.message.value, span=node.span, trail=node.trail)

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
                whole = self.whole(domain, scope, "what is rolled")
                stored = self._stored(target, self.element(whole), scope)
                return core.Roll(stored, whole, span=span, trail=trail)
            case ast.Record(history=name, trail=trail):
                self.use("history", name.text)
                if name.text not in self.symbols.histories:
                    self.report(found.unknown_name(name.span, name.text, self.symbols.histories))
                return core.Record(name.text, span=span, trail=trail)
            case ast.Eliminate(player=player, trail=trail):
                who = self.wanted(player, scope, thing(PLAYER), "who is eliminated")
                return core.Eliminate(who, span=span, trail=trail)
            case ast.Win(players=players, trail=trail):
                return core.Win(self._players(players, scope, "who wins"), span=span, trail=trail)
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

    # ------------------------------------------------------------ slots

    def slot(self, node: ast.Expr, scope: Scope) -> core.Slot | None:
        """Where a value can be stored, or None."""
        match node:
            case ast.Ref(name=ast.Name(text="active"), arguments=None):
                return core.Slot("active", None, type=thing(PLAYER), span=node.span)
            case ast.Ref(name=ast.Name(text="playing"), arguments=None):
                return core.Slot("playing", None, type=PLAYERS, span=node.span)
            case ast.Ref(name=name, arguments=None):
                if name.text in scope.names or name.text not in self.symbols.states:
                    return None
                self.use("state", name.text)
                of, _ = self.state_type(name.text)
                return core.Slot(name.text, None, type=of, span=node.span)
            case ast.Attribute(subject=subject, name=name, arguments=None):
                return self._slot_of(self.expression(subject, scope), name, node.span)
            case ast.Ref(name=name, arguments=(ast.Argument(name=None, value=only),)):
                return self._slot_of(self.expression(only, scope), name, node.span)
            case _:
                return None

    def _slot_of(self, subject: core.Expr, name: ast.Name, span: Span) -> core.Slot | None:
        if isinstance(subject, core.Face):
            subject = self.as_copy(subject)
        of = plain(subject.type)
        if isinstance(of, AnyType):
            return core.Slot(name.text, subject, type=ANY, span=span)
        if not isinstance(of, ThingType):
            return None
        keys = [f"{kind}.{name.text}" for kind in of.kinds]
        if len(keys) != 1 or keys[0] not in self.symbols.states:
            return None
        if may_be_none(subject.type):
            self.report(mistyped.may_be_none(subject.span, f"whose `{name.text}` is set"))
        self.use("state", keys[0])
        value_type, _ = self.state_type(keys[0])
        return core.Slot(keys[0], subject, type=value_type, span=span)

    def _assign(self, node: ast.Set | ast.Add | ast.Take, scope: Scope) -> core.Statement | None:
        slot = self.slot(node.target, scope)
        if slot is None:
            self._report_no_slot(node.target, scope)
            return None
        if isinstance(node, ast.Set):
            value = self.wanted(node.value, scope, slot.type, "what is set")
        else:
            word = "add" if isinstance(node, ast.Add) else "take"
            before = self.wanted(node.target, scope, NUMBER, f"the slot after `{word}`")
            amount = self.wanted(node.amount, scope, NUMBER, f"the amount after `{word}`")
            sign: ast.ArithmeticSign = "+" if isinstance(node, ast.Add) else "-"
            value = core.Arithmetic(sign, before, amount, type=NUMBER, span=node.span)
        return core.Assign(slot, value, span=node.span, trail=node.trail)

    def _report_no_slot(self, node: ast.Expr, scope: Scope) -> None:
        before = len(self.diagnostics)
        self.expression(node, scope)
        if len(self.diagnostics) == before:
            self.report(mistyped.not_a_slot(node.span, "this"))

    def _stored(self, node: ast.Expr, of: Type, scope: Scope) -> core.Local | core.Slot:
        """Where `roll` and `choose` put their result: a slot, or a new local."""
        slot = self.slot(node, scope)
        if slot is not None:
            if not self._assignable(of, slot.type):
                self.report(
                    mistyped.wrong_type(
                        node.span, describe(slot.type), describe(of), "what is stored here"
                    )
                )
            return slot
        if isinstance(node, ast.Ref) and node.arguments is None:
            return self.bind(node.name, of, scope)
        self._report_no_slot(node, scope)
        return core.Local("", scope.depth, type=of)

    def _assignable(self, of: Type, slot: Type) -> bool:
        probe = core.Constant(None, type=of)
        before = len(self.diagnostics)
        self.checked(probe, slot, "")
        fitted = len(self.diagnostics) == before
        del self.diagnostics[before:]
        return fitted

    # ------------------------------------------------------------ moving

    def _move(
        self, node: ast.Move | ast.MoveSome | ast.MoveAll | ast.Put, scope: Scope
    ) -> core.Statement | None:
        target = self._place(node.target, scope, "where it is moved to")
        span, trail = node.span, node.trail
        match node:
            case ast.Move(pieces=expression, bottom=bottom):
                pieces = self._pieces(expression, scope)
                self._check_held(pieces, target)
                return core.Move(pieces, target, bottom, span=span, trail=trail)
            case ast.MoveSome(amount=amount, source=expression, bottom=bottom):
                number = self.wanted(amount, scope, NUMBER, "how many are moved")
                source = self._source(expression, scope)
                self._check_alike(source)
                self._check_held(source, target)
                return core.MoveSome(number, source, target, bottom, span=span, trail=trail)
            case ast.MoveAll(source=expression, bottom=bottom):
                source = self._source(expression, scope)
                self._check_held(source, target)
                return core.MoveAll(source, target, bottom, span=span, trail=trail)
            case ast.Put(pieces=expressions):
                if not scope.in_test:
                    self.report(mistyped.word_out_of_place(span, "put", "in a test"))
                held = tuple(self._put(each, target, scope) for each in expressions)
                return core.Put(held, target, span=span, trail=trail)
            case _:
                assert_never(node)

    def _place(self, node: ast.Expr, scope: Scope, role: str) -> core.Expr:
        places = frozenset(h.name for h in self.heads.values() if h.sort == "place")
        return self.wanted(node, scope, ThingType(places), role)

    def _pieces(self, node: ast.Expr, scope: Scope) -> core.Expr:
        """A piece or a set of pieces; a bare place needs `all from`."""
        value = self.expression(node, scope)
        if isinstance(value, core.Face):
            value = self.as_copy(value)
        role = "what is moved"
        if may_be_none(value.type):
            self.report(mistyped.may_be_none(value.span, role))
            return attrs.evolve(value, type=plain(value.type))
        element = value.type.element if isinstance(value.type, SetType) else value.type
        if self.is_piece(element) or isinstance(element, AnyType):
            return value
        hint = None
        if self.is_place(value.type):
            hint = "write `move all from … to …` to move what lies there"
        self.report(
            mistyped.wrong_type(
                value.span, "a piece or a set of pieces", describe(value.type), role, hint
            )
        )
        return attrs.evolve(value, type=ANY)

    def _source(self, node: ast.Expr, scope: Scope) -> core.Expr:
        """A place, kept as one, or a set of pieces."""
        value = self.expression(node, scope)
        role = "where it is moved from"
        if may_be_none(value.type):
            self.report(mistyped.may_be_none(value.span, role))
            return attrs.evolve(value, type=plain(value.type))
        if self.is_place(value.type) or isinstance(value.type, AnyType):
            return value
        if isinstance(value.type, SetType):
            if self.is_piece(value.type.element) or isinstance(value.type.element, AnyType):
                return value
        self.report(
            mistyped.wrong_type(
                value.span, "a place or a set of pieces", describe(value.type), role
            )
        )
        return attrs.evolve(value, type=ANY)

    def _check_alike(self, source: core.Expr) -> None:
        """`move 2 from P` must not leave open which pieces go."""
        of = source.type
        if not isinstance(of, ThingType):
            return
        for kind in of.kinds:
            head = self.heads[kind]
            place = head.declaration
            if not isinstance(place, ast.Place):
                continue
            if any(isinstance(trait, ast.Stack) for trait in place.traits):
                continue
            per_face = any(index.faces for index in head.indexes)
            rows = any(self.heads[piece].rows for piece in head.holds)
            if len(head.holds) > 1 or (rows and not per_face):
                self.report(mistyped.mixed_pieces(source.span, head.holds))
                return

    def _check_held(self, pieces: core.Expr, target: core.Expr) -> None:
        moved = pieces.type
        if self.is_place(moved):
            moved = self.contents_type(moved)
        if isinstance(moved, SetType):
            moved = moved.element
        to = target.type
        if not isinstance(moved, ThingType) or not isinstance(to, ThingType):
            return
        for kind in sorted(to.kinds):
            head = self.heads[kind]
            for piece in sorted(moved.kinds):
                if piece not in head.holds and not self.has_unknown(head):
                    self.report(
                        mistyped.cannot_hold(target.span, f"`{kind}`", f"`{piece}`", head.span)
                    )
                    return

    def _put(self, node: ast.Expr, target: core.Expr, scope: Scope) -> core.Expr:
        """A piece to put somewhere in a test: a piece, or a face for any copy of it."""
        held = self.contents_type(target.type)
        value = self.expression(node, scope, held.element if isinstance(held, SetType) else None)
        if isinstance(value, core.Face):
            probe = attrs.evolve(value, type=thing(value.kind))
            self._check_held(probe, target)
            return value
        inner = plain(value.type)
        if not self.is_piece(inner) and not isinstance(inner, AnyType):
            self.report(
                mistyped.wrong_type(
                    value.span, "a piece or a face", describe(value.type), "what is put"
                )
            )
        else:
            self._check_held(value, target)
        return value

    def _shuffled(self, node: ast.Expr, scope: Scope) -> core.Expr:
        before = len(self.diagnostics)
        place = self._place(node, scope, "what is shuffled")
        if len(self.diagnostics) > before:
            return place
        of = plain(place.type)
        for kind in sorted(of.kinds) if isinstance(of, ThingType) else ():
            head = self.heads[kind]
            declaration = head.declaration
            if not isinstance(declaration, ast.Place):
                continue
            stack = any(isinstance(trait, ast.Stack) for trait in declaration.traits)
            unseen = any(
                isinstance(trait, ast.Hidden | ast.Private | ast.SeenWhen)
                for trait in declaration.traits
            )
            if not stack or not unseen:
                why = "everybody sees what lies there" if stack else "it keeps no order"
                self.report(mistyped.shuffled_openly(node.span, f"`{kind}`", why, head.span))
                break
        return place

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
        return core.End(name.text, span=node.span, trail=node.trail)

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
        if any(self.changes_table(branch.body) for branch in branches):
            scope.forget()
        return core.If(tuple(branches), span=node.span)

    def changes_table(self, block: core.Block) -> bool:
        """Whether going on after the block means that the table may have changed."""
        if terminates(block):
            return False
        for statement in block:
            match statement:
                case core.Let() | core.Require() | core.Skip() | core.Show():
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
                inner.forget()
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
                inner.forget()
                body = self.block(node.body, inner)
                return core.Together(local, whole, body, span=span, trail=trail)
            case ast.Repeat():
                times = running = None
                if node.times is not None:
                    times = self.wanted(node.times, scope, NUMBER, "how often it is repeated")
                inner.forget()
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

    # ------------------------------------------------------------ decisions

    def _choose_value(self, node: ast.ChooseValue, scope: Scope) -> core.Statement:
        domain = self.whole(node.domain, scope, "what is chosen from")
        element = self.element(domain)
        by = self._chooser(node.by, scope)
        candidate = scope.inner()
        local = candidate.bind(_last_name(node.target), element, node.target.span)
        if local.name:
            candidate.names[local.name].used = True
        where = None
        if node.where is not None:
            where = self.flag(node.where, candidate, "`where`")
            candidate.learn(where)
        requirements = tuple(self.requirement(each, candidate) for each in node.requirements)
        how_many = self._how_many(node, scope)
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
            scope.forget()
        return core.ChooseValue(
            how_many,
            target,
            local,
            domain,
            where,
            by,
            None if node.prompt is None else node.prompt.value,
            requirements,
            otherwise,
            local.number,
            span=node.span,
            trail=node.trail,
        )

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
            None if node.prompt is None else node.prompt.value,
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
            inner.bind(draw.local.name, draw.local.type, node.span)
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
        open_ = tuple(None for _ in info.picks)
        locals_ = tuple(draw.local for draw in info.picks)
        return core.Offer(key, open_, locals_, (), span=node.span, trail=node.trail)

    def action_body(self, node: ast.Action, scope: Scope, key: str, *, inline: bool) -> ActionInfo:
        """An action in a scope where its parameters are not bound yet."""
        outer = scope.inner()
        picks = self.draws(node.picks, scope, f"the action `{node.name.text}`")
        split = leading_requirements(node.body)
        requirements = self._requirements(node.body[:split], scope)
        body = self.sequence(node.body[split:], scope)
        self.warn_unused(scope, outer)
        return ActionInfo(
            key=key,
            name=node.name.text,
            picks=picks,
            title=None if node.title is None else node.title.value,
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


def _last_name(node: ast.Expr) -> str:
    match node:
        case ast.Ref(name=name) | ast.Attribute(name=name):
            return name.text
        case _:
            return ""
