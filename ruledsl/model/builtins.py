"""The functions the language supplies, one entry for each.

Names, references, the checks of ranges, the words an editor shows, the table in the reference and
the made-up programs of the tests follow from it. What a function of numbers means is said in
`ruledsl/table/number_functions.py`, and how it is compiled in
`ruledsl/engine/expressions/number_functions.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import attrs

from ruledsl.model import core, intervals
from ruledsl.model.intervals import Numbers
from ruledsl.model.limits import clamped
from ruledsl.model.types import FLAG, NumberType, Type

Parameter: TypeAlias = Literal["number", "whole", "player", "piece"]
"""A `whole` is a set, or a place for its pieces."""


@attrs.frozen
class Function:
    """A function; of numbers if it says between which ends its result lies."""

    name: str
    form: str
    about: str
    takes: tuple[Parameter, ...]
    gives: Callable[..., Type]
    """its type, of the arguments"""
    ends: Callable[..., Numbers] | None = None
    in_tests: bool = False
    """whether it may stand in tests only"""

    def role(self, at: int) -> str:
        """What an argument is, in words."""
        match self.takes[at]:
            case "number":
                return f"the argument of `{self.name}`"
            case "whole":
                return f"what `{self.name}` asks about"
            case "player":
                return "who knows"
            case "piece":
                return "what is known"


def _flag(*_: core.Expr) -> Type:
    return FLAG


FUNCTIONS = {
    function.name: function
    for function in (
        Function(
            "empty",
            "empty(S)",
            "whether a place or set has nothing in it",
            takes=("whole",),
            gives=_flag,
        ),
        Function(
            "clamp",
            "clamp(x, low, high)",
            "`x`, but at least `low` and at most `high`",
            takes=("number", "number", "number"),
            gives=lambda _, low, high: clamped(low, high),
            ends=intervals.clamped,
        ),
        Function(
            "abs",
            "abs(x)",
            "`x` without its sign",
            takes=("number",),
            gives=lambda _: NumberType(0, None),
            ends=intervals.absolute,
        ),
        Function(
            "knows",
            "knows(p, x)",
            "in tests: whether the player sees the piece, or knows where it is",
            takes=("player", "piece"),
            gives=_flag,
            in_tests=True,
        ),
    )
}

NUMBER_FUNCTIONS = tuple(each for each in FUNCTIONS.values() if each.ends is not None)
