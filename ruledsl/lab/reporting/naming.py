"""What a report calls the parts of the rules that it is about."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.diagnostics.source import Span
from ruledsl.engine.counters import Counter
from ruledsl.lab.reporting.study import Study
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.play.words import Words


def written(study: Study, span: Span) -> str:
    """The line of the rules, without its marks."""
    line = study.checked.sources[span.file].line(span.line)
    for mark in ("§", " assumed ", "#"):
        line = line.partition(mark)[0]
    return f"`{line.strip()}` (line {span.line})"


def blocks_of(game: CheckedGame) -> Iterator[tuple[str, core.Block]]:
    for name, step in game.steps.items():
        yield name, step.body or ()
        for row in step.rows:
            yield name, row.body
    for action in game.actions.values():
        yield action.name, action.body
    for trigger in game.triggers.values():
        yield trigger.name, trigger.body


def about(study: Study, parameter: str) -> str:
    """`place.card` in words: the action and what is chosen for it."""
    words = Words(study.checked)
    owner, _, name = parameter.rpartition(".")
    if owner in study.checked.actions:
        return f"{words.action(owner)}: {words.name(name)}"
    return f"choosing {words.name(name)}"


def used_in(study: Study, counter: Counter) -> str:
    """An action, or what is chosen and for what."""
    if counter.sort == "action":
        return Words(study.checked).action(counter.name)
    return f"{study.labels().get(counter.name, counter.name)} ({about(study, counter.of)})"
