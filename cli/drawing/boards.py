"""Boards: grids, pictures, rings, lines, and named places side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ruledsl.model.game import NetworkShape, StateInfo
from ruledsl.model.types import NumberType, plain
from ruledsl.table.things import Thing

from .columns import MOST_LABEL, NARROW, Row, table_lines
from .easel import Easel
from .grid import grid_lines
from .looks import Codes
from .picture import Node, margins, pairs, picture_lines, unseen
from .plan import is_ring
from .text import flow, initials, pad, safe, styled, together, width, wrap

LONG_ROW = 8
"""A ring or line with more places than this is drawn in letters."""


def grid(easel: Easel, kind: str) -> list[str]:
    size = easel.table.size(kind)
    assert size is not None
    codes = easel.looks.codes([kind])
    grounds = easel.grounds[kind]
    families = easel.plan.with_place.get(kind, ())
    letters = [_letters(easel, values, size[0] * size[1]) for _, values in grounds]
    boxes = bool(grounds or families)

    def cell(col: int, row: int) -> Sequence[str]:
        place = easel.table.nth(kind, (col, row))
        assert place is not None
        found = " ".join(codes.counted(easel.pieces(place), easel.at))
        if not boxes:
            return (found or easel.dot(place),)
        signs = []
        for (_, values), names in zip(grounds, letters, strict=True):
            value = values.get(place)
            signs.append("" if value is None else names.get(easel.looks.thing(value), ""))
        ground_text = styled(" ".join(filter(None, signs)), "dim")
        stuff = " ".join(easel.beside(kind, place, codes))
        top = found or (styled("+", "bold") if place in easel.marked else " ")
        return (f"{top} {stuff}".strip() or " ", ground_text)

    lines = grid_lines(size, cell, easel.columns, boxes=boxes)
    notes = [
        together(f"{name} = {label}")
        for names in letters
        for label, name in names.items()
        if name != label
    ]
    states = [
        f"{safe(easel.words.place(place))}: {text}"
        for place in easel.table.things(kind)
        for text in easel.set_states(kind, place)
    ]
    lines += flow([*codes.legend(easel.say), *notes], easel.columns, gap="   ")
    return lines + flow(states, easel.columns, gap="   ")


def _letters(easel: Easel, values: dict[Thing, Thing], cells: int) -> dict[str, str]:
    """Letters for the ground; the usual one has none."""
    labels = [easel.looks.thing(value) for value in values.values()]
    names = initials(labels)
    return {
        label: label if len(label) <= 2 else name.lower()
        for label, name in names.items()
        if labels.count(label) * 2 <= cells
    }


def picture(easel: Easel, kinds: Sequence[str]) -> list[str]:
    codes = easel.looks.codes(kinds)
    places = [
        place for kind in kinds for place in easel.table.things(kind) if place.col is not None
    ]
    edge, named = margins(places)
    nodes = {place: _node(easel, place, place in named, codes) for place in places}
    joined = []
    for kind in kinds:
        shape = easel.info(kind).shape
        if isinstance(shape, NetworkShape):
            joined += [
                (nodes[easel.table.named(kind, one)], nodes[easel.table.named(kind, other)])
                for one, other in pairs(shape.paths)
                if easel.table.named(kind, one) in nodes and easel.table.named(kind, other) in nodes
            ]
    lines = picture_lines(list(nodes.values()), joined, edge, easel.columns)
    lines += easel.legend(codes)
    called = {id(node): safe(easel.words.place(place)) for place, node in nodes.items()}
    hidden = [
        f"{called[id(one)]}–{called[id(other)]}"
        for one, other in unseen(joined, list(nodes.values()))
    ]
    if hidden:
        text = easel.say("joined", places=", ".join(hidden))
        lines += [styled(line, "dim") for line in wrap(text, easel.columns, "  ")]
    return lines


def _node(easel: Easel, place: Thing, is_named: bool, codes: Codes) -> Node:
    assert place.col is not None and place.row is not None
    found = codes.counted(easel.pieces(place), easel.at)
    inside = [" ".join(found)] if found else []
    inside += easel.beside(place.kind, place, codes)
    inside += easel.set_states(place.kind, place)
    if is_named:
        return Node(place.col, place.row, None, tuple(inside or [easel.dot(place)]))
    name = safe(easel.words.place(place))
    if place in easel.marked:
        name = styled(name, "bold")
    return Node(place.col, place.row, name, tuple(inside))


def row(easel: Easel, kind: str) -> list[str]:
    """A ring, a line, or named places: side by side, with what belongs to them below."""
    places = easel.table.things(kind)
    if not places:
        return []
    info = easel.table.game.kinds[kind]
    label = easel.looks.name(kind)
    if not info.rows and len(places) > LONG_ROW:
        return _long_row(easel, kind, places, label)
    names = [safe(easel.words.place(place)) for place in places]
    head = [
        styled(name, "bold") if place in easel.marked else name
        for place, name in zip(places, names, strict=True)
    ]
    if is_ring(info):
        head = [f"{name} →" for name in head]
    lines = []
    room = max(easel.columns, NARROW) - MOST_LABEL
    if not info.rows and sum(map(width, head)) + 2 * len(head) > room:
        lines = easel.heading(label)
        head = [str(place.index + 1) for place in places]
    held = easel.info(kind).holds
    single = len(held) == 1 and _has_room_for_one(easel, kind)
    rows = [
        Row(
            ", ".join(easel.looks.name(each) for each in held),
            tuple(easel.content(place, numbers=not single) or "–" for place in places),
        )
    ]
    if single:
        rows += _number_rows(easel, held[0], places)
    rows += _family_rows(easel, kind, places)
    rows += [
        Row(easel.looks.state(state), tuple(_shown(easel, state, place) for place in places))
        for state in easel.states(kind)
    ]
    if info.rows:
        rows += [
            Row(
                safe(easel.words.name(column.name)),
                tuple(easel.looks.thing(place.columns[column.name]) for place in places),
            )
            for column in info.columns
            if isinstance(plain(column.type), NumberType)
        ]
    lines += table_lines(head, rows, easel.columns)
    if is_ring(info):
        closing = easel.say("ring", last=names[-1], first=names[0])
        lines += [styled(line, "dim") for line in wrap(closing, easel.columns)]
    return lines


def _has_room_for_one(easel: Easel, kind: str) -> bool:
    return all(easel.table.rooms[place] == 1 for place in easel.table.things(kind))


def _number_rows(easel: Easel, kind: str, places: Sequence[Thing]) -> list[Row]:
    """The numbers of the pieces in a row, where each place has at most one piece."""
    rows = []
    for info in easel.states(kind):
        if isinstance(plain(info.type), NumberType):
            cells = []
            for place in places:
                states = dict(piece.states) if (piece := easel.top(place)) else {}
                cells.append(easel.looks.thing(states[info.key]) if info.key in states else "")
            rows.append(Row(easel.looks.state(info), tuple(cells)))
    return rows


def _shown(easel: Easel, info: StateInfo, place: Thing) -> str:
    value = easel.slots.get((info.key, place))
    return "" if value is None or easel.is_usual(info, place, value) else easel.looks.thing(value)


def _family_rows(easel: Easel, kind: str, places: Sequence[Thing]) -> list[Row]:
    rows = []
    for family in easel.plan.with_place.get(kind, ()):
        label = easel.looks.name(family.kind)
        columns = [easel.placed(family, place) for place in places]
        for number, first in enumerate(columns[0]):
            rest = easel.rest(first, family)
            rows.append(
                Row(
                    f"{label} ({rest})" if rest else label,
                    tuple(easel.content(column[number]) for column in columns),
                )
            )
    return rows


def _long_row(easel: Easel, kind: str, places: Sequence[Thing], label: str) -> list[str]:
    codes = easel.looks.codes([kind])
    head = []
    for place in places:
        number = str(place.index + 1)
        head.append(styled(number, "bold") if place in easel.marked else number)
    cells = []
    for place in places:
        inside = codes.counted(easel.pieces(place), easel.at)
        inside += easel.beside(kind, place, codes)
        cells.append(" ".join([*inside, *easel.set_states(kind, place)]) or styled("·", "dim"))
    wide = [max(width(one), width(other)) for one, other in zip(head, cells, strict=True)]
    lines = easel.heading(label)
    start = 0
    while start < len(places):
        end = start + 1
        while end < len(places) and sum(wide[start : end + 1]) + end - start <= easel.columns:
            end += 1
        rest = len(places) - start
        end = min(end, start + -(-rest // -(-rest // (end - start))))
        for texts in (head, cells):
            part = zip(texts[start:end], wide[start:end], strict=True)
            line = " ".join(pad(text, columns, right=True) for text, columns in part)
            lines.append(styled(line, "dim") if texts is head else line)
        start = end
    return lines + easel.legend(codes)
