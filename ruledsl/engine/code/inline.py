"""Writes small functions out where they are called: the compiler of WebAssembly does not.

Both have the same meaning. What was worked out before a call in the same statement, and could
change by it, is kept in a local.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from ruledsl.engine.code.instructions import Code, Function, Program, Statement, Width

SMALL = 100
"""Functions of so few parts are written out wherever they are called."""
LONE = 300
"""Functions of so few parts are written out where they are called in one place only."""


def inlined(program: Program) -> Program:
    """The same program with small functions written out, and without those nobody calls then."""
    inliner = _Inliner(program)
    functions: dict[str, Function] = {}
    called = [name for name, function in program.functions.items() if function.exported]
    for name in called:
        inliner.finish(name)
    while called:
        name = called.pop()
        if name not in functions:
            functions[name] = inliner.done[name]
            called.extend(_calls(functions[name].body))
    return Program(functions, program.data, program.size)


@attrs.define
class _Inliner:
    program: Program
    done: dict[str, Function] = attrs.Factory(dict)
    _busy: set[str] = attrs.Factory(set)
    _sizes: dict[str, int] = attrs.Factory(dict)
    _callers: dict[str, int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._callers = {}
        for function in self.program.functions.values():
            for name in _calls(function.body):
                self._callers[name] = self._callers.get(name, 0) + 1

    def finish(self, name: str) -> None:
        """Write out what a function calls, innermost calls first."""
        if name in self.done or name in self._busy:
            return
        self._busy.add(name)
        function = self.program.functions[name]
        for called in _calls(function.body):
            self.finish(called)
        copy = attrs.evolve(function, locals=dict(function.locals), body=[])
        copy.body = _InlinedBody(self, copy).statements(function.body)
        self._busy.remove(name)
        self.done[name] = copy
        self._sizes[name] = _size(copy.body)

    def to_write_out(self, name: str) -> Function | None:
        """The function of a call that is better written out."""
        function = self.done.get(name)
        if function is None or function.exported:
            return None
        size = self._sizes[name]
        lone = self._callers[name] == 1 and size <= LONE
        return function if size <= SMALL or lone else None

    def result(self, name: str) -> Width | None:
        return self.program.functions[name].result


@attrs.define
class _InlinedBody:
    """The body of a function in which calls are replaced."""

    inliner: _Inliner
    function: Function
    _copies: int = 0

    # ------------------------------------------------------------ statements

    def statements(self, statements: list[Statement]) -> list[Statement]:
        out: list[Statement] = []
        for statement in statements:
            self._statement(statement, out)
        return out

    def _statement(self, statement: Statement, out: list[Statement]) -> None:
        match statement:
            case ("set", name, value):
                out.append(("set", name, self._code(value, out)))
            case ("store" | "store64" as word, address, offset, value):
                address, value = self._codes((address, value), out)
                out.append((word, address, offset, value))
            case ("if", condition, then, otherwise):
                test = self._code(condition, out)
                out.append(("if", test, self.statements(then), self.statements(otherwise)))
            case ("block" | "loop" as word, label, body):
                out.append((word, label, self.statements(body)))
            case ("return", None):
                out.append(statement)
            case ("return", value):
                out.append(("return", self._code(value, out)))
            case ("do", ("drop", call)):
                out.append(("set", self._local(self._width(call)), self._code(call, out)))
            case ("do", ("call", name, *arguments)):
                given = self._codes(tuple(arguments), out)
                function = self.inliner.to_write_out(name)
                if function is None:
                    out.append(("do", ("call", name, *given)))
                else:
                    self._write_out(function, given, out)
            case ("copy", *parts):
                out.append(("copy", *self._codes(tuple(parts), out)))
            case ("dispatch", label, name, blocks):
                out.append(("dispatch", label, name, [self.statements(each) for each in blocks]))
            case _:
                out.append(statement)

    # ------------------------------------------------------------ expressions

    def _code(self, code: Code, out: list[Statement]) -> Code:
        if not isinstance(code, tuple):
            return code
        match code:
            case ("i64", _):
                return code
            case ("load" | "load64" as word, address, offset):
                return (word, self._code(address, out), offset)
            case ("call", name, *arguments):
                given = self._codes(tuple(arguments), out)
                function = self.inliner.to_write_out(name)
                if function is None:
                    return ("call", name, *given)
                return self._write_out(function, given, out)
            case _:
                return (code[0], *self._codes(code[1:], out))

    def _codes(self, codes: tuple[Code, ...], out: list[Statement]) -> tuple[Code, ...]:
        """Several codes that are worked out one after the other."""
        found: list[Code] = []
        for code in codes:
            before = len(out)
            after = self._code(code, out)
            if len(out) > before:
                written = out[before:]
                del out[before:]
                for at, earlier in enumerate(found):
                    if _may_change(earlier):
                        name = self._local(self._width(earlier))
                        out.append(("set", name, earlier))
                        found[at] = name
                out.extend(written)
            found.append(after)
        return tuple(found)

    def _width(self, code: Code) -> Width:
        if isinstance(code, int):
            return "i32"
        if isinstance(code, str):
            return self.function.locals.get(code) or dict(self.function.params)[code]
        match code:
            case ("i64", _) | ("load64", _, _):
                return "i64"
            case ("load", _, _):
                return "i32"
            case ("select", yes, *_):
                return self._width(yes)
            case ("call", name, *_):
                return self.inliner.result(name) or "i32"
            case _:
                width, _, word = code[0].partition(".")
                return "i64" if width == "i64" and word.split("_")[0] not in _COMPARING else "i32"

    # ------------------------------------------------------------ calls

    def _local(self, width: Width) -> str:
        name = f"i{len(self.function.locals)}"
        self.function.locals[name] = width
        return name

    def _write_out(
        self, function: Function, arguments: tuple[Code, ...], out: list[Statement]
    ) -> Code:
        """The body of a function in the place of a call; the local that has its result."""
        self._copies += 1
        names: dict[str, str] = {}
        for (name, width), argument in zip(function.params, arguments, strict=True):
            names[name] = self._local(width)
            out.append(("set", names[name], argument))
        for name, width in function.locals.items():
            names[name] = self._local(width)
            zero: Code = 0 if width == "i32" else ("i64", 0)
            out.append(("set", names[name], zero))
        result = None if function.result is None else self._local(function.result)
        end = f"R{self._copies}_{self.function.name}"
        copier = _Copier(names, f"C{self._copies}", end, result)
        body = copier.statements(function.body)
        if body and body[-1] == ("break", end):
            body.pop()
        if _jumps(body, end):
            out.append(("block", end, body))
        else:
            out.extend(body)
        return 0 if result is None else result


_COMPARING = frozenset(("eqz", "eq", "ne", "lt", "le", "gt", "ge"))


@attrs.frozen
class _Copier:
    """Copies code with other names, and lets it end where it was called."""

    names: dict[str, str]
    prefix: str
    end: str
    result: str | None

    def statements(self, statements: list[Statement]) -> list[Statement]:
        return [copy for each in statements for copy in self._statement(each)]

    def _statement(self, statement: Statement) -> Iterator[Statement]:
        match statement:
            case ("set", name, value):
                yield ("set", self.names[name], self._code(value))
            case ("store" | "store64" as word, address, offset, value):
                yield (word, self._code(address), offset, self._code(value))
            case ("if", condition, then, otherwise):
                yield (
                    "if",
                    self._code(condition),
                    self.statements(then),
                    self.statements(otherwise),
                )
            case ("block" | "loop" as word, label, body):
                yield (word, self._label(label), self.statements(body))
            case ("break" | "again" as word, label):
                yield (word, self._label(label))
            case ("return", value):
                if value is not None:
                    assert self.result is not None
                    yield ("set", self.result, self._code(value))
                yield ("break", self.end)
            case ("do", call):
                yield ("do", self._code(call))
            case ("copy", *parts):
                yield ("copy", *map(self._code, parts))
            case ("trap",):
                yield statement
            case ("dispatch", label, name, blocks):
                copies = [self.statements(each) for each in blocks]
                yield ("dispatch", self._label(label), self.names[name], copies)
            case ("goto", label, name, number):
                yield ("goto", self._label(label), self.names[name], number)
            case _:
                raise AssertionError(f"no such statement: {statement[0]}")

    def _label(self, label: str) -> str:
        # An end of something written out inside has a name of its own kind.
        return f"{self.prefix}_{label}"

    def _code(self, code: Code) -> Code:
        if isinstance(code, str):
            return self.names[code]
        if isinstance(code, int) or code[0] == "i64":
            return code
        if code[0] in ("load", "load64"):
            return (code[0], self._code(code[1]), code[2])
        if code[0] == "call":
            return ("call", code[1], *map(self._code, code[2:]))
        return (code[0], *map(self._code, code[1:]))


def _calls(part: Any) -> list[str]:
    """The functions that are called somewhere."""
    found: list[str] = []
    _note_calls(part, found)
    return found


def _note_calls(part: Any, found: list[str]) -> None:
    if type(part) is tuple:
        if part[0] == "call":
            found.append(part[1])
        for each in part[1:]:
            if type(each) is tuple or type(each) is list:
                _note_calls(each, found)
    else:
        for each in part:
            _note_calls(each, found)


def _size(part: Any) -> int:
    if type(part) is tuple:
        size = 1
        for each in part[1:]:
            if type(each) is tuple or type(each) is list:
                size += _size(each)
        return size
    return sum(map(_size, part))


def _may_change(code: Code) -> bool:
    """Whether a code may have another value after something was done."""
    if not isinstance(code, tuple) or code[0] == "i64":
        return False
    return code[0] in ("load", "load64", "call") or any(map(_may_change, code[1:]))


def _jumps(statements: list[Statement], label: str) -> bool:
    for statement in statements:
        match statement:
            case ("break", target):
                if target == label:
                    return True
            case ("if", _, then, otherwise):
                if _jumps(then, label) or _jumps(otherwise, label):
                    return True
            case ("block" | "loop", _, body):
                if _jumps(body, label):
                    return True
            case ("dispatch", _, _, blocks):
                if any(_jumps(block, label) for block in blocks):
                    return True
            case _:
                pass
    return False
