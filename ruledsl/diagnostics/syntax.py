"""Mistakes in the text of a rules file: layout, signs, words where they don't belong."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

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
LOOK_ALIKE = declare("look-alike", "warning", "a name that is taken for another one")
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
TOO_DEEP = declare("too-deep", "error", "brackets, blocks or definitions nested too deeply")
EXPRESSION_TOO_LONG = declare(
    "expression-too-long", "error", "too many operators in one expression"
)
DOT_ONLY = declare("dot-only", "error", "`.only` instead of `the( )`")
UNKNOWN_DECLARATION = declare(
    "unknown-declaration", "error", "a line at the very left that begins no declaration"
)
MISPLACED_LINE = declare(
    "misplaced-line", "error", "a line at the very left that belongs into a block"
)
UNKNOWN_LINE = declare("unknown-line", "error", "a word that begins no line of its block")
UNKNOWN_STATEMENT = declare("unknown-statement", "error", "a word that begins no statement")
FOREIGN_WORD = declare("foreign-word", "error", "a word of another language")
MISSING_BLOCK = declare("missing-block", "error", "a header without the block it needs")
CROWDED_HEADER = declare(
    "crowded-header", "error", "something after a header that belongs on the next line"
)
ELSE_WITHOUT_IF = declare(
    "else-without-if", "error", "an `else` with no `if` or `choose` before it"
)
INCOMPLETE_IF = declare("incomplete-if", "error", "an `if` in an expression lacks a part")
MISSING_HAVE = declare("missing-have", "error", "an `all( )` that doesn't say what all have")
MISSING_MESSAGE = declare("missing-message", "error", "a requirement without its message")
MISSING_TYPE = declare("missing-type", "error", "a state or parameter without its type")
WRONG_PARAMETER = declare("wrong-parameter", "error", "`:` and `in` confused in a parameter")
ASSIGNMENT_WITHOUT_SET = declare(
    "assignment-without-set", "error", "a value is given without `set x = e`"
)
DOTTED_CALL = declare("dotted-call", "error", "a step called with a dot")
SEVERAL_RANGES = declare("several-ranges", "error", "several ranges where only one is allowed")
TUPLE = declare("tuple", "error", "several values in brackets: there are no tuples")
ROW_WITHOUT_BAR = declare("row-without-bar", "error", "a table row without `|` between its cells")
EMPTY_CELL = declare("empty-cell", "error", "a table cell without a value")
RESERVED_WORD = declare("reserved-word", "error", "a word of the language used as a name")
CHAINED_COMPARISON = declare("chained-comparison", "error", "a comparison of a comparison")
EMPTY_BRACKETS = declare("empty-brackets", "error", "brackets with nothing in them")
TRAILING_COMMA = declare("trailing-comma", "error", "a comma with nothing after it")
MISSING_COMMA = declare("missing-comma", "error", "two values in brackets without a comma")
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
        f"more than {limit} mistakes; others are not looked for",
        "one more",
        "correct the mistakes above first",
    )


def tab(span: Span) -> Diagnostic:
    return Diagnostic(
        TAB, span, "a tab where only blanks may stand", "a tab", "write blanks instead"
    )


def control_character(span: Span, character: str) -> Diagnostic:
    return Diagnostic(
        CONTROL_CHARACTER,
        span,
        f"the text holds the invisible character {_code_point(character)}",
        "an invisible character",
        "delete it",
    )


def look_alike(span: Span, name: str, other: str, letter: str, first: Span) -> Diagnostic:
    return Diagnostic(
        LOOK_ALIKE,
        span,
        f"`{name}` looks like `{other}`, but is another name",
        f"with {unicodedata.name(letter, 'a letter').lower()}, {_code_point(letter)}",
        "write them with the same letters, or give them names that differ",
        () if first == span else (Note(first, "the other name"),),
    )


def mixed_scripts(span: Span, name: str, letter: str) -> Diagnostic:
    return Diagnostic(
        LOOK_ALIKE,
        span,
        f"`{name}` mixes letters of several scripts that look alike",
        f"with {unicodedata.name(letter, 'a letter').lower()}, {_code_point(letter)}",
        "write it with the letters of one script",
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
        f"`{short(text)}` is not a whole number",
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
        f"`{short(text)}` is neither a number nor a name",
        "a name cannot begin with a digit",
        "begin the name with a letter, or put a blank between",
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


GOES_ON_IN_BRACKETS = "put what belongs together in `( )`: a line goes on inside brackets"


def continued_line(span: Span, sign: str) -> Diagnostic:
    return Diagnostic(
        UNEXPECTED_INDENTATION,
        span,
        f"a line cannot begin with `{sign}`",
        "the line above is over",
        GOES_ON_IN_BRACKETS,
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


def definitions_too_deep(span: Span) -> Diagnostic:
    return Diagnostic(
        TOO_DEEP,
        span,
        "definitions build on each other too deeply",
        "one too many",
        "define it by fewer and shorter steps",
    )


def expression_too_long(span: Span, limit: int) -> Diagnostic:
    return Diagnostic(
        EXPRESSION_TOO_LONG,
        span,
        f"more than {limit} operators in one expression",
        "one operator too many",
        "give parts of the expression names with `define` or `let`",
    )


def dot_only(span: Span) -> Diagnostic:
    return Diagnostic(
        DOT_ONLY, span, "there is no `.only`", "not an attribute", "write `the(…)` around the place"
    )


def unknown_declaration(span: Span, found: str, known: Iterable[str]) -> Diagnostic:
    known = tuple(known)
    return Diagnostic(
        UNKNOWN_DECLARATION,
        span,
        f"no declaration begins with `{short(found)}`",
        "a declaration should begin here",
        did_you_mean(found, known) or "indent the line if it belongs to the one above",
        known=known,
    )


def misplaced_line(span: Span, word: str) -> Diagnostic:
    return Diagnostic(
        MISPLACED_LINE,
        span,
        f"`{short(word)}` can only stand inside a block",
        "at the very left only declarations begin",
        "indent the line",
    )


def unknown_line(span: Span, found: str, block: str, known: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        UNKNOWN_LINE,
        span,
        f"no line of a `{block}` block begins with `{short(found)}`",
        "not a line of this block",
        did_you_mean(found, known) or f"begin it with {alternatives([f'`{k}`' for k in known])}",
        known=tuple(known),
    )


def unknown_statement(span: Span, found: str, known: Iterable[str]) -> Diagnostic:
    known = tuple(known)
    return Diagnostic(
        UNKNOWN_STATEMENT,
        span,
        f"no statement begins with `{short(found)}`",
        "read as the name of a step or an action",
        did_you_mean(found, known) or f"to call or offer one, write `{short(found)}(…)`",
        known=known,
    )


def foreign_word(span: Span, word: str, own: str) -> Diagnostic:
    return Diagnostic(
        FOREIGN_WORD,
        span,
        f"`{short(word)}` is not a word of the rules language",
        "a word of another language",
        own,
    )


def missing_block(span: Span, header: str) -> Diagnostic:
    return Diagnostic(
        MISSING_BLOCK,
        span,
        f"`{short(header)}` needs an indented block below it",
        "nothing is indented under this line",
        "indent what belongs to it by four more blanks",
    )


def nothing_to_do(span: Span, declaration: str) -> Diagnostic:
    return Diagnostic(
        MISSING_BLOCK,
        span,
        f"this `{short(declaration)}` has nothing to do",
        "nothing follows this line",
        "write below it what happens then",
    )


def crowded_header(span: Span, header: str, found: str) -> Diagnostic:
    return Diagnostic(
        CROWDED_HEADER,
        span,
        f"`{short(found)}` can't follow on the line of `{short(header)}`",
        "belongs on the next line",
        f"end the line before `{short(found)}` and indent what follows",
    )


def needless_in_header(span: Span, header: str, found: str) -> Diagnostic:
    return Diagnostic(
        CROWDED_HEADER,
        span,
        f"the line of `{short(header)}` ends without `{short(found)}`",
        "nothing more is needed here",
        f"delete `{short(found)}`, and indent on the next line what follows",
    )


def else_without_if(span: Span) -> Diagnostic:
    return Diagnostic(
        ELSE_WITHOUT_IF,
        span,
        "this `else` has no `if` or `choose` before it",
        "nothing it could belong to",
        "indent it exactly like its `if` or `choose`",
    )


def incomplete_if(span: Span, missing: str, start: Span) -> Diagnostic:
    return Diagnostic(
        INCOMPLETE_IF,
        span,
        f"this `if` has no `{missing}`",
        f"`{missing}` should stand here",
        "in an expression write `if a then b else c`",
        (Note(start, "the `if`"),),
    )


def missing_have(span: Span, start: Span) -> Diagnostic:
    return Diagnostic(
        MISSING_HAVE,
        span,
        "this `all` doesn't say what all have",
        "`have` and a condition should stand here",
        "write `all(x in S have c)`; `where` only narrows down the x",
        (Note(start, "the `all`"),),
    )


def missing_message(span: Span) -> Diagnostic:
    return Diagnostic(
        MISSING_MESSAGE,
        span,
        "a requirement needs a message for the player who can't meet it",
        "a text should stand here",
        'write `require c "message"`, then citations',
    )


def missing_type(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        MISSING_TYPE,
        span,
        f"`{short(name)}` has no type",
        "`:` and a type should stand here",
        f"write `{short(name)}: 0..9`, `{short(name)}: flag` or `{short(name)}: Card`",
    )


def drawn_parameter(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        WRONG_PARAMETER,
        span,
        "what an action or a trigger is about is taken from a set",
        "`in` should stand here",
        f"write `{short(name)} in` and the set",
    )


def typed_parameter(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        WRONG_PARAMETER,
        span,
        "what a step or a definition is given has a type",
        "`:` should stand here",
        f"write `{short(name)}:` and the type",
    )


def assignment_without_set(span: Span) -> Diagnostic:
    return Diagnostic(
        ASSIGNMENT_WITHOUT_SET,
        span,
        "a value is given only with `set` or `let`",
        "`set` should stand before this",
        "write `set x = e`, or `let x = e` for a new name",
    )


def set_with_to(span: Span) -> Diagnostic:
    return Diagnostic(
        ASSIGNMENT_WITHOUT_SET,
        span,
        "`set` goes with `=`, not with `to`",
        "`=` should stand here",
        "write `set x = e`, or `add e to x`",
    )


def dotted_call(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        DOTTED_CALL,
        span,
        "a step is called by its name alone",
        "not a statement",
        f"write `{short(name)}(…)` with everything it is given in the brackets",
    )


def several_ranges(span: Span) -> Diagnostic:
    return Diagnostic(
        SEVERAL_RANGES,
        span,
        "only one range may stand here",
        "a second range",
        "use `count`, `any`, `all`, `sum`, `{e for …}` or `for`, which take several",
    )


def several_ranges_with_while(span: Span) -> Diagnostic:
    return Diagnostic(
        SEVERAL_RANGES,
        span,
        "`while` goes with one range only",
        "after several ranges",
        "use `where`, or leave one range",
    )


def tuple_(span: Span) -> Diagnostic:
    return Diagnostic(
        TUPLE,
        span,
        "there are no tuples",
        "several values in brackets",
        "declare a product, `type Pair per a: A, b: B`, and write `Pair(x, y)`",
    )


def row_without_bar(span: Span, between: str, found: str) -> Diagnostic:
    instead = found in (",", ":", ";", "=")
    return Diagnostic(
        ROW_WITHOUT_BAR,
        span,
        f"`{between}` should stand here instead of `{found}`"
        if instead
        else f"`{between}` should stand before this",
        "between two cells" if instead else "the next cell of the row",
        f"write `name {between} …`",
    )


def empty_cell(span: Span, column: str | None) -> Diagnostic:
    where = "of the table" if column is None else f"under `{short(column)}`"
    return Diagnostic(
        EMPTY_CELL,
        span,
        f"a cell {where} has no value",
        "a value should stand here",
        "write `none` for nothing",
    )


def reserved_word(span: Span, word: str) -> Diagnostic:
    return Diagnostic(
        RESERVED_WORD,
        span,
        f"`{short(word)}` is a word of the language and can't be a name here",
        "a name should stand here",
        "choose another name",
    )


def unusable_name(span: Span, word: str) -> Diagnostic:
    return Diagnostic(
        RESERVED_WORD,
        span,
        f"nothing called `{short(word)}` could ever be used: it is a word of the language",
        "the name of something",
        "choose another name",
    )


def chained_comparison(span: Span) -> Diagnostic:
    return Diagnostic(
        CHAINED_COMPARISON,
        span,
        "a comparison can't be compared again",
        "a second comparison",
        "write `a < b and b < c`, or put one comparison in brackets",
    )


def empty_brackets(span: Span) -> Diagnostic:
    return Diagnostic(
        EMPTY_BRACKETS, span, "these brackets are empty", "nothing in them", "leave them out"
    )


def trailing_comma(span: Span) -> Diagnostic:
    return Diagnostic(
        TRAILING_COMMA,
        span,
        "nothing follows this comma",
        "the list ends with a comma",
        "delete it",
    )


def missing_comma(span: Span) -> Diagnostic:
    return Diagnostic(
        MISSING_COMMA,
        span,
        "a comma or an operator is missing before this",
        "two values side by side",
        "put a comma or an operator between them",
    )


def unexpected(
    span: Span, found: str, expected: Sequence[str], after: str, meant: str | None
) -> Diagnostic:
    message = f"expected {alternatives(expected)} {after}"
    return Diagnostic(UNEXPECTED, span, message, f"found {found}", meant)


def short(text: str) -> str:
    """A name as it is shown, even if it is enormous."""
    return text if len(text) <= 40 else f"{text[:39]}…"


def alternatives(words: Sequence[str]) -> str:
    """`a`, `b` or `c`, at most six of them."""
    if len(words) > 6:
        return ", ".join(words[:6]) + " or the like"
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


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
