"""`ruledsl test --mutants`: which changes of the rules no test notices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing import cpu_count

import click

from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.wording import amount, printable
from ruledsl.lab.mutants import Judged, Mutants, TestsFail
from ruledsl.library import Library
from ruledsl.play.loading import LoadError, load_source

from .documents import print_document
from .game_arguments import unplayable
from .parallel_games import progress
from .terminal import Exit, Refused
from .workers import WorkerDied, in_order


def judge_mutants(sources: Sequence[Source], limit: int | None, jobs: int, *, as_json: bool) -> int:
    """Say for each file how many changes were noticed, and list the others."""
    documents: list[dict[str, object]] = []
    missed = False
    for source in sources:
        judged = _judged(source, limit, jobs)
        missed |= any(not each.noticed for each in judged)
        documents.append(_document(source, judged))
        if not as_json:
            for line in _lines(source, judged):
                click.echo(printable(line))
    if as_json:
        print_document("mutants", {"files": documents})
    return Exit.FINDINGS if missed else Exit.CLEAN


def _judged(source: Source, limit: int | None, jobs: int) -> list[Judged]:
    library = Library()
    try:
        load_source(source, library)
    except LoadError as error:
        raise unplayable(error) from error
    mutants = Mutants(source, library)
    numbers = mutants.sample(limit)
    try:
        mutants.begin()
    except TestsFail:
        raise Refused(f"{source.name} fails its own tests", "see `ruledsl test`") from None
    found: list[Judged] = []
    with progress("changing the rules", len(numbers)) as tell:
        for each in _shared(source, mutants, numbers, min(jobs, cpu_count())):
            found.append(each)
            tell(1)
    return found


def _shared(source: Source, mutants: Mutants, numbers: range, jobs: int) -> Iterator[Judged]:
    if jobs == 1:
        return map(mutants.judged, numbers)
    try:
        return in_order(partial(_begin, source), iter(numbers), jobs)
    except WorkerDied:
        raise Refused("a process that ran tests was ended from outside") from None


def _begin(source: Source) -> Callable[[int], Judged]:
    mutants = Mutants(source, Library())
    mutants.begin()
    return mutants.judged


def _lines(source: Source, judged: list[Judged]) -> Iterator[str]:
    missed = [each for each in judged if each.verdict in ("survived", "crashed")]
    if not judged:
        yield f"{source.name}: nothing to change"
        return
    noticed = sum(each.noticed for each in judged)
    share = f"{noticed / len(judged):.1%} noticed, {len(judged) - noticed} not"
    yield f"{source.name}: {amount(len(judged), 'change')}, {share}"
    for each in missed:
        line = source.line(each.line).strip()
        yield f"  {each.verdict:8} {each.line:5}  {each.words:14} {line}"


def _document(source: Source, judged: list[Judged]) -> dict[str, object]:
    return {
        "file": source.name,
        "changes": len(judged),
        "noticed": sum(each.noticed for each in judged),
        "missed": [
            {"line": each.line, "change": each.words, "rules": source.line(each.line).strip()}
            for each in judged
            if not each.noticed
        ],
    }
