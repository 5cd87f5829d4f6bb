"""Prints low-level code as WebAssembly text, and runs it with wasmtime."""

from __future__ import annotations

from typing import Any
from weakref import finalize

from ruledsl.engine.code import Code, Function, Program, Statement
from ruledsl.engine.inline import inlined

PAGE = 65536


def print_wasm(program: Program) -> str:
    """A module in the text format; what memory holds at first is written by whoever runs it."""
    pages = -(-program.size // PAGE)
    lines = [
        "(module",
        f'(memory (export "memory") {pages})',
        *map(_function, program.functions.values()),
        ")",
    ]
    return "\n".join(lines)


def _function(function: Function) -> str:
    parts = [f"(func ${function.name}"]
    if function.exported:
        parts.append(f'(export "{function.name}")')
    parts.extend(f"(param ${name} {width})" for name, width in function.params)
    if function.result is not None:
        parts.append(f"(result {function.result})")
    parts.extend(f"(local ${name} {width})" for name, width in function.locals.items())
    _statements(function.body, parts)
    if function.result is not None:
        parts.append("(unreachable)")
    parts.append(")")
    return "\n".join(parts)


def _statements(statements: list[Statement], out: list[str]) -> None:
    for statement in statements:
        _statement(statement, out)


def _statement(statement: Statement, out: list[str]) -> None:
    match statement:
        case ("set", name, value):
            out.append(f"(local.set ${name} {_code(value)})")
        case ("store", address, offset, value):
            out.append(f"(i32.store{_offset(offset)} {_code(address)} {_code(value)})")
        case ("store64", address, offset, value):
            out.append(f"(i64.store{_offset(offset)} {_code(address)} {_code(value)})")
        case ("if", condition, [("break", label)], []):
            out.append(f"(br_if ${label} {_code(condition)})")
        case ("if", condition, then, otherwise):
            out.append(f"(if {_code(condition)} (then")
            _statements(then, out)
            out.append(")")
            if otherwise:
                out.append("(else")
                _statements(otherwise, out)
                out.append(")")
            out.append(")")
        case ("block", label, body):
            out.append(f"(block ${label}")
            _statements(body, out)
            out.append(")")
        case ("loop", label, body):
            out.append(f"(block ${label} (loop ${label}_again")
            _statements(body, out)
            out.append(f"(br ${label}_again)))")
        case ("break", label):
            out.append(f"(br ${label})")
        case ("again", label):
            out.append(f"(br ${label}_again)")
        case ("return", None):
            out.append("(return)")
        case ("return", value):
            out.append(f"(return {_code(value)})")
        case ("do", call):
            out.append(_code(call))
        case ("copy", target, source, size):
            out.append(f"(memory.copy {_code(target)} {_code(source)} {_code(size)})")
        case ("trap",):
            out.append("(unreachable)")
        case ("goto", label, name, number):
            out.append(f"(local.set ${name} (i32.const {number})) (br ${label}_again)")
        case ("dispatch", label, name, blocks):
            _dispatch(label, name, blocks, out)
        case _:
            raise AssertionError(f"no such statement: {statement[0]}")


def _dispatch(label: str, name: str, blocks: list[list[Statement]], out: list[str]) -> None:
    numbers = range(len(blocks))
    out.append(f"(block ${label} (loop ${label}_again")
    out.append("".join(f"(block ${label}_{number} " for number in reversed(numbers)))
    targets = " ".join(f"${label}_{number}" for number in numbers)
    out.append(f"(br_table {targets} (local.get ${name}))")
    for block in blocks:
        out.append(")")
        _statements(block, out)
    out.append(f"(br ${label})))")


def _offset(offset: int) -> str:
    return f" offset={offset}" if offset else ""


def _code(code: Code) -> str:
    if isinstance(code, int):
        return f"(i32.const {code})"
    if isinstance(code, str):
        return f"(local.get ${code})"
    name = code[0]
    if name == "load":
        return f"(i32.load{_offset(code[2])} {_code(code[1])})"
    if name == "load64":
        return f"(i64.load{_offset(code[2])} {_code(code[1])})"
    if name == "i64":
        return f"(i64.const {code[1]})"
    if name == "call":
        return f"(call ${code[1]} {' '.join(map(_code, code[2:]))})"
    return f"({name} {' '.join(map(_code, code[1:]))})"


def _close(*parts: Any) -> None:
    for part in parts:
        if hasattr(part, "close"):
            part.close()


class WasmRunner:
    """A program as a WebAssembly module: memory-safe, compiled when it is loaded."""

    def __init__(self, program: Program) -> None:
        import wasmtime  # noqa: PLC0415 (may be missing; then programs run as Python)

        binary = wasmtime.wat2wasm(print_wasm(inlined(program)))
        config = wasmtime.Config()
        config.cranelift_opt_level = "speed"
        engine = wasmtime.Engine(config)
        self._store = wasmtime.Store(engine)
        module = wasmtime.Module(engine, bytes(binary))
        instance = wasmtime.Instance(self._store, module, [])
        self.traps: tuple[type[Exception], ...] = (wasmtime.Trap, wasmtime.WasmtimeError)
        self._exports = instance.exports(self._store)
        self._memory: Any = self._exports["memory"]
        self._functions: dict[str, Any] = {}
        for address, data in program.data:
            self.write(address, data)
        # Closed before Python shuts down: later, what closing needs may be gone.
        finalize(self, _close, instance, module, self._store, engine)

    def call(self, name: str, *arguments: int) -> int:
        if name not in self._functions:
            self._functions[name] = self._exports[name]
        return self._functions[name](self._store, *arguments)  # type: ignore[no-any-return]

    def read(self, address: int, size: int) -> bytes:
        return bytes(self._memory.read(self._store, address, address + size))

    def write(self, address: int, data: bytes) -> None:
        self._memory.write(self._store, data, address)
