"""Follow expressions to what the chooser of a decision can't see.

A value is followed as far as its origin is plain: from which place a piece comes, and whether a
player is the chooser. Where that is open, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.checks.graph import own_expressions, values
from ruledsl.model.game import CheckedGame
from ruledsl.model.symbols import PLAYER

Who: TypeAlias = Literal["chooser", "other", "all"]
"""A player, or the players of a set: the chooser alone, others alone, or others too."""


@attrs.frozen
class Where:
    """A place: its kind, and whose it is as far as that is known."""

    kind: str
    whose: Who | None


@attrs.frozen
class Origin:
    """Where a value comes from: a player, a place, or pieces that lie in places."""

    who: Who | None = None
    place: Where | None = None
    lying: frozenset[Where] = frozenset()


UNKNOWN = Origin()


@attrs.frozen
class Secret:
    """Something read that the chooser can't see: what it is, and where it is read."""

    what: str
    kind: str | None
    span: Span
    inner: Span | None = None
    """where a definition reads it"""


Env: TypeAlias = dict[core.Local, Origin]


class Sights:
    """The secrets that expressions of one decision read."""

    def __init__(self, game: CheckedGame, chooser: core.Expr | None) -> None:
        self.game = game
        self.chooser = chooser or core.Special("you")
        self.secrets: list[Secret] = []
        self._calls: dict[tuple[str, tuple[Origin, ...]], tuple[Origin, tuple[Secret, ...]]] = {}

    # ------------------------------------------------------------ what is seen

    def _is_place(self, kind: str) -> bool:
        return self.game.kinds[kind].place is not None

    def _unseen(self, where: Where) -> bool:
        place = self.game.kinds[where.kind].place
        if place is None or place.sight == "open":
            return False
        return place.sight == "hidden" or (
            place.sight == "private" and where.whose in ("other", "all")
        )

    def _pry(self, origin: Origin, what: str, span: Span) -> None:
        """Reading something of pieces tells what lies in their places."""
        for where in sorted(origin.lying, key=lambda each: each.kind):
            if self._unseen(where):
                self.secrets.append(Secret(f"{what} in `{where.kind}`", where.kind, span))
                return

    def _count(self, origin: Origin, span: Span) -> None:
        for where in origin.lying:
            place = self.game.kinds[where.kind].place
            if place is not None and place.uncounted and self._unseen(where):
                what = f"how many pieces lie in `{where.kind}`"
                self.secrets.append(Secret(what, where.kind, span))
                return

    # ------------------------------------------------------------ expressions

    def look(self, node: core.Expr, env: Env) -> Origin:
        """The origin of a value; secrets read on the way are noted."""
        if node == self.chooser:
            return Origin(who="chooser")
        match node:
            case core.Local():
                return env.get(node, UNKNOWN)
            case core.Special(word="playing"):
                return Origin(who="all")
            case core.AllThings(kind=kind):
                if kind == PLAYER:
                    return Origin(who="all")
                return Origin(place=Where(kind, "all")) if self._is_place(kind) else UNKNOWN
            case core.Value(kind=kind) | core.Nth(kind=kind) if self._is_place(kind):
                for child in own_expressions(node):
                    self.look(child, env)
                return Origin(place=Where(kind, None))
            case core.PlaceAt():
                return self._place(node, env)
            case core.Contents(place=place):
                here = self.look(place, env).place
                return UNKNOWN if here is None else Origin(lying=frozenset({here}))
            case core.ReadFeature():
                return self._feature(node, env)
            case core.ReadColumn(subject=subject, name=name):
                self._pry(self.look(subject, env), f"`{name}` of a piece", node.span)
                return UNKNOWN
            case core.ReadIndex(subject=subject, name=name):
                self._pry(self.look(subject, env), f"`{name}` of a piece", node.span)
                return UNKNOWN
            case core.ReadState():
                return self._state(node, env)
            case core.IsFace(subject=subject, face=face):
                self._pry(self.look(subject, env), "the face of a piece", node.span)
                self.look(face, env)
                return UNKNOWN
            case core.Compare(left=left, right=right):
                self._same(left, right, env, node.span)
                return UNKNOWN
            case core.Member(element=element, whole=whole):
                held = self.look(whole, env)
                self.look(element, env)
                if isinstance(element, core.Copy | core.Indexed):
                    self._pry(held, "whether a piece lies", node.span)
                return UNKNOWN
            case core.Empty(whole=whole):
                self._count(self.look(whole, env), node.span)
                return UNKNOWN
            case core.Both(left=left, right=right):
                self.look(left, env)
                self.look(right, self.assume(env, left, True))
                return UNKNOWN
            case core.Either(left=left, right=right):
                self.look(left, env)
                self.look(right, self.assume(env, left, False))
                return UNKNOWN
            case core.Conditional(condition=condition, yes=yes, no=no):
                self.look(condition, env)
                one = self.look(yes, self.assume(env, condition, True))
                return _either((one, self.look(no, self.assume(env, condition, False))))
            case core.Case(subject=subject, arms=arms, otherwise=otherwise):
                self.look(subject, env)
                given = [value for _, value in arms]
                given += [] if otherwise is None else [otherwise]
                return _either([self.look(value, env) for value in given])
            case core.ByKind(subject=subject, local=local, arms=pairs):
                inner = {**env, local: self.look(subject, env)}
                return _either([self.look(arm, inner) for _, arm in pairs])
            case core.Combine(sign=sign, left=left, right=right):
                one, other = self.look(left, env), self.look(right, env)
                return one if sign == "-" else _either((one, other))
            case core.SetOf(items=items):
                return _either([self.look(item, env) for item in items])
            case core.The(value=value):
                return self.look(value, env)
            case core.Query():
                return self._query(node, env)
            case core.Reach(local=local, start=start, via=via, where=where):
                inner = {**env, local: self.look(start, env)}
                for each in (via, *(() if where is None else (where,))):
                    self.look(each, inner)
                return UNKNOWN
            case core.CallDefine(define=key, arguments=arguments):
                return self._call(key, tuple(self.look(a, env) for a in arguments), node.span)
            case core.Would(arguments=arguments):
                # What comes of a step is not followed.
                for argument in arguments:
                    self.look(argument, env)
                return UNKNOWN
            case _:
                for child in own_expressions(node):
                    self.look(child, env)
                return UNKNOWN

    def _place(self, node: core.PlaceAt, env: Env) -> Origin:
        kind = self.game.kinds[node.place]
        whose: Who | None = None
        for index, value in zip(kind.indexes, node.indexes, strict=False):
            origin = self.look(value, env)
            if index.kind == PLAYER and whose is None:
                whose = origin.who
        return Origin(place=Where(node.place, whose))

    def _feature(self, node: core.ReadFeature, env: Env) -> Origin:
        subject = self.look(node.subject, env)
        for argument in node.arguments:
            self.look(argument, env)
        match node.feature:
            case "top" | "lowest":
                if subject.place is None:
                    return UNKNOWN
                return Origin(lying=frozenset({subject.place}))
            case "face":
                self._pry(subject, "the face of a piece", node.span)
                return UNKNOWN
            case "reversed":
                return subject
            case "next" | "others" if subject.who is not None:
                return Origin(who="other" if subject.who == "chooser" else "all")
            case "round" | "onward" if subject.who is not None:
                return Origin(who="all")
            case _:
                return UNKNOWN

    def _state(self, node: core.ReadState, env: Env) -> Origin:
        owner = UNKNOWN if node.subject is None else self.look(node.subject, env)
        state = self.game.states.get(node.state)
        if state is None:
            return UNKNOWN
        private = state.sight == "private" and owner.who in ("other", "all")
        if state.sight == "hidden" or private:
            self.secrets.append(Secret(f"the state `{state.name}`", None, node.span))
        elif state.sight == "private":
            self._pry(owner, f"the state `{state.name}` of a piece", node.span)
        return UNKNOWN

    def _same(self, left: core.Expr, right: core.Expr, env: Env, span: Span) -> None:
        """Whether a hidden piece is a certain one tells what it is."""
        one, other = self.look(left, env), self.look(right, env)
        if isinstance(right, core.Copy | core.Indexed):
            self._pry(one, "which piece lies", span)
        elif isinstance(left, core.Copy | core.Indexed):
            self._pry(other, "which piece lies", span)

    def _query(self, node: core.Query, env: Env) -> Origin:
        inner = dict(env)
        drawn = UNKNOWN
        for draw in node.draws:
            drawn = self.look(draw.domain, inner)
            inner[draw.local] = drawn
        if node.word in ("count", "any", "all") and node.where is None and node.running is None:
            self._count(drawn, node.span)
        for condition in (node.where, node.running):
            if condition is not None:
                self.look(condition, inner)
                inner = self.assume(inner, condition, True)
        for order in node.order:
            self.look(order.key, inner)
        body = UNKNOWN if node.body is None else self.look(node.body, inner)
        match node.word:
            case "filter" | "first" | "the":
                return inner[node.draws[-1].local]
            case "image":
                return body
            case _:
                return UNKNOWN

    def _call(self, key: str, arguments: tuple[Origin, ...], span: Span) -> Origin:
        """A definition, read with what its arguments are; each such reading once."""
        memo = (key, arguments)
        if memo not in self._calls:
            self._calls[memo] = (UNKNOWN, ())
            info = self.game.defines[key]
            env = dict(zip((param.local for param in info.params), arguments, strict=False))
            outer, self.secrets = self.secrets, []
            if info.rows:
                origin = UNKNOWN
            else:
                origin = _either([self.look(body, env) for body in values(info)])
            self._calls[memo] = (origin, tuple(self.secrets))
            self.secrets = outer
        origin, secrets = self._calls[memo]
        for secret in secrets:
            where = secret.inner or secret.span
            self.secrets.append(attrs.evolve(secret, span=span, inner=where))
        return origin

    # ------------------------------------------------------------ conditions

    def assume(self, env: Env, condition: core.Expr, holds: bool) -> Env:
        """What is known of players when a condition holds, or when it doesn't."""
        match condition:
            case core.Not(operand=operand):
                return self.assume(env, operand, not holds)
            case core.Both(left=left, right=right) if holds:
                return self.assume(self.assume(env, left, True), right, True)
            case core.Either(left=left, right=right) if not holds:
                return self.assume(self.assume(env, left, False), right, False)
            case core.Compare(sign="=" | "!=" as sign, left=left, right=right):
                who: Who = "chooser" if (sign == "=") == holds else "other"
                for local, other in ((left, right), (right, left)):
                    if isinstance(local, core.Local) and other == self.chooser:
                        return {**env, local: Origin(who=who)}
                return env
            case _:
                return env


def _either(origins: Iterable[Origin]) -> Origin:
    """A value that has one of these origins."""
    each = tuple(origins)
    if not each:
        return UNKNOWN
    lying = frozenset(where for origin in each for where in origin.lying)
    whos = {origin.who for origin in each}
    places = {origin.place for origin in each}
    who: Who | None = each[0].who if len(whos) == 1 else None
    if None not in whos and len(whos) > 1:
        who = "all"
    return Origin(who, each[0].place if len(places) == 1 else None, lying)


def shown_kinds(game: CheckedGame, shown: core.Expr) -> set[str]:
    """The kinds of the places that an expression may look into."""
    kinds: set[str] = set()
    stack = [shown]
    seen: set[str] = set()
    while stack:
        node = stack.pop()
        match node:
            case core.PlaceAt(place=name) | core.Value(kind=name):
                kinds.add(name)
            case core.AllThings(kind=name):
                kinds.add(name)
            case core.Local():
                # A piece that was taken from somewhere: it may be any.
                kinds.update(game.kinds)
            case core.CallDefine(define=key) if key not in seen:
                seen.add(key)
                stack.extend(values(game.defines[key]))
            case _:
                pass
        stack.extend(own_expressions(node))
    return kinds
