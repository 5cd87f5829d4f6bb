"""The value of an expression, on a table and in a position.

Every expression becomes a function of position and frame once; a frame is the list of a
procedure's locals. Sizes and cells of tables are evaluated without a position: the checker has
made sure that they read none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, assert_never

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.facts import changes_in_play
from ruledsl.model.game import DefineInfo
from ruledsl.model.walk import expressions, walk
from ruledsl.table import mishaps
from ruledsl.table.costs import MOST_REMEMBERED, weight
from ruledsl.table.errors import RulesError
from ruledsl.table.features import FEATURES
from ruledsl.table.limits import FEW
from ruledsl.table.number_functions import MEANINGS
from ruledsl.table.position import Position
from ruledsl.table.queries import Evaluate, Frame, Queries, as_set, within
from ruledsl.table.things import Thing, Value, in_order

if TYPE_CHECKING:
    from ruledsl.table.table import Table


def frame_size(*parts: object) -> int:
    """How many locals a procedure needs."""
    numbers = (
        part.number for one in parts for part in walk((one,)) if isinstance(part, core.Local)
    )
    return max(numbers, default=-1) + 1


class Runner(Protocol):
    """What running rules supply to expressions."""

    def would(
        self, pos: Position, step: str, given: tuple[Value, ...], body: Evaluate, frame: Frame
    ) -> Value:
        """The value of an expression in the position after a step."""

    def can(
        self,
        pos: Position,
        action: str,
        fixed: tuple[tuple[Value] | None, ...],
        chooser: Thing | None,
    ) -> bool:
        """Whether some choice of an action's open parameters (None) is legal."""

    def knows(self, pos: Position, viewer: Thing, piece: Thing) -> bool:
        """Whether a player sees a piece or knows where it is."""


class Evaluator(Queries):
    """Expressions of one table as functions.

    What needs the running of rules (`would`, `can`, `knows`) is supplied by the interpreter.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._defines: dict[str, Callable[[Position, tuple[Value, ...]], Value]] = {}
        self._still: dict[str, bool] = {}
        self._still_memo: dict[object, Value] = {}
        self._no_position = Position({}, {}, {}, None, ())
        self._compiled: dict[int, Evaluate] = {}
        self._sizes: dict[int, int] = {}
        self._runner: Runner | None = None

    def run_by(self, runner: Runner) -> None:
        """Who looks ahead from now on."""
        self._runner = runner

    def runner(self) -> Runner:
        assert self._runner is not None
        return self._runner

    def constant(self, expression: core.Expr, own: Thing | None = None) -> Value:
        """A value that needs no position; `own` is the thing a declaration is about."""
        key = id(expression)
        if key not in self._sizes:
            self._sizes[key] = frame_size(expression)
        frame: Frame = [None] * self._sizes[key]
        if own is not None:
            frame[:1] = [own]
        return self.compiled(expression)(self._no_position, frame)

    def compile(self, node: core.Expr) -> Evaluate:
        match node:
            case core.Constant(value=literal):
                return lambda pos, frame: literal
            case core.Local(number=number):
                return lambda pos, frame: frame[number]
            case core.Value() | core.Face() | core.Copy() | core.OptionValue():
                found = self._named(node)
                return lambda pos, frame: found
            case core.AllThings(kind=kind):
                things = self.table.things(kind)
                return lambda pos, frame: things
            case core.AllFaces(kind=kind):
                faces = self.table.faces(kind)
                return lambda pos, frame: faces
            case core.Special():
                return self._special(node)
            case core.PlaceAt(place=place, indexes=indexes):
                return self._place_at(place, indexes)
            case core.PlacesOf(place=place, indexes=indexes):
                return self._places_of(place, indexes)
            case core.Nth(kind=kind, numbers=numbers):
                return self._nth(kind, numbers)
            case core.Indexed(kind=kind, indexes=indexes):
                return self._indexed(kind, indexes)
            case core.ReadColumn(subject=subject, name=name):
                of = self.compile(subject)
                return lambda pos, frame: _column(of(pos, frame), name)
            case core.ReadIndex(subject=subject, name=name):
                of = self.compile(subject)
                return lambda pos, frame: _index(of(pos, frame), name)
            case core.ReadState(state=state, subject=subject):
                return self._read_state(state, subject)
            case core.ReadHistory(history=name):
                return lambda pos, frame: _times(pos, name)
            case core.ReadFeature():
                return self._feature(node)
            case core.ByKind():
                return self._by_kind(node)
            case core.Contents(place=place):
                return self._contents(place)
            case core.CallDefine(define=key, arguments=arguments):
                return self._call(key, arguments)
            case core.Negate(operand=operand):
                value_of = self._number(operand)
                return lambda pos, frame: -value_of(pos, frame)
            case core.Arithmetic():
                return self._arithmetic(node)
            case core.Combine():
                return self._combine(node)
            case core.Interval(low=low, high=high):
                return self._interval(low, high, node.span)
            case core.Compare():
                return self._compare(node)
            case core.Member(element=element, whole=whole):
                one, all_ = self.compile(element), self.compile(whole)
                return lambda pos, frame: _member(one(pos, frame), all_(pos, frame))
            case core.IsFace(subject=subject, face=face):
                shown, wanted = self.compile(subject), self.compile(face)
                return lambda pos, frame: _is_face(shown(pos, frame), wanted(pos, frame))
            case core.IsKind(subject=subject, kind=kind):
                of = self.compile(subject)
                return lambda pos, frame: getattr(of(pos, frame), "kind", None) == kind
            case core.Not(operand=operand):
                held = self.compile(operand)
                return lambda pos, frame: not held(pos, frame)
            case core.Both(left=left, right=right):
                one, other = self.compile(left), self.compile(right)
                return lambda pos, frame: bool(one(pos, frame) and other(pos, frame))
            case core.Either(left=left, right=right):
                one, other = self.compile(left), self.compile(right)
                return lambda pos, frame: bool(one(pos, frame) or other(pos, frame))
            case core.Conditional(condition=condition, yes=yes, no=no):
                test, then, otherwise = map(self.compile, (condition, yes, no))
                return lambda pos, frame: (
                    then(pos, frame) if test(pos, frame) else otherwise(pos, frame)
                )
            case core.Case():
                return self._case(node)
            case core.SetOf(items=items):
                values = [self.compile(item) for item in items]
                return lambda pos, frame: in_order({value(pos, frame) for value in values} - {None})
            case core.Query():
                return self._query(node)
            case core.Sure(value=value):
                return self._the(value, node.span)
            case core.Extreme(word=word, items=items):
                numbers_of = [self._number(item) for item in items]
                best = max if word == "max" else min
                return lambda pos, frame: best(number(pos, frame) for number in numbers_of)
            case core.Empty(whole=whole):
                all_ = self.compile(whole)
                return lambda pos, frame: not all_(pos, frame)
            case core.Computed(function=name, operands=operands):
                meaning, given = MEANINGS[name], tuple(map(self._number, operands))
                return lambda pos, frame: meaning(*(each(pos, frame) for each in given))
            case core.Reach():
                return self._reach(node)
            case core.LongestTrail():
                return self._trail(node)
            case core.Would():
                return self._would(node)
            case core.Can():
                return self._can(node)
            case core.Knows(player=player, piece=piece):
                who, what = self.compile(player), self.compile(piece)
                return lambda pos, frame: self._known(pos, who(pos, frame), what(pos, frame))
            case _:
                assert_never(node)

    def compiled(self, node: core.Expr) -> Evaluate:
        """The function of an expression, made once."""
        key = id(node)
        if key not in self._compiled:
            self._compiled[key] = self.compile(node)
        return self._compiled[key]

    # ------------------------------------------------------------ what running rules supply

    def _would(self, node: core.Would) -> Evaluate:
        arguments = [self.compile(each) for each in node.arguments]
        body = self.compile(node.body)
        step = node.step

        def would(pos: Position, frame: Frame) -> Value:
            given = tuple(argument(pos, frame) for argument in arguments)
            return self.runner().would(pos, step, given, body, frame)

        return would

    def _can(self, node: core.Can) -> Evaluate:
        arguments = [None if each is None else self.compile(each) for each in node.arguments]
        by = None if node.by is None else self.compile(node.by)
        action = node.action

        def can(pos: Position, frame: Frame) -> Value:
            fixed = tuple(None if each is None else (each(pos, frame),) for each in arguments)
            chooser = pos.chooser if by is None else by(pos, frame)
            assert chooser is None or isinstance(chooser, Thing)
            return self.runner().can(pos, action, fixed, chooser)

        return can

    def _known(self, pos: Position, player: Value, piece: Value) -> bool:
        assert isinstance(player, Thing) and isinstance(piece, Thing)
        return self.runner().knows(pos, player, piece)

    # ------------------------------------------------------------ names

    def _named(self, node: core.Value | core.Face | core.Copy | core.OptionValue) -> Value:
        match node:
            case core.Value(kind=kind, name=name):
                return self.table.named(kind, name)
            case core.Face(kind=kind, name=name):
                return self.table.face(kind, name)
            case core.Copy(kind=kind, name=name):
                face = self.table.face(kind, name)
                copies = [piece for piece in self.table.things(kind) if piece.face is face]
                return copies[0] if copies else None
            case core.OptionValue(name=name):
                if name not in self.table.options:
                    raise RulesError(mishaps.option_of_itself(name), node.span)
                return self.table.options[name]
            case _:
                assert_never(node)

    def _special(self, node: core.Special) -> Evaluate:
        players = len(self.table.things("Player"))
        span = node.span
        match node.word:
            case "you":
                return lambda pos, frame: _someone(pos.you, "you", span)
            case "active":
                return lambda pos, frame: _someone(pos.active, "active", span)
            case "playing":
                return lambda pos, frame: pos.playing
            case "players":
                return lambda pos, frame: players
            case "finished":
                return lambda pos, frame: pos.finished
            case "winners":
                return lambda pos, frame: pos.winners
            case _:
                assert_never(node.word)

    def _place_at(self, place: str, indexes: tuple[core.Expr, ...]) -> Evaluate:
        if not indexes:
            only = self.table.place_at(place, ())
            return lambda pos, frame: only
        values = [self.compile(index) for index in indexes]
        places = self.table.family(place)
        return lambda pos, frame: places.get(tuple(value(pos, frame) for value in values))

    def _places_of(self, place: str, indexes: tuple[core.Expr, ...]) -> Evaluate:
        values = [self.compile(index) for index in indexes]
        boards = self.table.boards

        def find(pos: Position, frame: Frame) -> Value:
            found = tuple(value(pos, frame) for value in values)
            return None if None in found else boards.places_of(place, found)

        return find

    def _nth(self, kind: str, numbers: tuple[core.Expr, ...]) -> Evaluate:
        values = [self.compile(number) for number in numbers]
        table = self.table

        def find(pos: Position, frame: Frame) -> Value:
            return table.nth(kind, tuple(value(pos, frame) for value in values))

        return find

    def _indexed(self, kind: str, indexes: tuple[core.Expr, ...]) -> Evaluate:
        values = [self.compile(index) for index in indexes]
        things = self.table.family(kind)
        return lambda pos, frame: things.get(tuple(value(pos, frame) for value in values))

    # ------------------------------------------------------------ reading

    def _read_state(self, state: str, subject: core.Expr | None) -> Evaluate:
        if subject is None:
            key = (state, None)
            return lambda pos, frame: pos.slots[key]
        of = self.compile(subject)

        def read(pos: Position, frame: Frame) -> Value:
            owner = of(pos, frame)
            return None if owner is None else pos.slots[(state, owner)]  # type: ignore[index]

        return read

    def _feature(self, node: core.ReadFeature) -> Evaluate:
        of = self.compile(node.subject)
        read = FEATURES[node.feature]
        table = self.table
        if not node.arguments:

            def plain(pos: Position, frame: Frame) -> Value:
                subject = of(pos, frame)
                return None if subject is None else read(table, pos, subject, None)

            return plain
        argument = self.compile(node.arguments[0])

        def applied(pos: Position, frame: Frame) -> Value:
            subject, value = of(pos, frame), argument(pos, frame)
            if subject is None or value is None:
                return None
            return read(table, pos, subject, value)

        return applied

    def _by_kind(self, node: core.ByKind) -> Evaluate:
        of = self.compile(node.subject)
        number = node.local.number
        arms = {kind: self.compile(arm) for kinds, arm in node.arms for kind in kinds}

        def pick(pos: Position, frame: Frame) -> Value:
            subject = of(pos, frame)
            arm = arms.get(subject.kind) if isinstance(subject, Thing) else None
            if arm is None:
                return None
            frame[number] = subject
            return arm(pos, frame)

        return pick

    def _contents(self, place: core.Expr) -> Evaluate:
        of = self.compile(place)

        def contents(pos: Position, frame: Frame) -> Value:
            where = of(pos, frame)
            return None if where is None else pos.contents[where]  # type: ignore[index]

        return contents

    # ------------------------------------------------------------ definitions

    def _call(self, key: str, arguments: tuple[core.Expr, ...]) -> Evaluate:
        values = [self.compile(argument) for argument in arguments]
        defines = self._defines
        still_memo = self._still_memo if self._is_still(key) else None

        def call(pos: Position, frame: Frame) -> Value:
            given = tuple(value(pos, frame) for value in values)
            memo_key = (key, given)
            memo = pos.memo if still_memo is None else still_memo
            if memo_key in memo:
                return memo[memo_key]
            if key not in defines:
                defines[key] = self._define(key)
            result = defines[key](pos, given)
            # Looking ahead may have changed nothing: the memo belongs to this very position.
            memo = pos.memo if still_memo is None else still_memo
            if len(memo) >= MOST_REMEMBERED:
                memo.clear()
            memo[memo_key] = result
            return result

        return call

    def _is_still(self, key: str) -> bool:
        """Whether a definition never changes on this table, so that it is worked out once."""
        if key not in self._still:
            info = self.table.game.defines[key]
            bodies = tuple(b for b in (info.body, *(r.body for r in info.rows)) if b is not None)
            self._still[key] = all(map(self._part_is_still, expressions(bodies)))
        return self._still[key]

    def _part_is_still(self, part: core.Expr) -> bool:
        match part:
            case core.CallDefine(define=key):
                return self._is_still(key)
            case core.Special(word="you"):
                return False
            case _:
                return not changes_in_play(part)

    def _define(self, key: str) -> Callable[[Position, tuple[Value, ...]], Value]:
        info: DefineInfo = self.table.game.defines[key]
        parts = (info.body, *(row.body for row in info.rows))
        size = max(frame_size(*(p for p in parts if p is not None)), len(info.params))
        general = None if info.body is None else self.compile(info.body)
        rows = {row.row: self.compile(row.body) for row in info.rows}
        strict = [
            number for number, param in enumerate(info.params) if not _allows_none(param.type)
        ]
        span = info.span
        cost = weight(*(part for part in parts if part is not None))

        def apply(pos: Position, given: tuple[Value, ...]) -> Value:
            self.burn(cost, span)
            for number in strict:
                if given[number] is None:
                    return None
            frame: Frame = [*given] + [None] * (size - len(given))
            body = general
            if rows:
                body = rows.get(row_of(given[0]), general)
            if body is None:
                raise RulesError(mishaps.nothing_said(info.name, given[0]), span)
            return body(pos, frame)

        return apply

    # ------------------------------------------------------------ operators

    def _arithmetic(self, node: core.Arithmetic) -> Evaluate:
        left, right = self._number(node.left), self._number(node.right)
        span = node.span
        match node.sign:
            case "+":
                return lambda pos, frame: within(left(pos, frame) + right(pos, frame), span)
            case "-":
                return lambda pos, frame: within(left(pos, frame) - right(pos, frame), span)
            case "*":
                return lambda pos, frame: within(left(pos, frame) * right(pos, frame), span)
            case "/" | "mod":
                whole = node.sign == "/"

                def divide(pos: Position, frame: Frame) -> Value:
                    of, by = left(pos, frame), right(pos, frame)
                    if by == 0:
                        raise RulesError(mishaps.DIVISION, span)
                    return of // by if whole else of % by

                return divide
            case _:
                assert_never(node.sign)

    def _interval(self, low: core.Expr, high: core.Expr, span: Span) -> Evaluate:
        first, last = self._number(low), self._number(high)

        def numbers(pos: Position, frame: Frame) -> Value:
            start, stop = first(pos, frame), last(pos, frame)
            self.burn(max(0, stop - start), span)
            return tuple(range(start, stop + 1))

        return numbers

    def _combine(self, node: core.Combine) -> Evaluate:
        left, right = self.compile(node.left), self.compile(node.right)
        span = node.span

        def both(pos: Position, frame: Frame) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
            one, other = as_set(left(pos, frame)), as_set(right(pos, frame))
            if len(one) + len(other) > FEW:
                self.burn(len(one) + len(other), span)
            return one, other

        def joined(pos: Position, frame: Frame) -> Value:
            one, other = both(pos, frame)
            return in_order({*one, *other})

        def without(pos: Position, frame: Frame) -> Value:
            one, other = both(pos, frame)
            return in_order({*one} - {*other})

        return joined if node.sign == "+" else without

    def _compare(self, node: core.Compare) -> Evaluate:
        left, right = self.compile(node.left), self.compile(node.right)
        sign = node.sign
        for side, other in ((node.left, right), (node.right, left)):
            if isinstance(side, core.Constant) and side.value is None:
                if sign == "=":
                    return lambda pos, frame, other=other: other(pos, frame) is None  # type: ignore[misc]
                return lambda pos, frame, other=other: other(pos, frame) is not None  # type: ignore[misc]
        match sign:
            case "=":
                return lambda pos, frame: equal(left(pos, frame), right(pos, frame))
            case "!=":
                return lambda pos, frame: not equal(left(pos, frame), right(pos, frame))
            case "<":
                return lambda pos, frame: _less(left(pos, frame), right(pos, frame), False)
            case "<=":
                return lambda pos, frame: _less(left(pos, frame), right(pos, frame), True)
            case ">":
                return lambda pos, frame: _less(right(pos, frame), left(pos, frame), False)
            case ">=":
                return lambda pos, frame: _less(right(pos, frame), left(pos, frame), True)
            case _:
                assert_never(sign)

    def _case(self, node: core.Case) -> Evaluate:
        of = self.compile(node.subject)
        arms = [(self.compile(key), self.compile(value)) for key, value in node.arms]
        otherwise = None if node.otherwise is None else self.compile(node.otherwise)

        def pick(pos: Position, frame: Frame) -> Value:
            subject = of(pos, frame)
            for key, value in arms:
                if equal(subject, key(pos, frame)):
                    return value(pos, frame)
            return None if otherwise is None else otherwise(pos, frame)

        return pick

    def _the(self, node: core.Expr, span: Span) -> Evaluate:
        of = self.compile(node)

        def the(pos: Position, frame: Frame) -> Value:
            value = of(pos, frame)
            if value is None:
                raise RulesError(mishaps.NOT_THERE, span)
            return value

        return the


def row_of(value: Value) -> str:
    """The row that picks a body: the face of a piece, the name of any other thing."""
    assert isinstance(value, Thing)
    return value.name if value.face is None else value.face.name


def equal(left: Value, right: Value) -> bool:
    """Equality; none equals nothing, sets have no order."""
    if left is None or right is None:
        return False
    if isinstance(left, tuple) and isinstance(right, tuple):
        return left == right or set(left) == set(right)
    return left == right


def _allows_none(of: object) -> bool:
    return type(of).__name__ in ("MaybeType", "AnyType")


def _less(left: Value, right: Value, or_equal: bool) -> bool:
    if left is None or right is None:
        return False
    low = left.index if isinstance(left, Thing) else left
    high = right.index if isinstance(right, Thing) else right
    return low <= high if or_equal else low < high  # type: ignore[operator]


def _member(element: Value, whole: Value) -> bool:
    return element is not None and whole is not None and element in whole  # type: ignore[operator]


def _is_face(shown: Value, face: Value) -> bool:
    if not isinstance(shown, Thing) or face is None:
        return False
    return (shown if shown.face is None else shown.face) is face


def _column(subject: Value, name: str) -> Value:
    return subject.columns.get(name) if isinstance(subject, Thing) else None


def _index(subject: Value, name: str) -> Value:
    return subject.indexes.get(name) if isinstance(subject, Thing) else None


def _someone(player: Thing | None, word: str, span: Span) -> Value:
    if player is None:
        raise RulesError(mishaps.read_too_early(word), span)
    return player


def _times(pos: Position, name: str) -> int:
    """How often the position recorded last has occurred."""
    seen = pos.histories.get(name, ())
    return seen.count(seen[-1]) if seen else 0
