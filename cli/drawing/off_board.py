"""What is no board: piles and other places, values, and what the players have."""

from __future__ import annotations

from collections.abc import Sequence

from ruledsl.table.things import Thing
from ruledsl.texts import terminal

from .drawn_view import DrawnView
from .text import flow, pad, safe, styled, width, wrap
from .word_table import Row, table_lines


def family(drawn: DrawnView, kind: str) -> list[str]:
    """A family of places that belongs to values, such as a pile for each kind of card."""
    info = drawn.table.game.kinds[kind]
    places = drawn.table.things(kind)
    label = drawn.naming.name(kind)
    if len(info.indexes) == 1:
        index = info.indexes[0]
        owners = [place.indexes[index.name] for place in places]
        columns = list(owners[0].columns) if owners and isinstance(owners[0], Thing) else []
        if columns:
            return _listed(drawn, label, places, [o for o in owners if isinstance(o, Thing)])
        head = [drawn.naming.thing(owner) for owner in owners]
        row = Row(label, tuple(drawn.content(place) or "–" for place in places))
        return table_lines(head, [row], drawn.columns)
    items = [
        f"{safe(drawn.words.place(place))}: {content}"
        for place in places
        if (content := drawn.content(place))
    ]
    return flow(items, drawn.columns, gap="   ")


def _listed(
    drawn: DrawnView, label: str, places: Sequence[Thing], owners: Sequence[Thing]
) -> list[str]:
    """A line for each value, with what its columns say."""
    columns = [
        name
        for name in owners[0].columns
        if name != "count" and any(owner.columns[name] for owner in owners)
    ]
    head = ["", *(drawn.naming.name(name) for name in columns)]
    table = [head]
    for place, owner in zip(places, owners, strict=True):
        pieces = drawn.pieces(place)
        same = all(view.piece is not None and view.piece.face is owner for view in pieces)
        content = str(len(pieces)) if same else drawn.content(place)
        name = safe(drawn.words.value(owner))
        first = f"{name}: {content or '–'}"
        if owner in drawn.marked or place in drawn.marked:
            first = styled(first, "bold")
        values = [owner.columns[column] for column in columns]
        table.append([first, *(drawn.naming.thing(value) if value else "" for value in values)])
    wide = [max(width(line[at]) for line in table) for at in range(len(head))]
    if sum(wide) + 2 * len(wide) > drawn.columns:
        return [
            *drawn.heading(label),
            *flow([line[0] for line in table[1:]], drawn.columns, gap="   "),
        ]
    lines = ["  ".join(pad(text, w) for text, w in zip(line, wide, strict=True)) for line in table]
    lines[0] = styled(pad(label, wide[0]), "bold") + styled(lines[0][wide[0] :], "dim")
    return [line.rstrip() for line in lines]


def shelf(drawn: DrawnView) -> list[str]:
    """Single places: what lies there, and which are empty."""
    full, empty = [], []
    for kind in drawn.arrangement.singles:
        (place,) = drawn.table.things(kind)
        label = drawn.naming.name(kind)
        content = drawn.content(place)
        if content:
            full.append(f"{styled(label + ':', 'dim')} {content}")
        else:
            empty.append(label)
    if empty:
        text = drawn.say(terminal.EMPTY, places=", ".join(empty))
        full.append(styled(text, "dim"))
    return flow(full, drawn.columns, gap="   ")


def values(drawn: DrawnView) -> list[str]:
    """The slots of the game, and those of values such as teams."""
    items = []
    for info in drawn.states(None):
        text = drawn.value(info, None)
        if text:
            items.append(f"{styled(drawn.naming.state(info) + ':', 'dim')} {text}")
    for info in drawn.table.game.states.values():
        owner = drawn.table.game.kinds.get(info.owner or "")
        if owner is not None and owner.sort in ("enumeration", "product", "direction"):
            for thing in drawn.table.things(owner.name):
                text = drawn.value(info, thing)
                if text:
                    name = f"{drawn.naming.state(info)} ({drawn.naming.thing(thing)}):"
                    items.append(f"{styled(name, 'dim')} {text}")
    return flow(items, drawn.columns, gap="   ")


def _is_private(drawn: DrawnView, kind: str) -> bool:
    return drawn.info(kind).sight == "private"


def _owned(drawn: DrawnView, place: Thing, player: Thing) -> str:
    """What a player has in a place; of a hand, how much, and what one knows of another's."""
    pieces = drawn.pieces(place)
    mine = player is drawn.view.seat
    if _is_private(drawn, place.kind) and (mine or all(view.piece is None for view in pieces)):
        return str(len(pieces)) if pieces else ""
    return drawn.content(place, player)


def players(drawn: DrawnView) -> list[str]:
    """A table of the players: what belongs to them, and their values."""
    players = drawn.table.things("Player")
    say = drawn.say
    head = []
    for player in players:
        name = drawn.naming.player(player)
        notes = []
        if player is drawn.view.seat and drawn.playing:
            notes.append(say(terminal.YOU))
        if player not in drawn.view.playing:
            notes.append(say(terminal.OUT))
        if player is drawn.view.active:
            name = f"▶ {name}"
        head.append(f"{name} ({', '.join(notes)})" if notes else name)
    rows = []
    for family in drawn.arrangement.with_player:
        label = drawn.naming.name(family.kind)
        columns = [drawn.placed(family, player) for player in players]
        for number, first in enumerate(columns[0]):
            rest = drawn.rest(first, family)
            cells = []
            for player, column in zip(players, columns, strict=True):
                place = column[number]
                cells.append(_owned(drawn, place, player))
            rows.append(Row(f"{label} ({rest})" if rest else label, tuple(cells)))
    rows += [
        Row(drawn.naming.state(info), tuple(drawn.value(info, player) for player in players))
        for info in drawn.states("Player")
    ]
    return table_lines(head, rows, drawn.columns)


def own(drawn: DrawnView) -> list[str]:
    """What only this seat sees of its places."""
    seat = drawn.view.seat
    if seat is None:
        return []
    lines = []
    for family in drawn.arrangement.with_player:
        if not _is_private(drawn, family.kind):
            continue
        for place in drawn.placed(family, seat):
            content = drawn.content(place, seat)
            if content:
                rest = drawn.rest(place, family)
                name = drawn.naming.name(family.kind) + (f" ({rest})" if rest else "")
                label = drawn.say(terminal.YOURS, place=name)
                lines += wrap(f"{styled(label, 'bold')} {content}", drawn.columns, "  ")
    return lines
