"""How everything that can be reached is found with bits, decided before code is written."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from ruledsl.engine.context import Context, Part
from ruledsl.engine.expressions.arrivals import only_arrive
from ruledsl.engine.expressions.environment import Scalar, Scope
from ruledsl.engine.expressions.subjects import Subject
from ruledsl.engine.expressions.unchanging import with_definitions
from ruledsl.engine.expressions.ways import Shift, Ways, both_ways, shifts
from ruledsl.engine.expressions.word_planner import WordPlanner
from ruledsl.engine.expressions.word_plans import WordPlan
from ruledsl.engine.memory.board_plans import MOST_PLACES
from ruledsl.engine.memory.layout import Span
from ruledsl.model import core
from ruledsl.model.names import free_in
from ruledsl.model.types import may_be_none
from ruledsl.model.walk import walk

MOST_KEPT = 8
"""Values of something for each of which groups are kept."""
FEW_WORDS = 2
"""To go through so few words each time costs no more than to keep groups."""


@attrs.frozen
class FloodPlan:
    """Everything that can be reached, word by word."""

    subjects: tuple[Subject, ...]
    admitted: tuple[WordPlan, ...]
    """where one may go; nothing where one may go everywhere"""
    rows: tuple[int, ...]
    """what follows each element, as bits"""
    shifts: tuple[Shift, ...] | None
    """the same where all elements of a word make a step at once"""
    kept: bool = False
    """whether groups of what is joined are kept from one question to the next"""
    kept_by: core.Expr | None = None
    """what it depends on which elements are joined: there are groups for each of its values"""


class Floods(Part):
    """Decides how one goes from each element to all that can be reached."""

    def __init__(self, context: Context, words: WordPlanner, ways: Ways) -> None:
        super().__init__(context)
        self.words = words
        self.ways = ways
        self._lasting: dict[tuple[str, tuple[int, ...]], bool] = {}
        """by places and ways: whether what is joined stays so"""

    def planned(self, node: core.Reach, scope: Scope, span: Span) -> FloodPlan | None:
        """How everything is reached with bits; None if they don't tell."""
        subjects = self.words.subjects(span, node.local.number) if span[1] <= MOST_PLACES else None
        if subjects is None or not self.ways.are_still(node):
            return None
        admitted = self._admitted(node, subjects, scope)
        if admitted is None:
            return None
        rows = self.ways.rows(node, span)
        at_once = shifts(rows) if len(subjects) == 1 else None
        found = FloodPlan(tuple(subjects), admitted, rows, at_once)
        return found if len(subjects) <= FEW_WORDS else self._kept(node, found)

    def _admitted(
        self, node: core.Reach, subjects: Sequence[Subject], scope: Scope
    ) -> tuple[WordPlan, ...] | None:
        """Where one may go, word by word; None if that can't be told."""
        found: list[WordPlan] = []
        if node.where is None:
            return ()
        for subject in subjects:
            plan = self.words.planned(node.where, subject, scope, asked=False)
            if plan is None:
                return None
            found.append(plan)
        return tuple(found)

    def _kept(self, node: core.Reach, plan: FloodPlan) -> FloodPlan:
        """The same with groups that are kept, if that can be.

        It can where one element is asked about, ways lead both ways, and pieces only arrive.
        """
        match node.start:
            case core.SetOf(items=(item,)) if not may_be_none(item.type):
                keys = self._keys(node) if self._stays_joined(plan) else None
            case _:
                keys = None
        if keys is None:
            return plan
        # There is one function for all who ask, which knows nothing but the key.
        known: Scope = {key.number: Scalar() for key in keys if isinstance(key, core.Local)}
        admitted = self._admitted(node, plan.subjects, known)
        if admitted is None:
            return plan
        kept_by = keys[0] if keys else None
        return attrs.evolve(plan, admitted=admitted, kept=True, kept_by=kept_by)

    def _keys(self, node: core.Reach) -> list[core.Expr] | None:
        """What it depends on where one may go: a single thing of few, or nothing; else None."""
        if node.where is None:
            return None
        asked: dict[object, core.Expr] = {}
        for part in with_definitions(self.game, node.where):
            if isinstance(part, core.Special):
                asked[part.word] = part
        for part in walk((node.where,)):
            if isinstance(part, core.Local) and part.number in free_in(node.where):
                asked[part.number] = part
        asked.pop(node.local.number, None)
        spans = [self.layout.span(key.type) for key in asked.values()]
        if len(asked) > 1 or any(span is None or span[1] > MOST_KEPT for span in spans):
            return None
        return [*asked.values()]

    def _stays_joined(self, plan: FloodPlan) -> bool:
        kind = plan.subjects[0].things[0].kind
        if kind not in self.layout.places:
            return False
        key = (kind, plan.rows)
        if key not in self._lasting:
            arrive = only_arrive(self.game, self.layout, kind)
            self._lasting[key] = arrive and both_ways(plan.rows)
        return self._lasting[key]
