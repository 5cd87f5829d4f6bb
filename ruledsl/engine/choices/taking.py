"""Which candidate is taken when an option was chosen, or several."""

from __future__ import annotations

from ruledsl.engine.choices.candidates import MASKS, MOST_CANDIDATES, OPTION, VALUES, Candidates
from ruledsl.engine.code.instructions import (
    add,
    both,
    cell_at,
    eq,
    load,
    mul,
    no,
    op,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.memory.control import CANDIDATES, GROUPS


class Taking(Part):
    """Writes the functions that take candidates from the list."""

    def __init__(self, context: Context, candidates: Candidates) -> None:
        super().__init__(context)
        self.candidates = candidates

    def write_picking(self) -> None:
        """Functions for what was chosen among candidates."""
        params = ("at", "taken", "picked", "least")
        for name in ("pick_options", "pick_class"):
            extra = ("chosen",) if name == "pick_class" else ()
            w = self.context.function(name, *params, *extra)
            rest = w.variable(sub(0, "taken"))
            with w.counting("at", load(GROUPS)) as group:
                w.set(rest, add(rest, load(cell_at(self.candidates.sizes, group))))
            number = w.variable(0)
            with w.counting("at", load(GROUPS)) as group:
                size = w.once(load(cell_at(self.candidates.sizes, group)))
                left = w.variable(size)
                with w.when(eq(group, "at")):
                    w.set(left, sub(size, "taken"))
                enough = op("i32.ge_s", add("picked", rest), "least")
                with w.when(both(op("i32.gt_s", left, 0), enough)):
                    if extra:
                        with w.when(eq(number, "chosen")):
                            w.give_back(group)
                    w.set(number, add(number, 1))
                w.set(rest, sub(rest, left))
            if extra:
                w.give_back(-1)
            else:
                w.give_back(add(number, op("i32.ge_s", "picked", "least")))

        w = self.context.function("take", "group")
        entry = w.variable(self.candidates.options)
        with w.loop() as label:
            w.leave_if(label, eq(load(entry, OPTION), "group"))
            w.set(entry, add(entry, self.candidates.stride))
        mask = w.once(("i32.and", load(entry, MASKS), 0xFFFF))
        with w.when(no(mask)):
            w.give_back(entry)
        end = w.once(add(mul(load(CANDIDATES), self.candidates.stride), self.candidates.options))
        members = w.variable(0)
        differ = w.variable(0)
        other = w.variable(entry)
        with w.loop() as label:
            w.leave_if(label, op("i32.ge_u", other, end))
            with w.when(eq(load(other, OPTION), "group")):
                w.set(members, add(members, 1))
                for at in range(self.candidates.width):
                    with w.when(("i32.and", mask, 1 << at)):
                        pair = (load(entry, VALUES + 4 * at), load(other, VALUES + 4 * at))
                        with w.when(no(("call", "same", *pair))):
                            w.set(differ, 1)
            w.set(other, add(other, self.candidates.stride))
        with w.when(no(differ)):
            w.give_back(entry)
        left = w.variable(("call", "below", members))
        with w.loop() as label:
            with w.when(eq(load(entry, OPTION), "group")):
                w.leave_if(label, no(left))
                w.set(left, sub(left, 1))
            w.set(entry, add(entry, self.candidates.stride))
        w.give_back(entry)

        w = self.context.function("take_several", "numbers", "to", result=False)
        pieces = self.layout.list_memory(MOST_CANDIDATES)
        end = w.once(add(mul(load(CANDIDATES), self.candidates.stride), self.candidates.options))
        with w.counting(0, load(GROUPS)) as group:
            wanted = w.once(load(cell_at("numbers", group)))
            with w.when(wanted):
                entry = w.variable(self.candidates.options)
                count = w.variable(0)
                differ = w.variable(0)
                mask = w.variable(0)
                with w.loop() as label:
                    w.leave_if(label, op("i32.ge_u", entry, end))
                    with w.when(eq(load(entry, OPTION), group)):
                        value = w.once(load(entry, VALUES))
                        w.store(cell_at(pieces, count), value)
                        w.set(mask, ("i32.and", load(entry, MASKS), 0xFFFF))
                        unlike = no(("call", "same", load(pieces), value))
                        with w.when(mask), w.when(unlike):
                            w.set(differ, 1)
                        w.set(count, add(count, 1))
                    w.set(entry, add(entry, self.candidates.stride))
                with w.when(both(differ, op("i32.lt_s", wanted, count))):
                    last = w.variable(sub(count, 1))
                    with w.loop() as label:
                        w.leave_if(label, op("i32.le_s", last, 0))
                        two = w.once(add(mul(("call", "below", add(last, 1)), 4), pieces))
                        one = w.once(cell_at(pieces, last))
                        held = w.variable(load(one))
                        w.store(one, load(two))
                        w.store(two, held)
                        w.set(last, sub(last, 1))
                with w.counting(0, wanted) as first:
                    w.emit("do", ("call", "insert", "to", load(cell_at(pieces, first))))
