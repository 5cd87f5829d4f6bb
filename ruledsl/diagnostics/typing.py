"""Mistakes with types, arguments and things that may be none."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.diagnostics.diagnostic import Diagnostic, Note, declare
from ruledsl.diagnostics.source import Span

WRONG_TYPE = declare("wrong-type", "error", "a value of another type than is wanted")
NEVER_EQUAL = declare("never-equal", "error", "a comparison of things that are never equal")
ARGUMENT_COUNT = declare("argument-count", "error", "too many or too few arguments")
MAY_BE_NONE = declare("may-be-none", "error", "something that may be none where it must not be")
LOST_ORDER = declare("lost-order", "warning", "`while` over sets whose order is lost")
NEEDLESS_SURE = declare("needless-sure", "warning", "`sure( )` of what is never none")
NOT_A_SLOT = declare("not-a-slot", "error", "a value is set where none is stored")
NOT_CONSTANT = declare(
    "not-constant", "error", "a size or table cell that depends on the course of the game"
)
WORD_OUT_OF_PLACE = declare(
    "word-out-of-place", "error", "a word of the language where it means nothing"
)
MANY_COPIES = declare("many-copies", "error", "a face used as a piece although it has copies")
NO_ORDER = declare("no-order", "error", "the top or bottom of a place without an order")
MIXED_PIECES = declare(
    "mixed-pieces", "error", "a number of pieces moved from among different ones"
)
CANNOT_HOLD = declare("cannot-hold", "error", "a piece moved to a place that can't hold it")
SHUFFLED_OPENLY = declare(
    "shuffled-openly", "error", "a shuffle of what everybody sees, or of what has no order"
)
BAD_QUERY = declare("bad-query", "error", "a query with parts that don't go together")
REQUIREMENT_LATE = declare(
    "requirement-late", "error", "a requirement after the first effect, or outside an action"
)
NOT_ONE_TYPE = declare("not-one-type", "error", "values of different types side by side")


def wrong_type(span: Span, wanted: str, got: str, role: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(WRONG_TYPE, span, f"{role} must be {wanted}", f"this is {got}", hint)


def text_as_value(span: Span) -> Diagnostic:
    return Diagnostic(
        WRONG_TYPE,
        span,
        "a text can't be a value",
        "this is a text",
        "texts are titles, prompts and messages; for words to compare, declare a `type`",
    )


def never_equal(span: Span, left: str, right: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(
        NEVER_EQUAL,
        span,
        f"{left} is never {right}",
        "these are compared",
        hint,
    )


def not_one_type(span: Span, one: str, other: str, what: str) -> Diagnostic:
    return Diagnostic(
        NOT_ONE_TYPE,
        span,
        f"{what} must be of one type",
        f"this is {other}, before it was {one}",
    )


def argument_count(span: Span, what: str, wanted: str, got: int) -> Diagnostic:
    return Diagnostic(
        ARGUMENT_COUNT,
        span,
        f"{what} takes {wanted}",
        f"{got} given" if got else "nothing given",
    )


def missing_argument(span: Span, what: str, name: str) -> Diagnostic:
    return Diagnostic(ARGUMENT_COUNT, span, f"{what} needs `{name}`", "not given here")


def may_be_none(span: Span, role: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(
        MAY_BE_NONE,
        span,
        f"{role} may be none",
        "perhaps there is none",
        hint or "ask `… != none` first, or say `sure(…)` if the rules guarantee that there is one",
    )


def lost_order(span: Span, within: str | None = None) -> Diagnostic:
    return Diagnostic(
        LOST_ORDER,
        span,
        "a set that is put together has the order of the table, and `while` goes by that",
        "put together here" if within is None else f"put together in `{within}`",
        "ask each part with a `while` of its own",
    )


def needless_sure(span: Span) -> Diagnostic:
    return Diagnostic(
        NEEDLESS_SURE,
        span,
        "this is always there",
        "never none",
        "leave out `sure( )`",
    )


def not_a_slot(span: Span, what: str) -> Diagnostic:
    return Diagnostic(
        NOT_A_SLOT,
        span,
        f"{what} can't be set",
        "no value is stored here",
        "only what a `state` declares can be set",
    )


def not_constant(span: Span, what: str, because: str) -> Diagnostic:
    return Diagnostic(
        NOT_CONSTANT,
        span,
        f"{what} must be known before the game begins",
        f"{because} changes during the game",
        "use only numbers, tables, options and the number of players",
    )


def word_out_of_place(span: Span, word: str, where: str) -> Diagnostic:
    return Diagnostic(
        WORD_OUT_OF_PLACE, span, f"`{word}` means something only {where}", "used elsewhere"
    )


def many_copies(span: Span, name: str, kind: str) -> Diagnostic:
    return Diagnostic(
        MANY_COPIES,
        span,
        f"`{name}` has several copies",
        f"one `{kind}` is wanted",
        f"say which one, such as `first(x in … where x is {name})`",
    )


def no_order(span: Span, feature: str, place: str) -> Diagnostic:
    return Diagnostic(
        NO_ORDER,
        span,
        f"{place} keeps no order, so it has no `.{feature}`",
        "which one is meant?",
        "declare the place as `stack`, or with `room 1`, or say which piece",
    )


def mixed_pieces(span: Span, kinds: Iterable[str]) -> Diagnostic:
    listed = [f"`{kind}`" for kind in sorted(kinds)]
    different = " and ".join(listed) if len(listed) > 1 else f"different faces of {listed[0]}"
    return Diagnostic(
        MIXED_PIECES,
        span,
        "these pieces are not alike, so a number of them doesn't say which",
        f"{different} may lie here",
        "say which: `move 1 from {x in … where x is …} to …`",
    )


def cannot_hold(span: Span, place: str, piece: str, declared: Span | None) -> Diagnostic:
    notes = () if declared is None else (Note(declared, "declared here"),)
    return Diagnostic(
        CANNOT_HOLD,
        span,
        f"{place} can't hold {piece}",
        "where it would lie",
        f"add {piece} after `of` in the declaration of the place",
        notes,
    )


def shuffled_openly(span: Span, place: str, why: str, declared: Span | None) -> Diagnostic:
    notes = () if declared is None else (Note(declared, "declared here"),)
    return Diagnostic(
        SHUFFLED_OPENLY,
        span,
        f"{place} can't be shuffled",
        why,
        "declare it as `stack hidden`",
        notes,
    )


def bad_query(span: Span, why: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(BAD_QUERY, span, why, "in this query", hint)


def requirement_late(span: Span) -> Diagnostic:
    return Diagnostic(
        REQUIREMENT_LATE,
        span,
        "a requirement stands before the first effect of an action, or under a choice",
        "not at the beginning of an action",
        "move it to the beginning of the action, or ask with `if`",
    )
