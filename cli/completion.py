"""`ruledsl completion`: the lines that teach a shell to complete commands and games."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from .main import COMPLETION
from .terminal import Exit

SHELLS = ("bash", "zsh", "fish")


@click.command
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print what makes a shell complete commands, options and games.

    \b
    bash: eval "$(ruledsl completion bash)"   in ~/.bashrc
    zsh:  eval "$(ruledsl completion zsh)"    in ~/.zshrc
    fish: ruledsl completion fish > ~/.config/fish/completions/ruledsl.fish
    """
    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(completion(ctx.find_root().command, {}, "ruledsl", COMPLETION).source())
    return Exit.CLEAN
