"""What the words of a game mean."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.game import DefineInfo
from ruledsl.model.types import FlagType
from ruledsl.play.sheets.context import SheetContext
from ruledsl.play.sheets.entries import Entry
from ruledsl.texts import sheets


@attrs.frozen
class Definitions:
    context: SheetContext

    def entries(self) -> Iterator[Entry]:
        prose, words = self.context.prose, self.context.words
        for info in self.context.game.defines.values():
            if info.body is not None and not isinstance(info.body, core.Constant):
                text = self._meaning(info, info.body)
                yield Entry(self.context.sentence(text), trail=info.trail)
            for row in info.rows:
                said = prose.knowing(row.params).said(row.body)
                name = f"{words.name(info.name)}, {words.name(row.row)}"
                yield Entry(self.context.sentence(f"{name}: {said}"), trail=row.trail)

    def _meaning(self, info: DefineInfo, body: core.Expr) -> str:
        telling = self.context.prose.knowing(info.params)
        head = self.context.prose.defined(info, telling)
        if isinstance(info.type, FlagType):
            meaning = telling.clause(body).told("main")
            return self.context.phrase(sheets.MEANS, a=head, b=meaning)
        return f"{head}: {telling.said(body)}"
