"""Which triggers may have come to hold: a dirty bit for each, set by whatever they read."""

from __future__ import annotations

from ruledsl.engine.code.instructions import (
    Code,
    Writer,
    load64,
    signed,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.unchanging import bodies_of
from ruledsl.engine.memory.control import DIRTY
from ruledsl.model import core
from ruledsl.model.builtins import Reads, read_by
from ruledsl.model.game import TriggerInfo
from ruledsl.model.walk import walk


class DirtyTriggers(Part):
    """Notes which triggers have to be tried."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._reads = {name: self._read_by(name) for name in self.game.triggers}
        self._trigger_bits = dict(zip(self.game.triggers, range(64), strict=False))
        """where there are more triggers than bits, the others are always tried"""

    def _read_by(self, name: str) -> set[object] | None:
        """What a trigger's condition reads; None for anything."""
        trigger = self.game.triggers[name]
        if trigger.when is None:
            return None
        found: set[object] = set()
        todo: list[object] = [*(draw.domain for draw in trigger.picks), trigger.when]
        seen: set[str] = set()
        while todo:
            node = todo.pop()
            for part in walk((node,)):
                match part:
                    case core.ReadState(state=state):
                        found.add(("state", state))
                    case core.ReadHistory() | core.Would() | core.Can():
                        return None
                    case core.Special(word="you"):
                        return None
                    case core.Special(word="active" | "playing" as word):
                        found.add(word)
                    case core.Contents(place=place):
                        found.update(("place", kind) for kind in self.layout.kinds_of(place.type))
                    case core.ReadFeature(feature=feature, subject=subject):
                        found.update(self._read_from(subject, read_by(feature)))
                    case core.Member(element=element) if self.layout.is_piece(element.type):
                        found.update(self.wherever(self.layout.kinds_of(element.type)))
                    case core.CallDefine(define=key) if key not in seen:
                        seen.add(key)
                        todo.extend(bodies_of(self.game.defines[key]))
                    case _:
                        pass
        return found

    def _read_from(self, subject: core.Expr, reads: Reads) -> set[object]:
        kinds = self.layout.kinds_of(subject.type)
        match reads:
            case "nothing":
                return set()
            case "what lies there":
                return {("place", kind) for kind in kinds}
            case "where it lies":
                return self.wherever(kinds)
            case "who plays":
                return {"playing"}

    def wherever(self, pieces: list[str]) -> set[object]:
        """All kinds of places that may hold some kinds of pieces."""
        return {
            ("place", name)
            for name, kind in self.game.kinds.items()
            if kind.place is not None and set(kind.place.holds) & set(pieces)
        }

    def touched(self, w: Writer, *what: object) -> None:
        """Something changes: note which triggers may hold now."""
        mask = 0
        for name, reads in self._reads.items():
            if name not in self._trigger_bits:
                continue
            if reads is None or any(each in reads for each in what):
                mask |= 1 << self._trigger_bits[name]
        if mask:
            w.store64(DIRTY, ("i64.or", load64(DIRTY), ("i64", signed(mask))))

    def may_hold(self, trigger: TriggerInfo) -> Code:
        if trigger.name not in self._trigger_bits:
            return 1
        bit = signed(1 << self._trigger_bits[trigger.name])
        return ("i64.ne", ("i64.and", load64(DIRTY), ("i64", bit)), ("i64", 0))

    def does_not_hold(self, w: Writer, trigger: TriggerInfo) -> None:
        if trigger.name not in self._trigger_bits:
            return
        others = signed(~(1 << self._trigger_bits[trigger.name]))
        w.store64(DIRTY, ("i64.and", load64(DIRTY), ("i64", others)))
