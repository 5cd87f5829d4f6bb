"""Forms on a table: which cells they cover, and what they become when they are turned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruledsl.model.forms import Form, Offset, turned_over, turned_right
from ruledsl.table.things import Thing

if TYPE_CHECKING:
    from ruledsl.table.table import Table


class Forms:
    """The shapes and forms of a table, by the things that they are."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._forms: dict[str, tuple[Form, ...]] = {}
        self._by_cells: dict[tuple[str, str], dict[tuple[Offset, ...], int]] = {}
        """of each shape, the numbers of its forms"""
        self._covered: dict[tuple[Thing, Thing], tuple[Thing, ...] | None] = {}

    def of(self, thing: Thing) -> Form:
        return self._all(thing.kind)[thing.index]

    def _all(self, kind: str) -> tuple[Form, ...]:
        if kind not in self._forms:
            self._forms[kind] = self.table.game.kinds[kind].forms
            for number, form in enumerate(self._forms[kind]):
                self._by_cells.setdefault((kind, form.shape), {})[form.cells] = number
        return self._forms[kind]

    def cover(self, cell: Thing, form: Thing) -> tuple[Thing, ...] | None:
        """The cells below a form whose first one is given; none if one of them is not there."""
        key = (cell, form)
        if key not in self._covered:
            cells = [self.table.boards.beyond(cell, *offset) for offset in self.of(form).cells]
            found = {each for each in cells if each is not None}
            whole = tuple(sorted(found, key=lambda each: each.order))
            self._covered[key] = None if None in cells else whole
        return self._covered[key]

    def turned(self, form: Thing, degrees: int) -> Thing:
        """A form turned to the right."""
        cells = self.of(form).cells
        sixths = self._sixths(form.kind)
        for _ in range(degrees % 360 // (60 if sixths else 90)):
            cells = turned_right(cells, sixths)
        return self._with(form, cells)

    def turned_over(self, form: Thing) -> Thing:
        return self._with(form, turned_over(self.of(form).cells, self._sixths(form.kind)))

    def _with(self, form: Thing, cells: tuple[Offset, ...]) -> Thing:
        numbers = self._by_cells[form.kind, self.of(form).shape]
        return self.table.things(form.kind)[numbers[cells]]

    def _sixths(self, kind: str) -> bool:
        return self.table.game.kinds[kind].sixths
