"""Mistakes in declarations: tables, maps, sizes, options, and the game's own lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruledsl.diagnostics.diagnostic import Diagnostic, Note, declare
from ruledsl.diagnostics.source import Span
from ruledsl.diagnostics.suggest import did_you_mean

ROW_LENGTH = declare("row-length", "error", "a table row with too many or too few cells")
MAP_SIZE = declare("map-size", "error", "a map that doesn't fit its grid, or with uneven lines")
MAP_PLACE = declare("map-place", "error", "a map that has no grid, or names what isn't a place")
BAD_SHAPE = declare("bad-shape", "error", "a picture of a shape that is missing or can't be read")
COLUMN_TYPE = declare("column-type", "error", "a column whose cells have no common type")
MISSING_START = declare("missing-start", "error", "pieces, or a slot, without a start")
MISSING_BODY = declare("missing-body", "error", "a row for which a step or definition says nothing")
PRIVATE_TO_NOBODY = declare(
    "private-to-nobody", "error", "something private that belongs to no player"
)
BAD_REFILL = declare("bad-refill", "error", "a deck refilled from a place that doesn't fit")
BAD_TRAIT = declare("bad-trait", "error", "words in a declaration that don't go together")
BAD_LINE = declare("bad-line", "error", "a line of the game's header that is missing or wrong")
UNKNOWN_CITATION = declare("unknown-citation", "error", "a citation of a rule the book lacks")
REPEATED_RULE = declare("repeated-rule", "error", "a second text of the same rule")
UNCITED_RULE = declare("uncited-rule", "warning", "a rule of the book that nothing cites")
MISSING_TRANSLATION = declare(
    "missing-translation", "warning", "a text that one of the languages lacks"
)


def row_length(span: Span, name: str, columns: Sequence[str], got: int) -> Diagnostic:
    lacking = ", ".join(f"`{column}`" for column in columns[got:])
    return Diagnostic(
        ROW_LENGTH,
        span,
        f"the row `{name}` has {got} cell{'s' * (got != 1)}, the table {len(columns)}",
        "this row",
        f"add what belongs under {lacking}" if lacking else "remove what is under no column",
    )


def rows_without_table(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        ROW_LENGTH,
        span,
        f"`{name}` has a number of copies and rows",
        "rows say their own copies",
        "use a `count` column",
    )


def columns_without_rows(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        ROW_LENGTH,
        span,
        f"`{name}` has columns, but no rows",
        "this column has no cells",
        "write a row for each face or place below it, or remove the columns",
    )


def map_size(span: Span, what: str, wanted: str, got: str, note: str | None = None) -> Diagnostic:
    return Diagnostic(MAP_SIZE, span, f"{what} must have {wanted}", f"this has {got}", note)


def map_place(span: Span, why: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(MAP_PLACE, span, why, "in this map", hint)


def unknown_map_name(span: Span, name: str, kind: str, known: Iterable[str]) -> Diagnostic:
    known = tuple(known)
    return Diagnostic(
        MAP_PLACE,
        span,
        f"`{kind}` has no place called `{name}`",
        "in this map",
        did_you_mean(name, known),
        known=known,
    )


def bad_shape(span: Span, fact: str, label: str, hint: str) -> Diagnostic:
    return Diagnostic(BAD_SHAPE, span, fact, label, hint)


def column_type(span: Span, name: str, one: str, other: str) -> Diagnostic:
    return Diagnostic(
        COLUMN_TYPE,
        span,
        f"the cells of `{name}` have no common type",
        f"this is {other}, another cell is {one}",
    )


def ambiguous_column(span: Span, name: str, kinds: Iterable[str]) -> Diagnostic:
    listed = sorted(kinds)
    return Diagnostic(
        COLUMN_TYPE,
        span,
        f"the cells of `{name}` are values of several types: "
        + ", ".join(f"`{kind}`" for kind in listed),
        "which one?",
        f"write `{listed[0]}.…` in one of the cells",
    )


def missing_start(span: Span, what: str, hint: str) -> Diagnostic:
    return Diagnostic(MISSING_START, span, f"{what} has no start", "declared here", hint)


def missing_body(span: Span, what: str, rows: Iterable[str]) -> Diagnostic:
    listed = ", ".join(f"`{row}`" for row in rows)
    return Diagnostic(
        MISSING_BODY,
        span,
        f"{what} says nothing about {listed}",
        "declared only for some rows",
        "add a general one, or one for each row",
    )


def private_to_nobody(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        PRIVATE_TO_NOBODY,
        span,
        f"{what} is private, but belongs to no player",
        "whose is it?",
        "give it to `Player`, or say `hidden` or `seen when …`",
    )


def bad_refill(span: Span, why: str, hint: str) -> Diagnostic:
    return Diagnostic(BAD_REFILL, span, why, "refilled from here", hint)


def bad_trait(span: Span, why: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(BAD_TRAIT, span, why, "in this declaration", hint)


def bad_line(span: Span, why: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(BAD_LINE, span, why, "in this line", hint)


def unknown_citation(span: Span, rule: str, why: str, hint: str | None) -> Diagnostic:
    return Diagnostic(UNKNOWN_CITATION, span, f"there is no rule §{rule}", why, hint)


def repeated_rule(span: Span, rule: str, first: Span) -> Diagnostic:
    return Diagnostic(
        REPEATED_RULE,
        span,
        f"§{rule} has a text already",
        "a second text",
        "write one line for it in each language",
        (Note(first, "the first text"),),
    )


def uncited_rule(span: Span, rules: Iterable[str]) -> Diagnostic:
    listed = list(rules)
    shown = ", ".join(f"§{rule}" for rule in listed[:8]) + (", …" if len(listed) > 8 else "")
    return Diagnostic(
        UNCITED_RULE,
        span,
        f"{len(listed)} rule{'s' * (len(listed) != 1)} of the book "
        f"{'are' if len(listed) != 1 else 'is'} cited nowhere: {shown}",
        "the rulebook",
        "cite each rule on the line that carries it out",
    )


def missing_translation(span: Span, text: str, language: str) -> Diagnostic:
    return Diagnostic(
        MISSING_TRANSLATION,
        span,
        f"“{text}” has no text in the language `{language}`",
        "a player reads this",
        f"add it under `language {language}`",
    )
