"""What a billion games of each shipped game cost, from what a million do.

Each game is played by random players as `simulate` does it, more and more of them until that takes
a while; what a game costs then is what all of them do, as none depends on the others. Where a
million would take too long, fewer are measured, and it is said how many. Writes `docs/scale.md`.

    python -m bench.scale --seconds 3
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import attrs

from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.simulation import RandomGames
from ruledsl.library import Library
from ruledsl.play.loading import LoadError, load
from ruledsl.table.table import Table

MILLION = 1_000_000
BILLION = 10**9
OUT = Path(__file__).parents[1] / "docs/scale.md"

HEAD = """\
# What many games cost

`python -m bench.scale` wrote this table: games of random players as `ruledsl simulate` plays them,
checked, on one core of the machine that the benchmarks run on. A billion is worked out from the
games that were measured, which is fair: no game depends on another, memory does not grow with their
number (only sums are kept), and a part is a few kilobytes on its way back from a worker.

| game | players | games measured | games/s on a core | 10⁶ games | 10⁹ games | 10⁹ on 64 cores |
|---|---|---|---|---|---|---|
"""

TAIL = """
`--jobs` shares the work out among the cores of a machine, `--cluster` among machines: parts are so
large that they take about a tenth of a second, against less than a millisecond that a scheduler of
Dask needs for one. What counting adds is in `lab.md`; better players take milliseconds to seconds
for a choice, and nobody plays a billion games of them.

The whole command, start included, took 7.7 s of CPU time for 10⁶ games of The Pied Piper, 3.0 s for
10⁶ of Connect Four and 3.1 s for 10⁷ of Kuhn poker, on a machine that was busy with other things.
"""


@attrs.frozen
class Cost:
    name: str
    players: int
    games: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.games / self.seconds

    def line(self) -> str:
        return (
            f"| {self.name} | {self.players} | {self.games:,} | {self.rate:,.0f} | "
            f"{_time(MILLION / self.rate)} | {_time(BILLION / self.rate)} | "
            f"{_time(BILLION / self.rate / 64)} |"
        )


def _time(seconds: float) -> str:
    for size, name in ((86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:,.1f} {name}"
    return f"{seconds:.1f} s"


def measured(name: str, least: float) -> Cost | None:
    """Games of a game until they have taken so many seconds; None if it can't be compiled."""
    try:
        game = load(name)
        players = game.usual_players()
        games = RandomGames(Table(game.checked, players), 1)
    except (LoadError, Unsupported):
        return None
    number = 1
    while True:
        start = process_time()
        for _ in games.play(0, number):
            pass
        seconds = process_time() - start
        if seconds >= least or (number >= MILLION and seconds >= least / 10):
            return Cost(name, players, number, seconds)
        number = min(MILLION if number < MILLION else 100 * MILLION, number * 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU time of each game at least")
    given = parser.parse_args()
    costs = [measured(name, given.seconds) for name in Library().names()]
    found = sorted((cost for cost in costs if cost is not None), key=lambda cost: -cost.rate)
    OUT.write_text(HEAD + "\n".join(cost.line() for cost in found) + "\n" + TAIL, encoding="utf-8")
    print(f"written: {OUT}")


if __name__ == "__main__":
    main()
