"""Light checks notice whatever full checks do; what only looks wrong is no failure."""

from __future__ import annotations

from random import Random

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.played import Batch
from ruledsl.lab.perft import Perft
from ruledsl.lab.simulation import RandomGames, play_one, rows_of
from ruledsl.lab.tally import GameRow
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.table.table import Table

from .programs import Maker

GAMES = 30


def table_of(text: str) -> Table | None:
    game = check_source(Source("made.rules", text), Library()).game
    return None if game is None else Table(game, 2)


def test_made_up_programs() -> None:
    tables = [table_of(Maker(Random(seed).randrange, risky=True).program()) for seed in range(30)]
    assert sum(compare(table) for table in tables if table is not None)


def compare(table: Table) -> int:
    """Play games with both kinds of checks; how many of them failed."""
    fully, lightly = Engine(table, checked=True), Engine(table, checked=True, lightly=True)
    failed = 0
    for game in range(GAMES):
        full, light = (each.batch(1, 7, game, keep=True) for each in (fully, lightly))
        failed += full.error is not None
        if light.error is None:
            assert full.error is None
            assert full == light
        elif light.error.kind != "suspect":
            assert full.error is not None
            assert (full.error.kind, full.error.span) == (light.error.kind, light.error.span)
    return failed


MEN = """
game men "Men"
    players 2
    limit 30 decisions

place Square grid 4 by 4 of Man room 1
place box per Player of Man
piece Man 4 per Player in player.box
state Man.king: flag = no

define kings(p: Player) = {SET}

step setup
    set active = Player(1)

step play
    repeat
        choose "Put a man."
            put_it
            crown
        set active = active.next

action put_it(s in Square) "Put"
    require empty(s) "Taken."
    require not empty(you.box) "None left."
    move 1 from you.box to s
    if not any(k in you.kings where k.row = 1)
        set active = active

action crown(s in Square) "Crown"
    require s.top.owner = you "Not yours."
    set the(s).king = yes
"""

FINE = MEN.replace("{SET}", "{s in Square where s.top.owner = p and the(s).king}")
WRONG = MEN.replace("{SET}", "{s in Square where the(s).king and s.top.owner = p}")
# The first square is in the first row: nobody is asked about a man on another one.
ODD = FINE.replace("k in you.kings where k.row = 1", "k in Square where k.row = 1 or the(k).king")


def played(text: str) -> tuple[list[GameRow], RandomGames]:
    table = table_of(text)
    assert table is not None
    games = RandomGames(table, 3)
    rows: list[GameRow] = []
    for part in games.play(0, GAMES, keep=True):
        rows.extend(rows_of(part, len(rows)) if isinstance(part, Batch) else [part])
    assert rows == [play_one(table, 3, number) for number in range(GAMES)]
    return rows, games


def test_what_is_fine_is_played_by_the_engine() -> None:
    rows, games = played(FINE)
    assert not [row for row in rows if row.failure]
    assert games.close is None


def test_what_is_wrong_is_told_as_the_interpreter_tells_it() -> None:
    rows, games = played(WRONG)
    assert all(row.failure for row in rows)
    assert games.close is None


def test_what_only_looks_wrong_is_played_to_the_end() -> None:
    rows, games = played(ODD)
    assert not [row for row in rows if row.failure]
    assert games.close is not None


@pytest.mark.parametrize("text", [FINE, ODD])
def test_counting_looks_closely_where_something_looks_wrong(text: str) -> None:
    table = table_of(text)
    assert table is not None
    assert Perft(table, 0, "decision").divide(3) == Perft(
        table, 0, "decision", checked=False
    ).divide(3)
