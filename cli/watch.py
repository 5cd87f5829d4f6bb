"""`ruledsl watch`: a file at work, on one screen."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from ruledsl.diagnostics.causes import by_cause
from ruledsl.diagnostics.render import render_each
from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.diagnostics.wording import amount, printable
from ruledsl.lab.statistics import moments, proportion
from ruledsl.lab.watching import Look, Watcher
from ruledsl.lab.wording import figure, percent
from ruledsl.library import Library, read_path

from .completing import files
from .diff import moved_line
from .terminal import Exit, Refused, refused, use_color

PAUSE = 0.3
"""Seconds between two glances at the file."""
FEW = 6
"""Mistakes, and tests, that are shown."""


@click.command
@click.argument("file", shell_complete=files)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play.")
@click.option(
    "--seconds", type=click.FloatRange(min=0), default=2.0, show_default=True, help="To play for."
)
@click.option("--looks", type=click.IntRange(min=1), metavar="N", help="End after so many looks.")
def command(file: str, players: int | None, seconds: float, looks: int | None) -> int:
    """Check, test and play a file whenever it is saved, and show on one screen what is wrong, what
    broke, and what moved since the last save. Ctrl-C ends it.

    Files that it builds on are watched, too. What moved is measured in games with the same seeds,
    and told if chance alone would move any figure so far in fewer than 1 of 100 looks.
    """
    if not Path(file).is_file():
        raise Refused(f"there is no file `{file}`", "only a file can be watched, by its path")
    watcher, colored = Watcher(seconds, players), use_color()
    seen: dict[str, int] = {}
    number = 0
    while True:
        times = _times([file, *seen])
        if times != seen:
            try:
                source = read_path(file)
            except LibraryError as error:
                raise refused(error) from error
            look = watcher.look(source, Library())
            seen = _times([file, *look.sources])
            number += 1
            _show(source, look, colored=colored)
            if number == looks:
                return Exit.FINDINGS if look.errors or look.broken else Exit.CLEAN
        time.sleep(PAUSE)


def _times(files: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for file in dict.fromkeys(files):
        try:
            found[file] = Path(file).stat().st_mtime_ns
        except OSError:
            found[file] = 0
    return found


def _show(source: Source, look: Look, *, colored: bool) -> None:
    if colored:
        click.clear()
    shown = time.strftime("%H:%M:%S")
    click.echo(printable(f"{source.name} at {shown}"))
    found = by_cause(look.diagnostics, look.sources)
    for text in render_each(found[:FEW], look.sources, color=colored):
        click.echo(f"\n{text}", color=colored)
    if len(found) > FEW:
        click.echo(f"\nand {len(found) - FEW} more")
    for line in _lines(look):
        click.echo(printable(line))


def _lines(look: Look) -> Iterator[str]:
    if look.errors:
        yield ""
        yield f"{amount(len(look.errors), 'mistake')}: nothing was tested or played"
        return
    failed = f"{len(look.broken)} failed" if look.broken else "all passed"
    yield ""
    yield f"{amount(look.tests, 'test')}: {failed}"
    for each in look.broken[:FEW]:
        new = " (it passed before)" if each.new else ""
        where = f"line {each.failure.span.line}"
        yield f"  ✗ {each.title}{new}: {each.failure.message} ({where})"
    for title in look.mended:
        yield f"  ✓ {title} passes now"
    if look.trouble is not None:
        yield ""
        yield f"nothing could be played: {look.trouble}"
    if look.rows:
        yield from _figures(look)


def _figures(look: Look) -> Iterator[str]:
    finished = [row for row in look.rows if row.failure is None]
    yield ""
    yield f"{amount(len(look.rows), 'game')} of {look.players} random players"
    for seat in range(1, look.players + 1):
        won = sum((seat in row.winners) / max(1, len(row.winners)) for row in finished)
        share = proportion(won, len(finished))
        yield f"  seat {seat} wins {percent(share)}"
    length = moments(row.choices or 0 for row in finished).estimate()
    yield f"  {figure(length)} choices"
    wrong = {row.failure for row in look.rows if row.failure is not None}
    for failure in sorted(wrong)[:FEW]:
        yield f"  ✗ the rules went wrong: {failure}"
    if look.compared:
        yield ""
        yield f"since the last save ({amount(look.compared, 'pair')} of games)"
        for each in look.moved:
            yield f"  {moved_line(each)}"
        if not look.moved:
            yield "  no figure moved more than chance moves it"
