"""Games on a Dask cluster: the same parts as processes of this machine do, on any number of them.

A worker needs this package, and is sent the texts of the rules. A part that a lost worker had is
done again by another one; as game number n depends on the seed and n alone, the numbers stay.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from importlib import import_module
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

from .terminal import Refused

Part = TypeVar("Part")
Done = TypeVar("Done")

AHEAD = 3
"""Parts that are on their way for each thread of a worker."""
RETRIES = 5
"""How often a part is tried again that a lost worker had."""
PATIENCE = 30
"""Seconds until a cluster that does not answer is given up."""

_begun: dict[str, Callable[[Any], Any]] = {}
"""What a worker has begun, by run"""
_one_at_a_time = Lock()
"""A compiled game is at one position at a time, and workers may have threads."""


def on_cluster(
    begin: Callable[[], Callable[[Part], Done]], parts: Iterator[Part], address: str
) -> Iterator[Done]:
    """What is done with the parts, in their order."""
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise Refused(
            "a cluster needs Dask, which is not installed",
            "install it with `pip install 'tabletop-rules[cluster]'`",
        ) from None
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise Refused(f"no cluster answers at `{address}`", str(error) or None) from None
    try:
        yield from _in_order(client, begin, parts, distributed)
    finally:
        client.close(timeout=5)


def _in_order(
    client: Any, begin: Callable[[], Callable[[Part], Done]], parts: Iterator[Part], dask: Any
) -> Iterator[Done]:
    client.wait_for_workers(1, timeout=PATIENCE)
    run = uuid4().hex
    # As something to be worked out: what is only sent to a worker is lost with it.
    shipped = client.submit(handed, begin, retries=RETRIES, pure=False)
    waiting: deque[Any] = deque()
    while True:
        threads = max(1, sum(client.nthreads().values()))
        while len(waiting) < AHEAD * threads:
            part = next(parts, None)
            if part is None:
                break
            waiting.append(client.submit(do_part, run, shipped, part, retries=RETRIES, pure=False))
        if not waiting:
            return
        try:
            yield waiting.popleft().result()
        except dask.KilledWorker:
            raise Refused(
                "workers of the cluster are lost again and again",
                "there may be too little memory for them",
            ) from None


def handed(begin: Callable[[], Callable[[Part], Done]]) -> Callable[[], Callable[[Part], Done]]:
    return begin


def do_part(run: str, begin: Callable[[], Callable[[Part], Done]], part: Part) -> Done:
    """On a worker, which begins when it first hears of a run."""
    with _one_at_a_time:
        if run not in _begun:
            _begun.clear()
            _begun[run] = begin()
        done: Done = _begun[run](part)
        return done
