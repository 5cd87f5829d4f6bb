"""Who may see what is read: by the word that a place or state was declared with."""

from __future__ import annotations

from typing import Any

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.checks.secrecy.origins import (
    ANYBODY,
    Origin,
    Read,
    Reads,
    Where,
    Who,
    is_player,
    related,
)
from ruledsl.model.game import CheckedGame, Sight
from ruledsl.model.symbols import PLAYER
from ruledsl.model.types import FaceType, MaybeType, SetType, ThingType, Type

HERE, IT, VIEWER = "here", "it", "viewer"
Facts = tuple[core.Expr, ...]


class Sights:
    """What can be told about a game's places and states from their declarations."""

    def __init__(self, game: CheckedGame) -> None:
        self.game = game
        self._holding: dict[str, frozenset[Where]] = {}

    # ------------------------------------------------------------ kinds

    def is_place(self, kind: str) -> bool:
        return kind in self.game.kinds and self.game.kinds[kind].place is not None

    def is_piece(self, kind: str) -> bool:
        return kind in self.game.kinds and self.game.kinds[kind].piece is not None

    def is_product(self, kind: str) -> bool:
        return kind in self.game.kinds and self.game.kinds[kind].sort == "product"

    def anywhere(self, kind: str) -> frozenset[Where]:
        """All places where a piece may lie."""
        if kind not in self._holding:
            self._holding[kind] = frozenset(
                Where(name)
                for name, each in self.game.kinds.items()
                if each.place is not None and kind in each.place.holds
            )
        return self._holding[kind]

    def of_type(self, of: Type) -> Origin:
        """What any value of a type can be."""
        kinds = kinds_of(of)
        return Origin(
            ANYBODY,
            frozenset(Where(kind) for kind in kinds if self.is_place(kind)),
            frozenset(w for kind in kinds if self.is_piece(kind) for w in self.anywhere(kind)),
        )

    def owner_index(self, kind: str) -> str | None:
        """The index of a place that is a player."""
        indexes = self.game.kinds[kind].indexes
        return next((index.name for index in indexes if index.kind == PLAYER), None)

    def is_of(self, subject: core.Expr, name: str) -> bool:
        """Whether an index of a product is the player whom it is of."""
        return self.all_products(subject) and all(
            self.owner_index(kind) == name for kind in kinds_of(subject.type)
        )

    def all_products(self, subject: core.Expr) -> bool:
        kinds = kinds_of(subject.type)
        return bool(kinds) and all(map(self.is_product, kinds))

    # ------------------------------------------------------------ reads

    def read_piece(
        self, where: Where, what: str, span: Span, facts: Facts, piece: core.Expr | None
    ) -> Reads:
        """Reading something of a piece there, or whether it is there."""
        place = self.game.kinds[where.kind].place
        assert place is not None
        told = f"{what} in `{where.kind}`"
        return self._read(place.sight, told, where.kind, where.whose, span, facts, piece, where.at)

    def read_amount(self, where: Where, span: Span) -> Reads:
        """Reading how many pieces lie there."""
        place = self.game.kinds[where.kind].place
        if place is None or not place.uncounted:
            return frozenset()
        told = f"how many pieces lie in `{where.kind}`"
        return self._read(place.sight, told, where.kind, where.whose, span, (), None, where.at)

    def read_state(
        self, key: str, whose: Who, span: Span, facts: Facts, owner: core.Expr | None
    ) -> Reads:
        state = self.game.states.get(key)
        if state is None:
            return frozenset()
        told = f"the state `{state.name}`"
        return self._read(state.sight, told, key, whose, span, facts, owner, owner)

    def read_history(self, name: str, span: Span) -> Reads:
        """A history tells about all its parts."""
        found: set[Read] = set()
        for part in self.game.histories[name].parts:
            if self.is_place(part):
                found |= self.read_piece(Where(part), "what lay", span, (), None)
            elif part in self.game.states:
                found |= self.read_state(part, ANYBODY, span, (), None)
        return frozenset(found)

    def _read(
        self,
        sight: Sight,
        what: str,
        source: str,
        whose: Who,
        span: Span,
        facts: Facts,
        it: core.Expr | None,
        here: core.Expr | None,
    ) -> Reads:
        if sight == "open":
            return frozenset()
        if isinstance(sight, str):
            return frozenset({Read(what, source, whose, None, sight == "private", span)})
        left = self._unproved(sight, it, here, facts)
        if left is None:
            return frozenset()
        return frozenset({Read(what, source, whose, left, False, span)})

    # ------------------------------------------------------------ viewers

    def sees(self, viewer: Who, read: Read) -> bool:
        """Whether it is sure that the viewer may see what was read."""
        if read.private:
            return related(read.whose, viewer) == "same"
        return read.unless is not None and self._holds(read.unless, viewer, read.whose)

    def _holds(self, condition: core.Expr, viewer: Who, whose: Who) -> bool:
        match condition:
            case core.Both(left=left, right=right):
                return self._holds(left, viewer, whose) and self._holds(right, viewer, whose)
            case core.Either(left=left, right=right):
                return self._holds(left, viewer, whose) or self._holds(right, viewer, whose)
            case core.Not(operand=core.Compare(sign="=" | "!=" as sign, left=left, right=right)):
                return self._compared(left, right, viewer, whose, same=sign == "!=")
            case core.Compare(sign="=" | "!=" as sign, left=left, right=right):
                return self._compared(left, right, viewer, whose, same=sign == "=")
            case _:
                return False

    def _compared(
        self, left: core.Expr, right: core.Expr, viewer: Who, whose: Who, *, same: bool
    ) -> bool:
        for one, other in ((left, right), (right, left)):
            if _is(one, VIEWER) and self._is_owner(other):
                return related(whose, viewer) == ("same" if same else "other")
        return False

    def _is_owner(self, node: core.Expr) -> bool:
        if isinstance(node, core.ReadIndex):
            kinds = kinds_of(node.subject.type)
            return _is(node.subject, HERE) and any(
                self.owner_index(kind) == node.name for kind in kinds if kind in self.game.kinds
            )
        return _is(node, HERE)

    # ------------------------------------------------------------ conditions

    def _unproved(
        self, sight: core.Expr, it: core.Expr | None, here: core.Expr | None, facts: Facts
    ) -> core.Expr | None:
        """The part of a condition that the facts don't prove; None if they prove all of it."""
        match sight:
            case core.Both(left=left, right=right):
                parts = [self._unproved(part, it, here, facts) for part in (left, right)]
                rest = [part for part in parts if part is not None]
                if not rest:
                    return None
                return core.Both(*rest) if len(rest) > 1 else rest[0]
            case core.Either(left=left, right=right):
                one, other = (self._unproved(part, it, here, facts) for part in (left, right))
                return None if one is None or other is None else sight
            case _:
                return None if self._said_of(sight, it, here) in facts else sight

    def _said_of(self, node: Any, it: core.Expr | None, here: core.Expr | None) -> Any:
        """A condition about `it` and `here`, said about these instead."""
        if isinstance(node, tuple):
            return tuple(self._said_of(part, it, here) for part in node)
        if not isinstance(node, core.Expression):
            return node
        if _is(node, IT):
            return node if it is None else it
        if _is(node, HERE):
            return node if here is None else here
        changed = {
            field.name: self._said_of(getattr(node, field.name), it, here)
            for field in attrs.fields(type(node))
            if field.name not in ("type", "span")
        }
        now = attrs.evolve(node, **changed)
        if isinstance(now, core.ReadIndex) and isinstance(now.subject, core.PlaceAt):
            names = [index.name for index in self.game.kinds[now.subject.place].indexes]
            if now.name in names:
                return now.subject.indexes[names.index(now.name)]
        return now


def kinds_of(of: Type) -> frozenset[str]:
    """The kinds of things in a type, in sets too."""
    match of:
        case ThingType(kinds=kinds):
            return kinds
        case FaceType():
            return frozenset()
        case SetType(element=inner) | MaybeType(of=inner):
            return kinds_of(inner)
        case _:
            return frozenset()


def nth_player(number: core.Expr) -> Who:
    if isinstance(number, core.Constant) and isinstance(number.value, int):
        return is_player("nth", number.value)
    return ANYBODY


def _is(node: object, name: str) -> bool:
    return isinstance(node, core.Local) and node.name == name
