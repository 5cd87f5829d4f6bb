"""What may end in an error while it is worked out: then nothing of it may be left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.unchanging import bodies_of
from ruledsl.model import core
from ruledsl.model.walk import walk


class GoingWrong(Part):
    """Foresees which values may be an error instead.

    The interpreter goes through sets to their end. Whoever has seen enough before may only stop
    there if nothing behind it can go wrong; otherwise one executor would go on where the other
    does not. Looked at lightly, things that should be there are so where it matters.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._defines: dict[str, bool] = {}

    def may(self, *nodes: core.Expr | core.Statement | None) -> bool:
        """Whether working out one of several values may end in an error."""
        if not self.context.checked:
            return False
        return any(self._may(part) for node in nodes if node is not None for part in walk((node,)))

    def apart(
        self, draws: Sequence[core.Draw], tests: Sequence[core.Expr]
    ) -> tuple[list[core.Expr], list[core.Expr]]:
        """The tests of a query that may be judged as soon as can be, and those that come last."""
        if self.may(*(draw.domain for draw in draws[1:])):
            return [], list(tests)
        early = self._harmless_before(tests)
        return list(tests[:early]), list(tests[early:])

    def _harmless_before(self, tests: Iterable[core.Expr]) -> int:
        number = 0
        for number, test in enumerate(tests):
            if self.may(test):
                return number
        return number + 1

    def _may(self, part: object) -> bool:
        match part:
            case core.Arithmetic() | core.Query(word="sum") | core.LongestTrail():
                return self.context.ranges.may_fail(part)
            case core.Sure() | core.Query(word="the"):
                return not self.context.lightly
            case core.Would() | core.Can():
                return True
            case core.Special(word="you" | "active"):
                return self.context.looks_for_someone
            case core.CallDefine(define=key):
                if key not in self._defines:
                    self._defines[key] = self.may(*bodies_of(self.game.defines[key]))
                return self._defines[key]
            case _:
                return False
