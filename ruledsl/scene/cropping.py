"""Which part of a board without edges is looked at: what is there, and a border around it."""

from __future__ import annotations

from collections.abc import Iterable


def window(used: Iterable[int], size: int) -> list[int]:
    """The numbers from 1 to `size`, in a circle, that hold all used ones and one on either side.

    They begin behind the widest gap, so what belongs together is not torn apart.
    """
    there = sorted(set(used))
    if not there:
        return list(range(1, min(size, 3) + 1))
    gaps = [
        ((after - before - 1) % size if len(there) > 1 else size - 1, after)
        for before, after in zip((there[-1], *there), there, strict=False)
    ]
    widest, start = max(gaps, key=lambda gap: (gap[0], -gap[1]))
    border = 1 if widest >= 2 else 0
    length = size - widest + 2 * border
    return [(start - border - 1 + step) % size + 1 for step in range(length)]
