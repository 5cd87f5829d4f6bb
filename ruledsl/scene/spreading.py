"""Where the places of a network lie that nobody has drawn, so that its ways can be followed.

Places are pulled to where they are as far apart as there are steps between them, over and over,
from a circle on. Then the whole is turned until its ways go as straight as they can.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, hypot, pi, sin
from typing import TypeAlias

ROUNDS = 120
MOST = 120
"""More places than this stay on the circle: it takes too long to move them."""
APART = 1.5
"""Between any two places there is at least this much."""
Point: TypeAlias = tuple[float, float]


def spread(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[Point]:
    """A point for each name, from 0, with y growing downwards."""
    count = len(names)
    if count < 2:
        return [(0.0, 0.0)] * count
    index = {name: at for at, name in enumerate(names)}
    joined = [(index[one], index[other]) for one, other in pairs if one != other]
    far = _steps(count, joined)
    points = [(cos(2 * pi * at / count), sin(2 * pi * at / count)) for at in range(count)]
    for _ in range(ROUNDS if count <= MOST else 0):
        for at in range(count):
            points[at] = _pulled(at, points, far[at])
    return _from_corner(_straightened(points, joined))


def _steps(count: int, joined: Sequence[tuple[int, int]]) -> list[list[int]]:
    """How many steps there are from each place to each other; what nothing joins is far away."""
    beside: list[set[int]] = [set() for _ in range(count)]
    for one, other in joined:
        beside[one].add(other)
        beside[other].add(one)
    found = []
    for start in range(count):
        far = {start: 0}
        edge = [start]
        while edge:
            edge = [n for n in {n for at in edge for n in beside[at]} if n not in far]
            far |= dict.fromkeys(edge, max(far.values()) + 1)
        lost = max(far.values()) + 1
        found.append([far.get(at, lost) for at in range(count)])
    return found


def _pulled(at: int, points: Sequence[Point], far: Sequence[int]) -> Point:
    """Where the others want a place to be, the nearer ones the more."""
    x, y = points[at]
    sums = [0.0, 0.0, 0.0]
    for other, (ox, oy) in enumerate(points):
        if other != at:
            weight = far[other] ** -2
            stretch = far[other] / max(hypot(x - ox, y - oy), 1e-6)
            sums[0] += weight * (ox + (x - ox) * stretch)
            sums[1] += weight * (oy + (y - oy) * stretch)
            sums[2] += weight
    return sums[0] / sums[2], sums[1] / sums[2]


def _straightened(points: Sequence[Point], joined: Sequence[tuple[int, int]]) -> list[Point]:
    """Turned so that the ways go along the axes as far as possible; four directions are alike."""
    angles = [
        4 * atan2(points[b][1] - points[a][1], points[b][0] - points[a][0]) for a, b in joined
    ]
    turn = -atan2(sum(map(sin, angles)), sum(map(cos, angles))) / 4
    return [(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for x, y in points]


def _from_corner(points: Sequence[Point]) -> list[Point]:
    """Large enough that no two touch, wider than high, the first at the upper left, from 0."""
    nearest = min(
        hypot(x - ox, y - oy) for at, (x, y) in enumerate(points) for ox, oy in points[:at]
    )
    wide = max(x for x, _ in points) - min(x for x, _ in points)
    high = max(y for _, y in points) - min(y for _, y in points)
    turned = points if wide >= high else [(y, x) for x, y in points]
    scale = APART / max(nearest, 1e-6)
    across, down = ([point[axis] * scale for point in turned] for axis in (0, 1))
    return list(zip(_from_start(across), _from_start(down), strict=True))


def _from_start(places: Sequence[float]) -> list[float]:
    """Along one axis: mirrored if the first is beyond the middle, and from 0, in 64ths."""
    low, high = min(places), max(places)
    mirrored = places[0] > (low + high) / 2
    return [round(64 * (high - at if mirrored else at - low)) / 64 for at in places]
