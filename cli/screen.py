"""The terminal at the table: lines that fit, and what is typed, wherever it comes from."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import attrs
import click

from ruledsl.library import read_at_most

from .drawing.panes import Draw, DrawApart, MenuRoom, Panes, printed
from .drawing.text import cut, finished, safe, styled, wrap
from .terminal import Refused

USUAL_COLUMNS = 80
LEAST_COLUMNS = 20
MOST_COLUMNS = 120
MOST_MOVES = 1_000_000
"""Bytes of a file of moves."""

FULL_COLUMNS, FULL_LINES = 80, 24
"""A smaller terminal gets plain lines."""

ALTERNATE, BACK, CLEAR = "\x1b[?1049h", "\x1b[?1049l", "\x1b[2J\x1b[H"
"""What a terminal is told: to show another screen, the one before, and an empty one."""

_ASCII = str.maketrans(
    "●○─━│·×…→▶–" + "▲■◆★✚⬟♥" + "╲╱╭╮╰╯├┤┬┴┼", "XO-=|.x~>*-" + "^#@*%&$" + "\\/+++++++++"
)


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
    leaves_nothing: bool = False
    """what is shown is gone when the screen is left"""
    panes: Panes = attrs.Factory(Panes)
    more: str = ""
    """said where there is more to read than can be seen at once"""
    _unread: int = MOST_MOVES
    """how much is still read where nobody sits: the input may never come to an end"""

    @property
    def columns(self) -> int:
        found = shutil.get_terminal_size((USUAL_COLUMNS, 24)).columns
        # A terminal may break a line that fills it.
        return max(LEAST_COLUMNS, min(found, MOST_COLUMNS)) - 1

    @property
    def most_news(self) -> int:
        """Lines of what has happened that are shown before a choice."""
        return 16

    def show(self, lines: Iterable[str]) -> None:
        """Lines that fit already."""
        for line in lines:
            click.echo(self.finished(line), color=True)

    def tell(self, text: str, indent: str = "") -> None:
        """A text of any length."""
        self.show(wrap(text, self.columns, indent))

    def echo(self, text: str) -> None:
        """What was typed stands above its answer: a terminal shows it anyway."""

    def news(self, title: str, texts: Iterable[str]) -> None:
        """Texts below a title."""
        self.tell(title)
        for text in texts:
            self.tell(f"  {text}", "    ")

    def table(
        self,
        draw: Draw,
        apart: DrawApart,
    ) -> None:
        """The table: as a whole in some columns and rows, or its boards `apart` from the rest.

        It is shown together with the menu.
        """
        self.panes.draw, self.panes.draw_apart = draw, apart

    def for_now(
        self,
        draw: Draw,
        apart: DrawApart,  # noqa: ARG002 (for panes)
    ) -> None:
        """Another table, until something is typed."""
        self.show(draw(self.columns, None))

    def menu(
        self,
        lines: Callable[[MenuRoom], list[str]],
        words: Sequence[str],  # noqa: ARG002 (for keys)
    ) -> None:
        """What can be chosen; `words` are what it can be completed to."""
        self.panes.menu = lines
        rule = styled("─" * self.columns, "dim")
        rows = self._rows
        shown = [rule, *printed(self.panes, self.columns, rows)]
        if rows is None:
            self.show([""])
        elif self.leaves_nothing:
            # What runs out of the alternate screen is gone.
            while len(shown) > rows + 1:
                self.show(shown[: rows + 1])
                self._read(self.more)
                shown = shown[rows + 1 :]
        self.show(shown)

    @property
    def _rows(self) -> int | None:
        """How many lines can be seen at once, but for a rule above them and the prompt below."""
        return shutil.get_terminal_size().lines - 2 if self.interactive and self.live else None

    def leave(self) -> None:
        """From now on, what is shown stays."""
        if self.leaves_nothing:
            self.leaves_nothing = False
            click.echo(BACK, nl=False, color=True)

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
            click.echo(f"\r{self.finished(fitting)}\x1b[K", nl=False, color=True)

    def finished(self, line: str) -> str:
        """A line as this terminal shows it."""
        text = finished(line, color=self.color)
        return text if _is_rich() else text.translate(_ASCII)

    def clear(self) -> None:
        """Nothing that was shown can be read any more.

        From then on the game is shown on the alternate screen, of which a terminal keeps no lines:
        so what stood there before the game is left alone.
        """
        if not self.interactive:
            return
        if not self.live:
            self.show([""] * shutil.get_terminal_size().lines)
        elif self.leaves_nothing:
            click.echo(CLEAR, nl=False, color=True)
        else:
            self.leaves_nothing = True
            click.echo(f"{ALTERNATE}{CLEAR}", nl=False, color=True)
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

    def wait(self, prompt: str) -> str:
        """Until somebody presses Enter; what was typed before."""
        return self._read(prompt).text if self.interactive else ""

    def forget_typed_ahead(self) -> None:
        """What was typed while a computer thought is no choice."""
        if self.interactive and sys.stdin.isatty():
            with suppress(ImportError, OSError):
                termios = import_module("termios")
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

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


def open_screen(*, color: bool, moves: str | None, plain: bool = True) -> Screen:
    """The screen of this process; the whole of it, unless it is to be `plain` lines."""
    interactive = sys.stdin.isatty()
    entries = None if moves is None else read_moves(moves)
    if not plain and interactive and fits_full_screen():
        full = import_module(".full_screen", __package__)
        found: Screen = full.FullScreen(color=color, moves=entries)
        return found
    if interactive and sys.stdout.isatty():
        prepare_editing()
    live = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return Screen(color, interactive, entries, moves is not None and not interactive, live)


def fits_full_screen() -> bool:
    """Whether the terminal is large and able enough, and what it takes is installed."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb" or not _is_rich():
        return False
    if os.environ.get("RULEDSL_PLAIN"):
        return False
    size = os.get_terminal_size()
    if size.columns < FULL_COLUMNS or size.lines < FULL_LINES:
        return False
    return find_spec("prompt_toolkit") is not None


plain_option = click.option(
    "--plain",
    is_flag=True,
    help="Lines one below the other, as for screen readers, instead of the full screen.",
)


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
