"""Runs commands in processes of their own, copied from one that has loaded everything already.

Started as a program, it reads a line of JSON for each command and answers with another. With a
number as its argument, rules may do so many times less than usual before they are stopped: what
stops them is the same, and it is seen sooner.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import attrs

SECONDS = 120
"""of the processor: far more than is needed, and far less than without limits"""
MEMORY = 500 << 20
"""of data; what only is reserved does not count"""
ROOT = Path(__file__).parents[2]


@attrs.frozen
class Answer:
    """What a command said, to whom, and what it took."""

    exit_code: int
    """negative: the number of a signal"""
    said: str
    complained: str
    seconds: float
    memory: int
    """in megabytes, at most"""


class Runner:
    """The process that is copied."""

    def __init__(self, less: int = 1) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.runner", str(less)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def run(self, words: list[str], folder: Path) -> Answer:
        """Call `ruledsl` with some words; `folder` is a place for what it writes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([words, str(folder)]) + "\n")
        self._process.stdin.flush()
        exit_code, seconds, memory = json.loads(self._process.stdout.readline())
        said, complained = (
            (folder / name).read_text("utf-8", "replace") for name in ("said", "complained")
        )
        return Answer(exit_code, said, complained, seconds, memory)

    def close(self) -> None:
        with self._process:
            assert self._process.stdin is not None
            self._process.stdin.close()


def _child(words: list[str], folder: Path) -> None:
    from ruledsl.cli.main import main  # noqa: PLC0415 (only where it is needed)

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    create = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(folder / "said", create), 1)
    os.dup2(os.open(folder / "complained", create), 2)
    code = 70
    try:
        sys.argv[1:] = words
        main()
    except SystemExit as exit_:
        code = int(exit_.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _serve(less: int) -> None:
    from ruledsl.cli.main import COMMANDS  # noqa: PLC0415 (only where it is needed)
    from ruledsl.model import allowance  # noqa: PLC0415
    from ruledsl.play import check  # noqa: PLC0415

    for command in COMMANDS:
        importlib.import_module(f"ruledsl.cli.{command}")
    importlib.import_module("wasmtime")
    allowance.MOST_STATEMENTS //= less
    allowance.MOST_QUERIES //= less
    check.MOST_WORK //= less
    for line in sys.stdin:
        words, folder = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _child(words, Path(folder))
        _, status, used = os.wait4(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        seconds = used.ru_utime + used.ru_stime
        sys.stdout.write(json.dumps([code, seconds, used.ru_maxrss >> 10]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
