"""Generators of chance: the one of the game, and the one of random players."""

from __future__ import annotations

from ruledsl.engine.code.instructions import (
    GOLDEN,
    Function,
    Writer,
    load64,
    signed,
)
from ruledsl.engine.context import Context


def write_chance(context: Context, next_name: str, below_name: str, state: int) -> None:
    """Functions for the next 64 bits, and for any number below a limit."""
    function = context.program.add(Function(next_name, [], "i64"))
    w = Writer(function)
    w.store64(state, ("i64.add", load64(state), ("i64", GOLDEN)))
    z = w.variable(load64(state), "i64")
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = ("i64.xor", z, ("i64.shr_u", z, ("i64", shift)))
        w.set(z, ("i64.mul", mixed, ("i64", signed(factor))))
    w.give_back(("i64.xor", z, ("i64.shr_u", z, ("i64", 31))))

    w = context.function(below_name, "limit")
    limit = w.variable(("i64.extend_i32_u", "limit"), "i64")
    scaled = w.variable(("i64", 0), "i64")
    threshold = w.temp("i64")
    with w.loop() as label:
        upper = ("i64.shr_u", ("call", next_name), ("i64", 32))
        w.set(scaled, ("i64.mul", upper, limit))
        low = ("i64.and", scaled, ("i64", 0xFFFFFFFF))
        # The exact threshold is needed only where the lower half is small.
        w.leave_if(label, ("i64.ge_u", low, limit))
        w.set(threshold, ("i64.rem_u", ("i64", 1 << 32), limit))
        w.leave_if(label, ("i64.ge_u", low, threshold))
    w.give_back(("i32.wrap_i64", ("i64.shr_u", scaled, ("i64", 32))))
