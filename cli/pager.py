"""Long texts one screen at a time, where somebody sits before a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from shutil import get_terminal_size

import click

QUIET = "-FRX"
"""For `less`: end on short texts, keep colours, leave the text on the screen."""


def show_paged(lines: Iterable[str], *, color: bool) -> None:
    """Print finished lines; through the pager of the system if they don't fit on the screen.

    `PAGER=cat` is for those who would rather scroll.
    """
    text = "".join(f"{line}\n" for line in lines)
    somebody = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if somebody and text.count("\n") >= get_terminal_size().lines:
        os.environ.setdefault("LESS", QUIET)
        click.echo_via_pager(text, color=color)
    else:
        click.echo(text, nl=False, color=color)
