"""How the time of a move, compiling and memory grow with boards, players and decks.

    python -m bench.scaling

The table is kept in bench/SCALING.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time

import attrs

from bench.results import Column, circumstances, head, line, number
from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

FILE = Path(__file__).with_name("SCALING.md")
SECONDS = 0.4
"""of processor time for each figure"""

FLOOD = """
game grown "Grown"
    players 2

place Cell grid SIZE by SIZE of Stone room 1
place bowl per Player of Stone
piece Stone (SIZE * SIZE + 1) / 2 per Player in player.bowl

define near(c: Cell) = {x in c.around where x.col - c.col != x.row - c.row}
define chain(c: Cell, p: Player) = reach(x from {c} via x.near where x.top.owner = p)
define height(c: Cell, p: Player) = if p.seat = 1 then c.row else c.col
define touches(cells: set of Cell, p: Player, n: number) = any(c in cells where height(c, p) = n)

step setup
    set active = Player(1)

step play
    repeat
        choose "Lay a stone."
            lay
        set active = active.next

action lay(cell in Cell) "Lay"
    require empty(cell)     "That cell is taken."
    move 1 from you.bowl to cell
    let mine = chain(cell, you)
    if touches(mine, you, 1) and touches(mine, you, SIZE)
        win you
"""

QUEENS = """
game grown "Grown"
    players 2
    limit 60 decisions

place Square grid SIZE by SIZE of Queen room 1
place camp of Queen
piece Queen 2 per Player in camp

define squares(p: Player) = {s in Square where s.top.owner = p}
define open(s: Square, d: Dir) = {x in s.ray(d) while empty(x)}

step setup
    for p in Player
        for q in Queen where q.owner = p
            move q to sure(first(s in Square where empty(s) and (s.col + s.row) mod 3 = 0))
    set active = Player(1)

step play
    repeat
        choose "Move a queen."
            go
        else
            end game
        set active = active.next

action go(start in you.squares, way in Dir, goal in Square) "Go"
    require goal in open(start, way)    "Not on the way."
    move all from start to goal
"""

CARDS = """
game grown "Grown"
    players 2..8

type Suit = clubs, hearts, spades, stars, moons
type Rank = 1..RANKS

place deck of Card stack hidden
place hand per Player of Card private
place pile of Card stack
piece Card 1 per Suit, Rank in deck

step setup
    shuffle deck
    for p in Player
        move 5 from deck to p.hand
    set active = Player(1)

step play
    repeat 20 times
        choose card in active.hand "Play a card."
        move card to pile
        move 1 from deck to active.hand
        set active = active.next
"""


@attrs.frozen
class Case:
    shape: str
    size: str
    text: str
    players: int = 2


def cases() -> Iterator[Case]:
    for size in (5, 9, 13, 19, 25, 31):
        yield Case("chains of stones", f"{size} × {size}", FLOOD.replace("SIZE", str(size)))
    for size in (5, 9, 13, 19, 25, 31):
        yield Case("queens", f"{size} × {size}", QUEENS.replace("SIZE", str(size)))
    for ranks in (10, 40, 100, 200):
        text = CARDS.replace("RANKS", str(ranks))
        yield Case("hands from a deck", f"{5 * ranks} cards", text)
    for players in (2, 4, 6, 8):
        text = CARDS.replace("RANKS", "20")
        yield Case("hands from 100 cards", f"{players} players", text, players)


COLUMNS = (
    Column("what", 20, left=True),
    Column("size", 10, left=True),
    Column("moves in a game", 6),
    Column("ns for a move", 9),
    Column("compiled in", 8),
    Column("position, bytes", 8),
    Column("memory, MB", 6),
)


EXPLAINED = """\
Random games by the engine with all checks, in processor time. The moves of a game are its
decisions; set-up, dealing and shuffling belong to their time: of 1,000 cards all are mixed, and
the position is copied, however few are dealt. Memory is what a module may use; most
of it is never touched. Boards of more than 1024 places are not kept as words."""


def measured(case: Case) -> list[str]:
    game = check_rules(Source("grown.rules", case.text), Library()).game
    assert game is not None, case
    table = Table(game, case.players)
    start = process_time()
    engine = Engine(table, checked=True, lightly=True)
    compiled = process_time() - start
    rows = engine.playouts(20, 1)
    moves = sum(row.decisions for row in rows) / len(rows)
    games, spent = 16, 0.0
    while spent < SECONDS:
        games *= 2
        start = process_time()
        engine.rollouts(games, 1)
        spent = process_time() - start
    return [
        case.shape,
        case.size,
        f"{moves:.0f}",
        number(1e9 * spent / (games * moves)),
        f"{1000 * compiled:.0f} ms",
        f"{engine.layout.vector_size:,}",
        f"{engine.program.size / 1e6:.1f}",
    ]


def main() -> None:
    lines = ["# How it grows", "", circumstances(), "", head(COLUMNS)]
    for case in cases():
        lines.append(line(COLUMNS, measured(case)))
        print(lines[-1], flush=True)
    lines += ["", EXPLAINED]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
