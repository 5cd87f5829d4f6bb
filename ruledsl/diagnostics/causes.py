"""One message for one cause: what follows from the same mistake is counted, not told again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import attrs

from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source, Span
from ruledsl.diagnostics.wording import amount

NAMES = frozenset(
    f"unknown-{what}" for what in ("action", "kind", "label", "name", "option", "place", "step")
)
"""What is said of a name that nothing has, by what was looked for under it."""
ATTRIBUTE, LABEL = "unknown-attribute", "unknown-label"

FEW = 6
"""Lines that are named."""

_PROPOSED = re.compile("did you mean `([^`]+)`")


def by_cause(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, Source]
) -> tuple[Diagnostic, ...]:
    """The first mistake of each cause, with the others counted.

    A name that is declared nowhere is one mistake however often it is used, and so is an attribute
    that the same thing lacks. Whatever is warned of about the name that was probably meant follows
    from it, too.
    """
    found = tuple(diagnostics)
    lines = {name: source.text.split("\n") for name, source in sources.items()}
    lacking = {
        _named(each, lines): (*_named(each, lines), each.message)
        for each in reversed(found)
        if each.code.name == ATTRIBUTE
    }
    alike: dict[object, list[Diagnostic]] = {}
    for number, each in enumerate(found):
        name = _named(each, lines)
        key: object = number
        if each.code.name == ATTRIBUTE:
            key = (*name, each.message)
        elif each.code.name == LABEL:
            key = lacking.get(name, name)
        elif each.code.name in NAMES and name[1] is not None:
            key = name
        alike.setdefault(key, []).append(each)
    meant = {
        word
        for each in found
        if each.code.name in NAMES or each.code.name == ATTRIBUTE
        for word in _PROPOSED.findall(each.hint or "")
    }
    return tuple(
        _told(group)
        for group in alike.values()
        if group[0].severity == "error" or _marked(group[0].span, lines) not in meant
    )


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


def _named(each: Diagnostic, lines: Mapping[str, list[str]]) -> tuple[str, str | None]:
    """The file, and what stands where the mistake is."""
    return each.span.file, _marked(each.span, lines)


def _marked(span: Span, lines: Mapping[str, list[str]]) -> str | None:
    """What stands at a place, if that is on one line."""
    text = lines.get(span.file, ())
    if span.line != span.end_line or not 1 <= span.line <= len(text):
        return None
    return text[span.line - 1][span.column - 1 : span.end_column - 1]
