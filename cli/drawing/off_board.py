"""What is no board: piles and other places, values, and what the players have."""

from __future__ import annotations

from collections.abc import Sequence

from ruledsl.scene.data import Seat, StagePlace, Stat
from ruledsl.texts import terminal

from .tableau import Tableau
from .text import coloured, flow, pad, safe, styled, width, wrap
from .word_table import Row, line_of, table_lines


def families(drawn: Tableau) -> list[list[str]]:
    """Families of places that belong to values, such as a pile for each kind of card."""
    found: dict[str, list[StagePlace]] = {}
    for place in drawn.stage.places:
        if place.board is None and place.host is None and place.owner is None and place.rest:
            found.setdefault(place.kind, []).append(place)
    return [_family(drawn, places) for places in found.values()]


def _family(drawn: Tableau, places: Sequence[StagePlace]) -> list[str]:
    if any(place.facts for place in places):
        return _listed(drawn, places)
    if any(", " in place.rest for place in places):
        items = [
            f"{drawn.label(place)}: {content}"
            for place in places
            if (content := drawn.current(place, under=(safe(place.label),)))
        ]
        return flow(items, drawn.columns, gap="   ")
    head = [drawn.label(place, place.rest) for place in places]
    contents = [
        drawn.current(p, under=(safe(p.name), safe(p.rest))) or drawn.sign("–") for p in places
    ]
    if drawn.dense:
        label = styled(safe(places[0].name), "bold")
        return line_of(label, head, contents, drawn.columns)
    return table_lines(head, [Row(safe(places[0].name), tuple(contents))], drawn.columns)


def _listed(drawn: Tableau, places: Sequence[StagePlace]) -> list[str]:
    """A line for each value, with what its table says; in brackets where there is no room."""
    columns = {fact.name: fact.label for place in places for fact in place.facts}
    table = [["", *(safe(label) for label in columns.values())]]
    for place in places:
        pieces = drawn.pieces(place)
        same = all(piece.label == place.rest for piece in pieces)
        content = str(len(pieces)) if same and pieces else drawn.content(place)
        first = drawn.label(place, f"{place.rest}: {content or drawn.sign('–')}")
        facts = {fact.name: safe(fact.text) for fact in place.facts if fact.text != "0"}
        table.append([drawn.news(place, first), *(facts.get(name, "") for name in columns)])
    wide = [max(width(line[at]) for line in table) for at in range(len(table[0]))]
    label = safe(places[0].name)
    free = drawn.columns - sum(wide)
    if free < len(wide) - 1:
        head = table[0]
        told = (
            [said if said.isalpha() else f"{name} {said}" for name, said in pairs if said]
            for pairs in (zip(head[1:], line[1:], strict=True) for line in table[1:])
        )
        items = [
            f"{line[0]} ({', '.join(said)})" if said else line[0]
            for line, said in zip(table[1:], told, strict=True)
        ]
        return [*drawn.heading(label), *flow(items, drawn.columns, gap="   ")]
    gap = "  " if free >= 2 * (len(wide) - 1) else " "
    lines = [gap.join(pad(text, w) for text, w in zip(line, wide, strict=True)) for line in table]
    lines[0] = styled(pad(label, wide[0]), "bold") + styled(lines[0][wide[0] :], "dim")
    return [line.rstrip() for line in lines]


def shelf(drawn: Tableau) -> list[str]:
    """Single places: what lies there, and which are empty."""
    full: list[str] = []
    empty: list[str] = []
    for place in drawn.stage.places:
        if place.board is None and place.host is None and place.owner is None and not place.rest:
            content = drawn.current(place, under=(safe(place.label),))
            if content:
                full.append(f"{styled(safe(place.label) + ':', 'dim')} {content}")
            else:
                empty.append(safe(place.label))
    if empty:
        text = drawn.say(terminal.EMPTY, places=", ".join(empty))
        full.append(styled(text, "dim"))
    return full


def values(drawn: Tableau) -> list[str]:
    """The values of the game, and those of values such as teams."""
    return [f"{styled(safe(stat.label) + ':', 'dim')} {shown(stat)}" for stat in drawn.scene.stats]


def shown(stat: Stat) -> str:
    return coloured(safe(stat.text), stat.colour)


def _owned(drawn: Tableau, place: StagePlace, seat: Seat) -> str:
    """What a player has in a place; of a hand, how much, and what one knows of another's."""
    pieces = drawn.pieces(place)
    unknown = all(not piece.known for piece in pieces)
    if place.sight == "private" and (seat.you or unknown):
        return drawn.news(place, str(len(pieces))) if pieces else ""
    return drawn.current(place, seat.number, under=(safe(place.name),))


def players(drawn: Tableau) -> list[str]:
    """A table of the players: what belongs to them, and their values."""
    say, seats = drawn.say, drawn.scene.seats
    head = []
    for seat in seats:
        notes = [say(terminal.YOU)] if seat.you and drawn.playing else []
        notes += [say(terminal.OUT)] if seat.out else []
        name = drawn.names.player(seat.number)
        sign = drawn.signs.get(seat.number)
        name = name if sign is None else f"{sign} {name}"
        name = f"{drawn.sign('▶')} {name}" if seat.active else name
        head.append(f"{name} ({', '.join(notes)})" if notes else name)
    columns = [list(drawn.of(seat)) for seat in seats]
    rows = _progress_rows(drawn)
    for number, first in enumerate(columns[0] if columns else ()):
        cells = [
            _owned(drawn, column[number], seat) for seat, column in zip(seats, columns, strict=True)
        ]
        label = f"{first.name} ({first.rest})" if first.rest else first.name
        rows.append(Row(safe(label), tuple(cells)))
    stats = {stat.key: stat.label for seat in seats for stat in seat.stats}
    ways = [None if seat.progress is None else seat.progress.value for seat in seats]
    for key, label in stats.items():
        found = [next((s for s in seat.stats if s.key == key), None) for seat in seats]
        if None not in ways and [stat and stat.number for stat in found] == ways:
            continue  # how far each one is was told already
        rows.append(Row(safe(label), tuple("" if stat is None else shown(stat) for stat in found)))
    return table_lines(head, rows, drawn.columns, dense=drawn.dense)


def _progress_rows(drawn: Tableau) -> list[Row]:
    """How far each player is, with a bar where there is room in the number."""
    found = [seat.progress for seat in drawn.scene.seats]
    if any(each is None for each in found):
        return []
    ways = [each for each in found if each is not None]
    cells = (
        str(way.value)
        if way.goal is None
        else drawn.say(terminal.PROGRESS, value=str(way.value), goal=str(way.goal))
        for way in ways
    )
    return [Row(safe(ways[0].unit) or drawn.say(terminal.AIM_ROW), tuple(cells))]


def own(drawn: Tableau) -> list[str]:
    """What only this seat sees of its places."""
    lines = []
    for seat in drawn.scene.seats:
        for place in drawn.of(seat) if seat.you else ():
            content = drawn.content(place, seat.number) if place.sight == "private" else ""
            if content:
                name = f"{place.name} ({place.rest})" if place.rest else place.name
                label = drawn.say(terminal.YOURS, place=safe(name))
                lines += wrap(f"{styled(label, 'bold')} {content}", drawn.columns, "  ")
    return lines
