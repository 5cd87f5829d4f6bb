"""Conditions on all elements of a set at once: as the bits of those that meet them.

`x.top.owner = you and x.row = 8` is, for all x at once, one word of a board and one of a table. So
a filter over places, or over cards in a hand, needs no loop. What can't be answered so is left to
the loop over the bits that remain.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Statement,
    Writer,
    add,
    load64,
    mul,
    op,
    select,
    signed,
    sub,
)
from ruledsl.engine.code.masks import ALL_OF_THEM, NONE_OF_THEM, and_, not_, or_
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.boards import Boards
from ruledsl.engine.expressions.environment import Env, Expressions
from ruledsl.engine.expressions.subjects import Subject
from ruledsl.engine.expressions.unchanging import MOST_WORK, Key, Unchanging, bodies_of
from ruledsl.engine.memory.board_plans import reading_of
from ruledsl.engine.memory.layout import Span, category
from ruledsl.engine.sets.basic import WORD
from ruledsl.model import core
from ruledsl.model.names import free_in, names_in
from ruledsl.model.types import AnyType, MaybeType, may_be_none
from ruledsl.model.walk import walk
from ruledsl.table import mishaps
from ruledsl.table.things import Value

MOST_RANGE = 256
"""Values that a table of words has at most, where it goes by a value."""
OTHER = -1
"""The number of a name for what something in a definition is compared with."""


class WordConditions(Part):
    """Lowers conditions to bits."""

    def __init__(
        self, context: Context, expressions: Expressions, unchanging: Unchanging, boards: Boards
    ) -> None:
        super().__init__(context)
        self.expressions = expressions
        self.unchanging = unchanging
        self.boards = boards
        self._words: dict[object, int] = {}
        """addresses of tables of words, by what they are tables of"""
        self._harmless: dict[str, bool] = {}
        self._saying_the: dict[str, bool] = {}

    # ------------------------------------------------------------ conditions

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

    def mask(self, w: Writer, node: core.Expr, subject: Subject, env: Env) -> Code | None:
        """The elements that meet a condition, as bits; None if they can't be told all at once."""
        code: list[Statement] = []
        with w.into(code):
            found = self._mask(w, node, subject, env)
        if found is not None:
            w.out.extend(code)
        return found

    def masks(
        self, w: Writer, node: core.Expr, subjects: list[Subject], env: Env
    ) -> list[Code] | None:
        """The same for the elements of several words."""
        code: list[Statement] = []
        with w.into(code):
            found = [self.mask(w, node, subject, env) for subject in subjects]
        masks = [mask for mask in found if mask is not None]
        if len(masks) < len(subjects):
            return None
        w.out.extend(code)
        return masks

    def _mask(self, w: Writer, node: core.Expr, subject: Subject, env: Env) -> Code | None:
        if subject.number not in names_in(node):
            return self._for_all(w, node, env)
        still = self._still_mask(w, node, subject, env)
        if still is not None:
            return still
        match node:
            case core.Both(left=left, right=right):
                one = self.mask(w, left, subject, env)
                if one is None:
                    return None
                two = self.mask(w, right, subject.having(one), env)
                return None if two is None else and_(one, two)
            case core.Either(left=left, right=right):
                one = self.mask(w, left, subject, env)
                if one is None:
                    return None
                two = self.mask(w, right, subject.having(not_(one)), env)
                return None if two is None else or_(one, two)
            case core.Not(operand=operand):
                mask = self.mask(w, operand, subject, env)
                return None if mask is None else not_(mask)
            case core.Empty(whole=core.Contents(place=place)):
                held = self._seen_from(
                    w, place, self.boards.occupied(*subject.places), subject, env
                )
                return None if held is None else not_(held)
            case core.Compare():
                return self._compared(w, node, subject, env)
            case core.Member(element=element, whole=core.SetOf(items=items)):
                return self._one_of(w, element, items, subject, env)
            case core.Member(element=core.Local(number=number), whole=whole):
                if number == subject.number and number not in names_in(whole):
                    return self._members(w, whole, subject, env)
                return None
            case core.ReadState(subject=core.Expression() as piece):
                place_of = self._piece_from(w, piece, subject, env)
                if place_of is None:
                    return None
                found = self.boards.showing(w, *subject.places, reading_of(node), 1, node.type)
                return self._seen_from(w, place_of, found, subject, env)
            case core.CallDefine():
                return self._defined(w, node, subject, env)
            case _:
                return None

    def _for_all(self, w: Writer, node: core.Expr, env: Env) -> Code | None:
        """A condition that is the same for all elements, if it costs next to nothing."""
        found = self.at_once(w, node, env)
        if found is None:
            return None
        if isinstance(found, int):
            return ALL_OF_THEM if found else NONE_OF_THEM
        return ("i64.extend_i32_s", sub(0, found))

    def at_once(self, w: Writer, node: core.Expr, env: Env, *, value: bool = False) -> Code | None:
        """A value or condition that can be worked out without being asked for: it can't fail."""
        if not free_in(node) <= env.keys() or not self.harmless(node):
            return None
        code: list[Statement] = []
        with w.into(code):
            found = w.once(
                self.expressions.value(w, node, env)
                if value
                else self.expressions.condition(w, node, env)
            )
        if _goes_far(code):
            return None
        w.out.extend(code)
        return found

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

    def _still_mask(self, w: Writer, node: core.Expr, subject: Subject, env: Env) -> Code | None:
        """A condition that never changes, in a table of words by all else it depends on."""
        found = self.unchanging.still(node)
        keys = (
            None
            if found is None
            else self.unchanging.look_up_keys(w, found, env, without=subject.number)
        )
        if keys is None:
            return None
        total = prod(len(key.things) for key in keys)
        if total * len(subject.things) > MOST_WORK:
            return None
        name = ("mask", node, subject.number, subject.span, tuple(key.number for key in keys))
        if name not in self._words:
            all_keys = [*keys, Key(subject.number, list(subject.things), 0)]
            values = list(self.unchanging.all_values(node, all_keys))
            size = len(subject.things)
            self._words[name] = self.layout.words(
                [_bits(values[at : at + size]) for at in range(0, len(values), size)]
            )
        index = self.unchanging.index_of(keys)
        return load64(add(mul(index, 8), self._words[name]))

    def _values_of(self, node: core.Expr, subject: Subject) -> list[int | None] | None:
        """What an expression that depends on the subject alone is for each element."""
        found = self.unchanging.still(node)
        if found is None or found.you or found.locals.keys() != {subject.number}:
            return None
        kind = category(node.type)
        if kind == "set":
            return None
        values = self.unchanging.all_values(node, [Key(subject.number, list(subject.things), 0)])
        return [None if value is None else self.layout.encode(value, kind) for value in values]

    # ------------------------------------------------------------ comparisons

    def _compared(self, w: Writer, node: core.Compare, subject: Subject, env: Env) -> Code | None:
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
        for side, other, sign in (
            (node.left, node.right, node.sign),
            (node.right, node.left, turned.get(node.sign, node.sign)),
        ):
            if subject.number in names_in(other):
                continue
            if sign in ("=", "!="):
                equal = self._equal(w, side, other, subject, env)
                if equal is not None:
                    return equal if sign == "=" else not_(equal)
            else:
                return self._by_size(w, sign, side, other, subject, env)
        return None

    def _equal(
        self, w: Writer, side: core.Expr, other: core.Expr, subject: Subject, env: Env
    ) -> Code | None:
        """The elements for which something is equal to what is the same for all."""
        if isinstance(other, core.Constant) and other.value is None:
            place = self._piece_from(w, side, subject, env)
            if place is None:
                return None
            held = self._seen_from(w, place, self.boards.occupied(*subject.places), subject, env)
            return None if held is None else not_(held)
        if category(other.type) == "set":
            return None
        if isinstance(side, core.Local) and side.number == subject.number:
            return self._bit(w, other, subject, env)
        read = self._read_from(side, subject)
        if read is not None:
            piece, reading = read
            place = self._piece_from(w, piece, subject, env)
            if place is not None:
                value = self.at_once(w, other, env, value=True)
                if value is None:
                    return None
                found = self.boards.showing(w, *subject.places, reading, value, other.type)
                return self._seen_from(w, place, found, subject, env)
        if isinstance(side, core.CallDefine):
            inner = self._unfolded(w, side, subject, env)
            if inner is not None:
                body, within, around = inner
                value = self.at_once(w, other, env, value=True)
                if value is None:
                    return None
                fixed = core.Local("other", OTHER, type=other.type)
                return self._equal(w, body, fixed, within, {**around, OTHER: value})
        return self._by_value(w, side, other, subject, env)

    def _read_from(self, side: core.Expr, subject: Subject) -> tuple[core.Expr, str] | None:
        """A piece, and what is read from it, the same from all kinds that have it."""
        match side:
            case core.ReadIndex() | core.ReadColumn() | core.ReadState():
                return None if side.subject is None else (side.subject, reading_of(side))
            case core.ByKind(subject=piece, local=local, arms=arms):
                readings = {self._reading_from(arm, local) for _, arm in arms}
                reading = readings.pop()
                known = {kind for kinds, _ in arms for kind in kinds}
                if readings or reading is None or self._others_have(reading, known, subject):
                    return None
                return piece, reading
            case _:
                return None

    def _reading_from(self, arm: core.Expr, local: core.Local) -> str | None:
        match arm:
            case (
                core.ReadIndex(subject=core.Local(number=number))
                | core.ReadColumn(subject=core.Local(number=number))
            ) if number == local.number:
                return reading_of(arm)
            case _:
                return None

    def _others_have(self, reading: str, kinds: set[str], subject: Subject) -> bool:
        """Whether a board says something about pieces of other kinds."""
        kind, part = subject.places
        board = self.layout.boards.get((kind, reading, part))
        if board is None or board.plan.values is None:
            return True
        pieces = zip(board.plan.values, self.layout.things, strict=False)
        return any(value >= 0 and piece.kind not in kinds for value, piece in pieces)

    def _bit(self, w: Writer, other: core.Expr, subject: Subject, env: Env) -> Code | None:
        """The one element that is a given thing."""
        value = self.at_once(w, other, env, value=True)
        if value is None:
            return None
        return subject.bit(value)

    def _by_value(
        self, w: Writer, side: core.Expr, other: core.Expr, subject: Subject, env: Env
    ) -> Code | None:
        """What never changes about an element is equal to a value: a table of words by values."""
        values = self._values_of(side, subject)
        if values is None:
            return None
        there = [value for value in values if value is not None]
        if not there:
            return NONE_OF_THEM
        low, count = min(there), max(there) - min(there) + 1
        if count > MOST_RANGE:
            return None
        value = self.at_once(w, other, env, value=True)
        if value is None:
            return None
        words = [
            signed(sum(1 << at for at, each in enumerate(values) if each == number))
            for number in range(low, low + count)
        ]
        if isinstance(value, int):
            return ("i64", words[value - low] if low <= value < low + count else 0)
        table = self._word_table(words)
        at = w.once(sub(value, low))
        index = w.once(select(op("i32.lt_u", at, count), at, count))
        return load64(add(mul(index, 8), table))

    def _by_size(
        self,
        w: Writer,
        sign: str,
        side: core.Expr,
        other: core.Expr,
        subject: Subject,
        env: Env,
    ) -> Code | None:
        """What never changes about an element is more or less than a number."""
        values = self._values_of(side, subject)
        if values is None or may_be_none(other.type):
            return None
        there = [value for value in values if value is not None]
        if not there:
            return NONE_OF_THEM
        low, high = min(there) - 1, max(there) + 1
        if high - low > MOST_RANGE:
            return None
        value = self.at_once(w, other, env, value=True)
        if value is None:
            return None
        words = [
            signed(
                sum(
                    1 << at
                    for at, each in enumerate(values)
                    if each is not None and _compare(sign, each, number)
                )
            )
            for number in range(low, high + 1)
        ]
        if isinstance(value, int):
            return ("i64", words[min(max(value, low), high) - low])
        x = w.once(select(op("i32.gt_s", value, high), high, value))
        x = w.once(select(op("i32.lt_s", x, low), low, x))
        return load64(add(mul(sub(x, low), 8), self._word_table(words)))

    def _word_table(self, words: list[int]) -> int:
        key = ("words", *words)
        if key not in self._words:
            self._words[key] = self.layout.words([*words, 0])
        return self._words[key]

    # ------------------------------------------------------------ other forms

    def _one_of(
        self,
        w: Writer,
        element: core.Expr,
        items: tuple[core.Expr, ...],
        subject: Subject,
        env: Env,
    ) -> Code | None:
        """Something is one of a few things written out."""
        found: Code = NONE_OF_THEM
        for item in items:
            if subject.number in names_in(item):
                return None
            mask = self._equal(w, element, item, subject, env)
            if mask is None:
                return None
            found = or_(found, mask)
        return found

    def _members(self, w: Writer, whole: core.Expr, subject: Subject, env: Env) -> Code | None:
        """The elements that are in another set, too."""
        if not free_in(whole) <= env.keys() or not self.harmless(whole):
            return None
        other = self.expressions.set(w, whole, env)
        if other.span is None or other.span[1] > WORD:
            return None
        by = other.span[0] - subject.span[0]
        word = w.once(other.bits(w), "i64")
        if not by:
            return word
        if abs(by) >= WORD:
            return NONE_OF_THEM
        return ("i64.shl", word, ("i64", by)) if by > 0 else ("i64.shr_u", word, ("i64", -by))

    def _piece_from(
        self, w: Writer, node: core.Expr, subject: Subject, env: Env
    ) -> core.Expr | None:
        """The same; if rules say `the` piece, it has to be there for all that are asked for."""
        place = self._place_below(node, subject)
        if place is None or not self.context.checked or not self._says_the(node):
            return place
        if not self.context.lightly or subject.among is None:
            return None
        held = self._seen_from(w, place, self.boards.occupied(*subject.places), subject, env)
        if held is None:
            return None
        with w.when(("i64.ne", and_(subject.among, not_(held)), NONE_OF_THEM)):
            self.context.suspect(w, mishaps.not_the_only(0), node.span)
        return place

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
                return place if self._is_near(place, subject) else None
            case core.Query(word="the", where=None, running=None, order=(), draws=(draw,)):
                match draw.domain:
                    case core.Contents(place=place):
                        return place if self._is_near(place, subject) else None
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

    def _is_near(self, place: core.Expr, subject: Subject) -> bool:
        match place:
            case core.Local(number=number):
                return number == subject.number
            case core.ReadFeature(
                feature="go", subject=core.Local(number=number), arguments=(way,)
            ):
                return number == subject.number and subject.number not in names_in(way)
            case _:
                return False

    def _seen_from(
        self, w: Writer, place: core.Expr, mask: Code | None, subject: Subject, env: Env
    ) -> Code | None:
        """The elements for which a place, they themselves or the next in a direction, has a bit."""
        if mask is None or not self._is_near(place, subject):
            return None
        if not isinstance(place, core.ReadFeature):
            return mask
        (way,) = place.arguments
        steps = self._steps(subject)
        if steps is None or may_be_none(way.type):
            return None
        value = self.at_once(w, way, env, value=True)
        if value is None:
            return None
        first = self.layout.first["Dir"]
        if isinstance(value, int):
            turn, there = steps[value - first]
            return ("i64.and", ("i64.rotr", mask, ("i64", turn)), ("i64", there))
        turns = self._word_table([turn for turn, _ in steps])
        theres = self._word_table([there for _, there in steps])
        at = w.once(mul(sub(value, first), 8))
        turned = ("i64.rotr", mask, load64(add(at, turns)))
        return ("i64.and", turned, load64(add(at, theres)))

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
            found.append((turns.pop() % WORD if turns else 0, signed(there)))
        return found

    def _defined(self, w: Writer, node: core.CallDefine, subject: Subject, env: Env) -> Code | None:
        """A definition whose parameter the subject is."""
        inner = self._unfolded(w, node, subject, env)
        return None if inner is None else self.mask(w, *inner)

    def _unfolded(
        self, w: Writer, node: core.CallDefine, subject: Subject, env: Env
    ) -> tuple[core.Expr, Subject, Env] | None:
        """What a definition says, with the subject and all else by the names it has there."""
        info = self.game.defines[node.define]
        if info.rows or info.body is None:
            return None
        inner: Env = {}
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
            value = self.at_once(w, argument, env, value=True)
            if value is None:
                return None
            inner[param.local.number] = value
        if number is None:
            return None
        return info.body, attrs.evolve(subject, number=number), inner


def _bits(values: list[Value]) -> int:
    return sum(1 << at for at, value in enumerate(values) if value is True)


def _compare(sign: str, left: int, right: int) -> bool:
    match sign:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


def _goes_far(statements: Iterable[Statement]) -> bool:
    """Whether code goes through something, or calls what may."""
    for statement in statements:
        if statement[0] in ("loop", "do", "dispatch"):
            return True
        for part in statement[1:]:
            if isinstance(part, list) and _goes_far(part):
                return True
            if isinstance(part, tuple) and _calls(part):
                return True
    return False


def _calls(code: Code) -> bool:
    return isinstance(code, tuple) and (code[0] == "call" or any(map(_calls, code[1:])))
