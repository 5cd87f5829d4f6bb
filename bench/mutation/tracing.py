"""Which lines of the engine run.

Functions are exchanged for copies in which each statement first notes its lines, which takes little
time: what is noted runs nearly as fast as ever.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

import attrs

from bench.mutation.held import Held

_NOTES = "__ran__"
"""What the lines are noted in, a global name of each module"""


@attrs.define
class Tracer:
    """Notes the lines of files below a folder from now on, for good: in a process of its own."""

    _ran: dict[str, set[int]] = attrs.field(factory=dict, init=False)

    def begin(self, folder: Path, held: Held) -> None:
        noting = {
            (str(module), code.co_qualname, code.co_firstlineno): code
            for module in folder.rglob("*.py")
            for code in _noting(module)
        }
        for key, functions in held.items():
            if key in noting:
                ran = self._ran.setdefault(key[0], set())
                for function in functions:
                    function.__globals__[_NOTES] = ran
                    function.__code__ = noting[key]

    def take(self) -> dict[str, frozenset[int]]:
        """The lines that ran since they were last taken, by file."""
        found = {file: frozenset(lines) for file, lines in self._ran.items() if lines}
        for lines in self._ran.values():
            lines.clear()
        return found


def _noting(module: Path) -> Iterator[CodeType]:
    """The functions of a module, each statement of which notes its lines."""
    tree = ast.parse(module.read_text("utf-8"))
    outside: list[ast.stmt] = [*tree.body]
    while outside:
        match outside.pop():
            case ast.ClassDef(body=body):
                outside.extend(body)
            case ast.FunctionDef() as function:
                for node in [*ast.walk(function)]:
                    _note_blocks(node)
            case _:
                pass
    todo = [compile(ast.fix_missing_locations(tree), str(module), "exec")]
    while todo:
        code = todo.pop()
        yield code
        todo.extend(each for each in code.co_consts if isinstance(each, CodeType))


def _note_blocks(node: ast.AST) -> None:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            setattr(node, name, [each for line in block for each in (_note(line), line)])


def _note(statement: ast.stmt) -> ast.stmt:
    note = ast.parse(f"{_NOTES}.update({tuple(_lines_of(statement))})").body[0]
    for node in ast.walk(note):
        ast.copy_location(node, statement)
    return note


def _lines_of(statement: ast.stmt) -> Iterator[int]:
    """The lines of a statement; if it has blocks, those that decide which of them runs."""
    match statement:
        case ast.Match(cases=cases):
            yield from _between(statement, cases[0].pattern.lineno - 1)
            for case in cases:
                end = (case.guard or case.pattern).end_lineno
                yield from _between(case.pattern, end)
        case ast.FunctionDef() | ast.ClassDef() | ast.Try():
            yield statement.lineno
        case _:
            inner: list[ast.stmt] = getattr(statement, "body", [])
            end = inner[0].lineno - 1 if inner else statement.end_lineno
            yield from _between(statement, end)


def _between(first: ast.stmt | ast.pattern, last: int | None) -> Iterator[int]:
    return iter(range(first.lineno, max(first.lineno, last or 0) + 1))
