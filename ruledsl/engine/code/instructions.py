"""The low-level code that rules are lowered to: functions over 32-bit cells of one memory.

An expression is a number, the name of a local, or an operator with its operands; operators have
their WebAssembly names. Statements are tuples too: a printer goes through some hundred thousand of
them, and tuples are what Python makes and matches fastest. Both printers accept exactly this:

expressions  number · name · ("i64", number) · (operator, operands…) · ("load", address, offset)
             ("load64", address, offset) · ("select", yes, no, condition) · ("call", function, …)
statements   ("set", name, e) · ("store", address, offset, e) · ("store64", address, offset, e)
             ("if", condition, then, else) · ("block", label, body) · ("loop", label, body)
             ("break", label) · ("again", label) · ("return", e or None) · ("do", call)
             ("copy", to, from, bytes) · ("trap",)
             ("dispatch", label, name, blocks) · ("goto", label, name, number)

A loop runs until it is left. A dispatch runs the block with the number in a local, then the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias

import attrs

Code: TypeAlias = "int | str | tuple[Any, ...]"
Statement: TypeAlias = tuple[Any, ...]
Width: TypeAlias = Literal["i32", "i64"]

_FOLDS: dict[str, Callable[[int, int], int]] = {
    "i32.add": lambda a, b: a + b,
    "i32.sub": lambda a, b: a - b,
    "i32.mul": lambda a, b: a * b,
    "i32.eq": lambda a, b: int(a == b),
    "i32.ne": lambda a, b: int(a != b),
    "i32.lt_s": lambda a, b: int(a < b),
    "i32.le_s": lambda a, b: int(a <= b),
    "i32.gt_s": lambda a, b: int(a > b),
    "i32.ge_s": lambda a, b: int(a >= b),
    "i32.and": lambda a, b: a & b,
    "i32.or": lambda a, b: a | b,
}


def op(name: str, left: Code, right: Code) -> Code:
    """An operator of two operands; of two numbers, its value."""
    if isinstance(left, int) and isinstance(right, int) and name in _FOLDS:
        return _FOLDS[name](left, right)
    return (name, left, right)


def add(left: Code, right: Code) -> Code:
    if right == 0:
        return left
    if left == 0:
        return right
    return op("i32.add", left, right)


def sub(left: Code, right: Code) -> Code:
    return left if right == 0 else op("i32.sub", left, right)


def mul(left: Code, right: Code) -> Code:
    if right == 1:
        return left
    if isinstance(right, int) and right > 1 and right & (right - 1) == 0:
        if isinstance(left, int):
            return left * right
        return ("i32.shl", left, right.bit_length() - 1)
    return op("i32.mul", left, right)


def eq(left: Code, right: Code) -> Code:
    return op("i32.eq", left, right)


def ne(left: Code, right: Code) -> Code:
    return op("i32.ne", left, right)


def both(left: Code, right: Code) -> Code:
    """And, of two flags that cost little."""
    if left == 0 or right == 0:
        return 0
    if left == 1:
        return right
    if right == 1:
        return left
    return ("i32.and", left, right)


def either(left: Code, right: Code) -> Code:
    if left == 1 or right == 1:
        return 1
    if left == 0:
        return right
    if right == 0:
        return left
    return ("i32.or", left, right)


def no(flag: Code) -> Code:
    if isinstance(flag, int):
        return int(not flag)
    return ("i32.eqz", flag)


def load(address: Code, offset: int = 0) -> Code:
    # An offset is added without wrapping round, so it must not stand for a part of an address
    # whose other part may be negative: `none` is.
    if isinstance(address, int):
        return ("load", 0, address + offset)
    return ("load", address, offset)


def load64(address: Code, offset: int = 0) -> Code:
    if isinstance(address, int):
        return ("load64", 0, address + offset)
    return ("load64", address, offset)


def cell_at(base: Code, index: Code) -> Code:
    """The address of a cell in a row of cells."""
    return add(mul(index, 4), base)


def item(address: Code, index: Code) -> Code:
    """An element of a list in memory, whose first cell is its length."""
    return load(add(add(address, mul(index, 4)), 4))


def select(condition: Code, yes: Code, other: Code) -> Code:
    if isinstance(condition, int):
        return yes if condition else other
    if yes == other:
        return yes
    return ("select", yes, other, condition)


def within(value: Code, low: int, count: int) -> Code:
    """Whether a value is one of `count` numbers from `low` on."""
    if isinstance(value, int):
        return int(low <= value < low + count)
    if count == 1:
        return eq(value, low)
    return ("i32.lt_u", sub(value, low), count)


def signed(word: int) -> int:
    """64 bits as the number that code has for them."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


GOLDEN = signed(0x9E3779B97F4A7C15)
"""The golden section as 64 bits: its multiples lie far apart."""


def is_plain(code: Code) -> bool:
    """Whether a code may be repeated at no cost."""
    return isinstance(code, int | str)


@attrs.define
class Function:
    """A function; its locals are named as they are asked for."""

    name: str
    params: list[tuple[str, Width]]
    result: Width | None = "i32"
    locals: dict[str, Width] = attrs.Factory(dict)
    body: list[Statement] = attrs.Factory(list)
    exported: bool = False


@attrs.define
class Writer:
    """Writes the body of a function; statements go to the innermost open list."""

    function: Function
    out: list[Statement] = attrs.field(init=False)
    _labels: int = 0

    def __attrs_post_init__(self) -> None:
        self.out = self.function.body

    def temp(self, width: Width = "i32") -> str:
        name = f"t{len(self.function.locals)}"
        self.function.locals[name] = width
        return name

    def label(self) -> str:
        self._labels += 1
        return f"L{self._labels}"

    def emit(self, *statement: Any) -> None:
        self.out.append(statement)

    def set(self, name: str, code: Code) -> None:
        self.out.append(("set", name, code))

    def once(self, code: Code, width: Width = "i32") -> Code:
        """A code that is worked out here and may be used any number of times."""
        if is_plain(code):
            return code
        name = self.temp(width)
        self.set(name, code)
        return name

    def variable(self, code: Code, width: Width = "i32") -> str:
        """A new local with a first value."""
        name = self.temp(width)
        self.set(name, code)
        return name

    def store(self, address: Code, code: Code, offset: int = 0) -> None:
        if isinstance(address, int):
            address, offset = 0, address + offset
        self.out.append(("store", address, offset, code))

    def store64(self, address: Code, code: Code, offset: int = 0) -> None:
        if isinstance(address, int):
            address, offset = 0, address + offset
        self.out.append(("store64", address, offset, code))

    @contextmanager
    def into(self, statements: list[Statement]) -> Iterator[None]:
        outer, self.out = self.out, statements
        try:
            yield
        finally:
            self.out = outer

    @contextmanager
    def when(self, condition: Code) -> Iterator[None]:
        """What is written inside is done if the condition holds."""
        inner: list[Statement] = []
        with self.into(inner):
            yield
        if condition == 1:
            self.out.extend(inner)
        elif inner and condition != 0:
            self.out.append(("if", condition, inner, []))

    @contextmanager
    def otherwise(self) -> Iterator[None]:
        """What is written inside is done if the condition just written does not hold."""
        last = self.out[-1]
        assert last[0] == "if"
        with self.into(last[3]):
            yield

    @contextmanager
    def block(self) -> Iterator[str]:
        label = self.label()
        inner: list[Statement] = []
        with self.into(inner):
            yield label
        self.out.append(("block", label, inner))

    @contextmanager
    def loop(self) -> Iterator[str]:
        label = self.label()
        inner: list[Statement] = []
        with self.into(inner):
            yield label
        self.out.append(("loop", label, inner))

    def leave(self, label: str) -> None:
        self.out.append(("break", label))

    def leave_if(self, label: str, condition: Code) -> None:
        if condition != 0:
            self.out.append(("if", condition, [("break", label)], []))

    @contextmanager
    def counting(self, start: Code, stop: Code) -> Iterator[str]:
        """A loop over the numbers from `start` up to, not including, `stop`."""
        at = self.variable(start)
        last = self.once(stop)
        with self.loop() as label:
            self.leave_if(label, op("i32.ge_s", at, last))
            yield at
            self.set(at, add(at, 1))

    def give_back(self, code: Code | None = None) -> None:
        self.out.append(("return", code))


@attrs.define
class Program:
    """All functions, and what memory holds at first."""

    functions: dict[str, Function] = attrs.Factory(dict)
    data: list[tuple[int, bytes]] = attrs.Factory(list)
    size: int = 0
    """bytes of memory"""

    def add(self, function: Function) -> Function:
        assert function.name not in self.functions, function.name
        self.functions[function.name] = function
        return function
