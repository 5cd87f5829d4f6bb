"""Places that pieces come to and never leave: what is joined there stays joined."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias, assert_never

from ruledsl.engine.expressions.unchanging import bodies_of
from ruledsl.engine.memory.layout import Layout, category
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk

MovingStatement: TypeAlias = core.Move | core.MoveSome | core.MoveAll | core.Put


def only_arrive(game: CheckedGame, layout: Layout, kind: str) -> bool:
    """Whether no rule takes a piece from places of a kind.

    Nothing is wrong if one is taken all the same, by somebody who sets up a position of his own: it
    is only slower.
    """
    return not any(_may_take(game, layout, each, kind) for each in moves(game))


def bodies(game: CheckedGame) -> Iterator[core.Block]:
    """All that is done: by steps, actions and triggers."""
    found = [trigger.body for trigger in game.triggers.values()]
    found += [action.body for action in game.actions.values()]
    for step in game.steps.values():
        found += [row.body for row in step.rows]
        if step.body is not None:
            found.append(step.body)
    yield from found


def moves(game: CheckedGame) -> Iterator[MovingStatement]:
    """All that moves pieces."""
    for part in walk(tuple(bodies(game))):
        if isinstance(part, core.Move | core.MoveSome | core.MoveAll | core.Put):
            yield part


def _may_take(game: CheckedGame, layout: Layout, move: MovingStatement, kind: str) -> bool:
    match move:
        case core.MoveSome(source=source) | core.MoveAll(source=source):
            return kind in left(game, layout, source)
        case core.Move(pieces=pieces):
            return kind in left(game, layout, pieces)
        case core.Put():
            return True
        case _:
            assert_never(move)


def left(game: CheckedGame, layout: Layout, source: core.Expr) -> list[str]:
    """The kinds of places that pieces may be taken from."""
    match source:
        case core.Contents(place=place):
            return layout.kinds_of(place.type)
        case core.Query(word="filter", draws=(core.Draw(domain=domain),)):
            return left(game, layout, domain)
        case core.CallDefine(define=key) if category(source.type) == "set":
            bodies = bodies_of(game.defines[key])
            return [kind for body in bodies for kind in left(game, layout, body)]
        case _ if category(source.type) == "set":
            return [*layout.places]
        case _:
            kinds = layout.kinds_of(source.type)
            return [*layout.places] if any(map(layout.is_piece_kind, kinds)) else kinds
