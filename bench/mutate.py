"""Shows how well the tests in a rules file guard its rules.

Makes one small change to the rules at a time: flips a comparison, `and`, `or`, `+` or `-`, adds
one to a number, swaps `highest` and `lowest`, drops a `where`, a requirement, a statement or
something on offer. Each changed game is checked and its tests are run: a change is noticed if the
game no longer checks or a test fails. Prints the share that is noticed, and what is not.

    python bench/mutate.py games/classics/pig.rules --jobs 2 --limit 100

Changes are made in the file itself, not in what it builds on; its tests and languages stay.
"""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator
from functools import cache
from multiprocessing import Pool
from time import process_time
from types import FrameType
from typing import Literal, TypeAlias

import attrs

from ruledsl.library import Library, read_path
from ruledsl.model.assemble import Assembly, Unassembled, assemble
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
AT_ONCE = 20
"""Changed games that one process judges: it keeps their tables, so it does not grow for ever."""
PATIENCE = 5
"""A changed game may take so many times as long as the unchanged one, before it is endless."""


@attrs.frozen
class Change:
    """One change: where, and in words."""

    at: ast.Node
    words: str


# ---------------------------------------------------------------- changes


def changes(node: ast.Node) -> Iterator[tuple[Change, ast.Node]]:
    """Every small change of a node or what it is made of, with the node changed."""
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
        case ast.Query() | ast.For() | ast.ChooseValue() | ast.Reach() if node.where is not None:
            yield Change(node.where, "no `where`"), _with(node, "where", None)
        case _:
            pass


def _with(node: ast.Node, field: str, value: object) -> ast.Node:
    changed: ast.Node = attrs.evolve(node, **{field: value})  # type: ignore[arg-type]
    return changed


def _within(parts: tuple[object, ...]) -> Iterator[tuple[Change, tuple[object, ...]]]:
    for at, part in enumerate(parts):
        if not isinstance(part, ast.Node):
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


@attrs.frozen
class Subject:
    """A game put together, and every changed list of its declarations."""

    assembly: Assembly
    file: str

    def changed(self) -> Iterator[tuple[Change, Assembly]]:
        declarations = self.assembly.declarations
        for at, declaration in enumerate(declarations):
            if isinstance(declaration, ast.Test | ast.Language):
                continue
            for change, other in changes(declaration):
                if change.at.span.file == self.file:
                    assert isinstance(other, ast.Declaration)
                    rest = (*declarations[:at], other, *declarations[at + 1 :])
                    yield change, attrs.evolve(self.assembly, declarations=rest)


@cache
def subject(path: str) -> Subject:
    source = read_path(path)
    assembly = assemble(source, Library())
    if isinstance(assembly, Unassembled):
        raise SystemExit(f"{path} does not parse: see `ruledsl check`")
    return Subject(assembly, source.name)


@cache
def mutants(path: str) -> tuple[tuple[Change, Assembly], ...]:
    return tuple(subject(path).changed())


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


NOTICED: dict[str, int] = {}
"""How often each test has noticed a change: the best ones are run first."""


def judge(task: tuple[str, int, float]) -> tuple[int, Verdict]:
    """Whether a change, given by its number, is noticed within some seconds."""
    path, number, seconds = task
    signal.signal(signal.SIGVTALRM, _time_is_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        return number, _verdict(mutants(path)[number][1])
    except Endless:
        return number, "endless"
    except Exception:  # noqa: BLE001  what breaks the interpreter is reported, not raised
        return number, "crashed"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _verdict(assembly: Assembly) -> Verdict:
    game = checked(assembly)
    if game is None:
        return "unchecked"

    def noticed(test: ExampleInfo) -> int:
        return -NOTICED.get(test.title, 0)

    tables = Tables(game)
    for test in sorted(game.tests, key=noticed):
        if run_test(tables, test).failure is not None:
            NOTICED[test.title] = NOTICED.get(test.title, 0) + 1
            return "failed"
    return "survived"


# ---------------------------------------------------------------- report


def report(path: str, jobs: int, limit: int | None) -> None:
    start = process_time()
    if _verdict(subject(path).assembly) != "survived":
        raise SystemExit(f"{path}: its own tests fail: see `ruledsl test`")
    seconds = 10 + PATIENCE * (process_time() - start)
    total = len(mutants(path))
    if not total:
        print(f"{path}: nothing to change")
        return
    chosen = range(total)
    if limit is not None and limit < total:
        chosen = range(0, total, -(-total // limit))
    tasks = [(path, number, seconds) for number in chosen]
    with Pool(jobs, maxtasksperchild=AT_ONCE) as pool:
        verdicts = dict(pool.imap_unordered(judge, tasks))
    missed = sum(1 for verdict in verdicts.values() if verdict == "survived")
    share = 100 * (len(verdicts) - missed) / len(verdicts)
    print(f"{path}: {len(verdicts)} changes, {share:.1f} % noticed, {missed} not")
    lines = read_path(path).text.splitlines()
    for number, verdict in sorted(verdicts.items()):
        if verdict in ("survived", "crashed"):
            change = mutants(path)[number][0]
            line = change.at.span.line
            print(f"  {verdict:8} {line:5}  {change.words:14} {lines[line - 1].strip()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--limit", type=int, help="so many changes at most, spread over the file")
    given = parser.parse_args()
    for path in given.files:
        report(path, given.jobs, given.limit)


if __name__ == "__main__":
    main()
