"""Mistakes in the text of a rules file: layout, signs, words where they don't belong."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from ruledsl.diagnostics.diagnostic import Diagnostic, Note, declare
from ruledsl.diagnostics.source import Span
from ruledsl.diagnostics.suggest import did_you_mean

EMPTY_FILE = declare("empty-file", "error", "the file declares nothing")
FILE_TOO_LARGE = declare("file-too-large", "error", "a rules file has at most 1,000,000 bytes")
TOO_MANY_MISTAKES = declare(
    "too-many-mistakes", "error", "the list of mistakes in a file's text is cut off"
)
TAB = declare("tab", "error", "a tab where only blanks may stand")
CONTROL_CHARACTER = declare("control-character", "error", "an invisible control character")
STRAY_CHARACTER = declare("stray-character", "error", "a character that means nothing here")
FOREIGN_SIGN = declare("foreign-sign", "error", "a sign of another language")
BAD_NUMBER = declare("bad-number", "error", "a number the language doesn't have")
BAD_CITATION = declare("bad-citation", "error", "a citation not of the form `§PP-17`")
UNCLOSED_TEXT = declare("unclosed-text", "error", "a text without its second quotation mark")
UNCLOSED_BRACKET = declare("unclosed-bracket", "error", "a bracket that is never closed")
UNOPENED_BRACKET = declare("unopened-bracket", "error", "a closing bracket without an opening one")
UNEVEN_INDENTATION = declare(
    "uneven-indentation", "error", "a line indented like none of the blocks around it"
)
UNEXPECTED_INDENTATION = declare(
    "unexpected-indentation", "error", "a line indented under one that takes no block"
)
TOO_DEEP = declare("too-deep", "error", "brackets or blocks nested too deeply")
EXPRESSION_TOO_LONG = declare(
    "expression-too-long", "error", "too many operators in one expression"
)
UNEXPECTED = declare("unexpected", "error", "something that can't stand where it stands")


def empty_file(span: Span) -> Diagnostic:
    return Diagnostic(
        EMPTY_FILE,
        span,
        "the file declares nothing",
        hint='begin with `game NAME "Title"`, `variant NAME of GAME` or `library NAME`',
    )


def file_too_large(span: Span, size: int, limit: int) -> Diagnostic:
    return Diagnostic(
        FILE_TOO_LARGE,
        span,
        f"the file has {size:,} bytes; {limit:,} are allowed",
        hint="put shared declarations into a library",
    )


def too_many_mistakes(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(
        TOO_MANY_MISTAKES,
        span,
        f"more than {limit} mistakes; the declarations from here on were not read",
        "not read from here on",
        "correct the mistakes above first",
    )


def tab(span: Span) -> Diagnostic:
    return Diagnostic(
        TAB, span, "a tab where only blanks may stand", "a tab", "indent by four blanks"
    )


def control_character(span: Span, character: str) -> Diagnostic:
    return Diagnostic(
        CONTROL_CHARACTER,
        span,
        f"the invisible character {_code_point(character)}",
        "here, unseen",
        "delete it",
    )


def stray_character(span: Span, character: str) -> Diagnostic:
    name = unicodedata.name(character, "no name").lower()
    return Diagnostic(
        STRAY_CHARACTER,
        span,
        f"`{character}` ({name}, {_code_point(character)}) means nothing here",
        "a stray character",
        _REMEDIES.get(character),
    )


def foreign_sign(span: Span, sign: str, own: str) -> Diagnostic:
    return Diagnostic(
        FOREIGN_SIGN,
        span,
        f"`{sign}` is not a sign of the rules language",
        "a sign of another language",
        own,
    )


def fraction(span: Span, text: str) -> Diagnostic:
    return Diagnostic(
        BAD_NUMBER,
        span,
        f"`{text}` is not a whole number",
        "only whole numbers",
        "for a range write two dots, as in `1..6`",
    )


def number_too_large(span: Span, digits: int) -> Diagnostic:
    return Diagnostic(
        BAD_NUMBER, span, f"a number may have at most {digits} digits", "too many digits"
    )


def number_in_name(span: Span, text: str) -> Diagnostic:
    return Diagnostic(
        BAD_NUMBER,
        span,
        f"`{text}` is neither a number nor a name",
        "a name cannot begin with a digit",
        f"put a blank between, or write `{text.lstrip('0123456789')}{_leading_digits(text)}`",
    )


def bad_citation(span: Span) -> Diagnostic:
    return Diagnostic(
        BAD_CITATION,
        span,
        "a citation is `§`, the rulebook's letters, a hyphen and the rule's number",
        "not a citation",
        "write it like `§PP-17`",
    )


def unclosed_text(span: Span) -> Diagnostic:
    return Diagnostic(
        UNCLOSED_TEXT,
        span,
        "this text is not closed on its line",
        "the text begins here",
        'end it with `"`; a text stands on one line and contains no quotation marks',
    )


def unclosed_bracket(span: Span, bracket: str) -> Diagnostic:
    return Diagnostic(
        UNCLOSED_BRACKET,
        span,
        f"this `{bracket}` is never closed",
        "opened here",
        f"close it with `{_CLOSING[bracket]}`",
    )


def wrong_bracket(span: Span, bracket: str, opening: Span, opened: str) -> Diagnostic:
    return Diagnostic(
        UNCLOSED_BRACKET,
        span,
        f"`{bracket}` can't close `{opened}`",
        "closed here",
        f"write `{_CLOSING[opened]}`",
        (Note(opening, "opened here"),),
    )


def unopened_bracket(span: Span, bracket: str) -> Diagnostic:
    return Diagnostic(
        UNOPENED_BRACKET,
        span,
        f"nothing is open that `{bracket}` could close",
        "no opening bracket before it",
        "delete it, or add the opening bracket",
    )


def uneven_indentation(span: Span, levels: Iterable[int]) -> Diagnostic:
    columns = " or ".join(str(level) for level in levels)
    return Diagnostic(
        UNEVEN_INDENTATION,
        span,
        "this line is indented like none of the blocks around it",
        "begins between two blocks",
        f"indent it by {columns} blanks",
    )


def unexpected_indentation(span: Span) -> Diagnostic:
    return Diagnostic(
        UNEXPECTED_INDENTATION,
        span,
        "this line is indented, but the line above takes no block",
        "indented too far",
        "indent it like the line above",
    )


def indented_declaration(span: Span) -> Diagnostic:
    return Diagnostic(
        UNEXPECTED_INDENTATION,
        span,
        "a declaration begins at the very left",
        "indented, but nothing stands above it",
        "remove the blanks before it",
    )


def brackets_too_deep(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(
        TOO_DEEP,
        span,
        f"brackets are nested more than {limit} deep",
        "one bracket too many",
        "give a part of the expression a name with `define` or `let`",
    )


def blocks_too_deep(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(
        TOO_DEEP,
        span,
        f"blocks are nested more than {limit} deep",
        "one block too many",
        "make the inner blocks a step of their own",
    )


def expression_too_long(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(
        EXPRESSION_TOO_LONG,
        span,
        f"more than {limit} operators in one expression",
        "one operator too many",
        "give parts of the expression names with `define` or `let`",
    )


def unexpected(span: Span, found: str, expected: str) -> Diagnostic:
    return Diagnostic(UNEXPECTED, span, f"expected {expected}, found {found}", "not expected here")


_CLOSING = {"(": ")", "{": "}"}
_REMEDIES = {
    "“": 'write texts in straight quotation marks: `"`',
    "”": 'write texts in straight quotation marks: `"`',
    "„": 'write texts in straight quotation marks: `"`',
    "’": 'write texts in straight quotation marks: `"`',
    "\N{NO-BREAK SPACE}": "write an ordinary blank",
    "–": "write `-`",
    "−": "write `-`",
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `!=`",
    "…": "write `..` for a range",
    "×": "write `*`",
    "[": "sets are written `{a, b}`, arguments `f(a, b)`",
    "]": "sets are written `{a, b}`, arguments `f(a, b)`",
}


def _code_point(character: str) -> str:
    return f"U+{ord(character):04X}"


def _leading_digits(text: str) -> str:
    return text[: len(text) - len(text.lstrip("0123456789"))]
