"""The longest trail with hardly any room, against a plain search that says when there is none left.

Whatever there is room for is found, in whichever network; for all else there is an error.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping, Sequence
from random import Random
from unittest.mock import patch

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine.expressions import trail_fronts, trails
from ruledsl.engine.memory.control import PASSES
from ruledsl.engine.played import EngineError
from ruledsl.engine.runtime.trials import Trial
from ruledsl.engine.stage import Stage
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.table import Table
from ruledsl.table.things import Thing
from ruledsl.table.trails import Sums, _done, _with_edge

from .memory.guarded import guarded, spoil

RULES = """
game narrow "Narrow"
    players 2

piece Peg 1 in box
place box of Peg
place Town network of Peg
    a - b - c - d - e - f - g - a
    a - c - e - g
    a - d - f
    b - e
    b - h - d
    h - f
    i - j
place road edges of Town of Peg room 1 | miles | toll
    a - b                              | 2     | 5
    b - c                              | 7     | 5
    c - d                              | 1     | -9
    d - e                              | 3     | 5
    e - f                              | 5     | 5
    f - g                              | -2    | -9
    g - a                              | 4     | -9
    a - c                              | 1     | 5
    c - e                              | -3    | -9
    e - g                              | 9     | -9
    a - d                              | 2     | -9
    d - f                              | 6     | 5
    b - e                              | 1     | -9
    b - h                              | 8     | -9
    h - d                              | -1    | -9
    h - f                              | 2     | -9
    i - j                              | 3     | -9

state built: set of road
state passable: set of Town
state wanted: number = 0

step setup
    set active = Player(1)

step play
    win active

define all_along = trail(r.miles for r in built) = wanted
define for_tolls = trail(r.toll for r in built) = wanted
define by_number = trail(built) = wanted
define where_open = trail(r.miles for r in built through passable) = wanted
"""


ALLOWED = 100_000


def longest(
    lengths: Mapping[Thing, int],
    towns: Sequence[Thing],
    passable: Collection[Thing],
    places: int,
    most: int,
) -> tuple[int, int] | None:
    """And how often a front is looked at; None if there is no room for places or fronts."""
    left = dict(lengths)
    best = max([0, *(n for e, n in left.items() if not {*e.ends} & {*passable})])
    begun: list[Thing] = []
    sums: Sums = {((), 0): 0}
    seen = 0

    def ways(town: Thing) -> list[tuple[Thing, Thing]]:
        return [(e, next(x for x in e.ends if x is not town)) for e in left if town in e.ends]

    def widening(town: Thing) -> int:
        new = [x for _, x in ways(town) if x in passable and x not in begun]
        return len(new) - (town in begun)

    while todo := [t for t in towns if t in passable and (t in begun or ways(t))]:
        chosen = min(todo, key=widening)
        for town in (chosen, *(x for _, x in ways(chosen))):
            if town in passable and town not in begun:
                begun.append(town)
                sums = {((*front, 0), ends): total for (front, ends), total in sums.items()}
        if len(begun) > places:
            return None
        at = begun.index(chosen)
        for edge, across in ways(chosen):
            end = begun.index(across) if across in passable else None
            seen += len(sums)
            sums = _with_edge(sums, left.pop(edge), at, end)
            if len(sums) > most:
                return None
        begun.pop(at)
        seen += len(sums)
        sums, whole = _done(sums, at)
        best = max(best, whole)
    return best, seen


@pytest.mark.parametrize(
    ("places", "most", "hashed"),
    [(12, 1 << 15, 16), (4, 900, 10), (3, 900, 10), (2, 900, 10), (5, 40, 6), (4, 13, 4)],
)
def test_what_there_is_room_for_is_found(places: int, most: int, hashed: int) -> None:
    checked = check_rules(Source("narrow.rules", RULES), Library())
    assert checked.game is not None, checked.diagnostics
    game = checked.game
    table = Table(game, 2)
    defines = [
        game.defines[name].body for name in ("all_along", "where_open", "for_tolls", "by_number")
    ]
    facts = tuple(body for body in defines if body is not None)
    with (
        guarded(),
        patch.multiple(trail_fronts, PLACES=places, MOST=most, HASHED=hashed),
        patch.object(trails, "PLACES", places),
    ):
        stage = Stage(table, Trial((), facts, ()))
    engine = stage.engine
    pos = Interpreter(table, Dice(Generator(1))).pos
    towns, roads = table.things("Town"), table.things("road")
    random = Random(places)
    outcomes = set()
    for share in (0, *(random.choice((0.1, 0.4, 0.8, 1)) for _ in range(60))):
        built = tuple(each for each in roads if random.random() < share)
        passable = tuple(each for each in towns if random.random() < 0.7)
        pos.slots["built", None], pos.slots["passable", None] = built, passable
        asked = (("miles", towns), ("miles", passable), ("toll", towns), (None, towns))
        for fact, (column, through) in enumerate(asked):
            lengths = {each: number(each, column) for each in built}
            wanted = longest(lengths, towns, through, places, most)
            pos.slots["wanted", None] = 0 if wanted is None else wanted[0]
            spoil(engine)
            stage.lay(pos, frozenset(), 1, 0, {})
            for left in (0, -1) if wanted is None or wanted[1] else (0,):
                allowed = ALLOWED if wanted is None else wanted[1] + left
                engine.runner.write(PASSES, struct.pack("<i", allowed))
                if wanted is None or left < 0:
                    with pytest.raises(EngineError) as error:
                        stage.holds(fact, [])
                    assert error.value.kind == "slow"
                else:
                    assert stage.holds(fact, [])
                    assert engine.runner.read(PASSES, 4) == bytes(4)
            outcomes.add(wanted is None)
    assert outcomes == ({False} if places > 10 else {True, False})


def number(road: Thing, column: str | None) -> int:
    value = 1 if column is None else road.columns[column]
    assert isinstance(value, int)
    return value
