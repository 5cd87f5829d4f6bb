"""The sources named on the command line: games, files, folders with their rules files, or `-`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.library import READ_AT_MOST, SUFFIX, Library, decode, missing, read, rules_files

from .terminal import Refused, refused

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

STANDARD_INPUT = "-"


@attrs.frozen
class Inputs:
    """What could be read, what has no readable text, and what could not be opened."""

    sources: tuple[Source, ...]
    diagnostics: tuple[Diagnostic, ...]
    unreadable: tuple[LibraryError, ...]


def read_inputs(paths: Iterable[str]) -> Inputs:
    """Each source once, in the order given; a word that stands for nothing is refused."""
    sources: dict[str, Source] = {}
    diagnostics: list[Diagnostic] = []
    unreadable: list[LibraryError] = []
    for file in [file for path in paths for file in _files(path)]:
        try:
            source = _standard_input() if file is None else read(file)
            sources.setdefault(source.name, source)
        except LibraryError as error:
            if error.diagnostic is None:
                unreadable.append(error)
            else:
                diagnostics.append(error.diagnostic)
    return Inputs(tuple(sources.values()), tuple(diagnostics), tuple(unreadable))


def is_name(word: str) -> bool:
    """Whether a word is the name of a game rather than a path; what is there goes first."""
    return not (
        word == STANDARD_INPUT or "/" in word or word.endswith(SUFFIX) or Path(word).exists()
    )


def _files(path: str) -> Iterator[Traversable | None]:
    """The files meant by a word; None is standard input."""
    if path == STANDARD_INPUT:
        yield None
    elif is_name(path):
        yield _game(path)
    elif Path(path).is_dir():
        found = rules_files(Path(path))
        if not found:
            raise Refused(f"there are no rules files in `{path}`", "their names end in `.rules`")
        yield from found
    elif not Path(path).exists():
        raise refused(missing(path))
    else:
        yield Path(path)


def _game(name: str) -> Traversable:
    try:
        return Library().file(name)
    except LibraryError as error:
        hint = missing(name).hint or error.hint
        raise Refused(f"no game, file or folder is called `{name}`", hint) from error


def _standard_input() -> Source:
    return decode("<stdin>", sys.stdin.buffer.read(READ_AT_MOST))
