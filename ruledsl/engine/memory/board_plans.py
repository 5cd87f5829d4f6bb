"""Which boards a game can use: see `ruledsl.engine.expressions.boards`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias, assert_never

import attrs

from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.model.types import FlagType, ThingType, may_be_none, plain
from ruledsl.model.walk import walk
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

MOST_PLACES = 1024
"""Places of a kind that has boards."""
PART = 64
"""Places that a word has bits for."""
MOST_VALUES = 16
"""Values for each of which a word is kept."""


def words_for(number: int) -> int:
    """How many words have a bit for each of so many things."""
    return -(-number // PART)


@attrs.frozen
class Plan:
    """Words for some places of a kind: for those with a piece, or by what is read from it."""

    kind: str
    part: int
    """which 64 of the places, from 0 on"""
    reading: str
    """what is read, or nothing"""
    low: int
    """the least value, as the engine has it"""
    count: int
    """how many values there are"""
    values: tuple[int, ...] | None = None
    """which of them each piece has, in the order of pieces; -1 if none"""
    state: str | None = None
    """the state that is read"""


@attrs.frozen
class Board:
    """A plan that is carried out: its words lie in the position, after one for pieces without."""

    plan: Plan
    base: int


Readable: TypeAlias = core.ReadIndex | core.ReadColumn | core.ReadState


def reading_of(node: Readable) -> str:
    """What is read from a thing, without the thing."""
    match node:
        case core.ReadIndex(name=name):
            return f"index {name}"
        case core.ReadColumn(name=name):
            return f"column {name}"
        case core.ReadState(state=state):
            return f"state {state}"
        case _:
            assert_never(node)


def plans(
    table: Table, kinds: Mapping[str, int], pieces: list[Thing], ids: Mapping[Thing, int]
) -> Iterator[Plan]:
    """Boards for places of some kinds, given how many there are of each."""
    game = table.game
    parts = list(walk(_everything(game)))
    readings = _readings(parts)
    if any(isinstance(part, core.Together) for part in parts):
        # States are set on copies of the position, and only then in it.
        readings = [node for node in readings if not isinstance(node, core.ReadState)]
    for kind, number in kinds.items():
        info = game.kinds[kind].place
        if info is None or not 1 < number <= MOST_PLACES:
            continue
        if any(table.rooms[place] != 1 for place in table.things(kind)):
            continue
        found = [Plan(kind, 0, "", 0, 1)]
        for node in readings:
            if isinstance(node, core.ReadState):
                plan = _state_plan(table, kind, node, ids)
            else:
                plan = _column_plan(table, kind, node, pieces, ids)
            if plan is not None:
                found.append(plan)
        for part in range(words_for(number)):
            for plan in found:
                yield attrs.evolve(plan, part=part)


def _readings(parts: Iterable[object]) -> list[Readable]:
    """Everything that the rules read from things, each once."""
    found: dict[str, Readable] = {}
    for part in parts:
        if isinstance(part, core.ReadIndex | core.ReadColumn | core.ReadState):
            found.setdefault(reading_of(part), part)
    return list(found.values())


def _everything(game: CheckedGame) -> tuple[object, ...]:
    """All expressions of the rules."""
    found: list[object] = []
    for define in game.defines.values():
        found.extend((define.body, *(row.body for row in define.rows)))
    for step in game.steps.values():
        found.extend((step.body, *(row.body for row in step.rows)))
    for action in game.actions.values():
        found.extend((action.picks, action.requirements, action.body))
    for trigger in game.triggers.values():
        found.extend((trigger.picks, trigger.when, trigger.body))
    if game.ranking is not None:
        found.extend((game.ranking.domain, *(key.value for key in game.ranking.keys)))
        found.extend(() if game.ranking.team is None else (game.ranking.team,))
    return tuple(found)


def _column_plan(
    table: Table,
    kind: str,
    node: core.ReadIndex | core.ReadColumn,
    pieces: list[Thing],
    ids: Mapping[Thing, int],
) -> Plan | None:
    info = table.game.kinds[kind].place
    assert info is not None
    values: dict[Thing, int] = {}
    for piece in pieces:
        if piece.kind in info.holds:
            read = piece.indexes if isinstance(node, core.ReadIndex) else piece.columns
            value = read.get(node.name)
            if isinstance(value, tuple):
                return None
            if value is not None:
                values[piece] = ids[value] if isinstance(value, Thing) else int(value)
    if not values:
        return None
    low, high = min(values.values()), max(values.values())
    count = high - low + 1
    if not 1 < count <= MOST_VALUES:
        return None
    by_piece = tuple(values[piece] - low if piece in values else -1 for piece in pieces)
    return Plan(kind, 0, reading_of(node), low, count, by_piece)


def _state_plan(
    table: Table, kind: str, node: core.ReadState, ids: Mapping[Thing, int]
) -> Plan | None:
    """States of pieces that change by themselves have none."""
    info = table.game.kinds[kind].place
    state = table.game.states[node.state]
    assert info is not None
    if state.owner is None or tuple(info.holds) != (state.owner,) or state.each is not None:
        return None
    if may_be_none(state.type):
        return None
    match plain(state.type):
        case ThingType(kinds=kinds) if len(kinds) == 1:
            (of,) = kinds
            things = table.things(of)
            low, count = (ids[things[0]], len(things)) if things else (0, 0)
        case FlagType():
            low, count = 0, 2
        case _:
            return None
    if not 1 < count <= MOST_VALUES:
        return None
    return Plan(kind, 0, reading_of(node), low, count, state=node.state)
