"""Setting slots and moving pieces."""

from __future__ import annotations

from typing import assert_never

import attrs

from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.expressions import Expressions
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import PLAYER
from ruledsl.model.types import (
    ANY,
    NUMBER,
    AnyType,
    SetType,
    ThingType,
    Type,
    describe,
    may_be_none,
    plain,
    thing,
)
from ruledsl.syntax import ast


class Effects(Expressions):
    """Statements that change the table by themselves."""

    def slot(self, node: ast.Expr, scope: Scope) -> core.Slot | None:
        """Where a value can be stored, or None."""
        match node:
            case ast.Ref(name=ast.Name(text="active"), arguments=None):
                self.occurrences.meet(node.span, "word", "active", thing(PLAYER))
                return core.Slot("active", None, type=thing(PLAYER), span=node.span)
            case ast.Ref(name=ast.Name(text="playing"), arguments=None):
                self.occurrences.meet(node.span, "word", "playing", SetType(thing(PLAYER)))
                return core.Slot("playing", None, type=SetType(thing(PLAYER)), span=node.span)
            case ast.Ref(name=name, arguments=None):
                if name.text in scope.names or name.text not in self.symbols.states:
                    return None
                self.use("state", name.text)
                self.occurrences.meet(name.span, "state", name.text)
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
        self.occurrences.meet(name.span, "state", keys[0])
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
        before = len(self.diagnostics)
        place = self.wanted(node, scope, ThingType(self.places), role)
        # What is no place is taken for any of them, of which nothing more can be said.
        is_unknown = place.type == ThingType(self.places) and len(self.diagnostics) > before
        return attrs.evolve(place, type=ANY) if is_unknown else place

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
