"""`ruledsl lsp`: answer an editor."""

from __future__ import annotations

import gc
import sys

import click

from .terminal import Exit, Refused


@click.command
def command() -> int:
    """Answer an editor about rules files, over standard input and output.

    Editors start this themselves; docs/editor.md says how each of them is told to. It needs the
    extra `editor`.

    Exit code 0; 2 if the extra is not installed, or nobody but a terminal would be answered.
    """
    try:
        from ruledsl.language_server.server import make_server  # noqa: PLC0415 (may be missing)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Refused(
            "the language server needs the extra `editor`",
            "install it with `pip install '.[editor]'`",
        ) from error
    # Rules are large trees that live long: garbage is looked for when nobody types.
    gc.set_threshold(1_000_000, 10, 10)
    if sys.stdin.isatty():
        raise Refused(
            "an editor starts this, and talks to it over standard input and output",
            "docs/editor.md says how each editor is told to",
        )
    make_server().start_io()
    return Exit.CLEAN
