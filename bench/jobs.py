"""How much faster two processes are than one, on the clock: for a machine that is otherwise idle.

    python -m bench.jobs [--seconds S] [--jobs N]

Each command plays so many games that one process takes about so many seconds, and the start. The
table is kept in bench/RESULTS.md.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import attrs

from bench.results import Column, circumstances, head, keep, line, number

COMMANDS = (
    ("simulate", "pied_piper"),
    ("simulate", "chess"),
    ("simulate", "hearts"),
    ("simulate", "connect_four", "--seats=mcts:200,mcts:200"),
    ("arena", "connect_four", "--seats=mcts:200,random"),
    ("arena", "pied_piper", "--seats=mcts:200,random"),
)
COLUMNS = (
    Column("command", 48, left=True),
    Column("games", 9),
    Column("one process", 8),
    Column("several", 8),
    Column("times as fast", 5),
    Column("processor time", 5),
)
EXPLAINED = (
    "Seconds on the clock from the start of a command to its end. `processor time` is that of "
    "several processes together beside that of one: what is above 1 is work that sharing adds, and "
    "cores that are slower when all of them work."
)


@attrs.frozen
class Took:
    clock: float
    processor: float


def took(command: tuple[str, ...], games: int, jobs: int) -> Took:
    program = str(Path(sys.executable).with_name("ruledsl"))
    words = [program, *command, f"--games={games}", f"--jobs={jobs}", "--seed=1"]
    before, start = _of_children(), perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own words
    return Took(perf_counter() - start, _of_children() - before)


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def games_in(command: tuple[str, ...], seconds: float) -> int:
    """How many games one process plays in so many seconds, its start left out."""
    games, start = 4, took(command, 4, 1).processor
    while True:
        games *= 4
        passed = took(command, games, 1).processor - start
        if passed > 0.1 * seconds:
            return int(games * seconds / passed)


def measured(command: tuple[str, ...], seconds: float, jobs: int) -> list[str]:
    games = games_in(command, seconds)
    one, several = took(command, games, 1), took(command, games, jobs)
    return [
        " ".join(command),
        f"{games:,}",
        f"{one.clock:.1f} s",
        f"{several.clock:.1f} s",
        number(one.clock / several.clock),
        number(several.processor / one.processor),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="that one process takes")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    lines = [circumstances(), f"\nOne process beside {asked.jobs}.\n", head(COLUMNS)]
    print("\n".join(lines), flush=True)
    for command in COMMANDS:
        lines.append(line(COLUMNS, measured(command, asked.seconds, asked.jobs)))
        print(lines[-1], flush=True)
    keep({"Several processes": "\n".join([*lines, f"\n{EXPLAINED}"])})


if __name__ == "__main__":
    main()
