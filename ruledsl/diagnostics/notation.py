"""Mistakes in how things and actions are written."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.diagnostics.diagnostic import Diagnostic, Note, declare
from ruledsl.diagnostics.source import Span
from ruledsl.diagnostics.suggest import did_you_mean

NOTATION_OF_NOTHING = declare("notation-of-nothing", "error", "a notation of something unknown")
BAD_NOTATION = declare("bad-notation", "error", "a notation that can't be used")
ALIKE_NOTATION = declare("alike-notation", "error", "different things are written alike")


def notation_of_nothing(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        NOTATION_OF_NOTHING,
        span,
        f"nothing that can be written is called `{name}`",
        "a notation of this",
        did_you_mean(name, known) or "actions, kinds, `Kind.row` and the `col` of a grid have one",
        known=tuple(sorted(known)),
    )


def value_in_sign(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        BAD_NOTATION,
        span,
        f"how `{name}` is written can't change in a game",
        "neither an index nor a column",
        "only actions are written with conditions and other values",
    )


def bad_letters(span: Span) -> Diagnostic:
    return Diagnostic(
        BAD_NOTATION,
        span,
        "the columns of a grid are written by one text: a sign for each, all different",
        "these signs",
        'such as `"ABCDEFGH"`',
    )


def written_alike(span: Span, sign: str, name: str, other: str, first: Span) -> Diagnostic:
    return Diagnostic(
        ALIKE_NOTATION,
        span,
        f"`{name}` and `{other}` are both written `{sign}`",
        "here",
        "give one of them another sign",
        (Note(first, "and here"),),
    )


def left_out(span: Span, action: str, parameter: str) -> Diagnostic:
    return Diagnostic(
        ALIKE_NOTATION,
        span,
        f"no way to write `{action}` tells `{parameter}`, so choices are written alike",
        f"`{parameter}` is left out",
        f"put `{{{parameter}}}` into one of the texts, or ask for it after `where`",
    )
