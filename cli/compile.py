"""`ruledsl compile`: what becomes of rules on their way to WebAssembly."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, assert_never

import click

from ruledsl.diagnostics.wording import printable
from ruledsl.engine.code.readable import program_lines
from ruledsl.engine.code.wasm import encoded
from ruledsl.engine.code.wasm_text import printed
from ruledsl.engine.compiler import compiled
from ruledsl.engine.unsupported import Unsupported
from ruledsl.model.outline import game_lines
from ruledsl.table.table import Table

from .completing import games, variants
from .game_arguments import checked_option, given_options, laid, loaded, option_option
from .terminal import Exit, Refused

Stage: TypeAlias = Literal["core", "plan", "code", "wasm"]


@click.command
@click.argument("game", shell_complete=games)
@click.option(
    "--emit",
    type=click.Choice(["core", "plan", "code", "wasm"]),
    default="plan",
    show_default=True,
    help="The stage: checked rules, plans of choices, low-level code, WebAssembly.",
)
@click.option("--players", type=click.IntRange(min=1), metavar="P", help="How many play.")
@click.option("--variant", shell_complete=variants, metavar="NAME", help="A variant of the game.")
@option_option
@checked_option
def command(
    game: str,
    emit: Stage,
    players: int | None,
    variant: str | None,
    options: tuple[str, ...],
    checked: bool,
) -> int:
    """Show a game at a stage of its way to a module, for whoever develops the engine.

    `core` is what the checks leave: names resolved, sugar gone. `plan` says for each decision
    between actions at which parameter requirements are tested, and how one option is found at
    random. `code` is the program before it is encoded, `wasm` the module itself, both as text.

    Exit code 0; 2 if the game could not be compiled.
    """
    found = loaded(game, variant)
    number = found.usual_players() if players is None else players
    table = laid(found, number, given_options(found, options))
    for line in _lines(table, emit, checked):
        click.echo(printable(line))
    return Exit.CLEAN


def _lines(table: Table, stage: Stage, checked: bool) -> Iterator[str]:
    if stage == "core":
        yield from game_lines(table.game)
        return
    try:
        code = compiled(table, checked=checked, lightly=False, trial=None)
    except Unsupported as error:
        raise Refused(f"this can't be compiled: {error.placed}") from error
    match stage:
        case "plan":
            for plan in code.plans:
                yield from plan.lines()
                yield from plan.domain_lines()
        case "code":
            yield from program_lines(code.program)
        case "wasm":
            yield from printed(encoded(code.program)).splitlines()
        case _:
            assert_never(stage)
