"""What is known at a point of the rules: which expressions are not none, and of which kinds."""

from __future__ import annotations

from typing import Literal

import attrs

from ruledsl.model import core
from ruledsl.model.builtins import Feature, read_by
from ruledsl.model.limits import high_of, limits, low_of
from ruledsl.model.touching import Touched
from ruledsl.model.types import (
    AnyType,
    NothingType,
    NumberType,
    SetType,
    ThingType,
    Type,
    may_be_none,
    maybe,
    meet_numbers,
    plain,
)
from ruledsl.model.walk import expressions


def reads_table(expression: core.Expr) -> bool:
    """Whether the value may change when pieces move or slots are set."""
    return any(
        isinstance(part, core.CallDefine) or changes_in_play(part)
        for part in expressions(expression)
    )


def changes_in_play(part: core.Expr) -> bool:
    """Whether this part itself, not what it is made of, reads the table."""
    match part:
        case core.ReadState() | core.ReadHistory() | core.Contents():
            return True
        case core.Would() | core.Can():
            return True
        case core.ReadFeature(feature=feature):
            return read_by(feature) != "nothing"
        case core.Special(word=word):
            return word in ("active", "playing", "finished", "winners")
        case _:
            return False


def is_written(expression: core.Expr) -> bool:
    """Whether it is a thing written out, such as `rome` or `Cell(3, 4)`: that can be tried out."""
    match expression:
        case core.Value():
            return True
        case core.Nth(numbers=numbers):
            return all(isinstance(number, core.Constant) for number in numbers)
        case _:
            return False


@attrs.frozen
class Facts:
    """Narrower types of expressions, found by the conditions passed on the way."""

    known: dict[core.Expr, Type] = attrs.field(factory=dict)

    def narrowed(self, expression: core.Expr) -> core.Expr:
        """The expression with the type known here."""
        # Where nothing is known, nobody has to look at all of an expression to look it up.
        known = self.known.get(expression) if self.known else None
        if known is None:
            return expression
        return attrs.evolve(expression, type=_meet(expression.type, known))

    def after(self, change: Touched) -> Facts:
        """What still holds after a change of the table."""
        return Facts({e: t for e, t in self.known.items() if not change.concerns(e)})

    def assume(self, condition: core.Expr, holds: bool) -> Facts:
        """What is known when the condition holds, or when it doesn't."""
        known = dict(self.known)
        _learn(known, condition, holds)
        return Facts(known)


def _meet(one: Type, other: Type) -> Type:
    """The type of what is of both types."""
    base, narrow = plain(one), plain(other)
    if isinstance(base, AnyType | NothingType):
        met = narrow
    elif isinstance(base, ThingType) and isinstance(narrow, ThingType):
        met = ThingType(base.kinds & narrow.kinds) if base.kinds & narrow.kinds else base
    elif isinstance(base, NumberType) and isinstance(narrow, NumberType):
        met = meet_numbers(base, narrow)
    else:
        met = base
    return maybe(met) if may_be_none(one) and may_be_none(other) else met


def _learn(known: dict[core.Expr, Type], condition: core.Expr, holds: bool) -> None:
    match condition:
        case core.Not(operand=operand):
            _learn(known, operand, not holds)
        case core.Both(left=left, right=right) if holds:
            _learn(known, left, True)
            _learn(known, right, True)
        case core.Either(left=left, right=right) if not holds:
            _learn(known, left, False)
            _learn(known, right, False)
        case core.Compare(sign="=", left=left, right=right) if holds:
            _learn_equal(known, left, right)
        case core.Compare(sign="!=", left=left, right=right) if not holds:
            _learn_equal(known, left, right)
        case core.Compare(sign="=" | "!=", left=left, right=core.Constant(value=None)):
            _learn_something(known, left, left.type)
        case core.Compare(sign=sign, left=left, right=right) if holds and sign not in ("=", "!="):
            _learn_something(known, left, _beside(left, sign, right))
            _learn_something(known, right, _beside(right, _TURNED[sign], left))
            _learn_count(known, sign, left, right)
        case core.Compare(sign=sign, left=left, right=right) if sign in _NEGATED:
            # None is neither less nor greater, so a comparison that fails tells of numbers only.
            if not may_be_none(left.type) and not may_be_none(right.type):
                negated = attrs.evolve(condition, sign=_NEGATED[sign])
                _learn(known, negated, True)
        case core.Member(element=element, whole=whole) if holds:
            inner = plain(whole.type)
            of = inner.element if isinstance(inner, SetType) else element.type
            _learn_something(known, element, of)
            if isinstance(whole, core.SetOf):
                known[condition] = condition.type  # It is one of these, whatever else is asked.
        case core.IsFace(subject=subject) if holds:
            _learn_something(known, subject, subject.type)
        case core.IsKind(subject=subject, kind=kind) if holds:
            _learn_something(known, subject, ThingType(frozenset({kind})))
        case core.Empty(whole=whole) if not holds:
            _learn_filled(known, whole)
        case core.Query(word="any") if holds:
            found = attrs.evolve(condition, word="first")
            known[found] = plain(_element(condition.draws[0].domain))
        case _:
            pass


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED: dict[str, Literal["<", "<=", ">", ">="]] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _beside(number: core.Expr, sign: str, other: core.Expr) -> Type:
    """The type of a number that is less, or greater, than another."""
    if not isinstance(plain(number.type), NumberType):
        return number.type
    match sign:
        case "<=":
            return NumberType(None, high_of(other))
        case ">=":
            return NumberType(low_of(other), None)
        case "<":
            most = limits(other.type).high
            return NumberType(None, most - 1 if isinstance(most, int) else None)
        case _:
            least = limits(other.type).low
            return NumberType(least + 1 if isinstance(least, int) else None, None)


def _learn_equal(known: dict[core.Expr, Type], left: core.Expr, right: core.Expr) -> None:
    if isinstance(left, core.Constant) and left.value is None:
        return
    if isinstance(right, core.Constant) and right.value is None:
        return
    _learn_something(known, left, right.type)
    _learn_something(known, right, left.type)
    _learn_count(known, "=", left, right)


def _learn_count(
    known: dict[core.Expr, Type], sign: str, left: core.Expr, right: core.Expr
) -> None:
    """`count(S) > 0` and the like: S is not empty."""
    least = {">": 0, ">=": 1, "=": 1}
    if isinstance(left, core.Query) and left.word == "count" and sign in least:
        bound = right.value if isinstance(right, core.Constant) else None
        if bound is not None and bound >= least[sign]:
            if _is_whole(left):
                _learn_filled(known, left.draws[0].domain)
            _learn(known, attrs.evolve(left, word="any"), True)
    elif isinstance(right, core.Query) and right.word == "count" and sign in ("<", "<=", "="):
        _learn_count(known, {"<": ">", "<=": ">=", "=": "="}[sign], right, left)


def _is_whole(query: core.Query) -> bool:
    return len(query.draws) == 1 and query.where is None and query.running is None


def _element(whole: core.Expr) -> Type:
    inner = plain(whole.type)
    return inner.element if isinstance(inner, SetType) else inner


def _learn_filled(known: dict[core.Expr, Type], whole: core.Expr) -> None:
    """A place or set that is not empty has a top, a lowest and a first."""
    place = whole.place if isinstance(whole, core.Contents) else whole
    _learn_something(known, place, place.type)
    element = _element(whole)
    ends: tuple[Feature, ...] = ("top", "lowest")
    for feature in ends:
        known[core.ReadFeature(feature, place, ())] = element
    unnamed = core.Local("", 0)
    first = core.Query("first", (core.Draw(unnamed, whole),), None, None, (), None)
    known[first] = element


def _learn_something(known: dict[core.Expr, Type], expression: core.Expr, of: Type) -> None:
    """The expression is not none; what it is read from isn't either."""
    inner = plain(of)
    before = known.get(expression)
    narrow = plain(expression.type)
    if isinstance(inner, ThingType):
        narrow = inner
    elif isinstance(inner, NumberType) and isinstance(narrow, NumberType):
        narrow = meet_numbers(narrow, inner)
    known[expression] = narrow if before is None else _meet(before, narrow)
    match expression:
        case core.ReadColumn(subject=subject) | core.ReadIndex(subject=subject):
            _learn_something(known, subject, subject.type)
        case core.ReadFeature(subject=subject):
            _learn_something(known, subject, subject.type)
        case core.ByKind(subject=subject, arms=arms):
            having = frozenset[str]().union(*(kinds for kinds, _ in arms))
            _learn_something(known, subject, ThingType(having))
        case core.ReadState(subject=core.Expression() as subject):
            _learn_something(known, subject, subject.type)
        case core.Contents(place=place):
            _learn_something(known, place, place.type)
        case _:
            pass
