"""Attributes: `x.f` for columns, indexes, states, place families, definitions and built-ins."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import tables as undrawn
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.addressing import Addressing, Arguments
from ruledsl.model.base import DefineGroup
from ruledsl.model.builtins import ATTRIBUTES, FUNCTIONS, Argument, Feature, whose
from ruledsl.model.forms import Forms, is_drawn
from ruledsl.model.game import IndexInfo
from ruledsl.model.heads import Head, states_of
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import DIRECTION, PLAYER
from ruledsl.model.types import (
    ANY,
    NUMBER,
    AnyType,
    FaceType,
    SetType,
    ThingType,
    Type,
    describe,
    fits,
    join,
    may_be_none,
    maybe,
    plain,
    thing,
)
from ruledsl.syntax import ast


class Attributes(Addressing):
    """Resolution of `x.f(arguments)`."""

    def attribute(
        self,
        subject: core.Expr,
        name: ast.Name,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr:
        arguments = self.unnamed(arguments, name.text)
        of = plain(subject.type)
        if isinstance(subject, core.Face) and not self._face_has(subject.kind, name.text):
            subject = self.as_copy(subject)
            of = plain(subject.type)
        result = self._attribute(subject, of, name, arguments, scope, span)
        if result is None and name.text in FUNCTIONS:
            return self.supplied(name, subject, arguments, scope, span)
        if result is None:
            if not isinstance(of, AnyType):
                known = self.attribute_names(of)
                having = whose(name.text)
                subject_words = self.wanted_words(of)
                self.report(
                    found.unknown_attribute(name.span, name.text, subject_words, known, having)
                )
            return core.Constant(None, type=ANY, span=span)
        if may_be_none(subject.type) and not isinstance(result, core.Query | core.CallDefine):
            result = attrs.evolve(result, type=maybe(result.type))
        return result

    def unnamed(self, arguments: Arguments, what: str) -> Arguments:
        """Only steps and actions take arguments by name."""
        named = [argument.name for argument in arguments if argument.name is not None]
        for name in named:
            self.report(found.named_argument(name.span, what))
        if not named:
            return arguments
        return tuple(attrs.evolve(argument, name=None) for argument in arguments)

    def _attribute(
        self,
        subject: core.Expr,
        of: Type,
        name: ast.Name,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr | None:
        if name.text == "reversed" and (isinstance(of, SetType) or self.is_place(of)):
            self.occurrences.meet(name.span, "word", "reversed")
            whole = core.Contents(subject, type=self.contents_type(of), span=subject.span)
            operand = subject if isinstance(of, SetType) else whole
            return core.ReadFeature("reversed", operand, (), type=operand.type, span=span)
        match of:
            case ThingType(kinds):
                return self._of_things(subject, kinds, name, arguments, scope, span)
            case FaceType(kind):
                return self._of_face(subject, kind, name, arguments, scope, span)
            case _:
                return self._defined(subject, of, name, arguments, scope, span)

    def _of_things(
        self,
        subject: core.Expr,
        kinds: frozenset[str],
        name: ast.Name,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr | None:
        if len(kinds) == 1:
            (kind,) = kinds
            return self._of_kind(subject, kind, name, arguments, scope, span)
        inner = scope.inner()
        local = inner.bind("", subject.type, span)
        arms: dict[core.Expr, set[str]] = {}
        types: list[Type] = []
        lacking = False
        for kind in sorted(kinds):
            one = attrs.evolve(local, type=thing(kind))
            arm = self._of_kind(one, kind, name, arguments, inner, span)
            if arm is None:
                lacking = True
                continue
            arms.setdefault(arm, set()).add(kind)
            types.append(arm.type)
        if not arms:
            return None
        of = types[0]
        for other in types[1:]:
            joined = join(of, other)
            if joined is None:
                self.report(
                    mistyped.not_one_type(
                        name.span, describe(of), describe(other), f"`{name.text}`"
                    )
                )
                return core.Constant(None, type=ANY, span=span)
            of = joined
        if lacking:
            of = maybe(of)
        pairs = tuple((frozenset(found), arm) for arm, found in arms.items())
        return core.ByKind(subject, local, pairs, type=of, span=span)

    def _of_kind(
        self,
        subject: core.Expr,
        kind: str,
        name: ast.Name,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr | None:
        """What the game declares for a kind comes before what the language supplies."""
        head = self.heads[kind]
        text = name.text
        if text in head.columns:
            self.use("column", f"{kind}.{text}")
            self.occurrences.meet(name.span, "column", f"{kind}.{text}")
            self._no_arguments(name, arguments)
            column = self.column(kind, text)
            of = ANY if column is None else column.type
            return core.ReadColumn(subject, text, type=of, span=span)
        index = self.index_named(head, text)
        if index is not None:
            self._no_arguments(name, arguments)
            of = self.index_type(index)
            self.occurrences.meet(name.span, "index", f"{kind}.{index.name}", of)
            return core.ReadIndex(subject, index.name, type=of, span=span)
        key = f"{kind}.{text}"
        if key in self.symbols.states:
            self.use("state", key)
            self.occurrences.meet(name.span, "state", key)
            self._no_arguments(name, arguments)
            of, _ = self.state_type(key)
            return core.ReadState(key, subject, type=of, span=span)
        family = self._family(subject, kind, False, name, arguments, scope, span)
        if family is not None:
            return family
        defined = self._defined(subject, thing(kind), name, arguments, scope, span)
        if defined is not None:
            return defined
        return self._feature(subject, head, name, arguments, scope, span)

    def index_named(self, head: Head, name: str) -> IndexInfo | None:
        for index in head.indexes:
            if index.name == name:
                return index
        if name == "owner":
            players = [index for index in head.indexes if index.kind == PLAYER]
            if len(players) == 1:
                return players[0]
        return None

    def _no_arguments(self, name: ast.Name, arguments: Arguments) -> None:
        if arguments:
            self.report(
                mistyped.argument_count(name.span, f"`{name.text}`", "no arguments", len(arguments))
            )

    def _family(
        self,
        subject: core.Expr,
        kind: str,
        faces: bool,
        name: ast.Name,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr | None:
        """`p.hand` is `hand(p)`, `city.road` is `road(city)`."""
        head = self.heads.get(name.text)
        if head is None or self._belonging(head) != (kind, faces):
            return None
        self.use("kind", head.name)
        self.occurrences.meet(name.span, "kind", head.name)
        return self.addressed(head, subject, arguments, scope, span)

    def _belonging(self, head: Head) -> tuple[str, bool] | None:
        """Whose attribute a family of places is, and whether that is a face."""
        place = head.declaration
        if isinstance(place, ast.Place) and isinstance(place.shape, ast.Edges):
            return place.shape.of.text, False
        if head.sort != "place" or not head.indexes:
            return None
        return head.indexes[0].kind, head.indexes[0].faces

    def _feature(
        self,
        subject: core.Expr,
        head: Head,
        name: ast.Name,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr | None:
        for info in ATTRIBUTES:
            if info.name == name.text and info.applies(head):
                if len(arguments) != len(info.takes):
                    wanted = f"{len(info.takes)} argument" + "s" * (len(info.takes) != 1)
                    self.report(
                        mistyped.argument_count(
                            name.span, f"`.{name.text}`", wanted, len(arguments)
                        )
                    )
                    return core.Constant(None, type=ANY, span=span)
                values = tuple(
                    self.wanted(
                        argument.value,
                        scope,
                        self._argument(takes, head, name),
                        f"the argument of `.{name.text}`",
                    )
                    for argument, takes in zip(arguments, info.takes, strict=True)
                )
                of = info.gives(self, head)
                if info.feature == "sixths" and self.is_in(subject, "Hexagonal", scope):
                    of = plain(of)
                self.occurrences.meet(name.span, "word", info.feature, of)
                self._check_order(info.feature, head, name)
                return core.ReadFeature(info.feature, subject, values, type=of, span=span)
        return None

    def _argument(self, takes: Argument, head: Head, name: ast.Name) -> Type:
        """Which arguments an attribute of a kind wants."""
        match takes:
            case "direction":
                return thing(DIRECTION)
            case "number":
                return NUMBER
            case "form":
                kinds = tuple(self._forms_on(head))
                if kinds:
                    return thing(*kinds)
                self.report(
                    undrawn.bad_shape(
                        name.span,
                        "no type has pictures of shapes that could lie here",
                        "asked for here",
                        "draw them in the rows of a type: `o` is a cell, `~` is none",
                    )
                )
                return ANY

    def _forms_on(self, board: Head) -> Iterator[str]:
        """The types of shapes and forms that can lie on a board: turned as its cells are."""
        place = board.declaration
        shape = place.shape if isinstance(place, ast.Place) else None
        sixths = isinstance(shape, ast.Hexagon) or (isinstance(shape, ast.Grid) and shape.hexagonal)
        for head in self.heads.all():
            match head.declaration:
                case Forms(node=node) if node.sixths == sixths:
                    yield head.name
                case ast.TypeTable() as table if is_drawn(table):
                    yield head.name

    def _check_order(self, feature: Feature, head: Head, name: ast.Name) -> None:
        """`.top` needs a stack, or a place where it can't matter."""
        place = head.declaration
        if feature not in ("top", "lowest") or not isinstance(place, ast.Place):
            return
        if any(isinstance(trait, ast.Stack) for trait in place.traits):
            return
        rooms = [trait.amount for trait in place.traits if isinstance(trait, ast.Room)]
        if any(isinstance(room, ast.Number) and room.value == 1 for room in rooms):
            return
        if len(head.holds) == 1 and self.all_alike(head.holds[0]):
            return
        self.report(mistyped.no_order(name.span, feature, f"`{head.name}`"))

    def all_alike(self, piece: str) -> bool:
        """Whether nothing tells the pieces of a kind apart."""
        head = self.heads[piece]
        self.heads.asked.add(states_of(piece))
        has_state = any(key.startswith(f"{piece}.") for key in self.symbols.states)
        is_index = any(
            index.kind == piece and not index.faces
            for other in self.heads.all()
            for index in other.indexes
        )
        return not (head.rows or head.indexes or has_state or is_index)

    # ------------------------------------------------------------ faces

    def _face_has(self, kind: str, name: str) -> bool:
        """Whether an attribute belongs to the face itself."""
        if name in self.heads[kind].columns:
            return True
        family = self.heads.get(name)
        if family is not None and family.indexes[:1]:
            if family.indexes[0].kind == kind and family.indexes[0].faces:
                return True
        return any(group.first == FaceType(kind) for group in self.define_groups(name))

    def _of_face(
        self,
        subject: core.Expr,
        kind: str,
        name: ast.Name,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr | None:
        if name.text in self.heads[kind].columns:
            self.use("column", f"{kind}.{name.text}")
            self.occurrences.meet(name.span, "column", f"{kind}.{name.text}")
            self._no_arguments(name, arguments)
            column = self.column(kind, name.text)
            of = ANY if column is None else column.type
            return core.ReadColumn(subject, name.text, type=of, span=span)
        family = self._family(subject, kind, True, name, arguments, scope, span)
        if family is not None:
            return family
        return self._defined(subject, FaceType(kind), name, arguments, scope, span)

    # ------------------------------------------------------------ definitions

    def _defined(
        self,
        subject: core.Expr,
        of: Type,
        name: ast.Name,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr | None:
        for group in self.define_groups(name.text):
            if group.first is None:
                continue
            wanted = plain(group.first)
            if fits(of, wanted):
                self.occurrences.meet(name.span, "define", group.key)
                if not isinstance(of, AnyType):
                    return self.call_define(group, subject, arguments, scope, span)
                # What follows from a mistake that was told may be anything, and is no other one.
                if len(group.params) != len(arguments) + 1:
                    return core.Constant(None, type=ANY, span=span)
                found = self.call_define(group, subject, arguments, scope, span)
                return attrs.evolve(found, type=ANY)
            if isinstance(wanted, SetType) and self.is_place(of):
                contents = self.contents_type(of)
                if fits(contents, wanted):
                    self.occurrences.meet(name.span, "define", group.key)
                    held = maybe(contents) if may_be_none(subject.type) else contents
                    whole = core.Contents(subject, type=held, span=subject.span)
                    return self.call_define(group, whole, arguments, scope, span)
        return None

    def call_define(
        self,
        group: DefineGroup,
        first: core.Expr | None,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr:
        """A definition applied; given none for a plain parameter, it yields none."""
        self.use("define", group.key)
        info = self.define(group.key)
        if info.body is None and not info.rows:
            return core.Constant(None, type=ANY, span=span)  # part of a circle, reported there
        what = f"`{group.name}`"
        given = () if first is None else (first,)
        params = info.params[len(given) :]
        if len(arguments) != len(params):
            count = len(info.params)
            takes = f"{count} argument" + "s" * (count != 1)
            self.report(mistyped.argument_count(span, what, takes, len(arguments) + len(given)))
            return core.Constant(None, type=ANY, span=span)
        values = [*given]
        for argument, param in zip(arguments, params, strict=True):
            role = f"`{param.local.name}` of {what}"
            values.append(self.wanted(argument.value, scope, maybe(param.type), role))
        absorbs = any(
            may_be_none(value.type) and not may_be_none(param.type)
            for value, param in zip(values, info.params, strict=True)
        )
        of = maybe(info.type) if absorbs else info.type
        return core.CallDefine(group.key, tuple(values), type=of, span=span)

    # ------------------------------------------------------------ for hints

    def attribute_names(self, of: Type) -> Iterator[str]:
        """The attributes a thing of this type has."""
        kinds: tuple[str, ...] = ()
        if isinstance(of, ThingType):
            kinds = tuple(of.kinds)
        elif isinstance(of, FaceType):
            kinds = (of.kind,)
        elif isinstance(of, SetType):
            yield "reversed"
        for kind in kinds:
            head = self.heads[kind]
            yield from head.columns
            yield from (index.name for index in head.indexes)
            for key in self.symbols.states:
                if key.startswith(f"{kind}."):
                    yield key.partition(".")[2]
            for other in self.heads.values():
                if (whose := self._belonging(other)) is not None and whose[0] == kind:
                    yield other.name
            yield from dict.fromkeys(info.name for info in ATTRIBUTES if info.applies(head))
        for name in self.symbols.defines:
            for group in self.define_groups(name):
                if group.first is not None and fits(of, plain(group.first)):
                    yield name
