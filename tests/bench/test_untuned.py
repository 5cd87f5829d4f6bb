"""Games written to be measured beside OpenSpiel: they have its trees."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from bench.entries import OTHERS, UNTUNED
from ruledsl import load
from ruledsl.engine import Engine
from ruledsl.table.table import Table

from ..engine.lockstep import play_in_step

COUNTS = {
    "leduc_poker": ({}, "leduc_poker", (2, 5, 9, 16, 22, 19, 9, 2, 0)),
    "liars_dice": ({}, "liars_dice", (12, 78, 286, 715, 1287)),
    "y_game": ({"size": 5}, "y(board_size=5)", (15, 210, 2730, 32760, 360360)),
    "havannah": ({"size": 3}, "havannah(board_size=3)", (19, 342, 5814, 93024)),
    "quoridor": ({"size": 3}, "quoridor(board_size=3)", (11, 77, 316, 1172, 3452)),
    "pentago": ({}, "pentago", (288, 80640)),
    "oware": ({}, "oware", (6, 36, 190, 1014, 5219, 27332)),
    "lines_of_action": ({}, "lines_of_action", (36, 1244, 44952)),
    "clobber": ({}, "clobber(rows=5,columns=6)", (49, 2116, 80063)),
    "mancala": ({}, "mancala", (6, 35, 185, 942, 4690, 23233)),
}
"""Ways to play on, by depth; what chance does makes no difference. OpenSpiel has the same."""


def test_every_game_has_its_counts() -> None:
    written = {path.stem for path in OTHERS.glob("*.rules")}
    assert written == COUNTS.keys() == {entry.name for entry in UNTUNED}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_those_of_openspiel(name: str) -> None:
    options, _, counts = COUNTS[name]
    engine = Engine(Table(load(str(OTHERS / f"{name}.rules")).checked, 2, options), checked=True)
    for depth, expected in enumerate(counts, 1):
        engine.start(1, ask_always=True)
        assert engine.perft(depth) == expected


@pytest.mark.parametrize("name", COUNTS)
def test_the_executors_agree(name: str) -> None:
    options, _, _ = COUNTS[name]
    table = Table(load(str(OTHERS / f"{name}.rules")).checked, 2, options)
    for seed, checked in enumerate((True, False)):
        play_in_step(Engine(table, checked=checked), seed, 40)


def leaves(state: Any, depth: int) -> int:
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    if not depth or state.is_terminal():
        return not depth
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(leaves(state.child(x), depth - 1) for x in actions)


@pytest.mark.extra
@pytest.mark.parametrize("name", COUNTS)
def test_openspiel_has_these_counts(name: str) -> None:
    pytest.importorskip("pyspiel")
    _, theirs, counts = COUNTS[name]
    start = import_module("pyspiel").load_game(theirs).new_initial_state()
    for depth, expected in enumerate(counts, 1):
        assert leaves(start.clone(), depth) == expected
