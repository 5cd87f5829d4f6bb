"""The longest way along edges that takes each of them once at most."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ruledsl.table.things import Thing, Value


def longest_trail(
    lengths: Mapping[Thing, int], passable: Collection[Value] | None, burn: Callable[[], None]
) -> int:
    """The greatest sum of lengths; `burn` is told of each edge that is looked at.

    All ways are tried, so what this takes can grow fast with the number of edges.
    """
    around: dict[Thing, list[tuple[Thing, Thing]]] = {}
    for edge in lengths:
        one, other = edge.ends
        around.setdefault(one, []).append((edge, other))
        around.setdefault(other, []).append((edge, one))
    best = 0
    for first_ways in around.values():
        taken: dict[Thing, None] = {}
        total = 0
        ways = [iter(first_ways)]
        while ways:
            step = next(ways[-1], None)
            if step is None:
                ways.pop()
                if taken:
                    total -= lengths[taken.popitem()[0]]
                continue
            edge, end = step
            burn()
            if edge in taken:
                continue
            total += lengths[edge]
            best = max(best, total)
            if passable is None or end in passable:
                taken[edge] = None
                ways.append(iter(around[end]))
            else:
                total -= lengths[edge]
    return best
