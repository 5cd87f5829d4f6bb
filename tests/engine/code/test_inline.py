"""Functions written out where they are called do what they did."""

from __future__ import annotations

import pytest

from ruledsl.engine.code.inline import inlined
from ruledsl.engine.code.instructions import (
    Code,
    Function,
    Program,
    Writer,
    add,
    load,
    mul,
    no,
    op,
    sub,
)
from ruledsl.engine.code.python import PythonRunner
from ruledsl.engine.code.wasm import WasmRunner
from ruledsl.engine.engine import Runner


def program_of(*functions: Function) -> Program:
    program = Program(size=65536)
    for function in functions:
        program.add(function)
    return program


def function(name: str, *params: str, exported: bool = False) -> tuple[Function, Writer]:
    made = Function(name, [(param, "i32") for param in params], exported=exported)
    return made, Writer(made)


def results(program: Program, *arguments: int) -> set[int]:
    """What `main` gives back, written out or not, compiled or not."""
    written_out = inlined(program)
    runners: list[Runner] = [
        PythonRunner(program),
        PythonRunner(written_out),
        WasmRunner(program),
    ]
    return {runner.call("main", *arguments) for runner in runners}


def test_what_was_read_before_a_call_stays_as_it_was() -> None:
    change, w = function("change", "by")
    w.store(8, add(load(8), "by"))
    w.give_back(load(8))
    main, w = function("main", exported=True)
    w.store(8, 5)
    w.give_back(add(load(8), mul(("call", "change", 2), load(8))))
    program = program_of(change, main)
    assert list(inlined(program).functions) == ["main"]
    assert results(program) == {5 + 7 * 7}


def test_a_function_may_give_back_something_anywhere() -> None:
    size, w = function("size", "x")
    with w.loop() as label:
        with w.when(op("i32.gt_s", "x", 9)):
            w.give_back(3)
        w.leave_if(label, op("i32.lt_s", "x", 5))
        with w.when(op("i32.eq", "x", 7)):
            w.give_back(2)
        w.set("x", add("x", 1))
    w.give_back(1)
    main, w = function("main", "x", exported=True)
    w.give_back(("call", "size", "x"))
    program = program_of(size, main)
    assert [results(program, x) for x in (1, 6, 8)] == [{1}, {2}, {3}]


def test_locals_are_empty_in_every_call() -> None:
    count, w = function("count", "limit")
    number = w.temp()
    with w.loop() as label:
        w.leave_if(label, op("i32.ge_s", number, "limit"))
        w.set(number, add(number, 1))
    w.give_back(number)
    main, w = function("main", exported=True)
    total = w.variable(0)
    with w.counting(0, 4) as at:
        w.set(total, add(total, ("call", "count", at)))
    w.give_back(total)
    assert results(program_of(count, main)) == {0 + 1 + 2 + 3}


@pytest.mark.parametrize("size", [1, 400])
def test_only_small_functions_are_written_out_everywhere(size: int) -> None:
    helper, w = function("helper", "x")
    code: Code = "x"
    for _ in range(size):
        code = ("i32.add", code, 1)
    w.give_back(code)
    main, w = function("main", exported=True)
    w.give_back(sub(("call", "helper", 10), ("call", "helper", 3)))
    program = program_of(helper, main)
    assert ("helper" in inlined(program).functions) == (size == 400)
    assert results(program) == {7}


def test_what_calls_itself_is_still_called() -> None:
    factorial, w = function("factorial", "n")
    with w.when(no("n")):
        w.give_back(1)
    w.give_back(mul(("call", "factorial", sub("n", 1)), "n"))
    main, w = function("main", exported=True)
    w.give_back(("call", "factorial", 5))
    assert results(program_of(factorial, main)) == {120}


def test_jumps_between_blocks_go_where_they_went() -> None:
    main, w = function("main", "x", exported=True)
    w.function.locals["pc"] = "i32"
    w.set("pc", "x")
    label = w.label()
    blocks: list[list[tuple[object, ...]]] = [
        [("set", "x", add("x", 10)), ("goto", label, "pc", 3)],
        [("set", "x", add("x", 100))],
        [("if", op("i32.lt_s", "x", 1000), [("goto", label, "pc", 0)], []), ("return", "x")],
        [("set", "x", mul("x", 2)), ("goto", label, "pc", 2)],
    ]
    w.emit("dispatch", label, "pc", blocks)
    w.give_back(-1)
    inner, v = function("outer", "x", exported=True)
    v.give_back(("call", "main", "x"))
    program = program_of(main, inner)
    for start in range(4):
        x = start
        at = start
        while True:
            if at == 0:
                x, at = x + 10, 3
            elif at == 1:
                x, at = x + 100, 2
            elif at == 2 and x >= 1000:
                break
            else:
                x, at = (x, 0) if at == 2 else (x * 2, 2)
        assert results(program, start) == {x}
