"""Games as one names them to compare or vary them: `GAME[@REVISION][:NAME=VALUE,...]`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import attrs

from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.lab.settings import SettingError, set_to
from ruledsl.library import SUFFIX, Library, decode, display_name, read
from ruledsl.play.loading import Game, LoadError, load_source

from .game_arguments import unplayable
from .terminal import Refused, refused


@attrs.frozen
class Named:
    """A game and how it was named."""

    label: str
    game: Game


def named_game(text: str) -> Named:
    """The game that a word stands for; a clear refusal where there is none."""
    name, _, settings = text.partition(":") if not Path(text).exists() else (text, "", "")
    word, at, revision = name.partition("@") if not Path(name).exists() else (name, "", "")
    values = dict(_setting(part, text) for part in settings.split(",") if settings)
    library = Library()
    try:
        if at:
            source, library = _at_revision(word, revision or "HEAD")
        else:
            source = library.find(word)
        game = set_to(source, library, values) if values else load_source(source, library)
    except LibraryError as error:
        raise refused(error) from error
    except LoadError as error:
        raise unplayable(error) from error
    except SettingError as error:
        raise Refused(str(error), error.hint) from error
    return Named(text, game)


def _setting(part: str, text: str) -> tuple[str, str]:
    name, sign, value = part.partition("=")
    if not sign or not name.strip() or not value.strip():
        raise Refused(f"`{text}`: `{part}` sets nothing", "write `GAME:name=value,other=value`")
    return name.strip(), value.strip()


# ---------------------------------------------------------------- revisions


def _at_revision(word: str, revision: str) -> tuple[Source, Library]:
    """A file as it was, with all rules files of that time beside it."""
    path = _path(word)
    folder = path.parent if path.parent.is_dir() else Path()
    root = Path(_git(folder, "rev-parse", "--show-toplevel").decode().strip())
    _git(folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", of=revision)
    changed = _git(root, "diff", "--name-only", "--no-renames", "-z", revision, "--", f"*{SUFFIX}")
    texts: dict[str, Source] = {}
    for name in changed.decode().split("\0"):
        if name and _is_there(root, revision, name):
            shown = display_name(root / name)
            texts[shown] = decode(shown, _git(root, "show", f"{revision}:{name}"))
    shown = display_name(path)
    if shown in texts:
        return texts[shown], Library(opened=texts)
    inside = path.resolve()
    tracked = inside.is_relative_to(root) and _is_there(
        root, revision, inside.relative_to(root).as_posix()
    )
    if not tracked:
        raise Refused(f"`{word}` was not there at `{revision}`")
    return read(path), Library(opened=texts)


def _path(word: str) -> Path:
    if word.endswith(SUFFIX) or "/" in word or Path(word).is_file():
        return Path(word)
    file = Library().file(word)
    if not isinstance(file, Path):
        raise Refused(f"`{word}` is no file that has revisions")
    return file


def _is_there(root: Path, revision: str, name: str) -> bool:
    command = ["git", "-C", str(root), "cat-file", "-e", f"{revision}:{name}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603


def _git(folder: Path, *words: str, of: str | None = None) -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 - the words are ours, a revision can't be an option here
            ["git", "-C", str(folder), *words],  # noqa: S607 - git is where it is
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise Refused("revisions need `git`, which is not installed") from None
    if done.returncode:
        if of is not None:
            raise Refused(f"git knows no revision `{of}`", "write a commit, branch or tag")
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise Refused("git can't tell: " + (reason[-1] if reason else "unknown reason"))
    return done.stdout
