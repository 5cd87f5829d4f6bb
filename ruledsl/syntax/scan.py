"""From text to declarations, each a list of tokens that is parsed on its own, and to comments.

A line that begins in column 0 begins a declaration. Of a line with a mistake in its tokens the rest
is passed over. Everything here takes time linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from ruledsl.diagnostics import syntax as mistakes
from ruledsl.diagnostics import texts
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.invisible import INVISIBLE
from ruledsl.diagnostics.source import Span
from ruledsl.syntax.tokens import Token

MAX_BRACKETS = 40
MAX_BLOCKS = 20
MAX_OPERATORS = 200
MAX_DIGITS = 9

OPERATORS = frozenset(
    {"+", "-", "*", "/", ".", "..", "=", "!=", "<", "<=", ">", ">="}
    | {"and", "or", "not", "mod", "in", "is", "if", "else"}
)
"""What makes the tree of an expression deeper."""

FOREIGN = {
    "==": "write `=`",
    "<>": "write `!=`",
    "=<": "write `<=`",
    "=>": "write `>=`",
    "&&": "write `and`",
    "&": "write `and`",
    "||": "write `or`",
    "!": "write `not`",
    ":=": "write `set x = e`, or `let x = e` for a new name",
    "+=": "write `add e to x`",
    "-=": "write `take e from x`",
    "->": "write `:` between a case and its value",
    "**": "write the product out",
    "//": "write `/`, which rounds down; a comment begins with `#`",
    "%": "write `mod`",
    ";": "end the statement with its line",
    "?": "write `if a then b else c`",
}

CLOSING = {"(": ")", "{": "}"}
VALUE_FOLLOWS = ("TEXT_OPEN", "TEXT_MORE")
"""The text before the first value in it, and between two; `TEXT_CLOSE` is what follows the last."""
WITHIN_A_LINE = frozenset(
    {
        mistakes.STRAY_CHARACTER,
        mistakes.FOREIGN_SIGN,
        mistakes.BAD_NUMBER,
        mistakes.BAD_CITATION,
        mistakes.UNCLOSED_TEXT,
        mistakes.DOT_ONLY,
    }
)
"""Mistakes that leave the lines below them as they are."""
DECLARATION = re.compile(r"\n(?=[^\s#)}])")
"""The end of the line before a declaration."""


@attrs.frozen
class Comment:
    """`# a remark`; `alone` if nothing else stands on its line"""

    text: str
    alone: bool
    span: Span


@attrs.define
class Chunk:
    """The tokens of one declaration, and the first mistake among those of each line.

    What follows a mistake in its line is passed over. Where nothing can be said of the lines below
    it either, the declaration is `unreadable`.
    """

    tokens: list[Token] = attrs.field(factory=list)
    mistakes: list[Diagnostic] = attrs.field(factory=list)
    unreadable: bool = False
    in_broken_line: bool = False

    def blame(self, mistake: Diagnostic) -> None:
        if not self.unreadable:
            self.mistakes.append(mistake)
            self.unreadable = mistake.code not in WITHIN_A_LINE
            self.in_broken_line = True


@attrs.frozen
class Scanned:
    """The declarations of a text, in order, and its comments."""

    chunks: tuple[Chunk, ...]
    comments: tuple[Comment, ...]
    wrapped: Mapping[int, int]
    """where each line that is broken inside brackets ends, by where it begins"""


class Scanner:
    """Cuts texts into tokens by the patterns of the grammar's terminals."""

    def __init__(self, patterns: Mapping[str, str], literals: Mapping[str, str]) -> None:
        """`patterns` by terminal; `literals`: keywords and signs, with their terminals."""
        self.literals = literals
        foreign = "|".join(re.escape(sign) for sign in FOREIGN if sign != "!")
        signs = (re.escape(sign) for sign in literals if not sign.isidentifier())
        groups = {
            "newline": r"\n",
            "FACE": patterns["FACE"],
            "STOP": patterns["STOP"],
            "word": r"[^\W\d]\w*",
            "INT": r"[0-9]++(?!\w|\.[0-9])",
            "STRING": patterns["STRING"],
            "TEXT_OPEN": r'"[^"{\n]*\{',
            "comment": r"#[^\n]*",
            "CITE": patterns["CITE"],
            "foreign": f"{foreign}|!(?!=)",
            "CMP": patterns["CMP"],
            "sign": "|".join(sorted(signs, key=len, reverse=True)),
            "fraction": r"[0-9]+\.[0-9]+",
            "muddle": r"[0-9]\w*",
            "stray": ".",
        }
        alternatives = "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in groups.items())
        self._pattern = re.compile(f" *+(?:{alternatives})")
        self._rest_of_text = re.compile(r'\}[^"{\n]*["{]')

    def scan(self, file: str, text: str, line: int = 1) -> Scanned:
        """The text may not contain carriage returns.

        It may be part of a file, beginning in a line of it where a declaration begins, and
        breaking off anywhere.
        """
        unseen = INVISIBLE.search(text) is not None
        run = _Run(file, self.literals, unseen=unseen, line=line, logical_start=line)
        at = 0
        while match := self._pattern.match(text, at):
            kind = match.lastgroup or ""
            if match[kind] == "}" and run.in_text:
                rest = self._rest_of_text.match(text, match.start(kind))
                if rest is not None:
                    at = rest.end()
                    kind = "TEXT_CLOSE" if rest[0].endswith('"') else "TEXT_MORE"
                    run.take(kind, rest[0], rest.start())
                    continue
            at = match.end()
            if kind == "newline":
                run.newline(at)
            else:
                run.take(kind, match[kind], match.start(kind))
                if run.chunks and run.chunks[-1].in_broken_line:
                    at = run.give_up(text, at)
        run.end_chunk()
        return Scanned(tuple(run.chunks), tuple(run.comments), run.wrapped)


@attrs.define
class _Run:
    """Where one scan is, and what it has found."""

    file: str
    literals: Mapping[str, str]
    unseen: bool
    """whether there are invisible characters somewhere"""
    chunks: list[Chunk] = attrs.field(factory=list)
    comments: list[Comment] = attrs.field(factory=list)
    wrapped: dict[int, int] = attrs.field(factory=dict)
    line: int = 1
    logical_start: int = 1
    """where the line began that may go on in brackets"""
    line_start: int = 0
    fresh: bool = True
    """whether the line has no token yet"""
    brackets: list[Token] = attrs.field(factory=list)
    levels: list[int] = attrs.field(factory=lambda: [0])
    operators: int = 0

    @property
    def in_text(self) -> bool:
        """Whether the innermost bracket is that of a value in a text."""
        return bool(self.brackets) and self.brackets[-1].type in VALUE_FOLLOWS

    def newline(self, end: int) -> None:
        for bracket in self.brackets:
            if bracket.type in VALUE_FOLLOWS:
                self.chunks[-1].blame(mistakes.unclosed_text(bracket.span))
                self.chunks[-1].in_broken_line = False  # It ends here.
                self.chunks[-1].unreadable |= len(self.levels) == 1
                self.brackets = []
                break
        if not self.fresh and not self.brackets:
            self.end_line()
        self.fresh = True
        self.line += 1
        if not self.brackets:
            self.logical_start = self.line
        self.line_start = end

    def give_up(self, text: str, start: int) -> int:
        """Pass over the rest of a broken line, or of the declaration; comments are of no use."""
        chunk = self.chunks[-1]
        chunk.in_broken_line = False
        if self.brackets or len(self.levels) == 1:
            chunk.unreadable = True  # What goes on below belongs to the broken line.
        if not chunk.unreadable:
            end_of_line = text.find("\n", start)
            return len(text) if end_of_line < 0 else end_of_line
        following = DECLARATION.search(text, start)
        end = len(text) if following is None else following.start() + 1
        self.line += text.count("\n", start, end)
        self.line_start = end
        self.logical_start = self.line
        self.fresh = True
        self.brackets = []
        return end

    def end_line(self) -> None:
        tokens = self.chunks[-1].tokens
        last = tokens[-1].span
        end = Span(self.file, last.line, last.end_column, last.line, last.end_column + 1)
        tokens.append(Token.at("_NL", "", end))
        if last.line != self.logical_start:
            self.wrapped[self.logical_start] = last.line
        self.operators = 0

    def end_chunk(self) -> None:
        """Close what the declaration has left open."""
        if not self.chunks:
            return
        chunk = self.chunks[-1]
        if self.brackets:
            bracket = self.brackets[-1]
            sign = "{" if bracket.type in VALUE_FOLLOWS else str(bracket)
            chunk.blame(mistakes.unclosed_bracket(bracket.span, sign))
        elif chunk.tokens:
            last = chunk.tokens[-1]
            chunk.tokens += [Token.at("_DEDENT", "", last.span)] * (len(self.levels) - 1)
        self.brackets = []
        self.levels = [0]
        self.operators = 0

    def begin_chunk(self) -> Chunk:
        self.end_chunk()
        self.chunks.append(Chunk())
        return self.chunks[-1]

    def take(self, kind: str, text: str, start: int) -> None:
        column = start - self.line_start + 1
        span = Span(self.file, self.line, column, self.line, column + len(text))
        if kind == "comment":
            self.comments.append(Comment(text.rstrip(), self.fresh, span))
            if self.unseen:
                self.look_for_unseen(text, span)
            return
        if text.isspace():
            chunk = self.chunks[-1] if self.chunks else self.begin_chunk()
            chunk.blame(stray(span, text))
            return
        first, self.fresh = self.fresh, False
        if first and column == 1 and text[0] not in CLOSING.values():
            chunk = self.begin_chunk()
        elif not self.chunks:
            chunk = self.begin_chunk()
            chunk.blame(mistakes.indented_declaration(span))
        else:
            chunk = self.chunks[-1]
            if first and not self.brackets:
                self.indent(chunk, column - 1, span)
        if kind in ("word", "sign"):
            token = Token.at(self.literals.get(text, "NAME"), text, span)
        else:
            token = Token.at(kind, text, span)
        chunk.tokens.append(token)
        if (kind == "sign" and text in "(){}") or kind in (*VALUE_FOLLOWS, "TEXT_CLOSE"):
            self.bracket(chunk, token)
        if text in OPERATORS:
            self.operators += 1
            if self.operators == MAX_OPERATORS + 1:
                chunk.blame(mistakes.expression_too_long(span, MAX_OPERATORS))
        match kind:
            case "word" if text == "only" and len(chunk.tokens) > 1:
                if chunk.tokens[-2] == ".":
                    chunk.blame(mistakes.dot_only(span))
            case "STRING" | "TEXT_OPEN" | "TEXT_MORE" | "TEXT_CLOSE" | "word" if (
                self.unseen and INVISIBLE.search(text)
            ):
                self.look_for_unseen(text, span)
            case "INT" if len(text) > MAX_DIGITS:
                chunk.blame(mistakes.number_too_large(span, MAX_DIGITS))
            case "foreign":
                chunk.blame(mistakes.foreign_sign(span, text, FOREIGN[text]))
            case "fraction":
                chunk.blame(mistakes.fraction(span, text))
            case "muddle":
                chunk.blame(mistakes.number_in_name(span, text))
            case "stray" if text == '"' and self.in_text:
                chunk.blame(texts.unclosed_value(self.brackets[-1].span))
            case "stray":
                chunk.blame(stray(span, text))
            case _:
                pass

    def indent(self, chunk: Chunk, level: int, span: Span) -> None:
        """Open or close blocks before the first token of a line."""
        if level > self.levels[-1]:
            self.levels.append(level)
            chunk.tokens.append(Token.at("_INDENT", "", span))
            if len(self.levels) == MAX_BLOCKS + 2:
                chunk.blame(mistakes.blocks_too_deep(span, MAX_BLOCKS))
            return
        known = list(self.levels)
        while level < self.levels[-1]:
            self.levels.pop()
            chunk.tokens.append(Token.at("_DEDENT", "", span))
        if level != self.levels[-1]:
            chunk.blame(mistakes.uneven_indentation(span, known[len(self.levels) - 1 :][:2]))
            self.levels.append(level)

    def bracket(self, chunk: Chunk, token: Token) -> None:
        if token.type in ("TEXT_MORE", "TEXT_CLOSE"):
            self.brackets.pop()
        if token.type in VALUE_FOLLOWS or token in CLOSING:
            self.brackets.append(token)
            if len(self.brackets) == MAX_BRACKETS + 1:
                chunk.blame(mistakes.brackets_too_deep(token.span, MAX_BRACKETS))
        elif token.type == "TEXT_CLOSE":
            pass
        elif not self.brackets:
            chunk.blame(mistakes.unopened_bracket(token.span, str(token)))
        else:
            opened = self.brackets.pop()
            bracket = "{" if opened.type in VALUE_FOLLOWS else str(opened)
            if CLOSING[bracket] != token:
                chunk.blame(mistakes.wrong_bracket(token.span, str(token), opened.span, bracket))

    def look_for_unseen(self, text: str, span: Span) -> None:
        found = INVISIBLE.search(text)
        if found is not None:
            column = span.column + found.start()
            place = Span(self.file, span.line, column, span.line, column + 1)
            chunk = self.chunks[-1] if self.chunks else self.begin_chunk()
            chunk.blame(mistakes.control_character(place, found[0]))


def stray(span: Span, character: str) -> Diagnostic:
    """What is wrong with a character that begins no token."""
    if character == "\t":
        return mistakes.tab(span)
    if INVISIBLE.match(character):
        return mistakes.control_character(span, character)
    if character == '"':
        return mistakes.unclosed_text(span)
    if character == "§":
        return mistakes.bad_citation(span)
    return mistakes.stray_character(span, character)
