"""Prints how long it takes until a command answers, beside Python that does nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from subprocess import DEVNULL, run
from time import perf_counter

import attrs

from ruledsl.library import Library

ROUNDS = 10
PROGRAM = Path(sys.executable).parent / "ruledsl"


@attrs.frozen
class Start:
    """A command, and the seconds it should take at most on a quiet machine."""

    name: str
    words: tuple[str, ...]
    aim: float | None


def main() -> None:
    # As it is when it is installed, and not when it is worked on.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    print(f"{'':28}{'seconds':>8}{'of the processor':>18}{'aim':>7}")
    for start in _starts():
        _seconds(start)
        measured = [_seconds(start) for _ in range(ROUNDS)]
        wall, busy = (median(each) for each in zip(*measured, strict=True))
        aim = "" if start.aim is None else f"{start.aim:7.2f}"
        print(f"{start.name:28}{wall:8.3f}{busy:18.3f}{aim}")


def _starts() -> tuple[Start, ...]:
    sizes = {source.name: len(source.text) for source in Library().sources()}
    small, large = (choose(sizes, key=lambda name: sizes[name]) for choose in (min, max))
    game = "pied_piper"
    program = str(PROGRAM)
    return (
        Start("python3 -c pass", (sys.executable, "-c", "pass"), None),
        Start("--help", (program, "--help"), 0.08),
        Start("list", (program, "list"), 0.3),
        Start(f"check {Path(small).stem}", (program, "check", small), 0.25),
        Start(f"check {Path(large).stem}", (program, "check", large), 0.5),
        Start("play, first prompt", (program, "play", game, "--seed", "1"), 0.6),
        Start("simulate --games 10", (program, "simulate", game, "--games", "10"), 0.8),
    )


def _seconds(start: Start) -> tuple[float, float]:
    """On the clock, and of the processor."""
    before, began = _busy(), perf_counter()
    # At its first prompt `play` finds that nobody is there to answer, and ends.
    run(start.words, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, check=False)  # noqa: S603
    return perf_counter() - began, _busy() - before


def _busy() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
