"""Where rules files are found, by name or path: the shipped games, and any folder.

Files are read only here and in the command line. What goes wrong is a `LibraryError`. A text that
is open in an editor stands for its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from os.path import normpath
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from ruledsl.diagnostics.files import wrong_encoding
from ruledsl.diagnostics.source import Source, Span
from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.packaged import packaged_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SUFFIX = ".rules"

PLAYABLE = re.compile("^(game|variant) ", re.MULTILINE)

MOST_NAMED = 8
"""Games that are named of a folder that was taken for one."""

READ_AT_MOST = 4_000_000
"""Bytes taken from a file: enough for the parser to refuse it as too large, whatever it is."""


def _shipped() -> tuple[Traversable, ...]:
    return (packaged_folder("ruledsl.games"),)


@attrs.frozen
class Library:
    """Folders of rules files, searched with all their sub-folders; by default the shipped games."""

    roots: tuple[Traversable, ...] = attrs.field(factory=_shipped)
    opened: Mapping[str, Source] = attrs.field(factory=dict)
    """texts that stand for files, by the names the files have as sources"""

    def source(self, name: str, near: str | None = None) -> Source | None:
        """The file of a game, variant or library.

        Files in the folder of the source called `near` come first.
        """
        file = self._named(name, near)
        return None if file is None else self._read(file)

    def file(self, name: str) -> Traversable:
        """The file of a game by its name."""
        found = self._named(name, None)
        if found is None:
            hint = did_you_mean(name, self.names()) or "`ruledsl list` shows all games"
            raise LibraryError(f"no game is called `{name}`", hint)
        return found

    def names(self, near: str | None = None) -> tuple[str, ...]:
        """What `source` would find, in alphabetical order."""
        return tuple(sorted({_stem(file) for file in self._files(near)}))

    def find(self, name_or_path: str) -> Source:
        """The file of a game given by its name or by the path to its file."""
        if name_or_path.endswith(SUFFIX) or "/" in name_or_path or Path(name_or_path).is_file():
            return self._read(Path(name_or_path))
        if self._named(name_or_path, None) is None and Path(name_or_path).is_dir():
            return self._read(Path(name_or_path))
        return self.named(name_or_path)

    def named(self, name: str) -> Source:
        """The file of a game given by its name."""
        return self._read(self.file(name))

    def sources(self) -> Iterator[Source]:
        """Every file of the library."""
        return (self._read(file) for file in self._files(None))

    def beside(self, name: str) -> Iterator[Source]:
        """The files in the folder of the source of this name."""
        for file in self._folder(Path(name).parent):
            try:
                yield self._read(file)
            except LibraryError:
                continue

    def _read(self, file: Traversable) -> Source:
        opened = self.opened.get(display_name(file)) if self.opened else None
        return read(file) if opened is None else opened

    def _folder(self, folder: Path) -> Iterator[Traversable]:
        """The rules files of a folder, with those that are only open and not yet on the disk."""
        found = list(_rules_files(folder, deep=False))
        here = {display_name(file) for file in found} if self.opened else set()
        unsaved = (Path(name) for name in self.opened if name not in here)
        found += (path for path in unsaved if _same_folder(path.parent, folder))
        yield from sorted(found, key=lambda file: file.name)

    def _named(self, name: str, near: str | None) -> Traversable | None:
        wanted = identifier(name)
        return next((file for file in self._files(near) if _stem(file) == wanted), None)

    def _files(self, near: str | None) -> Iterator[Traversable]:
        if near is not None:
            yield from self._folder(Path(near).parent)
        for root in self.roots:
            yield from _rules_files(root, deep=True)


def identifier(name: str) -> str:
    """A name as it is declared: hyphens become underscores."""
    return name.replace("-", "_")


def rules_files(folder: Path) -> tuple[Path, ...]:
    """All rules files in a folder and its sub-folders, but not in hidden ones."""
    return tuple(file for file in _rules_files(folder, deep=True) if isinstance(file, Path))


def read_path(path: str) -> Source:
    """The rules file at a path."""
    return read(Path(path))


def read(file: Traversable) -> Source:
    """The text of a file."""
    name = display_name(file)
    try:
        if isinstance(file, Path) and not file.exists():
            raise missing(str(file))
        if file.is_dir():
            raise LibraryError(f"`{name}` is a folder, not a file", _games_in(file))
        return decode(name, read_at_most(file, READ_AT_MOST))
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise LibraryError(f"can't read `{name}`: {reason.lower()}") from error


def is_playable(source: Source) -> bool:
    """Whether there is a game or a variant in it, as far as one can see without parsing."""
    return PLAYABLE.search(source.text) is not None


def _games_in(folder: Traversable) -> str:
    """Which games somebody who names a folder could mean."""
    found: list[str] = []
    for file in _rules_files(folder, deep=True):
        if len(found) > MOST_NAMED:
            break
        try:
            source = read(file)
        except LibraryError:
            continue
        if is_playable(source):
            found.append(f"`{source.name}`")
    if not found:
        return "there is no game in it"
    more = ", …" if len(found) > MOST_NAMED else ""
    return f"games in it: {', '.join(found[:MOST_NAMED])}{more}"


def read_at_most(file: Traversable, most: int) -> bytes:
    """The beginning of an ordinary file: a pipe or a device may never come to an end."""
    if isinstance(file, Path) and file.exists() and not file.is_dir() and not file.is_file():
        raise OSError(None, "it is a pipe or a device, not a file; `-` reads standard input")
    with file.open("rb") as stream:
        return stream.read(most)


def decode(name: str, data: bytes) -> Source:
    """Bytes as a source."""
    errors = "ignore" if len(data) >= READ_AT_MOST else "strict"
    try:
        return Source(name, data.decode("utf-8-sig", errors))
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "ignore")
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        span = Span(name, line, column, line, column + 1)
        message = f"`{name}` is not text in UTF-8 (line {line})"
        raise LibraryError(message, diagnostic=wrong_encoding(span)) from error


def missing(path: str) -> LibraryError:
    """The error for a path where there is nothing."""
    there = Path(path)
    while not there.parent.exists():
        there = there.parent
    near = did_you_mean(there.name, _names_in(there.parent))
    if near is not None and there.parent != Path():
        near += f" (in `{there.parent}`)"
    return LibraryError(f"there is no file or folder `{path}`", near)


def _names_in(folder: Path) -> Iterable[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:
        return []


def _stem(file: Traversable) -> str:
    return identifier(file.name.removesuffix(SUFFIX))


def _same_folder(one: Path, other: Path) -> bool:
    return normpath(Path.cwd() / one) == normpath(Path.cwd() / other)


def display_name(file: Traversable) -> str:
    """The name of a source: one per file, relative to the current folder if it lies there."""
    if not isinstance(file, Path):
        return str(file)
    here = Path.cwd()
    path = Path(normpath(here / file))
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _rules_files(folder: Traversable, *, deep: bool) -> Iterator[Traversable]:
    """In alphabetical order, a folder's own files before those in its sub-folders.

    A folder that can't be read has none. Links to folders are not followed: they may go in circles.
    """
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    except OSError:
        return
    entries = [entry for entry in entries if not entry.name.startswith(".")]
    yield from (entry for entry in entries if entry.name.endswith(SUFFIX) and not _is_folder(entry))
    if deep:
        for entry in entries:
            linked = isinstance(entry, Path) and entry.is_symlink()
            if not linked and _is_folder(entry):
                yield from _rules_files(entry, deep=True)


def _is_folder(entry: Traversable) -> bool:
    """Nothing that can't be looked at is one: in `/proc` such things come and go."""
    try:
        return entry.is_dir()
    except OSError:
        return False
