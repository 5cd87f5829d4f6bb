"""`ruledsl export`: a game as one page that needs no server."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory

import click

from ruledsl.library import SUFFIX

from .completing import files, games, variants
from .game_arguments import loaded
from .serve import data_folder
from .terminal import Exit, Refused
from .web.bundle import HASHES, VERSION, WrongRuntime, page, runtime


@click.command
@click.argument("game", shell_complete=games, required=False)
@click.option("--variant", shell_complete=variants, metavar="NAME", help="A variant of the game.")
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play at first.")
@click.option(
    "--out",
    required=True,
    shell_complete=files,
    metavar="FILE",
    help="The page to write, or a folder.",
)
@click.option("--offline", is_flag=True, help="Carry the whole runtime: no network is needed.")
@click.option(
    "--runtime",
    "folder",
    shell_complete=files,
    metavar="FOLDER",
    help=f"Pyodide {VERSION}, unpacked.",
)
@click.option("--playground", is_flag=True, help="A page to write and try rules, all games in it.")
def command(
    game: str | None,
    variant: str | None,
    players: int | None,
    out: str,
    offline: bool,
    folder: str | None,
    playground: bool,
) -> int:
    """Write a game as one HTML file that plays in a browser, computers included.

    GAME is a name or the path to a rules file. The page gets Python for browsers from the public
    network when it is opened; with --offline it carries all of it, and opens anywhere.

    Exit code 0: written; 2: it could not be.
    """
    if playground == (game is not None):
        raise Refused(
            "a playground has all games: name none"
            if playground
            else "name a game, or say `--playground`"
        )
    named = Path(out)
    if not named.parent.is_dir():
        raise Refused(f"there is no folder `{named.parent}`", "make it first, or name another")
    target = named / "index.html" if playground and named.suffix != ".html" else named
    title, config, games = _config(game, variant, players)
    carried = _runtime(folder) if offline or folder is not None else {}
    text = page(title, config, carried, games)
    try:
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        why = (error.strerror or "unknown reason").lower()
        raise Refused(f"`{target}` can't be written: {why}") from error
    size = len(text.encode()) / 1e6
    network = "no network is needed" if carried else "Python comes from the network"
    click.echo(f"wrote {target}, {size:.1f} MB; {network}")
    return Exit.CLEAN


def _config(
    game: str | None, variant: str | None, players: int | None
) -> tuple[str, dict[str, object], frozenset[str] | None]:
    """The title of the page, what it is about, and which games it has to carry."""
    if game is None:
        return "ruledsl", {"playground": True}, None
    found = loaded(game, variant)
    if players is not None and players not in found.players:
        allowed = ", ".join(map(str, found.players))
        raise Refused(f"{found.title} is for {allowed} players, not {players}")
    config: dict[str, object] = {"game": found.name, "players": players}
    if game.endswith(SUFFIX) or "/" in game:
        if found.checked.variant is not None:
            raise Refused(
                "a variant in a file of its own can't be exported yet",
                "put it beside its base, or write it as a game",
            )
        config["rules"] = found.source.text
    carried = frozenset(PurePath(name).stem for name in found.checked.sources)
    return found.title, config, carried


def _runtime(folder: str | None) -> dict[str, bytes]:
    try:
        if folder is not None:
            return runtime(Path(folder))
        kept = data_folder().parent / f"pyodide-{VERSION}"
        if not all((kept / name).is_file() for name in HASHES):
            _fetch(kept)
        return runtime(kept)
    except WrongRuntime as error:
        raise Refused(str(error), f"`npm pack pyodide@{VERSION}` fetches the right one") from error


def _fetch(kept: Path) -> None:
    """Get the runtime with npm, once."""
    npm = shutil.which("npm")
    if npm is None:
        raise Refused(
            "the runtime is fetched with npm, which is not installed",
            f"`--runtime FOLDER` names a folder with Pyodide {VERSION}",
        )
    with TemporaryDirectory() as folder:
        done = subprocess.run(  # noqa: S603 - the words are ours
            [npm, "pack", f"pyodide@{VERSION}", "--silent"],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        archives = list(Path(folder).glob("*.tgz"))
        if done.returncode or not archives:
            raise Refused("npm could not fetch the runtime", done.stderr.decode()[-300:] or None)
        kept.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archives[0]) as archive:
            for name in HASHES:
                member = archive.extractfile(f"package/{name}")
                assert member is not None
                (kept / name).write_bytes(member.read())
