"""`ruledsl test`: run the tests that stand in rules files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import click

from ruledsl.diagnostics.causes import by_cause
from ruledsl.diagnostics.diagnostic import Code, Diagnostic, Note
from ruledsl.diagnostics.render import as_records, in_reading_order, render_each
from ruledsl.diagnostics.source import NOWHERE, Source
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.diagnostics.wording import amount, printable
from ruledsl.engine.unsupported import Unsupported
from ruledsl.lab.examples import run_in_both
from ruledsl.library import SUFFIX, Library
from ruledsl.model.allowance import Allowance
from ruledsl.model.game import CheckedGame
from ruledsl.play.check import check_source
from ruledsl.play.examples import Failure, Outcome
from ruledsl.play.log import log_lines
from ruledsl.play.words import Words

from .completing import games
from .documents import print_document
from .game_arguments import limit_options
from .mutants import judge_mutants
from .source_arguments import read_inputs
from .terminal import Exit, complain, json_option, use_color

FAILED = Code("failed-test", "error", "a test in a rules file fails")
"""Not among the codes of mistakes: the rules are sound, but not what the test says."""


@attrs.frozen
class Found:
    """What there is to test: files, and what can't be read."""

    sources: tuple[Source, ...]
    mistakes: tuple[Diagnostic, ...]
    unreadable: tuple[LibraryError, ...]


@attrs.frozen
class Ran:
    """A file's tests that were run; none if the file has mistakes."""

    source: Source
    game: CheckedGame | None
    outcomes: tuple[Outcome, ...]
    mistakes: tuple[Diagnostic, ...]
    sources: dict[str, Source]
    not_compiled: str | None
    """why tests were run in the interpreter alone, if they were"""


@click.command
@click.argument("games", shell_complete=games, metavar="[PATH|GAME]...", nargs=-1)
@click.option("--mutants", is_flag=True, help="Which changes of the rules would no test notice?")
@click.option("--limit", type=click.IntRange(min=1), help="So many changes of a file at most.")
@click.option("--events", is_flag=True, help="Tell what happened before a test failed.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True)
@json_option
@limit_options
def command(
    games: tuple[str, ...],
    mutants: bool,
    limit: int | None,
    events: bool,
    jobs: int,
    as_json: bool,
    allowance: Allowance,
) -> int:
    """Run the tests in rules files, in the interpreter and compiled.

    A PATH is a file or a folder with rules files, a GAME the name of a shipped game or variant;
    without any, the tests of all shipped games are run.

    With `--mutants`, small changes are made to the rules, one at a time, and the tests are run
    again: a change that none of them notices is a rule that is not tested.

    Exit code 0: all tests pass; 1: some fail, or rules have mistakes; 2: something could not be
    read.
    """
    library = Library()
    found = _find(games, library)
    if mutants:
        return judge_mutants(found.sources, limit, jobs, as_json=as_json)
    colored = use_color()
    ran: list[Ran] = []
    for source in found.sources:
        ran.append(_run(source, library, allowance))
        if not as_json:
            _tell(ran[-1], colored=colored, events=events)
    if as_json:
        print_document("test", _document(ran, found))
    else:
        for text in render_each(found.mistakes, {}, color=colored):
            click.echo(text + "\n", color=colored)
        click.echo(_summary(ran))
    for error in found.unreadable:
        complain(str(error), error.hint)
    if found.unreadable:
        return Exit.USAGE
    failed = any(_failures(each) or _errors(each) for each in ran) or bool(found.mistakes)
    return Exit.FINDINGS if failed else Exit.CLEAN


def _find(games: tuple[str, ...], library: Library) -> Found:
    if not games:
        return Found(tuple(library.sources()), (), ())
    sources: dict[str, Source] = {}
    mistakes: list[Diagnostic] = []
    unreadable: list[LibraryError] = []
    for game in games:
        if game == "-" or game.endswith(SUFFIX) or "/" in game or Path(game).exists():
            inputs = read_inputs((game,))
            sources.update((source.name, source) for source in inputs.sources)
            mistakes.extend(inputs.diagnostics)
            unreadable.extend(inputs.unreadable)
        else:
            source = library.find(game)
            sources[source.name] = source
    return Found(tuple(sources.values()), tuple(mistakes), tuple(unreadable))


def _run(source: Source, library: Library, allowance: Allowance) -> Ran:
    checked = check_source(source, library)
    if checked.game is not None:
        game = attrs.evolve(checked.game, allowance=allowance)
        checked = attrs.evolve(checked, game=game)
    alone: list[Unsupported] = []
    outcomes = () if checked.game is None else tuple(run_in_both(checked.game, alone.append))
    mistakes = () if checked.game is not None else checked.diagnostics
    why = alone[0].placed if alone else None
    return Ran(source, checked.game, outcomes, in_reading_order(mistakes), checked.sources, why)


def _failures(ran: Ran) -> list[tuple[Outcome, Failure]]:
    return [(each, each.failure) for each in ran.outcomes if each.failure is not None]


def _errors(ran: Ran) -> list[Diagnostic]:
    return [mistake for mistake in ran.mistakes if mistake.severity == "error"]


# ------------------------------------------------------------ as text


def _tell(ran: Ran, *, colored: bool, events: bool) -> None:
    mistakes = by_cause(_errors(ran), ran.sources)
    found = [*mistakes, *(_diagnostic(ran, *failed, events=events) for failed in _failures(ran))]
    for text in render_each(found, ran.sources, color=colored):
        click.echo(text + "\n", color=colored)


def _diagnostic(ran: Ran, outcome: Outcome, failure: Failure, *, events: bool) -> Diagnostic:
    """A failed test in the form of a mistake: the place, what differs, what happened before."""
    title = f"{outcome.test.title} ({amount(outcome.players, 'player')})"
    before = list(_events(ran, failure))
    notes = [*failure.details]
    if events:
        notes += [f"before: {text}" for text in before]
    elif before:
        notes.append(f"{amount(len(before), 'event')} before; `--events` shows what happened")
    return Diagnostic(
        FAILED,
        failure.span,
        title,
        failure.message,
        notes=tuple(Note(NOWHERE, text) for text in notes),
    )


def _events(ran: Ran, failure: Failure) -> Iterator[str]:
    assert ran.game is not None
    return (line.text for line in log_lines(failure.events, (), Words(ran.game)))


def _summary(ran: list[Ran]) -> str:
    tests = sum(len(each.outcomes) for each in ran)
    failed = sum(len(_failures(each)) for each in ran)
    broken = [printable(each.source.name) for each in ran if each.game is None]
    text = f"{amount(tests, 'test')} in {amount(len(ran), 'file')}"
    if tests:
        text += f": {failed} failed" if failed else ": all passed"
    text += f"; not run, for their mistakes: {', '.join(broken)}" if broken else ""
    reasons = [printable(each.not_compiled) for each in ran if each.not_compiled is not None]
    return "\n".join((text, *(f"note: not compiled: {reason}" for reason in reasons)))


# ------------------------------------------------------------ as JSON


def _document(ran: list[Ran], found: Found) -> dict[str, Any]:
    results = [_result(each, outcome) for each in ran for outcome in each.outcomes]
    mistakes = [*found.mistakes, *(error for each in ran for error in _errors(each))]
    return {
        "tests": len(results),
        "failed": sum(not result["passed"] for result in results),
        "results": results,
        "mistakes": as_records(mistakes),
    }


def _result(ran: Ran, outcome: Outcome) -> dict[str, Any]:
    failure = outcome.failure
    return {
        "file": outcome.test.span.file,
        "line": outcome.test.span.line,
        "test": outcome.test.title,
        "players": outcome.players,
        "passed": failure is None,
        "failure": None
        if failure is None
        else {
            "file": failure.span.file,
            "line": failure.span.line,
            "column": failure.span.column,
            "expression": _written(ran, failure),
            "message": failure.message,
            "details": list(failure.details),
            "events": list(_events(ran, failure)),
        },
    }


def _written(ran: Ran, failure: Failure) -> str:
    source = ran.sources.get(failure.span.file)
    return "" if source is None else source.line(failure.span.line).strip()
