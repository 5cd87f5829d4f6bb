"""What going through things costs the interpreter, in passes of a simple query.

Compiled rules count passes too, but fewer: what costs the interpreter much may cost them next to
nothing. So this is no part of what rules mean, other than the statements, which both count alike.
"""

from __future__ import annotations

from typing import Any

from ruledsl.model import core
from ruledsl.model.walk import walk

SIMPLE = 2
"""Parts of what is worked out in a pass that are no more than the pass itself."""

CALL = 4
"""Parts that working out a definition is worth, beside what it is made of."""

KEPT = 3
"""What it costs to keep what was found, compared with a pass: it takes memory."""

MOST_REMEMBERED = 100_000
"""Values of definitions that are remembered before all are forgotten."""


def weight(*parts: Any) -> int:
    """How many passes a pass counts for in which all these parts are worked out."""
    total = sum(
        1 + CALL * isinstance(part, core.CallDefine) for each in parts for part in walk((each,))
    )
    return 1 + total // SIMPLE
