"""The longest trail while a network grows, in both executors."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

from .lockstep import play_in_step


def engine_of(text: str) -> Engine:
    checked = check_rules(Source("made.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    return Engine(Table(checked.game, 2))


GROWING = """
game growing "Growing"
    players 2
    limit 26 decisions

piece Peg 40 in box
place box of Peg
place Town network of Peg room 1
    a - b - c - d - e - f - a
    b - g - d
    c - g - f
    a - h - e
    h - i - j
    k - l
place road edges of Town of Peg room 1 | miles
    a - b                             | 2
    b - c                             | 7
    c - d                             | 1
    d - e                             | 3
    e - f                             | 5
    f - a                             | 4
    b - g                             | 1
    g - d                             | 6
    c - g                             | 2
    g - f                             | 3
    a - h                             | 9
    h - e                             | 2
    h - i                             | 1
    i - j                             | 8
    k - l                             | 4

define built = {r in road where not empty(r)}

state steps: number = 0
state miles: number = 0
state through_open: number = 0
state against: number = 0

step setup
    set active = Player(1)

step play
    repeat
        choose
            build
            close
        set steps = trail(built)
        set miles = trail(r.miles for r in built)
        set through_open = trail(r.miles for r in built through {t in Town where empty(t)})
        set against = trail(r.miles - 4 for r in road where empty(r))
        set active = active.next

action build(r in road) "Build"
    require empty(r) "It is there."
    move 1 from box to r

action close(t in Town) "Close"
    require empty(t) "It is closed."
    move 1 from box to t

ranking p in Player
    highest p.seat
"""


def test_trails_of_growing_networks_are_those_of_the_reference() -> None:
    """Roads in several parts, some longer, some that count against, and closed towns on the way."""
    engine = engine_of(GROWING)
    for seed in range(4):
        assert play_in_step(engine, seed) == 26


MIXED = """
game mixed "Mixed"
    players 2
    limit 16 decisions

piece Peg 24 in box
place box of Peg
place Cell grid 4 by 4 of Peg
place way edges of Cell of Peg room 1

state gain: number = 0
state gain_inside: number = 0

step setup
    set active = Player(1)

step play
    repeat
        choose
            build
        set gain = trail((if empty(r) then 0 - 2 else 3) for r in way)
        set gain_inside = trail((if empty(r) then 3 else 0 - 2) for r in way through inside)
        set active = active.next

define inside = {c in Cell where c.row + c.col > 3}

action build(r in way) "Build"
    require empty(r) "It is there."
    move 1 from box to r

ranking p in Player
    highest p.seat
"""


def test_what_counts_against_a_trail_is_taken_only_to_join_more() -> None:
    engine = engine_of(MIXED)
    for seed in range(2):
        assert play_in_step(engine, seed) == 16


@pytest.mark.parametrize(
    "edges", ["a - b", "a - b - c", "a - b - a", "a - b\n    c - d", "a - b - c - a"]
)
def test_trails_of_the_smallest_networks(edges: str) -> None:
    text = MIXED.replace("place Cell grid 4 by 4 of Peg", f"place Cell network of Peg\n    {edges}")
    text = text.replace("            build\n", "            build\n            wait\n")
    text = text.replace("c.row + c.col > 3", "c != a")
    engine = engine_of(text + '\naction wait "Wait"\n    add 0 to gain\n')
    assert all(play_in_step(engine, seed) for seed in range(2))
