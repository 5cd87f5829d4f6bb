"""Processes that do the parts of a work and hand them in.

Each has a pipe of its own and shares nothing with the others, not even a lock: so they can be
ended at any moment. One of `multiprocessing`'s pools sometimes waits for ever then.

A process is a copy of this one where that is safe, and has at once what was made ready here;
elsewhere it is a fresh one that makes ready by itself.
"""

from __future__ import annotations

import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import attrs

AHEAD = 2
"""Parts that a process has at most: while it hands one in, it has another to do."""

Part = TypeVar("Part")
Done = TypeVar("Done")
Method: TypeAlias = Literal["fork", "spawn"]


class WorkerDied(Exception):
    """A process ended before its work did."""


@attrs.frozen(eq=False)
class _Worker:
    process: BaseProcess
    pipe: Connection
    parts: deque[int] = attrs.field(factory=deque)
    """numbers of what it was given and has not handed in"""


def can_copy() -> bool:
    """Whether this process can be copied: if nothing else runs in it that might hold a lock."""
    return sys.platform == "linux" and len([*Path("/proc/self/task").iterdir()]) == 1


def in_order(
    begin: Callable[[], Callable[[Part], Done]],
    parts: Iterator[Part],
    jobs: int,
    *,
    copies: bool = False,
) -> Generator[Done, None, None]:
    """What is done with the parts, in their order.

    A process calls `begin` once. Parts are asked for when somebody is free to do them. Fresh
    processes can only be told what can be pickled; `copies` of this one know everything.
    """
    with _workers(begin, jobs, "fork" if copies else "spawn") as workers:
        given = taken = 0
        done: dict[int, Done] = {}
        while True:
            for worker in workers:
                # Whoever is fast waits for those who are slow, so that little is kept.
                while len(worker.parts) < AHEAD and given < taken + 2 * AHEAD * jobs:
                    try:
                        part = next(parts)
                    except StopIteration:
                        break
                    # If it is gone, what it left to be read says why.
                    with suppress(ConnectionError):
                        worker.pipe.send(part)
                    worker.parts.append(given)
                    given += 1
            if taken == given:
                return
            pipes = {worker.pipe: worker for worker in workers if worker.parts}
            for pipe in wait(list(pipes)):
                assert isinstance(pipe, Connection)
                done[pipes[pipe].parts.popleft()] = _received(pipe)
            while taken in done:
                yield done.pop(taken)
                taken += 1


def _received(pipe: Connection) -> Any:
    try:
        done = pipe.recv()
    except (EOFError, ConnectionError):
        raise WorkerDied from None
    if isinstance(done, Exception):
        raise done
    return done


@contextmanager
def _workers(begin: Callable[[], object], jobs: int, method: Method) -> Iterator[list[_Worker]]:
    workers: list[_Worker] = []
    try:
        with _uninterrupted():
            for _ in range(jobs):
                workers.append(_worker(begin, method, [each.pipe for each in workers]))
        yield workers
    finally:
        for worker in workers:
            worker.process.kill()
        for worker in workers:
            worker.process.join()
            worker.pipe.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes begun here never hear an interrupt: this one does, afterwards, and ends them."""
    # If the first process had to start it, it would let interrupts through again.
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _worker(begin: Callable[[], object], method: Method, others: list[Connection]) -> _Worker:
    context = get_context("fork") if method == "fork" else get_context("spawn")
    ours, theirs = context.Pipe()
    # A copy has our ends of all pipes, too: while it kept them, nobody would see that we are gone.
    kept = [ours, *others] if method == "fork" else []
    process = context.Process(target=_work, args=(begin, theirs, kept), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _work(
    begin: Callable[[], Callable[[Part], Done]], pipe: Connection, kept: list[Connection]
) -> None:
    for other in kept:
        other.close()
    try:
        do = begin()
        while True:
            pipe.send(do(pipe.recv()))
    except (EOFError, ConnectionError):
        return  # Nobody is left to do it for.
    except Exception as error:  # noqa: BLE001 - whoever waits for the part raises it
        pipe.send(error)
