"""Arithmetic, lists in memory, and whose turn comes next, as functions."""

from __future__ import annotations

from ruledsl.engine.code.instructions import (
    add,
    both,
    eq,
    item,
    load,
    mul,
    ne,
    no,
    op,
    sub,
)
from ruledsl.engine.context import Context
from ruledsl.engine.memory.control import ERROR, PLAYING
from ruledsl.table import mishaps


def write_helpers(context: Context) -> None:
    """Functions over numbers, lists and players that all games need."""
    w = context.function("fail", "site", result=False)
    w.store(ERROR, "site")

    w = context.function("divide", "left", "right")
    quotient = w.variable(("i32.div_s", "left", "right"))
    rest = sub("left", ("i32.mul", quotient, "right"))
    apart = op("i32.lt_s", ("i32.xor", "left", "right"), 0)
    with w.when(both(ne(rest, 0), apart)):
        w.set(quotient, sub(quotient, 1))
    w.give_back(quotient)

    w = context.function("modulo", "left", "right")
    w.give_back(sub("left", ("i32.mul", ("call", "divide", "left", "right"), "right")))

    w = context.function("append_new", "list", "value", "most", result=False)
    number = w.once(load("list"))
    with (
        w.counting(0, number) as at,
        w.when(eq(item("list", at), "value")),
    ):
        w.give_back()
    with w.when(op("i32.ge_s", number, "most")):
        context.fail(w, mishaps.SET_TOO_LARGE, None)
    w.store(add(add("list", mul(number, 4)), 4), "value")
    w.store("list", add(number, 1))

    w = context.function("insert", "list", "value", result=False)
    at = w.variable(load("list"))
    with w.loop() as label:
        w.leave_if(label, no(at))
        before = w.once(load(add("list", mul(at, 4))))
        with w.when(eq(before, "value")):
            # It is there already: move the others back.
            with w.counting(add(at, 1), add(load("list"), 1)) as back:
                here = w.once(add("list", mul(back, 4)))
                w.store(here, load(here, 4))
            w.give_back()
        w.leave_if(label, op("i32.lt_s", before, "value"))
        w.store(add(add("list", mul(at, 4)), 4), before)
        w.set(at, sub(at, 1))
    w.store(add(add("list", mul(at, 4)), 4), "value")
    w.store("list", add(load("list"), 1))

    w = context.function("next_player", "player")
    first, players = context.layout.first_player, context.layout.players
    with w.when(op("i32.lt_s", "player", 0)):
        w.give_back(-1)
    at = w.variable(sub("player", first))
    with w.counting(1, players):
        w.set(at, add(at, 1))
        with w.when(eq(at, players)):
            w.set(at, 0)
        with w.when(("i32.and", ("i32.shr_u", load(PLAYING), at), 1)):
            w.give_back(add(at, first))
    w.give_back("player")
