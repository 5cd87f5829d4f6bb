"""Guards of numbers that may become larger than both executors allow."""

from __future__ import annotations

from ruledsl.engine.code.instructions import Code, Writer, add, op
from ruledsl.engine.context import Context
from ruledsl.model import core
from ruledsl.table import mishaps
from ruledsl.table.limits import LARGEST


def guarded(context: Context, w: Writer, code: Code, node: core.Arithmetic) -> Code:
    """A sum or a difference of two numbers: 32 bits hold it, but it may be too large."""
    if not context.ranges.may_fail(node):
        return code
    code = w.once(code)
    with w.when(op("i32.gt_u", add(code, LARGEST), 2 * LARGEST)):
        context.fail(w, mishaps.TOO_LARGE, node.span)
    return code


def narrowed(context: Context, w: Writer, wide: Code, node: core.Expr) -> Code:
    """A number that was computed in 64 bits."""
    wide = w.once(wide, "i64")
    above = ("i64.add", wide, ("i64", LARGEST))
    with w.when(("i64.gt_u", above, ("i64", 2 * LARGEST))):
        context.fail(w, mishaps.TOO_LARGE, node.span)
    return w.once(("i32.wrap_i64", wide))
