"""Adding to a number, as opposed to setting it: additions of several players at a time add up."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.walk import walk


def added(statement: core.Stmt) -> core.Expr | None:
    """What a statement adds to a slot or takes from it, if that is all it does."""
    match statement:
        case core.Assign(
            slot=slot,
            value=core.Arithmetic(
                sign="+" | "-",
                left=core.ReadState(state=state, subject=subject),
                right=amount,
            ),
        ) if state == slot.state and subject == slot.subject:
            return amount
        case _:
            return None


def only_added_to(game: CheckedGame) -> frozenset[str]:
    """The states that nothing sets, but something adds to."""
    written = list(_written(game))
    return frozenset(key for key, adds in written if adds) - {
        key for key, adds in written if not adds
    }


def set_and_added_to(game: CheckedGame) -> frozenset[str]:
    written = list(_written(game))
    return frozenset(key for key, adds in written if adds) & {
        key for key, adds in written if not adds
    }


def _written(game: CheckedGame) -> Iterator[tuple[str, bool]]:
    """Every state that a statement writes, and whether it only adds to it."""
    for block in game.blocks():
        for part in walk(block):
            match part:
                case core.Assign(slot=slot):
                    yield slot.state, added(part) is not None
                case core.Roll(target=core.Slot(state=state)):
                    yield state, False
                case core.ChooseValue(target=core.Slot(state=state)):
                    yield state, False
                case _:
                    pass
    for key, info in game.states.items():
        if info.each is not None:
            yield key, False
