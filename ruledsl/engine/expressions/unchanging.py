"""What never changes on a table, as constants and look-ups in tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, TypeAlias

import attrs

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    add,
    eq,
    mul,
    ne,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.environment import Env, Scalar, Scope, scope_of
from ruledsl.engine.memory.board_plans import MOST_PLACES
from ruledsl.engine.memory.layout import Category, category, none_of
from ruledsl.engine.sets.basic import SetCode
from ruledsl.engine.sets.stored import LONG, Listed
from ruledsl.engine.unsupported import Unsupported
from ruledsl.model import core
from ruledsl.model.builtins import Feature, read_by
from ruledsl.model.facts import changes_in_play
from ruledsl.model.game import CheckedGame, DefineInfo
from ruledsl.model.types import (
    NumberType,
    Type,
    may_be_none,
)
from ruledsl.model.walk import walk
from ruledsl.table.errors import RulesError
from ruledsl.table.evaluate import frame_size
from ruledsl.table.features import FEATURES
from ruledsl.table.position import Position
from ruledsl.table.things import Thing, Value

MOST_ENTRIES = 4096
"""Entries of a table that replaces a definition."""
MOST_WORK = 8192
"""What a table that replaces any other expression may cost: its entries, queries counted dearer."""
MOST_NUMBERS = 64
"""Numbers of a type that a look-up goes by."""
ENOUGH = 1_000_000
"""Passes of queries in filling a table; its size bounds them."""

_WORKED_OUT = frozenset({"turned", "sixths", "backward", "reversed"})
"""Features that never change, and yet are no look-ups in a table."""


Domains: TypeAlias = list[tuple[int | None, list[Value]]]
"""What a look-up depends on: the number of a name, None for whoever `you` is, and all that it can
stand for."""

NOWHERE = Position({}, {}, {}, None, ())


@attrs.frozen
class Still:
    """What an expression that never changes depends on."""

    locals: dict[int, Type]
    you: bool


@attrs.frozen
class Key:
    """One of the things that a look-up depends on."""

    number: int | None
    """of the name; None for whoever `you` is"""
    things: list[Value]
    """all that it can stand for"""
    code: Code
    """which of them it is"""


@attrs.frozen
class Cover:
    """Which cells forms cover: lists by cell and form."""

    table: int
    first: int
    """the first form"""
    forms: int
    longest: int


class Unchanging(Part):
    """Lowers what never changes."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._lists: dict[tuple[int, ...], int] = {}
        self._lengths: dict[int, int] = {}
        self._thing_tables: dict[tuple[str, tuple[str, ...], Category], int] = {}
        self._longest: dict[int, int] = {}
        """of a table of lists, how long its longest list is"""
        self._in_order: dict[int, bool] = {}
        """of a table of lists, whether all of them come in the table's order"""
        self._still: dict[str, bool] = {}
        self._relying: dict[str, bool] = {}
        """by definition: whether it relies on it that something is there"""
        self._fails: dict[int, tuple[core.Expr, bool]] = {}
        """by identity of an expression: whether it may end in an error"""
        self._tables: dict[object, int] = {}
        """addresses of tables, by what they are tables of"""
        self._values: dict[object, tuple[Value, ...]] = {}
        """what stands in them"""
        self._first_errors: dict[object, RulesError] = {}
        """what goes wrong for some of their keys"""
        self._broken: dict[int, RulesError] = {}
        """the same by address; tables that hold the same are one"""
        self._largest: dict[tuple[str, tuple[str, ...]], int] = {}
        self._rays: dict[str, list[tuple[int, ...]]] = {}
        self._covers: dict[tuple[str, tuple[str, ...]], Cover] = {}
        self._straight: dict[str, bool] = {}
        """by kind of place: whether each of its rays goes through its bits in one direction"""

    def list_of(self, values: tuple[int, ...]) -> int:
        """The address of a constant list."""
        if values not in self._lists:
            self._lists[values] = self.layout.constant_list(values)
            self._lengths[self._lists[values]] = len(values)
        return self._lists[values]

    @cached_property
    def nothing(self) -> int:
        """The address of the list that stands for none."""
        address = self.layout.constant_list(())
        self._lengths[address] = 0
        return address

    def still(self, node: core.Expr) -> Still | None:
        """What an expression depends on if it never changes on this table, and never fails."""
        found = self._depends_on(node)
        if found is None or not self.context.checked or not self._relies(node):
            return found
        if id(node) not in self._fails:
            self._fails[id(node)] = (node, self._fails_somewhere(node, found))
        return None if self._fails[id(node)][1] else found

    def _relies(self, node: core.Expr) -> bool:
        """Whether the rules rely on it that something is there."""
        for part in walk((node,)):
            match part:
                case core.Sure() | core.Query(word="the"):
                    return True
                case core.CallDefine(define=key):
                    if key not in self._relying:
                        bodies = bodies_of(self.game.defines[key])
                        self._relying[key] = any(map(self._relies, bodies))
                    if self._relying[key]:
                        return True
                case _:
                    pass
        return False

    def _fails_somewhere(self, node: core.Expr, found: Still) -> bool:
        """Whether an expression ends in an error for something that it depends on."""
        keys = [Key(None, list(self.table.things("Player")), 0)] if found.you else []
        for number, of in found.locals.items():
            things = self.domain(of)
            if things is None or may_be_none(of):
                return True
            keys.append(Key(number, things, 0))
        if prod(len(key.things) for key in keys) > MOST_WORK:
            return True
        return any(isinstance(each, RulesError) for each in self._all_outcomes(node, keys))

    def _depends_on(self, node: core.Expr) -> Still | None:
        locals_: dict[int, Type] = {}
        bound: set[int] = set()
        nameless: set[int] = set()
        you = False
        for part in walk((node,)):
            match part:
                case core.Local(number=number):
                    if id(part) not in nameless:
                        locals_.setdefault(number, part.type)
                case core.Draw(local=core.Local(name="") as local):
                    nameless.add(id(local))  # A set as a whole is drawn from without a name.
                case core.Draw(local=local) | core.Reach(local=local) | core.ByKind(local=local):
                    bound.add(local.number)
                case core.CallDefine(define=key):
                    if not self.define_is_still(key):
                        return None
                case core.Special(word="you"):
                    you = True
                case core.LongestTrail() | core.Would() | core.Can() | core.Knows():
                    return None
                case core.Arithmetic() | core.Query(word="sum") if self.context.ranges.may_fail(
                    part
                ):
                    return None  # It goes wrong only where it is asked for.
                case core.ReadFeature(feature=feature) if (
                    read_by(feature) == "who plays" and not self.context.players_leave
                ):
                    pass
                case core.Expression() if changes_in_play(part):  # type: ignore[arg-type]
                    return None
                case _:
                    pass
        return Still({n: t for n, t in locals_.items() if n not in bound}, you)

    def define_is_still(self, key: str) -> bool:
        """Whether a definition depends on its parameters alone."""
        if key not in self._still:
            self._still[key] = False
            bodies = bodies_of(self.game.defines[key])
            self._still[key] = all(self._never_changes(body) for body in bodies)
        return self._still[key]

    def _never_changes(self, body: core.Expr) -> bool:
        found = self._depends_on(body)
        return found is not None and not found.you

    def domain(self, of: Type) -> list[Value] | None:
        """All things of a type, if it is one of things."""
        kinds = self.layout.kinds_of(of)
        if not kinds:
            return None
        things: list[Value] = []
        for kind in kinds:
            start = self.layout.first[kind]
            things.extend(self.layout.things[start : start + self.layout.size[kind]])
        return things

    def table_keys(self, node: core.Expr, scope: Scope) -> Domains | None:
        """What a still expression is looked up by; None if it is not worth a table."""
        found = self._depends_on(node)
        keys = None if found is None else self.keys_of(found, scope)
        if keys is None:
            return None
        total = prod(len(things) for _, things in keys)
        queries = sum(
            isinstance(p, core.Query | core.Reach | core.CallDefine) for p in walk((node,))
        )
        if total * (1 + 3 * queries) > MOST_WORK or (keys and not _worth(node)):
            return None
        return keys if self.may_stand_in_a_table(node, keys, _table_name(node, keys)) else None

    def may_stand_in_a_table(self, node: core.Expr, keys: Domains, name: object) -> bool:
        """Whether a look-up can tell where there is an error instead of a value."""
        if not self.context.checked or not self._relies(node):
            return True
        self._all_values(name, node, keys_only(keys))
        return name not in self._first_errors or (bool(keys) and not may_be_none(node.type))

    def keys_of(
        self, still: Still, scope: Scope, *, without: int | None = None, numbers: bool = False
    ) -> Domains | None:
        """What a look-up depends on, but for one name; None if that can't be told beforehand.

        Where that may be `numbers`, they can lie elsewhere if nobody asks for the value then.
        """
        keys: Domains = []
        if still.you:
            keys.append((None, list(self.table.things("Player"))))
        for number, of in still.locals.items():
            if number == without:
                continue
            things = self.domain(of) or (_all_numbers(of) if numbers else None)
            if not things or not isinstance(scope.get(number), Scalar) or may_be_none(of):
                return None
            keys.append((number, things))
        return keys

    def keys_with_code(self, w: Writer, keys: Domains, env: Env) -> list[Key]:
        """Keys, and which of all values each has."""
        found: list[Key] = []
        for number, things in keys:
            code = self.context.you(w) if number is None else env[number]
            assert isinstance(code, int | str | tuple)
            found.append(Key(number, things, code))
        return found

    def longest_value(
        self, node: core.Expr, keys: Domains, name: object = None
    ) -> tuple[int, bool]:
        """How long the longest set is that an expression by some keys can be.

        And whether all of them come in the table's order.
        """
        values = self._all_values(name or _table_name(node, keys), node, keys_only(keys))
        longest = max((len(each) for each in values if isinstance(each, tuple)), default=0)
        return longest, all(map(self._comes_in_order, values))

    def _comes_in_order(self, value: Value) -> bool:
        """Whether a set has its elements in the table's order; a single value has."""
        if not isinstance(value, tuple):
            return True
        if any(isinstance(each, tuple) for each in value):
            return False
        numbers = [self.layout.encode(each, "thing") for each in value]
        return numbers == sorted(numbers)

    def tabled(self, w: Writer, node: core.Expr, env: Env) -> Code | SetCode | None:
        """A still expression as a constant, or as a look-up in a table of all its values."""
        domains = self.table_keys(node, scope_of(env))
        if domains is None:
            return None
        keys = self.keys_with_code(w, domains, env)
        name = _table_name(node, domains)
        kind = category(node.type)
        if not keys:
            return self.only_value(node, kind)
        table = self.table_of(name, node, keys, kind)
        return self.looked_up(w, table, keys, node.type, kind)

    def only_value(self, node: core.Expr, kind: Category) -> Code | SetCode:
        """The value of an expression that depends on nothing."""
        (found,) = self._all_values(_table_name(node, []), node, [])
        value = self.static_value(found, kind)
        if kind != "set":
            return value
        whole = self.constant_list(value, node.type, self._lengths[value])
        return attrs.evolve(whole, ordered=self._comes_in_order(found))

    def table_of(self, name: object, node: core.Expr, keys: list[Key], kind: Category) -> int:
        """The table of all values of an expression; `name` tells tables apart."""
        if name not in self._tables:
            self._tables[name] = self._make_table(name, node, keys, kind)
        return self._tables[name]

    def looked_up(
        self, w: Writer, table: int, keys: list[Key], of: Type, kind: Category
    ) -> Code | SetCode:
        """A value in a table, or the set whose address is there."""
        value = self.layout.lookup(table, self.index_of(keys))
        error = self._broken.get(table)
        if error is not None and not may_be_none(of):
            value = w.once(value)
            with w.when(eq(value, self.nothing if kind == "set" else none_of(kind))):
                self.context.suspect(w, error.mishap, error.span)
        if kind != "set":
            return value
        whole = self.constant_list(w.once(value), of, self._longest[table])
        return attrs.evolve(whole, ordered=self._in_order[table])

    def index_of(self, keys: list[Key]) -> Code:
        """Where a value stands in a table by some keys."""
        index: Code = 0
        for key in keys:
            index = add(mul(index, len(key.things)), self._ordinal(key))
        return index

    def constant_list(self, address: Code, of: Type, longest: int | None = None) -> Listed:
        """The set of a type that a list holds which never changes."""
        span = self.layout.span_in(of)
        if longest is None:
            longest = span[1] if span else LONG
        bits = span is not None and span[1] <= MOST_PLACES and len(self.layout.kinds_in(of)) == 1
        there = ne(address, self.nothing) if may_be_none(of) else 1
        return Listed(address, longest, False, span, has_bits=bits, there=there)

    def _ordinal(self, key: Key) -> Code:
        """Where a thing or number stands among all there can be, most often of one kind."""
        first = key.things[0]
        if isinstance(first, int):
            return sub(key.code, first)
        ids = [self.layout.encode(thing, "thing") for thing in key.things]
        if ids == list(range(ids[0], ids[0] + len(ids))):
            return sub(key.code, ids[0])
        gaps = {number: at for at, number in enumerate(ids)}
        size = max(ids) + 1
        table = self.layout.numbers([gaps.get(number, 0) for number in range(size)])
        return self.layout.lookup(table, key.code)

    def _make_table(self, name: object, node: core.Expr, keys: list[Key], kind: Category) -> int:
        found = self._all_values(name, node, keys)
        values = [self.static_value(each, kind) for each in found]
        table = self.layout.numbers(values)
        if self.context.checked and name in self._first_errors:
            self._broken[table] = self._first_errors[name]
        if kind == "set":
            self._longest[table] = max((self._lengths[each] for each in values), default=0)
            self._in_order[table] = all(map(self._comes_in_order, found))
        return table

    def _all_values(self, name: object, node: core.Expr, keys: list[Key]) -> tuple[Value, ...]:
        """The same, worked out once for each name."""
        if name not in self._values:
            found = list(self._all_outcomes(node, keys))
            errors = [each for each in found if isinstance(each, RulesError)]
            if errors:
                self._first_errors[name] = errors[0]
            self._values[name] = tuple(map(_value_or_none, found))
        return self._values[name]

    def all_values(self, node: core.Expr, keys: list[Key]) -> Iterator[Value]:
        """The values of an expression that never changes, for all that it depends on."""
        return map(_value_or_none, self._all_outcomes(node, keys))

    def values_at(
        self, node: core.Expr, numbers: Sequence[int | None], given: Iterable[Sequence[Value]]
    ) -> Iterator[Value]:
        """The same for some that it depends on, whose names have these numbers."""
        return map(_value_or_none, self._outcomes(node, numbers, given))

    def _all_outcomes(self, node: core.Expr, keys: list[Key]) -> Iterator[Value | RulesError]:
        combinations = product(*(key.things for key in keys))
        return self._outcomes(node, [key.number for key in keys], combinations)

    def _outcomes(
        self, node: core.Expr, numbers: Sequence[int | None], given: Iterable[Sequence[Value]]
    ) -> Iterator[Value | RulesError]:
        """Values, or what goes wrong instead."""
        evaluate = self.table.evaluator.compile(node)
        # One for all: names that the compiler made up have large numbers, so a frame is long.
        frame: list[Value] = [None] * (frame_size(node) + 1)
        players = self.table.things("Player")
        for combination in given:
            active: Thing | None = None
            for number, value in zip(numbers, combination, strict=True):
                if number is None:
                    assert isinstance(value, Thing)
                    active = value
                elif number < len(frame):
                    frame[number] = value
            self.table.evaluator.fuel = ENOUGH
            try:
                yield evaluate(Position({}, {}, {}, active, players), frame)
            except RulesError as error:
                if error.kind == "endless":
                    raise Unsupported(error.message, error.span) from error
                yield error

    def static_value(self, value: Value, kind: Category) -> int:
        """A value as a number; a set as the address of its list."""
        if isinstance(value, tuple):
            inner: Category = "set" if any(isinstance(v, tuple) for v in value) else "thing"
            return self.list_of(tuple(self.static_value(each, inner) for each in value))
        if kind == "set":
            return self.nothing
        return self.layout.encode(value, kind)

    def constant(self, node: core.Expr, kind: Category) -> int:
        """The value of an expression without names."""
        return self.static_value(self.table.evaluator.compile(node)(NOWHERE, []), kind)

    def thing_table(
        self, what: str, kinds: list[str], read: Callable[[Thing], Value], kind: Category
    ) -> int:
        """A table of something about the things of some kinds; `what` is its name."""
        key = (what, tuple(kinds), kind)
        if key not in self._thing_tables:
            self._thing_tables[key] = self._new_thing_table(kinds, read, kind)
        return self._thing_tables[key]

    def _new_thing_table(
        self, kinds: list[str], read: Callable[[Thing], Value], kind: Category
    ) -> int:
        size = max(self.layout.first[k] + self.layout.size[k] for k in kinds)
        empty = self.nothing if kind == "set" else none_of(kind)
        values = [empty] * size
        for name in kinds:
            start = self.layout.first[name]
            for at in range(start, start + self.layout.size[name]):
                values[at] = self.static_value(read(self.layout.things[at]), kind)
        table = self.layout.numbers(values, empty)
        if kind == "set":
            self._longest[table] = max(self._lengths[each] for each in values)
        return table

    def lasting(self, feature: Feature) -> Callable[[Thing], Value]:
        """How an attribute is read that each thing has for ever."""
        read = FEATURES[feature]
        return lambda thing: read(self.table, NOWHERE, thing, None)

    def largest_set(self, feature: Feature, kinds: list[str]) -> int:
        """How large such a set is at most, of things of some kinds."""
        key = (feature, tuple(kinds))
        if key not in self._largest:
            read = self.lasting(feature)
            sets = (read(thing) for kind in kinds for thing in self.table.things(kind))
            self._largest[key] = max((len(_as_tuple(each)) for each in sets), default=0)
        return self._largest[key]

    def rays(self, kind: str) -> list[tuple[int, ...]]:
        """The places in all directions from each place of a kind."""
        if kind not in self._rays:
            self._rays[kind] = [
                tuple(self.layout.id(x) for x in self.table.boards.ray(cell, way))
                for cell in self.table.things(kind)
                for way in self.table.things("Dir")
            ]
        return self._rays[kind]

    def cover(self, board: str, forms: Sequence[str]) -> Cover:
        """The cells below the forms of some types, for each cell of a board."""
        key = (board, tuple(forms))
        if key not in self._covers:
            first = min(self.layout.first[kind] for kind in forms)
            end = max(self.layout.first[kind] + self.layout.size[kind] for kind in forms)
            lists = [
                self.static_value(self.table.forms.cover(cell, form), "set")
                if form.kind in forms
                else self.nothing
                for cell in self.table.things(board)
                for form in self.layout.things[first:end]
            ]
            table = self.layout.numbers(lists, self.nothing)
            longest = max((self._lengths[each] for each in lists), default=0)
            self._covers[key] = Cover(table, first, end - first, longest)
        return self._covers[key]

    def longest_ray(self, kind: str) -> int:
        """How long the longest ray from a place of a kind is."""
        return max(map(len, self.rays(kind)), default=0)

    def goes_straight(self, kind: str) -> bool:
        """Whether each ray from places of a kind goes through bits upward or downward."""
        if kind not in self._straight:
            self._straight[kind] = all(map(_goes_one_way, self.rays(kind)))
        return self._straight[kind]

    def longest(self, table: int) -> int:
        """How long the longest list of a table is."""
        return self._longest[table]


def with_definitions(game: CheckedGame, node: core.Expr) -> Iterator[Any]:
    """All parts of an expression, and of the definitions it uses, each of these once."""
    met: set[str] = set()
    stack = [node]
    while stack:
        for part in walk((stack.pop(),)):
            yield part
            if isinstance(part, core.CallDefine) and part.define not in met:
                met.add(part.define)
                stack.extend(bodies_of(game.defines[part.define]))


def bodies_of(info: DefineInfo) -> list[core.Expr]:
    """What a definition says, in general and for single rows."""
    return [body for body in (info.body, *(row.body for row in info.rows)) if body is not None]


def _goes_one_way(ray: tuple[int, ...]) -> bool:
    return ray in (tuple(sorted(ray)), tuple(sorted(ray, reverse=True)))


def _all_numbers(of: Type) -> list[Value] | None:
    """All numbers of a type of few."""
    match of:
        case NumberType(low=int() as low, high=int() as high) if high - low < MOST_NUMBERS:
            return list(range(low, high + 1))
        case _:
            return None


def _as_tuple(value: Value) -> tuple[Value, ...]:
    assert isinstance(value, tuple)
    return value


def keys_only(domains: Domains) -> list[Key]:
    """Keys for whoever wants all values."""
    return [Key(number, things, 0) for number, things in domains]


def _value_or_none(outcome: Value | RulesError) -> Value:
    return None if isinstance(outcome, RulesError) else outcome


def _table_name(node: core.Expr, keys: Domains) -> object:
    return node, tuple(number for number, _ in keys)


def _worth(node: core.Expr) -> bool:
    """Whether an expression costs more than a look-up in a table."""
    if isinstance(node, core.Local | core.Constant | core.ReadColumn | core.ReadIndex):
        return False
    if isinstance(node, core.ReadFeature):
        return read_by(node.feature) != "nothing" or node.feature in _WORKED_OUT
    return not isinstance(node, core.PlaceAt | core.PlacesOf | core.Indexed | core.Nth)
