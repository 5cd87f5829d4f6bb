"""What is no board: piles and other places, values, and what the players have."""

from __future__ import annotations

from collections.abc import Sequence

from ruledsl.table.things import Thing

from .columns import Row, table_lines
from .easel import Easel
from .text import flow, pad, safe, styled, width, wrap


def family(easel: Easel, kind: str) -> list[str]:
    """A family of places that belongs to values, such as a pile for each kind of card."""
    info = easel.table.game.kinds[kind]
    places = easel.table.things(kind)
    label = easel.looks.name(kind)
    if len(info.indexes) == 1:
        index = info.indexes[0]
        owners = [place.indexes[index.name] for place in places]
        columns = list(owners[0].columns) if owners and isinstance(owners[0], Thing) else []
        if columns:
            return _listed(easel, label, places, [o for o in owners if isinstance(o, Thing)])
        head = [easel.looks.thing(owner) for owner in owners]
        row = Row(label, tuple(easel.content(place) or "–" for place in places))
        return table_lines(head, [row], easel.columns)
    items = [
        f"{safe(easel.words.place(place))}: {content}"
        for place in places
        if (content := easel.content(place))
    ]
    return flow(items, easel.columns, gap="   ")


def _listed(
    easel: Easel, label: str, places: Sequence[Thing], owners: Sequence[Thing]
) -> list[str]:
    """A line for each value, with what its columns say."""
    columns = [
        name
        for name in owners[0].columns
        if name != "count" and any(owner.columns[name] for owner in owners)
    ]
    head = ["", *(easel.looks.name(name) for name in columns)]
    table = [head]
    for place, owner in zip(places, owners, strict=True):
        pieces = easel.pieces(place)
        same = all(view.piece is not None and view.piece.face is owner for view in pieces)
        content = str(len(pieces)) if same else easel.content(place)
        name = safe(easel.words.value(owner))
        first = f"{name}: {content or '–'}"
        if owner in easel.marked or place in easel.marked:
            first = styled(first, "bold")
        values = [owner.columns[column] for column in columns]
        table.append([first, *(easel.looks.thing(value) if value else "" for value in values)])
    wide = [max(width(line[at]) for line in table) for at in range(len(head))]
    if sum(wide) + 2 * len(wide) > easel.columns:
        return [
            *easel.heading(label),
            *flow([line[0] for line in table[1:]], easel.columns, gap="   "),
        ]
    lines = ["  ".join(pad(text, w) for text, w in zip(line, wide, strict=True)) for line in table]
    lines[0] = styled(pad(label, wide[0]), "bold") + styled(lines[0][wide[0] :], "dim")
    return [line.rstrip() for line in lines]


def shelf(easel: Easel) -> list[str]:
    """Single places: what lies there, and which are empty."""
    full, empty = [], []
    for kind in easel.plan.singles:
        (place,) = easel.table.things(kind)
        label = easel.looks.name(kind)
        content = easel.content(place)
        if content:
            full.append(f"{styled(label + ':', 'dim')} {content}")
        else:
            empty.append(label)
    if empty:
        text = easel.say("empty", places=", ".join(empty))
        full.append(styled(text, "dim"))
    return flow(full, easel.columns, gap="   ")


def values(easel: Easel) -> list[str]:
    """The slots of the game, and those of values such as teams."""
    items = []
    for info in easel.states(None):
        text = easel.value(info, None)
        if text:
            items.append(f"{styled(easel.looks.state(info) + ':', 'dim')} {text}")
    for info in easel.table.game.states.values():
        owner = easel.table.game.kinds.get(info.owner or "")
        if owner is not None and owner.sort in ("enumeration", "product", "direction"):
            for thing in easel.table.things(owner.name):
                text = easel.value(info, thing)
                if text:
                    name = f"{easel.looks.state(info)} ({easel.looks.thing(thing)}):"
                    items.append(f"{styled(name, 'dim')} {text}")
    return flow(items, easel.columns, gap="   ")


def _is_private(easel: Easel, kind: str) -> bool:
    return easel.info(kind).sight == "private"


def _owned(easel: Easel, place: Thing, player: Thing) -> str:
    """What a player has in a place; of a hand, how much, and what one knows of another's."""
    pieces = easel.pieces(place)
    mine = player is easel.view.seat
    if _is_private(easel, place.kind) and (mine or all(view.piece is None for view in pieces)):
        return str(len(pieces)) if pieces else ""
    return easel.content(place, player)


def players(easel: Easel) -> list[str]:
    """A table of the players: what belongs to them, and their values."""
    players = easel.table.things("Player")
    say = easel.say
    head = []
    for player in players:
        name = easel.looks.player(player)
        notes = []
        if player is easel.view.seat and easel.playing:
            notes.append(say("you"))
        if player not in easel.view.playing:
            notes.append(say("out"))
        if player is easel.view.active:
            name = f"▶ {name}"
        head.append(f"{name} ({', '.join(notes)})" if notes else name)
    rows = []
    for family in easel.plan.with_player:
        label = easel.looks.name(family.kind)
        columns = [easel.placed(family, player) for player in players]
        for number, first in enumerate(columns[0]):
            rest = easel.rest(first, family)
            cells = []
            for player, column in zip(players, columns, strict=True):
                place = column[number]
                cells.append(_owned(easel, place, player))
            rows.append(Row(f"{label} ({rest})" if rest else label, tuple(cells)))
    rows += [
        Row(easel.looks.state(info), tuple(easel.value(info, player) for player in players))
        for info in easel.states("Player")
    ]
    return table_lines(head, rows, easel.columns)


def own(easel: Easel) -> list[str]:
    """What only this seat sees of its places."""
    lines = []
    for family in easel.plan.with_player:
        if not _is_private(easel, family.kind):
            continue
        for place in easel.placed(family, easel.view.seat):
            content = easel.content(place, easel.view.seat)
            if content:
                rest = easel.rest(place, family)
                name = easel.looks.name(family.kind) + (f" ({rest})" if rest else "")
                label = easel.say("yours", place=name)
                lines += wrap(f"{styled(label, 'bold')} {content}", easel.columns, "  ")
    return lines
