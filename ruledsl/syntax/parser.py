"""From text to tree: `parse` never raises for a mistake in the text, it returns diagnostics.

Each declaration is parsed on its own, so one that is broken costs one diagnostic and no other.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import attrs
import lark
from lark.exceptions import UnexpectedToken
from lark.lexer import PatternStr

from ruledsl.diagnostics import syntax as mistakes
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Source, Span
from ruledsl.syntax import ast
from ruledsl.syntax.build import Builder
from ruledsl.syntax.scan import Chunk, Comment, Scanner
from ruledsl.syntax.tokens import Token

MAX_BYTES = 1_000_000
MAX_MISTAKES = 50


@attrs.frozen
class Parsed:
    """The declarations that could be read, what is wrong with the others, and the comments."""

    file: ast.File
    diagnostics: tuple[Diagnostic, ...]
    comments: tuple[Comment, ...]


def parse(source: Source) -> Parsed:
    """Read a rules file."""
    start = Span(source.name, 1, 1, 1, 1)
    size = size_in_bytes(source.text)
    if size > MAX_BYTES:
        found = mistakes.file_too_large(start, size, MAX_BYTES)
        return Parsed(ast.File((), span=start), (found,), ())
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n") + "\n"
    scanned = tools().scanner.scan(source.name, text)
    items: list[ast.Item] = []
    diagnostics: list[Diagnostic] = []
    for chunk in scanned.chunks:
        outcome = chunk.mistake or parse_chunk(chunk)
        if not isinstance(outcome, Diagnostic):
            items.append(outcome)
        elif len(diagnostics) < MAX_MISTAKES:
            diagnostics.append(outcome)
        else:
            diagnostics.append(mistakes.too_many_mistakes(outcome.span, MAX_MISTAKES))
            break
    if not scanned.chunks:
        diagnostics.append(mistakes.empty_file(start))
    span = items[0].span.to(items[-1].span) if items else start
    return Parsed(ast.File(tuple(items), span=span), tuple(diagnostics), scanned.comments)


def size_in_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


@attrs.frozen
class Tools:
    """What is made once from the grammar."""

    parser: lark.Lark
    scanner: Scanner


@cache
def tools() -> Tools:
    grammar = resources.files("ruledsl.grammar").joinpath("rules.lark").read_text("utf-8")
    parser = lark.Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start="item",
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=Builder(),
    )
    patterns = {terminal.name: terminal.pattern.to_regexp() for terminal in parser.terminals}
    literals = {
        terminal.pattern.value: terminal.name
        for terminal in parser.terminals
        if isinstance(terminal.pattern, PatternStr)
    }
    return Tools(parser, Scanner(patterns, literals))


RESERVED = frozenset(
    "and by each else for from have if in is not of or per then to where while".split()
)


def parse_chunk(chunk: Chunk) -> ast.Item | Diagnostic:
    """The declaration these tokens make, or the first mistake in it."""
    machine = tools().parser.parse_interactive(start="item")
    literals = tools().scanner.literals
    token = chunk.tokens[0]
    try:
        for token in chunk.tokens:
            choices = machine.choices()
            if token.type not in choices:
                if token.type == "FACE_OF":
                    machine.feed_token(Token.at("NAME", "face", token.span))
                    token = Token.at("OF", "of", token.span)
                elif token in literals and token.isidentifier() and token not in RESERVED:
                    token.type = "NAME"
            machine.feed_token(token)
        item: ast.Item = machine.feed_token(Token.at("$END", "", chunk.tokens[-1].span))
    except UnexpectedToken:
        return mistakes.unexpected(token.span, f"`{token}`", ", ".join(sorted(machine.accepts())))
    return item
