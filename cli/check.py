"""`ruledsl check`: what is wrong in rules files."""

from __future__ import annotations

import click

from ruledsl.diagnostics.render import as_records, in_reading_order, render_text
from ruledsl.diagnostics.wording import amount
from ruledsl.library import Library
from ruledsl.play.check import check_source

from .completing import games
from .documents import print_document
from .source_arguments import read_inputs
from .terminal import Exit, complain, json_option, use_color


@click.command
@click.argument("paths", shell_complete=games, metavar="GAME...", nargs=-1, required=True)
@json_option
@click.option("--strict", is_flag=True, help="Warnings count as findings.")
def command(paths: tuple[str, ...], as_json: bool, strict: bool) -> int:
    """Say what is wrong in rules files.

    A GAME is a name, as `ruledsl list` shows it, a file, a folder with rules files, or `-` for
    standard input.

    Exit code 0: no mistakes (there may be warnings, unless --strict is given); 1: mistakes;
    2: something could not be read.
    """
    inputs = read_inputs(paths)
    library = Library()
    checked = [check_source(source, library) for source in inputs.sources]
    sources = {name: source for each in checked for name, source in each.sources.items()}
    found = in_reading_order(
        (*inputs.diagnostics, *(diagnostic for each in checked for diagnostic in each.diagnostics))
    )
    if as_json:
        print_document("check", {"mistakes": as_records(found)})
    elif found:
        colored = use_color()
        click.echo(render_text(found, sources, color=colored), nl=False, color=colored)
    else:
        click.echo(f"no mistakes in {amount(len(inputs.sources), 'file')}")
    for error in inputs.unreadable:
        complain(str(error), error.hint)
    if inputs.unreadable:
        return Exit.USAGE
    failed = any(strict or diagnostic.severity == "error" for diagnostic in found)
    return Exit.FINDINGS if failed else Exit.CLEAN
