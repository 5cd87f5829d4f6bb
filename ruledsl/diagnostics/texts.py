"""Mistakes with values in texts, and in what stands for them in another language."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.diagnostics.diagnostic import Diagnostic, declare
from ruledsl.diagnostics.source import Span

VALUE_IN_TEXT = declare("value-in-text", "error", "a value in a text that cannot have it")
OTHER_VALUES = declare("other-values", "error", "a translation with other values than its text")


def unclosed_value(span: Span) -> Diagnostic:
    return Diagnostic(
        VALUE_IN_TEXT,
        span,
        "the value in this text is not closed",
        "a value begins at the `{` of a text",
        "close it with `}`; a text contains no other braces",
    )


def fixed_text(span: Span) -> Diagnostic:
    return Diagnostic(
        VALUE_IN_TEXT,
        span,
        "this text is fixed before the game: it has no values in it",
        "a value begins at the `{`",
        "values can stand in prompts, messages, and labels of actions, steps and triggers",
    )


def not_a_parameter(span: Span, what: str, parameters: Iterable[str]) -> Diagnostic:
    names = ", ".join(f"`{{{name}}}`" for name in parameters)
    return Diagnostic(
        VALUE_IN_TEXT,
        span,
        "a label can only name parameters",
        f"{what} has {names}" if names else f"{what} has no parameters",
        "say other values in a prompt or a message",
    )


def other_values(span: Span, lacking: Iterable[str], foreign: Iterable[str]) -> Diagnostic:
    lacks = ", ".join(f"`{{{name}}}`" for name in lacking)
    has = ", ".join(f"`{{{name}}}`" for name in foreign)
    parts = [f"it lacks {lacks}"] * bool(lacks) + [f"the text has no {has}"] * bool(has)
    return Diagnostic(
        OTHER_VALUES,
        span,
        "a translation has the values of its text",
        "; ".join(parts),
        "write each value as the text does",
    )
