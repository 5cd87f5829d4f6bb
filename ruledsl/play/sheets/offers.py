"""What may be settled before a game: its options and its variants."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.model import core
from ruledsl.play.inflection import fixed
from ruledsl.play.sheets.context import SheetContext
from ruledsl.play.sheets.entries import Entry
from ruledsl.texts import sheets


@attrs.frozen
class Offers:
    context: SheetContext
    named: tuple[tuple[str, str], ...]
    """the variants with their titles"""

    def options(self) -> Iterator[Entry]:
        for option in self.context.game.options.values():
            domain = self._offered(option.domain)
            default = self.context.prose.said(option.default)
            usual = self.context.phrase(sheets.USUAL, domain=domain, default=default)
            name = self.context.words.name(option.name, None, option.title)
            yield Entry(f"{name}: {usual}", trail=option.trail)

    def _offered(self, domain: core.Expr) -> str:
        """What an option may be: one value or another."""
        match domain:
            case core.AllThings(kind=kind):
                rows = self.context.game.kinds[kind].rows
                names = [fixed(self.context.words.name(row, kind)) for row in rows]
            case core.SetOf(items=items):
                names = [fixed(self.context.prose.said(item)) for item in items]
            case _:
                names = []
        if not names:
            return self.context.prose.said(domain)
        return str(self.context.telling.listed(names, "or"))

    def variants(self) -> Iterator[Entry]:
        for name, title in self.named:
            yield Entry(title if title == name else f"{title} ({name})")
