"""Small changes to the rules of a game: which of them would no test notice?

One change at a time: a comparison, `and`, `or`, `+` or `-` flipped, one added to a number,
`highest` and `lowest` swapped, a `where`, a requirement, a statement or something on offer left
out. Each changed game is checked and its tests are run: a change is noticed if the game no longer
checks or a test fails. Changes are made in the file itself, not in what it builds on; its tests
stay, and so does what is only told, which is no rule.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from itertools import islice
from time import process_time
from types import FrameType
from typing import Literal, TypeAlias

import attrs

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.model.assemble import Assembly, assemble
from ruledsl.model.checks import ALL_CHECKS
from ruledsl.model.elaborate import elaborate
from ruledsl.model.game import CheckedGame, ExampleInfo
from ruledsl.play.examples import Tables, run_test
from ruledsl.syntax import ast

Verdict: TypeAlias = Literal["unchecked", "failed", "endless", "crashed", "survived"]

FLIPPED: dict[str, str] = {
    "=": "!=",
    "!=": "=",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "in": "not in",
    "not in": "in",
    "is": "is not",
    "is not": "is",
    "+": "-",
    "-": "+",
    "highest": "lowest",
    "lowest": "highest",
}
PATIENCE = 5
"""A changed game may take so many times as long as the unchanged one, before it is endless."""
LEAST = 10.0
"""Seconds that it may take at least."""


@attrs.frozen
class Change:
    """One change: where, and in words."""

    at: ast.Node
    words: str


# ---------------------------------------------------------------- changes


def changes(node: ast.Node) -> Iterator[tuple[Change, ast.Node]]:
    """Every small change of a node or what it is made of, with the node changed."""
    if _only_tells(node):
        return
    yield from _own(node)
    for field in attrs.fields(type(node)):
        part = getattr(node, field.name)
        if field.name == "trail":
            continue
        if isinstance(part, ast.Node):
            for change, other in changes(part):
                yield change, _with(node, field.name, other)
        elif isinstance(part, tuple):
            for change, others in _within(part):
                yield change, _with(node, field.name, others)


def _own(node: ast.Node) -> Iterator[tuple[Change, ast.Node]]:
    match node:
        case ast.Number(value=value):
            yield Change(node, f"{value + 1}"), _with(node, "value", value + 1)
        case ast.Comparison(sign=sign) | ast.Arithmetic(sign=sign) if sign in FLIPPED:
            yield Change(node, FLIPPED[sign]), _with(node, "sign", FLIPPED[sign])
        case ast.Order(way=way) | ast.RankKey(way=way):
            yield Change(node, FLIPPED[way]), _with(node, "way", FLIPPED[way])
        case ast.Both(left=left, right=right, span=span):
            yield Change(node, "or"), ast.Either(left, right, span=span)
        case ast.Either(left=left, right=right, span=span):
            yield Change(node, "and"), ast.Both(left, right, span=span)
        case ast.Query() | ast.For() | ast.ChooseValue() | ast.Reach() | ast.LongestTrail() if (
            node.where is not None
        ):
            yield Change(node.where, "no `where`"), _with(node, "where", None)
        case _:
            pass


def _only_tells(node: ast.Node) -> bool:
    """Whether a statement says something and changes nothing: no test can notice it."""
    match node:
        case ast.Tell():
            return True
        case ast.If(branches=branches):
            return all(_only_tells(each) for branch in branches for each in branch.body)
        case ast.For(body=body):
            return all(map(_only_tells, body))
        case _:
            return False


def _with(node: ast.Node, field: str, value: object) -> ast.Node:
    changed: ast.Node = attrs.evolve(node, **{field: value})  # type: ignore[arg-type]
    return changed


def _within(parts: tuple[object, ...]) -> Iterator[tuple[Change, tuple[object, ...]]]:
    for at, part in enumerate(parts):
        if not isinstance(part, ast.Node):
            continue
        if _only_tells(part):
            continue
        for change, other in changes(part):
            yield change, (*parts[:at], other, *parts[at + 1 :])
        match part:
            case ast.Let() | ast.Skip() | ast.Row() | ast.Test() | ast.Language():
                pass  # without a `let` nothing checks; without `skip` nothing changes
            case ast.Require():
                yield Change(part, "not required"), (*parts[:at], *parts[at + 1 :])
            case ast.Offer():
                if len(parts) > 1:
                    yield Change(part, "not on offer"), (*parts[:at], *parts[at + 1 :])
            case _ if isinstance(part, ast.Statement):
                rest = (*parts[:at], *parts[at + 1 :]) or (ast.Skip((), span=part.span),)
                yield Change(part, "left out"), rest
            case _:
                pass


# ---------------------------------------------------------------- verdicts


class TestsFail(Exception):
    """The game fails its own tests, so nothing can be said about them."""


@attrs.frozen
class Judged:
    """A change, and whether it was noticed."""

    number: int
    line: int
    words: str
    verdict: Verdict

    @property
    def noticed(self) -> bool:
        return self.verdict != "survived"


class Mutants:
    """A game, and every small change of it by number."""

    def __init__(self, source: Source, library: Library) -> None:
        assembly = assemble(source, library)
        assert isinstance(assembly, Assembly), "a game that checks can be put together"
        self._file = source.name
        self._assembly = assembly
        self._number = sum(1 for _ in self._all())
        self._ahead, self._next = self._all(), 0
        """those from the next number on, made one at a time: all of them need much memory"""
        self._seconds = LEAST
        self._noticing: dict[str, int] = {}
        """how often each test has noticed a change: the best ones are run first"""

    def __iter__(self) -> Iterator[Assembly]:
        """Every changed game."""
        return (assembly for _, assembly in self._all())

    def __len__(self) -> int:
        return self._number

    def sample(self, most: int | None) -> range:
        """The numbers of changes to judge: all, or so many at most, spread over the file."""
        if most is None or most >= len(self):
            return range(len(self))
        return range(0, len(self), -(-len(self) // most))

    def begin(self) -> None:
        """Run the tests of the unchanged game, which all have to pass."""
        start = process_time()
        if self._verdict(self._assembly) != "survived":
            raise TestsFail
        self._seconds = LEAST + PATIENCE * (process_time() - start)

    def judged(self, number: int) -> Judged:
        """Whether a change is noticed, within some seconds."""
        change, assembly = self._changed(number)
        return Judged(number, change.at.span.line, change.words, self._timed(assembly))

    def _changed(self, number: int) -> tuple[Change, Assembly]:
        """The change of a number; they are mostly asked for in order."""
        if number < self._next:
            self._ahead, self._next = self._all(), 0
        found = next(islice(self._ahead, number - self._next, None))
        self._next = number + 1
        return found

    def _all(self) -> Iterator[tuple[Change, Assembly]]:
        declarations = self._assembly.declarations
        for at, declaration in enumerate(declarations):
            if isinstance(declaration, ast.Test | ast.Language):
                continue
            for change, other in changes(declaration):
                if change.at.span.file == self._file:
                    assert isinstance(other, ast.Declaration)
                    rest = (*declarations[:at], other, *declarations[at + 1 :])
                    yield change, attrs.evolve(self._assembly, declarations=rest)

    def _timed(self, assembly: Assembly) -> Verdict:
        before = signal.signal(signal.SIGVTALRM, _time_is_up)
        signal.setitimer(signal.ITIMER_VIRTUAL, self._seconds)
        try:
            return self._verdict(assembly)
        except Endless:
            return "endless"
        except Exception:  # noqa: BLE001  what breaks the interpreter is told, not raised
            return "crashed"
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)

    def _verdict(self, assembly: Assembly) -> Verdict:
        game = checked(assembly)
        if game is None:
            return "unchecked"

        def noticed(test: ExampleInfo) -> int:
            return -self._noticing.get(test.title, 0)

        tables = Tables(game)
        for test in sorted(game.tests, key=noticed):
            if run_test(tables, test).failure is not None:
                self._noticing[test.title] = self._noticing.get(test.title, 0) + 1
                return "failed"
        return "survived"


def checked(assembly: Assembly) -> CheckedGame | None:
    elaborated = elaborate(assembly)
    found = list(elaborated.diagnostics)
    for check in ALL_CHECKS:
        if any(diagnostic.severity == "error" for diagnostic in found):
            return None
        found.extend(check(elaborated))
    return None if any(diagnostic.severity == "error" for diagnostic in found) else elaborated.game


class Endless(BaseException):
    """Time is up; no rule of ours catches it."""


def _time_is_up(_: int, __: FrameType | None) -> None:
    raise Endless
