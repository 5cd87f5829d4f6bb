"""What a report calls the parts of the rules that it is about."""

from __future__ import annotations

from collections.abc import Iterator

from ruledsl.diagnostics.source import Span
from ruledsl.engine.counters import Counter
from ruledsl.lab.reporting.study import Study
from ruledsl.model import core
from ruledsl.model.game import CheckedGame
from ruledsl.play.words import Words, is_told


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
    """What something is chosen for: `place.card` in words, or the question that is asked."""
    words = Words(study.checked)
    owner, _, name = parameter.rpartition(".")
    action = study.checked.actions.get(owner)
    if action is not None:
        label = words.action(owner)
        return label if is_told(action.title, name) else f"{label}: {words.name(name)}"
    question = study.questions.get(parameter)
    return f"choosing {words.name(name)}" if question is None else words.text(question)


def label_of(study: Study, counter: Counter) -> str:
    """An action, or what is chosen."""
    if counter.sort == "action":
        return Words(study.checked).action(counter.name)
    return study.labels.get(counter.name, counter.name)


def used_in(study: Study, counter: Counter) -> str:
    """An action, or what is chosen and for what."""
    label = label_of(study, counter)
    return f"{label} ({about(study, counter.of)})" if counter.of else label
