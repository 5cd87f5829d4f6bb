"""`ruledsl help`: what `--help` shows, for those who ask in words."""

from __future__ import annotations

import click

from .completing import commands
from .terminal import Exit


@click.command
@click.argument("name", shell_complete=commands, metavar="[COMMAND]", required=False)
@click.pass_context
def command(ctx: click.Context, name: str | None) -> int:
    """Show how to call a command; without one, list all commands."""
    root = ctx.find_root()
    if name is None:
        click.echo(root.get_help())
        return Exit.CLEAN
    shell = root.command
    assert isinstance(shell, click.Group)
    _, found, _ = shell.resolve_command(root, [name])
    assert found is not None
    with found.make_context(name, [], parent=root, resilient_parsing=True) as called:
        click.echo(called.get_help())
    return Exit.CLEAN
