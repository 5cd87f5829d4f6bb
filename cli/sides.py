"""Games as one names them to compare or vary them: `GAME[@REVISION][:NAME=VALUE,...]`."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import attrs

from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.lab.settings import SettingError, set_to
from ruledsl.library import READ_AT_MOST, SUFFIX, Library, decode, display_name, read, read_at_most
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
    listed = _git(root, "ls-tree", "-r", "-z", "--full-tree", revision).decode()
    then = {name: entry.split()[2] for entry, _, name in _entries(listed) if name.endswith(SUFFIX)}
    texts: dict[str, Source] = {}
    for name, blob in then.items():
        if _blob(root / name) != blob:
            shown = display_name(root / name)
            texts[shown] = decode(shown, _git(root, "cat-file", "blob", blob))
    shown = display_name(path)
    if shown in texts:
        return texts[shown], Library(opened=texts)
    inside = path.resolve()
    tracked = inside.is_relative_to(root) and inside.relative_to(root).as_posix() in then
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


def _entries(listed: str) -> Iterator[tuple[str, str, str]]:
    return (entry.partition("\t") for entry in listed.split("\0"))


def _blob(file: Path) -> str | None:
    """The name that git has for what stands in a file now; git itself would run filters for it."""
    try:
        data = read_at_most(file, READ_AT_MOST)
    except OSError:
        return None
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _git(folder: Path, *words: str, of: str | None = None) -> bytes:
    """Ask git only for what it has stored: a folder from a stranger may come with settings that run
    programs when files of the folder are looked at, or when something is fetched."""
    try:
        done = subprocess.run(  # noqa: S603 - the words are ours, a revision can't be an option here
            ["git", "-C", str(folder), *words],  # noqa: S607 - git is where it is
            capture_output=True,
            check=False,
            env=os.environ | {"GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1"},
        )
    except FileNotFoundError:
        raise Refused("revisions need `git`, which is not installed") from None
    if done.returncode:
        if of is not None:
            raise Refused(f"git knows no revision `{of}`", "write a commit, branch or tag")
        reason = done.stderr.decode(errors="replace").strip().splitlines()
        raise Refused("git can't tell: " + (reason[-1] if reason else "unknown reason"))
    return done.stdout
