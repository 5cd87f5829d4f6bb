"""Thinking for computers, and checking rules that were sent, in processes of their own.

A process has limits of memory, and what takes too long ends it: whoever waited is told, everybody
else notices nothing. A process keeps the matches it thinks about, so that it only makes the choices
that are new.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias, assert_never

import attrs

from ruledsl.play.loading import LoadError
from ruledsl.play.match import Match
from ruledsl.players.seats import computer_of, player_for
from ruledsl.players.situation import situation_of
from ruledsl.table.errors import RulesError

from .advice import chance_of, checked, hinted, simulated, tested
from .desk import Objection
from .recipe import Recipe

MOST_MEMORY = 2 << 30
"""Bytes that a process may have."""
MOST_SECONDS = 60.0
"""The longest thought."""
SENT_SECONDS = 20.0
"""The longest that rules which were sent may take to be checked, tested or simulated."""
KEPT = 24
"""Matches that a process keeps."""


class ThinkingFailed(Exception):
    """A process came to no answer."""


@attrs.frozen
class Think:
    """What a computer would choose after these choices."""

    table: str
    recipe: Recipe
    history: tuple[int, ...]
    word: str


@attrs.frozen
class Hint:
    """What could be chosen after these choices, and what comes of it."""

    table: str
    recipe: Recipe
    history: tuple[int, ...]
    language: str


@attrs.frozen
class Check:
    """What is wrong with rules that were sent, and how they can be played."""

    rules: str


@attrs.frozen
class Try:
    """What comes of the tests in rules that were sent."""

    rules: str


@attrs.frozen
class Simulate:
    """Who wins rules that were sent, played at random."""

    rules: str
    players: int


Sent: TypeAlias = Check | Try | Simulate
"""About rules alone: any process can answer."""
Task: TypeAlias = Think | Hint | Sent


# ------------------------------------------------------------ in a process


def _work(pipe: Connection, begin: Callable[[], Callable[[Any], Any]]) -> None:
    _limit_memory()
    with suppress(EOFError, ConnectionError, KeyboardInterrupt):
        do = begin()
        while True:
            task = pipe.recv()
            try:
                pipe.send(do(task))
            except Objection as error:
                pipe.send(error)
            except (LoadError, RulesError, MemoryError) as error:
                pipe.send(ThinkingFailed(str(error) or "out of memory"))
            except Exception as error:  # noqa: BLE001 - whoever waits for it is told
                pipe.send(ThinkingFailed(f"{type(error).__name__}: {error}"))


def begin_thinking() -> Callable[[Task], Any]:
    return Mind().do


def _limit_memory() -> None:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - it is not there on every platform

    # WebAssembly reserves far more addresses than it uses, so the heap is what is limited.
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


class Mind:
    """Answers tasks; matches that were thought about are kept for a while."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Match] = OrderedDict()

    def do(self, task: Task) -> Any:
        match task:
            case Think():
                return self._think(task)
            case Hint():
                return self._hint(task)
            case Check():
                return checked(task.rules)
            case Try():
                return tested(task.rules)
            case Simulate():
                return simulated(task.rules, task.players)
            case _:
                assert_never(task)

    def _think(self, task: Think) -> int:
        match = self._at(task)
        assert match.decision is not None
        player = player_for(computer_of(task.word), chance_of(match))
        return player.choose(situation_of(match.interpreter, match.decision))

    def _hint(self, task: Hint) -> list[dict[str, Any]]:
        match = self._at(task)
        match.speak(task.language)
        return hinted(match)

    def _at(self, task: Think | Hint) -> Match:
        match = self._kept.pop(task.table, None)
        if match is None or match.history != task.history[: len(match.history)]:
            match = task.recipe.start()
        self._kept[task.table] = match
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        for number in task.history[len(match.history) :]:
            match.choose(number)
        return match


# ------------------------------------------------------------ around the processes


class Worker:
    """A process, and the thread that waits for it; the process calls `begin` for what it does."""

    def __init__(self, begin: Callable[[], Callable[[Any], Any]]) -> None:
        self._begin = begin
        self.thread = ThreadPoolExecutor(1)
        self.waiting = 0
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def start(self) -> None:
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._begin), daemon=True)
        self._process.start()
        theirs.close()

    def answer(self, task: Any, seconds: float) -> Any:
        """The answer to a task; a process that takes too long, or is gone, is begun anew."""
        if self._process is None or not self._process.is_alive():
            self.start()
        assert self._pipe is not None
        try:
            self._pipe.send(task)
            if not self._pipe.poll(seconds):
                raise ThinkingFailed("it took too long")
            found = self._pipe.recv()
        except (EOFError, ConnectionError, ThinkingFailed) as error:
            self.end()
            raise ThinkingFailed(str(error) or "the process is gone") from error
        if isinstance(found, ThinkingFailed | Objection):
            raise found
        return found

    async def ask(self, task: Any, seconds: float) -> Any:
        self.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.thread, self.answer, task, seconds)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        self.end()
        self.thread.shutdown(wait=False, cancel_futures=True)

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


class Thinkers:
    """Processes that think, each about its tables; a table stays with its process."""

    def __init__(self, number: int | None = None) -> None:
        count = number or max(2, os.cpu_count() or 2)
        self._workers = [Worker(begin_thinking) for _ in range(count)]
        self._homes: dict[str, Worker] = {}

    async def ask(self, task: Task) -> Any:
        worker = self._worker(task)
        return await worker.ask(task, SENT_SECONDS if isinstance(task, Sent) else MOST_SECONDS)

    def _worker(self, task: Task) -> Worker:
        idle = min(self._workers, key=lambda worker: worker.waiting)
        if isinstance(task, Sent):
            return idle
        home = self._homes.setdefault(task.table, idle)
        # Whoever thinks about another table for long is not waited for.
        if home.waiting > idle.waiting + 1:
            home = self._homes[task.table] = idle
        return home

    def forget(self, table: str) -> None:
        self._homes.pop(table, None)

    def close(self) -> None:
        for worker in self._workers:
            worker.close()
