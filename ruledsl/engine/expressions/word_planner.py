"""Which words answer a condition on all elements of a set at once."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Literal

import attrs

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Known, Scalar, Scope
from ruledsl.engine.expressions.subjects import Subject
from ruledsl.engine.expressions.unchanging import MOST_WORK, Key, Unchanging, bodies_of
from ruledsl.engine.expressions.word_plans import (
    BySize,
    ByValue,
    ForAll,
    Held,
    Inverted,
    Joined,
    Members,
    Near,
    Never,
    OneOfThese,
    Run,
    Same,
    Showing,
    Tabled,
    Unfolded,
    Values,
    WordPlan,
)
from ruledsl.engine.memory.board_plans import reading_of
from ruledsl.engine.memory.layout import Span, category
from ruledsl.engine.sets.shapes import WORD
from ruledsl.model import core
from ruledsl.model.names import free_in, names_in
from ruledsl.model.types import AnyType, MaybeType, Type, may_be_none
from ruledsl.model.walk import walk

MOST_RANGE = 256
"""Values that a table of words has at most, where it goes by a value."""
MOST_RUN = 16
"""Places in a row that are looked at word by word."""
OTHER = -1
"""The number of a name for what something in a definition is compared with."""
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class WordPlanner(Part):
    """Plans conditions on all elements of a set at once."""

    def __init__(
        self,
        context: Context,
        unchanging: Unchanging,
        goes_far: Callable[[core.Expr, Scope], bool],
        bits_of: Callable[[core.Expr, Scope], tuple[Span, bool] | None],
    ) -> None:
        super().__init__(context)
        self.unchanging = unchanging
        self._goes_far = goes_far
        self._bits_of = bits_of
        self._harmless: dict[str, bool] = {}
        self._saying_the: dict[str, bool] = {}

    def subjects(self, span: Span, number: int) -> list[Subject] | None:
        """A name for all things of a span, 64 at a time; they have to be of one kind."""
        low, size = span
        things = tuple(self.layout.things[low : low + size])
        if len(things) < size or any(thing.kind != things[0].kind for thing in things):
            return None
        found: list[Subject] = []
        for part, at in enumerate(range(0, size, WORD)):
            own = things[at : at + WORD]
            found.append(Subject(number, own, (low + at, len(own)), part))
        return found

    # ------------------------------------------------------------ conditions

    def planned(
        self, node: core.Expr, subject: Subject, scope: Scope, *, asked: bool
    ) -> WordPlan | None:
        """How a condition is answered; `asked` if it is known for which elements it matters."""
        if subject.number not in names_in(node):
            return ForAll(node) if self.at_once(node, scope) else None
        still = self._still(node, subject, scope)
        if still is not None:
            return still
        match node:
            case core.Both(left=left, right=right):
                return self._joined("and", left, right, subject, scope, asked)
            case core.Either(left=left, right=right):
                return self._joined("or", left, right, subject, scope, asked)
            case core.Not(operand=operand):
                return _inverted(self.planned(operand, subject, scope, asked=asked))
            case core.Empty(whole=core.Contents(place=place)):
                near = self._near(place, subject, scope)
                return None if near is None else _inverted(self._held(near, subject))
            case core.Compare():
                return self._compared(node, subject, scope, asked)
            case core.Member(element=element, whole=core.SetOf(items=items)):
                return self._one_of(element, items, subject, scope, asked)
            case core.Member(element=core.Local(number=number), whole=whole):
                if number == subject.number and number not in names_in(whole):
                    return self._members(whole, scope)
                return None
            case core.ReadState(subject=core.Expression() as piece):
                return self._shown(piece, reading_of(node), None, node.type, subject, scope, asked)
            case core.CallDefine():
                inner = self._unfolded(node, subject, scope)
                if inner is None:
                    return None
                body, within, arguments, known = inner
                plan = self.planned(body, within, known, asked=asked)
                return None if plan is None else Unfolded(within.number, arguments, plan)
            case _:
                return None

    def needed(self, node: core.Expr, subject: Subject, scope: Scope) -> WordPlan | None:
        """How the first part of a condition is answered that can't be answered as a whole.

        What does not meet it need not be looked at.
        """
        match node:
            case core.Both(left=left):
                found = self.planned(left, subject, scope, asked=True)
                return found or self.needed(left, subject, scope)
            case core.CallDefine():
                inner = self._unfolded(node, subject, scope)
                if inner is None:
                    return None
                body, within, arguments, known = inner
                plan = self.needed(body, within, known)
                return None if plan is None else Unfolded(within.number, arguments, plan)
            case _:
                return None

    def _joined(
        self,
        sign: Literal["and", "or"],
        left: core.Expr,
        right: core.Expr,
        subject: Subject,
        scope: Scope,
        asked: bool,
    ) -> WordPlan | None:
        one = self.planned(left, subject, scope, asked=asked)
        if one is None:
            return None
        other = self.planned(right, subject, scope, asked=asked)
        return None if other is None else Joined(sign, one, other)

    def at_once(self, node: core.Expr, scope: Scope) -> bool:
        """Whether a value or condition can be worked out without being asked for.

        It can't fail, and costs next to nothing.
        """
        return (
            free_in(node) <= scope.keys()
            and self.harmless(node)
            and not self._goes_far(node, scope)
        )

    def harmless(self, node: core.Expr) -> bool:
        """Whether an expression has a value in any position, and looks at this one only."""
        for part in walk((node,)):
            match part:
                case core.Would() | core.Can() | core.ReadHistory():
                    return False
                case core.Arithmetic() | core.Query(word="sum") if self.context.ranges.may_fail(
                    part
                ):
                    return False
                case core.Sure() | core.Query(word="the"):
                    if self.context.checked and not self.context.lightly:
                        return False
                case core.CallDefine(define=key):
                    if not self._harmless_define(key):
                        return False
                case _:
                    pass
        return True

    def _harmless_define(self, key: str) -> bool:
        if key not in self._harmless:
            info = self.game.defines[key]
            self._harmless[key] = not info.rows and all(map(self.harmless, bodies_of(info)))
        return self._harmless[key]

    # ------------------------------------------------------------ what never changes

    def _still(self, node: core.Expr, subject: Subject, scope: Scope) -> WordPlan | None:
        found = self.unchanging.still(node)
        if found is None:
            return None
        keys = self.unchanging.keys_of(found, scope, without=subject.number, numbers=True)
        if keys is None:
            return None
        total = prod(len(things) for _, things in keys)
        return None if total * len(subject.things) > MOST_WORK else Tabled(node, keys)

    def _values_of(self, node: core.Expr, subject: Subject) -> Values | None:
        """What an expression that depends on the subject alone is for each element."""
        found = self.unchanging.still(node)
        if found is None or found.you or found.locals.keys() != {subject.number}:
            return None
        kind = category(node.type)
        if kind == "set":
            return None
        values = self.unchanging.all_values(node, [Key(subject.number, list(subject.things), 0)])
        return tuple(None if value is None else self.layout.encode(value, kind) for value in values)

    # ------------------------------------------------------------ comparisons

    def _compared(
        self, node: core.Compare, subject: Subject, scope: Scope, asked: bool
    ) -> WordPlan | None:
        for side, other, sign in (
            (node.left, node.right, node.sign),
            (node.right, node.left, _TURNED.get(node.sign, node.sign)),
        ):
            if subject.number in names_in(other):
                continue
            if sign in ("=", "!="):
                equal = self._equal(side, other, subject, scope, asked)
                if equal is not None:
                    return equal if sign == "=" else Inverted(equal)
            else:
                sized = self._by_size(sign, side, other, subject, scope)
                if sized is not None:
                    return sized
            match other:
                case core.Constant(value=int() as number):
                    counted = self._run(sign, side, number, subject, scope)
                    if counted is not None:
                        return counted
                case _:
                    pass
        return None

    def _run(
        self, sign: str, side: core.Expr, number: int, subject: Subject, scope: Scope
    ) -> WordPlan | None:
        """How far something goes on from each element, compared with a number."""
        match side:
            case core.CallDefine():
                inner = self._unfolded(side, subject, scope)
                if inner is None:
                    return None
                body, within, arguments, known = inner
                plan = self._run(sign, body, number, within, known)
                return None if plan is None else Unfolded(within.number, arguments, plan)
            case core.Query(
                word="count",
                where=None,
                running=core.Expression() as condition,
                draws=(
                    core.Draw(
                        local=local,
                        domain=core.ReadFeature(
                            feature="ray", subject=core.Local(number=name), arguments=(way,)
                        ),
                    ),
                ),
            ) if name == subject.number and name not in names_in(condition) | names_in(way):
                pass
            case _:
                return None
        near = self._next(way, subject, scope)
        met = self.planned(
            condition, subject.named(local.number), {**scope, local.number: Scalar()}, asked=False
        )
        if near is None or met is None or not self.unchanging.goes_straight(subject.places[0]):
            return None
        if not 0 <= number < MOST_RUN:
            return None
        at_least = Run(near, number, local.number, met)
        more = Run(near, number + 1, local.number, met)
        match sign:
            case ">=":
                return at_least
            case ">":
                return more
            case "<":
                return Inverted(at_least)
            case "<=":
                return Inverted(more)
            case "=":
                return Joined("and", at_least, Inverted(more))
            case _:
                return Joined("or", Inverted(at_least), more)

    def _equal(
        self, side: core.Expr, other: core.Expr, subject: Subject, scope: Scope, asked: bool
    ) -> WordPlan | None:
        """The elements for which something is equal to what is the same for all."""
        if isinstance(other, core.Constant) and other.value is None:
            piece = self._piece(side, subject, scope, asked)
            return None if piece is None else _inverted(self._held(piece[0], subject, piece[1]))
        if category(other.type) == "set":
            return None
        if isinstance(side, core.Local) and side.number == subject.number:
            return Same(other) if self.at_once(other, scope) else None
        read = self._read_from(side, subject)
        if read is not None:
            shown = self._shown(*read, other, other.type, subject, scope, asked)
            if shown is not None:
                return shown
        if isinstance(side, core.CallDefine):
            inner = self._unfolded(side, subject, scope)
            if inner is not None:
                body, within, arguments, known = inner
                if not self.at_once(other, scope):
                    return None
                fixed = core.Local("other", OTHER, type=other.type)
                about = {**known, OTHER: self._constant(other, scope)}
                plan = self._equal(body, fixed, within, about, asked)
                if plan is None:
                    return None
                return Unfolded(within.number, (*arguments, (OTHER, other)), plan)
        return self._by_value(side, other, subject, scope)

    def _constant(self, node: core.Expr, scope: Scope) -> Known:
        match node:
            case core.Local(number=number):
                found = scope[number]
                return found if isinstance(found, Scalar) else Scalar()
            case _:
                return Scalar()

    def _shown(
        self,
        piece: core.Expr,
        reading: str,
        value: core.Expr | None,
        of: Type,
        subject: Subject,
        scope: Scope,
        asked: bool,
    ) -> WordPlan | None:
        found = self._piece(piece, subject, scope, asked)
        if found is None or (value is not None and not self.at_once(value, scope)):
            return None
        if _key(subject, reading) not in self.layout.boards:
            return None
        near, sure = found
        return Showing(near, sure, reading, value, of)

    def _held(self, near: Near, subject: Subject, sure: core.Expr | None = None) -> WordPlan | None:
        return Held(near, sure) if _key(subject, "") in self.layout.boards else None

    def _read_from(self, side: core.Expr, subject: Subject) -> tuple[core.Expr, str] | None:
        """A piece, and what is read from it, the same from all kinds that have it."""
        match side:
            case core.ReadIndex() | core.ReadColumn() | core.ReadState():
                return None if side.subject is None else (side.subject, reading_of(side))
            case core.ByKind(subject=piece, local=local, arms=arms):
                readings = {_reading_from(arm, local) for _, arm in arms}
                reading = readings.pop()
                known = {kind for kinds, _ in arms for kind in kinds}
                if readings or reading is None or self._others_have(reading, known, subject):
                    return None
                return piece, reading
            case _:
                return None

    def _others_have(self, reading: str, kinds: set[str], subject: Subject) -> bool:
        """Whether a board says something about pieces of other kinds."""
        board = self.layout.boards.get(_key(subject, reading))
        if board is None or board.plan.values is None:
            return True
        pieces = zip(board.plan.values, self.layout.things, strict=False)
        return any(value >= 0 and piece.kind not in kinds for value, piece in pieces)

    def _by_value(
        self, side: core.Expr, other: core.Expr, subject: Subject, scope: Scope
    ) -> WordPlan | None:
        values = self._values_of(side, subject)
        if values is None:
            return None
        there = [value for value in values if value is not None]
        if not there:
            return Never()
        low, count = min(there), max(there) - min(there) + 1
        if count > MOST_RANGE or not self.at_once(other, scope):
            return None
        return ByValue(values, low, count, other)

    def _by_size(
        self, sign: str, side: core.Expr, other: core.Expr, subject: Subject, scope: Scope
    ) -> WordPlan | None:
        values = self._values_of(side, subject)
        if values is None or may_be_none(other.type):
            return None
        there = [value for value in values if value is not None]
        if not there:
            return Never()
        low, high = min(there) - 1, max(there) + 1
        if high - low > MOST_RANGE or not self.at_once(other, scope):
            return None
        return BySize(sign, values, low, high, other)

    # ------------------------------------------------------------ other forms

    def _one_of(
        self,
        element: core.Expr,
        items: tuple[core.Expr, ...],
        subject: Subject,
        scope: Scope,
        asked: bool,
    ) -> WordPlan | None:
        """Something is one of a few things written out."""
        plans: list[WordPlan] = []
        for item in items:
            if subject.number in names_in(item):
                return None
            plan = self._equal(element, item, subject, scope, asked)
            if plan is None:
                return None
            plans.append(plan)
        return OneOfThese(tuple(plans))

    def _members(self, whole: core.Expr, scope: Scope) -> WordPlan | None:
        """The elements that are in another set, too."""
        if not free_in(whole) <= scope.keys() or not self.harmless(whole):
            return None
        found = self._bits_of(whole, scope)
        return None if found is None else Members(whole, found[1])

    def _piece(
        self, node: core.Expr, subject: Subject, scope: Scope, asked: bool
    ) -> tuple[Near, core.Expr | None] | None:
        """Where a piece is; if rules say `the` piece, it has to be there for all asked about."""
        place = self._place_below(node, subject)
        near = None if place is None else self._near(place, subject, scope)
        if near is None:
            return None
        if not self.context.checked or not self._says_the(node):
            return near, None
        if not self.context.lightly or not asked or _key(subject, "") not in self.layout.boards:
            return None
        return near, node

    def _says_the(self, node: core.Expr) -> bool:
        match node:
            case core.Query(word="the"):
                return True
            case core.CallDefine(define=key):
                if key not in self._saying_the:
                    bodies = bodies_of(self.game.defines[key])
                    self._saying_the[key] = any(map(self._says_the, bodies))
                return self._saying_the[key]
            case _:
                return False

    def _place_below(self, node: core.Expr, subject: Subject) -> core.Expr | None:
        """The place whose piece an expression is, if it is the subject or lies next to it."""
        match node:
            case core.ReadFeature(feature="top" | "lowest", subject=place):
                return place if _is_near(place, subject) else None
            case core.Query(word="the", where=None, running=None, order=(), draws=(draw,)):
                match draw.domain:
                    case core.Contents(place=place):
                        return place if _is_near(place, subject) else None
                    case _:
                        return None
            case core.CallDefine(define=key, arguments=(core.Local(number=number) as own,)):
                info = self.game.defines[key]
                if number != subject.number or info.rows or info.body is None:
                    return None
                inner = attrs.evolve(subject, number=info.params[0].local.number)
                found = self._place_below(info.body, inner)
                return own if isinstance(found, core.Local) else None
            case _:
                return None

    def _near(self, place: core.Expr, subject: Subject, scope: Scope) -> Near | None:
        """Where a place lies from an element; None if bits can't be turned so."""
        if not _is_near(place, subject):
            return None
        if not isinstance(place, core.ReadFeature):
            return Near(None)
        (way,) = place.arguments
        return self._next(way, subject, scope)

    def _next(self, way: core.Expr, subject: Subject, scope: Scope) -> Near | None:
        """The next place from each element in a direction; None if bits can't be turned so."""
        steps = self._steps(subject)
        if steps is None or may_be_none(way.type) or not self.at_once(way, scope):
            return None
        return Near(way, tuple(steps))

    def _steps(self, subject: Subject) -> list[tuple[int, int]] | None:
        """For each direction how far bits turn in a step, and which elements can make it."""
        found: list[tuple[int, int]] = []
        low = subject.span[0]
        for way in self.table.things("Dir"):
            turns: set[int] = set()
            there = 0
            for at, thing in enumerate(subject.things):
                goal = self.table.boards.go(thing, way)
                if goal is not None:
                    to = self.layout.id(goal) - low
                    if not 0 <= to < len(subject.things):
                        return None
                    turns.add(to - at)
                    there |= 1 << at
            if len(turns) > 1:
                return None
            found.append((turns.pop() % WORD if turns else 0, there))
        return found

    def _unfolded(
        self, node: core.CallDefine, subject: Subject, scope: Scope
    ) -> tuple[core.Expr, Subject, tuple[tuple[int, core.Expr], ...], Scope] | None:
        """What a definition says, with the subject and all else by the names it has there."""
        info = self.game.defines[node.define]
        if info.rows or info.body is None:
            return None
        arguments: list[tuple[int, core.Expr]] = []
        inner: dict[int, Known] = {}
        number: int | None = None
        for param, argument in zip(info.params, node.arguments, strict=True):
            if isinstance(argument, core.Local) and argument.number == subject.number:
                if number is not None:
                    return None
                number = param.local.number
                continue
            if subject.number in names_in(argument) or category(param.type) == "set":
                return None
            if may_be_none(argument.type) and not isinstance(param.type, MaybeType | AnyType):
                return None
            if not self.at_once(argument, scope):
                return None
            arguments.append((param.local.number, argument))
            inner[param.local.number] = self._constant(argument, scope)
        if number is None:
            return None
        return info.body, attrs.evolve(subject, number=number), tuple(arguments), inner


def _inverted(plan: WordPlan | None) -> WordPlan | None:
    return None if plan is None else Inverted(plan)


def _key(subject: Subject, reading: str) -> tuple[str, str, int]:
    """Which board tells something about the elements."""
    kind, part = subject.places
    return kind, reading, part


def _is_near(place: core.Expr, subject: Subject) -> bool:
    match place:
        case core.Local(number=number):
            return number == subject.number
        case core.ReadFeature(feature="go", subject=core.Local(number=number), arguments=(way,)):
            return number == subject.number and subject.number not in names_in(way)
        case _:
            return False


def _reading_from(arm: core.Expr, local: core.Local) -> str | None:
    match arm:
        case (
            core.ReadIndex(subject=core.Local(number=number))
            | core.ReadColumn(subject=core.Local(number=number))
        ) if number == local.number:
            return reading_of(arm)
        case _:
            return None
