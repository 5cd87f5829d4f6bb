"""What is kept while the longest trail is looked for: the fronts, and the greatest sum of each.

A front says for each place begun and not done whether edges were taken there, what hangs together,
and whether a way would end there. As a word it has `MARK` bits for each of `PLACES` places above
two bits for the number of ends in places that are done. More places at once would give more fronts
than there is time for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ruledsl.engine.code.instructions import (
    GOLDEN,
    Code,
    Writer,
    add,
    both,
    cell_at,
    either,
    eq,
    load,
    load64,
    mul,
    ne,
    no,
    op,
    select,
    sub,
)
from ruledsl.engine.context import Context, Part
from ruledsl.engine.memory.control import PASSES

PLACES = 12
MARK = 5
ENDS = 2
MOST = 1 << 15
"""Fronts at a time."""
HASHED = 16
"""Bits of a hash; twice as many as there are fronts keep searches short."""


class Fronts(Part):
    """Two lists of fronts, one made from the other, and functions that do so."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        scratch = self.layout.scratch
        self.best = scratch(8, 8)
        self.edge_length = scratch(8, 8)
        self._total = scratch(8, 8)
        self._marks = scratch(4 * PLACES)
        self._groups = scratch(4 << (MARK - 1))
        self._words, self._totals = scratch(16 * MOST, 8), scratch(16 * MOST, 8)
        self._counts = scratch(8)
        self._to = scratch(4)
        """which of both lists is being made: 0 or 1"""
        self._found, self._hashes = scratch(4 << HASHED), scratch(4 * MOST)
        self._write_keep()
        self._write_with_edge()
        self._write_without_place()

    @staticmethod
    def length(lengths: Code, edge: Code) -> Code:
        return ("i64.extend_i32_s", load(cell_at(lengths, edge)))

    def note_whole(self, w: Writer, total: Code) -> None:
        """Something is a whole way."""
        total = w.once(total, "i64")
        with w.when(("i64.gt_s", total, load64(self.best))):
            w.store64(self.best, total)

    def clear(self, w: Writer) -> None:
        """Begin with nothing taken."""
        w.store64(self.best, ("i64", 0))
        w.store(self._to, 0)
        w.store(self._counts, 1)
        w.store64(self._words, ("i64", 0))
        w.store64(self._totals, ("i64", 0))

    def _write_keep(self) -> None:
        """Keep the front that the marks say, unless a sum as great is known of it.

        Whether there was room. What was kept in an older list is told by its number, or by its
        hash, which is another one, so that nothing has to be cleared.
        """
        w = self.context.function("trail_keep", "ends")
        with w.when(op("i32.gt_s", "ends", 2)):
            w.give_back(1)
        with w.counting(0, 1 << (MARK - 1)) as at:
            w.store(cell_at(self._groups, at), 0)
        word = w.variable(("i64.extend_i32_s", "ends"), "i64")
        groups = w.variable(0)
        with w.counting(0, PLACES) as at:
            mark = w.once(load(cell_at(self._marks, at)))
            with w.when(mark):
                group = w.once(cell_at(self._groups, _group(mark)))
                with w.when(no(load(group))):
                    w.set(groups, add(groups, 1))
                    w.store(group, groups)
                renamed = ("i64.extend_i32_s", _marked(load(group), _is_end(mark)))
                w.set(word, ("i64.or", word, ("i64.shl", renamed, _shift(at))))
        to = w.once(load(self._to))
        count = w.once(load(cell_at(self._counts, to)))
        mixed = ("i64.mul", ("i64.xor", word, ("i64.shr_u", word, ("i64", 29))), ("i64", GOLDEN))
        key = w.variable(("i32.wrap_i64", ("i64.shr_u", mixed, ("i64", 64 - HASHED))))
        with w.loop() as taken:
            known = w.once(load(cell_at(self._found, key)))
            w.leave_if(taken, op("i32.ge_u", known, count))
            w.leave_if(taken, ne(load(cell_at(self._hashes, known)), key))
            with w.when(("i64.eq", load64(self._entry(self._words, to, known)), word)):
                total = self._entry(self._totals, to, known)
                with w.when(("i64.gt_s", load64(self._total), load64(total))):
                    w.store64(total, load64(self._total))
                w.give_back(1)
            w.set(key, ("i32.and", add(key, 1), (1 << HASHED) - 1))
        with w.when(op("i32.ge_s", count, MOST)):
            w.give_back(0)
        w.store(cell_at(self._found, key), count)
        w.store(cell_at(self._hashes, count), key)
        w.store64(self._entry(self._words, to, count), word)
        w.store64(self._entry(self._totals, to, count), load64(self._total))
        w.store(cell_at(self._counts, to), add(count, 1))
        w.give_back(1)

    def _write_with_edge(self) -> None:
        """With and without an edge between two places, the other of which may be one to end in."""
        w = self.context.function("trail_edge", "one", "other")
        with self._each_front(w) as ends:
            self._keep(w, ends)
            goes_on = w.once(op("i32.ge_s", "other", 0))
            there = w.variable(0)
            with w.when(goes_on):
                w.set(there, _group(load(cell_at(self._marks, "other"))))
            here = w.once(_group(load(cell_at(self._marks, "one"))))
            other_or_new = select(there, there, PLACES + 1)
            group = w.once(select(here, here, other_or_new))
            self._turn(w, "one", group)
            with w.when(goes_on):
                self._turn(w, "other", group)
            joins = both(ne(there, 0), ne(there, group))
            with w.when(joins), w.counting(0, PLACES) as at:
                mark = w.once(load(cell_at(self._marks, at)))
                with w.when(eq(_group(mark), there)):
                    w.store(cell_at(self._marks, at), _marked(group, _is_end(mark)))
            total = ("i64.add", load64(self._total), load64(self.edge_length))
            w.store64(self._total, total)
            self._keep(w, add(ends, no(goes_on)))
        w.give_back(1)

    def _write_without_place(self) -> None:
        """A place is done: what can go on goes on, and what is whole now is noted."""
        w = self.context.function("trail_done", "place")
        with self._each_front(w) as ends_before:
            mark = w.once(load(cell_at(self._marks, "place")))
            w.store(cell_at(self._marks, "place"), 0)
            ends = w.once(add(ends_before, _is_end(mark)))
            goes_on, others = w.variable(no(mark)), w.variable(0)
            with w.counting(0, PLACES) as at:
                each = w.once(load(cell_at(self._marks, at)))
                w.set(others, either(others, each))
                w.set(goes_on, either(goes_on, eq(_group(each), _group(mark))))
            with w.when(goes_on):
                self._keep(w, ends)
            with w.when(both(both(no(goes_on), no(others)), op("i32.le_s", ends, 2))):
                self.note_whole(w, load64(self._total))
        w.give_back(1)

    @contextmanager
    def _each_front(self, w: Writer) -> Iterator[Code]:
        """Read each front of the last list; what is kept makes up the next one. Its ends."""
        last = w.once(load(self._to))
        count = w.once(load(cell_at(self._counts, last)))
        left = w.once(sub(load(PASSES), count))
        w.store(PASSES, left)
        with w.when(op("i32.lt_s", left, 0)):
            w.give_back(0)
        w.store(self._to, sub(1, last))
        w.store(cell_at(self._counts, sub(1, last)), 0)
        with w.counting(0, count) as front:
            word = w.once(load64(self._entry(self._words, last, front)), "i64")
            w.store64(self._total, load64(self._entry(self._totals, last, front)))
            with w.counting(0, PLACES) as at:
                mark = ("i32.wrap_i64", ("i64.shr_u", word, _shift(at)))
                w.store(cell_at(self._marks, at), ("i32.and", mark, (1 << MARK) - 1))
            yield w.once(("i32.and", ("i32.wrap_i64", word), (1 << ENDS) - 1))

    def _keep(self, w: Writer, ends: Code) -> None:
        with w.when(no(("call", "trail_keep", ends))):
            w.give_back(0)

    def _turn(self, w: Writer, place: Code, group: Code) -> None:
        """One more edge at a place: whether a way ends there turns."""
        mark = cell_at(self._marks, place)
        w.store(mark, _marked(group, ("i32.xor", _is_end(load(mark)), 1)))

    @staticmethod
    def _entry(entries: int, to: Code, front: Code) -> Code:
        """An entry of one of both lists, which lie behind each other."""
        return add(mul(add(mul(to, MOST), front), 8), entries)


def _group(mark: Code) -> Code:
    return ("i32.shr_u", mark, 1)


def _is_end(mark: Code) -> Code:
    return ("i32.and", mark, 1)


def _marked(group: Code, is_end: Code) -> Code:
    return add(mul(group, 2), is_end)


def _shift(place: Code) -> Code:
    return ("i64.extend_i32_s", add(mul(place, MARK), ENDS))
