"""How all commands talk: exit codes, colours, refusals."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum

import click

from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.diagnostics.wording import printable


class Exit(IntEnum):
    """What a command tells the shell."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    BUG = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


COLORS = {"auto": None, "always": True, "never": False}


def _keep_color(ctx: click.Context, _: click.Parameter, choice: str) -> None:
    ctx.color = COLORS[choice]


color_option = click.Option(
    ["--color"],
    type=click.Choice(list(COLORS)),
    default="auto",
    expose_value=False,
    is_eager=True,
    callback=_keep_color,
    help="Colours: `auto` for a terminal, unless NO_COLOR is set.",
)
"""Every command gets it where it is found; what was chosen is the colour of click's context."""
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document.")


class Refused(click.ClickException):
    """What was asked for can't be done."""

    exit_code = Exit.USAGE

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def refused(error: LibraryError) -> Refused:
    return Refused(str(error), error.hint)


def unknown(what: str, word: str, known: Iterable[str], otherwise: str) -> Refused:
    """No such thing: the nearest one, or how to find it."""
    return Refused(f"no {what} is called `{word}`", did_you_mean(word, known) or otherwise)


def use_color(*, err: bool = False) -> bool:
    """Whether the running command writes in colours, to its output or to that for errors."""
    ctx = click.get_current_context(silent=True)
    if ctx is not None and ctx.color is not None:
        return ctx.color
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return (sys.stderr if err else sys.stdout).isatty() and not plain


@contextmanager
def undisturbed() -> Iterator[None]:
    """What is begun here is finished; an interrupt comes after it."""
    caught: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if caught:
        raise KeyboardInterrupt


def warn(message: str) -> None:
    """Say what is not wrong, but better known."""
    click.echo(f"warning: {printable(message)}", err=True)


def complain(message: str, hint: str | None = None) -> None:
    """Say what is wrong where it does not mix with results."""
    click.echo(f"error: {printable(message)}", err=True)
    if hint is not None:
        click.echo(f"  = hint: {printable(hint)}", err=True)
