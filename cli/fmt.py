"""`ruledsl fmt`: the one canonical layout of rules files."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

import click

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.render import in_reading_order, render_text
from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.wording import printable
from ruledsl.syntax.format import format_file
from ruledsl.syntax.parser import parse

from .completing import games
from .source_arguments import STANDARD_INPUT, read_inputs
from .terminal import Exit, Refused, complain, use_color


@click.command
@click.argument("paths", shell_complete=games, metavar="GAME...", nargs=-1, required=True)
@click.option("--check", "only_check", is_flag=True, help="Change nothing; name what would change.")
def command(paths: tuple[str, ...], only_check: bool) -> int:
    """Lay out rules files in the one canonical way.

    A GAME is a name, as `ruledsl list` shows it, a file, a folder with rules files, or `-`: then
    standard input is printed in its canonical layout. A file with syntax errors is left as it is.

    Exit code 0: done, or nothing to do; 1: syntax errors, or with --check something to do;
    2: something could not be read or written.
    """
    if STANDARD_INPUT in paths and len(paths) > 1:
        raise Refused("standard input can't be formatted together with files")
    inputs = read_inputs(paths)
    found: list[Diagnostic] = list(inputs.diagnostics)
    unfinished = False
    for source in inputs.sources:
        parsed = parse(source)
        if not parsed.is_whole:
            found += parsed.diagnostics
            continue
        text = format_file(parsed)
        if STANDARD_INPUT in paths and not only_check:
            click.echo(text, nl=False)
        elif text != source.text:
            done = "would change" if only_check else "changed"
            click.echo(printable(f"{done} {source.name}"))
            unfinished |= only_check
            if not only_check:
                _write(source, text)
    if found:
        known = {source.name: source for source in inputs.sources}
        aside = STANDARD_INPUT in paths
        colored = use_color(err=aside)
        text = render_text(in_reading_order(found), known, color=colored)
        click.echo(text, nl=False, color=colored, err=aside)
    for error in inputs.unreadable:
        complain(str(error), error.hint)
    if inputs.unreadable:
        return Exit.USAGE
    return Exit.FINDINGS if found or unfinished else Exit.CLEAN


def _write(source: Source, text: str) -> None:
    """Replace a file at once: whoever reads it sees the old text or the new one, never a part."""
    # A link stays a link: what it points at is replaced.
    path = Path(source.name).resolve()
    try:
        with NamedTemporaryFile(
            "wb", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as new:
            temporary = Path(new.name)
            try:
                new.write(text.encode("utf-8"))
                new.flush()
                os.fsync(new.fileno())
                temporary.chmod(path.stat().st_mode)
                temporary.replace(path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise Refused(f"can't write `{source.name}`: {reason}") from error
