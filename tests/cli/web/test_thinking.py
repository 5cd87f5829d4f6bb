"""Processes with limits: what takes too long or too much ends, and the next task is answered."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ruledsl.cli.web.thinking import MOST_MEMORY, ThinkingFailed, Worker


def misbehaving() -> Callable[[Any], Any]:
    def do(task: str) -> int:
        if task == "for ever":
            time.sleep(3600)
        if task == "everything":
            return len(bytearray(MOST_MEMORY + (1 << 20)))
        return 42

    return do


@pytest.fixture
def worker() -> Iterator[Worker]:
    found = Worker(misbehaving)
    yield found
    found.close()


def test_what_takes_too_long_is_ended(worker: Worker) -> None:
    assert worker.answer("sums", 60) == 42
    with pytest.raises(ThinkingFailed, match="it took too long"):
        worker.answer("for ever", 0.1)
    assert worker.answer("sums", 60) == 42


def test_what_takes_too_much_memory_is_refused(worker: Worker) -> None:
    with pytest.raises(ThinkingFailed, match="out of memory"):
        worker.answer("everything", 60)
    assert worker.answer("sums", 60) == 42
