"""Processes that do the parts of a work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path

import pytest

from ruledsl.cli.terminal import Refused
from ruledsl.cli.workers import AHEAD, WorkerDied, in_order


def squares() -> Callable[[int], int]:
    return lambda number: number * number


def uneven() -> Callable[[int], int]:
    """Some parts take longer than those after them."""

    def work(number: int) -> int:
        time.sleep(0.05 * (number % 3 == 0))
        return number

    return work


def refusing() -> Callable[[int], int]:
    raise Refused("not here", "go there")


def stumbling() -> Callable[[int], int]:
    return lambda number: 10 // (3 - number)


def dying() -> Callable[[int], int]:
    def work(number: int) -> int:
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    return work


def large() -> Callable[[int], bytes]:
    """More than a pipe holds, so that a process is always about to hand something in."""
    return lambda number: bytes(1_000_000 + number)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_every_part_once_and_in_order(jobs: int) -> None:
    assert list(in_order(squares, iter(range(40)), jobs)) == [n * n for n in range(40)]
    assert list(in_order(uneven, iter(range(20)), jobs)) == list(range(20))


COPIES = """
import os, sys, time
from ruledsl.cli.workers import can_copy, in_order

made = []

def ready():
    made.append(os.getpid())
    return lambda number: (made, number)
"""


def in_a_process(*lines: str) -> subprocess.Popen[str]:
    """A process with one thread, which tests are not."""
    text = "\n".join((COPIES, *lines))
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)


needs_copies = pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied here")


@needs_copies
def test_copies_have_what_was_made_ready_here() -> None:
    process = in_a_process(
        "do = ready()",
        "done = list(in_order(lambda: do, iter(range(6)), 2, copies=can_copy()))",
        "print([number for _, number in done], all(by == [os.getpid()] for by, _ in done))",
    )
    assert process.communicate()[0].split("\n")[0] == "[0, 1, 2, 3, 4, 5] True"


@needs_copies
def test_a_process_with_threads_is_not_copied() -> None:
    process = in_a_process(
        "from threading import Event, Thread",
        "never = Event()",
        "print(can_copy())",
        "Thread(target=never.wait, daemon=True).start()",
        "print(can_copy())",
    )
    assert process.communicate()[0].split() == ["True", "False"]


@needs_copies
def test_copies_end_when_nobody_is_left_to_work_for() -> None:
    process = in_a_process(
        "done = in_order(lambda: lambda number: os.getpid(), iter(range(9)), 2, copies=True)",
        "print(next(done), next(done), flush=True)",
        "time.sleep(60)",
    )
    assert process.stdout is not None
    numbers = [int(word) for word in process.stdout.readline().split()]
    process.kill()
    process.wait()
    process.stdout.close()
    until = time.monotonic() + 30
    while any(is_running(number) for number in numbers) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(is_running(number) for number in numbers)


def is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_no_parts() -> None:
    assert list(in_order(squares, iter(()), 2)) == []


def test_little_is_kept() -> None:
    asked: list[int] = []

    def parts() -> Iterator[int]:
        for number in range(100):
            asked.append(number)
            yield number

    for number in in_order(uneven, parts(), 2):
        assert len(asked) <= number + 1 + 2 * AHEAD * 2


@pytest.mark.parametrize("delay", [0.0, 0.5, 2.0])
def test_a_refusal_comes_through(delay: float) -> None:
    """Also from a process that is gone before it is given anything."""

    def parts() -> Iterator[int]:
        time.sleep(delay)
        yield from range(5)

    with pytest.raises(Refused) as refused:
        list(in_order(refusing, parts(), 2))
    assert (refused.value.message, refused.value.hint) == ("not here", "go there")


def test_parts_before_a_mistake_are_handed_in() -> None:
    results = in_order(stumbling, iter(range(5)), 1)
    assert list(islice(results, 3)) == [3, 5, 10]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_a_process_that_dies_is_noticed() -> None:
    with pytest.raises(WorkerDied):
        list(in_order(dying, iter(range(10)), 2))


def test_stopping_does_not_wait_for_anybody() -> None:
    for parts in range(12):
        results = in_order(large, count(), 2)
        assert [len(result) for result in islice(results, parts)] == [
            1_000_000 + number for number in range(parts)
        ]
        results.close()
