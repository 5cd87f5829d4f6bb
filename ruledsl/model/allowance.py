"""How much the rules of a game may do while they run; whoever runs them may allow more."""

from __future__ import annotations

import attrs

MOST_STATEMENTS = 200_000
"""Statements between two decisions; more means that somebody would wait for ever."""

MOST_QUERIES = 3_000_000
"""Passes of queries between two decisions."""

GAME_STATEMENTS = 2
GAME_QUERIES = 20
"""So many times as much as between two decisions, in a whole game that is not compiled: whoever
waits for it does not see where one decision ends. Shipped games take a tenth of the statements and
a quarter of the passes at most."""

MOST_DECISIONS = 10_000
"""Decisions of a game that has no `limit`, rolls counted among them."""

MOST_TIMES = 400
"""How often the usual work may be allowed: counters have 32 bits."""


@attrs.frozen
class Allowance:
    """The usual work between two decisions so many times, and so many decisions."""

    times: int = 1
    decisions: int = MOST_DECISIONS

    @property
    def statements(self) -> int:
        """Between two decisions."""
        return MOST_STATEMENTS * self.times

    @property
    def queries(self) -> int:
        """Passes of queries between two decisions."""
        return MOST_QUERIES * self.times


USUAL = Allowance()
