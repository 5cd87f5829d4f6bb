"""Programs as binary WebAssembly: the format, the module, and the text that shows it."""

from __future__ import annotations

import pytest
import wasmtime
from hypothesis import given
from hypothesis import strategies as st

from ruledsl.engine import Engine
from ruledsl.engine.code import binary
from ruledsl.engine.code.inline import inlined
from ruledsl.engine.code.instructions import Function, Program
from ruledsl.engine.code.wasm import WasmRunner, encoded
from ruledsl.engine.code.wasm_text import printed
from ruledsl.library import Library
from ruledsl.model.check import check_rules
from ruledsl.table.table import Table


def table_of(name: str, players: int) -> Table:
    game = check_rules(Library().find(name), Library()).game
    assert game is not None
    return Table(game, players)


def program(*functions: Function, data: list[tuple[int, bytes]] | None = None) -> Program:
    made = Program(size=3 * binary.PAGE, data=data or [])
    for function in functions:
        made.add(function)
    return made


def number(value: int, width: str) -> Function:
    code = value if width == "i32" else ("i64", value)
    return Function("main", [], width, {}, [("return", code)], exported=True)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "data"),
    [(0, "00"), (127, "7f"), (128, "8001"), (624485, "e58e26"), (2**32 - 1, "ffffffff0f")],
)
def test_numbers_without_a_sign(value: int, data: str) -> None:
    assert binary.unsigned(value).hex() == data


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (0, "00"),
        (-1, "7f"),
        (63, "3f"),
        (64, "c000"),
        (-64, "40"),
        (-65, "bf7f"),
        (-123456, "c0bb78"),
    ],
)
def test_numbers_with_a_sign(value: int, data: str) -> None:
    assert binary.signed(value).hex() == data


@given(st.integers(-(2**31), 2**31 - 1))
def test_constants_of_32_bits_arrive(value: int) -> None:
    assert WasmRunner(program(number(value, "i32"))).call("main") == value


@given(st.integers(-(2**63), 2**63 - 1))
def test_constants_of_64_bits_arrive(value: int) -> None:
    assert WasmRunner(program(number(value, "i64"))).call("main") == value


def test_constants_may_be_written_without_a_sign() -> None:
    assert WasmRunner(program(number(2**32 - 1, "i32"))).call("main") == -1
    assert WasmRunner(program(number(2**64 - 2, "i64"))).call("main") == -2
    with pytest.raises(AssertionError):
        encoded(program(number(2**32, "i32")))


# ---------------------------------------------------------------- the module


def test_a_module_is_all_that_is_needed_to_run_it() -> None:
    """So a page in a browser can: nothing is imported, and memory holds what it has to at first."""
    made = inlined(Engine(table_of("tic_tac_toe", 2)).program)
    engine = wasmtime.Engine()
    module = wasmtime.Module(engine, encoded(made))
    assert module.imports == []
    exported = {name for name, function in made.functions.items() if function.exported}
    assert {each.name for each in module.exports} == {"memory", *exported}
    store = wasmtime.Store(engine)
    memory = wasmtime.Instance(store, module, []).exports(store)["memory"]
    assert isinstance(memory, wasmtime.Memory)
    for address, data in made.data:
        assert memory.read(store, address, address + len(data)) == data


def test_memory_does_not_grow() -> None:
    module = wasmtime.Module(wasmtime.Engine(), encoded(program(number(1, "i32"))))
    (memory,) = (each.type for each in module.exports if each.name == "memory")
    assert isinstance(memory, wasmtime.MemoryType)
    assert (memory.limits.min, memory.limits.max) == (3, 3)


def test_data_near_to_each_other_is_joined() -> None:
    near = [(70, b"b" * 8), (8, b"a" * 4), (78, b"c"), (1000, b"d")]
    runner = WasmRunner(program(number(1, "i32"), data=near))
    expected = b"aaaa" + bytes(58) + b"bbbbbbbbc" + bytes(921) + b"d"
    assert runner.read(8, len(expected)) == expected
    assert printed(encoded(program(number(1, "i32"), data=near))).count("(data ") == 2


def test_data_must_not_overlap() -> None:
    with pytest.raises(AssertionError, match="at 10"):
        encoded(program(number(1, "i32"), data=[(8, b"aaaa"), (10, b"b")]))


def test_a_trap_tells_the_names_of_functions() -> None:
    inner = Function("innermost", [], None, {}, [("loop", "L", [("trap",)])])
    main = Function("main", [], None, {}, [("do", ("call", "innermost"))], exported=True)
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    module = wasmtime.Module(engine, encoded(program(inner, main)))
    called = wasmtime.Instance(store, module, []).exports(store)["main"]
    assert isinstance(called, wasmtime.Func)
    with pytest.raises(wasmtime.Trap) as caught:
        called(store)
    assert [frame.func_name for frame in caught.value.frames] == ["innermost", "main"]


# ---------------------------------------------------------------- the text


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig", "kuhn_poker", "chess"])
def test_the_text_is_the_module(name: str) -> None:
    """An assembler that is not ours makes the same bytes from it."""
    made = encoded(inlined(Engine(table_of(name, 2)).program))
    assert bytes(wasmtime.wat2wasm(printed(made))) == made


def test_the_text_is_readable() -> None:
    body = [
        (
            "loop",
            "L",
            [("if", ("i32.eqz", "n"), [("break", "L")], []), ("set", "n", ("i32.sub", "n", 1))],
        ),
        ("if", "n", [("store", 0, 8, "n")], [("store64", 0, 16, ("i64", -1))]),
        ("return", ("load", "n", 4)),
    ]
    main = Function("main", [("n", "i32")], "i32", {"t": "i64"}, body, exported=True)
    assert printed(encoded(program(main, data=[(8, b"\x01\xff")]))).splitlines() == [
        "(module",
        "  (type (;0;) (func (param i32) (result i32)))",
        "  (func $main (;0;) (type 0)",
        "    (local i64)",
        "    block",
        "      loop",
        "        local.get 0",
        "        i32.eqz",
        "        br_if 1",
        "        local.get 0",
        "        i32.const 1",
        "        i32.sub",
        "        local.set 0",
        "        br 0",
        "      end",
        "    end",
        "    local.get 0",
        "    if",
        "      i32.const 0",
        "      local.get 0",
        "      i32.store offset=8",
        "    else",
        "      i32.const 0",
        "      i64.const -1",
        "      i64.store offset=16",
        "    end",
        "    local.get 0",
        "    i32.load offset=4",
        "    return",
        "    unreachable",
        "  )",
        "  (memory (;0;) 3 3)",
        '  (export "memory" (memory 0))',
        '  (export "main" (func 0))',
        '  (data (i32.const 8) "\\01\\ff")',
        ")",
    ]
