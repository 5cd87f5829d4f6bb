"""What a billion games of each shipped game cost, from what a million do.

Each game is played by random players as `simulate` does it: a million of them where that takes at
most `--seconds` of CPU time, else as many as take about so long, and it is said how many. What a
game costs then is what all of them do, as none depends on the others. Writes `docs/scale.md` anew
after each game; the lines of games that are not measured stay as they were.

    python -m bench.scale --seconds 120 [GAME ...]
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
CELLS = 7
"""Columns of its table."""

HEAD = """\
# What many games cost

`python -m bench.scale` wrote this table: games of random players as `ruledsl simulate` plays them,
checked, in CPU time of one core of a busy machine. Where fewer than a million were played, as that
takes hours, the columns to the right are worked out from those. That is fair: no game depends on
another, memory does not grow with their number (only sums are kept), and a part is a few kilobytes
on its way back from a worker.

| game | players | games measured | games/s on a core | 10⁶ games | 10⁹ games | 10⁹ on 64 cores |
|---|---|---|---|---|---|---|
"""

TAIL = """
`--jobs` shares the work out among the cores of a machine, `--cluster` among machines: parts are so
large that they take about a tenth of a second, against less than a millisecond that a scheduler of
Dask needs for one. What counting adds is in `lab.md`; better players take milliseconds to seconds
for a choice, and nobody plays a billion games of them.
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


def measured(name: str, seconds: float) -> Cost | None:
    """A million games, or as many as take so long; None if they can't be compiled."""
    try:
        game = load(name)
        players = game.usual_players()
        games = RandomGames(Table(game.checked, players), 1)
    except (LoadError, Unsupported):
        return None
    number = 64
    while (took := _played(games, number)) < seconds / 16 and number < MILLION:
        number *= 4
    if took < seconds:
        number = min(MILLION, int(number * seconds / took))
        took = _played(games, number)
    return Cost(name, players, number, took)


def _played(games: RandomGames, number: int) -> float:
    start = process_time()
    for _ in games.play(0, number):
        pass
    return process_time() - start


def written() -> dict[str, Cost]:
    """The lines that the table has."""
    found = {}
    for line in OUT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().replace(",", "") for cell in line.strip("|").split("|")]
        if len(cells) == CELLS and cells[1].isdecimal():
            name, players, games, rate = cells[0], *map(int, cells[1:4])
            found[name] = Cost(name, players, games, games / rate)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("games", nargs="*", help="all that are shipped, if none is named")
    parser.add_argument("--seconds", type=float, default=120.0, help="CPU time of a game at most")
    given = parser.parse_args()
    found = written()
    for name in given.games or Library().names():
        cost = measured(name, given.seconds)
        if cost is not None:
            print(cost.line(), flush=True)
            found[name] = cost
            lines = [each.line() for each in sorted(found.values(), key=lambda each: -each.rate)]
            OUT.write_text(HEAD + "\n".join(lines) + "\n" + TAIL, encoding="utf-8")


if __name__ == "__main__":
    main()
