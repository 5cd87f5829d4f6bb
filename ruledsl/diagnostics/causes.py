"""One message for one cause: what follows from the same mistake is counted, not told again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source, Span
from ruledsl.diagnostics.wording import amount

NAMES = frozenset(
    f"unknown-{what}" for what in ("action", "kind", "label", "name", "option", "place", "step")
)
"""What is said of a name that nothing has, by what was looked for under it."""
ATTRIBUTE, LABEL, LOOK = "unknown-attribute", "unknown-label", "look-of-nothing"

FEW = 6
"""Lines that are named."""

_PROPOSED = re.compile("did you mean `([^`]+)`")

Lines: TypeAlias = Mapping[str, list[str]]
"""The lines of each file."""
Causes: TypeAlias = Mapping[tuple[str, str | None], tuple[str | None, ...]]
"""By file and name, under what it is told that there is no such thing."""


def by_cause(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]
) -> tuple[Diagnostic, ...]:
    """The first mistake of each cause, with the others counted.

    A name that is declared nowhere is one mistake however often it is used, translated or given a
    look, and so is an attribute that the same thing lacks. What may be wrong only because of it is
    not told: what is warned of about the name that was probably meant, values of a translation of
    nothing, and names that nothing uses but perhaps what is unknown.
    """
    found = tuple(diagnostics)
    lines = {name: source.text.split("\n") for name, source in sources.items()}
    causes = _causes(found, lines)
    alike: dict[object, list[Diagnostic]] = {}
    for number, each in enumerate(found):
        cause = _cause(each, lines, causes)
        alike.setdefault(number if cause is None else cause, []).append(each)
    follows = _following(found, lines)
    return tuple(_told(group) for group in alike.values() if not follows(group[0]))


def _causes(found: Sequence[Diagnostic], lines: Lines) -> Causes:
    named = [(_named(each, lines), each) for each in reversed(found)]
    result: dict[tuple[str, str | None], tuple[str | None, ...]] = {
        name: name for name, each in named if each.code.name in NAMES
    }
    return result | {
        name: (*name, each.message) for name, each in named if each.code.name == ATTRIBUTE
    }


def _cause(each: Diagnostic, lines: Lines, causes: Causes) -> object:
    """What the mistake is told under, if it may have the same cause as others."""
    file, name = _named(each, lines)
    code = each.code.name
    if code == ATTRIBUTE:
        return file, name, each.message
    if name is None or code not in NAMES | {LOOK}:
        return None
    if code not in (LABEL, LOOK):
        return file, name
    # What belongs to something that is gone is gone, too: `Card.forward`, `hall.male`.
    first, last = name.split(".")[0], name.split(".")[-1]
    known = (causes[file, part] for part in (name, first, last) if (file, part) in causes)
    return next(known, (file, name) if code == LABEL else None)


def _following(found: Sequence[Diagnostic], lines: Lines) -> Callable[[Diagnostic], bool]:
    """Whether a mistake follows from another one that is told."""
    unknown = [each for each in found if each.code.name in NAMES | {ATTRIBUTE}]
    meant = {word for each in unknown for word in _PROPOSED.findall(each.hint or "")}
    broken = {_declaration(each.span, lines) for each in unknown}
    labels = {(each.span.file, each.span.line) for each in found if each.code.name == LABEL}

    def follows(each: Diagnostic) -> bool:
        span = each.span
        match each.code.name:
            case "other-values":
                return (span.file, span.line) in labels
            case "missing-translation" if meant:
                return not meant.isdisjoint(re.findall(r"\w+", _line(span, lines)))
            case "unused-name" if _declaration(span, lines) in broken:
                return True
        return each.severity != "error" and _marked(span, lines) in meant

    return follows


def _declaration(span: Span, lines: Lines) -> tuple[str, int]:
    """The file, and the line on which that begins in which a place lies."""
    before = lines.get(span.file, [])[: span.line]
    starts = (at for at in range(len(before), 0, -1) if before[at - 1][:1].isalpha())
    return span.file, next(starts, 0)


def _line(span: Span, lines: Lines) -> str:
    text = lines.get(span.file, ())
    return text[span.line - 1] if 1 <= span.line <= len(text) else ""


def _told(group: list[Diagnostic]) -> Diagnostic:
    first, *others = group
    if not others:
        return first
    numbers = list(dict.fromkeys(each.span.line for each in others))
    named = ", ".join(map(str, numbers[:FEW])) + (" …" if len(numbers) > FEW else "")
    where = f"line{'s' * (len(numbers) != 1)} {named}"
    return attrs.evolve(
        first, label=f"{first.label}, and {amount(len(others), 'more time')} ({where})"
    )


def _named(each: Diagnostic, lines: Lines) -> tuple[str, str | None]:
    """The file, and what stands where the mistake is."""
    return each.span.file, _marked(each.span, lines)


def _marked(span: Span, lines: Lines) -> str | None:
    """What stands at a place, if that is on one line."""
    if span.line != span.end_line or not 1 <= span.line <= len(lines.get(span.file, ())):
        return None
    return _line(span, lines)[span.column - 1 : span.end_column - 1]
