"""How the language's functions of numbers are compiled."""

from __future__ import annotations

from collections.abc import Callable

from ruledsl.engine.code.instructions import Code, Writer, op, select, sub


def _absolute(_: Writer, x: Code) -> Code:
    return select(op("i32.lt_s", x, 0), sub(0, x), x)


def _clamped(w: Writer, x: Code, low: Code, high: Code) -> Code:
    x = w.once(select(op("i32.gt_s", x, high), high, x))
    return select(op("i32.lt_s", x, low), low, x)


LOWERINGS: dict[str, Callable[..., Code]] = {
    "abs": _absolute,
    "clamp": _clamped,
}
"""By name, of a writer and the arguments, each of which is computed already."""
