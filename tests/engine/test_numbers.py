"""Both executors have the same numbers, and stop where one has more than nine digits."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, note
from hypothesis import strategies as st

from ruledsl.diagnostics.source import Source
from ruledsl.engine import Engine, EngineError
from ruledsl.engine.code.python import PythonRunner
from ruledsl.library import Library
from ruledsl.model.check import Checked, check_rules
from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.table.errors import RulesError
from ruledsl.table.limits import LARGEST
from ruledsl.table.table import Table

HEAD = """\
game numbers "Numbers"
    players 2

type Size | height
    short |         1
    long  | 999999999

place box of Stone
piece Stone 3 in box

state zero: number = 0
state one: number = 1
state most: number = 999999999
state least: number = -999999999
state root: number = 31622
state small: 0..9 = 7
state deep: -9..9 = -3
state result: number = 0
state other: flag = no

step setup
    set active = Player(1)

"""


def checked(*lines: str) -> Checked:
    text = HEAD + "\n".join(lines) + "\n"
    return check_rules(Source("numbers.rules", text), Library())


def table_of(*lines: str) -> Table:
    found = checked(*lines)
    assert found.game is not None, found.diagnostics
    return Table(found.game, 2)


def reference(table: Table) -> object:
    """What `result` and `other` are in the end, or what went wrong and where."""
    interpreter = Interpreter(table, Dice(Generator(1)))
    try:
        for _ in interpreter.play():
            pytest.fail("nobody decides here")
    except RulesError as error:
        return error.kind, error.message, error.span
    slots = interpreter.pos.slots
    return slots[("result", None)], slots[("other", None)]


def compiled(engine: Engine) -> object:
    try:
        engine.start(1)
    except EngineError as error:
        return error.kind, error.message, error.span
    slots = engine.position()["slots"]
    assert isinstance(slots, dict)
    return slots[("result", None)], slots[("other", None)]


def outcome(*lines: str) -> object:
    return same_in_all(table_of(*lines))


def same_in_all(table: Table) -> object:
    """What comes out, in both executors, checked or not, compiled or not."""
    expected = reference(table)
    for engine in (
        Engine(table, checked=True),
        Engine(table, checked=True, lightly=True),
        Engine(table),
        Engine(table, runner=PythonRunner),
    ):
        assert compiled(engine) == expected
    return expected


def failed(*lines: str) -> bool:
    found = outcome(*lines)
    assert isinstance(found, tuple)
    return bool(found[0] == "large")


def result_of(expression: str) -> object:
    found = outcome("step play", f"    set result = {expression}")
    assert isinstance(found, tuple)
    return found[0]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("most", LARGEST),
        ("most + zero", LARGEST),
        ("most + one", "large"),
        ("one + most", "large"),
        ("most + most", "large"),
        ("least - zero", -LARGEST),
        ("least - one", "large"),
        ("least + least", "large"),
        ("most - least", "large"),
        ("least - least", 0),
        ("most + least", 0),
        ("-least", LARGEST),
        ("abs(least)", LARGEST),
        ("root * root", 31622**2),
        ("root * (root + one)", 31622 * 31623),
        ("root * (root + 2)", "large"),
        ("most * most", "large"),
        ("least * most", "large"),
        ("least * -one", LARGEST),
        ("most * 5", "large"),
        ("5 * most", "large"),
        ("root * 4096", 31622 * 4096),
        ("root * 65536", "large"),
        ("least / -one", LARGEST),
        ("least mod most", 0),
        ("(most + one) - one", "large"),
        ("most - one + one", LARGEST),
        ("sum(most for s in box)", "large"),
        ("sum(333333333 for s in box)", LARGEST),
        ("sum(333333333 + zero for s in box)", LARGEST),
        ("sum(333333334 + zero for s in box)", "large"),
        ("sum((if n = 2 then least else most) for n in 1..3)", LARGEST),
        ("sum((if n = 2 then least else most - one) for n in 1..3)", LARGEST - 2),
        ("sum(x.height for x in Size)", "large"),
        ("max(most, least) + min(most, least)", 0),
        ("clamp(most, 0, 5) + most", "large"),
        ("if other then most + most else 1", 1),
        ("case one of (2: most + most, else: 3)", 3),
        ("count(n in 999999990..most) + count(n in least..-999999990)", 20),
        ("the(n in 999999990..999999999 where n mod 7 = 0 and n < 999999998)", 999999994),
        ("sum(1 for n in 999999998..most where n > 0)", 2),
        ("most / zero", "division"),
        ("(most + one) / zero", "large"),
    ],
)
def test_edges(expression: str, expected: object) -> None:
    assert result_of(expression) == expected


def test_a_state_is_added_to() -> None:
    assert failed("step play", "    add most to most", "    add most to most")
    assert failed("step play", "    take most from least")
    assert not failed("step play", "    take most from most", "    set result = most")


def test_what_is_not_asked_for_does_not_go_wrong() -> None:
    assert not failed("step play", "    set other = one = 2 and most * 5 > 3")
    assert not failed("step play", "    set other = one = 1 or most * 5 > 3")
    assert not failed("step play", "    set other = any(s in box where one = 2 and most * 5 > 3)")
    assert failed("step play", "    set other = any(s in box where one = 1 and most * 5 > 3)")
    assert not failed("step play", "    if one = 2", "        set result = 999999999 * 3")
    assert not failed("step play", "    set result = sum(x.height * 2 for x in Size where other)")


def test_how_often_is_a_number_too() -> None:
    assert failed("step play", "    repeat most * 5 times", "        set result = 1")


def test_a_definition_goes_wrong_where_it_is_written() -> None:
    found = outcome("step play", "    set result = twice(most)", "define twice(n: number) = n + n")
    assert isinstance(found, tuple)
    kind, _, span = found
    assert (kind, span.line) == ("large", len(HEAD.splitlines()) + 3)


# ---------------------------------------------------------------- made up

EDGES = (0, 1, 2, 3, 31622, 31623, 500_000_000, 999_999_998, LARGEST)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    def one(less: int) -> str:
        return draw(expressions(depth - less))

    leaf = st.sampled_from(EDGES).map(str) | st.sampled_from(
        ("zero", "one", "most", "least", "root", "small", "deep", "result")
    )
    if not depth:
        return draw(leaf)
    match draw(st.integers(0, 12)):
        case 0 | 1 | 2 | 3:
            return f"({one(1)} {draw(st.sampled_from('+-*'))} {one(1)})"
        case 4:
            return f"({one(1)} {draw(st.sampled_from(('/', 'mod')))} {one(1)})"
        case 5:
            return f"(-{one(1)})"
        case 6:
            return (
                f"{draw(st.sampled_from(('max', 'min')))}({one(1)}, {one(2 if depth > 1 else 1)})"
            )
        case 7:
            return f"clamp({one(1)}, {one(1)}, {one(1)})"
        case 8:
            return f"abs({one(1)})"
        case 9:
            return f"sum({one(1)} for s in box)"
        case 10:
            name = f"n{depth}"
            return f"sum({name} * {one(1)} for {name} in -1..2)"
        case 11:
            return f"(if {one(1)} > {one(1)} then {one(1)} else {one(1)})"
        case _:
            return draw(leaf)


@given(expressions(), expressions(2))
@example("(most + 0)", "(root * root)")
def test_made_up_expressions(first: str, second: str) -> None:
    lines = ("step play", f"    set result = {first}", f"    set other = result < {second}")
    note("\n".join(lines))
    game = checked(*lines).game
    assume(game is not None)
    assert game is not None
    same_in_all(Table(game, 2))
