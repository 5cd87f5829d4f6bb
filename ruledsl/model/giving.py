"""Steps that give something back: what they give lies in a slot of its own until it is taken."""

from __future__ import annotations

from collections.abc import Mapping

from ruledsl.model import core
from ruledsl.model.game import ActionInfo
from ruledsl.model.types import SetType, Type, maybe

_MARK = "()"


def given_by(step: str) -> str:
    """The key of the state that holds what a step gives; no rules can name it."""
    return f"{step}{_MARK}"


def lying(of: Type) -> Type:
    """The type of where something lies that is given: nothing is there at other times."""
    return of if isinstance(of, SetType) else maybe(of)


def is_given(state: str) -> bool:
    """Whether a state holds what a step gives: it is part of no table, view or log."""
    return state.endswith(_MARK)


def always_gives(block: core.Block, step: str, offered: Mapping[str, ActionInfo]) -> bool:
    """Whether every way through a block gives something, or ends the game."""
    for statement in block:
        match statement:
            case core.End(target=target):
                return target in ("game", step)
            case core.Win():
                return True
            case core.If(branches=branches):
                certain = branches[-1].condition is None
                if certain and all(always_gives(each.body, step, offered) for each in branches):
                    return True
            case core.ChooseAction(offers=offers, otherwise=otherwise):
                bodies = [offered[offer.action].body for offer in offers if offer.action in offered]
                if otherwise is not None:
                    bodies.append(otherwise)
                if len(bodies) >= len(offers) and all(
                    always_gives(body, step, offered) for body in bodies
                ):
                    return True
            case _:
                pass
    return False
