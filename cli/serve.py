"""`ruledsl serve`: tables in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from ruledsl.library import SUFFIX
from ruledsl.play.loading import LoadError, load

from .completing import files, games
from .game_arguments import unplayable
from .terminal import Exit, Refused


def data_folder() -> Path:
    """Where tables are kept unless somebody says otherwise."""
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Application Support"
    else:
        home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home / "ruledsl" / "tables"


@click.command
@click.argument("game", shell_complete=games, required=False)
@click.option("--host", default="127.0.0.1", help="The address to listen at.")
@click.option("--port", default=8000, type=click.IntRange(0, 65535), help="The port; 0: any.")
@click.option("--open", "open_browser", is_flag=True, help="Open the page in your browser.")
@click.option(
    "--tables", "folder", shell_complete=files, metavar="FOLDER", help="Where tables are kept."
)
@click.option(
    "--pace", default=0.5, type=click.FloatRange(0, 10), help="Seconds for a computer's choice."
)
def command(
    game: str | None, host: str, port: int, open_browser: bool, folder: str | None, pace: float
) -> int:
    """Play in the browser: alone, or with friends over the network.

    GAME may be a rules file, which is then in the lobby, too, or a saved game to go on with.
    Only this machine can reach the page unless --host names another address.

    Exit code 0: stopped; 2: it could not begin.
    """
    try:
        from .web.running import Wishes, run  # noqa: PLC0415 - what it needs is an extra
    except ImportError as error:
        raise Refused(
            f"the server needs `{error.name}`, which is not installed",
            "`pip install 'tabletop-rules[web]'` installs all it needs",
        ) from error
    named, save = _given(game)
    kept_in = data_folder() if folder is None else Path(folder)
    run(Wishes(host, port, kept_in, pace, named, save, open_browser))
    return Exit.CLEAN


def _given(game: str | None) -> tuple[tuple[str, ...], Path | None]:
    """What was named: rules to offer, or a save to go on with."""
    if game is None:
        return (), None
    path = Path(game)
    if path.is_file() and path.suffix != SUFFIX:
        return (), path
    try:
        load(game)
    except LoadError as error:
        raise unplayable(error) from error
    return (game,), None
