"""Where the parser could not go on: what the author probably meant.

Each guess looks at one typical mistake and returns its diagnostic or None; the first that knows
the mistake wins. The last one always knows something to say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import attrs

from ruledsl.diagnostics import syntax as mistakes
from ruledsl.diagnostics import texts
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.diagnostics.suggest import did_you_mean
from ruledsl.syntax.tokens import Token
from ruledsl.syntax.words import BLOCK_LINES, EXPRESSIONS, STATEMENTS

LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT"})
COMPARING = frozenset({"=", "CMP", "in", "is"})
HEADERS = frozenset(
    {"if", "else", "for", "together", "repeat", "step", "action", "trigger", "when", "then"}
)
FOREIGN_WORDS = {
    "elif": "write `else if`",
    "elsif": "write `else if`",
    "elseif": "write `else if`",
    "while": "write `repeat while`",
    "foreach": "write `for x in S`",
    "return": "write `give e` in a step whose header says what it `gives`",
    "def": "write `define` for a value, `step` for a procedure",
    "function": "write `define` for a value, `step` for a procedure",
    "var": "write `state` for what changes, `let` for what does not",
    "const": "write `define`",
    "enum": "write `type`",
    "import": "write `use`",
    "include": "write `use`",
}

NAMED = {
    "NAME": "a name",
    "STRING": 'a text in `"`',
    "TEXT_MORE": "the end of the value",
    "TEXT_CLOSE": "the end of the value",
    "INT": "a number",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the declaration",
}
EXPRESSION_START = frozenset(
    {"NAME", "STRING", "INT", "FACE", "(", "{", "-", "not", "if", *EXPRESSIONS}
)
OPERATORS = frozenset(
    {"+", "-", "*", "/", "mod", "..", ".", "(", "CMP", "=", "in", "is", "not", "and", "or"}
)
CONTINUING = frozenset({"+", "-", "*", "/", "mod", "and", "or", "=", ".", "where"})
"""What an expression goes on with."""
LINE_END = frozenset({"_NL", "CITE", "ASSUMED"})


@attrs.frozen
class Stuck:
    """The tokens of a declaration, the one that does not fit, and what would have fitted.

    `expected` holds words and signs as they are written, and terminals for open classes.
    """

    tokens: Sequence[Token]
    index: int
    expected: frozenset[str]

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    @property
    def span(self) -> Span:
        return self.token.span

    @property
    def before(self) -> Token | None:
        return self.tokens[self.index - 1] if self.index else None

    @property
    def after(self) -> Token | None:
        return self.tokens[self.index + 1] if self.index + 1 < len(self.tokens) else None

    @property
    def head_index(self) -> int:
        """Where the first token of the line is, lines in brackets counted as one."""
        index = self.index
        if self.token.type in LAYOUT and index:
            index -= 1
        while index and self.tokens[index - 1].type not in LAYOUT:
            index -= 1
        return index

    @property
    def head(self) -> Token:
        return self.tokens[self.head_index]

    @property
    def at_line_start(self) -> bool:
        return self.head_index == self.index

    @property
    def opening(self) -> int | None:
        """Where the bracket is that encloses the token."""
        depth = 0
        for index in range(self.index - 1, -1, -1):
            if self.tokens[index].type in ("RPAR", "RBRACE"):
                depth += 1
            elif self.tokens[index].type in ("LPAR", "LBRACE"):
                if depth == 0:
                    return index
                depth -= 1
        return None

    def last(self, *words: str) -> Token | None:
        """The last of these words before the token."""
        earlier = reversed(self.tokens[: self.index])
        return next((token for token in earlier if token in words and token.type != "NAME"), None)

    def holds(self, word: str) -> bool:
        """Whether the token is this keyword or sign."""
        return self.token == word and self.token.type not in ("NAME", "STRING")


def explain(stuck: Stuck) -> Diagnostic:
    """The mistake that is most likely behind it."""
    return next(found for guess in GUESSES if (found := guess(stuck)) is not None)


def foreign_word(stuck: Stuck) -> Diagnostic | None:
    head = stuck.head
    if stuck.index - stuck.head_index > 1 or head not in FOREIGN_WORDS or head.type == "STRING":
        return None
    return mistakes.foreign_word(head.span, str(head), FOREIGN_WORDS[head])


def unknown_declaration(stuck: Stuck) -> Diagnostic | None:
    before = stuck.before
    if before is not None and (stuck.index > 1 or before not in ("replace", "extend")):
        return None
    if stuck.token.type in LAYOUT:
        return None
    if before is None and stuck.token in BLOCK_LINES:
        return mistakes.misplaced_line(stuck.span, str(stuck.token))
    return mistakes.unknown_declaration(stuck.span, str(stuck.token), stuck.expected)


def continued(stuck: Stuck) -> Diagnostic | None:
    """A line that goes on with an operator, outside of brackets."""
    sign = stuck.after if stuck.token.type == "_INDENT" else stuck.token
    begins = stuck.token.type == "_INDENT" or stuck.at_line_start
    if begins and sign is not None and sign in CONTINUING and sign.type != "NAME":
        return mistakes.continued_line(sign.span, str(sign))
    return None


def block(stuck: Stuck) -> Diagnostic | None:
    """A block that is missing, or one too many."""
    if stuck.expected == {"_INDENT"}:
        header = Stuck(stuck.tokens, stuck.index - 1, stuck.expected)
        return mistakes.missing_block(whole_line(header), str(header.head))
    if stuck.token.type == "_DEDENT" and "_DEDENT" not in stuck.expected:
        header = Stuck(stuck.tokens, stuck.index - 1, stuck.expected)
        if header.head in ("when", "require"):
            return mistakes.nothing_to_do(whole_line(header), str(stuck.tokens[0]))
    if stuck.token.type == "_INDENT":
        return mistakes.unexpected_indentation(stuck.span)
    return None


def whole_line(stuck: Stuck) -> Span:
    return stuck.head.span.to(stuck.tokens[stuck.index - 1].span)


def lonely_else(stuck: Stuck) -> Diagnostic | None:
    if stuck.at_line_start and stuck.holds("else"):
        return mistakes.else_without_if(stuck.span)
    return None


def crowded_header(stuck: Stuck) -> Diagnostic | None:
    """`if x then`, `if x:`, `if x move …`"""
    if stuck.head not in HEADERS or stuck.at_line_start or "_NL" not in stuck.expected:
        return None
    if stuck.token in ("then", ":", "do"):
        return mistakes.needless_in_header(stuck.span, str(stuck.head), str(stuck.token))
    if stuck.token in STATEMENTS:
        return mistakes.crowded_header(stuck.span, str(stuck.head), str(stuck.token))
    return None


def unknown_line(stuck: Stuck) -> Diagnostic | None:
    """A word that begins no line of a block which has only lines with certain words."""
    words = sorted(word for word in stuck.expected if word.isidentifier() and word.islower())
    if not stuck.at_line_start or not words or "NAME" in stuck.expected:
        return None
    if stuck.expected - set(words) - {"_DEDENT"} or not stuck.token.isidentifier():
        return None
    block = str(stuck.tokens[0])
    return mistakes.unknown_line(stuck.span, str(stuck.token), block, words)


def missing_message(stuck: Stuck) -> Diagnostic | None:
    complete = "STRING" in stuck.expected and "INT" not in stuck.expected
    if stuck.head == "require" and stuck.token.type in LINE_END and complete:
        return mistakes.missing_message(stuck.span)
    return None


def incomplete_if(stuck: Stuck) -> Diagnostic | None:
    start = stuck.last("if")
    if start is None or stuck.at_line_start or stuck.token.type in ("_INDENT", "_DEDENT"):
        return None
    for word in ("then", "else"):
        if word in stuck.expected and ":" not in stuck.expected:
            return mistakes.incomplete_if(stuck.span, word, start.span)
    return None


def missing_have(stuck: Stuck) -> Diagnostic | None:
    start = stuck.last("all")
    if start is None:
        return None
    whole = stuck.expected == {"in"} and stuck.tokens[stuck.index - 3] is start
    if whole or "have" in stuck.expected:
        return mistakes.missing_have(stuck.span, start.span)
    return None


def parameter(stuck: Stuck) -> Diagnostic | None:
    before = stuck.before
    if before is None or before.type != "NAME" or stuck.opening is None:
        return None
    if stuck.holds(":") and stuck.expected == {"in"}:
        return mistakes.drawn_parameter(stuck.span, str(before))
    if stuck.holds("in") and stuck.expected == {":"}:
        return mistakes.typed_parameter(stuck.span, str(before))
    return None


def missing_type(stuck: Stuck) -> Diagnostic | None:
    before = stuck.before
    if before is not None and before.type == "NAME" and stuck.expected <= {":", "."}:
        return mistakes.missing_type(stuck.span, str(before))
    return None


def assignment(stuck: Stuck) -> Diagnostic | None:
    """`x = e`, `p.x = e`, `set x to e`"""
    if stuck.head == "set" and stuck.holds("to") and "=" in stuck.expected:
        return mistakes.set_with_to(stuck.span)
    if stuck.head.type != "NAME" or "_NL" not in stuck.expected or "|" in stuck.expected:
        return None
    if not (stuck.holds("=") or stuck.holds(".")):
        return None
    line = stuck.tokens[stuck.index :]
    end = next((index for index, token in enumerate(line) if token.type == "_NL"), len(line))
    if any(token.type == "EQUAL" for token in line[:end]):
        return mistakes.assignment_without_set(stuck.head.span.to(stuck.span))
    names = [token for token in line[:end] if token.type == "NAME"]
    return mistakes.dotted_call(stuck.head.span.to(stuck.span), str(names[0])) if names else None


def several_ranges(stuck: Stuck) -> Diagnostic | None:
    opening = stuck.opening
    if opening is None or opening + 2 >= len(stuck.tokens) or stuck.tokens[opening + 2] != "in":
        return None
    if stuck.holds(","):
        return mistakes.several_ranges(stuck.span)
    if stuck.holds("while"):
        return mistakes.several_ranges_with_while(stuck.span)
    return None


def pair(stuck: Stuck) -> Diagnostic | None:
    """`(a, b)` as a value, or as what a walk or loop is about."""
    opening = stuck.opening
    if stuck.holds(",") and opening is not None and stuck.tokens[opening] == "(":
        called = opening > 0 and stuck.tokens[opening - 1].type == "NAME"
        return None if called or ")" not in stuck.expected else mistakes.tuple_(stuck.span)
    if stuck.holds("(") and stuck.expected == {"NAME"} and stuck.before in ("for", "("):
        return mistakes.tuple_(stuck.span)
    return None


def cells(stuck: Stuck) -> Diagnostic | None:
    """Rows and paths with something missing between or in their cells."""
    before = stuck.before
    ends = stuck.holds("|") or stuck.token.type in LINE_END
    if before is not None and before == "|" and ends and "case" in stuck.expected:
        return mistakes.empty_cell(stuck.span, _column(stuck))
    if stuck.head_index == stuck.index - 1 and "|" in stuck.expected:
        network = any(token.type == "NETWORK" for token in stuck.tokens[:4])
        return mistakes.row_without_bar(stuck.span, "-" if network else "|", str(stuck.token))
    return None


def _column(stuck: Stuck) -> str | None:
    """The column of a cell, if the table begins with their names."""
    ends = (at for at, token in enumerate(stuck.tokens) if token.type in LAYOUT)
    head = stuck.tokens[: next(ends, 0)]
    names = [str(name) for bar, name in pairwise(head) if bar == "|"]
    at = list(stuck.tokens[stuck.head_index : stuck.index]).count("|") - 1  # type: ignore[arg-type]
    return names[at] if 0 <= at < len(names) else None


def reserved_word(stuck: Stuck) -> Diagnostic | None:
    before = stuck.before
    listed = stuck.tokens[0] == "type"
    if before is not None and before in EXPRESSIONS:
        if stuck.expected == {"("} or (listed and stuck.holds(",")):
            return mistakes.reserved_word(before.span, str(before))
    is_word = stuck.token.isidentifier() and stuck.token.type != "NAME"
    if is_word and "NAME" in stuck.expected and (listed or not stuck.expected & {"case", "+"}):
        return mistakes.reserved_word(stuck.span, str(stuck.token))
    return None


def brackets_and_commas(stuck: Stuck) -> Diagnostic | None:
    before = stuck.before
    if before is None:
        return None
    if before == "(" and stuck.holds(")") and stuck.tokens[stuck.index - 2].type == "NAME":
        return mistakes.empty_brackets(before.span.to(stuck.span))
    if before == "," and (stuck.token in (")", "}") or stuck.token.type == "_NL"):
        return mistakes.trailing_comma(before.span)
    begins = stuck.token.type in ("NAME", "INT", "LBRACE")
    if "," in stuck.expected and begins and stuck.opening is not None:
        return mistakes.missing_comma(stuck.span)
    return None


def chained_comparison(stuck: Stuck) -> Diagnostic | None:
    compares = stuck.token.type == "CMP" or stuck.token in COMPARING
    if compares and "and" in stuck.expected:
        return mistakes.chained_comparison(stuck.span)
    return None


def unknown_statement(stuck: Stuck) -> Diagnostic | None:
    """A misspelt word, read as the name of a step."""
    head = stuck.head
    calls = head.type == "NAME" and stuck.index == stuck.head_index + 1
    if calls and "(" in stuck.expected and "_NL" in stuck.expected:
        return mistakes.unknown_statement(head.span, str(head), STATEMENTS)
    return None


def unexpected(stuck: Stuck) -> Diagnostic:
    """Nothing typical: say what would have fitted."""
    before = stuck.before
    if before is None or before.type in LAYOUT:
        after = "at the beginning of the line"
    elif before.type in ("STRING", "TEXT_CLOSE"):
        after = "after the text"
    elif before.type in ("TEXT_OPEN", "TEXT_MORE"):
        after = "after `{`"
    else:
        after = f"after `{mistakes.short(before)}`"
    found = stuck.token
    meant = did_you_mean(found, stuck.expected - NAMED.keys()) if found.type == "NAME" else None
    if found.type in LAYOUT and stuck.expected >= {"NAME", "INT", "("}:
        meant = mistakes.GOES_ON_IN_BRACKETS
    expected = wanted(stuck.expected)
    return mistakes.unexpected(stuck.span, described(found), expected, after, meant)


def described(token: Token) -> str:
    """What was found, in words."""
    if token.type in LAYOUT or token.type == "$END":
        return NAMED["_NL"] if token.type == "_NL" else NAMED["_DEDENT"]
    if token.type in ("TEXT_MORE", "TEXT_CLOSE"):
        return "`}`"
    return "a text" if token.type in ("STRING", "TEXT_OPEN") else f"`{mistakes.short(token)}`"


def wanted(expected: frozenset[str]) -> list[str]:
    """What was expected, in words: whole classes first, then single words."""
    rest = set(expected)
    words: list[str] = []
    if "case" in rest:
        words.append("a value")
        rest -= EXPRESSION_START
    elif "NAME" in rest:
        words.append(NAMED["NAME"])
    if rest >= {"let", "move"}:
        words.append("a statement")
        rest -= {*STATEMENTS, "NAME"}
    if rest & {"+", "and"}:
        rest -= OPERATORS if "and" in rest else OPERATORS - {"=", "in", "is", "not", "or"}
        if not any(word.islower() for word in rest):
            words.append("an operator")
    if "_NL" in rest:
        rest -= {"CITE", "assumed", "reveals"}
    rest -= {"NAME", "CMP", "CITE", "FACE", "TEXT_OPEN", "TEXT_MORE"}
    words += [NAMED[kind] for kind in sorted(rest & NAMED.keys())]
    words += [f"`{word}`" for word in sorted(rest - NAMED.keys())]
    return words


def value_in_text(stuck: Stuck) -> Diagnostic | None:
    """A value in a text that is the same whatever happens, such as a title."""
    if stuck.token.type == "TEXT_OPEN" and "STRING" in stuck.expected:
        return texts.fixed_text(stuck.span)
    return None


GUESSES: tuple[Callable[[Stuck], Diagnostic | None], ...] = (
    value_in_text,
    continued,
    foreign_word,
    unknown_declaration,
    block,
    lonely_else,
    crowded_header,
    unknown_line,
    missing_message,
    incomplete_if,
    missing_have,
    parameter,
    missing_type,
    assignment,
    several_ranges,
    pair,
    cells,
    brackets_and_commas,
    reserved_word,
    chained_comparison,
    unknown_statement,
    unexpected,
)
