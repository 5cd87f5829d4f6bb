"""Boards: grids, pictures, rings, lines, and named places side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import zip_longest

from ruledsl.scene.cropping import window
from ruledsl.scene.data import Board, Fact, Piece, StagePlace, Stat
from ruledsl.texts import terminal

from .grid import Cell, Grid, Side, grid_lines
from .hexagons import hexagon_lines
from .mapped_places import Node, margins, picture
from .short_names import MARKS, Codes
from .tableau import Tableau
from .text import coloured, flow, pad, plain, safe, shared_words, styled, together, width, wrap
from .word_table import Row, line_of, table_lines

LONG_ROW = 8
"""A ring or line with more places than this is drawn in letters."""


def boards_lines(drawn: Tableau) -> list[list[str]]:
    """All boards; those that every player has stand side by side."""
    families: dict[str, list[Board]] = {}
    for board in drawn.stage.boards:
        key = board.id if board.owner is None else board.id.partition("(")[0]
        families.setdefault(key, []).append(board)
    return [_alike_lines(drawn, boards) for boards in families.values()]


def _alike_lines(drawn: Tableau, boards: Sequence[Board]) -> list[str]:
    """Boards of one kind, with one legend."""
    if boards[0].form not in ("grid", "hexes"):
        return _side_by_side([_board_lines(drawn, board) for board in boards], drawn.columns)
    codes = drawn.codes()
    lines = _side_by_side([_grid(drawn, board, codes) for board in boards], drawn.columns)
    states = [
        f"{safe(place.label)}: {text}"
        for board in boards
        for place in (*drawn.on(board.id), *drawn.edges_on(board.id))
        for text in _changed_stats(drawn, place)
    ]
    return lines + drawn.legend(codes) + flow(states, drawn.columns, gap="   ")


def _board_lines(drawn: Tableau, board: Board) -> list[str]:
    match board.form:
        case "grid" | "hexes":
            return _grid(drawn, board, drawn.codes())
        case "map" if drawn.on(board.id) and _is_laid_out(drawn, board):
            return [*_picture(drawn, board), *_edges(drawn, board)]
        case "map" | "ring" | "line" | "row":
            return [*_row(drawn, board), *_edges(drawn, board)]


def _is_laid_out(drawn: Tableau, board: Board) -> bool:
    return all(place.x.is_integer() and place.y.is_integer() for place in drawn.on(board.id))


# ------------------------------------------------------------------ grids


def _grid(drawn: Tableau, board: Board, codes: Codes) -> list[str]:
    places, joints = drawn.on(board.id), drawn.edges_on(board.id)
    boxes = board.form == "grid" and any(
        place.grounds or place.id in drawn.belonging for place in places
    )

    printed = _printed(places, codes)

    def cell(place: StagePlace) -> Cell:
        found = " ".join(codes.counted(drawn.pieces(place)))
        fresh = drawn.is_fresh(place)
        below = " ".join(filter(None, (codes.ground(each.label) for each in place.grounds)))
        below = below or printed.get(place.id, "")
        if not boxes:
            ground = styled(below, "dim") if below and place.id not in drawn.marked else ""
            return Cell((found or ground or drawn.dot(place),), fresh)
        stuff = " ".join(_beside(drawn, place, codes, news=False))
        top = found or drawn.plus(place)
        return Cell((f"{top} {stuff}".strip() or " ", styled(below, "dim")), fresh)

    cols, rows = _shown(drawn, board, places)
    at = {place.cell: place for place in places if place.cell is not None}
    cells = {
        (col, row): cell(place) for (col, row), place in at.items() if col in cols and row in rows
    }
    signs = _signs(drawn, joints, codes) if joints else None
    grid = Grid(
        cells,
        cols,
        rows,
        boxes,
        signs,
        board.letters,
        foot=not drawn.dense,
        sides=_sides(drawn) if board.sides else None,
    )
    if any(each.fresh for each in cells.values()):
        drawn.sign("[ ]")
    head = drawn.heading(board.label) if board.owner is not None else []
    draw = hexagon_lines if board.form == "hexes" else grid_lines
    return head + draw(grid, drawn.columns)


def _sides(drawn: Tableau) -> tuple[Side, Side]:
    """The first player has those of the rows, the second those of the columns."""
    first, second = drawn.scene.seats
    for seat, mark in zip((first, second), MARKS, strict=True):
        drawn.signs.setdefault(seat.number, coloured(mark, seat.colour))
    return (
        Side(drawn.signs[first.number], first.colour),
        Side(drawn.signs[second.number], second.colour),
    )


def _printed(places: Sequence[StagePlace], codes: Codes) -> dict[str, str]:
    """The numbers of the only column with numbers: they are printed on the fields."""
    facts = [(p.id, fact) for p in places for fact in p.facts if _is_number(fact.text)]
    labels = {fact.label for _, fact in facts}
    if len(labels) != 1:
        return {}
    numbers = sorted({fact.text for _, fact in facts}, key=int)
    codes.explain(numbers[0] if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}", *labels)
    return {place: fact.text for place, fact in facts}


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def _shown(
    drawn: Tableau, board: Board, places: Sequence[StagePlace]
) -> tuple[Sequence[int], Sequence[int]]:
    """The columns and rows that are drawn: all; of a board without edges what is looked at."""
    cells = [place.cell for place in places if place.cell is not None]
    if board.wrapped is None:
        return tuple(range(1, max(col for col, _ in cells) + 1)), tuple(
            range(1, max(row for _, row in cells) + 1)
        )
    used = [p.cell for p in places if p.cell and (drawn.pieces(p) or p.id in drawn.offered)]
    wide, high = board.wrapped
    return window((col for col, _ in used), wide), window((row for _, row in used), high)


def _signs(
    drawn: Tableau, joints: Sequence[StagePlace], codes: Codes
) -> dict[frozenset[tuple[int, int]], str]:
    """What lies on the edges between cells."""
    cells = {place.id: place.cell for place in drawn.stage.places}
    found: dict[frozenset[tuple[int, int]], str] = {}
    for edge in joints:
        pair = frozenset(cell for end in edge.ends if (cell := cells[end]) is not None)
        text = "".join(codes.counted(drawn.pieces(edge)))
        text = text or drawn.plus(edge)
        if text:
            found[pair] = found.get(pair, "") + text
    return found


def _side_by_side(boards: Sequence[list[str]], columns: int) -> list[str]:
    """Several boards, as many beside each other as there is room for."""
    lines: list[str] = []
    row: list[str] = []
    for board in boards:
        wide = max(map(width, row), default=0)
        if row and wide + 4 + max(map(width, board), default=0) <= columns:
            row = [
                f"{pad(one, wide + 4)}{other}".rstrip()
                for one, other in zip_longest(row, board, fillvalue="")
            ]
        else:
            lines += [*row, ""] if row else []
            row = list(board)
    return lines + row


def _edges(drawn: Tableau, board: Board) -> list[str]:
    """The edges of a network: those the rules say something about, and where something lies."""
    items: dict[str, list[str]] = {}
    for edge in drawn.edges_on(board.id):
        said = [safe(fact.text) for fact in edge.facts]
        content = drawn.current(edge)
        notes = _changed_stats(drawn, edge)
        if said or content or notes or edge.id in drawn.marked:
            facts = f" ({', '.join([*said, *notes])})" if said or notes else ""
            inside = f": {content}" if content else ""
            items.setdefault(edge.name, []).append(f"{drawn.label(edge)}{facts}{inside}")
    lines: list[str] = []
    for name, texts in items.items():
        lines += [*drawn.heading(name), *flow(map(together, texts), drawn.columns, gap="   ")]
    return lines


def _beside(drawn: Tableau, place: StagePlace, codes: Codes, *, news: bool = True) -> list[str]:
    """What lies in the places that belong to a field, in letters; a line for each family."""
    families: dict[str, list[str]] = {}
    for each in drawn.belonging.get(place.id, ()):
        found = codes.counted(drawn.pieces(each))
        if found:
            text = codes.beside(each.rest) + "".join(found)
            families.setdefault(each.kind, []).append(drawn.news(each, text) if news else text)
    return [" ".join(texts) for texts in families.values()]


def _changed_stats(drawn: Tableau, place: StagePlace) -> list[str]:
    return [
        safe(stat.label) if stat.flag else f"{safe(stat.label)} {safe(stat.text)}"
        for stat in drawn.stats(place)
    ]


# ------------------------------------------------------------------ pictures


def _picture(drawn: Tableau, board: Board) -> list[str]:
    codes = drawn.codes()
    places = drawn.on(board.id)
    edge, named = margins(board, places)
    nodes = {place.id: _node(drawn, board, place, place.id in named, codes) for place in places}
    joined = [(nodes[one], nodes[other]) for one, other in board.edges]
    made = picture(list(nodes.values()), joined, edge, drawn.columns, foot=not drawn.dense)
    if drawn.dense:
        drawn.stems[board.id] = [together(f"{stem} = {name}") for stem, name in made.stems.items()]
    else:
        for stem, name in made.stems.items():
            codes.explain(stem, name)
    lines = [*made.lines, *drawn.legend(codes)]
    if made.hidden:
        called = {id(nodes[place.id]): safe(place.label) for place in places}
        pairs = (f"{called[id(one)]}–{called[id(other)]}" for one, other in made.hidden)
        text = drawn.say(terminal.JOINED, places=", ".join(pairs))
        lines += [styled(line, "dim") for line in wrap(text, drawn.columns, "  ")]
    return lines


def _node(drawn: Tableau, board: Board, place: StagePlace, is_named: bool, codes: Codes) -> Node:
    found = codes.counted(drawn.pieces(place))
    inside = [drawn.news(place, " ".join(found))] if found else []
    inside += _beside(drawn, place, codes)
    if drawn.dense:
        inside += [
            codes.flag(stat.label) if stat.flag else f"{safe(stat.label)} {safe(stat.text)}"
            for stat in drawn.stats(place)
        ]
        wide = max(map(width, inside), default=1)
        inside = flow(sorted(inside, key=width), wide, gap=" ")
    else:
        inside += _changed_stats(drawn, place)
    col, row = int(place.x) + 1, int(board.height - place.y)
    if is_named:
        return Node(col, row, None, tuple(inside or [drawn.dot(place)]))
    label = partial(drawn.label, place)
    return Node(col, row, safe(place.label), tuple(inside), label)


# ------------------------------------------------------------------ side by side


def _row(drawn: Tableau, board: Board) -> list[str]:
    """A ring, a line, or named places: side by side, with what belongs to them below."""
    places = drawn.on(board.id)
    owned = board.owner is not None
    numbered = owned or (not places[0].facts and _are_numbered(places))
    if numbered and len(places) > LONG_ROW:
        return _long_row(drawn, board, places)
    names = [str(at) if owned else place.label for at, place in enumerate(places, 1)]
    counted = [name for name in names if name.rpartition(" ")[2].isdigit()]
    corner = board.label if owned else shared_words(counted)
    head = [
        drawn.label(place, name if owned else name.removeprefix(f"{corner} "))
        for place, name in zip(places, names, strict=True)
    ]
    held = places[0].holds
    single = len(held) == 1 and all(place.room == 1 for place in places)
    kinds = ", ".join(drawn.names.kind(each) for each in held)
    contents = (drawn.current(place, numbers=not single, under=(kinds,)) for place in places)
    # What the corner says already needs no label.
    label = "" if kinds.casefold() == safe(corner).casefold() else kinds
    rows = [Row(label, tuple(text or drawn.sign("–") for text in contents))]
    if single:
        rows += _number_rows(drawn, places)
    rows += _family_rows(drawn, places)
    rows += _stat_rows(drawn, places)
    rows += [row for row in _fact_rows(places) if list(row.cells) != list(map(plain, head))]
    heading = styled(safe(corner), "bold")
    filled = [row for row in rows if any(row.cells)]
    if drawn.dense and len(filled) == 1:
        label = heading or styled(filled[0].label, "dim")
        lines = line_of(label, head, filled[0].cells, drawn.columns)
    else:
        lines = table_lines(head, rows, drawn.columns, heading, dense=drawn.dense)
    if board.form == "ring":
        first, last = safe(names[0]), safe(names[-1])
        closing = drawn.say(terminal.RING, last=last, first=first)
        if drawn.dense:
            drawn.notes.append(closing)
        else:
            lines += [styled(line, "dim") for line in wrap(closing, drawn.columns)]
    return lines


def _are_numbered(places: Sequence[StagePlace]) -> bool:
    return all(_is_number(_number(place)) for place in places)


def _number(place: StagePlace) -> str:
    """The number of a place in its row, which may begin anywhere; else all that it is called."""
    return place.label.removeprefix(f"{place.name} ")


def _number_rows(drawn: Tableau, places: Sequence[StagePlace]) -> list[Row]:
    """The numbers of the pieces in a row, where each place has at most one piece."""
    tops: list[Piece | None] = [next(iter(drawn.pieces(place)), None) for place in places]
    stats = {
        stat.key: stat.label
        for piece in tops
        if piece is not None
        for stat in piece.stats
        if stat.number is not None
    }
    told = [{} if piece is None else {stat.key: stat for stat in piece.stats} for piece in tops]
    rows = {key: [each.get(key) for each in told] for key in stats}
    return [
        Row(safe(stats[key]), tuple("" if stat is None else safe(stat.text) for stat in row))
        for key, row in rows.items()
        if not (drawn.dense and _is_progress(drawn, tops, row))
    ]


def _is_progress(
    drawn: Tableau, pieces: Sequence[Piece | None], stats: Sequence[Stat | None]
) -> bool:
    """Whether the numbers of pieces are how far their owners are, which is told anyway."""
    ways = {seat.number: seat.progress for seat in drawn.scene.seats}
    for piece, stat in zip(pieces, stats, strict=True):
        if piece is not None and stat is not None:
            way = None if piece.owner is None else ways[piece.owner]
            if way is None or way.value != stat.number:
                return False
    return True


def _family_rows(drawn: Tableau, places: Sequence[StagePlace]) -> list[Row]:
    columns = [drawn.belonging.get(place.id, []) for place in places]
    return [
        Row(
            safe(f"{first.name} ({first.rest})" if first.rest else first.name),
            tuple(drawn.current(column[number], under=(safe(first.name),)) for column in columns),
        )
        for number, first in enumerate(columns[0])
    ]


def _stat_rows(drawn: Tableau, places: Sequence[StagePlace]) -> list[Row]:
    stats = {stat.key: stat.label for place in places for stat in drawn.stats(place)}
    return [
        Row(
            safe(label),
            tuple(
                next((safe(s.text) for s in drawn.stats(place) if s.key == key), "")
                for place in places
            ),
        )
        for key, label in stats.items()
    ]


def _fact_rows(places: Sequence[StagePlace]) -> list[Row]:
    """What the rules say in numbers about the places."""
    numbers: dict[str, Fact] = {
        fact.name: fact for place in places for fact in place.facts if fact.text.isdigit()
    }
    return [
        Row(
            safe(fact.label),
            tuple(next((f.text for f in p.facts if f.name == name), "") for p in places),
        )
        for name, fact in numbers.items()
    ]


def _long_row(drawn: Tableau, board: Board, places: Sequence[StagePlace]) -> list[str]:
    codes = drawn.codes()
    owned = board.owner is not None
    numbers = [str(at) if owned else _number(place) for at, place in enumerate(places, 1)]
    head = [drawn.label(place, number) for place, number in zip(places, numbers, strict=True)]
    cells = []
    for place in places:
        inside = codes.counted(drawn.pieces(place)) + _beside(drawn, place, codes)
        text = " ".join([*inside, *_changed_stats(drawn, place)])
        cells.append(drawn.news(place, text) or styled(drawn.sign("·"), "dim"))
    wide = [max(width(one), width(other)) for one, other in zip(head, cells, strict=True)]
    lines = drawn.heading(board.label)
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
