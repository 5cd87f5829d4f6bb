"""Names in expressions: locals, declared things, values, constructors and functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.addressing import Arguments
from ruledsl.model.attributes import Attributes
from ruledsl.model.builtins import FUNCTIONS, Function, Parameter
from ruledsl.model.heads import Head
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import (
    DIRECTION,
    DIRECTION_SETS,
    PLAYER,
    SEEN_WHEN_SPECIALS,
    TEST_SPECIALS,
)
from ruledsl.model.types import (
    ANY,
    FLAG,
    NUMBER,
    FaceType,
    SetType,
    ThingType,
    Type,
    plain,
    thing,
)
from ruledsl.syntax import ast

_SPECIAL_TYPES: dict[str, Type] = {
    "you": thing(PLAYER),
    "active": thing(PLAYER),
    "playing": SetType(thing(PLAYER)),
    "players": NUMBER,
    "finished": FLAG,
    "winners": SetType(thing(PLAYER)),
}


class References(Attributes):
    """Resolution of `name` and `name(arguments)`."""

    def reference(self, node: ast.Ref, scope: Scope, expected: Type | None) -> core.Expr:
        if node.arguments is not None:
            return self._applied(node, node.arguments, scope)
        name = node.name
        result = (
            self._local(name, scope)
            or self._own_attribute(name, scope)
            or self._special(name, scope)
            or self._expected_value(name, expected)
            or self._global(node, scope)
            or self._only_value(name)
        )
        if result is not None:
            return attrs.evolve(result, span=node.span)
        self._report_unknown(name, scope, expected)
        return core.Constant(None, type=ANY, span=node.span)

    def _report_unknown(self, name: ast.Name, scope: Scope, expected: Type | None) -> None:
        if expected is not None and self.is_place(expected):
            places = (h.name for h in self.heads.values() if h.sort == "place")
            self.report(found.unknown_place(name.span, name.text, (*places, *scope.names)))
        elif expected is not None and (values := tuple(self._values_of(expected))):
            known = (*values, *scope.names, *self.symbols.declared())
            self.report(found.unknown_name(name.span, name.text, known))
        else:
            known = (*scope.names, *self.symbols.declared())
            self.report(found.unknown_name(name.span, name.text, known))

    def _values_of(self, of: Type) -> Iterable[str]:
        inner = plain(of)
        kinds: Iterable[str] = ()
        if isinstance(inner, ThingType):
            kinds = inner.kinds
        elif isinstance(inner, FaceType):
            kinds = (inner.kind,)
        for kind in kinds:
            if kind in self.heads:
                yield from self.heads[kind].rows

    # ------------------------------------------------------------ bare names

    def _local(self, name: ast.Name, scope: Scope) -> core.Expr | None:
        bound = scope.names.get(name.text)
        if bound is None:
            return None
        bound.used = True
        local = bound.local
        if scope.seen_when and name.text in SEEN_WHEN_SPECIALS:
            self.occurrences.meet(name.span, "word", name.text, local.type)
        else:
            self.occurrences.meet_local(name.span, name.text, bound.span, local.type)
        return local

    def _own_attribute(self, name: ast.Name, scope: Scope) -> core.Expr | None:
        """In a declaration, the thing's own columns and indexes go by their bare names."""
        if scope.own is None:
            return None
        of = plain(scope.own.type)
        if not isinstance(of, ThingType):
            return None
        (kind,) = of.kinds
        head = self.heads[kind]
        own = name.text in head.columns or any(i.name == name.text for i in head.indexes)
        if own or (name.text == "face" and head.sort == "piece" and head.rows):
            return self.attribute(scope.own, name, (), scope, name.span)
        return None

    def _special(self, name: ast.Name, scope: Scope) -> core.Expr | None:
        word = name.text
        if word in SEEN_WHEN_SPECIALS and not scope.seen_when:
            if word in self.symbols.defines:
                return None
            self.report(mistyped.word_out_of_place(name.span, word, "after `seen when`"))
            return core.Constant(None, type=ANY, span=name.span)
        if word in TEST_SPECIALS and not scope.in_test:
            if word in self.symbols.defines:
                return None
            self.report(mistyped.word_out_of_place(name.span, word, "in a test"))
            return core.Constant(None, type=ANY, span=name.span)
        of = _SPECIAL_TYPES.get(word)
        if of is None:
            return None
        self.occurrences.meet(name.span, "word", word, of)
        return core.Special(word, type=of, span=name.span)  # type: ignore[arg-type]

    def value(self, kind: str, name: ast.Name) -> core.Expr:
        """A row or value of a kind, by name."""
        self.use("kind", kind)
        self.use("value", f"{kind}.{name.text}")
        self.occurrences.meet(name.span, "value", f"{kind}.{name.text}")
        if self.heads[kind].sort == "piece":
            return core.Face(kind, name.text, type=FaceType(kind), span=name.span)
        return core.Value(kind, name.text, type=thing(kind), span=name.span)

    def _expected_value(self, name: ast.Name, expected: Type | None) -> core.Expr | None:
        inner = None if expected is None else plain(expected)
        if isinstance(inner, SetType):
            return None
        kinds = self.symbols.values.get(name.text, [])
        if isinstance(inner, FaceType) and inner.kind in kinds:
            return self.value(inner.kind, name)
        if isinstance(inner, ThingType):
            fitting = [kind for kind in kinds if kind in inner.kinds]
            if len(fitting) == 1:
                return self.value(fitting[0], name)
        return None

    def _only_value(self, name: ast.Name) -> core.Expr | None:
        kinds = self.symbols.values.get(name.text, [])
        if not kinds:
            return None
        if len(kinds) > 1:
            self.report(found.ambiguous_name(name.span, name.text, kinds))
            return core.Constant(None, type=ANY, span=name.span)
        return self.value(kinds[0], name)

    def _global(self, node: ast.Ref, scope: Scope) -> core.Expr | None:
        name, span = node.name.text, node.span
        at = node.name.span
        if name in DIRECTION_SETS:
            self.occurrences.meet(at, "word", name, SetType(thing(DIRECTION)))
            return self.direction_set(name, span)
        if name in self.symbols.states:
            self.use("state", name)
            self.occurrences.meet(at, "state", name)
            of, _ = self.state_type(name)
            return core.ReadState(name, None, type=of, span=span)
        if name in self.symbols.options:
            self.use("option", name)
            self.occurrences.meet(at, "option", name)
            return core.OptionValue(name, type=self.option_type(name), span=span)
        for group in self.define_groups(name):
            if group.first is None:
                self.occurrences.meet(at, "define", group.key)
                return self.call_define(group, None, (), scope, span)
        if name in self.heads:
            return self._kind_name(self.heads[name], node)
        if name in self.symbols.ranges:
            self.use("range", name)
            self.occurrences.meet(at, "range", name)
            return self.expression(self.symbols.ranges[name].domain, scope)
        if name in self.symbols.histories:
            self.use("history", name)
            self.occurrences.meet(at, "history", name)
            return core.ReadHistory(name, type=NUMBER, span=span)
        return None

    def _kind_name(self, head: Head, node: ast.Ref) -> core.Expr:
        self.use("kind", head.name)
        self.occurrences.meet(node.name.span, "kind", head.name)
        if self.single_place(head):
            return core.PlaceAt(head.name, (), type=thing(head.name), span=node.span)
        return core.AllThings(head.name, type=SetType(thing(head.name)), span=node.span)

    # ------------------------------------------------------------ applied names

    def _applied(self, node: ast.Ref, arguments: Arguments, scope: Scope) -> core.Expr:
        name = node.name.text
        arguments = self.unnamed(arguments, name)
        if name in self.heads and not self._is_attribute_call(name, arguments):
            return self._constructed(node, self.heads[name], arguments, scope)
        known = self._is_applicable(name)
        if not known and name in FUNCTIONS:
            return self.supplied(node.name, None, arguments, scope, node.span)
        if not arguments:
            self.report(mistyped.argument_count(node.span, f"`{name}`", "arguments", 0))
            return core.Constant(None, type=ANY, span=node.span)
        if not known:
            is_rule = name in self.symbols.steps or name in self.symbols.actions
            if is_rule:
                wanted = "in a block or a `choose`: it is a step or action"
                if name in self.giving:
                    wanted = f"alone in a line: `{name}(…)`, or `let x = {name}(…)`"
                self.report(mistyped.word_out_of_place(node.name.span, name, wanted))
            else:
                self._report_unknown(node.name, scope, None)
            return core.Constant(None, type=ANY, span=node.span)
        subject = self._first_argument(name, arguments[0].value, scope)
        return self.attribute(subject, node.name, arguments[1:], scope, node.span)

    def _is_applicable(self, name: str) -> bool:
        """Whether the game has something of this name that is applied to things or numbers."""
        return (
            name in self.symbols.defines
            or any(key.rpartition(".")[2] == name for key in self.symbols.states)
            or any(name in head.columns for head in self.heads.values())
            or any(self.index_named(head, name) for head in self.heads.values())
        )

    def _first_argument(self, name: str, node: ast.Expr, scope: Scope) -> core.Expr:
        """The subject of `f(x)`: where only one type is possible, it tells values apart."""
        firsts = [group.first for group in self.define_groups(name) if group.first is not None]
        return self.expression(node, scope, firsts[0] if len(firsts) == 1 else None)

    def _is_attribute_call(self, name: str, arguments: Arguments) -> bool:
        """A kind's name may also be a definition's: `owner(m)` beside a place `owner`."""
        head = self.heads[name]
        return self.single_place(head) and bool(arguments)

    def _constructed(
        self, node: ast.Ref, head: Head, arguments: Arguments, scope: Scope
    ) -> core.Expr:
        self.use("kind", head.name)
        self.occurrences.meet(node.name.span, "kind", head.name)
        return self.addressed(head, None, arguments, scope, node.span)

    def supplied(
        self,
        name: ast.Name,
        subject: core.Expr | None,
        arguments: Arguments,
        scope: Scope,
        span: Span,
    ) -> core.Expr:
        """A function of the language: `f(x)`, or `x.f` with its subject."""
        function = FUNCTIONS[name.text]
        self.occurrences.meet(name.span, "word", function.name)
        takes, number = len(function.takes), len(arguments) + (subject is not None)
        if number != takes:
            wanted = f"{takes} argument" + "s" * (takes != 1)
            self.report(mistyped.argument_count(span, f"`{function.name}`", wanted, number))
            return core.Constant(None, type=ANY, span=span)
        if function.in_tests and not scope.in_test:
            self.report(mistyped.word_out_of_place(name.span, function.name, "in a test"))
        given = [] if subject is None else [self._fitted(subject, function, 0)]
        given += [
            self._operand(argument.value, function, at, scope)
            for at, argument in enumerate(arguments, len(given))
        ]
        if function.ends is not None:
            of = function.gives(*given)
            return core.Computed(function.name, tuple(given), type=of, span=span)
        match function.name:
            case "empty":
                return core.Empty(*given, type=FLAG, span=span)
            case "knows":
                return core.Knows(*given, type=FLAG, span=span)
            case _:
                raise AssertionError(f"`{function.name}` has no node")

    def _operand(self, node: ast.Expr, function: Function, at: int, scope: Scope) -> core.Expr:
        if function.takes[at] == "whole":
            return self.whole(node, scope, function.role(at))
        return self.wanted(node, scope, self._type_of(function.takes[at]), function.role(at))

    def _fitted(self, value: core.Expr, function: Function, at: int) -> core.Expr:
        if function.takes[at] == "whole":
            return self.as_whole(value, function.role(at))
        return self.checked(value, self._type_of(function.takes[at]), function.role(at))

    def _type_of(self, parameter: Parameter) -> Type:
        match parameter:
            case "number":
                return NUMBER
            case "whole":
                return SetType(ANY)
            case "player":
                return thing(PLAYER)
            case "piece":
                return ThingType(self.pieces)
            case _:
                assert_never(parameter)

    def as_copy(self, face: core.Face) -> core.Expr:
        head = self.heads[face.kind]
        piece = head.declaration
        single = isinstance(piece, ast.Piece) and not piece.per and self._copies(piece, face.name)
        if not single:
            self.report(mistyped.many_copies(face.span, face.name, face.kind))
            return core.Constant(None, type=ANY, span=face.span)
        return core.Copy(face.kind, face.name, type=thing(face.kind), span=face.span)

    def _copies(self, piece: ast.Piece, row: str) -> bool:
        """Whether a row has exactly one copy, as far as the text says it."""
        columns = [column.text for column in piece.columns]
        if "count" not in columns:
            return piece.count is None or piece.count == ast.Number(1)
        at = columns.index("count")
        cells = [each.cells for each in piece.rows if each.name.text == row]
        return bool(cells) and len(cells[0]) > at and cells[0][at] == ast.Number(1)
