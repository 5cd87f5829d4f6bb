"""What a pass found: a fact about a place in a source, ready to be shown."""

from __future__ import annotations

from typing import Literal, TypeAlias

import attrs

from ruledsl.diagnostics.source import Span

Severity: TypeAlias = Literal["error", "warning"]

CODES: dict[str, Code] = {}
"""Every code there is, by name, in the order of declaration."""


@attrs.frozen
class Code:
    """A kind of mistake. The name is stable and describes the mistake, not the remedy."""

    name: str
    severity: Severity
    summary: str


def declare(name: str, severity: Severity, summary: str) -> Code:
    """Declare a code, once."""
    if name in CODES:
        raise ValueError(f"the code {name} is declared twice")
    CODES[name] = Code(name, severity, summary)
    return CODES[name]


@attrs.frozen
class Note:
    """A second place that helps to understand the first."""

    span: Span
    text: str


@attrs.frozen
class Diagnostic:
    """A mistake at a place.

    The message is the fact, in lower case; the label says what the marked place is;
    the hint proposes one action. Where a name is wrong, `known` has those that were possible.
    """

    code: Code
    span: Span
    message: str
    label: str = ""
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    known: tuple[str, ...] = attrs.field(default=(), eq=False, repr=False)

    @property
    def severity(self) -> Severity:
        return self.code.severity
