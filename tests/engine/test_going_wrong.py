"""What may end in an error is gone through as far in compiled rules as by the interpreter."""

from __future__ import annotations

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine, EngineError
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.errors import RulesError
from ruledsl.table.table import Table

RULES = """\
game wrong "Wrong"
    players 2

type N = 1..9
place Cell grid 9 by 9 of Stone
piece Stone 1 in Cell(1, 1)
state half: number = 499999999
state one: 0..9 = 1
state other: flag = no

define above(c: Cell) = sure(c.go(north))
define high(c: Cell) = c.col * half

step setup
    set active = Player(1)

step put_one(n: 0..20)
    set one = n

step play
{play}    win Player(1)

{more}"""
NUMBER_CONDITIONS = (
    "first(x in N where x * half > 0) = 1",
    "count(x in N where x * half > 0) > 0",
    "count({x in N where x * half > 0}) > 0",
    "empty({x in N where x * half > 0})",
    "1 in {x in N where x * half > 0}",
    "1 in {x * half for x in N}",
    "sure(first({x in N where x * half > 0})) > 1",
    "any(x in {y in N where y * half > 0} where x > 0)",
    "empty(if one > 0 then {x in N where x * half > 0} else {1})",
    "first(x in N where first(y in N where y * x * half > 0) != none) = 1",
    "first(c in Cell where c.high > 0) = Cell(1, 1)",
    "Cell(2, 1) in reach(c from {Cell(1, 1)} via c.beside where c.col * half > 0)",
    "count(reach(c from {Cell(1, 1)} via c.beside where c.col * half > 0)) > 0",
    "any(x in N, y in N where x * y = 4 and 100 / (x - 3) > one + 90)",
    "any(x in N, y in N where 100 / (x + y - 3) > 90 and x > 5)",
    "any(x in N, y in {w in N where 10 / (w - x) > 0} where x > one + 7)",
    "any(x in N where 10 / (x - 2) > 0 and x = one)",
    "any(c in Cell where 10 / (c.col - 2) > 0 and c = Cell(9, one))",
    "first(c in Cell where 10 / (c.col - 2) < 0 and c.col = one + 2) = Cell(1, 1)",
    "first(x in N where would(other after put_one(x + 8))) = 9",
)
LOOKED_AFTER = (
    "count(c in Cell where sure(c.go(north)).row > 2 + one) > 0",
    "not empty({c in Cell where sure(c.go(north)).row > 2 + one})",
    "Cell(1, 5) in {sure(c.go(north)) for c in Cell}",
    "first({sure(c.go(north)) for c in Cell}) = Cell(1, one)",
    "count(c in Cell where the(d in c.beside where d.row > c.row).row > one) > 0",
)
WHERE_IT_MATTERS = (
    "sure(Cell(one, 9)).above.row > 4",
    "sure(Cell(one, 9)).above = Cell(1, 1)",
    "count(sure(Cell(one, 9)).above.beside) > 2",
    "the(d in sure(Cell(one, 9)).beside where d.row > 9) = Cell(1, 1)",
)
ACTIONS = (
    '    let q = 100 / (x - 3)\n    require x < 3 + 0 * q "No."\n',
    '    let q = {a in N where 100 / (a - x) > 0}\n    require x > 5 or y in q "No."\n',
    '    require 100 / (x + y - 3) > 0 "No."\n    require x > 5 "No."\n',
    '    require x * y != 3 * y "No."\n    require 100 / (x - 3) > 0 "No."\n',
    '    require 100 / (x - 3) > 0 or one = 1 "No."\n',
)


def table_of(play: str, more: str = "") -> Table:
    found = check_rules(Source("wrong", RULES.format(play=play, more=more)), Library())
    assert found.game is not None, found.diagnostics
    return Table(found.game, 2)


def told(table: Table) -> str:
    """What the interpreter says, up to the first decision."""
    try:
        next(Interpreter(table, Dice(Generator(1))).play(), None)
    except RulesError as error:
        return error.kind
    return "no error"


def compiled(table: Table, *, lightly: bool = False) -> str:
    engine = Engine(table, checked=True, lightly=lightly)
    try:
        engine.start(1)
    except EngineError as error:
        return error.kind
    return "suspicious" if engine.suspicious else "no error"


def condition(text: str) -> Table:
    return table_of(f"    if {text}\n        set other = yes\n")


@pytest.mark.parametrize("text", NUMBER_CONDITIONS)
def test_numbers_go_wrong_in_both(text: str) -> None:
    table = condition(text)
    assert compiled(table) == compiled(table, lightly=True) == told(table)


def test_most_of_these_go_wrong() -> None:
    """`first` stops at the first that it finds; all others go to the end."""
    fine = {text for text in NUMBER_CONDITIONS if told(condition(text)) == "no error"}
    assert all(text.startswith("first(") or "x * y = 4" in text for text in fine), fine


@pytest.mark.parametrize("text", LOOKED_AFTER)
def test_what_should_be_there_is_looked_after_to_the_end(text: str) -> None:
    table = condition(text)
    assert compiled(table) == told(table) == "the"


@pytest.mark.parametrize("text", WHERE_IT_MATTERS)
def test_what_should_be_there_is_never_nothing(text: str) -> None:
    table = condition(text)
    assert compiled(table) == told(table) == "the"
    assert compiled(table, lightly=True) in ("the", "suspicious")


@pytest.mark.parametrize("requirements", ACTIONS)
def test_requirements_go_wrong_in_both(requirements: str) -> None:
    action = f'action go(x in N, y in N) "Go"\n{requirements}    win you\n\n'
    stay = 'action stay "Stay"\n    win you\n\n'
    ask = '    choose "What?"\n        go\n        stay\n'
    table = table_of(ask, action + stay)
    assert compiled(table) == compiled(table, lightly=True) == told(table)


def test_a_trigger_runs_for_the_first_before_the_rest_is_looked_at() -> None:
    trigger = "trigger t(x in N)\n    when one > x and x * half > 0\n    set one = 0\n"
    table = table_of("    put_one(7)\n", trigger)
    assert compiled(table) == compiled(table, lightly=True) == told(table) == "no error"
