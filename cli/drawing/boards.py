"""Boards: grids, pictures, rings, lines, and named places side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ruledsl.model.game import NetworkShape, StateInfo
from ruledsl.model.types import NumberType, plain
from ruledsl.scene.arrangement import is_ring
from ruledsl.table.things import Thing
from ruledsl.texts import terminal

from .drawn_view import DrawnView
from .grid import grid_lines
from .mapped_places import Node, margins, pairs, picture_lines, unseen
from .piece_names import Codes
from .text import flow, initials, pad, safe, styled, together, width, wrap
from .word_table import MOST_LABEL, NARROW, Row, table_lines

LONG_ROW = 8
"""A ring or line with more places than this is drawn in letters."""


def grid(drawn: DrawnView, kind: str) -> list[str]:
    size = drawn.table.size(kind)
    assert size is not None
    codes = drawn.naming.codes([kind])
    grounds = drawn.grounds[kind]
    families = drawn.arrangement.with_place.get(kind, ())
    letters = [_letters(drawn, values, size[0] * size[1]) for _, values in grounds]
    boxes = bool(grounds or families)

    def cell(col: int, row: int) -> Sequence[str]:
        place = drawn.table.nth(kind, (col, row))
        assert place is not None
        found = " ".join(codes.counted(drawn.pieces(place), drawn.at))
        if not boxes:
            return (found or drawn.dot(place),)
        signs = []
        for (_, values), names in zip(grounds, letters, strict=True):
            value = values.get(place)
            signs.append("" if value is None else names.get(drawn.naming.thing(value), ""))
        ground_text = styled(" ".join(filter(None, signs)), "dim")
        stuff = " ".join(drawn.beside(kind, place, codes))
        top = found or (styled("+", "bold") if place in drawn.marked else " ")
        return (f"{top} {stuff}".strip() or " ", ground_text)

    lines = grid_lines(size, cell, drawn.columns, boxes=boxes)
    notes = [
        together(f"{name} = {label}")
        for names in letters
        for label, name in names.items()
        if name != label
    ]
    states = [
        f"{safe(drawn.words.place(place))}: {text}"
        for place in drawn.table.things(kind)
        for text in drawn.set_states(kind, place)
    ]
    lines += flow([*codes.legend(drawn.say), *notes], drawn.columns, gap="   ")
    return lines + flow(states, drawn.columns, gap="   ")


def _letters(drawn: DrawnView, values: dict[Thing, Thing], cells: int) -> dict[str, str]:
    """Letters for the ground; the usual one has none."""
    labels = [drawn.naming.thing(value) for value in values.values()]
    names = initials(labels)
    return {
        label: label if len(label) <= 2 else name.lower()
        for label, name in names.items()
        if labels.count(label) * 2 <= cells
    }


def picture(drawn: DrawnView, kinds: Sequence[str]) -> list[str]:
    codes = drawn.naming.codes(kinds)
    places = [
        place for kind in kinds for place in drawn.table.things(kind) if place.col is not None
    ]
    edge, named = margins(places)
    nodes = {place: _node(drawn, place, place in named, codes) for place in places}
    joined = []
    for kind in kinds:
        shape = drawn.info(kind).shape
        if isinstance(shape, NetworkShape):
            joined += [
                (nodes[drawn.table.named(kind, one)], nodes[drawn.table.named(kind, other)])
                for one, other in pairs(shape.paths)
                if drawn.table.named(kind, one) in nodes and drawn.table.named(kind, other) in nodes
            ]
    lines = picture_lines(list(nodes.values()), joined, edge, drawn.columns)
    lines += drawn.legend(codes)
    called = {id(node): safe(drawn.words.place(place)) for place, node in nodes.items()}
    hidden = [
        f"{called[id(one)]}–{called[id(other)]}"
        for one, other in unseen(joined, list(nodes.values()))
    ]
    if hidden:
        text = drawn.say(terminal.JOINED, places=", ".join(hidden))
        lines += [styled(line, "dim") for line in wrap(text, drawn.columns, "  ")]
    return lines


def _node(drawn: DrawnView, place: Thing, is_named: bool, codes: Codes) -> Node:
    assert place.col is not None and place.row is not None
    found = codes.counted(drawn.pieces(place), drawn.at)
    inside = [" ".join(found)] if found else []
    inside += drawn.beside(place.kind, place, codes)
    inside += drawn.set_states(place.kind, place)
    if is_named:
        return Node(place.col, place.row, None, tuple(inside or [drawn.dot(place)]))
    name = safe(drawn.words.place(place))
    if place in drawn.marked:
        name = styled(name, "bold")
    return Node(place.col, place.row, name, tuple(inside))


def row(drawn: DrawnView, kind: str) -> list[str]:
    """A ring, a line, or named places: side by side, with what belongs to them below."""
    places = drawn.table.things(kind)
    if not places:
        return []
    info = drawn.table.game.kinds[kind]
    label = drawn.naming.name(kind)
    if not info.rows and len(places) > LONG_ROW:
        return _long_row(drawn, kind, places, label)
    names = [safe(drawn.words.place(place)) for place in places]
    head = [
        styled(name, "bold") if place in drawn.marked else name
        for place, name in zip(places, names, strict=True)
    ]
    if is_ring(info):
        head = [f"{name} →" for name in head]
    lines = []
    room = max(drawn.columns, NARROW) - MOST_LABEL
    if not info.rows and sum(map(width, head)) + 2 * len(head) > room:
        lines = drawn.heading(label)
        head = [str(place.index + 1) for place in places]
    held = drawn.info(kind).holds
    single = len(held) == 1 and _has_room_for_one(drawn, kind)
    rows = [
        Row(
            ", ".join(drawn.naming.name(each) for each in held),
            tuple(drawn.content(place, numbers=not single) or "–" for place in places),
        )
    ]
    if single:
        rows += _number_rows(drawn, held[0], places)
    rows += _family_rows(drawn, kind, places)
    rows += [
        Row(drawn.naming.state(state), tuple(_shown(drawn, state, place) for place in places))
        for state in drawn.states(kind)
    ]
    if info.rows:
        rows += [
            Row(
                safe(drawn.words.name(column.name)),
                tuple(drawn.naming.thing(place.columns[column.name]) for place in places),
            )
            for column in info.columns
            if isinstance(plain(column.type), NumberType)
        ]
    lines += table_lines(head, rows, drawn.columns)
    if is_ring(info):
        closing = drawn.say(terminal.RING, last=names[-1], first=names[0])
        lines += [styled(line, "dim") for line in wrap(closing, drawn.columns)]
    return lines


def _has_room_for_one(drawn: DrawnView, kind: str) -> bool:
    return all(drawn.table.rooms[place] == 1 for place in drawn.table.things(kind))


def _number_rows(drawn: DrawnView, kind: str, places: Sequence[Thing]) -> list[Row]:
    """The numbers of the pieces in a row, where each place has at most one piece."""
    rows = []
    for info in drawn.states(kind):
        if isinstance(plain(info.type), NumberType):
            cells = []
            for place in places:
                states = dict(piece.states) if (piece := drawn.top(place)) else {}
                cells.append(drawn.naming.thing(states[info.key]) if info.key in states else "")
            rows.append(Row(drawn.naming.state(info), tuple(cells)))
    return rows


def _shown(drawn: DrawnView, info: StateInfo, place: Thing) -> str:
    value = drawn.slots.get((info.key, place))
    return "" if value is None or drawn.is_usual(info, place, value) else drawn.naming.thing(value)


def _family_rows(drawn: DrawnView, kind: str, places: Sequence[Thing]) -> list[Row]:
    rows = []
    for family in drawn.arrangement.with_place.get(kind, ()):
        label = drawn.naming.name(family.kind)
        columns = [drawn.placed(family, place) for place in places]
        for number, first in enumerate(columns[0]):
            rest = drawn.rest(first, family)
            rows.append(
                Row(
                    f"{label} ({rest})" if rest else label,
                    tuple(drawn.content(column[number]) for column in columns),
                )
            )
    return rows


def _long_row(drawn: DrawnView, kind: str, places: Sequence[Thing], label: str) -> list[str]:
    codes = drawn.naming.codes([kind])
    head = []
    for place in places:
        number = str(place.index + 1)
        head.append(styled(number, "bold") if place in drawn.marked else number)
    cells = []
    for place in places:
        inside = codes.counted(drawn.pieces(place), drawn.at)
        inside += drawn.beside(kind, place, codes)
        cells.append(" ".join([*inside, *drawn.set_states(kind, place)]) or styled("·", "dim"))
    wide = [max(width(one), width(other)) for one, other in zip(head, cells, strict=True)]
    lines = drawn.heading(label)
    start = 0
    while start < len(places):
        end = start + 1
        while end < len(places) and sum(wide[start : end + 1]) + end - start <= drawn.columns:
            end += 1
        rest = len(places) - start
        end = min(end, start + -(-rest // -(-rest // (end - start))))
        for texts in (head, cells):
            part = zip(texts[start:end], wide[start:end], strict=True)
            line = " ".join(pad(text, columns, right=True) for text, columns in part)
            lines.append(styled(line, "dim") if texts is head else line)
        start = end
    return lines + drawn.legend(codes)
