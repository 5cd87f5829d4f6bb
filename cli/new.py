"""`ruledsl new`: begin a game or a variant."""

from __future__ import annotations

from pathlib import Path

import click

from ruledsl.library import SUFFIX, identifier

from .game_arguments import loaded
from .templates import new_game, new_variant
from .terminal import Exit, Refused


@click.command
@click.argument("name")
@click.option("--from", "base", metavar="GAME", help="Begin a variant of this game.")
def command(name: str, base: str | None) -> int:
    """Begin a game, or a variant of one, in a new file NAME.rules.

    It has no mistakes, and a test. A comment in it says what to do next.

    Exit code 0; 2 if the name can't be used, or the file is there already.
    """
    stem = identifier(name.removesuffix(SUFFIX))
    if not stem.isidentifier() or not stem.isascii():
        raise Refused(f"`{name}` is not a name", "letters, digits and `_`, a letter first")
    path = Path(f"{stem}{SUFFIX}")
    text = new_game(stem) if base is None else new_variant(stem, loaded(base, None).checked)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise Refused(f"there is a file `{path}` already", "choose another name") from error
    except OSError as error:
        raise Refused(f"can't write `{path}`: {(error.strerror or '').lower()}") from error
    click.echo(
        f"{path}: open it in an editor, then `ruledsl test {path}` and `ruledsl play {path}`"
    )
    return Exit.CLEAN
