"""Sets whose pieces are surely alike: it does not matter which of them are moved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.names import conjuncts, names_in
from ruledsl.play.knowledge import Look, look
from ruledsl.table.things import Thing

Reading: TypeAlias = Callable[[Thing], object]
"""What never changes about a piece."""


def surely_alike(game: CheckedGame, pieces: Iterable[Thing], source: core.Expr) -> bool:
    """Whether all pieces of a set lie in one place and look the same, in whatever position.

    `{x in place where x.owner = p}` has such pieces if those of an owner differ in nothing.
    """
    match source:
        case core.CallDefine(define=key):
            info = game.defines[key]
            return info.body is not None and not info.rows and surely_alike(game, pieces, info.body)
        case core.Query(
            word="filter",
            draws=(core.Draw(local=core.Local(number=number), domain=core.Contents()),),
            where=core.Expression() as where,
        ):
            readings = list(_settled(number, where))
        case _:
            return False
    with_states = {state.owner for state in game.states.values()}
    looks: dict[object, tuple[str, Look]] = {}
    for piece in pieces:
        own = (piece.kind, look(piece))
        group = tuple(read(piece) for read in readings)
        if piece.kind in with_states or looks.setdefault(group, own) != own:
            return False
    return True


def _settled(number: int, where: core.Expr) -> Iterator[Reading]:
    """What is the same for all pieces that meet a condition."""
    for test in conjuncts(where):
        match test:
            case core.IsFace(subject=core.Local(number=name), face=face):
                if name == number and number not in names_in(face):
                    yield lambda piece: piece.face
            case core.Compare(sign="=", left=left, right=right):
                for side, other in ((left, right), (right, left)):
                    read = _reading(number, side)
                    if read is not None and number not in names_in(other):
                        yield read
            case _:
                pass


def _reading(number: int, side: core.Expr) -> Reading | None:
    match side:
        case core.ReadIndex(subject=core.Local(number=name), name=index) if name == number:
            return lambda piece: piece.indexes.get(index)
        case core.ReadColumn(subject=core.Local(number=name), name=column) if name == number:
            return lambda piece: piece.columns.get(column)
        case _:
            return None
