"""The whole table as a seat sees it: boards first, then everything else, the players last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from ruledsl.model.game import NetworkShape, PlaceInfo, StateInfo
from ruledsl.model.types import SetType, plain
from ruledsl.play.views import PieceView, PlaceView, View
from ruledsl.play.words import Words
from ruledsl.table.table import Table
from ruledsl.table.things import Thing, Value, face_kind

from ..phrases import Phrases
from .columns import Row, table_lines
from .grid import grid_lines
from .looks import Codes, Looks
from .picture import Node, margins, pairs, picture_lines, unseen
from .plan import Family, Plan, ground, is_ring, plan_of
from .text import flow, initials, pad, safe, styled, width, wrap

LONG_ROW = 8
"""A ring or line with more places than this is drawn in letters."""


class Artist:
    """Draws the views of one table."""

    def __init__(self, table: Table, words: Words, *, rich: bool = True) -> None:
        self.table = table
        self.words = words
        self.say = Phrases(words.language)
        self.plan: Plan = plan_of(table)
        self.looks = Looks(table, words, self.plan, rich)
        self.grounds = {kind: ground(table, kind) for kind in self.plan.grids}

    def draw(
        self,
        view: View,
        columns: int,
        marked: frozenset[Thing] = frozenset(),
        *,
        playing: bool = True,
    ) -> list[str]:
        """The table in lines of at most so many columns.

        Places offered as choices are `marked`; whoever is not `playing` only looks on.
        """
        easel = _Easel(self, view, columns, marked, playing)
        return list(easel.lines())


@attrs.define
class _Easel:
    """One drawing."""

    artist: Artist
    view: View
    columns: int
    marked: frozenset[Thing]
    playing: bool
    at: dict[Thing, PlaceView] = attrs.Factory(dict)
    slots: dict[tuple[str, Thing | None], Value] = attrs.Factory(dict)

    def __attrs_post_init__(self) -> None:
        self.at = {each.place: each for each in self.view.places}
        self.slots = {(key, owner): value for key, owner, value in self.view.slots}

    @property
    def table(self) -> Table:
        return self.artist.table

    @property
    def looks(self) -> Looks:
        return self.artist.looks

    @property
    def plan(self) -> Plan:
        return self.artist.plan

    def lines(self) -> Iterator[str]:
        plan = self.plan
        parts = [
            *(self._grid(kind) for kind in plan.grids),
            *(self._picture(kinds) for kinds in plan.pictures),
            *(self._row(kind) for kind in plan.rows),
            *(self._family(kind) for kind in plan.families),
            self._shelf(),
            self._values(),
            self._players(),
            self._own() if self.playing else [],
        ]
        between = False
        for part in parts:
            if part:
                if between:
                    yield ""
                yield from part
                between = True

    # ------------------------------------------------------------ what lies somewhere

    def _info(self, kind: str) -> PlaceInfo:
        info = self.table.game.kinds[kind].place
        assert info is not None
        return info

    def _pieces(self, place: Thing) -> tuple[PieceView, ...]:
        return self.at[place].pieces or ()

    def _content(self, place: Thing, owner: Thing | None = None) -> str:
        """What lies in a place, in words."""
        info = self._info(place.kind)
        alone = len(info.holds) == 1
        pieces = self.at[place].pieces
        if pieces is None:
            return "?"
        if info.stack and info.room is None and len(pieces) > 1 and pieces[-1].piece is not None:
            top = self.looks.text(pieces[-1], alone=alone, owner=owner)
            return self.artist.say("stack", number=str(len(pieces)), top=top)
        return ", ".join(self.looks.counted(pieces, self.at, alone=alone, owner=owner))

    def _placed(self, family: Family, place: Thing) -> list[Thing]:
        """The places of a family that belong to a place or player."""
        return [
            each for each in self.table.things(family.kind) if each.indexes[family.index] is place
        ]

    def _rest(self, place: Thing, family: Family) -> str:
        return ", ".join(self.looks.thing(place.indexes[name]) for name in family.rest)

    def _states(self, owner: str | None) -> list[StateInfo]:
        return [state for state in self.table.game.states.values() if state.owner == owner]

    def _is_usual(self, info: StateInfo, owner: Thing | None, value: Value) -> bool:
        return value == self.table.start_value(self.table.slots[info.key, owner])

    def _value(self, info: StateInfo, owner: Thing | None) -> str:
        """A visible slot that says something: no flags that are as usual, nothing empty."""
        value = self.slots.get((info.key, owner))
        if value is None:
            return ""
        if isinstance(value, bool) and self._is_usual(info, owner, value):
            return ""
        if isinstance(plain(info.type), SetType):
            assert isinstance(value, tuple)
            everything = len(value) > 4 and self._is_usual(info, owner, value)
            return "" if not value or everything else self.looks.thing(value)
        return self.looks.thing(value)

    # ------------------------------------------------------------ boards

    def _heading(self, text: str) -> str:
        return styled(text, "bold")

    def _legend(self, codes: Codes) -> list[str]:
        return flow(codes.legend(), self.columns, gap="   ")

    def _dot(self, place: Thing) -> str:
        """An empty place; one that is offered as a choice stands out."""
        return styled("+", "bold") if place in self.marked else styled("·", "dim")

    def _beside(self, kind: str, place: Thing, codes: Codes) -> list[str]:
        """What lies in the families of a place, in letters; one line for each family."""
        lines = []
        for family in self.plan.with_place.get(kind, ()):
            texts = []
            names = initials([self._rest(each, family) for each in self._placed(family, place)])
            for each in self._placed(family, place):
                found = codes.counted(self._pieces(each), self.at)
                if found:
                    rest = self._rest(each, family)
                    before = f"{names[rest].lower()}:" if rest else ""
                    texts.append(before + "".join(found))
            if texts:
                lines.append(" ".join(texts))
        return lines

    def _set_states(self, kind: str, place: Thing) -> list[str]:
        """States of a place that are not as usual."""
        found = []
        for info in self._states(kind):
            value = self.slots.get((info.key, place))
            if value is not None and not self._is_usual(info, place, value):
                name = self.looks.state(info)
                found.append(name if value is True else f"{name} {self.looks.thing(value)}")
        return found

    def _grid(self, kind: str) -> list[str]:
        size = self.table.size(kind)
        assert size is not None
        codes = self.looks.codes([kind])
        grounds = self.artist.grounds[kind]
        families = self.plan.with_place.get(kind, ())
        letters = [
            initials([self.looks.thing(value) for value in dict.fromkeys(values.values())])
            for _, values in grounds
        ]
        boxes = bool(grounds or families)

        def cell(col: int, row: int) -> Sequence[str]:
            place = self.table.nth(kind, (col, row))
            assert place is not None
            found = " ".join(codes.counted(self._pieces(place), self.at))
            if not boxes:
                return (found or self._dot(place),)
            signs = []
            for (_, values), names in zip(grounds, letters, strict=True):
                value = values.get(place)
                signs.append("" if value is None else names[self.looks.thing(value)].lower())
            ground_text = styled(" ".join(filter(None, signs)), "dim")
            stuff = " ".join(self._beside(kind, place, codes))
            top = found or (styled("+", "bold") if place in self.marked else " ")
            return (f"{top} {stuff}".strip() or " ", ground_text)

        lines = grid_lines(size, cell, self.columns, boxes=boxes)
        notes = [
            f"{name.lower()} = {label}"
            for (_, values), names in zip(grounds, letters, strict=True)
            for label, name in names.items()
            if name != label
        ]
        states = [
            f"{safe(self.artist.words.place(place))}: {text}"
            for place in self.table.things(kind)
            for text in self._set_states(kind, place)
        ]
        lines += flow([*codes.legend(), *notes], self.columns, gap="   ")
        return lines + flow(states, self.columns, gap="   ")

    def _picture(self, kinds: Sequence[str]) -> list[str]:
        codes = self.looks.codes(kinds)
        places = [
            place for kind in kinds for place in self.table.things(kind) if place.col is not None
        ]
        edge, named = margins(places)
        nodes = {place: self._node(place, place in named, codes) for place in places}
        joined = []
        for kind in kinds:
            shape = self._info(kind).shape
            if isinstance(shape, NetworkShape):
                joined += [
                    (nodes[self.table.named(kind, one)], nodes[self.table.named(kind, other)])
                    for one, other in pairs(shape.paths)
                    if self.table.named(kind, one) in nodes
                    and self.table.named(kind, other) in nodes
                ]
        lines = picture_lines(list(nodes.values()), joined, edge, self.columns)
        lines += self._legend(codes)
        called = {id(node): safe(self.artist.words.place(place)) for place, node in nodes.items()}
        hidden = [
            f"{called[id(one)]}–{called[id(other)]}"
            for one, other in unseen(joined, list(nodes.values()))
        ]
        if hidden:
            text = self.artist.say("joined", places=", ".join(hidden))
            lines += [styled(line, "dim") for line in wrap(text, self.columns, "  ")]
        return lines

    def _node(self, place: Thing, is_named: bool, codes: Codes) -> Node:
        assert place.col is not None and place.row is not None
        found = codes.counted(self._pieces(place), self.at)
        inside = [" ".join(found)] if found else []
        inside += self._beside(place.kind, place, codes)
        inside += [cut_state for cut_state in self._set_states(place.kind, place)]
        if is_named:
            return Node(place.col, place.row, None, tuple(inside or [self._dot(place)]))
        name = safe(self.artist.words.place(place))
        if place in self.marked:
            name = styled(name, "bold")
        return Node(place.col, place.row, name, tuple(inside))

    def _row(self, kind: str) -> list[str]:
        """A ring, a line, or named places: side by side, with what belongs to them below."""
        places = self.table.things(kind)
        if not places:
            return []
        info = self.table.game.kinds[kind]
        label = self.looks.name(kind)
        if not info.rows and len(places) > LONG_ROW:
            return self._long_row(kind, places, label)
        names = [safe(self.artist.words.place(place)) for place in places]
        head = [
            styled(name, "bold") if p in self.marked else name
            for p, name in zip(places, names, strict=True)
        ]
        if is_ring(info):
            head = [f"{name} →" for name in head]
        held = ", ".join(self.looks.name(each) for each in self._info(kind).holds)
        rows = [Row(held, tuple(self._content(place) or "–" for place in places))]
        rows += self._family_rows(kind, places)
        rows += [
            Row(self.looks.state(state), tuple(self._shown(state, place) for place in places))
            for state in self._states(kind)
        ]
        if info.rows:
            rows += [
                Row(
                    safe(self.artist.words.name(column.name)),
                    tuple(self.looks.thing(place.columns[column.name]) for place in places),
                )
                for column in info.columns
            ]
        lines = table_lines(head, rows, self.columns)
        if is_ring(info):
            closing = self.artist.say("ring", last=names[-1], first=names[0])
            lines += [styled(line, "dim") for line in wrap(closing, self.columns)]
        return lines

    def _shown(self, info: StateInfo, place: Thing) -> str:
        value = self.slots.get((info.key, place))
        return (
            "" if value is None or self._is_usual(info, place, value) else self.looks.thing(value)
        )

    def _family_rows(self, kind: str, places: Sequence[Thing]) -> list[Row]:
        rows = []
        for family in self.plan.with_place.get(kind, ()):
            label = self.looks.name(family.kind)
            columns = [self._placed(family, place) for place in places]
            for number, first in enumerate(columns[0]):
                rest = self._rest(first, family)
                rows.append(
                    Row(
                        f"{label} ({rest})" if rest else label,
                        tuple(self._content(column[number]) for column in columns),
                    )
                )
        return rows

    def _long_row(self, kind: str, places: Sequence[Thing], label: str) -> list[str]:
        codes = self.looks.codes([kind])
        head = []
        for place in places:
            number = str(place.index + 1)
            head.append(styled(number, "bold") if place in self.marked else number)
        cells = []
        for place in places:
            inside = codes.counted(self._pieces(place), self.at)
            inside += self._beside(kind, place, codes)
            cells.append(" ".join([*inside, *self._set_states(kind, place)]) or styled("·", "dim"))
        wide = max(map(width, (*head, *cells)))
        fitting = max(1, min(len(places), (self.columns + 1) // (wide + 1)))
        bands = -(-len(places) // fitting)
        each = -(-len(places) // bands)
        lines = [self._heading(label)]
        for start in range(0, len(places), each):
            for texts in (head, cells):
                part = texts[start : start + each]
                line = " ".join(pad(text, wide, right=True) for text in part)
                lines.append(styled(line, "dim") if texts is head else line)
        return lines + self._legend(codes)

    # ------------------------------------------------------------ other places

    def _family(self, kind: str) -> list[str]:
        """A family of places that belongs to values, such as a pile for each kind of card."""
        info = self.table.game.kinds[kind]
        places = self.table.things(kind)
        label = self.looks.name(kind)
        if len(info.indexes) == 1:
            index = info.indexes[0]
            owners = [place.indexes[index.name] for place in places]
            columns = list(owners[0].columns) if owners and isinstance(owners[0], Thing) else []
            if columns:
                return self._listed(label, places, [o for o in owners if isinstance(o, Thing)])
            head = [self.looks.thing(owner) for owner in owners]
            row = Row(label, tuple(self._content(place) or "–" for place in places))
            return table_lines(head, [row], self.columns)
        items = [
            f"{safe(self.artist.words.place(place))}: {content}"
            for place in places
            if (content := self._content(place))
        ]
        return flow(items, self.columns, gap="   ")

    def _listed(self, label: str, places: Sequence[Thing], owners: Sequence[Thing]) -> list[str]:
        """A line for each value, with what its columns say."""
        columns = [
            name
            for name in owners[0].columns
            if name != "count" and any(owner.columns[name] for owner in owners)
        ]
        head = ["", *(self.looks.name(name) for name in columns)]
        table = [head]
        for place, owner in zip(places, owners, strict=True):
            pieces = self._pieces(place)
            same = all(view.piece is not None and view.piece.face is owner for view in pieces)
            content = str(len(pieces)) if same else self._content(place)
            name = safe(self.artist.words.value(owner))
            first = f"{name}: {content or '–'}"
            if owner in self.marked or place in self.marked:
                first = styled(first, "bold")
            values = [owner.columns[column] for column in columns]
            table.append([first, *(self.looks.thing(value) if value else "" for value in values)])
        wide = [max(width(line[at]) for line in table) for at in range(len(head))]
        if sum(wide) + 2 * len(wide) > self.columns:
            return [
                self._heading(label),
                *flow([line[0] for line in table[1:]], self.columns, gap="   "),
            ]
        lines = [
            "  ".join(pad(text, w) for text, w in zip(line, wide, strict=True)) for line in table
        ]
        lines[0] = self._heading(pad(label, wide[0])) + styled(lines[0][wide[0] :], "dim")
        return [line.rstrip() for line in lines]

    def _shelf(self) -> list[str]:
        """Single places: what lies there, and which are empty."""
        full, empty = [], []
        for kind in self.plan.singles:
            (place,) = self.table.things(kind)
            label = self.looks.name(kind)
            content = self._content(place)
            if content:
                full.append(f"{styled(label + ':', 'dim')} {content}")
            else:
                empty.append(label)
        if empty:
            text = self.artist.say("empty", places=", ".join(empty))
            full.append(styled(text, "dim"))
        return flow(full, self.columns, gap="   ")

    def _values(self) -> list[str]:
        """The slots of the game, and those of values such as teams."""
        items = []
        for info in self._states(None):
            text = self._value(info, None)
            if text:
                items.append(f"{styled(self.looks.state(info) + ':', 'dim')} {text}")
        for info in self.table.game.states.values():
            owner = self.table.game.kinds.get(info.owner or "")
            if owner is not None and owner.sort in ("enumeration", "product", "direction"):
                for thing in self.table.things(owner.name):
                    text = self._value(info, thing)
                    if text:
                        name = f"{self.looks.state(info)} ({self.looks.thing(thing)}):"
                        items.append(f"{styled(name, 'dim')} {text}")
        return flow(items, self.columns, gap="   ")

    # ------------------------------------------------------------ players

    def _is_private(self, kind: str) -> bool:
        return self._info(kind).sight == "private"

    def _players(self) -> list[str]:
        players = self.table.things("Player")
        say = self.artist.say
        head = []
        for player in players:
            name = self.looks.player(player)
            if player is self.view.seat and self.playing:
                name += f" ({say('you')})"
            if player is self.view.active:
                name = f"▶ {name}"
            if player not in self.view.playing:
                name += f" ({say('out')})"
            head.append(name)
        rows = []
        for family in self.plan.with_player:
            label = self.looks.name(family.kind)
            columns = [self._placed(family, player) for player in players]
            for number, first in enumerate(columns[0]):
                rest = self._rest(first, family)
                cells = []
                for player, column in zip(players, columns, strict=True):
                    place = column[number]
                    if self._is_private(family.kind) and self.at[place].pieces is not None:
                        count = len(self._pieces(place))
                        cells.append(str(count) if count else "")
                    else:
                        cells.append(self._content(place, player))
                rows.append(Row(f"{label} ({rest})" if rest else label, tuple(cells)))
        for info in self._states("Player"):
            rows.append(Row(self.looks.state(info), tuple(self._value(info, p) for p in players)))
        return table_lines(head, rows, self.columns)

    def _own(self) -> list[str]:
        """What only this seat sees of its places."""
        lines = []
        for family in self.plan.with_player:
            if not self._is_private(family.kind):
                continue
            for place in self._placed(family, self.view.seat):
                content = self._content(place, self.view.seat)
                if content:
                    rest = self._rest(place, family)
                    name = self.looks.name(family.kind) + (f" ({rest})" if rest else "")
                    label = self.artist.say("yours", place=name)
                    lines += wrap(f"{self._heading(label)} {content}", self.columns, "  ")
        return lines


def face_columns(table: Table, value: Value) -> dict[str, Value]:
    """What the tables say about a value or face."""
    if not isinstance(value, Thing):
        return {}
    if value.kind.startswith(face_kind("")) or value.columns:
        return {name: cell for name, cell in value.columns.items() if name != "count"}
    return {}
