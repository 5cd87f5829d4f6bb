"""A file with a row for each game: CSV, or Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias

from ruledsl.lab.tally import GameColumns

from .terminal import Refused

Write: TypeAlias = Callable[[GameColumns], None]

GROUP = 50_000
"""Rows of a Parquet file that are written together."""


@contextmanager
def row_file(out: str, players: int) -> Iterator[Write]:
    """A new file, and the function that writes rows to it."""
    path = Path(out)
    if path.suffix == ".csv":
        with _created(path, "x") as text, _csv(text, players) as write:
            yield write
    elif path.suffix == ".parquet":
        arrow = _pyarrow()
        with _created(path, "xb") as data, _parquet(data, players, *arrow) as write:
            yield write
    else:
        raise Refused(
            f"`{out}` is neither a CSV nor a Parquet file", "write `--out games.csv` or `.parquet`"
        )


def _created(path: Path, mode: Literal["x", "xb"]) -> IO[Any]:
    text = mode == "x"
    try:
        return path.open(mode, newline="" if text else None, encoding="utf-8" if text else None)
    except FileExistsError:
        raise Refused(f"`{path}` exists already") from None
    except OSError as error:
        raise Refused(f"`{path}` can't be written: {error.strerror}") from error


def _columns(players: int) -> list[str]:
    seats = range(1, players + 1)
    ranks, payoffs = (f"rank_{seat}" for seat in seats), (f"payoff_{seat}" for seat in seats)
    return ["game", "ending", *ranks, *payoffs, "decisions", "choices", "options"]


@contextmanager
def _csv(file: IO[str], players: int) -> Iterator[Write]:
    table = csv.writer(file)
    table.writerow(_columns(players))
    yield lambda columns: table.writerows(zip(*columns, strict=True))


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise Refused(
            "Parquet files need `pyarrow`, which is not installed",
            "install it with `pip install pyarrow`, or write `--out games.csv`",
        ) from None


@contextmanager
def _parquet(file: IO[bytes], players: int, arrow: Any, parquet: Any) -> Iterator[Write]:
    names = _columns(players)
    kinds = {"game": arrow.int64(), "ending": arrow.string()}
    schema = arrow.schema([(name, kinds.get(name, arrow.int32())) for name in names])
    kept: list[list[Any]] = [[] for _ in names]

    def flush(table: Any) -> None:
        if kept[0]:
            table.write_table(arrow.table(kept, schema=schema))
        for column in kept:
            column.clear()

    with parquet.ParquetWriter(file, schema) as table:

        def write(columns: GameColumns) -> None:
            for column, values in zip(kept, columns, strict=True):
                column.extend(values)
            if len(kept[0]) >= GROUP:
                flush(table)

        yield write
        flush(table)
