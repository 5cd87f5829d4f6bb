"""Shapes that are drawn in the rows of a type, and the forms they take when they are turned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.syntax import ast

Offset: TypeAlias = tuple[int, int]
"""How many columns to the east and rows to the north."""

COVERED = "o"
"""A cell in a picture."""
TURNS = 4
SIXTHS = 6
_CIRCLE = 360


@attrs.frozen
class Form:
    """A shape as it lies: from its first cell, the southernmost and of these the westernmost."""

    name: str
    of: str
    """the type with the picture"""
    shape: str
    """the row that is drawn"""
    cells: tuple[Offset, ...]
    degrees: int = 0
    """how far it was turned to the right"""
    mirrored: bool = False
    """whether it was turned over before that, east to west"""


@attrs.frozen(eq=False)
class Forms:
    """`type Form turns of Shape`, with the rows of what it turns."""

    node: ast.TypeForms
    shapes: tuple[ast.Row, ...]

    @property
    def name(self) -> ast.Name:
        return self.node.name

    @property
    def trail(self) -> ast.Trail:
        return self.node.trail

    @property
    def span(self) -> Span:
        return self.node.span

    @property
    def column(self) -> str:
        """By what the shape of a form is read: its kind with a small first letter."""
        of = self.node.of.text
        return of[:1].lower() + of[1:]


def covered(row: ast.Row) -> tuple[Offset, ...]:
    """The cells of a picture, whose first line is in the north."""
    return _from_first(
        (col, north)
        for north, line in enumerate(reversed(row.picture))
        for col, cell in enumerate(line.cells)
        if cell is not None
    )


def is_drawn(declaration: object) -> bool:
    """Whether a type has pictures."""
    return isinstance(declaration, ast.TypeTable) and any(row.picture for row in declaration.rows)


def drawn(table: ast.TypeTable) -> tuple[Form, ...]:
    """The shapes of a type as they are drawn; nothing if they are not."""
    rows = ((row.name.text, covered(row)) for row in table.rows)
    of = table.name.text
    return tuple(Form(name, of, name, cells) for name, cells in rows if cells)


def turned(forms: Forms) -> tuple[Form, ...]:
    """Each shape in all its turns; of those that look alike, the first."""
    found: list[Form] = []
    for row in forms.shapes:
        if cells := covered(row):
            found += _turns_of(row.name.text, cells, forms.node)
    return tuple(found)


def _turns_of(shape: str, drawn: tuple[Offset, ...], node: ast.TypeForms) -> Iterator[Form]:
    met: set[tuple[Offset, ...]] = set()
    steps = SIXTHS if node.sixths else TURNS
    for mirrored in (False, True) if node.mirrored else (False,):
        cells = turned_over(drawn, node.sixths) if mirrored else drawn
        for degrees in range(0, _CIRCLE, _CIRCLE // steps):
            if cells not in met:
                met.add(cells)
                over = "_mirrored" if mirrored else ""
                name = f"{shape}{over}_{degrees}" if degrees else f"{shape}{over}"
                yield Form(name, node.of.text, shape, cells, degrees, mirrored)
            cells = turned_right(cells, node.sixths)


def turned_right(cells: tuple[Offset, ...], sixths: bool) -> tuple[Offset, ...]:
    """A quarter of a turn further; on hexagons a sixth."""
    return _from_first(((x + y, -x) if sixths else (y, -x)) for x, y in cells)


def turned_over(cells: tuple[Offset, ...], sixths: bool) -> tuple[Offset, ...]:
    """With east and west exchanged; the rows of hexagons lean to the east."""
    return _from_first(((-x - y, y) if sixths else (-x, y)) for x, y in cells)


def _from_first(cells: Iterator[Offset]) -> tuple[Offset, ...]:
    found = sorted(cells, key=lambda cell: (cell[1], cell[0]))
    return tuple((x - found[0][0], y - found[0][1]) for x, y in found)
