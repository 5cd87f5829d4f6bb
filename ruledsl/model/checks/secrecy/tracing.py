"""Trace expressions to what they read: an abstract evaluation over the core form.

Where the origin of a value is open, it may be anything of its type, so nothing is overlooked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.checks.graph import own_expressions
from ruledsl.model.checks.secrecy.assuming import Assuming, Scene
from ruledsl.model.checks.secrecy.origins import (
    ANYBODY,
    NOTHING_READ,
    PLAIN,
    Origin,
    Reads,
    Where,
    Who,
    either,
    is_player,
    next_to,
    others_of,
    speaks_of,
)
from ruledsl.model.checks.secrecy.sights import Sights, kinds_of, nth_player
from ruledsl.model.game import MannerInfo
from ruledsl.model.giving import is_given
from ruledsl.model.symbols import PLAYER
from ruledsl.syntax import ast


@attrs.frozen
class Telling:
    """Something that can be noticed: what it depends on, where it stands, and its marks."""

    reads: Reads
    span: Span
    trail: ast.Trail


@attrs.frozen
class Given:
    """A parameter of an action that is fixed: its value, where it stands, and the marks there."""

    origin: Origin
    span: Span
    trail: ast.Trail = ()


class Ahead(Protocol):
    """What comes of a step in thought."""

    def __call__(self, would: core.Would, arguments: list[Origin], scene: Scene) -> Reads: ...


def meant(origin: Origin, trail: ast.Trail) -> Origin:
    """A value that the rules tell on purpose, if they say so."""
    if any(isinstance(mark, ast.Reveals) for mark in trail):
        return attrs.evolve(origin, reads=NOTHING_READ, told=frozenset())
    return origin


class Tracer:
    """Origins of expressions, for one game."""

    def __init__(self, sights: Sights) -> None:
        self.sights = sights
        self.game = sights.game
        self.assume = Assuming(sights, self.trace).assume
        self.ahead: Ahead = lambda would, arguments, scene: NOTHING_READ
        self.given: dict[str, Origin] = {}
        """what steps have given so far, whatever they were called with"""
        self._calls: dict[tuple[str, tuple[Origin, ...], Who, Who], Origin] = {}

    # ------------------------------------------------------------ expressions

    def trace(self, node: core.Expr, scene: Scene) -> Origin:
        match node:
            case core.Local():
                found = scene.names.get(node)
                return self.sights.of_type(node.type) if found is None else found
            case core.Special(word="active"):
                return Origin(scene.active)
            case core.Special(word="you"):
                return Origin(scene.you)
            case core.AllThings(kind=kind):
                named = self._is_piece(kind) or self.sights.is_product(kind)
                return attrs.evolve(self.sights.of_type(node.type), named=named)
            case core.Copy(kind=kind):
                return Origin(lying=self.sights.anywhere(kind), named=True)
            case core.Indexed(kind=kind, indexes=indexes):
                found = self._indexed(kind, indexes, scene)
                lying = self.sights.anywhere(kind) if self._is_piece(kind) else frozenset()
                return attrs.evolve(found, lying=lying, named=self._is_piece(kind))
            case core.Nth(kind=kind, numbers=numbers):
                reads = self._all(numbers, scene)
                if kind == PLAYER:
                    return Origin(nth_player(numbers[0]), reads=reads)
                return self._placed(node, kind, reads)
            case core.Value(kind=kind):
                return self._placed(node, kind, NOTHING_READ)
            case core.PlaceAt() | core.PlacesOf():
                return self._place(node, scene)
            case core.Contents(place=place):
                there = self.trace(place, scene)
                return Origin(lying=there.places, reads=there.reads)
            case core.ReadFeature():
                return self._feature(node, scene)
            case core.ReadColumn(subject=subject, name=name):
                return self._look(node, subject, f"`{name}` of a piece", scene)
            case core.ReadIndex(subject=subject, name=name):
                return self._index(node, subject, name, scene)
            case core.ReadState():
                return self._state(node, scene)
            case core.ReadHistory(history=name):
                return Origin(reads=self.sights.read_history(name, node.span))
            case core.IsFace(subject=subject, face=face):
                origin = self._look(node, subject, "the face of a piece", scene)
                return origin.telling(self.trace(face, scene).reads)
            case core.Compare(left=left, right=right):
                return self._compare(node, left, right, scene)
            case core.Member(element=element, whole=whole):
                return self._member(node, element, whole, scene)
            case core.Empty(whole=whole):
                return Origin(reads=self._size(self.trace(whole, scene), node.span))
            case core.Both(left=left, right=right):
                return Origin(reads=self._guarded(left, right, scene, holds=True))
            case core.Either(left=left, right=right):
                return Origin(reads=self._guarded(left, right, scene, holds=False))
            case core.Conditional(condition=condition, yes=yes, no=no):
                one = self.trace(yes, self.assume(scene, condition, True))
                other = self.trace(no, self.assume(scene, condition, False))
                return either((one, other)).telling(self.reads(condition, scene))
            case core.Case(subject=subject, arms=arms, otherwise=otherwise):
                given = [value for _, value in arms]
                given += [] if otherwise is None else [otherwise]
                found = either([self.trace(value, scene) for value in given])
                keys = self._all((key for key, _ in arms), scene)
                return found.telling(self.reads(subject, scene) | keys)
            case core.ByKind(subject=subject, local=local, arms=pairs):
                bound = self.trace(subject, scene)
                inner = scene.naming(local, bound)
                found = either([self.trace(arm, inner) for _, arm in pairs])
                return found.telling(bound.reads)
            case core.Combine(sign=sign, left=left, right=right):
                one, other = self.trace(left, scene), self.trace(right, scene)
                if sign == "-":
                    return one.telling(other.reads | self._known_by_name(node, one, other, scene))
                return either((one, other))
            case core.SetOf(items=items):
                return either([self.trace(item, scene) for item in items])
            case core.Sure(value=value):
                return self.trace(value, scene)
            case core.Query():
                return self._query(node, scene)
            case core.Reach(local=local, start=start, via=via, where=where, exactly=exactly):
                begun = self.trace(start, scene)
                inner = scene.naming(local, self.sights.of_type(local.type))
                others = [part for part in (via, where, exactly) if part is not None]
                found = self.sights.of_type(node.type)
                return found.telling(begun.reads | self._all(others, inner))
            case core.LongestTrail(edges=edges, local=local_, length=length, through=through):
                taken = self.trace(edges, scene)
                if local_ is not None:
                    scene = scene.naming(local_, taken)
                rest = [part for part in (length, through) if part is not None]
                return Origin(reads=taken.reads | self._all(rest, scene))
            case core.CallDefine(define=key, arguments=arguments):
                return self._call(key, [self.trace(each, scene) for each in arguments], node, scene)
            case core.Would(body=body, arguments=arguments):
                origins = [self.trace(each, scene) for each in arguments]
                reads = self.reads(body, scene) | _union(each.reads for each in origins)
                return Origin(reads=reads | self.ahead(node, origins, scene))
            case core.Can():
                return Origin(reads=self._can(node, scene))
            case _:
                parts = [self.trace(part, scene) for part in own_expressions(node)]
                found = self.sights.of_type(node.type)
                told = frozenset(span for part in parts for span in part.told)
                return attrs.evolve(found, reads=_union(p.reads for p in parts), told=told)

    def reads(self, node: core.Expr, scene: Scene) -> Reads:
        return self.trace(node, scene).reads

    def _all(self, nodes: Iterable[core.Expr], scene: Scene) -> Reads:
        return _union(self.reads(node, scene) for node in nodes)

    def _is_piece(self, kind: str) -> bool:
        return self.sights.is_piece(kind)

    # ------------------------------------------------------------ places and pieces

    def _placed(self, node: core.Expr, kind: str, reads: Reads) -> Origin:
        if not self.sights.is_place(kind):
            return Origin(reads=reads)
        return Origin(places=frozenset({Where(kind, at=node)}), reads=reads)

    def _place(self, node: core.PlaceAt | core.PlacesOf, scene: Scene) -> Origin:
        found = self._indexed(node.place, node.indexes, scene)
        places = frozenset({Where(node.place, found.who, node)})
        return Origin(places=places, reads=found.reads)

    def _indexed(self, kind: str, indexes: Iterable[core.Expr], scene: Scene) -> Origin:
        """Something with these indexes; who it is of is the player among them."""
        origins = [self.trace(index, scene) for index in indexes]
        declared = self.game.kinds[kind].indexes
        whose = next(
            (
                origin.who
                for index, origin in zip(declared, origins, strict=False)
                if index.kind == PLAYER
            ),
            ANYBODY,
        )
        return Origin(whose, reads=_union(origin.reads for origin in origins))

    def _look(self, node: core.Expr, subject: core.Expr, what: str, scene: Scene) -> Origin:
        """Reading what a piece looks like."""
        origin = self.trace(subject, scene)
        found = self.sights.of_type(node.type)
        return found.telling(origin.reads | self.pry(origin, what, node.span, subject, scene))

    def pry(
        self, origin: Origin, what: str, span: Span, subject: core.Expr | None, scene: Scene
    ) -> Reads:
        """What is told about pieces by their look: only of named ones it is known anyway."""
        if origin.named:
            return NOTHING_READ
        return self._lying(origin.lying, what, span, subject, scene)

    def _lying(
        self,
        places: Iterable[Where],
        what: str,
        span: Span,
        subject: core.Expr | None,
        scene: Scene,
    ) -> Reads:
        return _union(
            self.sights.read_piece(where, what, span, scene.facts, subject) for where in places
        )

    def _size(self, origin: Origin, span: Span) -> Reads:
        return origin.reads | _union(self.sights.read_amount(w, span) for w in origin.lying)

    def _index(self, node: core.Expr, subject: core.Expr, name: str, scene: Scene) -> Origin:
        """`gap.house` of a place is known, `mouse.player` of a piece is part of its look."""
        origin = self.trace(subject, scene)
        if kinds_of(node.type) == {PLAYER}:
            if len(origin.places) == 1:
                (where,) = origin.places
                return Origin(where.whose, reads=origin.reads)
            if self.sights.is_of(subject, name):
                who = origin.who if origin.who.sym else is_player("index", name, subject)
                return Origin(who, reads=origin.reads)
        if self.sights.all_products(subject):
            found = self.sights.of_type(node.type)
            return attrs.evolve(found, named=origin.named, reads=origin.reads)
        if kinds_of(node.type) == {PLAYER} and isinstance(subject, core.Local):
            found = self._look(node, subject, f"`{name}` of a piece", scene)
            return attrs.evolve(found, who=is_player("index", name, subject))
        return self._look(node, subject, f"`{name}` of a piece", scene)

    def _feature(self, node: core.ReadFeature, scene: Scene) -> Origin:
        subject = self.trace(node.subject, scene)
        reads = subject.reads | self._all(node.arguments, scene)
        match node.feature:
            case "top" | "lowest":
                return Origin(lying=subject.places, reads=reads)
            case "face":
                return self._look(node, node.subject, "the face of a piece", scene)
            case "place":
                if subject.named or len(subject.lying) != 1:
                    reads |= self._lying(
                        subject.lying, "where a piece lies", node.span, None, scene
                    )
                return Origin(places=subject.lying, reads=reads)
            case "next" if kinds_of(node.type) == {PLAYER}:
                return Origin(next_to(subject.who), reads=reads)
            case "others":
                return Origin(others_of(subject.who), reads=reads)
            case "reversed":
                return subject.telling(reads)
            case _:
                return self.sights.of_type(node.type).telling(reads)

    def _state(self, node: core.ReadState, scene: Scene) -> Origin:
        if is_given(node.state):
            return self.given.get(node.state, PLAIN)
        owner = PLAIN if node.subject is None else self.trace(node.subject, scene)
        whose = owner.who
        if whose == ANYBODY and len(owner.places) == 1:
            (where,) = owner.places
            whose = where.whose
        reads = self.sights.read_state(node.state, whose, node.span, scene.facts, node.subject)
        found = self.sights.of_type(node.type)
        if kinds_of(node.type) == {PLAYER}:
            found = attrs.evolve(found, who=is_player("state", node.state, whose, scene.epoch))
        return found.telling(reads | owner.reads)

    # ------------------------------------------------------------ comparing

    def _compare(self, node: core.Expr, left: core.Expr, right: core.Expr, scene: Scene) -> Origin:
        one, other = self.trace(left, scene), self.trace(right, scene)
        for place_of, place in ((left, other), (right, one)):
            if isinstance(place_of, core.ReadFeature) and place_of.feature == "place":
                return Origin(reads=self._is_there(node, place_of, place, scene))
        reads = one.reads | other.reads
        if one.lying and other.lying:
            reads |= self._known_by_name(node, one, other, scene)
        return Origin(reads=reads, told=one.told | other.told)

    def _is_there(
        self, node: core.Expr, place_of: core.ReadFeature, place: Origin, scene: Scene
    ) -> Reads:
        """Whether a piece lies in a place is known to whoever sees that place."""
        piece = self.trace(place_of.subject, scene)
        reads = piece.reads | place.reads
        if not piece.named and len(piece.lying) == 1:
            return reads
        there = place.places or piece.lying
        return reads | self._lying(there, "whether a piece lies", node.span, None, scene)

    def _known_by_name(self, node: core.Expr, one: Origin, other: Origin, scene: Scene) -> Reads:
        """Whether a hidden piece is a certain one tells what it is."""
        if one.named == other.named:
            return NOTHING_READ
        hidden = other if one.named else one
        return self._lying(hidden.lying, "which piece lies", node.span, None, scene)

    def _member(
        self, node: core.Expr, element: core.Expr, whole: core.Expr, scene: Scene
    ) -> Origin:
        held = self.trace(whole, scene)
        if isinstance(element, core.ReadFeature) and element.feature == "place":
            return Origin(reads=self._is_there(node, element, held, scene))
        one = self.trace(element, scene)
        reads = one.reads | held.reads
        if held.lying and (one.named or len(one.lying) > 1) and not held.named:
            reads |= self._lying(held.lying, "whether a piece lies", node.span, None, scene)
        return Origin(reads=reads)

    def _guarded(self, left: core.Expr, right: core.Expr, scene: Scene, *, holds: bool) -> Reads:
        """Where one side alone decides, the other tells nothing; the guard may stand behind."""
        first = self.reads(left, scene)
        if first:
            second = self.reads(right, scene)
            if not second:
                return self.reads(left, self.assume(scene, right, holds))
        return first | self.reads(right, self.assume(scene, left, holds))

    # ------------------------------------------------------------ queries

    def _query(self, node: core.Query, scene: Scene) -> Origin:
        inner = scene
        reads = NOTHING_READ
        drawn = PLAIN
        for draw in node.draws:
            drawn = self.trace(draw.domain, inner)
            reads |= drawn.reads
            inner = inner.naming(draw.local, self.drawn(draw, drawn))
        if node.where is None and node.running is None:
            reads |= self._size(drawn, node.span)
        for condition in (node.where, node.running):
            if condition is not None:
                reads |= self.reads(condition, inner)
                inner = self.assume(inner, condition, True)
        reads |= self._all((order.key for order in node.order), inner)
        body = PLAIN if node.body is None else self.trace(node.body, inner)
        match node.word:
            case "filter" | "first" | "the":
                last = node.draws[-1].local
                found = inner.names[last]
                if node.word == "filter" and speaks_of(found.who.sym, last):
                    found = attrs.evolve(found, who=attrs.evolve(found.who, sym=drawn.who.sym))
            case "image":
                found = body
            case _:
                found = PLAIN
        return found.telling(reads | body.reads)

    def drawn(self, draw: core.Draw, domain: Origin) -> Origin:
        """One of the elements of a set; of players nobody else, as long as it has its name."""
        element = attrs.evolve(domain, reads=NOTHING_READ)
        if domain.who.sym is None and kinds_of(draw.local.type) == {PLAYER}:
            who = Who(("name", draw.local, draw.domain.span), domain.who.nots)
            return attrs.evolve(element, who=who)
        return element

    # ------------------------------------------------------------ calls

    def _call(
        self, key: str, arguments: list[Origin], node: core.CallDefine, scene: Scene
    ) -> Origin:
        """A definition, read with what its arguments are; each such reading once."""
        bare = tuple(origin.bare for origin in arguments)
        memo = (key, bare, scene.active, scene.you)
        if memo not in self._calls:
            self._calls[memo] = PLAIN
            self._calls[memo] = self._defined(key, bare, scene)
        found = self._calls[memo]
        inner = frozenset(
            attrs.evolve(read, span=node.span, inner=read.inner or read.span)
            for read in found.reads
        )
        reads = inner | _union(origin.reads for origin in arguments)
        return attrs.evolve(found, reads=reads)

    def _defined(self, key: str, arguments: tuple[Origin, ...], scene: Scene) -> Origin:
        info = self.game.defines[key]
        outer = attrs.evolve(scene, names={}, facts=())
        found: list[Origin] = []
        if info.body is not None:
            params = (param.local for param in info.params)
            names = dict(zip(params, arguments, strict=False))
            found.append(self.trace(info.body, attrs.evolve(outer, names=names)))
        for row in info.rows:
            names = dict(zip((param.local for param in row.params), arguments, strict=False))
            inner = attrs.evolve(outer, names=names)
            # Which row it is tells the face of the first argument.
            first = self.pry(arguments[0], "the face of a piece", row.span, None, inner)
            found.append(self.trace(row.body, inner).telling(first))
        return either(found)

    def _can(self, node: core.Can, scene: Scene) -> Reads:
        by = node.by
        you = scene.you if by is None else self.trace(by, scene).who
        inner = attrs.evolve(scene, names={}, facts=(), you=you)
        arguments = [
            None if each is None else Given(self.trace(each, scene), each.span)
            for each in node.arguments
        ]
        _, found = self.legality(node.action, arguments, inner)
        told = frozenset(
            attrs.evolve(read, span=node.span, inner=read.inner or read.span)
            for condition in found
            for read in condition.reads
        )
        return told | (NOTHING_READ if by is None else self.reads(by, scene))

    # ------------------------------------------------------------ actions

    def legality(
        self, key: str, arguments: list[Given | None], scene: Scene
    ) -> tuple[Scene, list[Telling]]:
        """What decides whether an action may be taken: its parameters, then each requirement."""
        info = self.game.actions[key]
        told: list[Telling] = []
        for draw, given in zip(info.picks, arguments, strict=True):
            domain = self.trace(draw.domain, scene)
            told.append(Telling(domain.reads, draw.domain.span, info.trail))
            if given is None:
                scene = scene.naming(draw.local, self.drawn(draw, domain))
                continue
            origin, reads = given.origin, given.origin.reads
            if domain.lying and (origin.named or len(origin.lying) > 1):
                what = "whether a piece lies"
                reads |= self._lying(domain.lying, what, given.span, None, scene)
            told.append(Telling(reads, given.span, given.trail))
            scene = scene.naming(draw.local, attrs.evolve(origin, reads=NOTHING_READ))
        return self._requirements(info.requirements, scene, told), told

    def _requirements(self, block: core.Block, scene: Scene, told: list[Telling]) -> Scene:
        for statement in block:
            match statement:
                case core.Let(local=local, value=value):
                    scene = scene.naming(local, meant(self.trace(value, scene), statement.trail))
                case core.Require():
                    scene = self.required(statement, scene, told)
                case core.If(branches=branches):
                    other = scene
                    for branch in branches:
                        inner, asked = other, branch.condition
                        if asked is not None:
                            told.append(Telling(self.reads(asked, other), asked.span, branch.trail))
                            inner = self.assume(other, asked, True)
                            other = self.assume(other, asked, False)
                        self._requirements(branch.body, inner, told)
                case _:
                    pass
        return scene

    def said(self, said: core.Said | None, trail: ast.Trail, scene: Scene) -> list[Telling]:
        """What the values in a text tell: pieces are said by their look."""
        told: list[Telling] = []
        for value in () if said is None else said.values:
            origin = self.trace(value, scene)
            look = self.pry(origin, "the face of a piece", value.span, None, scene)
            told.append(Telling(origin.reads | look, value.span, trail))
        return told

    def written(self, manner: MannerInfo, scene: Scene) -> list[Telling]:
        """What the ways to write an action tell."""
        told = [line for said in manner.texts for line in self.said(said, manner.trail, scene)]
        if manner.where is not None:
            reads = self.reads(manner.where, scene)
            told.append(Telling(reads, manner.where.span, manner.trail))
        return told

    def required(self, require: core.Require, scene: Scene, told: list[Telling]) -> Scene:
        """A requirement: what it tells, and what holds afterwards."""
        condition = require.condition
        told.append(Telling(self.reads(condition, scene), condition.span, require.trail))
        told += self.said(require.message, require.trail, scene)
        return self.assume(scene, condition, True)


def _union(reads: Iterable[Reads]) -> Reads:
    return frozenset().union(*reads)
