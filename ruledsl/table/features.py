"""The attributes the language supplies: one function for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from ruledsl.model.builtins import Feature
from ruledsl.model.symbols import DIRECTION
from ruledsl.table.position import Position
from ruledsl.table.things import Thing, Value

if TYPE_CHECKING:
    from ruledsl.table.table import Table

Read: TypeAlias = Callable[["Table", Position, "Value", "Value"], "Value"]


def _thing(value: Value) -> Thing:
    assert isinstance(value, Thing)
    return value


def _number(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _round(table: Table, pos: Position, player: Thing) -> tuple[Thing, ...]:
    """Those still playing in seat order, from this player's seat on."""
    players = table.things("Player")
    turned = players[player.index :] + players[: player.index]
    return tuple(each for each in turned if each in pos.playing)


def _round_of(table: Table, pos: Position, value: Value, _: Value) -> Value:
    thing = _thing(value)
    if thing.kind == "Player":
        return _round(table, pos, thing)
    return (thing, *_turned(table, thing, 1)[:-1])


def _others(table: Table, pos: Position, player: Thing) -> tuple[Thing, ...]:
    return tuple(each for each in _round(table, pos, player) if each is not player)


def _next(table: Table, pos: Position, value: Value) -> Thing:
    player = _thing(value)
    others = _others(table, pos, player)
    return others[0] if others else player


def _onward(table: Table, pos: Position, value: Value, _: Value) -> Value:
    thing = _thing(value)
    if thing.kind == "Player":
        around = _round(table, pos, thing)
        others = _others(table, pos, thing)
        return (*others, thing) if thing in around else others
    return _turned(table, thing, 1)


def _turned(table: Table, thing: Thing, way: int) -> tuple[Thing, ...]:
    """All of a ring from the next one on, ending with the thing itself."""
    ring = table.boards.row_of(thing)
    at = thing.index % len(ring)
    return tuple(ring[(at + way * step) % len(ring)] for step in range(1, len(ring) + 1))


def _top(_: Table, pos: Position, value: Value, __: Value) -> Value:
    held = pos.contents[_thing(value)]
    return held[-1] if held else None


def _lowest(_: Table, pos: Position, value: Value, __: Value) -> Value:
    held = pos.contents[_thing(value)]
    return held[0] if held else None


def _reversed(_: Table, __: Position, value: Value, ___: Value) -> Value:
    assert isinstance(value, tuple)
    return value[::-1]


def _quarters(table: Table, thing: Thing, number: int) -> Thing:
    """A direction or a form turned to the right; on hexagons only half a turn is one."""
    if thing.kind == DIRECTION:
        return table.boards.turned(thing, 2 * number)
    return table.forms.turned(thing, 90 * number)


def _sixths(table: Table, thing: Thing, number: int) -> Thing | None:
    if thing.kind == DIRECTION:
        return table.boards.sixths(thing, number)
    return table.forms.turned(thing, 60 * number)


FEATURES: dict[Feature, Read] = {
    "place": lambda table, pos, thing, _: pos.place_of.get(_thing(thing)),
    "face": lambda table, pos, thing, _: _thing(thing).face,
    "top": _top,
    "lowest": _lowest,
    "index": lambda table, pos, thing, _: table.boards.number(_thing(thing)),
    "col": lambda table, pos, thing, _: _thing(thing).col,
    "row": lambda table, pos, thing, _: _thing(thing).row,
    "go": lambda table, pos, thing, way: table.boards.go(_thing(thing), _thing(way)),
    "ray": lambda table, pos, thing, way: table.boards.ray(_thing(thing), _thing(way)),
    "beside": lambda table, pos, thing, _: table.boards.beside(_thing(thing)),
    "around": lambda table, pos, thing, _: table.boards.around(_thing(thing)),
    "ends": lambda table, pos, thing, _: _thing(thing).ends,
    "onward": _onward,
    "backward": lambda table, pos, thing, _: _turned(table, _thing(thing), -1),
    "paths": lambda table, pos, thing, _: table.boards.paths(_thing(thing)),
    "after": lambda table, pos, thing, _: table.boards.along(_thing(thing), 1),
    "before": lambda table, pos, thing, _: table.boards.along(_thing(thing), -1),
    "opposite": lambda table, pos, thing, _: _quarters(table, _thing(thing), 2),
    "left": lambda table, pos, thing, _: _quarters(table, _thing(thing), -1),
    "right": lambda table, pos, thing, _: _quarters(table, _thing(thing), 1),
    "turned": lambda table, pos, way, number: table.boards.turned(_thing(way), _number(number)),
    "sixths": lambda table, pos, thing, number: _sixths(table, _thing(thing), _number(number)),
    "mirrored": lambda table, pos, form, _: table.forms.turned_over(_thing(form)),
    "size": lambda table, pos, form, _: len(table.forms.of(_thing(form)).cells),
    "cover": lambda table, pos, cell, form: table.forms.cover(_thing(cell), _thing(form)),
    "seat": lambda table, pos, player, _: _thing(player).index + 1,
    "next": lambda table, pos, player, _: _next(table, pos, player),
    "round": _round_of,
    "others": lambda table, pos, player, _: _others(table, pos, _thing(player)),
    "reversed": _reversed,
}
