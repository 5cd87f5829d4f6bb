"""The real program in a pseudo-terminal: what a person would type, and what they would see."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from codecs import getincrementaldecoder
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from types import TracebackType

import pyte

PROGRAM = Path(sys.executable).parent / "ruledsl"
PATIENCE = 120.0
"""Seconds to wait for something: a slow machine is no failure."""
BETWEEN_PRESSES = 10.0
"""Seconds until a person presses a key again that did nothing."""

CLEAR = "\x1b[2J"
HIDDEN, SHOWN = "\x1b[?25l", "\x1b[?25h"
"""Around each picture of the full screen the cursor is hidden and shown again."""
ALTERNATE, BACK = "\x1b[?1049h", "\x1b[?1049l"
_STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
_WIPED = re.compile(r"\r[^\r\n]*(?=\r[^\r\n]*\x1b\[K)")
"""A line for a while, with another one in its stead."""


class Keyboard:
    """`ruledsl` with arguments in a terminal of some columns."""

    def __init__(
        self,
        *args: str,
        columns: int = 80,
        lines: int = 50,
        cwd: Path | None = None,
        color: bool = False,
        full: bool = False,
        program: Path = PROGRAM,
        terminal: str = "xterm",
    ) -> None:
        self._master, slave = pty.openpty()
        self._picture = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self._picture)
        self.resize(columns, lines)
        environment = {**os.environ, "TERM": terminal, "PYTHONIOENCODING": "utf-8"}
        # Games that are left in tests are nobody's.
        self._data_home = TemporaryDirectory()
        environment.setdefault("XDG_DATA_HOME", self._data_home.name)
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
        if not full:
            environment["RULEDSL_PLAIN"] = "1"
        if color:
            environment["COLORTERM"] = "truecolor"
        else:
            environment["NO_COLOR"] = "1"
        self._process = subprocess.Popen(
            [program, *args],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=cwd,
            env=environment,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 (one thread)
        )
        os.close(slave)
        self.raw = ""
        self._read_to = 0
        self._decoder = getincrementaldecoder("utf-8")("ignore")

    def __enter__(self) -> Keyboard:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)
        self._data_home.cleanup()

    def see(self, *texts: str) -> str:
        """Wait until one of the texts appears after what was seen before; what came up to it."""
        until = monotonic() + PATIENCE
        while True:
            fresh = plain(self.raw[self._read_to :])
            found = [(fresh.index(text), text) for text in texts if text in fresh]
            if found:
                _, text = min(found)
                self._read_to = self._after(text)
                return fresh[: fresh.index(text) + len(text)]
            if not self._more(until):
                raise AssertionError(f"none of {texts} in:\n{fresh}")

    def interrupt_prompt(self) -> None:
        """Press Ctrl-C at a prompt until something comes of it.

        Python overlooks an interrupt between showing a prompt and waiting for a key, where
        no person is fast enough to press one.
        """
        until = monotonic() + PATIENCE
        while monotonic() < until:
            self.press("C")
            if self._more(monotonic() + BETWEEN_PRESSES):
                return
        raise AssertionError("nothing comes of Ctrl-C")

    def _after(self, text: str) -> int:
        """Where in the raw output the text ends that was found without steering sequences."""
        for end in range(self._read_to + len(text), len(self.raw) + 1):
            if plain(self.raw[self._read_to : end]).endswith(text):
                return end
        raise AssertionError("found before")

    def _more(self, until: float) -> bool:
        """Read what there is; whether there can be more."""
        while monotonic() < until:
            ready, _, _ = select.select([self._master], [], [], 0.5)
            if not ready:
                continue
            try:
                data = os.read(self._master, 65536)
            except OSError:
                return False
            if not data:
                return False
            text = self._decoder.decode(data)
            self.raw += text
            self._stream.feed(text)
            return True
        return False

    def resize(self, columns: int, lines: int) -> None:
        size = struct.pack("HHHH", lines, columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)
        self._picture.resize(lines, columns)

    def send(self, keys: str) -> None:
        """Keys as they come from a terminal, without Enter."""
        os.write(self._master, keys.encode())

    def type(self, text: str) -> None:
        os.write(self._master, f"{text}\n".encode())

    def type_keys(self, text: str) -> None:
        """A line where keys are read one by one: Enter is another key there."""
        self.keys(f"{text}\r")

    def keys(self, keys: str) -> None:
        """Keys on the full screen, as soon as they are taken: what is typed before is dropped."""
        self.asks()
        self.send(keys)

    def asks(self) -> str:
        """Wait until there is a prompt in the last line of the full screen; the screen then.

        The prompt of the question before may still be there: so look first for something that
        only its answer can bring.
        """
        return self._until(lambda lines: bool(lines[-1].strip()), "prompt")

    def shows(self, *texts: str) -> str:
        """Wait until the screen, as it stands, has one of the texts; the screen then."""
        return self._until(
            lambda lines: any(text in "\n".join(lines) for text in texts), f"one of {texts}"
        )

    def differs(self, top: str) -> str:
        """Wait until the screen has another first line; the screen then."""
        return self._until(lambda lines: lines[0] != top, f"first line but {top!r}")

    def gets(self, code: str) -> None:
        """Wait for something that does not stay: a code for the terminal, a line soon wiped."""
        until = monotonic() + PATIENCE
        while (found := self.raw.find(code, self._read_to)) < 0:
            if not self._more(until):
                raise AssertionError(f"no {code!r} in:\n{self.raw[self._read_to :]!r}")
        self._read_to = found + len(code)

    def _until(self, found: Callable[[list[str]], bool], wanted: str) -> str:
        """Wait for a screen, as it stands when it is drawn to its end."""
        until = monotonic() + PATIENCE
        while True:
            lines = [line.rstrip() for line in self._picture.display]
            if self.raw.rfind(HIDDEN) <= self.raw.rfind(SHOWN) and found(lines):
                return "\n".join(lines)
            if not self._more(until):
                raise AssertionError("\n".join([f"no {wanted} on:", *lines]))

    def press(self, letter: str) -> None:
        """A control key: `press("C")`."""
        os.write(self._master, bytes([ord(letter) - 64]))

    def leave(self) -> int:
        """Wait for the program's end; its exit code."""
        until = monotonic() + PATIENCE
        while self._more(until):
            pass
        return self._process.wait(PATIENCE)

    @property
    def text(self) -> str:
        """Everything shown so far."""
        return plain(self.raw)


def _take_terminal() -> None:
    """The new session gets the terminal, so that Ctrl-C reaches the program."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def plain(raw: str) -> str:
    return _STEERING.sub("", _WIPED.sub("", raw))
