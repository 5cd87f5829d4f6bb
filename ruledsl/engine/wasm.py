"""Prints low-level code as WebAssembly text, and runs it with wasmtime."""

from __future__ import annotations

from typing import Any
from weakref import finalize

import attrs

from ruledsl.engine.code import Code, Function, Program, Statement
from ruledsl.engine.inline import inlined

PAGE = 65536
FEW_BYTES = 32
"""So few are copied cell by cell."""
MOST_WRITTEN_OUT = 512
"""Bytes that are copied without a call."""


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
    _Printer(parts).statements(function.body)
    if function.result is not None:
        parts.append("(unreachable)")
    parts.append(")")
    return "\n".join(parts)


@attrs.define
class _Printer:
    """Prints the statements of a function."""

    out: list[str]
    behind: dict[str, frozenset[int]] = attrs.Factory(dict)
    """by the label of a dispatch: the blocks that come behind the one being printed"""

    def statements(self, statements: list[Statement]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        out = self.out
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
                self.statements(then)
                out.append(")")
                if otherwise:
                    out.append("(else")
                    self.statements(otherwise)
                    out.append(")")
                out.append(")")
            case ("block", label, body):
                out.append(f"(block ${label}")
                self.statements(body)
                out.append(")")
            case ("loop", label, body):
                out.append(f"(block ${label} (loop ${label}_again")
                self.statements(body)
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
            case ("copy", target, source, int() as size) if size <= MOST_WRITTEN_OUT:
                self._copy(_code(target), _code(source), size)
            case ("copy", target, source, size):
                out.append(f"(memory.copy {_code(target)} {_code(source)} {_code(size)})")
            case ("trap",):
                out.append("(unreachable)")
            case ("goto", label, name, number):
                if number in self.behind[label]:
                    out.append(f"(br ${label}_{number})")
                else:
                    out.append(f"(local.set ${name} (i32.const {number})) (br ${label}_again)")
            case ("dispatch", label, name, blocks):
                self._dispatch(label, name, blocks)
            case _:
                raise AssertionError(f"no such statement: {statement[0]}")

    def _copy(self, target: str, source: str, size: int) -> None:
        """A few bytes, from and to places that don't overlap, without a call."""
        assert ".load" not in target + source, "an address that is worked out again may change"
        at = 0
        for width, load, store in (
            (16, "v128.load", "v128.store"),
            (8, "i64.load", "i64.store"),
            (4, "i32.load", "i32.store"),
        ):
            # Cells just written are read one by one: a processor waits to read several at once.
            while size - at >= width and (size > FEW_BYTES or width == 4):
                value = f"({load}{_offset(at)} {source})"
                self.out.append(f"({store}{_offset(at)} {target} {value})")
                at += width
        assert at == size

    def _dispatch(self, label: str, name: str, blocks: list[list[Statement]]) -> None:
        """Blocks one after the other, such that most jumps go forward, and so straight there."""
        explicit = [_going_on(block, label, name, at) for at, block in enumerate(blocks[:-1])]
        explicit.append(blocks[-1])
        order = _in_order(explicit, label)
        self.out.append(f"(block ${label} (loop ${label}_again")
        self.out.append("".join(f"(block ${label}_{number} " for number in reversed(order)))
        targets = " ".join(f"${label}_{number}" for number in range(len(blocks)))
        self.out.append(f"(br_table {targets} (local.get ${name}))")
        for at, number in enumerate(order):
            self.out.append(")")
            self.behind[label] = frozenset(order[at + 1 :])
            self.statements(explicit[number])
            if number == len(blocks) - 1:
                self.out.append(f"(br ${label})")
        self.out.append("))")


def _going_on(block: list[Statement], label: str, name: str, at: int) -> list[Statement]:
    """A block that says where it goes on, if at the next."""
    if block and block[-1][0] in ("goto", "return", "trap", "break", "again"):
        return block
    return [*block, ("goto", label, name, at + 1)]


def _in_order(blocks: list[list[Statement]], label: str) -> list[int]:
    """The numbers of blocks, each behind those that jump to it, but for jumps back."""
    seen: set[int] = set()
    finished: list[int] = []
    for first in reversed(range(len(blocks))):
        stack = [(first, iter(sorted(_jumps(blocks[first], label))))]
        if first in seen:
            continue
        seen.add(first)
        while stack:
            number, following = stack[-1]
            after = next(following, None)
            if after is None:
                finished.append(number)
                stack.pop()
            elif after not in seen:
                seen.add(after)
                stack.append((after, iter(sorted(_jumps(blocks[after], label)))))
    return finished[::-1]


def _jumps(part: object, label: str) -> set[int]:
    """The blocks of a dispatch that statements jump to."""
    match part:
        case ("goto", str() as to, _, int() as number):
            return {number} if to == label else set()
        case list() | tuple():
            return {number for each in part for number in _jumps(each, label)}
        case _:
            return set()


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
