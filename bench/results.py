"""Tables of results, and the file that keeps the last of each kind."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import attrs

APART = ("Several processes",)
"""Sections that need a run of their own."""
FILE = Path(__file__).with_name("RESULTS.md")

_PACKAGES = {"ruledsl": "tabletop-rules", "wasmtime": "wasmtime", "open_spiel": "open_spiel"}


@attrs.frozen
class Column:
    title: str
    width: int
    left: bool = False

    def cell(self, text: str) -> str:
        return f"{text:{'<' if self.left else '>'}{max(self.width, len(self.title))}}"

    def rule(self) -> str:
        dashes = "-" * len(self.cell(""))
        return dashes if self.left else f"{dashes[:-1]}:"


def line(columns: Sequence[Column], cells: Sequence[str]) -> str:
    """A row of a table that is aligned in the terminal and a table in Markdown."""
    shown = (column.cell(cell) for column, cell in zip(columns, cells, strict=True))
    return f"| {' | '.join(shown)} |"


def head(columns: Sequence[Column]) -> str:
    titles = line(columns, [column.title for column in columns])
    return f"{titles}\n| {' | '.join(column.rule() for column in columns)} |"


def number(value: float | None) -> str:
    """With three digits at least, or a dash if there is none."""
    if value is None:
        return "–"
    places = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{places}f}"


def circumstances() -> str:
    """When and where this is measured, and with which versions."""
    now = datetime.now(UTC)
    load = os.getloadavg()[0]
    versions = ", ".join(f"{name} {_version(package)}" for name, package in _PACKAGES.items())
    return (
        f"Measured on {now:%Y-%m-%d} on one thread of {_processor()}, {os.cpu_count()} cores, "
        f"load {load:.1f} at the start; Python {platform.python_version()}, {versions}."
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for row in info.read_text().splitlines():
            if row.startswith("model name"):
                return row.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def keep(found: Mapping[str, str], *, whole: bool = False) -> None:
    """Put sections into the file, each in the place of the one with the same title.

    A `whole` run leaves nothing of those before it but sections of another kind of measurement.
    """
    sections: dict[str, str] = {}
    if FILE.exists():
        for part in FILE.read_text().split("\n## ")[1:]:
            old, _, text = part.partition("\n")
            if not whole or old in APART:
                sections[old] = text.strip()
    for title, body in found.items():
        sections[title] = body.strip()
    last = {title: sections.pop(title) for title in APART if title in sections}
    parts = [f"## {each}\n\n{text}\n" for each, text in (sections | last).items()]
    FILE.write_text("\n".join(["# How fast games are played\n", *parts]))
