"""Mistakes in what happens: circles, loops, ends, triggers, requirements and choices."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.diagnostics.diagnostic import Diagnostic, declare
from ruledsl.diagnostics.source import Span

RECURSION = declare("recursion", "error", "something that is defined by itself")


def recursion(span: Span, path: Iterable[str]) -> Diagnostic:
    names = list(path)
    start = names.index(names[-1])
    circle = " → ".join(f"`{name}`" for name in names[start:])
    return Diagnostic(
        RECURSION,
        span,
        f"this leads back to itself: {circle}",
        "part of the circle",
        "use `reach`, `repeat` or a query instead",
    )
