"""The counters of a study as rows, one for each number of players, counter and seat.

One without a seat has all that was counted: of lines, rolls and forced decisions only those in the
games that were watched are known by seat and third.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from ruledsl.lab.reporting.study import Study

COLUMNS = (
    "players",
    "sort",
    "of",
    "name",
    "file",
    "line",
    "seat",
    "first_third",
    "second_third",
    "last_third",
    "uses",
    "games",
    "won",
)


def rows_of_study(study: Study) -> Iterator[tuple[Any, ...]]:
    for players, observed in study.observed.items():
        for number, counter in enumerate(observed.counts.counters):
            for seat in (None, *range(1, players + 1)):
                used = observed.counts.used(number, seat)
                where = (counter.span.file, counter.span.line)
                about = (counter.sort, counter.of, counter.name, *where)
                yield (players, *about, seat, *used.thirds, used.uses, used.games, used.won)


def write_rows(out: str, study: Study) -> None:
    """To a Parquet file, where pyarrow is installed, or as CSV."""
    if not out.endswith(".parquet"):
        with Path(out).open("w", newline="", encoding="utf-8") as file:
            table = csv.writer(file)
            table.writerow(COLUMNS)
            table.writerows(rows_of_study(study))
        return
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    columns = list(zip(*rows_of_study(study), strict=True))
    parquet.write_table(arrow.table([list(each) for each in columns], names=list(COLUMNS)), out)
