"""Checks of a resolved game. Each is a plain function; a new check is one function and one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.model.checks.choices import check_choices
from ruledsl.model.checks.conditions import check_conditions
from ruledsl.model.checks.ends import check_ends
from ruledsl.model.checks.leaks import check_leaks
from ruledsl.model.checks.lookahead import check_lookahead
from ruledsl.model.checks.loops import check_ending, check_loops
from ruledsl.model.checks.ranges import check_ranges, check_room
from ruledsl.model.checks.reached import check_reached, check_unreachable, check_unused
from ruledsl.model.checks.recursion import check_recursion, check_sizes
from ruledsl.model.checks.together import check_together
from ruledsl.model.checks.triggers import check_endless_triggers, check_late_endings
from ruledsl.model.checks.turns import check_turns
from ruledsl.model.elaborate import Elaborated

Check = Callable[[Elaborated], Iterable[Diagnostic]]

ALL_CHECKS: tuple[Check, ...] = (
    check_recursion,
    check_sizes,
    check_loops,
    check_ending,
    check_reached,
    check_unused,
    check_unreachable,
    check_conditions,
    check_choices,
    check_ends,
    check_endless_triggers,
    check_late_endings,
    check_lookahead,
    check_leaks,
    check_together,
    check_ranges,
    check_room,
    check_turns,
)
