"""Prints low-level code as Python, and runs it: for debugging, and where wasmtime is missing.

A 32-bit value is held as a signed number, a 64-bit value as one without a sign. In between an
expression may leave this range: it is right modulo a power of two, its bounds are known while it
is printed, and it is brought back only where that matters. Cells are aligned, as the layout makes
them. A jump out of the innermost loop is a `break` or a `continue`; one that goes further leaves a
number in `to`, which is looked at where each loop ends.
"""

from __future__ import annotations

from collections.abc import Callable
from keyword import iskeyword
from typing import Any, Literal, TypeAlias

import attrs

from ruledsl.engine.code.instructions import Code, Function, Program, Statement, Width, is_plain

PAGE = 65536

_BITS: dict[str | None, int] = {"i32": 32, "i64": 64}
_HALF = 1 << 31
_M32 = (1 << 32) - 1
_M64 = (1 << 64) - 1

ATOM, PRODUCT, SUM, SHIFT, AND, XOR, OR, COMPARISON = range(8)
"""How tightly the operators of Python bind."""


class Trap(Exception):
    """The program did what no program may do."""


# ---------------------------------------------------------------- expressions


@attrs.frozen
class Value:
    """A printed expression and its bounds; it is right modulo a power of two."""

    text: str
    low: int
    high: int
    binds: int = ATOM

    def at(self, level: int) -> str:
        """The text as an operand of an operator that binds like this."""
        return self.text if self.binds <= level else f"({self.text})"

    def masked(self, bits: int) -> Value:
        """Without a sign."""
        high = (1 << bits) - 1
        if self.low >= 0 and self.high <= high:
            return self
        if self.low == self.high:
            return _number(self.low & high)
        return Value(f"{self.at(AND)} & {high:#x}", 0, high, AND)

    def signed(self, bits: int) -> Value:
        half = 1 << bits - 1
        if self.low >= -half and self.high < half:
            return self
        if self.low == self.high:
            return _number((self.low + half) % (2 * half) - half)
        text = f"({self.at(SUM)} + {half:#x} & {2 * half - 1:#x}) - {half:#x}"
        return Value(text, -half, half - 1, SUM)

    def kept(self, bits: int) -> Value:
        """As locals and memory hold it."""
        return self.signed(32) if bits == 32 else self.masked(64)


Binary: TypeAlias = Callable[[Value, Value, int], Value]


def _number(number: int) -> Value:
    return Value(str(number), number, number)


def _kept(text: str, width: Width) -> Value:
    return Value(text, -_HALF, _HALF - 1) if width == "i32" else Value(text, 0, _M64)


def _add(left: Value, right: Value, _bits: int) -> Value:
    text = f"{left.at(SUM)} + {right.at(SUM)}"
    return Value(text, left.low + right.low, left.high + right.high, SUM)


def _sub(left: Value, right: Value, _bits: int) -> Value:
    text = f"{left.at(SUM)} - {right.at(PRODUCT)}"
    return Value(text, left.low - right.high, left.high - right.low, SUM)


def _mul(left: Value, right: Value, _bits: int) -> Value:
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return Value(f"{left.at(PRODUCT)} * {right.at(PRODUCT)}", min(corners), max(corners), PRODUCT)


def _bitwise(sign: Literal["&", "^", "|"], binds: int) -> Binary:
    def print_it(left: Value, right: Value, _bits: int) -> Value:
        reach = max(n.bit_length() for each in (left, right) for n in (each.low, each.high))
        low, high = -1 << reach, (1 << reach) - 1
        if left.low >= 0 and right.low >= 0:
            low = 0
        if sign == "&":
            positive = [each.high for each in (left, right) if each.low >= 0]
            if positive:
                low, high = 0, min(positive)
        return Value(f"{left.at(binds)} {sign} {right.at(binds)}", low, high, binds)

    return print_it


def _steps(right: Value, bits: int) -> Value:
    """How far to shift."""
    if right.low >= 0 and right.high < bits:
        return right
    if right.low == right.high:
        return _number(right.low % bits)
    return Value(f"{right.at(AND)} & {bits - 1}", 0, bits - 1, AND)


def _shl(left: Value, right: Value, bits: int) -> Value:
    steps = _steps(right, bits)
    low, high = min(left.low << steps.low, left.low << steps.high), left.high << steps.high
    return Value(f"{left.at(SHIFT)} << {steps.at(SUM)}", low, max(high, 0), SHIFT)


def _shr_u(left: Value, right: Value, bits: int) -> Value:
    steps, whole = _steps(right, bits), left.masked(bits)
    return Value(f"{whole.at(SHIFT)} >> {steps.at(SUM)}", 0, whole.high >> steps.low, SHIFT)


def _shr_s(left: Value, right: Value, bits: int) -> Value:
    steps, whole = _steps(right, bits), left.signed(bits)
    low, high = min(whole.low, 0), max(whole.high, 0)
    return Value(f"{whole.at(SHIFT)} >> {steps.at(SUM)}", low, high, SHIFT)


def _compare(sign: str, *, signed: bool) -> Binary:
    def print_it(left: Value, right: Value, bits: int) -> Value:
        if signed:
            left, right = left.signed(bits), right.signed(bits)
        else:
            left, right = left.masked(bits), right.masked(bits)
        return Value(f"{left.at(OR)} {sign} {right.at(OR)}", 0, 1, COMPARISON)

    return print_it


def _same(sign: str) -> Binary:
    def print_it(left: Value, right: Value, bits: int) -> Value:
        left, right = left.kept(bits), right.kept(bits)
        return Value(f"{left.at(OR)} {sign} {right.at(OR)}", 0, 1, COMPARISON)

    return print_it


def _helper(name: str, *, signed: bool) -> Binary:
    def print_it(left: Value, right: Value, bits: int) -> Value:
        if signed:
            given = f"{left.signed(bits).text}, {right.signed(bits).text}"
            return Value(f"{name}({given}, {bits})", -1 << bits - 1, (1 << bits - 1) - 1)
        given = f"{left.masked(bits).text}, {right.masked(bits).text}"
        return Value(f"{name}({given})", 0, (1 << bits) - 1)

    return print_it


def _rotate(*, left_wise: bool) -> Binary:
    def print_it(left: Value, right: Value, bits: int) -> Value:
        steps = right if left_wise else _sub(_number(0), right, bits)
        text = f"_rotate({left.masked(bits).text}, {_steps(steps, bits).text}, {bits})"
        return Value(text, 0, (1 << bits) - 1)

    return print_it


BINARY: dict[str, Binary] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "div_s": _helper("_div_s", signed=True),
    "div_u": _helper("_div_u", signed=False),
    "rem_s": _helper("_rem_s", signed=True),
    "rem_u": _helper("_rem_u", signed=False),
    "and": _bitwise("&", AND),
    "or": _bitwise("|", OR),
    "xor": _bitwise("^", XOR),
    "shl": _shl,
    "shr_u": _shr_u,
    "shr_s": _shr_s,
    "rotl": _rotate(left_wise=True),
    "rotr": _rotate(left_wise=False),
    "eq": _same("=="),
    "ne": _same("!="),
    "lt_s": _compare("<", signed=True),
    "le_s": _compare("<=", signed=True),
    "gt_s": _compare(">", signed=True),
    "ge_s": _compare(">=", signed=True),
    "lt_u": _compare("<", signed=False),
    "le_u": _compare("<=", signed=False),
    "gt_u": _compare(">", signed=False),
    "ge_u": _compare(">=", signed=False),
}


def _eqz(of: Value, bits: int) -> Value:
    return _same("==")(of, _number(0), bits)


def _popcnt(of: Value, bits: int) -> Value:
    return Value(f"({of.masked(bits).text}).bit_count()", 0, bits)


def _ctz(of: Value, bits: int) -> Value:
    return Value(f"_ctz({of.masked(bits).text}, {bits})", 0, bits)


def _clz(of: Value, bits: int) -> Value:
    return Value(f"{bits} - ({of.masked(bits).text}).bit_length()", 0, bits, SUM)


UNARY: dict[str, Callable[[Value, int], Value]] = {
    "eqz": _eqz,
    "popcnt": _popcnt,
    "ctz": _ctz,
    "clz": _clz,
    # The lower half is right already, and brought back where it matters.
    "wrap_i64": lambda of, bits: of,
    "extend_i32_u": lambda of, bits: of.masked(32),
    "extend_i32_s": lambda of, bits: of.signed(32),
}


def _div_s(left: int, right: int, bits: int) -> int:
    if not right or (right == -1 and left == -1 << bits - 1):
        raise Trap("a division")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _rem_s(left: int, right: int, bits: int) -> int:
    return 0 if right == -1 else left - right * _div_s(left, right, bits)


def _div_u(left: int, right: int) -> int:
    if not right:
        raise Trap("a division")
    return left // right


def _rem_u(left: int, right: int) -> int:
    return left - right * _div_u(left, right)


def _rotate_by(value: int, steps: int, bits: int) -> int:
    return (value << steps | value >> bits - steps) & (1 << bits) - 1


def _trailing(value: int, bits: int) -> int:
    return (value & -value).bit_length() - 1 if value else bits


HELPERS: dict[str, object] = {
    "_div_s": _div_s,
    "_rem_s": _rem_s,
    "_div_u": _div_u,
    "_rem_u": _rem_u,
    "_rotate": _rotate_by,
    "_ctz": _trailing,
    "_Trap": Trap,
}


# ---------------------------------------------------------------- statements

Jump: TypeAlias = tuple[str, Literal["break", "continue"]]


@attrs.define
class _Loop:
    """What is printed as a loop of Python, and where jumps out of it go."""

    label: str
    outwards: set[Jump] = attrs.Factory(set)


@attrs.define
class _PythonPrinter:
    program: Program
    function: Function
    lines: list[str] = attrs.Factory(list)
    indent: int = 1
    loops: list[_Loop] = attrs.Factory(list)
    jumps: dict[Jump, int] = attrs.Factory(dict)
    """the number in `to` for each jump that goes far"""

    def print(self) -> str:
        function = self.function
        names = ", ".join(_name(name) for name, _ in function.params)
        if function.locals:
            self.line(" = ".join([*map(_name, function.locals), "0"]))
        before = len(self.lines)
        self.body(function.body)
        if self.jumps:
            self.lines.insert(before, "    to = 0")
        if function.result is not None:
            self.line("raise _Trap('no result')")
        return "\n".join([f"def {_function_name(function.name)}({names}):", *self.lines])

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def width(self, name: str) -> Width:
        return self.function.locals.get(name) or dict(self.function.params)[name]

    # ------------------------------------------------------------ expressions

    def code(self, code: Code) -> Value:
        if isinstance(code, int):
            return _number(code).signed(32)
        if isinstance(code, str):
            return _kept(_name(code), self.width(code))
        match code:
            case ("i64", number):
                return _number(number & _M64)
            case ("load", address, offset):
                return _kept(f"cells[{self.index(address, offset, 4)}]", "i32")
            case ("load64", address, offset):
                return _kept(f"words[{self.index(address, offset, 8)}]", "i64")
            case ("select", yes, other, condition):
                return self.select(yes, other, condition)
            case ("call", name, *given):
                return self.call(name, given)
            case ("drop", inner):
                return self.code(inner)
            case (str(name), left, right):
                kind, _, plain = name.partition(".")
                return BINARY[plain](self.code(left), self.code(right), _BITS[kind])
            case (str(name), inner):
                kind, _, plain = name.partition(".")
                return UNARY[plain](self.code(inner), _BITS[kind])
            case _:
                raise AssertionError(f"no such expression: {code[0]}")

    def call(self, name: str, given: list[Code]) -> Value:
        called = self.program.functions[name]
        parts = [
            self.code(each).kept(_BITS[width]).text
            for each, (_, width) in zip(given, called.params, strict=True)
        ]
        return _kept(f"{_function_name(name)}({', '.join(parts)})", called.result or "i32")

    def select(self, yes: Code, other: Code, condition: Code) -> Value:
        first, second = self.code(yes), self.code(other)
        bits = 64 if self.is_wide(yes) else 32
        first, second = first.kept(bits), second.kept(bits)
        if is_plain(yes) and is_plain(other):
            text = f"({first.text} if {self.condition(condition)} else {second.text})"
        else:
            # Both are worked out, and before the condition.
            zero = _eqz(self.code(condition), 32)
            text = f"({first.text}, {second.text})[{zero.text}]"
        return Value(text, min(first.low, second.low), max(first.high, second.high))

    def is_wide(self, code: Code) -> bool:
        """Whether an expression has 64 bits."""
        if isinstance(code, int | str):
            return isinstance(code, str) and self.width(code) == "i64"
        if code[0] == "call":
            return self.program.functions[code[1]].result == "i64"
        if code[0] == "select":
            return self.is_wide(code[1])
        plain = code[0].partition(".")[2]
        yields_flag = plain == "eqz" or plain[:2] in ("eq", "ne", "lt", "le", "gt", "ge")
        return bool(code[0].startswith(("i64", "load64"))) and not yields_flag

    def index(self, address: Code, offset: int, size: int) -> str:
        """The number of a cell; an address has no sign, and an offset does not wrap round."""
        place = self.code(address).masked(32)
        if place.low == place.high:
            where = place.low + offset
            assert where % size == 0, f"{where} is not aligned"
            return str(where // size)
        shift = size.bit_length() - 1
        whole = _add(place, _number(offset), 32) if offset else place
        return f"{whole.at(SUM)} >> {shift}"

    def condition(self, code: Code) -> str:
        return self.code(code).signed(32).text

    # ------------------------------------------------------------ statements

    def body(self, statements: list[Statement]) -> None:
        before = len(self.lines)
        for statement in statements:
            self.statement(statement)
        if len(self.lines) == before:
            self.line("pass")

    def statement(self, statement: Statement) -> None:
        match statement:
            case ("set", name, value):
                self.line(f"{_name(name)} = {self.code(value).kept(_BITS[self.width(name)]).text}")
            case ("store", address, offset, value):
                self.store("cells", address, offset, value, 4)
            case ("store64", address, offset, value):
                self.store("words", address, offset, value, 8)
            case ("if", condition, then, otherwise):
                self.line(f"if {self.condition(condition)}:")
                self.inside(then)
                if otherwise:
                    self.line("else:")
                    self.inside(otherwise)
            case ("block", label, body):
                if _jumps_to(body, label):
                    self.loop(label, lambda: self.once(body))
                else:
                    for each in body:
                        self.statement(each)
            case ("loop", label, body):
                self.loop(label, lambda: self.body(body))
            case ("break", label):
                self.jump((label, "break"))
            case ("again", label):
                self.jump((label, "continue"))
            case ("goto", label, name, number):
                self.line(f"{_name(name)} = {number}")
                self.jump((label, "continue"))
            case ("dispatch", label, name, blocks):
                self.loop(label, lambda: self.dispatch(_name(name), blocks))
            case ("return", None):
                self.line("return")
            case ("return", value):
                width = self.function.result
                assert width is not None
                self.line(f"return {self.code(value).kept(_BITS[width]).text}")
            case ("do", call):
                self.line(self.code(call).text)
            case ("copy", target, source, size):
                parts = (self.code(each).masked(32).text for each in (target, source, size))
                self.line(f"_copy({', '.join(parts)})")
            case ("trap",):
                self.line("raise _Trap('here')")
            case _:
                raise AssertionError(f"no such statement: {statement[0]}")

    def inside(self, statements: list[Statement]) -> None:
        self.indent += 1
        self.body(statements)
        self.indent -= 1

    def store(self, memory: str, address: Code, offset: int, value: Code, size: int) -> None:
        bits = 8 * size
        text = self.code(value).kept(bits).text
        index = self.index(address, offset, size)
        if _calls(value) and not is_plain(address):
            # Python works out the value first, but it may change what the address depends on.
            self.line(f"at = {index}")
            index = "at"
        self.line(f"{memory}[{index}] = {text}")

    # ------------------------------------------------------------ loops and jumps

    def loop(self, label: str, body: Callable[[], None]) -> None:
        loop = _Loop(label)
        self.loops.append(loop)
        self.line("while True:")
        self.indent += 1
        body()
        self.indent -= 1
        self.loops.pop()
        self.go_on(loop)

    def once(self, body: list[Statement]) -> None:
        for each in body:
            self.statement(each)
        self.line("break")

    def dispatch(self, name: str, blocks: list[list[Statement]]) -> None:
        """Each block runs if it is entered, or one before it; the last one anyway."""
        for number, block in enumerate(blocks[:-1]):
            self.line(f"if {name} <= {number}:")
            self.inside(block)
        self.once(blocks[-1])

    def jump(self, jump: Jump) -> None:
        """Go to a loop from inside it."""
        if self.loops[-1].label == jump[0]:
            self.line(jump[1])
            return
        self.line(f"to = {self.jumps.setdefault(jump, len(self.jumps) + 1)}")
        self.line("break")
        self.loops[-1].outwards.add(jump)

    def go_on(self, left: _Loop) -> None:
        """After a loop: jumps from inside it that go further."""
        far: set[Jump] = set()
        for jump in sorted(left.outwards, key=lambda each: self.jumps[each]):
            if self.loops[-1].label == jump[0]:
                self.line(f"if to == {self.jumps[jump]}:")
                self.line("    to = 0")
                self.line(f"    {jump[1]}")
            else:
                far.add(jump)
        if far:
            self.line("if to:")
            self.line("    break")
            self.loops[-1].outwards |= far


def _jumps_to(statements: list[Statement], label: str) -> bool:
    for statement in statements:
        match statement:
            case ("break", to):
                if to == label:
                    return True
            case ("if", _, then, otherwise):
                if _jumps_to(then, label) or _jumps_to(otherwise, label):
                    return True
            case ("block" | "loop", _, body):
                if _jumps_to(body, label):
                    return True
            case ("dispatch", _, _, blocks):
                if any(_jumps_to(block, label) for block in blocks):
                    return True
            case _:
                pass
    return False


def _calls(code: Code) -> bool:
    return isinstance(code, tuple) and (code[0] == "call" or any(map(_calls, code[1:])))


def _name(name: str) -> str:
    return f"{name}_" if iskeyword(name) or name in ("to", "at", "cells", "words") else name


def _function_name(name: str) -> str:
    return f"do_{name}"


def print_python(program: Program) -> str:
    """A module; `cells`, `words` and the helpers are given to it."""
    functions = program.functions.values()
    return "\n\n\n".join(_PythonPrinter(program, each).print() for each in functions)


class PythonRunner:
    """A program as Python functions over one memory."""

    traps: tuple[type[Exception], ...] = (Trap, IndexError)

    def __init__(self, program: Program) -> None:
        self._program = program
        self._memory = bytearray(-(-program.size // PAGE) * PAGE)
        for address, data in program.data:
            self._memory[address : address + len(data)] = data
        whole = memoryview(self._memory)
        self._names: dict[str, Any] = {
            **HELPERS,
            "_copy": self._copy,
            "cells": whole.cast("i"),
            "words": whole.cast("Q"),
        }
        self.source = print_python(program)
        exec(compile(self.source, "<rules>", "exec"), self._names)  # noqa: S102 (our own code)

    def _copy(self, target: int, source: int, size: int) -> None:
        if max(target, source) + size > len(self._memory):
            raise Trap("outside of memory")
        self._memory[target : target + size] = self._memory[source : source + size]

    def call(self, name: str, *arguments: int) -> int:
        function = self._program.functions[name]
        given = (
            _number(each).kept(_BITS[width]).low
            for each, (_, width) in zip(arguments, function.params, strict=True)
        )
        result = self._names[_function_name(name)](*given)
        return 0 if result is None else int(_number(result).signed(_BITS[function.result]).low)

    def read(self, address: int, size: int) -> bytes:
        return bytes(self._memory[address : address + size])

    def write(self, address: int, data: bytes) -> None:
        if address + len(data) > len(self._memory):
            raise Trap("outside of memory")
        self._memory[address : address + len(data)] = data
