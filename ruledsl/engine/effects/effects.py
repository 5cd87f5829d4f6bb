"""The parts that lower effects, assembled."""

from __future__ import annotations

import attrs

from ruledsl.engine.context import Context
from ruledsl.engine.effects.dirty_triggers import DirtyTriggers
from ruledsl.engine.effects.histories import Histories
from ruledsl.engine.effects.moving import Moving
from ruledsl.engine.effects.seeing import Seeing
from ruledsl.engine.effects.slots_and_rolls import SlotsAndRolls
from ruledsl.engine.expressions.any_expression import AnyExpression
from ruledsl.engine.sets.keeping import KeptSets


@attrs.frozen
class Effects:
    """Lowers what changes a position."""

    seeing: Seeing
    dirty: DirtyTriggers
    moving: Moving
    slots: SlotsAndRolls
    histories: Histories

    @classmethod
    def assembled(
        cls, context: Context, expressions: AnyExpression, keeping: KeptSets, fate: str
    ) -> Effects:
        """`fate` is the function that gives outcomes of rolls."""
        reading, boards = expressions.reading, expressions.boards
        seeing = Seeing(context, expressions, reading)
        dirty = DirtyTriggers(context)
        moving = Moving(context, expressions, keeping, reading, boards, seeing, dirty)
        slots = SlotsAndRolls(context, expressions, keeping, boards, seeing, dirty, fate)
        return cls(seeing, dirty, moving, slots, Histories(context, reading, boards, seeing))
