"""The longest way along edges that takes each of them once at most.

A set of edges is such a way if it hangs together and an odd number of them meets in two places at
most, in its ends. So nobody has to walk: places are gone through one by one, and of all choices of
edges that look alike from the places still to come only the longest is kept. That takes long only
where many places have edges on both sides at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias

from ruledsl.table.things import Thing, Value

Front: TypeAlias = tuple[int, ...]
"""For each place begun and not done: 0 while no edge was taken there, otherwise twice the number of
what hangs together there, and 1 more while a way would end there."""

Sums: TypeAlias = dict[tuple[Front, int], int]
"""The greatest sum for each front and number of ends in places that are done."""

COST = 8
"""Passes of a query that take as much as one front, in memory rather than in time."""


def longest_trail(
    lengths: Mapping[Thing, int], passable: Collection[Value] | None, burn: Callable[[int], None]
) -> int:
    """The greatest sum of lengths; `burn` is told what it takes, in passes of queries."""
    left: dict[Thing, dict[Thing, Thing | None]] = {}
    best = 0
    for edge, length in lengths.items():
        one, other = (end if passable is None or end in passable else None for end in edge.ends)
        for place, across in ((one, other), (other, one)):
            if place is not None:
                left.setdefault(place, {})[edge] = across
        if one is other is None:
            best = max(best, length)
    begun: list[Thing] = []
    sums: Sums = {((), 0): 0}
    while left:
        place = min(left, key=lambda each: _widening(each, begun, left[each]))
        ways = left.pop(place)
        for new in (place, *ways.values()):
            if new is not None and new not in begun:
                begun.append(new)
                sums = {((*front, 0), ends): total for (front, ends), total in sums.items()}
        at = begun.index(place)
        for edge, across in ways.items():
            burn(COST * len(sums))
            end = None
            if across is not None:
                del left[across][edge]
                end = begun.index(across)
            sums = _with_edge(sums, lengths[edge], at, end)
        burn(COST * len(sums))
        begun.pop(at)
        sums, whole = _done(sums, at)
        best = max(best, whole)
    return best


def _widening(place: Thing, begun: list[Thing], ways: Mapping[Thing, Thing | None]) -> int:
    """How many more places are begun once this one is done."""
    return len({*ways.values()} - {None, *begun}) - (place in begun)


def _with_edge(sums: Sums, length: int, one: int, other: int | None) -> Sums:
    """With and without an edge; where nobody goes on, a way with it ends."""
    found = dict(sums)
    for (front, ends), total in sums.items():
        marks = list(front)
        here = marks[one] // 2
        there = 0 if other is None else marks[other] // 2
        group = here or there or len(marks) + 1
        for at in (one,) if other is None else (one, other):
            marks[at] = 2 * group + (marks[at] + 1) % 2
        if there not in (0, group):
            marks = [2 * group + mark % 2 if mark // 2 == there else mark for mark in marks]
        _keep(found, marks, ends + (other is None), total + length)
    return found


def _done(sums: Sums, at: int) -> tuple[Sums, int]:
    """When a place is done: what can go on, and the greatest sum of what is whole now."""
    found: Sums = {}
    best = 0
    for (front, ends), total in sums.items():
        mark, rest = front[at], front[:at] + front[at + 1 :]
        if not mark or any(each // 2 == mark // 2 for each in rest):
            _keep(found, rest, ends + mark % 2, total)
        elif not any(rest) and ends + mark % 2 <= 2:
            best = max(best, total)
    return found, best


def _keep(sums: Sums, marks: Collection[int], ends: int, total: int) -> None:
    """Note a sum if none as great is known of what looks alike; three ends are no way."""
    if ends > 2:
        return
    groups = {0: 0}
    front = tuple(2 * groups.setdefault(mark // 2, len(groups)) + mark % 2 for mark in marks)
    if total > sums.get((front, ends), total - 1):
        sums[front, ends] = total
