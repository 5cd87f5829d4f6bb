"""Options drawn without listing them: always legal, and each equally likely."""

from __future__ import annotations

from collections import Counter

import pytest

import ruledsl
from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine
from ruledsl.engine.played import EngineError
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Generator
from ruledsl.table.table import Table
from ruledsl.table.things import Value

GAMES = (
    "tic_tac_toe",
    "breakthrough",
    "connect_four",
    "othello",
    "checkers",
    "chess",
    "nine_mens_morris",
    "backgammon",
    "go",
    "hearts",
    "crazy_eights",
    "pied_piper",
    "hameln",
    "burg_appenzell",
)


def engine_of(name: str) -> Engine:
    game = ruledsl.load(name)
    return Engine(Table(game.checked, game.players[-1]))


FREE = """
game free "Free"
    players 2
    limit 9 decisions

type Turn = left, right
type Colour = red, green, blue
place Cell grid 3 by 3 of Stone room 1
place box of Stone
piece Stone 9 in box

step setup
    set active = Player(1)

step play
    repeat
        choose "Lay or turn."
            lay
            paint
        set active = active.next

action lay(cell in Cell, turn in Turn, colour in Colour) "Lay"
    require empty(cell)     "Taken."
    move 1 from box to cell

action paint(turn in Turn, colour in Colour) "Paint"
    require turn = left or count(box) > 5     "No."
"""
"""Some parameters may have any value, whatever the others are."""


def free() -> Engine:
    game = check_rules(Source("free.rules", FREE), Library()).game
    assert game is not None
    return Engine(Table(game, 2))


def test_parameters_that_may_have_any_value_are_drawn() -> None:
    engine = free()
    assert draw_and_play(engine, 1) > 9
    engine.start(1)
    for _ in range(4):
        assert engine.choose(0)
    _equally_likely(engine)


def listed(engine: Engine) -> dict[tuple[int, tuple[Value, ...]], int]:
    """The first candidate of each option, which stands for all that are alike."""
    found: dict[int, tuple[int, tuple[Value, ...]]] = {}
    for candidate in engine.candidates():
        found.setdefault(candidate.option, (candidate.offer, candidate.values))
    return {first: option for option, first in found.items()}


def draw_and_play(engine: Engine, seed: int, decisions: int = 60) -> int:
    """Play, and see that whatever could be drawn is an option; how often something was drawn."""
    mind = Generator(seed)
    drawn = 0
    going = engine.start(seed)
    for _ in range(decisions):
        if not going:
            break
        options = listed(engine)
        for _ in range(3):
            found = engine.drawn()
            if found is not None:
                drawn += 1
                assert (found.offer, found.values) in options
                # The next one has to be written anew, and may not be left over from the list.
                entry = engine.code.candidates
                engine.runner.write(entry.options, b"\x7f" * entry.stride)
        going = engine.choose(mind.below(engine.number))
    return drawn


@pytest.mark.parametrize("name", GAMES)
def test_what_is_drawn_is_an_option(name: str) -> None:
    assert draw_and_play(engine_of(name), 5)


STONES = """
game stones "Stones"
    players 2
    limit 9 decisions

place Cell grid 3 by 3 of Stone room 1
place box of Stone
piece Stone 9 in box

step setup
    set active = Player(1)

step play
    repeat
        choose c in Cell where empty(c) "Where?"
        move 1 from box to c
        set active = active.next
"""


def test_values_are_drawn() -> None:
    game = check_rules(Source("stones.rules", STONES), Library()).game
    assert game is not None
    assert draw_and_play(Engine(Table(game, 2)), 1) > 9


@pytest.mark.parametrize(
    ("name", "seed", "decisions"),
    [
        ("breakthrough", 1, 0),
        ("chess", 1, 0),
        ("pied_piper", 3, 0),
        ("connect_four", 1, 11),
        ("checkers", 2, 9),
        ("othello", 1, 20),
        ("nine_mens_morris", 1, 25),
        ("hearts", 1, 30),
        ("crazy_eights", 1, 12),
    ],
)
def test_all_options_are_equally_likely(name: str, seed: int, decisions: int) -> None:
    engine = engine_of(name)
    mind = Generator(seed)
    engine.start(seed)
    for _ in range(decisions):
        assert engine.choose(mind.below(engine.number))
    _equally_likely(engine)


def _equally_likely(engine: Engine) -> None:
    options = listed(engine)
    draws = 200 * len(options)
    counts: Counter[int] = Counter()
    while counts.total() < draws:
        found = engine.drawn()
        if found is not None:
            counts[options[found.offer, found.values]] += 1
    square = sum((counts[option] - 200) ** 2 / 200 for option in options.values())
    freedom = len(options) - 1
    # Five standard deviations of the distribution of chi-square.
    assert square < freedom + 5 * (2 * freedom) ** 0.5


FIELD = """
game field "Field"
    players 2
    limit 30 decisions

place box of Stone
place Cell grid 5 by 4 of Stone room 1
piece Stone 3 in box
state Cell.mark: flag = no
state count_down: 0..9 = 3

step marked(c: Cell)
    set c.mark = yes

step setup
    set active = Player(1)
    move 1 from box to Cell(1, 1)

step play
    repeat
        set active = active.next
"""

WAYS = {
    "numbers, some of them refused": """
        choose "Take."
            take

action take(n in 1..5) "Take"
    require count(c in Cell where not c.mark and (c.col = n or c.row = n)) != 4 "Not so many."
    set count_down = n
""",
    "three parameters": """
        choose "Take."
            take

action take(a in Cell, b in Cell, n in 1..3) "Take"
    require count(c in Cell where not c.mark and c.col < a.col and c.row > b.row) = n "Not so many."
    set count_down = n
""",
    "one of the few on a ray": """
        choose "Take."
            take

action take(a in Cell, way in Dir, b in Cell) "Take"
    require b in {x in a.ray(way) while not x.mark}                     "Not on the way."
    require count(c in Cell where not c.mark and c.col < b.col) != 4    "Not so many."
    set b.mark = yes
""",
    "a domain that is a ray": """
        choose "Take."
            take

action take(a in Cell, way in Dir, b in a.ray(way)) "Take"
    require count(c in Cell where not c.mark and c.col < b.col) != 4    "Not so many."
    set b.mark = yes
""",
    "only the first of all values": """
        choose "Take."
            take

action take(a in Player, b in Cell) "Take"
    require not empty(b)                                            "Nothing is there."
    set b.mark = yes
    set active = a
""",
    "an action without parameters": """
        choose "Take, or leave."
            take
            leave

action leave "Leave"
    require count_down > 0                                          "Stay."
    set count_down = 0

action take(n in 1..3) "Take"
    set count_down = n
""",
    "what looks ahead is tested for few": """
        choose "Take."
            take
                require would(c.col + n after marked(c)) != 5         "Not five."
                require n != 2                                      "Not two."

action take(c in Cell, n in 1..3) "Take"
    require would(count(d in Cell where d.mark) after marked(c)) < 9 "Too many."
    require c.row != 2                                                "Not in this row."
    set c.mark = yes
""",
    "values, some of them refused": """
        choose c in Cell where count(d in Cell where not d.mark and d.col < c.col) != 4 "Which?"
        set c.mark = yes
""",
    "a value, or none": """
        choose optional c in Cell where count(d in Cell where d.mark and d.col < c.col) < 1 "Which?"
        if c != none
            set c.mark = yes
""",
}
"""How choices are made of which options are drawn in different ways."""


def engine_for(text: str, field: str = FIELD) -> Engine:
    checked = check_rules(Source("field.rules", field + text), Library())
    assert checked.game is not None, checked.diagnostics
    return Engine(Table(checked.game, 2))


@pytest.mark.parametrize("name", WAYS)
def test_every_option_is_drawn_and_nothing_else(name: str) -> None:
    engine = engine_for(WAYS[name])
    assert engine.start(1)
    options = listed(engine)
    draws = [engine.drawn() for _ in range(30 * len(options))]
    found = {(each.offer, each.values) for each in draws if each is not None}
    assert found == set(options)


def test_what_nothing_can_be_drawn_from_is_given_up() -> None:
    """At the first decision, not at a later one."""
    none = """
        choose c in Cell where count(d in Cell where d.mark and d.col < c.col) > 2 "Which?"
        set c.mark = yes
"""
    engine = engine_for(none, FIELD.replace("limit 30", "limit 2"))
    with pytest.raises(EngineError, match="nothing is legal"):
        engine.playouts(1, 1, quick=True)


BOARD = """
game board "Board"
    players 2
    limit 12 decisions

place box of Stone
place Cell grid 5 by 4 of Stone room 1
place Nest grid 3 by 3 of Stone room 1
piece Stone 6 in box
state Cell.mark: flag = no
state slow: flag = no

define hands(p: Player) = if p.seat = 1 then {north, east} else {south}

step setup
    set active = Player(1)
    for c in Cell where c.row = 2
        move 1 from box to c

step play
    repeat
        choose "Go."
            go
        else
            end game
        set slow = not slow
        set active = active.next
"""

PAIRS = {
    "to a neighbour": """
action go(a in Cell, b in a.beside) "Go"
    require not empty(a) and empty(b)                               "Not so."
    move all from a to b
""",
    "to other sides, depending on who goes": """
action go(a in Cell, b in Cell) "Go"
    require any(d in you.hands where b = a.go(d))                   "Too far."
    require empty(b) or b.col = a.col                               "Taken."
    require not empty(a) and (slow or b.row > 1)                    "Nothing is there."
    set a.mark = not a.mark
    move all from b to box
    move all from a to b
""",
    "from one board to another": """
action go(a in Cell, b in Nest) "Go"
    require not empty(a) and not slow                               "Nothing is there."
    require b.col = a.col and abs(b.row - a.row) <= 1               "Not there."
    require a.row < b.row or not (b.row = 2 and empty(Nest(1, 1)))  "Not yet."
    require empty(b)                                                "Taken."
    move all from a to b
""",
}
"""Where a way leads from one parameter to the other, and what else is asked."""


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("seed", [1, 2])
def test_pairs_are_drawn_as_they_would_be_from_the_list(name: str, seed: int) -> None:
    engine = engine_for(PAIRS[name], BOARD)
    assert {way for plan in engine.code.plans for way in plan.ways} == {"in pairs"}
    assert engine.code.batches.always_counted
    assert engine.playouts(200, seed, quick=True) == engine.playouts(200, seed)
    engine.start(seed)
    _equally_likely(engine)
