"""Compares two checkouts in one sitting: how long games take to compile, and how fast they play.

    python -m bench.compare OTHER_CHECKOUT [--games a,b] [--seconds S] [--rounds N]

Each checkout works in a process of its own, with its own rules; they take turns, so that what
disturbs one disturbs the other alike, and only processor time counts. A game whose rules differ is
marked: its figures say little.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import attrs

from bench.results import Column, circumstances, head, line, number
from ruledsl.library import Library

HERE = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("compare_worker.py")
INSIDE = ("cli", "games", "grammar")
"""Folders that are installed as parts of the package."""
NOISE = 0.05
"""What differs by less is no difference."""

COLUMNS = (
    Column("game", 24, left=True),
    Column("compiled in", 11),
    Column("before", 9),
    Column("ratio", 6),
    Column("games a second", 14),
    Column("before", 9),
    Column("ratio", 6),
)


@attrs.frozen
class Compared:
    """What a game takes here and there: seconds to compile, and games in a second."""

    name: str
    compiled: tuple[float, float]
    played: tuple[float, float]
    same_rules: bool

    @property
    def slower(self) -> bool:
        """Whether it compiles or plays slower here, beyond noise."""
        compiles, plays = self._ratios()
        return compiles > 1 + NOISE or plays < 1 - NOISE

    def cells(self) -> list[str]:
        compiles, plays = self._ratios()
        shown = [f"{seconds:.3f}" for seconds in self.compiled] + [f"{compiles:.2f}"]
        shown += [number(rate) for rate in self.played] + [f"{plays:.2f}"]
        return [self.name if self.same_rules else f"{self.name} (other rules)", *shown]

    def _ratios(self) -> tuple[float, float]:
        return self.compiled[0] / self.compiled[1], self.played[0] / self.played[1]


class Checkout:
    """A process that works with the code of a checkout."""

    def __init__(self, root: Path, folder: Path) -> None:
        package = folder / "ruledsl"
        package.mkdir(parents=True)
        for each in (root / "ruledsl").iterdir():
            (package / each.name).symlink_to(each.resolve())
        for part in INSIDE:
            if not (package / part).exists():
                (package / part).symlink_to((root / part).resolve())
        self._process = subprocess.Popen(  # noqa: S603 - our own words
            [sys.executable, "-P", str(WORKER)],
            env={"PYTHONPATH": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *words: object) -> Any:
        """What it answers; None if it can't do that."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(words), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        self._process.communicate()


def compared(
    here: Checkout, there: Checkout, name: str, seconds: float, rounds: int
) -> Compared | None:
    """A game in both, measured in turn; None if one of them can't compile it."""
    both = (here, there)
    rules = [each.ask("load", name) for each in both]
    if None in rules or None in [each.ask("compile") for each in both]:
        return None
    compiled: list[list[float]] = [[], []]
    played: list[list[float]] = [[], []]
    for turn in range(rounds):
        for own, each in zip(compiled, both, strict=True):
            own.append(each.ask("compile"))
        for own, each in zip(played, both, strict=True):
            own.append(each.ask("play", seconds, turn))
    mine, other = map(median, compiled)
    fast, before = map(median, played)
    return Compared(name, (mine, other), (fast, before), rules[0] == rules[1])


def shipped() -> list[str]:
    sources = (each for each in Library().sources() if not each.text.startswith("library "))
    return sorted(Path(each.name).stem for each in sources)


def lines(
    here: Path, there: Path, names: Sequence[str], seconds: float, rounds: int
) -> Iterator[str]:
    """A table of all that both can compile, and what is slower here."""
    found: list[Compared] = []
    left_out: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second = Checkout(here, folder / "here"), Checkout(there, folder / "there")
        yield head(COLUMNS)
        for each in names:
            row = compared(first, second, each, seconds, rounds)
            if row is None:
                left_out.append(each)
                continue
            found.append(row)
            yield line(COLUMNS, row.cells())
        first.end()
        second.end()
    same = [row for row in found if row.same_rules]
    slower = [row.name for row in same if row.slower]
    yield ""
    yield f"slower by more than {NOISE:.0%}, of {len(same)} with the same rules: " + (
        ", ".join(slower) or "none"
    )
    if left_out:
        yield f"not in both, or not compiled: {', '.join(left_out)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("other", type=Path, help="the checkout to compare with")
    parser.add_argument("--games", help="names with commas between; all that are shipped without")
    parser.add_argument("--seconds", type=float, default=0.5, help="of play in each round")
    parser.add_argument("--rounds", type=int, default=5, help="of which the median counts")
    asked = parser.parse_args()
    if not (asked.other / "ruledsl").is_dir():
        parser.error(f"{asked.other} is no checkout")
    names = asked.games.split(",") if asked.games else shipped()
    print(circumstances())
    for text in lines(HERE, asked.other, names, asked.seconds, asked.rounds):
        print(text, flush=True)


if __name__ == "__main__":
    main()
