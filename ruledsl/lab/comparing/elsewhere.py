"""The tests of one game, asked of another."""

from __future__ import annotations

from typing import Literal

import attrs

from ruledsl.diagnostics.source import Source, Span
from ruledsl.library import Library
from ruledsl.model.assemble import Assembly, assemble
from ruledsl.model.elaborate import elaborate
from ruledsl.play.examples import Tables, run_test
from ruledsl.syntax import ast


@attrs.frozen
class FailedElsewhere:
    """A test that passes in its own game: it fails in the other, or means nothing there."""

    title: str
    span: Span
    why: Literal["fails", "means nothing"]
    message: str


@attrs.frozen
class Elsewhere:
    asked: int
    failed: tuple[FailedElsewhere, ...]


@attrs.frozen
class Subject:
    """A game as it was read: its text, and where the files are that it builds on."""

    source: Source
    library: Library


def failing_elsewhere(own: Subject, other: Subject) -> Elsewhere:
    """The tests of a game that pass there and not in another one."""
    mine, theirs = (assemble(each.source, each.library) for each in (own, other))
    assert isinstance(mine, Assembly)
    assert isinstance(theirs, Assembly)
    passing = _passing(mine)
    rules = tuple(each for each in theirs.declarations if not isinstance(each, ast.Test))
    theirs = attrs.evolve(theirs, declarations=rules)
    meaningless = _meaningless(theirs, passing)
    failed = [
        FailedElsewhere(
            test.title.value, test.title.span, "means nothing", meaningless[test.title.span]
        )
        for test in passing
        if test.title.span in meaningless
    ]
    sensible = tuple(test for test in passing if test.title.span not in meaningless)
    game = elaborate(attrs.evolve(theirs, declarations=(*rules, *sensible))).game
    tables = Tables(game)
    for info in game.tests:
        failure = run_test(tables, info).failure
        if failure is not None:
            failed.append(FailedElsewhere(info.title, failure.span, "fails", failure.message))
    failed.sort(key=lambda each: each.span)
    return Elsewhere(len(passing), tuple(failed))


def _passing(assembly: Assembly) -> tuple[ast.Test, ...]:
    game = elaborate(assembly).game
    tables = Tables(game)
    passed = {info.span for info in game.tests if run_test(tables, info).failure is None}
    tests = (each for each in assembly.declarations if isinstance(each, ast.Test))
    return tuple(test for test in tests if test.title.span in passed)


def _meaningless(assembly: Assembly, tests: tuple[ast.Test, ...]) -> dict[Span, str]:
    """Tests with mistakes that they don't have at home: they name what is not there."""
    asked = elaborate(attrs.evolve(assembly, declarations=(*assembly.declarations, *tests)))
    found: dict[Span, str] = {}
    for mistake in asked.diagnostics:
        for test in tests:
            if mistake.severity == "error" and _within(mistake.span, test.span):
                found.setdefault(test.title.span, mistake.message)
    return found


def _within(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.line <= inner.line <= outer.end_line
