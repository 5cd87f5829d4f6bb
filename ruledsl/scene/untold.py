"""What is not put in words from the events: lines of rules that tell it themselves, or need not."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.diagnostics.source import Span
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.procedures import procedures
from ruledsl.model.walk import walk


def untold(game: CheckedGame) -> frozenset[Span]:
    """The statements of procedures with a `tell`, and of those that are bookkeeping."""
    return frozenset(_untold(game))


def _untold(game: CheckedGame) -> Iterator[Span]:
    for name, span, _, body in procedures(game):
        statements = [part for part in walk(body) if isinstance(part, core.Stmt)]
        look = game.looks.get(name)
        silent = look is not None and look.bookkeeping
        if silent or any(isinstance(each, core.Tell) for each in statements):
            yield span
            yield from (each.span for each in statements)
