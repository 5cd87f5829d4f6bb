"""Boards always say what lies on their places."""

from __future__ import annotations

import pytest

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.memory.control import VECTOR
from ruledsl.engine.memory.vectors import Vector
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Generator
from ruledsl.table.table import Table

from ..lockstep import play_in_step

GAMES = (
    "tic_tac_toe",
    "othello",
    "checkers",
    "chess",
    "nine_mens_morris",
    "hameln",
    "burg_appenzell",
)


@pytest.mark.parametrize("name", GAMES)
def test_boards_agree_with_places_at_every_decision(name: str) -> None:
    game = ruledsl.load(name)
    engine = Engine(Table(game.checked, game.players[-1]))
    kept = engine.code.boards
    assert kept
    mind = Generator(3)
    going = engine.start(7)
    for _ in range(150):
        now = engine.save().vector
        laid = Vector(engine.table, engine.layout, now)
        laid.lay_boards()
        for board in kept:
            start = board.base - VECTOR
            words = slice(start, start + 8 * board.plan.count)
            assert laid.vector()[words] == now[words], board.plan
        if not going:
            break
        going = engine.choose(mind.below(engine.number))


LOOP = """
game loop "Loop"
    players 2
    limit 50 decisions

state spot: 1..3 = 1
history past of spot

step setup
    set active = Player(1)

step play
    repeat
        choose "Where to?"
            go
        record past
        if past.times >= 3
            end game

action go(n in 1..3) "Go"
    set spot = n
"""


def test_positions_of_a_line_that_was_left_do_not_count() -> None:
    checked = check_rules(Source("loop.rules", LOOP), Library())
    assert checked.game is not None, checked.diagnostics
    engine = Engine(Table(checked.game, 2))
    engine.start(1)
    assert engine.choose(0)
    before = engine.save()
    assert engine.choose(0)
    engine.load(before)
    assert engine.choose(1)
    assert engine.choose(0)  # This spot for the second time: the one between was taken back.
    assert not engine.choose(0)
    assert engine.start(2)
    assert [engine.choose(0) for _ in range(3)] == [True, True, False]


def test_positions_of_another_game_do_not_count() -> None:
    checked = check_rules(Source("loop.rules", LOOP), Library())
    assert checked.game is not None, checked.diagnostics
    engine, other = (Engine(Table(checked.game, 2)) for _ in range(2))
    engine.start(1)
    assert [engine.choose(spot) for spot in (0, 0, 1)] == [True, True, True]
    saved = engine.save()
    other.start(2)
    assert [other.choose(spot) for spot in (1, 1, 2, 2, 0)] == [True] * 5
    for each in (other, engine):
        each.load(saved)
        assert each.position()["times"] == {"past": 1}
        assert each.choose(1)
        assert not each.choose(0)
    engine.start(3)
    assert [engine.choose(0) for _ in range(3)] == [True, True, False]


WIDE = """
game wide "Wide"
    players 2
    limit 60 decisions

place Cell grid {size} by {size} of Stone room 1
place bowl per Player of Stone
piece Stone 40 per Player in player.bowl
state level: 1..{size} = 1
state found: 0..400 = 0

define chain(c: Cell) = reach(x from {{c}} via x.beside where x.top.owner = c.top.owner)
define across(cells: set of Cell) = (
    any(c in cells where c.row = 1) and any(c in cells where c.row = level and not empty(c)))

step setup
    set active = Player(1)

step play
    repeat
        choose "Lay a stone."
            lay
        set active = active.next

action lay(c in Cell) "Lay"
    require empty(c) "Taken."
    require c.col <= 4 "Too far."
    move 1 from you.bowl to c
    set level = c.row
    set found = count(c.chain) + count(x in Cell where x.row = level and not empty(x))
    if across(c.chain)
        set found = 20 * found
    if Cell({size}, {size}) in c.chain or count(x in c.chain where x.col = 2) = 1
        set found = 0
"""


@pytest.mark.parametrize("size", [7, 8, 9, 12, 16, 17, 31, 32, 33])
def test_boards_of_any_size(size: int) -> None:
    """With fewer places than a word has bits, with as many, with more, and with too many."""
    checked = check_rules(Source("wide.rules", WIDE.format(size=size)), Library())
    assert checked.game is not None, checked.diagnostics
    engine = Engine(Table(checked.game, 2))
    parts = {board.plan.part for board in engine.code.boards}
    assert parts == set(range(-(-size * size // 64) if size <= 32 else 0))
    for seed in range(3):
        assert play_in_step(engine, seed, hand_over=seed == 2) > 20


AMAZONS = """
game amazons "Amazons"
    players 2

place Cell grid 10 by 10 of Amazon, Arrow room 1
place camp per Player of Amazon
place quiver of Arrow
piece Amazon 4 per Player in player.camp
piece Arrow 92 in quiver

define goals(c: Cell) = {x for d in Dir, x in {y in c.ray(d) while empty(y)}}

step setup
    for c in {Cell(1, 4), Cell(4, 1), Cell(7, 1), Cell(10, 4)}
        move 1 from Player(1).camp to c
    for c in {Cell(1, 7), Cell(4, 10), Cell(7, 10), Cell(10, 7)}
        move 1 from Player(2).camp to c
    set active = Player(1)

step play
    repeat
        choose "Move an amazon."
            go
        else win active.next
        set active = active.next

action go(start in Cell, goal in Cell) "Go"
    require start.top.owner = you "None of yours is there."
    require goal in start.goals "It can't get there."
    move all from start to goal
    choose target in goal.goals "Where does it shoot?"
    move 1 from quiver to target
"""


def test_two_kinds_of_pieces_and_long_rays_on_a_large_board() -> None:
    """The counts are published ones."""
    checked = check_rules(Source("amazons.rules", AMAZONS), Library())
    assert checked.game is not None, checked.diagnostics
    engine = Engine(Table(checked.game, 2))
    engine.start(0, ask_always=True)
    assert engine.perft_turns(1) == 2_176
    assert engine.perft_turns(2) == 4_307_152
    for seed in range(2):
        assert play_in_step(engine, seed, at_most=60) > 30
