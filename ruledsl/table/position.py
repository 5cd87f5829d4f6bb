"""A position: where every piece lies, and every slot's value.

It can be copied cheaply: what it holds is never changed, only exchanged.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from ruledsl.table.things import Thing, Value

SlotKey: TypeAlias = tuple[str, Thing | None]
"""A state's key and its owner."""


@attrs.define(eq=False)
class Position:
    """The changing part of a table."""

    place_of: dict[Thing, Thing]
    contents: dict[Thing, tuple[Thing, ...]]
    """by place: lowest first in a stack, otherwise in the table's order"""
    slots: dict[SlotKey, Value]
    active: Thing | None
    playing: tuple[Thing, ...]
    out: tuple[Thing, ...] = ()
    """eliminated players, the first to leave first"""
    chooser: Thing | None = None
    """who chose the innermost running action"""
    histories: dict[str, tuple[int, ...]] = attrs.Factory(dict)
    finished: bool = False
    winners: tuple[Thing, ...] = ()
    memo: dict[object, Value] = attrs.Factory(dict)
    """values of definitions in just this position"""

    def copy(self) -> Position:
        return attrs.evolve(
            self,
            place_of=dict(self.place_of),
            contents=dict(self.contents),
            slots=dict(self.slots),
            histories=dict(self.histories),
            memo={},
        )

    def changed(self) -> None:
        """Forget what was worked out for the position before."""
        if self.memo:
            self.memo = {}

    @property
    def you(self) -> Thing | None:
        return self.active if self.chooser is None else self.chooser
