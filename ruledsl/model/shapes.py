"""Shapes of places: grids, rings, networks, edges, and pictures of them."""

from __future__ import annotations

from itertools import pairwise
from typing import assert_never

from ruledsl.diagnostics import names as misnamed
from ruledsl.diagnostics import tables as found
from ruledsl.diagnostics.source import Span
from ruledsl.model.base import across_hexagon
from ruledsl.model.game import (
    EdgesShape,
    FamilyShape,
    GridShape,
    LineShape,
    NetworkShape,
    RingShape,
    Shape,
    TableShape,
)
from ruledsl.model.heads import Head
from ruledsl.model.scope import Scope
from ruledsl.model.statements import Statements
from ruledsl.syntax import ast

_DRAW_ONCE = "draw each place once; `~` is empty"
_CELL = "o"
"""A cell in the picture of a grid."""


class Shapes(Statements):
    """Resolution of the shapes of places."""

    def shape_of(self, head: Head, node: ast.Place, scope: Scope) -> Shape:
        paths = [line for line in node.rows if isinstance(line, ast.Path)]
        self._check_lines(head, node, paths)
        match node.shape:
            case ast.Grid(width=width, height=height):
                return GridShape(
                    self.constant(width, scope, "the width of a grid"),
                    self.constant(height, scope, "the height of a grid"),
                    node.shape.hexagonal,
                    node.shape.wrapped,
                    None,
                    self._holes(node),
                )
            case ast.Hexagon(side=side):
                length = self.constant(side, scope, "the side of a hexagon")
                across = across_hexagon(length)
                return GridShape(across, across, True, False, length, self._holes(node))
            case ast.Ring(numbers=numbers):
                return RingShape(*self.ends(numbers, "the size of a ring"))
            case ast.Line(numbers=numbers):
                return LineShape(*self.ends(numbers, "the size of a line"))
            case ast.Network():
                return self._network(head, node, paths)
            case ast.Edges(of=of):
                return self._edges(head, node, of, paths)
            case None:
                return TableShape() if head.rows else FamilyShape()
            case _:
                assert_never(node.shape)

    def _check_lines(self, head: Head, node: ast.Place, paths: list[ast.Path]) -> None:
        """Lines under a place that its shape has no use for."""
        rows = [line for line in node.rows if isinstance(line, ast.Row)]
        if paths and not isinstance(node.shape, ast.Network | ast.Edges):
            self.report(
                found.bad_trait(paths[0].span, "paths belong to a network", "write `network`")
            )
        if rows and node.per:
            self.report(
                found.bad_trait(
                    rows[0].span, "a family of places has no rows", "leave out `per`, or the rows"
                )
            )
        if rows and isinstance(node.shape, ast.Edges):
            self.report(
                found.bad_trait(
                    rows[0].span, "an edge is named by its ends", "such as `rome - milan`"
                )
            )
        if node.per and isinstance(node.shape, ast.Network | ast.Edges):
            self.report(
                found.bad_trait(
                    node.shape.span, "a network and its edges are there once", "leave out `per`"
                )
            )
        pieces = [index for index in head.indexes if self._is_piece_kind(index.kind)]
        if pieces and node.shape is not None and not pieces[0].faces:
            self.report(
                found.bad_trait(
                    node.shape.span,
                    "a place that belongs to a piece has no shape",
                    "leave out the shape",
                )
            )

    def _is_piece_kind(self, kind: str) -> bool:
        return kind in self.heads and self.heads[kind].sort == "piece"

    # ------------------------------------------------------------ networks and edges

    def _network(self, head: Head, node: ast.Place, paths: list[ast.Path]) -> NetworkShape:
        """The paths of a network: its own, and those of its edges."""
        of_edges = [
            line
            for other in self.symbols.kinds.values()
            if isinstance(other, ast.Place)
            and isinstance(other.shape, ast.Edges)
            and other.shape.of.text == head.name
            for line in other.rows
            if isinstance(line, ast.Path)
        ]
        if not paths and not of_edges:
            self.report(found.bad_trait(head.span, "a network needs paths", "such as `a - b - c`"))
        rows = [line for line in node.rows if isinstance(line, ast.Row)]
        named = {row.name.text for row in rows}
        for path in paths:
            if path.cells:
                self.report(
                    found.bad_trait(
                        path.span,
                        "the paths of a network have no columns",
                        "give them to its edges: `place road edges of …`",
                    )
                )
            for stop in path.stops:
                if node.columns and stop.text not in named:
                    self.report(
                        found.bad_trait(
                            stop.span, f"`{stop.text}` has no row", "add one with its columns"
                        )
                    )
                    named.add(stop.text)
                self.occurrences.meet(stop.span, "value", f"{head.name}.{stop.text}")
        known = [path for path in of_edges if all(s.text in head.rows for s in path.stops)]
        return NetworkShape(tuple(tuple(s.text for s in p.stops) for p in (*paths, *known)))

    def _edges(
        self, head: Head, node: ast.Place, of: ast.Name, paths: list[ast.Path]
    ) -> EdgesShape:
        """Edges have columns if each is a line of its own."""
        other = self.heads.get(of.text)
        place = None if other is None else other.declaration
        if other is None or not isinstance(place, ast.Place):
            places = (name for name, each in self.heads.items() if each.sort == "place")
            self.report(misnamed.unknown_place(of.span, of.text, places))
            return EdgesShape(of.text, ())
        self.use("kind", of.text)
        self.occurrences.meet(of.span, "kind", of.text)
        joining = ast.Grid | ast.Hexagon | ast.Network | ast.Ring | ast.Line
        if not isinstance(place.shape, joining):
            self.report(
                found.bad_trait(
                    of.span,
                    f"the places of `{of.text}` have no neighbours",
                    "edges lie between the places of a grid, ring, line or network",
                )
            )
        rows: list[tuple[str, str]] = []
        for path in paths:
            rows += self._lines(node, other, path)
        joined = {frozenset(pair) for pair in rows}
        if node.columns and isinstance(place.shape, ast.Network):
            own = (line for line in place.rows if isinstance(line, ast.Path))
            for one, two in (pair for line in own for pair in pairwise(line.stops)):
                if frozenset((one.text, two.text)) not in joined:
                    what = f"the edge `{one.text} - {two.text}` has no line"
                    self.report(found.bad_trait(head.span, what, "add one with its columns"))
        elif node.columns and not paths:
            self.report(
                found.bad_trait(
                    node.columns[0].span,
                    "only the edges of a network have columns",
                    "keep a state of each edge instead",
                )
            )
        return EdgesShape(of.text, tuple(rows))

    def _lines(self, node: ast.Place, other: Head, path: ast.Path) -> list[tuple[str, str]]:
        """The edges of a line such as `rome - milan | 3`."""
        if not isinstance(other.declaration, ast.Place) or not isinstance(
            other.declaration.shape, ast.Network
        ):
            self.report(
                found.bad_trait(
                    path.span,
                    f"`{other.name}` is no network: its edges are known",
                    "leave out the lines",
                )
            )
            return []
        for stop in path.stops:
            if stop.text in other.rows:
                self.occurrences.meet(stop.span, "value", f"{other.name}.{stop.text}")
            else:
                self.report(misnamed.unknown_name(stop.span, stop.text, other.rows))
        if node.columns and len(path.stops) > 2:
            self.report(
                found.bad_trait(
                    path.span, "a line with columns is about one edge", "write a line for each"
                )
            )
        if len(path.cells) != len(node.columns):
            name = " - ".join(stop.text for stop in path.stops)
            columns = [column.text for column in node.columns]
            self.report(found.row_length(path.span, name, columns, len(path.cells)))
        if not all(stop.text in other.rows for stop in path.stops):
            return []
        return [(one.text, two.text) for one, two in pairwise(path.stops)]

    # ------------------------------------------------------------ pictures

    def _holes(self, node: ast.Place) -> frozenset[tuple[int, int]]:
        """The cells that the picture of a grid leaves out, by column and row."""
        pictures = [m for m in node.rows if isinstance(m, ast.Map) and m.column is None]
        if not pictures:
            return frozenset()
        for other in pictures[1:]:
            self.report(found.map_place(header(other), "a second picture of the same places"))
        drawn = (cell for line in pictures[0].rows for cell in line.cells if cell is not None)
        texts = (cell.text if isinstance(cell, ast.Name) else str(cell.value) for cell in drawn)
        wrong = next((text for text in texts if text != _CELL), None)
        if wrong is not None:
            self.report(
                found.map_place(
                    header(pictures[0]),
                    f"`{wrong}` is neither a cell nor a hole",
                    "draw cells as `o`, holes as `~`; to fill a column, name it: `map column`",
                )
            )
        if not self.fits_grid(node, pictures[0]):
            return frozenset()
        return frozenset(
            (col + 1, row + 1)
            for row, line in enumerate(reversed(pictures[0].rows))
            for col, cell in enumerate(line.cells)
            if cell is None
        )

    def fits_grid(self, place: ast.Place, picture: ast.Map) -> bool:
        """Whether a picture is as large as its grid, as far as the text says it."""
        assert isinstance(place.shape, ast.Grid | ast.Hexagon)
        widths = {len(line.cells) for line in picture.rows}
        if len(widths) > 1:
            uneven = next(
                line for line in picture.rows if len(line.cells) != len(picture.rows[0].cells)
            )
            self.report(
                found.map_size(
                    uneven.span,
                    "every line of a map",
                    f"{len(picture.rows[0].cells)} cells",
                    f"{len(uneven.cells)}",
                )
            )
            return False
        match place.shape:
            case ast.Grid(width=ast.Number(value=width), height=ast.Number(value=height)):
                pass
            case ast.Hexagon(side=ast.Number(value=side)):
                width = height = 2 * side - 1
            case _:
                return True
        got = (len(picture.rows[0].cells) if picture.rows else 0, len(picture.rows))
        if got == (width, height):
            return True
        self.report(
            found.map_size(
                header(picture),
                "the map",
                f"{height} lines of {width} cells",
                f"{got[1]} lines of {got[0]}",
            )
        )
        return False

    def layout(self, head: Head, node: ast.Place) -> tuple[tuple[str | None, ...], ...]:
        """The picture of named places, north first."""
        pictures = [m for m in node.rows if isinstance(m, ast.Map) and m.column is None]
        if not pictures or isinstance(node.shape, ast.Grid | ast.Hexagon):
            return ()
        picture = pictures[0]
        for other in pictures[1:]:
            self.report(found.map_place(header(other), "a second picture of the same places"))
        if not head.rows:
            self.report(
                found.map_place(
                    header(picture),
                    "only named places can be laid out",
                    "to fill a column, name it: `map column`",
                )
            )
            return ()
        drawn: set[str] = set()
        unknown = False
        lines: list[tuple[str | None, ...]] = []
        for line in picture.rows:
            cells: list[str | None] = []
            for cell in line.cells:
                if isinstance(cell, ast.Name) and cell.text in head.rows:
                    if cell.text in drawn:
                        self.report(
                            found.map_place(cell.span, f"`{cell.text}` is drawn twice", _DRAW_ONCE)
                        )
                    drawn.add(cell.text)
                    self.occurrences.meet(cell.span, "value", f"{head.name}.{cell.text}")
                    cells.append(cell.text)
                else:
                    if cell is not None:
                        unknown = True
                        text = cell.text if isinstance(cell, ast.Name) else str(cell.value)
                        self.report(found.unknown_map_name(cell.span, text, head.name, head.rows))
                    cells.append(None)
            lines.append(tuple(cells))
        missing = [row for row in head.rows if row not in drawn]
        if missing and not unknown:
            listed = ", ".join(f"`{row}`" for row in missing[:5])
            self.report(
                found.map_place(header(picture), f"the picture leaves out {listed}", _DRAW_ONCE)
            )
        width = max(len(line) for line in lines) if lines else 0
        return tuple(line + (None,) * (width - len(line)) for line in lines)


def header(picture: ast.Map) -> Span:
    """The line of `map`, without the picture below it."""
    word = picture.span.first(len("map"))
    return word if picture.column is None else word.to(picture.column.span)
