"""Our playouts beside C written by hand for one game each: `bench/by_hand.c`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.entries import ENTRIES, Theirs
from bench.ours import our_game
from bench.results import Column, head, line, number
from bench.timing import Work, rates

GAMES = ("connect_four", "breakthrough")
SOURCE = Path(__file__).with_name("by_hand.c")
COLUMNS = (
    Column("game", 16, left=True),
    Column("C by hand", 9),
    Column("engine", 9),
    Column("C++ rollouts", 9),
    Column("engine : C", 6),
    Column("C : rollouts", 6),
)
EXPLAINED = """\
Whole random games in a second, the engine with all checks.

What is in the way, by a profile of both games (shares of the time in the module):

* Pieces have identities: a move writes where the piece lies, the cell of the place, the bits of the
  bowl it came from and a bit in each board that is kept, where C flips two words. In Connect Four
  this and the search for a line, from the new piece on in four directions, are 61 % of the time; C
  asks four times with two shifts. In Breakthrough moving is 26 %.
* A decision counts itself, its options and the work since the last one, notes who chooses, finds
  the drawn option by its number, and writes it down to read it again: drawing is 33 % of the time
  in Connect Four, and 63 % in Breakthrough. There both have all moves of all men in three words; C
  takes one of them, and then one of its bits, but ours are found in the order in which they are
  listed, man by man, by halving all three at once.
* A run goes down through its steps to the decision each time it is resumed; C loops."""


def lines(seconds: float, rounds: int, rollouts: Callable[[Theirs], Work]) -> Iterator[str]:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        yield "There was no C compiler where this was measured."
        return
    yield head(COLUMNS)
    with TemporaryDirectory() as folder:
        program = Path(folder) / "by_hand"
        words = [compiler, "-O3", "-march=native", "-o", str(program), str(SOURCE)]
        subprocess.run(words, check=True)  # noqa: S603 - our own words
        for name in GAMES:
            yield line(COLUMNS, _row(name, program, seconds, rounds, rollouts))
    yield f"\n{EXPLAINED}"


def _row(
    name: str, program: Path, seconds: float, rounds: int, rollouts: Callable[[Theirs], Work]
) -> list[str]:
    entry = next(entry for entry in ENTRIES if entry.name == name)
    assert entry.theirs is not None
    engine = our_game(entry).checked()
    works: dict[str, Work] = {
        "engine": engine.rollouts,
        "rollouts": rollouts(entry.theirs),
    }
    found: dict[str, list[float]] = {"c": [], "engine": [], "rollouts": []}
    games = 100_000
    while (rate := _rate(program, name, games, 1)) * seconds > games:
        games = int(rate * seconds) + 1
    for turn in range(rounds):
        found["c"].append(_rate(program, name, games, 2 + turn))
        for each, measured in rates(works, seconds, 1).items():
            found[each].append(measured)
    c, ours, theirs = (median(found[each]) for each in ("c", "engine", "rollouts"))
    return [name, *map(number, (c, ours, theirs, ours / c, c / theirs))]


def _rate(program: Path, name: str, games: int, seed: int) -> float:
    """Games in a second of processor time, as the program says."""
    words = [str(program), name, str(games), str(seed)]
    told = subprocess.run(words, check=True, capture_output=True, text=True)  # noqa: S603 - ours
    return games / max(1e-6, float(told.stdout.split()[2]))
