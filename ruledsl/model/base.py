"""What every part of the elaboration shares: declared kinds, types, reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import NOWHERE, Span
from ruledsl.diagnostics.syntax import too_many_mistakes
from ruledsl.model import core
from ruledsl.model.forms import Forms
from ruledsl.model.game import Bounds, ColumnInfo, DefineInfo, IndexInfo, Sort
from ruledsl.model.heads import Head, Heads
from ruledsl.model.limits import limit, limits
from ruledsl.model.occurrences import Occurrences
from ruledsl.model.scope import Scope
from ruledsl.model.symbols import (
    DIRECTION,
    DIRECTION_SETS,
    DIRECTIONS,
    PLAYER,
    KindDeclaration,
    Symbols,
    columns,
    index_name,
    indexes,
    row_names,
)
from ruledsl.model.types import (
    ANY,
    FLAG,
    NUMBER,
    FaceType,
    Limit,
    NumberType,
    SetType,
    ThingType,
    Type,
    describe,
    maybe,
    plain,
    thing,
)
from ruledsl.syntax import ast


@attrs.frozen
class Rows:
    """What a row name in a first parameter picks: the kind it is dispatched on, and the row."""

    kind: str
    row: str


@attrs.frozen
class DefineGroup:
    """Definitions of one name for one first parameter: a general one, and some for rows."""

    key: str
    name: str
    first: Type | None
    general: ast.Define | None
    rows: tuple[tuple[str, ast.Define], ...]

    @property
    def params(self) -> tuple[ast.Param, ...]:
        """Those of the general one, or of any other: they are alike."""
        one = self.rows[0][1] if self.general is None else self.general
        return one.params or ()


MOST_MISTAKES = 100
"""Errors in the rules of a game after which nothing more is resolved."""


class Enough(Exception):
    """There are more mistakes than anybody reads at once; `found` has the first of them."""

    def __init__(self, found: tuple[Diagnostic, ...]) -> None:
        super().__init__()
        self.found = found


class Base(ABC):
    """The declared kinds of a game, and the list of what was found."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        self.diagnostics: list[Diagnostic] = [*symbols.diagnostics]
        self._mistakes: list[Diagnostic] = []
        self.used: set[tuple[str, str]] = set()
        """sort and name of what something refers to"""
        self.occurrences = Occurrences()
        self.giving: dict[str, tuple[Type, Bounds | None]] = {}
        """the steps that give something, with its type"""
        self.changing_defines: dict[str, bool] = {}
        """of definitions that were asked about: whether they read what changes during the game"""
        self.heads = Heads()
        self.heads[PLAYER] = Head(PLAYER, "player", NOWHERE, None, (), (), (), ())
        self.heads[DIRECTION] = Head(DIRECTION, "direction", NOWHERE, None, (), DIRECTIONS, (), ())
        for declaration in symbols.kinds.values():
            head = self._head(declaration)
            self.heads[head.name] = head
        heads = self.heads.values()
        self.places = frozenset(head.name for head in heads if head.sort == "place")
        self.pieces = frozenset(head.name for head in heads if head.sort == "piece")

    def report(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.append(diagnostic)
        self.count(diagnostic)

    def count(self, diagnostic: Diagnostic) -> None:
        """Stop at the first error that is too many: each takes time to find the right words for."""
        if diagnostic.severity == "error":
            if len(self._mistakes) == MOST_MISTAKES:
                raise Enough((*self._mistakes, too_many_mistakes(diagnostic.span, MOST_MISTAKES)))
            self._mistakes.append(diagnostic)

    def use(self, sort: str, name: str) -> None:
        self.used.add((sort, name))

    # ------------------------------------------------------------ kinds

    def _head(self, declaration: KindDeclaration) -> Head:
        sort: Sort
        pictured: tuple[str, ...] = ()
        holds: tuple[str, ...] = ()
        match declaration:
            case ast.TypeList() | ast.TypeTable() | Forms():
                sort = "enumeration"
            case ast.TypeProduct():
                sort = "product"
            case ast.Piece():
                sort = "piece"
            case ast.Place():
                sort = "place"
                maps = (line for line in declaration.rows if isinstance(line, ast.Map))
                pictured = tuple(line.column.text for line in maps if line.column is not None)
                holds = self._held(declaration)
            case _:
                assert_never(declaration)
        return Head(
            name=declaration.name.text,
            sort=sort,
            span=declaration.name.span,
            declaration=declaration,
            indexes=tuple(self._index(index) for index in indexes(declaration)),
            rows=tuple(dict.fromkeys(row.text for row in row_names(declaration))),
            columns=(*(column.text for column in columns(declaration)), *pictured),
            holds=holds,
        )

    def _held(self, declaration: ast.Place) -> tuple[str, ...]:
        held = []
        for name in declaration.holds:
            if isinstance(self.symbols.kinds.get(name.text), ast.Piece):
                held.append(name.text)
                self.use("kind", name.text)
                self.occurrences.meet(name.span, "kind", name.text)
            else:
                pieces = (k for k, d in self.symbols.kinds.items() if isinstance(d, ast.Piece))
                self.report(found.unknown_kind(name.span, name.text, "piece", pieces))
        return tuple(held)

    def _index(self, index: ast.Index) -> IndexInfo:
        faces = isinstance(index.kind, ast.FaceOf)
        kind = index.kind.kind if isinstance(index.kind, ast.FaceOf) else index.kind
        if kind.text in DIRECTION_SETS and not faces:
            self.occurrences.meet(kind.span, "word", kind.text)
            return IndexInfo(index_name(index).text, DIRECTION, False, kind.text)
        if kind.text not in (PLAYER, DIRECTION):
            if kind.text in self.symbols.ranges:
                self.use("range", kind.text)
                self.occurrences.meet(kind.span, "range", kind.text)
            elif kind.text not in self.symbols.kinds:
                known = (*self.symbols.kinds, *self.symbols.ranges, PLAYER, DIRECTION)
                self.report(found.unknown_kind(kind.span, kind.text, "kind of things", known))
            self.use("kind", kind.text)
        if kind.text not in self.symbols.ranges:
            self.occurrences.meet(kind.span, "kind", kind.text)
        return IndexInfo(index_name(index).text, kind.text, faces)

    def index_type(self, index: IndexInfo) -> Type:
        if index.kind in self.symbols.ranges:
            return NumberType(*self.range_limits(index.kind))
        if index.kind not in self.heads:
            return ANY
        return FaceType(index.kind) if index.faces else thing(index.kind)

    def range_limits(self, name: str) -> tuple[Limit, Limit]:
        """The first and the last number of a named range."""
        domain = self.symbols.ranges[name].domain
        assert isinstance(domain, ast.Interval)
        what = "the limit of a range"
        scope = Scope()
        low, high = self.constant(domain.low, scope, what), self.constant(domain.high, scope, what)
        return limit(low), limit(high)

    def ends(self, numbers: ast.Expr, what: str) -> tuple[core.Expr, core.Expr]:
        """The first and the last number of a ring or line."""
        scope = Scope()
        if isinstance(numbers, ast.Interval):
            first, last = (self.constant(end, scope, what) for end in (numbers.low, numbers.high))
            return first, last
        return core.Constant(1, type=NUMBER), self.constant(numbers, scope, what)

    def numbered(self, head: Head) -> tuple[tuple[Limit, Limit], ...]:
        """Between which numbers the things of a kind are counted, in each way they are."""
        place = head.declaration
        if isinstance(place, ast.Place) and isinstance(place.shape, ast.Ring | ast.Line):
            first, last = self.ends(place.shape.numbers, "a size")
            return ((limit(first), limit(last)),)
        return tuple((1, size) for size in self._sizes(head))

    def _sizes(self, head: Head) -> tuple[Limit, ...]:
        """The greatest numbers by which the things of a kind are counted."""
        place = head.declaration
        scope, what = Scope(), "a size"
        if head.sort == "player":
            return (core.Special("players", type=NUMBER),)
        if head.sort == "product":
            return (None,)
        if not isinstance(place, ast.Place):
            return (len(head.rows),)
        match place.shape:
            case ast.Grid(width=width, height=height):
                sides = (self.constant(side, scope, what) for side in (width, height))
                return tuple(limit(side) for side in sides)
            case ast.Hexagon(side=side):
                across = limit(across_hexagon(self.constant(side, scope, what)))
                return (across, across)
            case _:
                return (len(head.rows),)

    def has_holes(self, head: Head) -> bool:
        """Whether a grid lacks some of its cells."""
        place = head.declaration
        shape = place.shape if isinstance(place, ast.Place) else None
        return isinstance(shape, ast.Hexagon) or bool(self._pictures(head))

    def may_be_hole(self, head: Head, numbers: Sequence[Type]) -> bool:
        """Whether a cell with a column and a row within these limits may be missing."""
        if not self.has_holes(head):
            return False
        ends = [(each.low, each.high) for each in map(limits, numbers)]
        pictures = self._pictures(head)
        return not pictures or any(
            all(_may_be(number, *end) for number, end in zip(hole, ends, strict=True))
            for picture in pictures
            for hole in _holes(picture)
        )

    def _pictures(self, head: Head) -> list[ast.Map]:
        """Those that say which cells a grid has."""
        place = head.declaration
        if not isinstance(place, ast.Place) or not isinstance(place.shape, ast.Grid):
            return []
        return [line for line in place.rows if isinstance(line, ast.Map) and line.column is None]

    def direction_set(self, name: str, span: Span) -> core.SetOf:
        """`Orthogonal` and the like."""
        values = tuple(
            core.Value(DIRECTION, value, type=thing(DIRECTION), span=span)
            for value in DIRECTION_SETS[name]
        )
        return core.SetOf(values, type=SetType(thing(DIRECTION)), span=span)

    def places_of(self, pieces: Iterable[str]) -> frozenset[str]:
        """The places that may hold one of these pieces."""
        wanted = set(pieces)
        return frozenset(head.name for head in self.heads.all() if wanted.intersection(head.holds))

    def is_place(self, of: Type) -> bool:
        inner = plain(of)
        return isinstance(inner, ThingType) and all(
            kind in self.heads and self.heads[kind].sort == "place" for kind in inner.kinds
        )

    def is_piece(self, of: Type) -> bool:
        inner = plain(of)
        return isinstance(inner, ThingType) and all(
            kind in self.heads and self.heads[kind].sort == "piece" for kind in inner.kinds
        )

    def wanted_words(self, of: Type) -> str:
        """A type as what is wanted: all places together are `a place`."""
        return "a place" if plain(of) == ThingType(self.places) else describe(of)

    def contents_type(self, place: Type) -> Type:
        """The set of pieces that a place may hold."""
        inner = plain(place)
        if not isinstance(inner, ThingType):
            return SetType(ANY)
        held = frozenset(piece for kind in inner.kinds for piece in self.heads[kind].holds)
        return SetType(ThingType(held) if held else ANY)

    def has_unknown(self, head: Head) -> bool:
        """Whether a place names pieces that don't exist, so that it is open what it holds."""
        place = head.declaration
        return isinstance(place, ast.Place) and len(head.holds) < len(place.holds)

    def single_place(self, head: Head) -> bool:
        """Whether the name of a place stands for one place, not for a family."""
        declaration = head.declaration
        return (
            isinstance(declaration, ast.Place)
            and declaration.shape is None
            and not declaration.per
            and not declaration.columns
            and not head.rows
        )

    # ------------------------------------------------------------ types

    def resolve_type(self, of: ast.TypeExpr, scope: Scope) -> tuple[Type, Bounds | None]:
        """A written type, with its bounds where it is a range."""
        match of:
            case ast.PlainType(domain=domain):
                return self._domain_type(domain, scope)
            case ast.SetType(element=domain):
                inner, bounds = self._domain_type(domain, scope)
                return SetType(inner), bounds
            case ast.OptionalType(domain=domain):
                inner, bounds = self._domain_type(domain, scope)
                return maybe(inner), bounds
            case _:
                assert_never(of)

    def _domain_type(self, domain: ast.Expr, scope: Scope) -> tuple[Type, Bounds | None]:
        match domain:
            case ast.Interval(low=low, high=high):
                what = "the limit of a range"
                bounds = Bounds(self.constant(low, scope, what), self.constant(high, scope, what))
                return NumberType(limit(bounds.low), limit(bounds.high)), bounds
            case ast.Ref(name=ast.Name(text="flag"), arguments=None):
                return FLAG, None
            case ast.Ref(name=ast.Name(text="number"), arguments=None):
                return NUMBER, None
            case ast.Ref(name=name, arguments=None) if name.text in self.symbols.ranges:
                self.use("range", name.text)
                self.occurrences.meet(name.span, "range", name.text)
                return self._domain_type(self.symbols.ranges[name.text].domain, scope)
            case ast.Ref(name=name, arguments=None) if name.text in self.heads:
                self.use("kind", name.text)
                self.occurrences.meet(name.span, "kind", name.text)
                return thing(name.text), None
            case ast.FaceOf(kind=kind):
                return self.face_type(kind), None
            case ast.Ref(name=name, arguments=None):
                known = (*self.heads, *self.symbols.ranges, "flag", "number")
                self.report(found.unknown_kind(name.span, name.text, "type", known))
                return ANY, None
            case _:
                self.report(
                    mistyped.wrong_type(
                        domain.span,
                        "a name such as `Card`, a range such as `0..7`, `flag` or `number`",
                        "an expression",
                        "a type",
                    )
                )
                return ANY, None

    def face_type(self, kind: ast.Name) -> Type:
        """The type `face of kind`."""
        head = self.heads.get(kind.text)
        if head is None or head.sort != "piece":
            pieces = (name for name in self.heads if name in self.pieces)
            self.report(found.unknown_kind(kind.span, kind.text, "piece", pieces))
            return ANY
        self.use("kind", kind.text)
        self.occurrences.meet(kind.span, "kind", kind.text)
        return FaceType(kind.text)

    def dispatch_row(self, of: ast.TypeExpr) -> Rows | None:
        """The row a first parameter's type names, if it names one."""
        match of:
            case ast.PlainType(domain=ast.Ref(name=name, arguments=None)):
                if name.text in self.heads or name.text in self.symbols.ranges:
                    return None
                kinds = self.symbols.values.get(name.text, [])
                return Rows(kinds[0], name.text) if len(kinds) == 1 else None
            case ast.PlainType(domain=ast.Attribute(subject=ast.Ref(name=kind), name=row)):
                return Rows(kind.text, row.text) if kind.text in self.heads else None
            case _:
                return None

    # ------------------------------------------------------------ supplied by the other parts

    @abstractmethod
    def constant(self, node: ast.Expr, scope: Scope, what: str) -> core.Expr:
        """A number known before the game begins."""

    @abstractmethod
    def expression(self, node: ast.Expr, scope: Scope, expected: Type | None = None) -> core.Expr:
        """An expression; the type expected tells values of the same name apart."""

    @abstractmethod
    def column(self, kind: str, name: str) -> ColumnInfo | None:
        """A column of a table with its cells, resolved when first asked for."""

    @abstractmethod
    def state_type(self, key: str) -> tuple[Type, Bounds | None]:
        """The type of a state."""

    @abstractmethod
    def wanted(self, node: ast.Expr, scope: Scope, of: Type, role: str) -> core.Expr:
        """An expression that must have this type; reports when it has not."""

    @abstractmethod
    def whole(
        self, node: ast.Expr, scope: Scope, role: str, *, none_is_empty: bool = False
    ) -> core.Expr:
        """A set, or a place for its pieces."""

    @abstractmethod
    def as_whole(self, value: core.Expr, role: str, *, none_is_empty: bool = False) -> core.Expr:
        """A value that is a set, or a place for its pieces."""

    @abstractmethod
    def checked(self, value: core.Expr, of: Type, role: str) -> core.Expr:
        """The value, coerced where that is allowed; reports when it does not fit."""

    @abstractmethod
    def supplied(
        self,
        name: ast.Name,
        subject: core.Expr | None,
        arguments: tuple[ast.Argument, ...],
        scope: Scope,
        span: Span,
    ) -> core.Expr:
        """A function of the language: `f(x)`, or `x.f` with its subject."""

    @abstractmethod
    def option_type(self, name: str) -> Type:
        """The type of an option."""

    @abstractmethod
    def step_arguments(
        self, name: ast.Name, arguments: tuple[ast.Argument, ...], scope: Scope, span: Span
    ) -> tuple[core.Expr, ...] | None:
        """The arguments of a call, in the order of the parameters; None after a report."""

    @abstractmethod
    def action_picks(self, name: str) -> tuple[core.Draw, ...]:
        """The parameters of an action."""

    @abstractmethod
    def action_arguments(
        self, name: ast.Name, arguments: tuple[ast.Argument, ...], scope: Scope, span: Span
    ) -> tuple[core.Expr | None, ...] | None:
        """The fixed parameters of an action, None for open ones; None after a report."""

    @abstractmethod
    def as_copy(self, face: core.Face) -> core.Expr:
        """The piece of a face that has only one copy; reports when it has several."""

    @abstractmethod
    def define_groups(self, name: str) -> tuple[DefineGroup, ...]:
        """The definitions of a name, by the type of the first parameter."""

    @abstractmethod
    def define(self, key: str) -> DefineInfo:
        """A definition, resolved when first asked for."""


def across_hexagon(side: core.Expr) -> core.Expr:
    """How many cells lie across a hexagon, from one corner to the opposite one."""
    if isinstance(side, core.Constant) and isinstance(side.value, int):
        return core.Constant(2 * side.value - 1, type=NUMBER, span=side.span)
    two, one = (core.Constant(n, type=NUMBER, span=side.span) for n in (2, 1))
    twice = core.Arithmetic("*", two, side, type=NUMBER, span=side.span)
    return core.Arithmetic("-", twice, one, type=NUMBER, span=side.span)


def _holes(picture: ast.Map) -> Iterator[tuple[int, int]]:
    """The columns and rows of the cells that a grid lacks; its first line is the north edge."""
    for row, line in enumerate(reversed(picture.rows), start=1):
        yield from ((col, row) for col, cell in enumerate(line.cells, start=1) if cell is None)


def _may_be(number: int, low: Limit, high: Limit) -> bool:
    """Limits that only a table tells are none yet."""
    return not (
        (isinstance(low, int) and number < low) or (isinstance(high, int) and number > high)
    )
