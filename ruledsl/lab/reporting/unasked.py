"""States that rules change and that no rule ever asks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruledsl.model import core
from ruledsl.model.checks.graph import nodes, parts
from ruledsl.model.game import CheckedGame, StateInfo
from ruledsl.model.types import MaybeType, ThingType, Type
from ruledsl.model.walk import children, walk


def unasked(game: CheckedGame) -> Iterator[tuple[StateInfo, core.Assign]]:
    """Each with a statement that changes it; what only leads to its own next value asks nothing."""
    asked = {state for node in nodes(game) for state in _asked(parts(game, node))}
    asked |= {state for found in _beside(game) for state in _asked(found)}
    changed: dict[str, core.Assign] = {}
    for block in game.blocks():
        for part in walk(block):
            if isinstance(part, core.Assign):
                changed.setdefault(part.slot.state, part)
    for key, state in game.states.items():
        if key in changed and key not in asked and not _is_form(game, state.type):
            yield state, changed[key]


def _is_form(game: CheckedGame, of: Type) -> bool:
    """Whether it is how a piece is turned, which is asked for by what it covers."""
    plain = of.of if isinstance(of, MaybeType) else of
    return isinstance(plain, ThingType) and any(game.kinds[kind].forms for kind in plain.kinds)


def _beside(game: CheckedGame) -> Iterator[tuple[Any, ...]]:
    """What is worked out besides what happens: who stands where, and how far somebody is."""
    ranking, progress = game.ranking, game.progress
    if ranking is not None:
        yield tuple(key.value for key in ranking.keys)
        yield (ranking.domain, ranking.team)
        if ranking.payoff is not None:
            yield (ranking.payoff.value,)
    if progress is not None:
        yield (progress.value, progress.goal)


def _asked(node: Any) -> Iterator[str]:
    if isinstance(node, tuple):
        for part in node:
            yield from _asked(part)
        return
    own = node.slot.state if isinstance(node, core.Assign) else None
    if isinstance(node, core.ReadState):
        yield node.state
    for child in () if node is None else children(node):
        yield from (state for state in _asked(child) if state != own)
