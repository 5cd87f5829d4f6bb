"""Mistakes in what things look like."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.diagnostics.diagnostic import Diagnostic, Note, declare
from ruledsl.diagnostics.source import Span
from ruledsl.diagnostics.suggest import did_you_mean

UNKNOWN_LOOK = declare("unknown-look", "error", "a look that is no colour, shape or symbol")
LOOK_OF_NOTHING = declare("look-of-nothing", "error", "a look of something that isn't there")
REPEATED_LOOK = declare("repeated-look", "error", "a second look of the same thing")


def unknown_look(span: Span, word: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        UNKNOWN_LOOK,
        span,
        f"`{word}` is no colour and no shape",
        "in this look",
        did_you_mean(word, known) or "a symbol stands in quotes; the words are in the docs",
        known=tuple(known),
    )


def bad_symbol(span: Span, most: int) -> Diagnostic:
    return Diagnostic(
        UNKNOWN_LOOK, span, f"a symbol has between 1 and {most} characters", "this symbol"
    )


def look_of_nothing(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    rows = sorted(each for each in known if each.endswith(f".{name}"))
    said = f"say of which kind: `{rows[0]}`" if rows else did_you_mean(name, known)
    return Diagnostic(
        LOOK_OF_NOTHING,
        span,
        f"nothing on the table is called `{name}`",
        "a look of this",
        said or "kinds, `Kind.row`, states and `Player(1)` have looks",
        known=tuple(sorted(known)),
    )


def repeated_look(span: Span, name: str, first: Span) -> Diagnostic:
    return Diagnostic(
        REPEATED_LOOK,
        span,
        f"`{name}` has a look already",
        "a second line",
        "write one line for it",
        (Note(first, "its first look"),),
    )


def second_look(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        REPEATED_LOOK, span, f"the line gives a {what} twice", "the second", "keep one of them"
    )
