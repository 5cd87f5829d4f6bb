"""Queries: counting, finding, filtering, adding up, reaching; and the names they bind."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import assert_never

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.model import core
from ruledsl.model.limits import limits
from ruledsl.model.scope import Scope
from ruledsl.model.types import (
    ANY,
    FLAG,
    NUMBER,
    AnyType,
    Limit,
    NumberType,
    SetType,
    ThingType,
    Type,
    describe,
    fits,
    may_be_none,
    maybe,
    plain,
    thing,
    widened,
)
from ruledsl.model.wants import Wants
from ruledsl.syntax import ast


class Queries(Wants):
    """One family of expressions, all over `x in S where c`."""

    @abstractmethod
    def _expression(self, node: ast.Expr, scope: Scope, expected: Type | None) -> core.Expr:
        """An expression before what is known at its place narrows its type."""

    def bind(
        self, name: ast.Name, of: Type, scope: Scope, *, warn_unused: bool = False
    ) -> core.Local:
        """Bind a local name; reports when it is visible already."""
        bound = scope.names.get(name.text)
        if bound is not None:
            self.report(found.shadowed_name(name.span, name.text, bound.span))
        elif (what := self._declared(name.text)) is not None:
            self.report(found.hidden_name(name.span, name.text, what))
        self.occurrences.meet_local(name.span, name.text, name.span, of)
        return scope.bind(name.text, of, name.span, warn_unused=warn_unused)

    def _declared(self, name: str) -> str | None:
        """What the bare name already means in the whole game, if anything."""
        if name in self.symbols.values:
            return " and ".join(f"the value of `{kind}`" for kind in self.symbols.values[name])
        named = (
            ("the option", self.symbols.options),
            ("the state", self.symbols.states),
            ("the history", self.symbols.histories),
        )
        if (found_as := next((what for what, names in named if name in names), None)) is not None:
            return found_as
        if name in self.heads:
            head = self.heads[name]
            return f"the {head.sort}" if self.single_place(head) or not head.indexes else None
        defined = any(group.first is None for group in self.define_groups(name))
        return "the definition" if defined else None

    def draws(
        self, nodes: tuple[ast.Draw, ...], scope: Scope, word: str, *, pure: bool = True
    ) -> tuple[core.Draw, ...]:
        return self._drawn(nodes, scope, word, partial(self.whole, none_is_empty=pure))

    def picks(self, nodes: tuple[ast.Draw, ...], scope: Scope, word: str) -> tuple[core.Draw, ...]:
        """The parameters of an action, which somebody chooses."""
        return self._drawn(nodes, scope, word, partial(self.singles, pure=True))

    def _drawn(
        self,
        nodes: tuple[ast.Draw, ...],
        scope: Scope,
        word: str,
        whole: Callable[[ast.Expr, Scope, str], core.Expr],
    ) -> tuple[core.Draw, ...]:
        bound = []
        for node in nodes:
            role = f"what `{node.name.text}` is drawn from in {word}"
            domain = whole(node.domain, scope, role)
            local = self.bind(node.name, self.element(domain), scope)
            learn_member(local, domain, scope)
            bound.append(core.Draw(local, domain))
        return tuple(bound)

    def orders(self, nodes: tuple[ast.Order, ...], scope: Scope) -> tuple[core.Order, ...]:
        return tuple(core.Order(node.way, self._key(node, scope)) for node in nodes)

    def _key(self, node: ast.Order, scope: Scope) -> core.Expr:
        """A number, or a value of a type, which counts by its order."""
        value = self.expression(node.key, scope)
        inner = plain(value.type)
        kinds = inner.kinds if isinstance(inner, ThingType) else frozenset[str]()
        sorts = {self.heads[kind].sort for kind in kinds if kind in self.heads}
        if len(kinds) == 1 and sorts <= {"enumeration", "direction"}:
            of = maybe(NUMBER) if may_be_none(value.type) else NUMBER
            return core.ReadFeature("index", value, (), type=of, span=value.span)
        hint = "say something of it that has an order, such as a column"
        if not isinstance(plain(value.type), NumberType | AnyType):
            got = describe(value.type)
            role = f"what follows `{node.way}`"
            wanted = "a number or a value of a type"
            self.report(mistyped.wrong_type(value.span, wanted, got, role, hint))
            return attrs.evolve(value, type=NUMBER)
        return value

    def _loses_order(self, domain: core.Expr) -> bool:
        """Whether a set is put together from some that have an order of their own."""
        match domain:
            case core.Combine(sign=sign, left=left, right=right):
                kept = (left, right) if sign == "+" else (left,)
                return any(self._has_own_order(part) or self._loses_order(part) for part in kept)
            case core.CallDefine(define=key):
                body = self.define(key).body
                return body is not None and self._loses_order(body)
            case _:
                return False

    def _has_own_order(self, part: core.Expr) -> bool:
        """Whether a set is gone through in another order than that of the table."""
        match part:
            case core.ReadFeature(feature=feature):
                return feature in ("ray", "onward", "backward", "round", "reversed")
            case core.Contents(place=place):
                inner = plain(place.type)
                return isinstance(inner, ThingType) and any(map(self._is_stack, inner.kinds))
            case core.Query(word="filter" | "image", draws=draws, order=order):
                return bool(order) or any(self._has_own_order(draw.domain) for draw in draws)
            case core.CallDefine(define=key):
                body = self.define(key).body
                return body is not None and self._has_own_order(body)
            case _:
                return False

    def _is_stack(self, kind: str) -> bool:
        place = self.heads[kind].declaration if kind in self.heads else None
        return isinstance(place, ast.Place) and any(
            isinstance(each, ast.Stack) for each in place.traits
        )

    def _query(self, node: ast.Query, scope: Scope, expected: Type | None) -> core.Expr:
        if node.word == "first" and node.body is not None:
            return self._first_value(node, scope, expected)
        shown = {"filter": "`{…}`", "image": "`{… for …}`"}
        word = shown.get(node.word, f"`{node.word}`")
        if len(node.draws) > 1 and node.word in ("first", "the", "filter"):
            self.report(mistyped.bad_query(node.span, f"{word} is about one name, not several"))
        if len(node.draws) > 1 and node.running is not None:
            self.report(mistyped.bad_query(node.span, "`while` goes with one name, not several"))
        inner = scope.inner()
        draws = self.draws(node.draws, inner, word)
        where = running = body = None
        if node.where is not None:
            where = self.flag(node.where, inner, "`where`")
            inner.learn(where)
        if node.running is not None:
            domain = draws[0].domain
            if self._loses_order(domain):
                within = (
                    self.define(domain.define).name if isinstance(domain, core.CallDefine) else None
                )
                self.report(mistyped.lost_order(domain.span, within))
            running = self.flag(node.running, inner, "`while`")
            inner.learn(running)
        order = self.orders(node.order, inner)
        if node.order and node.word not in ("first", "the", "filter", "image"):
            self.report(
                mistyped.bad_query(
                    node.span,
                    f"{word} does not depend on an order",
                    "leave out `highest` and `lowest`",
                )
            )
        if node.body is not None:
            body = self._body(node.word, node.body, inner, expected)
        element = inner.facts.narrowed(draws[0].local).type
        of = self._query_type(node.word, draws, where, running, body, element)
        return core.Query(node.word, draws, where, running, order, body, type=of, span=node.span)

    def _first_value(self, node: ast.Query, scope: Scope, expected: Type | None) -> core.Expr:
        """`first(e for x in S)` is the first of `{e for x in S}`."""
        of = None if expected is None else SetType(plain(expected))
        values = self._query(attrs.evolve(node, word="image"), scope, of)
        unnamed = core.Local("", 0, type=self.element(values))
        draws = (core.Draw(unnamed, values),)
        first = maybe(self.element(values))
        return core.Query("first", draws, None, None, (), None, type=first, span=node.span)

    def _body(self, word: str, node: ast.Expr, scope: Scope, expected: Type | None) -> core.Expr:
        if word == "all":
            return self.flag(node, scope, "`have`")
        if word == "image":
            inner = plain(expected) if expected is not None else None
            element = inner.element if isinstance(inner, SetType) else None
            body = self.expression(node, scope, element)
            if may_be_none(body.type):
                self.report(mistyped.may_be_none(body.span, "an element of a set"))
            return body
        return self.wanted(node, scope, NUMBER, f"what `{word}` adds up or compares")

    def _query_type(
        self,
        word: ast.QueryWord,
        draws: tuple[core.Draw, ...],
        where: core.Expr | None,
        running: core.Expr | None,
        body: core.Expr | None,
        element: Type,
    ) -> Type:
        match word:
            case "count":
                return NumberType(0, None)
            case "sum":
                return NUMBER
            case "any" | "all":
                return FLAG
            case "first":
                certain = where is None and running is None
                return element if certain and self._never_empty(draws[0].domain) else maybe(element)
            case "the":
                return element
            case "filter":
                return SetType(element)
            case "image":
                return SetType(plain(body.type) if body is not None else ANY)
            case "max" | "min":
                certain = where is None and running is None
                sure = all(
                    isinstance(draw.domain, core.AllThings) or self._never_empty(draw.domain)
                    for draw in draws
                )
                return NUMBER if certain and sure else maybe(NUMBER)
            case _:
                assert_never(word)

    def _never_empty(self, domain: core.Expr) -> bool:
        """Whether a set has elements on every table."""
        match domain:
            case core.AllThings(kind=kind):
                head = self.heads[kind]
                if head.sort == "place" and not head.rows:
                    return all(_is_some(low, high) for low, high in self.numbered(head))
                return head.sort in ("player", "direction") or (
                    head.sort != "piece" and bool(head.rows)
                )
            case core.SetOf(items=items):
                return bool(items)
            case core.Interval(low=low, high=high):
                most, least = limits(low.type).high, limits(high.type).low
                return isinstance(most, int) and isinstance(least, int) and most <= least
            case core.ReadFeature(feature="onward" | "backward" | "round", subject=ring):
                return self.is_place(ring.type) and not may_be_none(ring.type)
            case _:
                return False

    def _over(self, node: ast.Over, scope: Scope) -> core.Expr:
        """A query over a whole set, or `sure(e)` of something that may be none."""
        value = self.expression(node.subject, scope)
        if node.word == "sure":
            if not may_be_none(value.type) and not isinstance(value.type, AnyType):
                self.report(mistyped.needless_sure(node.span))
            return core.Sure(value, type=plain(value.type), span=node.span)
        if self.is_place(value.type):
            value = self.contents(value)
        if not isinstance(plain(value.type), SetType | AnyType):
            self.report(
                mistyped.wrong_type(
                    value.span,
                    "a set or a place",
                    describe(value.type),
                    f"what `{node.word}` asks about",
                    "say `sure(…)` of what is there for certain"
                    if node.word == "the"
                    else self.hint_of_several(value),
                )
            )
            value = attrs.evolve(value, type=SetType(ANY))
        unnamed = core.Local("", 0, type=self.element(value))
        draws = (core.Draw(unnamed, value),)
        of = self._query_type(node.word, draws, None, None, None, unnamed.type)
        return core.Query(node.word, draws, None, None, (), None, type=of, span=node.span)

    def _reach(self, node: ast.Reach, scope: Scope) -> core.Expr:
        start = self.whole(node.start, scope, "where `reach` starts", none_is_empty=True)
        inner = scope.inner()
        local = self.bind(node.name, widened(self.element(start)), inner)
        via = self.whole(node.via, inner, "where `reach` goes on to", none_is_empty=True)
        if not fits(self.element(via), local.type):
            self.report(
                mistyped.wrong_type(
                    via.span,
                    f"a set of {describe(local.type)}",
                    describe(via.type),
                    "where `reach` goes on to",
                )
            )
        where = None if node.where is None else self.flag(node.where, inner, "`where`")
        exactly = (
            None
            if node.exactly is None
            else self.wanted(node.exactly, scope, NUMBER, "the number after `exactly`")
        )
        of = SetType(local.type)
        return core.Reach(local, start, via, where, exactly, type=of, span=node.span)

    def _trail(self, node: ast.LongestTrail, scope: Scope) -> core.Expr:
        edges = self.whole(node.edges, scope, "where `trail` goes", none_is_empty=True)
        ends = self._ends_of(self.element(edges))
        if ends is None and not isinstance(self.element(edges), AnyType):
            self.report(
                mistyped.wrong_type(
                    edges.span, "a set of edges", describe(edges.type), "where `trail` goes"
                )
            )
        local = length = None
        inner = scope.inner()
        if node.name is not None and node.length is not None:
            local = self.bind(node.name, self.element(edges), inner)
            if node.where is not None:
                where = self.flag(node.where, inner, "`where`")
                draws = (core.Draw(local, edges),)
                edges = core.Query(
                    "filter", draws, where, None, (), None, type=edges.type, span=node.span
                )
            length = self.wanted(node.length, inner, NUMBER, "what `trail` adds up")
        through = None
        if node.through is not None:
            through = self.whole(node.through, scope, "what `trail` goes through")
            if ends is not None and not fits(self.element(through), ends):
                self.report(
                    mistyped.wrong_type(
                        through.span,
                        describe(SetType(ends)),
                        describe(through.type),
                        "what `trail` goes through",
                    )
                )
        of = NUMBER if length is not None else NumberType(0, None)
        return core.LongestTrail(edges, local, length, through, type=of, span=node.span)

    def _ends_of(self, of: Type) -> Type | None:
        """What edges of a type lie between; None if it is no type of edges."""
        inner = plain(of)
        kinds = inner.kinds if isinstance(inner, ThingType) else frozenset()
        places = [self.heads[kind].declaration for kind in kinds if kind in self.heads]
        shapes = [place.shape for place in places if isinstance(place, ast.Place)]
        if len(kinds) != 1 or not shapes or not isinstance(shapes[0], ast.Edges):
            return None
        return thing(shapes[0].of.text)


def _is_some(low: Limit, high: Limit) -> bool:
    """Whether there is certainly a number between two."""
    if not isinstance(low, int):
        return False
    return low <= 1 if high == core.Special("players") else isinstance(high, int) and low <= high


def learn_member(local: core.Local, domain: core.Expr, scope: Scope) -> None:
    """What is drawn from values written out, such as `Orthogonal`, is one of them."""
    if isinstance(domain, core.SetOf):
        scope.learn(core.Member(local, domain, type=FLAG, span=local.span))
