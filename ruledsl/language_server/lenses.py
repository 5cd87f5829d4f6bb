"""What can be done with a declaration, written above it: tests, play, figures, citations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.language_server.analysis import Analysis
from ruledsl.model.coverage import coverage
from ruledsl.play.examples import Outcome
from ruledsl.play.examples import run_tests as run_all
from ruledsl.syntax import ast


@attrs.frozen
class Lens:
    """A line above a declaration; `command` is done when it is clicked, with the arguments."""

    span: Span
    title: str
    command: str | None = None
    arguments: tuple[str, ...] = ()


@attrs.frozen
class TestRun:
    """How a test went: why it failed, and where, or None."""

    title: str
    failure: str | None
    span: Span
    texts: int
    """the rules it was run with, as `all_texts` of an analysis"""


@attrs.frozen
class Simulated:
    """What came of a simulation, and with which rules."""

    figures: str
    texts: int


EARLIER = "before the last changes"


def lenses(
    analysis: Analysis, results: Mapping[str, TestRun], figures: Simulated | None
) -> tuple[Lens, ...]:
    """All of a file; `results` of its tests and `figures` of the last simulation, so far."""
    return (*_header(analysis, figures), *_tests(analysis, results))


def _header(analysis: Analysis, figures: Simulated | None) -> Iterator[Lens]:
    header = analysis.header
    if header is None or isinstance(header, ast.Library):
        return
    span = header.name.span
    if analysis.game is not None:
        yield Lens(span, "▶ play", "ruledsl.play", (analysis.name,))
        shown = "simulate" if figures is None else _simulated(analysis, figures)
        yield Lens(span, shown, "ruledsl.simulate", (analysis.name,))
    tests = sum(isinstance(item, ast.Test) for item in analysis.items)
    if tests:
        shown = f"run {tests} test{'s' * (tests != 1)}"
        yield Lens(span, shown, "ruledsl.runTests", (analysis.name,))
    files = [analysis.steady.file, *_beside(analysis)]
    covered = coverage(files)
    if covered.rules:
        yield Lens(span, f"{len(covered.cited)} of {len(covered.rules)} rules cited")


def _beside(analysis: Analysis) -> Iterator[ast.File]:
    """The files of the variants beside a game: what they cite counts, too."""
    if isinstance(analysis.header, ast.Game):
        name = analysis.header.name.text
        for source in analysis.library.beside(analysis.name):
            if source.name != analysis.name and f"of {name}" in source.text:
                yield analysis.texts.parse(source).file


def _tests(analysis: Analysis, results: Mapping[str, TestRun]) -> Iterator[Lens]:
    for item in analysis.items:
        test = item.declaration if isinstance(item, ast.Replace | ast.Extend) else item
        if isinstance(test, ast.Test):
            title = test.title.value
            result = results.get(title)
            shown = "▶ run test" if result is None else _tested(analysis, result)
            yield Lens(test.title.span, shown, "ruledsl.runTest", (analysis.name, title))


def _simulated(analysis: Analysis, last: Simulated) -> str:
    is_earlier = last.texts != analysis.all_texts
    return f"simulate, {EARLIER}: {last.figures}" if is_earlier else f"simulate: {last.figures}"


def _tested(analysis: Analysis, result: TestRun) -> str:
    """Of rules that have changed since, only whether it passed: its lines are elsewhere now."""
    if result.texts != analysis.all_texts:
        return f"▶ run test, {'passed' if result.failure is None else 'failed'} {EARLIER}"
    return "✓ passed" if result.failure is None else f"✗ {result.failure}"


def run_tests(analysis: Analysis, title: str | None = None) -> tuple[TestRun, ...]:
    """Run the tests of a game without mistakes, or one of them."""
    game = analysis.game
    if game is None:
        return ()
    wanted = tuple(test for test in game.tests if title is None or test.title == title)
    chosen = attrs.evolve(game, tests=wanted)
    failures: dict[str, TestRun] = {}
    for outcome in run_all(chosen):
        known = failures.get(outcome.test.title)
        if known is None or known.failure is None:
            failures[outcome.test.title] = _result(analysis, outcome)
    return tuple(failures.values())


def _result(analysis: Analysis, outcome: Outcome) -> TestRun:
    test = outcome.test
    if outcome.failure is None:
        return TestRun(test.title, None, analysis.in_text(test.span), analysis.all_texts)
    details = "; ".join((outcome.failure.message, *outcome.failure.details))
    span = analysis.in_text(outcome.failure.span)
    return TestRun(test.title, f"line {span.line}: {details}", span, analysis.all_texts)
