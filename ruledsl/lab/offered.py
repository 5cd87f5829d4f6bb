"""What players are offered: options of some games, looked at one by one."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from ruledsl.engine import Engine
from ruledsl.engine.counters import subject_of, value_owner
from ruledsl.engine.played import EngineError
from ruledsl.lab.patience import Left
from ruledsl.lab.simulation import dice_of
from ruledsl.model import core
from ruledsl.play.chance import Generator
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

GAMES = 50
"""Games that are looked at, if there is time."""


def offered(table: Table, seed: int, left: Left = lambda: inf) -> frozenset[tuple[str, str]]:
    """Values that were offered in games of random players: what for, and their names."""
    engine, mind = Engine(table), Generator(seed)
    found: set[tuple[str, str]] = set()
    for number in range(GAMES):
        if left() <= 0:
            break
        try:
            going = engine.start(dice_of(seed, number))
            while going and left() > 0:
                found.update(_offered(engine))
                going = engine.choose(mind.below(engine.number))
        except EngineError:
            continue  # Rules that go wrong are told elsewhere.
    return frozenset(found)


def _offered(engine: Engine) -> Iterator[tuple[str, str]]:
    statement = engine.statement
    for candidate in engine.candidates():
        if isinstance(statement, core.ChooseAction):
            info = engine.table.game.actions[statement.offers[candidate.offer].action]
            owners = [value_owner(info, at) for at in range(len(info.picks))]
        else:
            owners = [value_owner(statement)]
        for owner, value in zip(owners, candidate.values, strict=False):
            if isinstance(value, Thing):
                yield owner, subject_of(value)
            elif isinstance(value, int):
                yield owner, str(int(value))
