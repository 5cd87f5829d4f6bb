"""What is in the box: pieces with their faces and numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import attrs

from ruledsl.model.game import Kind, PieceInfo
from ruledsl.play.prose import begun
from ruledsl.play.sheets.context import SheetContext
from ruledsl.play.sheets.entries import Entry
from ruledsl.table.table import Table
from ruledsl.texts import sheets


@attrs.frozen
class Components:
    context: SheetContext

    def after(self, told: tuple[Entry, ...], *, full: bool) -> Iterator[Entry]:
        """What is in the box, first as the book has it; what begins where it tells by itself."""
        yield from told
        if told:
            yield Entry(self.context.phrase(sheets.IN_DETAIL), head=True)
        yield from self._counts() if told and not full else self._pieces()

    def _counts(self) -> Iterator[Entry]:
        for kind in self.context.game.kinds.values():
            if kind.piece is not None:
                named = self._number(kind)
                yield Entry(f"{named} – {self._kept(kind)}" if len(kind.rows) > 1 else named, 1)

    def _pieces(self) -> Iterator[Entry]:
        for kind in self.context.game.kinds.values():
            if kind.piece is not None:
                yield Entry(self._number(kind), head=True, trail=kind.trail)
                yield from (Entry(text, 1) for text in self._details(kind, kind.piece) if text)

    def _number(self, kind: Kind) -> str:
        """`Cards: 50`."""
        number = self.context.at_tables(lambda table: str(len(table.things(kind.name))))
        noun = self.context.telling.kind_noun(kind.name)
        return f"{begun(noun.one if number == '1' else noun.many)}: {number}"

    def _details(self, kind: Kind, piece: PieceInfo) -> Iterator[str]:
        """The faces with their numbers, or for what there is one."""
        if kind.rows:
            yield self._kept(kind)
        elif kind.indexes:
            number = self.context.at_tables(lambda table: _copies(kind, table))
            kinds = self.context.indexes(kind)
            yield self.context.phrase(sheets.OF_EACH, number=number, kinds=kinds)
        if piece.start is not None:
            where = self.context.telling.owning(kind.own).lying(piece.start)
            starts = self.context.phrase(sheets.STARTS, place=where)
            yield self.context.prose.polished(starts)

    def _kept(self, kind: Kind) -> str:
        return self.context.at_tables(lambda table: self._faces(kind, table))

    def _faces(self, kind: Kind, table: Table) -> str:
        counts: dict[str, int] = {}
        for piece in table.things(kind.name):
            assert piece.face is not None
            label = self.context.words.name(piece.face.name, kind.name)
            counts[label] = counts.get(label, 0) + 1
        return ", ".join(label if n == 1 else f"{n} × {label}" for label, n in counts.items())


def _copies(kind: Kind, table: Table) -> str:
    """How many there are of each combination of the indexes."""
    counts = Counter(tuple(piece.indexes.values()) for piece in table.things(kind.name))
    found = sorted(set(counts.values()))
    return str(found[0]) if len(found) == 1 else f"{found[0]}–{found[-1]}" if found else "0"
