"""Both executors stop rules that go on and on, at the very same statement."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine, EngineError
from ruledsl.library import Library
from ruledsl.model import allowance
from ruledsl.model.allowance import MOST_STATEMENTS
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

HEAD = """\
game work "Work"
    players 2

state a: number = 0
state on: number = {on}

"""
STEPS = 1 + 2
"""what `play` costs: itself, and two statements"""


def table_of(*lines: str, on: int = 0) -> Table:
    text = HEAD.format(on=on) + "\n".join(lines) + "\n"
    checked = check_rules(Source("work.rules", text), Library())
    assert checked.game is not None, checked.diagnostics
    return Table(checked.game, 2)


def reference(table: Table) -> object:
    try:
        for _ in Interpreter(table, Dice(Generator(1))).play():
            pytest.fail("nobody decides here")
    except RulesError as error:
        return error.kind, error.message, error.span
    return "done"


def compiled(table: Table) -> object:
    try:
        Engine(table, checked=True).start(1)
    except EngineError as error:
        return error.kind, error.message, error.span
    return "done"


LOOPS = {
    "a counted loop": (2, ("    repeat on times", "        set a = 1")),
    "a loop with a condition": (
        2,
        ("    repeat while a < on", "        add 1 to a"),
    ),
    "a loop with branches": (
        4,
        (
            "    repeat on times",
            "        if a = 3",
            "            set a = 1",
            "            set a = 2",
        ),
    ),
    "a step": (2 + 2, ("    repeat on times", "        other", "step other", "    set a = 1")),
    "a roll": (2, ("    repeat on times", "        roll a in 1..6")),
}


@pytest.mark.parametrize("name", LOOPS)
def test_the_last_pass_that_is_possible(name: str) -> None:
    cost, lines = LOOPS[name]
    last = (MOST_STATEMENTS - STEPS) // cost
    first, *rest = lines
    body = ("step play", "    set a = 0", first, *rest)
    fine = table_of(*body, on=last)
    assert reference(fine) == compiled(fine) == "done"
    over = table_of(*body, on=last + 1)
    found = reference(over)
    assert isinstance(found, tuple)
    assert found[0] == "endless"
    assert compiled(over) == found


def test_a_loop_that_is_too_long_to_be_kept_is_left_to_the_interpreter() -> None:
    table = table_of("step play", "    for x in 1..on", "        set a = x", on=20_000)
    assert reference(table) == "done"
    found = compiled(table)
    assert isinstance(found, tuple)
    assert found[0] == "size"


def test_looking_ahead_has_time_of_its_own() -> None:
    lines = (
        "step play",
        "    repeat 500 times",
        "        if would(a after many) > 5",
        "            set on = 1",
        "step many",
        "    repeat 900 times",
        "        set a = 1",
    )
    table = table_of(*lines)
    assert reference(table) == compiled(table) == "done"


@pytest.mark.parametrize("size", [24, 64, 80, 81, 99, 100, 101, 102, 400])
@pytest.mark.parametrize("value", ["kept + {n}", "{n} + kept + {n}"])
def test_a_set_that_grows_too_much_for_the_interpreter_is_left_to_it(
    size: int, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "MOST_QUERIES", 10_000)
    table = table_of(
        f"type N = 1..{size}",
        "state kept: set of N = {}",
        "step play",
        "    for n in N",
        f"        set kept = {value}",
    )
    if reference(table) != "done":
        found = compiled(table)
        assert isinstance(found, tuple)
        assert found[0] == "slow"


def test_a_set_that_stays_small_costs_nothing() -> None:
    lines = ("    repeat on times", "        set kept = kept + {a}")
    body = ("type N = 0..20", "state kept: set of N = {}", "step play", "    set a = 0", *lines)
    table = table_of(*body, on=(MOST_STATEMENTS - STEPS) // 2)
    assert reference(table) == compiled(table) == "done"


@pytest.mark.parametrize("domain", ["1..900", "N", "{n in N where n != a}"])
def test_rolls_too_wide_for_the_interpreter_are_left_to_it(
    domain: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(allowance, "MOST_QUERIES", 10_000)
    lines = ("    repeat 20 times", f"        roll on in {domain}")
    table = table_of("type N = 1..900", "step play", "    set a = 0", *lines)
    assert reference(table) != "done" or domain == "N"
    found = compiled(table)
    assert isinstance(found, tuple)
    assert found[0] == "slow"
