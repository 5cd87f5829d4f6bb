"""The bare table: boards and places, worked out once for a table and a language."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.model.core import Expression
from ruledsl.model.game import GridShape, Kind, PlaceInfo
from ruledsl.play.events import AnyEvent
from ruledsl.play.words import Words
from ruledsl.scene import geometry
from ruledsl.scene.arrangement import Arrangement, arrangement_of, boards_of, ground
from ruledsl.scene.data import Board, Body, Fact, Form, Ground, Happening, Stage, StagePlace
from ruledsl.scene.looks import Looks, is_player
from ruledsl.scene.untold import untold
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value

SIDED = "sided"
"""Places of this shape are as usual; their board has a border in the colours of the players."""


@attrs.frozen
class Set:
    """A stage, and what it takes to make scenes on it."""

    table: Table
    words: Words
    looks: Looks
    arrangement: Arrangement
    stage: Stage
    shown: frozenset[Thing]
    """the places on the stage"""
    of_value: dict[Thing, tuple[str, ...]]
    """the fields of a region, the pile of a kind of card: places by the value they belong to"""
    untold: frozenset[Span]
    """lines of the rules of which nothing is told but what they tell themselves"""
    told: dict[frozenset[Thing], Told] = attrs.Factory(dict)
    """what was told to whom already"""


@attrs.define
class Told:
    """Events, and those that somebody may know of as happenings; both grow with a game."""

    events: list[AnyEvent] = attrs.Factory(list)
    happenings: list[Happening] = attrs.Factory(list)
    _before: list[int] = attrs.Factory(list)
    """for each event, how many happenings there were before it"""

    def since(self, told: int) -> list[AnyEvent]:
        """The events behind so many happenings."""
        return self.events[bisect_left(self._before, told) :]

    def go_on(
        self, same: int, events: Sequence[AnyEvent], fresh: Iterable[Happening | None]
    ) -> None:
        """After the first so many events, which are the `same`, tell all others anew."""
        if same < len(self._before):
            del self.happenings[self._before[same] :]
            del self._before[same:]
        for happening in fresh:
            self._before.append(len(self.happenings))
            if happening is not None:
                self.happenings.append(happening)
        self.events[same:] = events[same:]


def set_of(table: Table, words: Words) -> Set:
    """The set of a table; it is built once for each language."""
    key = f"scene {words.language}"
    if key not in table.kept:
        table.kept[key] = _Building(table, words).build()
    found: Set = table.kept[key]
    return found


class _Building:
    def __init__(self, table: Table, words: Words) -> None:
        self.table = table
        self.words = words
        self.looks = Looks(table, words)
        self.arrangement = arrangement_of(table)
        self.boards: list[Board] = []
        self.places: list[StagePlace] = []
        self.shown: set[Thing] = set()
        self.of_value: dict[Thing, list[str]] = {}

    def build(self) -> Set:
        plan = self.arrangement
        for kind in (*plan.grids, *plan.rows):
            for places in boards_of(self.table, kind):
                self._board({kind: places})
        for kinds in plan.pictures:
            self._board({kind: self.table.things(kind) for kind in kinds})
        for kind in (*(kind for kinds in plan.on_edges.values() for kind in kinds), *plan.edges):
            self._edges(kind)
        order = {board.id: number for number, board in enumerate(self.boards)}
        for families in plan.with_place.values():
            for family in families:
                self._family(family.kind, family.index)
        for family in plan.with_player:
            self._family(family.kind, family.index)
        for kind in (*plan.families, *plan.singles):
            self._family(kind, None)
        self.boards.sort(key=lambda board: (*_weight(board, self.places), order[board.id]))
        stage = Stage(
            self.table.game.variant or self.table.game.name,
            self.words.title(),
            self.words.language,
            tuple(self.boards),
            tuple(self.places),
            tuple(self._bodies()),
            tuple(
                (name, self.words.kind(name))
                for name, kind in self.table.game.kinds.items()
                if kind.sort == "piece"
            ),
            "" if self.table.game.aim is None else self.words.text(self.table.game.aim),
        )
        return Set(
            self.table,
            self.words,
            self.looks,
            plan,
            stage,
            frozenset(self.shown),
            {value: tuple(found) for value, found in self.of_value.items()},
            untold(self.table.game),
        )

    # ------------------------------------------------------------ boards

    def _board(self, boards: Mapping[str, Sequence[Thing]]) -> None:
        kept = [kind for kind in boards if not self.looks.is_bookkeeping(kind)]
        infos = [self.table.game.kinds[kind] for kind in kept]
        if not infos or not any(boards[kind] for kind in kept):
            return
        # Every player may have such a board.
        owners = list(boards[kept[0]][0].indexes.values()) if boards[kept[0]] else []
        name = "+".join(kept) + (f"({', '.join(map(str, owners))})" if owners else "")
        points: geometry.Points = {}
        for info in infos:
            # Pictures of one size share their coordinates.
            points |= _from_the_same_corner(self.table, info, boards[info.name], infos)
        wide = max(x for x, _ in points.values()) + 1
        high = max(y for _, y in points.values()) + 1
        form = geometry.form_of(_place(infos[0]))
        joined = [
            edge for info in infos for edge in geometry.edges(self.table, info, boards[info.name])
        ]
        shape = _place(infos[0]).shape
        wrapped = isinstance(shape, GridShape) and shape.wrapped
        label = ", ".join(self.words.name(kind) for kind in kept)
        if owners:
            label = f"{label} ({', '.join(self.words.value(value) for value in owners)})"
        players = [v.index + 1 for v in owners if isinstance(v, Thing) and is_player(v)]
        self.boards.append(
            Board(
                name,
                label,
                form,
                wide,
                high,
                self._cell_shape(infos[0], form),
                tuple((str(one), str(other)) for one, other in joined if one in points),
                self.table.boards.size(kept[0]) if wrapped else None,
                players[0] if players else None,
                self._has_sides(kept[0]),
                self.words.game.notation.columns.get(infos[0].name, ""),
            )
        )
        for info in infos:
            grounds = ground(self.table, info.name) if form in ("grid", "hexes") else ()
            for place in boards[info.name]:
                if place in points:
                    self._add(place, info, board=name, at=points[place], grounds=grounds)

    def _edges(self, kind: str) -> None:
        """Edges lie on the board of the places they join, halfway between them."""
        if self.looks.is_bookkeeping(kind):
            return
        on_stage = {place.id: place for place in self.places}
        info = self.table.game.kinds[kind]
        for edge in self.table.things(kind):
            ends = [on_stage[str(end)] for end in edge.ends if str(end) in on_stage]
            if len(ends) == 2:
                one, other = ends
                middle = ((one.x + other.x) / 2, (one.y + other.y) / 2)
                self._add(edge, info, board=one.board, at=middle, ends=(one.id, other.id))

    def _has_sides(self, kind: str) -> bool:
        two = len(self.table.things("Player")) == 2
        return two and self.looks.said(kind).shape == SIDED

    def _cell_shape(self, kind: Kind, form: Form) -> str:
        said = _of_cells(self.looks.said(kind.name).shape)
        if said is not None:
            return said
        match form:
            case "grid" | "line" | "row":
                return "square"
            case "hexes":
                return "hexagon"
            case "ring" | "map":
                return "circle"

    # ------------------------------------------------------------ places

    def _family(self, kind: str, index: str | None) -> None:
        """Places that belong to a place, a player or a value; or a place of its own."""
        if self.looks.is_bookkeeping(kind):
            return
        info = self.table.game.kinds[kind]
        for place in self.table.things(kind):
            host = None if index is None else place.indexes[index]
            rest = [value for name, value in place.indexes.items() if name != index]
            self._add(place, info, host=host, rest=rest)

    def _add(
        self,
        place: Thing,
        kind: Kind,
        *,
        board: str | None = None,
        at: tuple[float, float] = (0, 0),
        grounds: Iterable[tuple[str, dict[Thing, Thing]]] = (),
        host: Value = None,
        rest: Sequence[Value] = (),
        ends: tuple[str, ...] = (),
    ) -> None:
        info = _place(kind)
        look = self.looks.of_value(place)
        form = geometry.form_of(info)
        if host is None and rest:
            values = [self.looks.of_value(value) for value in rest]
            colour = look.colour or next((v.colour for v in values if v.colour), None)
            symbol = look.symbol or next((v.symbol for v in values if v.symbol), None)
        else:
            in_row = [self.looks.of_value(value).colour for value in place.columns.values()]
            colour = look.colour or next((each for each in in_row if each), None)
            symbol = look.symbol
        self.shown.add(place)
        for value in rest if host is None else ():
            if isinstance(value, Thing):
                self.of_value.setdefault(value, []).append(str(place))
        self.places.append(
            StagePlace(
                id=str(place),
                kind=place.kind,
                name=self.words.name(place.kind),
                label=self.words.place(place),
                shape=_of_cells(look.shape)
                or ("plain" if board is None else self._cell_shape(kind, form)),
                holds=info.holds,
                colour=colour,
                symbol=symbol,
                board=board,
                x=at[0],
                y=at[1],
                host=str(host) if isinstance(host, Thing) and not is_player(host) else None,
                owner=host.index + 1 if isinstance(host, Thing) and is_player(host) else None,
                rest=", ".join(self.words.value(value) for value in rest),
                stack=info.stack,
                sight="some" if isinstance(info.sight, Expression) else info.sight,
                room=self.table.rooms[place],
                grounds=tuple(self._grounds(place, grounds)),
                facts=self._facts(place, host, rest),
                ends=ends,
                cell=(place.col, place.row) if board and place.col and place.row else None,
            )
        )

    def _facts(self, place: Thing, host: Value, rest: Sequence[Value]) -> tuple[Fact, ...]:
        """What the rules say of a place; of the pile of a value, what they say of the value."""
        of = rest[0] if host is None and len(rest) == 1 else None
        return facts_of(of if isinstance(of, Thing) and not place.columns else place, self.words)

    def _grounds(
        self, place: Thing, grounds: Iterable[tuple[str, dict[Thing, Thing]]]
    ) -> Iterator[Ground]:
        for name, values in grounds:
            value = values.get(place)
            if value is not None:
                self.of_value.setdefault(value, []).append(str(place))
                look = self.looks.of_value(value)
                yield Ground(name, self.words.value(value), look.colour, look.symbol)

    def _bodies(self) -> Iterator[Body]:
        for kind, letters in self.looks.letters.items():
            faces = {self.words.name(face.name, kind): face for face in self.table.faces(kind)}
            for label, short in letters.items():
                face = faces.get(label)
                facts = () if face is None else facts_of(face, self.words)
                symbol = None if face is None else self.looks.of_value(face).symbol
                yield Body(kind, label, short, facts, symbol)


def facts_of(thing: Thing, words: Words) -> tuple[Fact, ...]:
    """What the table of the rules says about a thing, apart from how often it is there."""
    return tuple(
        Fact(name, words.name(name), words.value(value), flag=value is True)
        for name, value in thing.columns.items()
        if name != "count" and value is not None and value is not False
    )


def _from_the_same_corner(
    table: Table, kind: Kind, places: Sequence[Thing], together: Sequence[Kind]
) -> geometry.Points:
    """The places of a picture, with coordinates that fit those it is drawn together with."""
    found = geometry.points(kind, places)
    if len(together) == 1:
        return found
    top = max(place.row or 0 for info in together for place in table.things(info.name))
    return {place: (float((place.col or 1) - 1), float(top - (place.row or 1))) for place in found}


def _of_cells(shape: str | None) -> str | None:
    """What a declared shape says of the places themselves."""
    return None if shape == SIDED else shape


def _place(kind: Kind) -> PlaceInfo:
    assert kind.place is not None
    return kind.place


def _weight(board: Board, places: Iterable[StagePlace]) -> tuple[bool, int]:
    """Boards with a shape come before lines and rows, and larger ones before smaller ones."""
    return board.form in ("line", "row"), -sum(place.board == board.id for place in places)
