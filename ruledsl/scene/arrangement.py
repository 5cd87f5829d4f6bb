"""What is drawn where: decided once for a table, from the shapes of its places."""

from __future__ import annotations

import attrs

from ruledsl.model.core import ReadColumn
from ruledsl.model.facts import reads_table
from ruledsl.model.game import EdgesShape, FamilyShape, GridShape, Kind, PlaceInfo, RingShape
from ruledsl.model.types import ThingType, Type, plain
from ruledsl.model.walk import walk
from ruledsl.table.evaluate import frame_size
from ruledsl.table.queries import Frame
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value


@attrs.frozen
class Family:
    """A family of places, drawn with what one of its indexes stands for; `rest` are the others."""

    kind: str
    index: str
    rest: tuple[str, ...]


@attrs.frozen
class Arrangement:
    """Every kind of place, by how it is drawn."""

    grids: tuple[str, ...]
    pictures: tuple[tuple[str, ...], ...]
    """kinds with a map; those that share one are drawn together"""
    rows: tuple[str, ...]
    """rings, lines, and named places without a map"""
    with_place: dict[str, tuple[Family, ...]]
    """families drawn with the places of a kind"""
    with_piece: dict[str, tuple[Family, ...]]
    with_player: tuple[Family, ...]
    families: tuple[str, ...]
    singles: tuple[str, ...]
    on_edges: dict[str, tuple[str, ...]]
    """edges drawn between the cells of a grid"""
    edges: tuple[str, ...]
    """all others"""


def arrangement_of(table: Table) -> Arrangement:
    kinds = {name: kind for name, kind in table.game.kinds.items() if kind.sort == "place"}
    joints = {
        name: shape.of for name in kinds if isinstance(shape := _shape(kinds[name]), EdgesShape)
    }
    boards = [
        name
        for name, kind in kinds.items()
        if not isinstance(_shape(kind), FamilyShape) and name not in joints
    ]
    grids = tuple(name for name in boards if isinstance(_shape(kinds[name]), GridShape))
    drawn = [name for name in boards if _place(kinds[name]).layout]
    with_place: dict[str, list[Family]] = {}
    with_piece: dict[str, list[Family]] = {}
    with_player: list[Family] = []
    families: list[str] = []
    for name, kind in kinds.items():
        if name in boards or name in joints or not kind.indexes:
            continue
        for index in kind.indexes:
            family = Family(
                name, index.name, tuple(i.name for i in kind.indexes if i.name != index.name)
            )
            of = table.game.kinds.get(index.kind)
            if index.kind in boards:
                with_place.setdefault(index.kind, []).append(family)
            elif index.kind == "Player":
                with_player.append(family)
            elif of is not None and of.sort == "piece" and not index.faces:
                with_piece.setdefault(index.kind, []).append(family)
            else:
                continue
            break
        else:
            families.append(name)
    return Arrangement(
        grids,
        _pictures(table, drawn),
        tuple(name for name in boards if name not in grids and name not in drawn),
        {name: tuple(found) for name, found in with_place.items()},
        {name: tuple(found) for name, found in with_piece.items()},
        tuple(with_player),
        tuple(families),
        tuple(
            name
            for name, kind in kinds.items()
            if name not in boards and name not in joints and not kind.indexes
        ),
        {
            grid: found
            for grid in grids
            if (found := tuple(name for name, of in joints.items() if of == grid))
        },
        tuple(name for name, of in joints.items() if of not in grids),
    )


def _place(kind: Kind) -> PlaceInfo:
    assert kind.place is not None
    return kind.place


def _shape(kind: Kind) -> object:
    return _place(kind).shape


def boards_of(table: Table, kind: str) -> list[tuple[Thing, ...]]:
    """The places of a kind, board by board: every player may have one."""
    found: dict[tuple[Value, ...], list[Thing]] = {}
    for place in table.things(kind):
        found.setdefault(tuple(place.indexes.values()), []).append(place)
    return [tuple(places) for places in found.values()]


def is_ring(kind: Kind) -> bool:
    return isinstance(_shape(kind), RingShape)


def _pictures(table: Table, kinds: list[str]) -> tuple[tuple[str, ...], ...]:
    """Maps of one size whose places never coincide are one picture."""
    groups: list[list[str]] = []
    for name in kinds:
        for group in groups:
            if _size(table, group[0]) == _size(table, name):
                taken = {(at.col, at.row) for other in group for at in table.things(other)}
                if not any((at.col, at.row) in taken for at in table.things(name)):
                    group.append(name)
                    break
        else:
            groups.append([name])
    return tuple(tuple(group) for group in groups)


def _size(table: Table, kind: str) -> tuple[int, int]:
    layout = _place(table.game.kinds[kind]).layout
    return max(map(len, layout)), len(layout)


def ground(table: Table, kind: str) -> tuple[tuple[str, dict[Thing, Thing]], ...]:
    """What the ground of a grid is like: by name, the value at each place that has one.

    A column that has the type of a state of the pieces there says how they are set up instead. A
    definition made of columns, such as the one for the side of a board in use, stands for them.
    """
    info = table.game.kinds[kind]
    of_pieces = {
        plain(state.type)
        for state in table.game.states.values()
        if state.owner in _place(info).holds
    }
    found: dict[str, dict[Thing, Thing]] = {}
    used: set[str] = set()
    for define in table.game.defines.values():
        if define.body is None or len(define.params) != 1 or not _is_value(table, define.type):
            continue
        columns = {part.name for part in walk((define.body,)) if isinstance(part, ReadColumn)}
        (param,) = define.params
        if param.type != ThingType(frozenset({kind})) or not columns or reads_table(define.body):
            continue
        value = table.evaluator.compile(define.body)
        size = max(param.local.number + 1, frame_size(define.body))
        values = {}
        for place in table.things(kind):
            frame: Frame = [None] * size
            frame[param.local.number] = place
            values[place] = value(table.start(), frame)
        found[define.name] = _things(values)
        used |= columns
    for column in info.columns:
        named = column.name not in used and plain(column.type) not in of_pieces
        if named and _is_value(table, column.type):
            found[column.name] = _things(
                {place: place.columns[column.name] for place in table.things(kind)}
            )
    return tuple(found.items())


def _is_value(table: Table, of: Type) -> bool:
    """Whether a type is that of named values."""
    wanted = plain(of)
    return isinstance(wanted, ThingType) and all(
        name in table.game.kinds and table.game.kinds[name].sort == "enumeration"
        for name in wanted.kinds
    )


def _things(values: dict[Thing, Value]) -> dict[Thing, Thing]:
    return {place: value for place, value in values.items() if isinstance(value, Thing)}
