"""Encodes low-level code as a module of WebAssembly, and runs it with wasmtime.

The protocol is small, so that a page in a browser can run a module like wasmtime does: nothing is
imported; `memory` is exported, and holds at first what a program says; so is each exported
function, by its name, over numbers of 32 and 64 bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import groupby
from typing import Any
from weakref import finalize

import attrs

from ruledsl.engine.code import binary
from ruledsl.engine.code.binary import (
    ACCESS,
    BRANCHES,
    CONSTANTS,
    LOCALS,
    OPENING,
    PAGE,
    PLAIN,
    WIDTHS,
)
from ruledsl.engine.code.inline import inlined
from ruledsl.engine.code.instructions import Code, Function, Program, Statement
from ruledsl.engine.unsupported import MOST_CODE, Unsupported

FEW_BYTES = 32
"""So few are copied cell by cell."""
MOST_WRITTEN_OUT = 512
"""Bytes that are copied without a call."""
JOINED = 64
"""Pieces of data are joined where fewer bytes lie between them."""

_BLOCK, _LOOP, _IF = (OPENING[name] + binary.NO_RESULT for name in ("block", "loop", "if"))
_END, _ELSE, _RETURN, _TRAP = (PLAIN[name] for name in ("end", "else", "return", "unreachable"))
_BR, _BR_IF = BRANCHES["br"], BRANCHES["br_if"]
_CONST, _CONST64 = CONSTANTS["i32.const"], CONSTANTS["i64.const"]
_GET, _SET = LOCALS["local.get"], LOCALS["local.set"]


def encoded(program: Program) -> bytes:
    """The whole module."""
    functions = list(program.functions.values())
    numbers = {function.name: at for at, function in enumerate(functions)}
    types: dict[bytes, int] = {}
    of_functions = [types.setdefault(_type(each), len(types)) for each in functions]
    exported = [
        binary.text(each.name) + b"\0" + binary.unsigned(numbers[each.name])
        for each in functions
        if each.exported
    ]
    calls = {name: binary.CALL + binary.unsigned(at) for name, at in numbers.items()}
    constants: dict[int, bytes] = {}
    bodies = [_Body(each, calls, constants).encoded() for each in functions]
    if max(map(len, bodies), default=0) > MOST_CODE:
        raise Unsupported("a step, an action or a choice is too long")
    pages = -(-program.size // PAGE)
    return b"".join(
        (
            binary.MAGIC,
            binary.section(binary.TYPES, binary.vector(list(types))),
            binary.section(binary.FUNCTIONS, binary.vector([*map(binary.unsigned, of_functions)])),
            binary.section(binary.MEMORY, binary.vector([b"\1" + 2 * binary.unsigned(pages)])),
            binary.section(
                binary.EXPORTS, binary.vector([binary.text("memory") + b"\2\0", *exported])
            ),
            binary.section(binary.CODE, binary.vector(bodies)),
            binary.section(
                binary.DATA, binary.vector([_data(*each) for each in _joined(program.data)])
            ),
            binary.function_names(numbers),
        )
    )


def _type(function: Function) -> bytes:
    given = binary.vector([WIDTHS[width] for _, width in function.params])
    result = [] if function.result is None else [WIDTHS[function.result]]
    return binary.FUNCTION_TYPE + given + binary.vector(result)


def _joined(data: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    """The same data in few parts: a part costs whoever loads it more than some zeros."""
    parts: list[tuple[int, bytearray]] = []
    end = -JOINED
    for address, piece in sorted(data):
        gap = address - end
        if gap < JOINED:
            assert gap >= 0, f"two pieces of data lie at {address}"
            parts[-1][1].extend(bytes(gap) + piece)
        else:
            parts.append((address, bytearray(piece)))
        end = address + len(piece)
    return [(address, bytes(part)) for address, part in parts]


def _data(address: int, data: bytes) -> bytes:
    return b"\0" + _CONST + binary.signed(address) + _END + binary.unsigned(len(data)) + data


@attrs.define
class _Body:
    """Encodes the body of a function: operands first, then what is done with them."""

    function: Function
    calls: dict[str, bytes]
    constants: dict[int, bytes]
    """those encoded so far, of 32 bits"""
    out: bytearray = attrs.Factory(bytearray)
    gets: dict[str, bytes] = attrs.Factory(dict)
    sets: dict[str, bytes] = attrs.Factory(dict)
    depth: int = 0
    """how many blocks are open"""
    labels: dict[str, int] = attrs.Factory(dict)
    """the depth inside the block to whose end a jump goes, or whose start if it is a loop"""
    behind: dict[str, frozenset[int]] = attrs.Factory(dict)
    """by the label of a dispatch: the blocks that come behind the one being encoded"""

    def encoded(self) -> bytes:
        function = self.function
        names = [*(name for name, _ in function.params), *function.locals]
        for at, name in enumerate(names):
            number = binary.unsigned(at)
            self.gets[name] = _GET + number
            self.sets[name] = _SET + number
        groups = groupby(function.locals.values())
        runs = [binary.unsigned(len(list(run))) + WIDTHS[width] for width, run in groups]
        self.out += binary.vector(runs)
        self.statements(function.body)
        if function.result is not None:
            self.out += _TRAP
        self.out += _END
        return binary.unsigned(len(self.out)) + bytes(self.out)

    # ------------------------------------------------------------ blocks

    def open(self, opening: bytes, label: str | None = None) -> None:
        self.out += opening
        self.depth += 1
        if label is not None:
            self.labels[label] = self.depth

    def close(self) -> None:
        self.out += _END
        self.depth -= 1

    def jump(self, branch: bytes, label: str) -> None:
        self.out += branch + binary.unsigned(self.depth - self.labels[label])

    # ------------------------------------------------------------ statements

    def statements(self, statements: list[Statement]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, statement: Statement) -> None:
        match statement[0]:
            case "set":
                self.code(statement[2])
                self.out += self.sets[statement[1]]
            case "if":
                self._if(*statement[1:])
            case "store":
                self._store("i32.store", *statement[1:])
            case "store64":
                self._store("i64.store", *statement[1:])
            case "break":
                self.jump(_BR, statement[1])
            case "again":
                self.jump(_BR, _again(statement[1]))
            case "block":
                self.open(_BLOCK, statement[1])
                self.statements(statement[2])
                self.close()
            case "loop":
                _, label, body = statement
                self.open(_BLOCK, label)
                self.open(_LOOP, _again(label))
                self.statements(body)
                self.jump(_BR, _again(label))
                self.close()
                self.close()
            case "do":
                self.code(statement[1])
            case "return":
                if statement[1] is not None:
                    self.code(statement[1])
                self.out += _RETURN
            case "copy":
                self._copy(*statement[1:])
            case "trap":
                self.out += _TRAP
            case "goto":
                _, label, name, number = statement
                if number in self.behind[label]:
                    self.jump(_BR, _numbered(label, number))
                else:
                    self.out += self._constant(number) + self.sets[name]
                    self.jump(_BR, _again(label))
            case "dispatch":
                self._dispatch(*statement[1:])
            case word:
                raise AssertionError(f"no such statement: {word}")

    def _if(self, condition: Code, then: list[Statement], otherwise: list[Statement]) -> None:
        self.code(condition)
        if not otherwise and len(then) == 1 and then[0][0] == "break":
            self.jump(_BR_IF, then[0][1])
            return
        self.open(_IF)
        self.statements(then)
        if otherwise:
            self.out += _ELSE
            self.statements(otherwise)
        self.close()

    def _store(self, name: str, address: Code, offset: int, value: Code) -> None:
        self.code(address)
        self.code(value)
        self.out += ACCESS[name] + binary.unsigned(offset)

    def _copy(self, target: Code, source: Code, size: Code) -> None:
        if not isinstance(size, int) or size > MOST_WRITTEN_OUT:
            for code in (target, source, size):
                self.code(code)
            self.out += PLAIN["memory.copy"]
            return
        # From and to places that don't overlap, without a call.
        assert not _reads(target) and not _reads(source), "an address worked out again may change"
        at = 0
        for width, of in ((16, "v128"), (8, "i64"), (4, "i32")):
            # Cells just written are read one by one: a processor waits to read several at once.
            while size - at >= width and (size > FEW_BYTES or width == 4):
                offset = binary.unsigned(at)
                self.code(target)
                self.code(source)
                self.out += ACCESS[f"{of}.load"] + offset + ACCESS[f"{of}.store"] + offset
                at += width
        assert at == size

    def _dispatch(self, label: str, name: str, blocks: list[list[Statement]]) -> None:
        """Blocks one after the other, such that most jumps go forward, and so straight there."""
        explicit = [_going_on(block, label, name, at) for at, block in enumerate(blocks[:-1])]
        explicit.append(blocks[-1])
        order = _in_order(explicit, label)
        self.open(_BLOCK, label)
        self.open(_LOOP, _again(label))
        for number in reversed(order):
            self.open(_BLOCK, _numbered(label, number))
        ends = [self.labels[_numbered(label, number)] for number in range(len(blocks))]
        *targets, last = [binary.unsigned(self.depth - end) for end in ends]
        self.out += self.gets[name] + binary.BR_TABLE + binary.vector(targets) + last
        for at, number in enumerate(order):
            self.close()
            self.behind[label] = frozenset(order[at + 1 :])
            self.statements(explicit[number])
            if number == len(blocks) - 1:
                self.jump(_BR, label)
        self.close()
        self.close()

    # ------------------------------------------------------------ expressions

    def code(self, code: Code) -> None:
        if isinstance(code, str):
            self.out += self.gets[code]
            return
        if isinstance(code, int):
            self.out += self._constant(code)
            return
        name = code[0]
        match name:
            case "load":
                self.code(code[1])
                self.out += ACCESS["i32.load"] + binary.unsigned(code[2])
            case "load64":
                self.code(code[1])
                self.out += ACCESS["i64.load"] + binary.unsigned(code[2])
            case "i64":
                self.out += _CONST64 + binary.signed(_wrapped(code[1], 64))
            case "call":
                for operand in code[2:]:
                    self.code(operand)
                self.out += self.calls[code[1]]
            case _:
                for operand in code[1:]:
                    self.code(operand)
                self.out += PLAIN[name]

    def _constant(self, number: int) -> bytes:
        found = self.constants.get(number)
        if found is None:
            found = self.constants[number] = _CONST + binary.signed(_wrapped(number, 32))
        return found


def _wrapped(number: int, bits: int) -> int:
    """A number with or without a sign as one with a sign."""
    half = 1 << bits - 1
    assert -half <= number < 2 * half, number
    return number if number < half else number - 2 * half


def _again(label: str) -> str:
    """The label of the start of what is repeated."""
    return f"{label}_again"


def _numbered(label: str, number: int) -> str:
    """The label of a block of a dispatch."""
    return f"{label}_{number}"


def _reads(code: Code) -> bool:
    if not isinstance(code, tuple):
        return False
    return code[0] in ("load", "load64", "call") or any(map(_reads, code[1:]))


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


def _close(*parts: Any) -> None:
    for part in parts:
        if hasattr(part, "close"):
            part.close()


_on_one_thread: ContextVar[bool] = ContextVar("_on_one_thread", default=False)


@contextmanager
def on_one_thread() -> Iterator[None]:
    """Modules are compiled without threads for a while, so that the process can be copied."""
    before = _on_one_thread.set(True)
    try:
        yield
    finally:
        _on_one_thread.reset(before)


class WasmRunner:
    """A program as a WebAssembly module: memory-safe, compiled when it is loaded."""

    def __init__(self, program: Program) -> None:
        import wasmtime  # noqa: PLC0415 (may be missing; then programs run as Python)

        config = wasmtime.Config()
        config.cranelift_opt_level = "speed"
        config.parallel_compilation = not _on_one_thread.get()
        engine = wasmtime.Engine(config)
        self._store = wasmtime.Store(engine)
        module = wasmtime.Module(engine, encoded(inlined(program)))
        try:
            instance = wasmtime.Instance(self._store, module, [])
        except wasmtime.WasmtimeError as error:
            # It sets aside far more addresses than a module may use.
            raise MemoryError(str(error)) from error
        self.traps: tuple[type[Exception], ...] = (wasmtime.Trap, wasmtime.WasmtimeError)
        self._exports = instance.exports(self._store)
        self._memory: Any = self._exports["memory"]
        self._functions: dict[str, Any] = {}
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
