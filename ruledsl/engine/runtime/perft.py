"""Counting all ways to play on: so many decisions, or so many turns."""

from __future__ import annotations

from ruledsl.engine.code.instructions import (
    Function,
    Width,
    Writer,
    add,
    both,
    either,
    eq,
    load,
    mul,
    ne,
    no,
    op,
    sub,
)
from ruledsl.engine.context import STOPPED, Context
from ruledsl.engine.memory.control import ANSWER, FRESH, GROUPS_ASKED, SEAT, VECTOR
from ruledsl.table import mishaps

DEEPEST = 64
"""Decisions that counting goes down at most."""


def write_perft(context: Context) -> None:
    """Functions that count; a position is copied at each level."""
    layout = context.layout
    size = layout.vector_size
    stack = layout.scratch(size * (DEEPEST + 1), 8)

    # Leaves so many decisions below the position.
    function = Function("perft", [("depth", "i32"), ("level", "i32")], "i64", exported=True)
    w = Writer(context.program.add(function))
    with w.when(eq("depth", 1)):
        w.give_back(("i64.extend_i32_u", load(GROUPS_ASKED)))
    here = w.once(add(mul("level", size), stack))
    w.emit("copy", here, VECTOR, size)
    total = w.variable(("i64", 0), "i64")
    number = w.once(load(GROUPS_ASKED))
    with w.counting(0, number) as option:
        with w.when(option):
            w.emit("copy", VECTOR, here, size)
            w.store(FRESH, 0)
        w.store(ANSWER, option)
        with w.when(eq(("call", "run"), STOPPED)):
            deeper = ("call", "perft", sub("depth", 1), add("level", 1))
            w.set(total, ("i64.add", total, deeper))
    w.emit("copy", VECTOR, here, size)
    w.store(FRESH, 0)
    w.store(GROUPS_ASKED, number)
    w.give_back(total)

    # The same by turns: those of a seat end when another one has to decide, or nobody.
    params: list[tuple[str, Width]] = [("depth", "i32"), ("level", "i32")]
    function = Function("perft_turns", params, "i64", exported=True)
    w = Writer(context.program.add(function))
    with w.when(op("i32.gt_s", "level", DEEPEST)):
        context.fail(w, mishaps.too_deep(DEEPEST), None)
    here = w.once(add(mul("level", size), stack))
    w.emit("copy", here, VECTOR, size)
    total = w.variable(("i64", 0), "i64")
    number = w.once(load(GROUPS_ASKED))
    seat = w.once(load(SEAT))
    with w.counting(0, number) as option:
        with w.when(option):
            w.emit("copy", VECTOR, here, size)
            w.store(FRESH, 0)
        w.store(ANSWER, option)
        stopped = w.once(eq(("call", "run"), STOPPED))
        left = w.once(sub("depth", either(no(stopped), ne(load(SEAT), seat))))
        with w.when(no(left)):
            w.set(total, ("i64.add", total, ("i64", 1)))
        with w.when(both(stopped, ne(left, 0))):
            deeper = ("call", "perft_turns", left, add("level", 1))
            w.set(total, ("i64.add", total, deeper))
    w.emit("copy", VECTOR, here, size)
    w.store(FRESH, 0)
    w.store(GROUPS_ASKED, number)
    w.store(SEAT, seat)
    w.give_back(total)
