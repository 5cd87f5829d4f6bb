"""Pieces that lie where they began, with states that nobody has set: alike if they look so.

A bowl from which pieces come into the game, and to which none goes back, holds pieces with the
states that they began with, whatever happens to those that have left it.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.engine.expressions.arrivals import MovingStatement, bodies, left, moves
from ruledsl.engine.memory.layout import Layout
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk


def states_are_as_they_began(game: CheckedGame, layout: Layout, kind: str) -> bool:
    """Whether pieces in places of a kind have the states they began with, all of them the same.

    That holds in games that are played from the start.
    """
    info = game.kinds[kind].place
    assert info is not None
    if info.refilled is not None or any(_may_come(layout, move, kind) for move in moves(game)):
        return False
    keys = {key for key, state in game.states.items() if state.owner in info.holds}
    for key in keys:
        state = game.states[key]
        if state.each is not None or not isinstance(state.start, core.Constant | core.Value | None):
            return False
    return not any(_may_set(game, layout, body, keys, kind) for body in bodies(game))


def _may_come(layout: Layout, move: MovingStatement, kind: str) -> bool:
    return kind in layout.kinds_of(move.target.type)


def _may_set(
    game: CheckedGame, layout: Layout, body: core.Block, keys: set[str], kind: str
) -> bool:
    """Whether a state is set of a piece that may lie in a place of a kind."""
    drawn: dict[int, list[core.Expr]] = {}
    named: set[int] = set()
    slots: list[core.Slot] = []
    for part in walk((body,)):
        if isinstance(part, core.Draw):
            drawn.setdefault(part.local.number, []).append(part.domain)
        elif isinstance(part, core.Slot) and part.state in keys:
            slots.append(part)
        elif isinstance(part, core.Stmt):
            names = (getattr(part, "local", None), getattr(part, "target", None))
            named |= {name.number for name in names if isinstance(name, core.Local)}
    for number in named & drawn.keys():
        del drawn[number]  # One number may be that of several names, one after the other.
    return any(kind in _around(game, layout, slot.subject, drawn) for slot in slots)


def _around(
    game: CheckedGame, layout: Layout, subject: core.Expr | None, drawn: dict[int, list[core.Expr]]
) -> Iterator[str]:
    """The kinds of places that a piece may lie in whose state is set."""
    match subject:
        case core.Local(number=number) if number in drawn:
            for domain in drawn[number]:
                yield from left(game, layout, domain)
        case core.Sure(value=value):
            yield from _around(game, layout, value, drawn)
        case core.ReadFeature(feature="top", subject=place):
            yield from layout.kinds_of(place.type)
        case _:
            yield from layout.places
