"""Mistakes in how files fit together: headers, libraries, variants and their changes."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.diagnostics.diagnostic import Diagnostic, Note, declare
from ruledsl.diagnostics.source import Span
from ruledsl.diagnostics.suggest import did_you_mean

MISSING_HEADER = declare(
    "missing-header", "error", "the file doesn't say what it is: a game, a library or a variant"
)
MISPLACED_HEADER = declare("misplaced-header", "error", "a file has one header, and it comes first")
UNKNOWN_FILE = declare("unknown-file", "error", "no game, variant or library has this name")
WRONG_FILE = declare("wrong-file", "error", "the named file is not of the sort wanted here")
CIRCULAR_FILES = declare("circular-files", "error", "files that build on each other in a circle")
NAME_MISMATCH = declare("name-mismatch", "warning", "the declared name is not the file's name")
MISSING_PLAYERS = declare("missing-players", "error", "the game doesn't say how many play")
DUPLICATE_DECLARATION = declare(
    "duplicate-declaration", "error", "two declarations of the same sort and name"
)
UNKNOWN_TARGET = declare(
    "unknown-target", "error", "a change to something that doesn't exist in the base"
)
CHANGED_TWICE = declare("changed-twice", "error", "two changes to the same declaration")
CHANGED_PARAMETERS = declare(
    "changed-parameters", "error", "a replaced step or definition has other parameters"
)
CANNOT_EXTEND = declare("cannot-extend", "error", "`extend` on something that is not a list")
CHANGE_WITHOUT_BASE = declare(
    "change-without-base", "error", "a change in a file that has nothing to change"
)


def missing_header(span: Span) -> Diagnostic:
    return Diagnostic(
        MISSING_HEADER,
        span,
        "the file doesn't say what it is",
        "a header should come first",
        'begin with `game NAME "Title"`, `variant NAME of GAME` or `library NAME`',
    )


def misplaced_header(span: Span, first: Span | None) -> Diagnostic:
    notes = () if first is None else (Note(first, "the header is here"),)
    return Diagnostic(
        MISPLACED_HEADER,
        span,
        "a file has only one header" if first else "the header is not at the beginning",
        "a second header" if first else "a header after other declarations",
        "put this into a file of its own" if first else "move it to the top of the file",
        notes,
    )


def unknown_file(span: Span, name: str, sort: str, known: Iterable[str]) -> Diagnostic:
    known = tuple(known)
    return Diagnostic(
        UNKNOWN_FILE,
        span,
        f"no {sort} is called `{name}`",
        "looked for beside this file and among the shipped games",
        did_you_mean(name, known),
        known=known,
    )


def wrong_file(span: Span, name: str, found: str, wanted: str) -> Diagnostic:
    return Diagnostic(
        WRONG_FILE,
        span,
        f"`{name}` is {found}",
        f"{wanted} is wanted here",
        "`use` takes libraries, `variant … of` games and variants",
    )


def two_games(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        WRONG_FILE,
        span,
        f"`{name}` builds on two games",
        "a variant changes one game",
        "name variants of the same game",
    )


def broken_file(span: Span, name: str, why: str) -> Diagnostic:
    return Diagnostic(
        WRONG_FILE, span, f"`{name}` can't be used: {why}", "named here", "mend that file first"
    )


def circular_files(span: Span, names: Iterable[str]) -> Diagnostic:
    path = " → ".join(f"`{name}`" for name in names)
    return Diagnostic(
        CIRCULAR_FILES,
        span,
        f"these files build on each other: {path}",
        "leads back",
        "put what they share into a library of its own",
    )


def name_mismatch(span: Span, name: str, stem: str) -> Diagnostic:
    return Diagnostic(
        NAME_MISMATCH,
        span,
        f"the file is called `{stem}` but declares `{name}`",
        "others find it by the file's name",
        f"call the file `{name}.rules`",
    )


def missing_players(span: Span) -> Diagnostic:
    return Diagnostic(
        MISSING_PLAYERS,
        span,
        "the game doesn't say how many play",
        "no `players` line",
        "add a line such as `players 2..4`",
    )


def duplicate_declaration(span: Span, what: str, first: Span, in_variant: bool) -> Diagnostic:
    return Diagnostic(
        DUPLICATE_DECLARATION,
        span,
        f"{what} is declared twice",
        "declared again here",
        f"write `replace` before it to change {what}" if in_variant else "remove one of them",
        (Note(first, "first declared here"),),
    )


def unknown_target(span: Span, what: str, name: str, known: Iterable[str]) -> Diagnostic:
    known = tuple(known)
    return Diagnostic(
        UNKNOWN_TARGET,
        span,
        f"there is no {what} `{name}` to change",
        "not in the base",
        did_you_mean(name, known),
        known=known,
    )


def changed_twice(span: Span, what: str, first: Span) -> Diagnostic:
    return Diagnostic(
        CHANGED_TWICE,
        span,
        f"{what} is changed twice",
        "changed again here",
        "keep one of the changes"
        if span.file == first.file
        else "let one file `replace` it for all",
        (Note(first, "first changed here"),),
    )


def changed_parameters(span: Span, what: str, first: Span) -> Diagnostic:
    return Diagnostic(
        CHANGED_PARAMETERS,
        span,
        f"{what} must keep its parameters when it is replaced",
        "other parameters than in the base",
        "keep the parameters: every call in the base relies on them",
        (Note(first, "declared here"),),
    )


def cannot_extend(span: Span, what: str, hint: str) -> Diagnostic:
    return Diagnostic(CANNOT_EXTEND, span, f"{what} can't be extended", "not a list", hint)


def other_players(span: Span, first: Span) -> Diagnostic:
    return Diagnostic(
        CANNOT_EXTEND,
        span,
        "the ranking that is extended begins in another way",
        "not as in the base",
        "begin it as the base does, or write `replace`",
        (Note(first, "the base ranks these"),),
    )


def other_columns(span: Span, what: str, first: Span) -> Diagnostic:
    return Diagnostic(
        CANNOT_EXTEND,
        span,
        f"{what} has other columns",
        "these columns differ from the base's",
        "repeat the columns of the base in their order",
        (Note(first, "declared here"),),
    )


def change_without_base(span: Span, word: str) -> Diagnostic:
    return Diagnostic(
        CHANGE_WITHOUT_BASE,
        span,
        f"`{word}` has nothing to change: this file has no base",
        "changes something",
        "declare it here as a whole, or begin the file with `variant … of …`",
    )
