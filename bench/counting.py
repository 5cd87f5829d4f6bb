"""What counting costs: the speed of counted games as a share of that of bare ones.

Both are games of random players in one process: bare as `ruledsl simulate` plays them, counted as
`ruledsl report` does. They take turns, and CPU time is taken, the best of some turns, so that a
busy machine matters little. The first games, all of which are watched, are left out: they are few
among many. Writes the table of `docs/lab.md`.

    python -m bench.counting
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from time import process_time

import attrs

from ruledsl.engine.counters import FIRST_WATCHED
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.counting import CountedGames
from ruledsl.lab.simulation import RandomGames
from ruledsl.library import Library
from ruledsl.play.loading import LoadError, load
from ruledsl.table.table import Table

OUT = Path(__file__).parents[1] / "docs/lab.md"
BEGIN, END = "<!-- counting -->\n", "<!-- counting ends -->\n"
PER_LINE = 3
"""Games in a line of the table."""


@attrs.frozen
class Cost:
    name: str
    games: int
    share: float


def measured(name: str, seconds: float, turns: int) -> Cost | None:
    """So many games of each as bare ones take some seconds; None if they can't be compiled."""
    try:
        game = load(name)
        table = Table(game.checked, game.usual_players())
        bare, counted = RandomGames(table, 1), CountedGames(table, 1)
    except (LoadError, Unsupported):
        return None
    games = 1 << 8
    while (took := _bare(bare, games)) < seconds and games < 1 << 24:
        games *= 4 if took < seconds / 8 else 2
    best = [took, _counted(counted, games)]
    for _ in range(turns - 1):
        best = [min(best[0], _bare(bare, games)), min(best[1], _counted(counted, games))]
    return Cost(name, games, best[0] / best[1])


def _bare(games: RandomGames, number: int) -> float:
    start = process_time()
    for _ in games.play(FIRST_WATCHED, FIRST_WATCHED + number):
        pass
    return process_time() - start


def _counted(games: CountedGames, number: int) -> float:
    start = process_time()
    games.observe(FIRST_WATCHED, FIRST_WATCHED + number)
    return process_time() - start


def table(costs: list[Cost]) -> str:
    ordered = sorted(costs, key=lambda cost: -cost.share)
    cells = [f"{cost.name} | {cost.share:.2f}" for cost in ordered]
    cells += [" | "] * (-len(cells) % PER_LINE)
    rows = len(cells) // PER_LINE
    lines = ["| game | share " * PER_LINE + "|", "|---|---" * PER_LINE + "|"]
    lines += [f"| {' | '.join(cells[at::rows])} |" for at in range(rows)]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU time of bare games")
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    costs = []
    for name in Library().names():
        cost = measured(name, given.seconds, given.turns)
        if cost is not None:
            print(f"{cost.name}: {cost.share:.2f} ({cost.games:,} games)", flush=True)
            costs.append(cost)
    text = OUT.read_text(encoding="utf-8")
    pattern = re.escape(BEGIN) + ".*" + re.escape(END)
    OUT.write_text(
        re.sub(pattern, BEGIN + table(costs).replace("\\", r"\\") + END, text, flags=re.DOTALL),
        encoding="utf-8",
    )
    print(f"written: {OUT}")


if __name__ == "__main__":
    main()
