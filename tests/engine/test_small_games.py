"""Small games followed in lock-step: each has what hardly a shipped game or made-up program has."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table

from .lockstep import play_in_step

HEAD = """\
game small "Small"
    players 3
    limit 24 decisions

state level: 0..40 = 0
state bells: 0..90 = 0
state Player.points: 0..90 = 0

step setup
    set active = Player(1)

step play
    repeat
        turn
        set active = active.next

"""

GAMES = {
    "a trigger waits for what was recorded": """
history seen of level

step note
    record seen

step turn
    choose n in 0..1 "How often?"
    note
    if n = 1
        note

trigger again
    when seen.times >= 3
    set level = level + 1
    add 1 to bells
    record seen
""",
    "who still plays tells positions apart": """
history seen of playing

step turn
    choose n in 0..4 "How much?"
    if n = 4 and count(playing) > 1
        eliminate active.next
    record seen
    add seen.times to active.points
""",
    "of several triggers one asks": """
action rise(n in 1..3) "Rise"
    set level = (level + n) mod 9

step turn
    choose "Rise."
        rise

trigger ring after rise
    when level = 4
    add 1 to bells
    set level = 0

trigger ask after rise
    when level = 6
    choose m in 7..8 "Where to?"
    set level = m

trigger ring_again after rise
    when level = 8
    add 2 to bells
    set level = 1
""",
    "a trigger goes through what it is about, and asks": """
action score(n in 1..3) "Score"
    for p in Player
        add n to p.points

step turn
    choose "Score."
        score

trigger once(p in Player, n in 1..2) after score
    choose m in 0..n "How much more?"
    add m to p.points
    add 1 to bells
""",
    "what an inline action names is known after it asked": """
step turn
    let before = level mod 5
    choose "Do something."
        action rise(n in 1..2) "Rise"
            let more = n + before
            require more < 6                        "Too much."
            choose m in 0..more "How much?"
            set level = more + m
            set bells = (bells + more) mod 50
        action rest "Rest"
            set level = 0
""",
    "a step that asks is handed numbers that are too large": """
step rise(n: 0..3)
    choose m in 0..n "How much?"
    add m + 1 to level

step turn
    rise(level)
""",
    "several are taken from what nobody sees": """
place hand per Player of Card private
place deck of Card stack hidden
piece Card in deck
    ace
    two
    three
    four
    five
    six
    seven
    eight
    nine
    ten
    knave
    queen

step turn
    if level = 0
        set level = 1
        shuffle deck
        for p in Player
            move 4 from deck to p.hand
    choose exactly 2 taken in active.next.hand "Which two?"
    move taken to active.hand
    choose level in 1..2 "How high?"
""",
    "heaps and the sides of what lies there tell positions apart": """
place box of Stone
place heap per Player of Stone
piece Stone 6 in box
state Stone.turned: 0..1 = 0

history seen of heap

step turn
    choose n in 0..3 "What?"
    if n = 1 and not empty(box)
        move 1 from box to active.heap
    if n = 2 and not empty(active.heap)
        move first(active.heap) to box
    if n = 3 and not empty(active.heap)
        set first(active.heap).turned = 1
    record seen
    set level = seen.times
""",
    "all of several that differ are moved": """
place cup per Player of Stone
place box of Stone
place tray of Stone
piece Stone 2 per Player in player.cup

step turn
    if level = 0
        set level = 1
        for p in Player
            move 2 from p.cup to box
    choose n in 0..2 "How?"
    if n = 1
        move count(box) from box to tray
        add count(tray) to level
    if n = 2
        move count(tray) from tray to box
    move n - n from box to tray
    move level - level from tray to box
""",
    "one is taken from two hands, and shown": """
place hand per Player of Card private
place deck of Card stack hidden
piece Card in deck
    ace
    two
    three
    four
    five
    six

step turn
    if level = 0
        set level = 1
        shuffle deck
        for p in Player
            move 2 from deck to p.hand
    choose taken in active.next.hand + active.next.next.hand "Which?"
    show taken to active.next
    choose level in 1..2 "How high?"
""",
    "a choice of two, and of three": """
step turn
    choose n in 1..2 "Which?"
    choose m in 1..3 where m != n "Which?"
    choose k in 1..3 where k = n "Which?"
    set level = 9 * n + 3 * m + k
""",
}


# A bit for each trigger tells whether it has to be tried; of these, some have none.
MANY_TRIGGERS = """
step turn
    choose n in 1..2 "Which?"
    set bells = n
""" + "".join(
    f"""
trigger ring_{number}
    when bells = {number}
    add 1 to bells
"""
    for number in range(2, 68)
)
GAMES["more triggers than a word has bits"] = MANY_TRIGGERS


@pytest.mark.parametrize("checked", [True, False])
@pytest.mark.parametrize("name", GAMES)
def test_the_executors_agree(name: str, checked: bool) -> None:
    found = check_rules(Source("small.rules", HEAD + GAMES[name]), Library())
    assert found.game is not None, found.diagnostics
    engine = Engine(Table(found.game, 3), checked=checked)
    assert sum(play_in_step(engine, seed) for seed in range(6)) > 12
