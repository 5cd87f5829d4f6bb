"""Which things on the table a value is about, so that pointing at one can mean the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from ruledsl.play.decisions import ActionOption, DoneOption, Option, ValueOption
from ruledsl.play.views import View
from ruledsl.scene.stage import Set
from ruledsl.table.things import Thing, Value


class Touching:
    """Finds what values touch, in the eyes of one seat.

    `place_of` says where pieces lie that the seat can't identify: all such pieces of a kind in a
    place are touched together, for the seat can't tell which of them is meant.
    """

    def __init__(self, scenery: Set, view: View, place_of: Mapping[Thing, Thing]) -> None:
        self.set = scenery
        self.place_of = place_of
        self._known: dict[Thing, str] = {}
        self._backs: dict[tuple[Thing, str], list[str]] = {}
        self._by_trait: dict[Thing, list[str]] = {}
        for each in view.places:
            for number, piece in enumerate(each.pieces or ()):
                where = f"{each.place}/{number}"
                if piece.piece is None:
                    self._backs.setdefault((each.place, piece.kind), []).append(where)
                    continue
                self._known[piece.piece] = where
                for trait in (piece.piece.face, *piece.piece.indexes.values()):
                    if isinstance(trait, Thing) and trait.kind != "Player":
                        self._by_trait.setdefault(trait, []).append(where)

    def option(self, option: Option) -> tuple[tuple[str, ...], ...]:
        """What each part of an option touches: the action itself nothing, its values something."""
        match option:
            case ActionOption(values=values, members=members):
                columns = [{member[at] for member in members} for at in range(len(values))]
                return (
                    (),
                    *(
                        self._all(column | {value})
                        for column, value in zip(columns, values, strict=True)
                    ),
                )
            case ValueOption(value=value, members=members):
                return (self._all((value, *members)),)
            case DoneOption():
                return ((),)
            case _:
                assert_never(option)

    def value(self, value: Value) -> tuple[str, ...]:
        return self._all((value,))

    def _all(self, values: Iterable[Value]) -> tuple[str, ...]:
        found = (touched for value in values for touched in self._touched(value))
        return tuple(sorted(dict.fromkeys(found)))

    def _touched(self, value: Value) -> Iterator[str]:
        if isinstance(value, tuple):
            for item in value:
                yield from self._touched(item)
        if not isinstance(value, Thing):
            return
        kind = self.set.table.game.kinds.get(value.kind)
        sort = "face" if kind is None else kind.sort
        match sort:
            case "player":
                yield str(value)
            case "piece":
                yield from self._piece(value)
            case "place":
                yield from self._place(value)
            case "direction":
                return
            case "enumeration" | "product" | "face":
                yield from self._named(value)
            case _:
                assert_never(sort)

    def _piece(self, piece: Thing) -> Iterator[str]:
        known = self._known.get(piece)
        if known is not None:
            yield known
        elif piece in self.place_of:
            yield from self._backs.get((self.place_of[piece], piece.kind), ())

    def _place(self, place: Thing) -> Iterator[str]:
        if place in self.set.shown:
            yield str(place)
            return
        for index in place.indexes.values():
            if isinstance(index, Thing) and index in self.place_of:
                yield from self._piece(index)

    def _named(self, value: Thing) -> Iterator[str]:
        """A named value: fields of a region, places in its row, what is made of it.

        Of a face that has a pile of its own only the pile: that is where one takes it from, and
        the same cards elsewhere would distract from it.
        """
        for cell in value.columns.values():
            if isinstance(cell, Thing) and cell in self.set.shown:
                yield str(cell)
        places = self.set.of_value.get(value, ())
        yield from places
        if not places or value.kind in self.set.table.game.kinds:
            yield from self._by_trait.get(value, ())
