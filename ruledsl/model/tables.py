"""Kinds: tables, maps, shapes and traits of pieces and places."""

from __future__ import annotations

from typing import assert_never

from ruledsl.diagnostics import names as misnamed
from ruledsl.diagnostics import tables as found
from ruledsl.diagnostics import typing as mistyped
from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.forms import COVERED, Form, Forms, covered, drawn, is_drawn, turned
from ruledsl.model.game import (
    ColumnInfo,
    Kind,
    PieceInfo,
    PlaceInfo,
    Sight,
)
from ruledsl.model.heads import Head
from ruledsl.model.scope import Scope
from ruledsl.model.shapes import Shapes, header
from ruledsl.model.symbols import PLAYER, KindDeclaration, Symbols, nameless
from ruledsl.model.types import (
    ANY,
    NUMBER,
    FaceType,
    SetType,
    ThingType,
    Type,
    describe,
    join,
    maybe,
    plain,
    thing,
)
from ruledsl.syntax import ast
from ruledsl.syntax.declarations import has_cells

Cell = ast.Expr | None
"""A cell as written; None stands for `~` in a map."""


class Tables(Shapes):
    """Resolution of the declarations of kinds."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(symbols)
        self._columns: dict[tuple[str, str], ColumnInfo | None] = {}
        self._column_order: dict[str, dict[str, int]] = {}

    def own_scope(self, kind: str) -> tuple[Scope, core.Local]:
        """A scope in which a thing's own columns and indexes go by their names."""
        scope = Scope()
        own = scope.bind("", thing(kind), self.heads[kind].span)
        scope.own = own
        return scope, own

    def kind(self, head: Head) -> Kind:
        declaration = head.declaration
        if isinstance(declaration, ast.Piece | ast.Place) and declaration.columns:
            if not any(has_cells(row) for row in declaration.rows):
                self.report(found.columns_without_rows(declaration.columns[0].span, head.name))
        columns = tuple(
            column for name in head.columns if (column := self.column(head.name, name)) is not None
        )
        _, own = self.own_scope(head.name)
        piece: PieceInfo | None = None
        place: PlaceInfo | None = None
        if isinstance(declaration, ast.Piece):
            piece = self._piece(head, declaration)
        elif isinstance(declaration, ast.Place):
            place = self._place_info(head, declaration)
        return Kind(
            name=head.name,
            sort=head.sort,
            span=head.span,
            indexes=head.indexes,
            rows=head.rows,
            columns=columns,
            own=own,
            piece=piece,
            place=place,
            trail=() if declaration is None else declaration.trail,
            forms=self._forms(declaration),
            sixths=isinstance(declaration, Forms) and declaration.node.sixths,
            nameless=frozenset() if declaration is None else nameless(declaration),
        )

    def _forms(self, declaration: KindDeclaration | None) -> tuple[Form, ...]:
        match declaration:
            case ast.TypeTable():
                self._check_pictures(declaration)
                return drawn(declaration)
            case Forms(node=node):
                self._check_turned(node)
                return turned(declaration)
            case _:
                return ()

    def _check_turned(self, node: ast.TypeForms) -> None:
        """Only what is drawn can be turned."""
        of = node.of
        shapes = self.symbols.kinds.get(of.text)
        if shapes is None:
            drawn_kinds = (name for name, each in self.symbols.kinds.items() if is_drawn(each))
            self.report(misnamed.unknown_kind(of.span, of.text, "type", drawn_kinds))
            return
        self.use("kind", of.text)
        self.occurrences.meet(of.span, "kind", of.text)
        if not is_drawn(shapes):
            self.report(
                found.bad_shape(
                    of.span,
                    f"`{of.text}` has no pictures that could be turned",
                    "turned here",
                    "draw its rows: `o` is a cell, `~` is none",
                )
            )

    def _check_pictures(self, table: ast.TypeTable) -> None:
        """All rows are drawn or none, with cells and holes alone."""
        name = table.name.text
        if not is_drawn(table):
            if not table.columns:
                values = ", ".join(row.name.text for row in table.rows[:3])
                self.report(
                    found.bad_shape(
                        table.rows[0].name.span,
                        f"the rows of `{name}` have neither columns nor pictures",
                        "this is only a name",
                        f"write a list: `type {name} = {values}`",
                    )
                )
            return
        for row in table.rows:
            signs = (cell for line in row.picture for cell in line.cells if cell is not None)
            odd = next((s for s in signs if getattr(s, "text", None) != COVERED), None)
            if odd is not None:
                self.report(
                    found.bad_shape(
                        odd.span,
                        "this is neither a cell nor a hole",
                        f"in the picture of `{row.name.text}`",
                        "draw cells as `o`, holes as `~`",
                    )
                )
            elif not covered(row):
                self.report(
                    found.bad_shape(
                        row.name.span,
                        f"`{row.name.text}` has no picture"
                        if not row.picture
                        else f"the picture of `{row.name.text}` has no cell",
                        "this row",
                        "draw its cells as `o` below it",
                    )
                )
            elif len({len(line.cells) for line in row.picture}) > 1:
                first = len(row.picture[0].cells)
                uneven = next(line for line in row.picture if len(line.cells) != first)
                self.report(
                    found.map_size(
                        uneven.span,
                        "every line of a picture",
                        f"{first} signs",
                        str(len(uneven.cells)),
                    )
                )

    # ------------------------------------------------------------ pieces

    def _piece(self, head: Head, node: ast.Piece) -> PieceInfo:
        scope, _ = self.own_scope(head.name)
        count = None
        if node.count is not None:
            if node.rows:
                self.report(found.rows_without_table(node.count.span, head.name))
            count = self.constant(node.count, scope, "the number of copies")
        if "count" in head.columns:
            column = self.column(head.name, "count")
            if column is not None and plain(column.type) != NUMBER:
                self.report(
                    mistyped.wrong_type(
                        head.span, "a number", describe(column.type), "the column `count`"
                    )
                )
        start = None
        if node.start is not None:
            role = f"where `{head.name}` starts"
            start = self._place(node.start, scope, role)
            self.must_be_constant(start, role)
            self._check_held(core.Local("", 0, type=thing(head.name)), start)
        elif len(self.places_of({head.name})) != 1:
            self.report(
                found.missing_start(
                    head.span, f"`{head.name}`", "say where the pieces start: `in …`"
                )
            )
        else:
            start = self._only_place(head)
        return PieceInfo(count, start)

    def _only_place(self, head: Head) -> core.Expr | None:
        """Pieces that only one place can hold start there."""
        (only,) = self.places_of({head.name})
        if not self.single_place(self.heads[only]):
            self.report(
                found.missing_start(
                    head.span, f"`{head.name}`", "say where the pieces start: `in …`"
                )
            )
            return None
        return core.PlaceAt(only, (), type=thing(only), span=head.span)

    # ------------------------------------------------------------ places

    def _place_info(self, head: Head, node: ast.Place) -> PlaceInfo:
        scope, _ = self.own_scope(head.name)
        room = None
        stack = uncounted = False
        refilled: str | None = None
        sights: list[ast.Sight] = []
        for trait in node.traits:
            match trait:
                case ast.Stack():
                    stack = True
                case ast.Room(amount=amount):
                    room = self.constant(amount, scope, "the room of a place")
                case ast.Uncounted():
                    uncounted = True
                case ast.Refilled(source=source):
                    refilled = source.text
                    self._check_refill(head, node, source)
                case ast.Hidden() | ast.Private() | ast.SeenWhen():
                    sights.append(trait)
                case _:
                    assert_never(trait)
        if len(sights) > 1:
            self.report(
                found.bad_trait(
                    sights[1].span,
                    "a place is seen in one way: two are given",
                    "keep one of `hidden`, `private` and `seen when`",
                )
            )
        sight = self.sight(sights[0] if sights else None, head.name, head.holds, node.name.span)
        return PlaceInfo(
            shape=self.shape_of(head, node, scope),
            holds=head.holds,
            stack=stack,
            room=room,
            uncounted=uncounted,
            refilled=refilled,
            sight=sight,
            layout=self.layout(head, node),
        )

    def _check_refill(self, head: Head, node: ast.Place, source: ast.Name) -> None:
        other = self.heads.get(source.text)
        if other is None or other.sort != "place":
            places = (h.name for h in self.heads.values() if h.sort == "place")
            self._report_unknown(source, Scope(), thing(*places))
            return
        self.use("kind", source.text)
        self.occurrences.meet(source.span, "kind", source.text)
        if [i.kind for i in other.indexes] != [i.kind for i in head.indexes]:
            self.report(
                found.bad_refill(
                    source.span,
                    f"`{source.text}` must have the same indexes as `{head.name}`",
                    "write the same after `per` for both",
                )
            )
        elif not set(other.holds) <= set(head.holds):
            self.report(
                found.bad_refill(
                    source.span,
                    f"`{head.name}` can't hold what `{source.text}` does",
                    f"name the same pieces after `of` in `{head.name}`",
                )
            )
        elif not any(isinstance(trait, ast.Stack) for trait in node.traits):
            self.report(
                found.bad_refill(source.span, "only a `stack` can be refilled", "write `stack`")
            )

    def sight(
        self, node: ast.Sight | None, kind: str | None, pieces: tuple[str, ...], span: Span
    ) -> Sight:
        """Who sees a place (with `it` one of the pieces in it) or a state.

        A condition has the locals `here`, `it` and `viewer`, in this order.
        """
        match node:
            case None:
                return "open"
            case ast.Hidden():
                return "hidden"
            case ast.Private():
                indexes = () if kind is None else self.heads[kind].indexes
                owned = kind == PLAYER or any(index.kind == PLAYER for index in indexes)
                if not owned:
                    self.report(found.private_to_nobody(node.span, f"`{kind}`" if kind else "this"))
                return "private"
            case ast.SeenWhen(condition=condition):
                scope = Scope(seen_when=True)
                here = thing(kind) if kind is not None else ANY
                scope.bind("here", here, span)
                scope.bind("it", ThingType(frozenset(pieces)) if pieces else here, span)
                scope.bind("viewer", thing(PLAYER), span)
                return self.flag(condition, scope, "`seen when`")
            case _:
                assert_never(node)

    # ------------------------------------------------------------ columns

    def column(self, kind: str, name: str) -> ColumnInfo | None:
        key = (kind, name)
        if key not in self._columns:
            self._columns[key] = None  # a column that needs itself is unknown, not endless
            self._columns[key] = self._column(kind, name)
        return self._columns[key]

    def _column_places(self, kind: str) -> dict[str, int]:
        """The columns of a kind, each with its number."""
        if kind not in self._column_order:
            names = self.heads[kind].columns
            self._column_order[kind] = {name: at for at, name in reversed([*enumerate(names)])}
        return self._column_order[kind]

    def _column(self, kind: str, name: str) -> ColumnInfo:
        declaration = self.heads[kind].declaration
        by_map = False
        cells: list[Cell] = []
        span = self.heads[kind].span
        at = self._column_places(kind)[name]
        if isinstance(declaration, ast.Place) and at >= len(declaration.columns):
            picture = next(
                line
                for line in declaration.rows
                if isinstance(line, ast.Map) and line.column and line.column.text == name
            )
            by_map = True
            span = header(picture)
            cells = self._pictured(declaration, picture)
        elif isinstance(declaration, Forms):
            shape = declaration.node.of.text
            shapes = (form.shape for form in turned(declaration))
            each = (core.Value(shape, row, type=thing(shape), span=span) for row in shapes)
            return ColumnInfo(name, thing(shape), tuple(each), False)
        elif isinstance(declaration, ast.TypeTable | ast.Piece | ast.Place):
            rows = [row for row in declaration.rows if has_cells(row)]
            columns = [column.text for column in declaration.columns]
            for row in rows:
                if len(row.cells) != len(columns):
                    if at == 0 and isinstance(row, ast.Row):
                        self.report(
                            found.row_length(row.span, row.name.text, columns, len(row.cells))
                        )
                    continue
                cells.append(row.cells[at])
        values, of = self._cells(name, cells, span)
        return ColumnInfo(name, of, values, by_map)

    def _pictured(self, place: ast.Place, picture: ast.Map) -> list[Cell]:
        """The cells of a map in the order of a grid's places: south-west first, row by row."""
        if not isinstance(place.shape, ast.Grid | ast.Hexagon):
            self.report(
                found.map_place(
                    header(picture),
                    "only a grid has a map of a column",
                    "make it a `grid`, or write the column as a table",
                )
            )
            return []
        if not self.fits_grid(place, picture):
            return []
        cells: list[Cell] = []
        for line in reversed(picture.rows):
            for cell in line.cells:
                if isinstance(cell, ast.Name):
                    cells.append(ast.Ref(cell, None, span=cell.span))
                else:
                    cells.append(cell)
        return cells

    def _cells(
        self, name: str, cells: list[Cell], span: Span
    ) -> tuple[tuple[core.Expr, ...], Type]:
        """The cells of a column and their common type; bare values fix each other's."""
        scope = Scope()
        expected = self._common_kind(name, cells)
        if expected == ANY:
            return tuple(core.Constant(None, type=ANY, span=span) for _ in cells), ANY
        values: list[core.Expr] = []
        of: Type = ANY
        for cell in cells:
            if cell is None:
                value: core.Expr = core.Constant(None, type=maybe(ANY), span=span)
                values.append(value)
                continue
            value = self.expression(cell, scope, expected)
            self.must_be_constant(value, "a cell of a table")
            if self.is_place(value.type) and isinstance(expected, SetType):
                value = self.contents(value)
            joined = join(of, value.type)
            if joined is None:
                self.report(found.column_type(value.span, name, describe(of), describe(value.type)))
            else:
                of = joined
            values.append(value)
        if any(isinstance(v, core.Constant) and v.value is None for v in values):
            of = maybe(of)
        return tuple(values), of

    def _common_kind(self, name: str, cells: list[Cell]) -> Type | None:
        """The one kind that has all the bare values of a column."""
        bare = [
            item
            for cell in cells
            for item in (cell.items if isinstance(cell, ast.SetOf) else (cell,))
            if isinstance(item, ast.Ref)
            and item.arguments is None
            and item.name.text in self.symbols.values
        ]
        if not bare:
            return None
        kinds = set.intersection(*(set(self.symbols.values[ref.name.text]) for ref in bare))
        if len(kinds) > 1:
            named = {
                cell.subject.name.text
                for cell in cells
                if isinstance(cell, ast.Attribute) and isinstance(cell.subject, ast.Ref)
            }
            kinds = kinds & named or kinds
        if len(kinds) > 1:
            self.report(found.ambiguous_column(bare[0].span, name, kinds))
            return ANY
        if len(kinds) != 1:
            return None
        (kind,) = kinds
        single = self.value_type(kind)
        sets = any(isinstance(cell, ast.SetOf) for cell in cells)
        return SetType(single) if sets else single

    def value_type(self, kind: str) -> Type:
        """What a bare value of a kind is: a face for pieces, else a thing."""
        return FaceType(kind) if self.heads[kind].sort == "piece" else thing(kind)
