"""Where candidates lie in memory, and which decisions there are."""

from __future__ import annotations

import attrs

from ruledsl.engine.context import Context
from ruledsl.model import core
from ruledsl.model.walk import walk

MOST_CANDIDATES = 1 << 15

OFFER, OPTION, MASKS, VALUES = 0, 4, 8, 12
"""Where a candidate has what is offered, its option, bits for its values, and these.

The lower half of the bits tells which values may be alike others, the upper which are pieces.
"""


@attrs.frozen
class Candidates:
    """What may be chosen, as a list in memory."""

    width: int
    """how many values a candidate has at most"""
    options: int
    """the address of the first candidate"""
    sizes: int
    """a cell for each option: how many candidates it has"""
    apart: int
    """a cell for each piece: 0, or its number among those that are named and so unlike others"""

    @property
    def stride(self) -> int:
        """The bytes of a candidate."""
        return VALUES + 4 * self.width

    @classmethod
    def of(cls, context: Context) -> Candidates:
        widths = [len(action.picks) for action in context.game.actions.values()]
        width = max([1, *widths])
        layout = context.layout
        options = layout.scratch((VALUES + 4 * width) * (MOST_CANDIDATES + 1))
        sizes = layout.scratch(4 * (MOST_CANDIDATES + 1))
        return cls(width, options, sizes, layout.scratch(4 * (layout.pieces + 1)))


@attrs.frozen(eq=False)
class DecisionSites:
    """The statements that ask."""

    most: int
    """how many there can be"""
    failures: int
    """a cell for each: how often drawing failed in a row"""
    decisions: list[core.ChooseValue | core.ChooseAction] = attrs.Factory(list)
    """by number, as they are lowered"""
    unsure: set[int] = attrs.Factory(set)
    """those at which an option is drawn without counting all of them"""

    @classmethod
    def of(cls, context: Context) -> DecisionSites:
        decisions = sum(
            isinstance(part, core.ChooseValue | core.ChooseAction)
            for block in context.game.blocks()
            for part in walk(block)
        )
        # A decision may be lowered twice: where triggers are tried, and where they are not.
        most = 2 * decisions
        return cls(most, context.layout.scratch(4 * most))
