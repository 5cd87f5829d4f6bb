"""Processes that do the parts of a work."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from itertools import count, islice

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
