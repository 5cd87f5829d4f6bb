"""Programs at the edges of every cap: just inside, at it, and just beyond."""

from __future__ import annotations

from collections.abc import Callable, Iterator

HEAD = 'game edge "Edge"\n    players 2\n\n'
PLAY = "step play\n    win Player(1)\n"


def _nested(number: int, opened: str, inner: str, closed: str) -> str:
    return opened * number + inner + closed * number


def _brackets(n: int) -> str:
    return f"{HEAD}define d = {_nested(n, '(', '1', ')')}\n\n{PLAY}"


def _blocks(n: int) -> str:
    lines = ["    " * (level + 1) + "repeat 2 times" for level in range(n)]
    return f"{HEAD}step play\n" + "\n".join([*lines, "    " * (n + 1) + "skip"]) + "\n"


def _operators(n: int) -> str:
    return f"{HEAD}define d = {' + '.join(['1'] * (n + 1))}\n\n{PLAY}"


def _digits(n: int) -> str:
    return f"{HEAD}state s: number = {'9' * n}\n\n{PLAY}"


def _players(n: int) -> str:
    return HEAD.replace("players 2", f"players {n}") + PLAY


def _mistakes(n: int) -> str:
    return HEAD + "\n".join(f"step s{number}\n    set =\n" for number in range(n))


def _doubling(n: int) -> str:
    lines = [f"define d{level} = d{level + 1} + d{level + 1}" for level in range(n)]
    return (
        f"{HEAD}"
        + "\n".join([*lines, f"define d{n} = 1", ""])
        + ("\nstep play\n    if d0 > 1\n        win Player(1)\n")
    )


def _steps(n: int) -> str:
    lines = [f"step s{level}\n    s{level + 1}\n    s{level + 1}\n" for level in range(n)]
    return f"{HEAD}" + "\n".join([*lines, f"step s{n}\n    skip\n", "step play\n    s0\n"])


def _choices(n: int) -> str:
    return (
        f"{HEAD}step play\n    set active = Player(1)\n    choose x in 1..{n}\n"
        "    if x = 2\n        win Player(1)\n"
    )


def _products(n: int) -> str:
    types = "\n".join(f"type T{number} = 1..{9}" for number in range(n))
    parameters = ", ".join(f"p{number} in T{number}" for number in range(n))
    return (
        f"{HEAD}{types}\n\nstep play\n    set active = Player(1)\n    choose\n        go\n\n"
        f"action go({parameters})\n    win you\n"
    )


def _rows(n: int) -> str:
    rows = "\n".join(f"    r{number} | {number % 9}" for number in range(n))
    return f"{HEAD}place box of Card\n\npiece Card in box | worth\n{rows}\n\n{PLAY}"


def _cells(n: int) -> str:
    return f"{HEAD}place Cell grid {n} by {n} of Stone\npiece Stone 1 in Cell(1, 1)\n\n{PLAY}"


def _arms(n: int) -> str:
    arms = ", ".join(f"{number}: {number % 7}" for number in range(n))
    return f"{HEAD}define d(x: 0..{n}) = case x of {arms}, else: 0\n\n{PLAY}"


EDGES: dict[Callable[[int], str], tuple[int, ...]] = {
    _brackets: (39, 40, 41, 2_000),
    _blocks: (18, 19, 20, 21, 200),
    _operators: (199, 200, 201, 5_000),
    _digits: (8, 9, 10, 5_000),
    _players: (0, 1, 31, 32, 33, 999_999_999),
    _mistakes: (49, 50, 51, 500),
    _doubling: (10, 20, 40),
    _steps: (10, 16),
    _choices: (1, 2, 1_000, 100_000, 999_999_999),
    _products: (1, 2, 4, 12),
    _rows: (1, 100, 2_000),
    _cells: (0, 1, 60, 61, 62, 1_000),
    _arms: (1, 200, 2_000),
}


def edges() -> Iterator[tuple[str, str]]:
    """Each with what it is called."""
    for made, sizes in EDGES.items():
        for size in sizes:
            yield f"{made.__name__.lstrip('_')} {size}", made(size)
