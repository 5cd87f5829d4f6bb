"""The table on the whole screen of a terminal, redrawn in place, with a line to type in below it.

prompt_toolkit reads the keys and the mouse in a thread of its own, so that one can scroll while a
computer thinks; the game runs in the main thread as it does everywhere. What is typed while nobody
is asked is dropped. The library is imported here alone, and this module only where it is used.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from queue import Queue

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, to_formatted_text
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import (
    BufferControl,
    CompletionsMenu,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from .drawing.panes import Draw, DrawApart, Frame, MenuRoom, Panes, Told, framed
from .drawing.text import safe, styled
from .screen import Entry, Screen

PAGE = 8
"""Lines that a key scrolls by."""
REDRAWN = 0.5
"""Seconds after which a new size of the terminal is noticed."""
STOPPING = 1.0
"""Seconds in which a program that is to stop does so: another thread is told, in its own time."""


def _stop() -> None:
    """Stop with all that was started together, and draw nothing on what is the shell's by then."""
    if hasattr(signal, "SIGTSTP"):  # not on Windows
        os.kill(0, signal.SIGTSTP)
        time.sleep(STOPPING)


class FullScreen(Screen):
    """A screen with panes; where it has been left, lines are printed as anywhere."""

    def __init__(self, *, color: bool, moves: Iterator[Entry] | None) -> None:
        super().__init__(color, True, moves, False, True, True)
        self._answers: Queue[str] = Queue()
        self._asking = ""
        self._words: Sequence[str] = ()
        self._frame = Frame((), {})
        self._left = False
        self._news_end: int | None = None
        """how much had been told after the last news"""
        self._instead_of: tuple[Draw, DrawApart] | None = None
        """the table, while another one is shown in its stead"""
        self._buffer = Buffer(
            multiline=False,
            history=InMemoryHistory(),
            completer=WordCompleter(lambda: list(self._words), sentence=True, match_middle=True),
            read_only=Condition(lambda: not self._asking),
            accept_handler=self._accept,
        )
        self._drawn_at = Size(rows=0, columns=0)
        self._app = self._application()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    # ------------------------------------------------------------ what the game calls

    @property
    def columns(self) -> int:
        wide = shutil.get_terminal_size().columns
        return super().columns if self._left else self.panes.told_columns(wide)

    @property
    def most_news(self) -> int:
        """What does not fit is read page by page."""
        return super().most_news if self._left else 160

    def show(self, lines: Iterable[str]) -> None:
        if self._left:
            super().show(lines)
            return
        self._told(Told(line, "    ") for line in lines)

    def tell(self, text: str, indent: str = "") -> None:
        if self._left:
            super().tell(text, indent)
            return
        self._told([Told(text, indent)])

    def echo(self, text: str) -> None:
        if not self._left:
            self._told([Told(styled(f"> {safe(text)}", "dim"), "  ")])

    def news(self, title: str, texts: Iterable[str]) -> None:
        """Right below other news the title would only take room."""
        if self._left or self._news_end != len(self.panes.told):
            super().news(title, texts)
        else:
            self._told(Told(f"  {text}", "    ") for text in texts)
        self._news_end = len(self.panes.told)

    def _told(self, told: Iterable[Told]) -> None:
        self.panes.told += told
        self.panes.told_back = 0
        self._app.invalidate()

    def table(
        self,
        draw: Draw,
        apart: DrawApart,
    ) -> None:
        super().table(draw, apart)
        self.panes.table_from = 0
        self._app.invalidate()

    def for_now(
        self,
        draw: Draw,
        apart: DrawApart,
    ) -> None:
        panes = self.panes
        self._instead_of = panes.draw, panes.draw_apart
        panes.draw, panes.draw_apart = draw, apart
        self._app.invalidate()

    def menu(self, lines: Callable[[MenuRoom], list[str]], words: Sequence[str]) -> None:
        self.panes.menu = lines
        self._words = words
        self._app.invalidate()

    def _overwrite(self, line: str) -> None:
        if self._left:
            super()._overwrite(line)
            return
        self.panes.passing = line
        self._app.invalidate()

    def clear(self) -> None:
        """The next person sees nothing of the one before."""
        self.panes = Panes()
        self._news_end = None
        self._words = ()
        self._buffer.history = InMemoryHistory()
        self._app.invalidate()

    def forget_typed_ahead(self) -> None:
        """Nothing can be typed while nobody is asked."""

    def _read(self, prompt: str) -> Entry:
        if self._left:
            return super()._read(prompt)
        size = self._app.output.get_size()
        frame = framed(self.panes, size.columns, size.rows - 1)
        imagined = self._instead_of is not None
        self.panes.reading = 0 if imagined or frame.new > frame.told else None
        self._asking = prompt
        self._app.invalidate()
        try:
            return Entry(self._answers.get().strip())
        finally:
            self._asking = ""
            self.panes.reading = None
            self.panes.read = len(self.panes.told)
            self._restore()

    def _restore(self) -> None:
        """Draw the table again, if another one stands in its stead."""
        if self._instead_of is not None:
            self.panes.draw, self.panes.draw_apart = self._instead_of
            self._instead_of = None

    def leave(self) -> None:
        """Give the terminal back as it was."""
        if not self._left:
            self._left = True
            if self._app.is_running and self._app.loop is not None:
                self._app.loop.call_soon_threadsafe(self._app.exit)
            self._thread.join()

    # ------------------------------------------------------------ keys

    def _run(self) -> None:
        self._app.run(pre_run=self._watch, handle_sigint=False)

    def _watch(self) -> None:
        self._app.create_background_task(self._follow_size())

    async def _follow_size(self) -> None:
        """Signals of another size reach the main thread only; so it is looked at now and then."""
        while True:
            await asyncio.sleep(REDRAWN)
            if self._app.output.get_size() != self._drawn_at:
                self._app.invalidate()

    def _accept(self, buffer: Buffer) -> bool:
        if self._asking and not buffer.text.strip() and self.panes.reading is not None:
            self._read_on()
        elif self._asking:
            self._answers.put(buffer.text)
        return False

    def _read_on(self) -> None:
        """The next lines of what is new; after the last ones, what can be chosen."""
        assert self.panes.reading is not None
        following = self.panes.reading + self._frame.told
        self.panes.reading = following if following < self._frame.new else None
        if self.panes.reading is None:
            self._restore()
        self._app.invalidate()

    def _prompt(self) -> str:
        return self.more if self._asking and self.panes.reading is not None else self._asking

    def _application(self) -> Application[None]:
        control = _Picture(self._picture, self._pointed, self._scrolled)
        line = BufferControl(
            self._buffer, input_processors=[BeforeInput(lambda: self._prompt() or "  ")]
        )
        body = HSplit([Window(control, wrap_lines=False), Window(line, height=1)])
        menu = Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True)
        return Application(
            Layout(FloatContainer(body, [menu]), focused_element=line),
            key_bindings=self._keys(),
            full_screen=True,
            mouse_support=True,
            terminal_size_polling_interval=None,
        )

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        for name, act in {
            "pageup": lambda _: self._scrolled(-PAGE, 0),
            "pagedown": lambda _: self._scrolled(PAGE, 0),
            "s-up": lambda _: self._scrolled_back(PAGE),
            "s-down": lambda _: self._scrolled_back(-PAGE),
            "c-c": lambda _: os.kill(os.getpid(), signal.SIGINT),
            "c-d": self._ended,
            "c-z": lambda _: run_in_terminal(_stop),
        }.items():
            keys.add(name)(act)
        return keys

    def _ended(self, event: KeyPressEvent) -> None:
        """Ctrl-D on an empty line leaves the game."""
        if self._asking and not event.current_buffer.text:
            self._answers.put("quit")

    def _scrolled(self, lines: int, column: int) -> None:
        """The table by some lines; beside it, what was told."""
        if self._frame.beside and column >= self._frame.beside:
            self._scrolled_back(-lines)
            return
        self.panes.table_from = max(0, min(self.panes.table_from + lines, self._frame.hidden))
        self._app.invalidate()

    def _scrolled_back(self, lines: int) -> None:
        self.panes.told_back = max(0, self.panes.told_back + lines)
        self._app.invalidate()

    def _pointed(self, column: int, row: int) -> None:
        """A click on an option takes it."""
        number = self._frame.option_at(column, row)
        if number is not None and self._asking:
            self._answers.put(f"{number})")

    def _picture(self) -> ANSI:
        size = self._drawn_at = self._app.output.get_size()
        self._frame = framed(self.panes, size.columns, size.rows - 1)
        return ANSI("\n".join(self.finished(line) for line in self._frame.lines))


class _Picture(FormattedTextControl):
    """The frame, which takes the mouse."""

    def __init__(
        self,
        picture: Callable[[], ANSI],
        pointed: Callable[[int, int], None],
        scrolled: Callable[[int, int], None],
    ) -> None:
        super().__init__(lambda: to_formatted_text(picture()))
        self.pointed = pointed
        self.scrolled = scrolled

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        at = mouse_event.position
        match mouse_event.event_type:
            case MouseEventType.SCROLL_UP:
                self.scrolled(-3, at.x)
            case MouseEventType.SCROLL_DOWN:
                self.scrolled(3, at.x)
            case MouseEventType.MOUSE_UP:
                self.pointed(at.x, at.y)
            case _:
                pass
