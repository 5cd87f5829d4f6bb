"""Who keeps a desk: this process, or, for rules that somebody sent, one with limits of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import attrs

from .desk import Desk, Done
from .recipe import Recipe
from .thinking import Worker

ANSWER_SECONDS = 10.0
"""Rules that were sent may take so long for an answer."""


@attrs.frozen
class State:
    """Where a match stands: what its keeper has to know."""

    seat: int | None
    history: tuple[int, ...]


class Keeper(Protocol):
    """Asks a desk by the name of one of its methods."""

    state: State

    async def ask(self, method: str, *given: Any) -> Any: ...

    def close(self) -> None: ...


def state_of(desk: Desk) -> State:
    return State(desk.match.seat, desk.match.history)


def begun(recipe: Recipe, sitting: tuple[str, ...], history: tuple[int, ...]) -> Desk:
    """A desk at which these choices were made."""
    match = recipe.start()
    for number in history:
        match.choose(number)
    return Desk(match, sitting)


class AtHand:
    """A desk in this process."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.state = state_of(desk)

    async def ask(self, method: str, *given: Any) -> Any:
        found = getattr(self.desk, method)(*given)
        if isinstance(found, Done):
            self.state = state_of(self.desk)
        return found

    def close(self) -> None:
        pass


class Apart:
    """A desk in a process of its own, which is ended if it takes too long."""

    def __init__(self, worker: Worker, state: State) -> None:
        self._worker = worker
        self.state = state

    @classmethod
    async def begin(
        cls, recipe: Recipe, sitting: tuple[str, ...], history: tuple[int, ...]
    ) -> Apart:
        worker = Worker(partial(_kept_apart, recipe, sitting, history))
        try:
            state = await worker.ask(("state",), ANSWER_SECONDS)
        except BaseException:
            worker.close()
            raise
        return cls(worker, state)

    async def ask(self, method: str, *given: Any) -> Any:
        found, self.state = await self._worker.ask((method, *given), ANSWER_SECONDS)
        return found

    def close(self) -> None:
        self._worker.close()


def _kept_apart(
    recipe: Recipe, sitting: tuple[str, ...], history: tuple[int, ...]
) -> Callable[[Any], Any]:
    desk = begun(recipe, sitting, history)

    def do(task: tuple[Any, ...]) -> Any:
        method, *given = task
        if method == "state":
            return state_of(desk)
        return getattr(desk, method)(*given), state_of(desk)

    return do
