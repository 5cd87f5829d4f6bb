"""The terminal at the table: lines that fit, and what is typed, wherever it comes from."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

import attrs
import click

from ruledsl.library import read_at_most

from .drawing.text import cut, finished, safe, wrap
from .terminal import Refused

USUAL_COLUMNS = 80
LEAST_COLUMNS = 20
MOST_COLUMNS = 120
MOST_MOVES = 1_000_000
"""Bytes of a file of moves."""

_ASCII = str.maketrans("●○─│·×…→▶–", "XO-|.x~>*-")


class InputEnded(Exception):
    """There is nothing more to read."""


@attrs.frozen
class Entry:
    """A line that was typed or read; `where` says in which file."""

    text: str
    where: str | None = None


@attrs.define
class Screen:
    """Where the game is shown and choices are read: first from a file, then from the input."""

    color: bool
    interactive: bool
    """somebody sits there: questions are asked, and can wait"""
    moves: Iterator[Entry] | None = None
    only_moves: bool = False
    live: bool = False
    """a line can be shown for a while and wiped"""
    _unread: int = MOST_MOVES
    """how much is still read where nobody sits: the input may never come to an end"""

    @property
    def columns(self) -> int:
        found = shutil.get_terminal_size((USUAL_COLUMNS, 24)).columns
        # A terminal may break a line that fills it.
        return max(LEAST_COLUMNS, min(found, MOST_COLUMNS)) - 1

    def show(self, lines: Iterable[str]) -> None:
        """Lines that fit already."""
        for line in lines:
            click.echo(self._finished(line), color=True)

    def tell(self, text: str, indent: str = "") -> None:
        """A text of any length."""
        self.show(wrap(text, self.columns, indent))

    @contextmanager
    def passing(self) -> Iterator[Callable[[str], None]]:
        """Shows a line, another one in its stead, and none in the end; nothing where it stays."""
        try:
            yield self._overwrite
        finally:
            self._overwrite("")

    def _overwrite(self, line: str) -> None:
        if self.live:
            fitting = cut(line, self.columns)
            click.echo(f"\r{self._finished(fitting)}\x1b[K", nl=False, color=True)

    def _finished(self, line: str) -> str:
        text = finished(line, color=self.color)
        return text if _is_rich() else text.translate(_ASCII)

    def clear(self) -> None:
        """Nothing that was shown can be read any more."""
        if self.interactive:
            click.echo("\x1b[2J\x1b[3J\x1b[H", nl=False, color=True)
            forget_typed()

    def ask(self, prompt: str) -> Entry:
        """The next line; what was not typed here is repeated."""
        entry = None if self.moves is None else next(self.moves, None)
        if entry is not None:
            self.tell(f"{prompt}{safe(entry.text)}")
            return entry
        if self.only_moves:
            raise InputEnded
        return self._read(prompt)

    def wait(self, prompt: str) -> None:
        """Until somebody presses Enter."""
        if self.interactive:
            self._read(prompt)

    def _read(self, prompt: str) -> Entry:
        if self.interactive:
            sys.stdout.flush()
            try:
                return Entry(input(prompt).strip())
            except EOFError:
                raise InputEnded from None
        while line := sys.stdin.readline(self._unread):
            self._unread -= len(line)
            if line.strip():
                self.tell(f"{prompt}{safe(line)}")
                return Entry(line.strip())
        raise InputEnded


def open_screen(*, color: bool, moves: str | None) -> Screen:
    """The screen of this process."""
    interactive = sys.stdin.isatty()
    if interactive and sys.stdout.isatty():
        prepare_editing()
    entries = None if moves is None else read_moves(moves)
    live = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return Screen(color, interactive, entries, moves is not None and not interactive, live)


def read_moves(path: str) -> Iterator[Entry]:
    """The lines of a file of moves; empty ones and comments are skipped."""
    try:
        data = read_at_most(Path(path), MOST_MOVES)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise Refused(f"can't read `{path}`: {reason}") from error
    lines = data.decode("utf-8", "replace").splitlines()
    return iter(
        [
            Entry(line.strip(), f"{path}:{number}")
            for number, line in enumerate(lines, 1)
            if line.strip() and not line.lstrip().startswith("#")
        ]
    )


def prepare_editing() -> None:
    """Let the arrow keys work, where the system can."""
    with suppress(ImportError):
        # Marks around pasted text would stay on the screen of simple terminals.
        import_module("readline").parse_and_bind("set enable-bracketed-paste off")


def forget_typed() -> None:
    """The next person at the keyboard can't leaf through what was typed before."""
    if "readline" in sys.modules:
        sys.modules["readline"].clear_history()


def _is_rich() -> bool:
    """Whether the terminal shows more than ASCII."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    return encoding.lower().replace("-", "") in ("utf8", "utf16", "utf8sig")
