"""What can be said about values without playing: numbers, conditions, sets.

An answer is certain for every number of players, every option and every position; otherwise
there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ruledsl.model import core
from ruledsl.model.builtins import FUNCTIONS
from ruledsl.model.checks.graph import values
from ruledsl.model.game import Bounds, CheckedGame
from ruledsl.model.intervals import (
    ANY_NUMBER,
    NATURAL,
    Numbers,
    around,
    computed,
    extreme,
    negated,
)
from ruledsl.model.limits import limits
from ruledsl.model.types import (
    FaceType,
    FlagType,
    NumberType,
    ThingType,
    Type,
    may_be_none,
    plain,
)

Locals: TypeAlias = Mapping[core.Local, Numbers]
Known: TypeAlias = frozenset[core.Expr]
"""Conditions that hold here."""

NO_LOCALS: Locals = {}
NOTHING_KNOWN: Known = frozenset()

MOST_PLAYERS = Numbers(1, 32)

_IMPLIED = {
    "<": {"<", "<=", "!="},
    "<=": {"<="},
    ">": {">", ">=", "!="},
    ">=": {">="},
    "=": {"=", "<=", ">="},
    "!=": {"!="},
}
"""Signs that hold when one holds."""
_EXCLUDED = {
    "<": {">=", ">", "="},
    "<=": {">"},
    ">": {"<=", "<", "="},
    ">=": {"<"},
    "=": {"!=", "<", ">"},
    "!=": {"="},
}
"""Signs that can't hold when one holds."""


class Values:
    """Estimates of expressions.

    With `named`, definitions and tables are looked into; without, they count as unknown, since
    a number that has a name is there to be changed.
    """

    def __init__(self, game: CheckedGame, *, named: bool) -> None:
        self.game = game
        self.named = named
        self._defined: dict[tuple[str, tuple[Numbers, ...]], Numbers] = {}
        self._options: dict[str, Numbers] = {}

    # ------------------------------------------------------------ numbers

    def numbers(self, node: core.Expr, env: Locals = NO_LOCALS) -> Numbers:
        match node:
            case core.Constant(value=bool() | None):
                return ANY_NUMBER
            case core.Constant(value=int() as value):
                return Numbers(value, value)
            case core.Local():
                return env.get(node, ANY_NUMBER)
            case core.Special(word="players"):
                return self._players()
            case core.OptionValue(name=name):
                return self._option(name)
            case core.ReadState(state=state):
                info = self.game.states.get(state)
                return ANY_NUMBER if info is None else self.bounded(info.bounds)
            case core.ReadHistory():
                return NATURAL
            case core.ReadColumn(subject=subject, name=name):
                return self._column(subject.type, name)
            case core.ReadFeature(feature="seat"):
                return Numbers(1, self._players().high)
            case core.ReadFeature(type=of) if isinstance(plain(of), NumberType):
                least = limits(of).low
                return Numbers(least) if isinstance(least, int) else ANY_NUMBER
            case core.Query(word="count", draws=draws):
                most = self.most(draws[0].domain, env) if len(draws) == 1 else None
                return NATURAL if most is None else Numbers(0, most)
            case core.Query(word="max" | "min", draws=draws, body=core.Expression() as body):
                return self.numbers(body, self.drawn(draws, env))
            case core.Sure(value=value):
                return self.numbers(value, env)
            case core.Query(word="first" | "the", draws=draws):
                return self.elements(draws[0].domain, env)
            case core.CallDefine(define=key, arguments=arguments):
                return self._call(key, tuple(self.numbers(each, env) for each in arguments))
            case core.Negate(operand=operand):
                return negated(self.numbers(operand, env))
            case core.Arithmetic(sign=sign, left=left, right=right):
                return computed(sign, self.numbers(left, env), self.numbers(right, env))
            case core.Conditional(yes=yes, no=no):
                return around((self.numbers(yes, env), self.numbers(no, env)))
            case core.Case(arms=arms, otherwise=otherwise):
                given = [value for _, value in arms]
                given += [] if otherwise is None else [otherwise]
                return around(self.numbers(value, env) for value in given)
            case core.Extreme(word=word, items=items):
                return extreme(word, [self.numbers(item, env) for item in items])
            case core.Computed(function=name, operands=operands):
                ends = FUNCTIONS[name].ends
                assert ends is not None
                return ends(*(self.numbers(each, env) for each in operands))
            case _:
                return ANY_NUMBER

    def elements(self, whole: core.Expr, env: Locals = NO_LOCALS) -> Numbers:
        """The numbers in a set."""
        match whole:
            case core.Interval(low=low, high=high):
                found = Numbers(self.numbers(low, env).low, self.numbers(high, env).high)
                return ANY_NUMBER if found.apart(found) else found
            case core.SetOf(items=items):
                return around(self.numbers(item, env) for item in items)
            case core.Query(word="filter", draws=draws):
                return self.elements(draws[0].domain, env)
            case _:
                return ANY_NUMBER

    def bounded(self, bounds: Bounds | None) -> Numbers:
        if bounds is None:
            return ANY_NUMBER
        return Numbers(self.numbers(bounds.low).low, self.numbers(bounds.high).high)

    def drawn(self, draws: Iterable[core.Draw], env: Locals) -> Locals:
        """The locals with those that are drawn from sets."""
        inner = dict(env)
        for draw in draws:
            inner[draw.local] = self.elements(draw.domain, inner)
        return inner

    def positive(self, node: core.Expr) -> bool:
        return self.numbers(node).low > 0

    def _players(self) -> Numbers:
        # A library does not know who will use it.
        players = self.game.players if "play" in self.game.steps else ()
        return Numbers(min(players), max(players)) if players else MOST_PLAYERS

    def _option(self, name: str) -> Numbers:
        if name not in self._options:
            self._options[name] = ANY_NUMBER  # a circle is reported elsewhere
            self._options[name] = self.elements(self.game.options[name].domain)
        return self._options[name]

    def _column(self, of: Type, name: str) -> Numbers:
        inner = plain(of)
        if not self.named or not isinstance(inner, ThingType | FaceType):
            return ANY_NUMBER
        kinds = inner.kinds if isinstance(inner, ThingType) else {inner.kind}
        columns = [self.game.kinds[kind].column(name) for kind in kinds]
        cells = [cell for column in columns if column is not None for cell in column.cells]
        return around(
            self.numbers(cell)
            for cell in cells
            if not (isinstance(cell, core.Constant) and cell.value is None)
        )

    def _call(self, key: str, arguments: tuple[Numbers, ...]) -> Numbers:
        if not self.named:
            return ANY_NUMBER
        memo = (key, arguments)
        if memo not in self._defined:
            self._defined[memo] = ANY_NUMBER
            info = self.game.defines[key]
            env = dict(zip((param.local for param in info.params), arguments, strict=False))
            bodies = values(info)
            if not info.rows:
                self._defined[memo] = around(self.numbers(body, env) for body in bodies)
        return self._defined[memo]

    # ------------------------------------------------------------ sets

    def empty(self, whole: core.Expr, env: Locals = NO_LOCALS) -> bool:
        """Whether a set is certainly empty."""
        match whole:
            case core.SetOf(items=items):
                return not items
            case core.Interval(low=low, high=high):
                return self.numbers(high, env).below(self.numbers(low, env))
            case core.Query(word="filter" | "image", draws=draws, where=where):
                if any(self.empty(draw.domain, env) for draw in draws):
                    return True
                inner = self.drawn(draws, env)
                return where is not None and self.judged(where, inner) is False
            case core.Combine(sign="+", left=left, right=right):
                return self.empty(left, env) and self.empty(right, env)
            case core.Combine(left=left, right=right):
                return left == right or self.empty(left, env)
            case _:
                return False

    def filled(self, whole: core.Expr, env: Locals = NO_LOCALS) -> bool:
        """Whether a set certainly has an element."""
        match whole:
            case core.SetOf(items=items):
                return bool(items)
            case core.Interval(low=low, high=high):
                return self.numbers(low, env).up_to(self.numbers(high, env))
            case core.AllThings(kind=kind):
                info = self.game.kinds[kind]
                return info.sort == "player" or (bool(info.rows) and info.piece is None)
            case core.AllFaces():
                return True
            case _:
                return False

    def most(self, whole: core.Expr, env: Locals = NO_LOCALS) -> int | None:
        """The greatest number of elements a set can have, where that is known."""
        match whole:
            case core.SetOf(items=items):
                return len(items)
            case core.Interval(low=low, high=high):
                first, last = self.numbers(low, env).least, self.numbers(high, env).most
                if first is None or last is None:
                    return None
                return max(0, last - first + 1)
            case core.AllThings(kind=kind):
                info = self.game.kinds[kind]
                if info.sort == "player":
                    return self._players().most
                return len(info.rows) if info.rows and info.piece is None else None
            case core.AllFaces(kind=kind):
                return len(self.game.kinds[kind].rows)
            case core.Contents(place=place):
                return self._room(place.type)
            case core.Query(word="filter", draws=draws):
                return self.most(draws[0].domain, env)
            case _:
                return None

    def _room(self, of: Type) -> int | None:
        """What fits into the largest of some places."""
        inner = plain(of)
        if not isinstance(inner, ThingType):
            return None
        most = 0
        for kind in inner.kinds:
            place = self.game.kinds[kind].place
            if place is None or place.room is None:
                return None
            high = self.numbers(place.room).most
            if high is None:
                return None
            most = max(most, high)
        return most

    # ------------------------------------------------------------ conditions

    def judged(
        self, node: core.Expr, env: Locals = NO_LOCALS, known: Known = NOTHING_KNOWN
    ) -> bool | None:
        """Whether a condition always or never holds; None where that is open."""
        remembered = _remembered(node, known)
        if remembered is not None:
            return remembered
        match node:
            case core.Constant(value=bool() as value):
                return value
            case core.Not(operand=operand):
                return _negated(self.judged(operand, env, known))
            case core.Both(left=left, right=right):
                one = self.judged(left, env, known)
                other = self.judged(right, env, known | conjuncts(left))
                return False if False in (one, other) else (one and other)
            case core.Either(left=left, right=right):
                one = self.judged(left, env, known)
                other = self.judged(right, env, known | {negation(left)})
                return True if True in (one, other) else (one if one is None else other)
            case core.Conditional(condition=condition, yes=yes, no=no):
                held = self.judged(condition, env, known)
                sides = (self.judged(yes, env, known), self.judged(no, env, known))
                if held is not None:
                    return sides[0] if held else sides[1]
                return sides[0] if sides[0] == sides[1] else None
            case core.Compare():
                return self._compared(node, env)
            case core.Member(element=element, whole=whole):
                return self._member(element, whole, env)
            case core.Empty(whole=whole):
                return (
                    True if self.empty(whole, env) else False if self.filled(whole, env) else None
                )
            case core.IsKind(subject=subject, kind=kind):
                of = subject.type
                return True if of == ThingType(frozenset({kind})) else None
            case core.IsFace(subject=core.Face(name=one), face=core.Face(name=other)):
                return one == other
            case core.Query(word="any" | "all"):
                return self._query(node, env, known)
            case _:
                return None

    def _compared(self, node: core.Compare, env: Locals) -> bool | None:
        left, right, sign = node.left, node.right, node.sign
        sure = not (may_be_none(left.type) or may_be_none(right.type))
        result: bool | None = None
        if left == right:
            result = sign in ("=", "<=", ">=")
        elif isinstance(left, core.Value) and isinstance(right, core.Value):
            result = self._ordered(left, right, sign)
        elif isinstance(left, core.Face) and isinstance(right, core.Face):
            result = (left.name == right.name) == (sign == "=")
        elif isinstance(right, core.Constant) and right.value is None:
            result = self._never_none(left, sign)
        elif isinstance(plain(left.type), NumberType):
            result = _by_size(sign, self.numbers(left, env), self.numbers(right, env))
        # With none a comparison is no, and its negation yes.
        if result is None or sure or result == (sign == "!="):
            return result
        return None

    def _ordered(self, left: core.Value, right: core.Value, sign: str) -> bool | None:
        if left.kind != right.kind:
            return None
        rows = self.game.kinds[left.kind].rows
        if left.name not in rows or right.name not in rows:
            return None
        one, other = (Numbers(at, at) for at in (rows.index(left.name), rows.index(right.name)))
        return _by_size(sign, one, other)

    def _never_none(self, node: core.Expr, sign: str) -> bool | None:
        """`x = none` of what is declared never to be none."""
        declared = isinstance(plain(node.type), ThingType | NumberType | FaceType | FlagType)
        if isinstance(node, core.Local | core.ReadState) and declared:
            return None if may_be_none(node.type) else sign == "!="
        return None

    def _member(self, element: core.Expr, whole: core.Expr, env: Locals) -> bool | None:
        if self.empty(whole, env):
            return False
        sure = not may_be_none(element.type)
        match whole:
            case core.Interval(low=low, high=high):
                number = self.numbers(element, env)
                first, last = self.numbers(low, env), self.numbers(high, env)
                if number.below(first) or last.below(number):
                    return False
                return True if sure and first.up_to(number) and number.up_to(last) else None
            case core.SetOf(items=items):
                if isinstance(element, core.Value | core.Face | core.Constant):
                    if all(type(item) is type(element) for item in items):
                        return element in items
                return True if sure and element in items else None
            case core.AllThings(kind=kind):
                inner = plain(element.type)
                return True if sure and inner == ThingType(frozenset({kind})) else None
            case core.Query(word="filter", draws=draws):
                return False if self._member(element, draws[0].domain, env) is False else None
            case _:
                return None

    def _query(self, node: core.Query, env: Locals, known: Known) -> bool | None:
        every = node.word == "all"
        if any(self.empty(draw.domain, env) for draw in node.draws):
            return every
        inner = self.drawn(node.draws, env)
        known = known | {core.Member(draw.local, draw.domain) for draw in node.draws}
        held = None if node.where is None else self.judged(node.where, inner, known)
        if node.where is not None and held is False:
            return every
        filled = all(self.filled(draw.domain, env) for draw in node.draws)
        passed = filled and node.running is None and (node.where is None or held is True)
        if not every:
            return True if passed else None
        result = None if node.body is None else self.judged(node.body, inner, known)
        return result if result or (passed and result is False) else None


# ---------------------------------------------------------------- what conditions say


def conjuncts(node: core.Expr) -> Known:
    """What holds when a condition holds."""
    match node:
        case core.Both(left=left, right=right):
            return conjuncts(left) | conjuncts(right)
        case core.Not(operand=core.Not(operand=operand)):
            return conjuncts(operand)
        case core.Not(operand=core.Either(left=left, right=right)):
            return conjuncts(negation(left)) | conjuncts(negation(right))
        case _:
            return frozenset({node})


def negation(node: core.Expr) -> core.Expr:
    return node.operand if isinstance(node, core.Not) else core.Not(node, type=node.type)


def _remembered(node: core.Expr, known: Known) -> bool | None:
    if not known:
        return None
    if node in known:
        return True
    if negation(node) in known:
        return False
    if isinstance(node, core.Compare):
        for held in known:
            if isinstance(held, core.Compare) and held.left == node.left:
                if held.right == node.right:
                    if node.sign in _IMPLIED[held.sign]:
                        return True
                    if node.sign in _EXCLUDED[held.sign]:
                        return False
    return None


def _negated(held: bool | None) -> bool | None:
    return None if held is None else not held


def _by_size(sign: str, left: Numbers, right: Numbers) -> bool | None:
    match sign:
        case "=":
            if left.apart(right):
                return False
            return True if left.only is not None and left.only == right.only else None
        case "!=":
            return _negated(_by_size("=", left, right))
        case "<":
            return True if left.below(right) else False if right.up_to(left) else None
        case "<=":
            return True if left.up_to(right) else False if right.below(left) else None
        case ">":
            return _by_size("<", right, left)
        case _:
            return _by_size("<=", right, left)
