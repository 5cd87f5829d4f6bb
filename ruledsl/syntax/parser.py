"""From text to tree: `parse` never raises for a mistake in the text, it returns diagnostics.

Each declaration is parsed on its own, so one that is broken costs one diagnostic and no other;
and whoever parses a text again and again need only read what has changed (`Read`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TypeAlias

import attrs

from ruledsl.diagnostics import syntax as mistakes
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import LineNumbers, Source, Span
from ruledsl.syntax import ast
from ruledsl.syntax.automaton import END, Automaton, Machine, Tables, Unexpected
from ruledsl.syntax.build import Builder
from ruledsl.syntax.grammar_tables import tables
from ruledsl.syntax.lookalikes import is_suspect, look_alikes
from ruledsl.syntax.recovery import INDENT, MOST_IN_ONE, Lines
from ruledsl.syntax.scan import DECLARATION, Chunk, Comment, Scanner
from ruledsl.syntax.tokens import Token
from ruledsl.syntax.unexpected import Stuck, explain
from ruledsl.syntax.words import unusable

MAX_BYTES = 1_000_000
MAX_MISTAKES = 50


@attrs.frozen
class Parsed:
    """The declarations that could be read, what is wrong with the others, and the comments."""

    file: ast.File
    diagnostics: tuple[Diagnostic, ...]
    comments: tuple[Comment, ...]
    wrapped: Mapping[int, int] = attrs.field(factory=dict, eq=False, repr=False)
    """where each line that is broken inside brackets ends, by where it begins"""
    source: Source = attrs.field(default=Source("", ""), eq=False, repr=False)
    """the text, with its lines numbered as they are in all spans"""

    @property
    def is_whole(self) -> bool:
        """Whether every declaration could be read; there may be warnings."""
        return all(diagnostic.severity != "error" for diagnostic in self.diagnostics)


@attrs.frozen
class Stretch:
    """What a part of a file holds: at most one declaration, comments around and behind it."""

    line: int
    """the number of its first line"""
    outcomes: tuple[ast.Item | Diagnostic, ...]
    comments: tuple[Comment, ...]
    wrapped: Mapping[int, int]


Read: TypeAlias = Callable[[str, Sequence[tuple[str, int]]], Sequence[Stretch]]
"""Reads the parts of a file, given its name, the parts, and the line in which each begins."""


def read_stretch(file: str, text: str, line: int) -> Stretch:
    """Read a part of a file, from where a declaration begins to where the next one does."""
    scanned = reader().scanner.scan(file, text, line)
    outcomes: list[ast.Item | Diagnostic] = []
    for chunk in scanned.chunks:
        outcomes += reader().read(chunk)
    return Stretch(line, tuple(outcomes), scanned.comments, scanned.wrapped)


def read_all(file: str, parts: Sequence[tuple[str, int]]) -> Sequence[Stretch]:
    return [read_stretch(file, text, line) for text, line in parts]


def stretches(text: str) -> Iterator[tuple[str, int]]:
    """The parts of a text that are read on their own, each with its first line."""
    start, line = 0, 1
    for border in DECLARATION.finditer(text):
        part = text[start : border.end()]
        yield part, line
        start, line = border.end(), line + part.count("\n")
    yield text[start:], line


def parse(source: Source, read: Read = read_all) -> Parsed:
    """Read a rules file."""
    start = Span(source.name, 1, 1, 1, 1)
    size = size_in_bytes(source.text)
    if size > MAX_BYTES:
        found = mistakes.file_too_large(start, size, MAX_BYTES)
        return Parsed(ast.File((), span=start), (found,), (), source=source)
    text = source.text.removeprefix("\ufeff").replace("\r\n", "\n") + "\n"
    parts = tuple(stretches(text))
    read_parts = read(source.name, parts)
    outcomes = [outcome for part in read_parts for outcome in part.outcomes]
    items: list[ast.Item] = []
    diagnostics: list[Diagnostic] = []
    for outcome in outcomes:
        if not isinstance(outcome, Diagnostic):
            items.append(outcome)
        elif len(diagnostics) < MAX_MISTAKES:
            diagnostics.append(outcome)
        else:
            diagnostics.append(mistakes.too_many_mistakes(outcome.span, MAX_MISTAKES))
            break
    if not outcomes:
        diagnostics.append(mistakes.empty_file(start))
    if is_suspect(text):
        paired = zip(parts, read_parts, strict=True)
        texts = ((part, stretch.line) for (part, _), stretch in paired)
        diagnostics += reader().look_alikes(source.name, texts)
    span = items[0].span.to(items[-1].span) if items else start
    file = ast.File(tuple(items), span=span)
    comments = tuple(comment for part in read_parts for comment in part.comments)
    wrapped = {first: last for part in read_parts for first, last in part.wrapped.items()}
    starts = tuple(part.line for part in read_parts)
    numbers = LineNumbers(starts, tuple(line for _, line in parts))
    numbered = source if numbers.starts == numbers.lines else attrs.evolve(source, numbers=numbers)
    return Parsed(file, tuple(diagnostics), comments, wrapped, numbered)


def declared(source: Source, words: Collection[str]) -> tuple[ast.Item, ...]:
    """The declarations that begin with one of these words; nothing else is even read."""

    def read(file: str, parts: Sequence[tuple[str, int]]) -> Sequence[Stretch]:
        return [
            read_stretch(file, text, line) if _begins(text, words) else Stretch(line, (), (), {})
            for text, line in parts
        ]

    return parse(source, read).file.items


def _begins(text: str, words: Collection[str]) -> bool:
    first = text.split(maxsplit=1)
    return bool(first) and first[0] in words


def size_in_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


@cache
def reader() -> Reader:
    """Made once, when first needed."""
    return Reader(tables())


class Reader:
    """What is made from the grammar: the scanner, and the parser of single declarations.

    The scanner also sees mistakes and comments. A word is decided to be a keyword or a name here,
    by what the parser can take.
    """

    def __init__(self, tables: Tables) -> None:
        self.automaton = Automaton(tables, Builder())
        self.scanner = Scanner(tables.patterns, tables.literals)
        self.written = {name: literal for literal, name in tables.literals.items()}
        name = re.compile(tables.patterns["NAME"])
        words = frozenset(word for word in tables.literals if name.fullmatch(word))
        self._free = words | {"face", "stop"}

    def look_alikes(self, file: str, parts: Iterable[tuple[str, int]]) -> Iterator[Diagnostic]:
        """Warnings about names that are taken for others."""
        scanned = (self.scanner.scan(file, text, line) for text, line in parts)
        names = (
            token
            for part in scanned
            for chunk in part.chunks
            for token in chunk.tokens
            if token.type == "NAME"
        )
        return look_alikes(names, self._free)

    def kind_of(self, token: Token, machine: Machine) -> str:
        """The terminal a token is: a keyword is a name where it can't be a keyword."""
        is_name = token.type not in machine.choices and token in self._free
        return "NAME" if is_name else token.type

    def read(self, chunk: Chunk) -> tuple[ast.Item] | tuple[Diagnostic, ...]:
        """A declaration, or the mistakes in it, one for a line."""
        if chunk.unreadable:
            return tuple(chunk.mistakes)
        parsed = self._parsed(chunk)
        if not chunk.mistakes:
            return parsed
        lines = {mistake.span.line for mistake in chunk.mistakes}
        others = [
            each for each in parsed if isinstance(each, Diagnostic) and each.span.line not in lines
        ]
        found = sorted([*chunk.mistakes, *others], key=lambda mistake: mistake.span.line)
        return tuple(found[:MOST_IN_ONE])

    def _parsed(self, chunk: Chunk) -> tuple[ast.Item] | tuple[Diagnostic, ...]:
        """The declaration these tokens make, or the mistakes in it."""
        machine = self.automaton.start()
        tokens = [*chunk.tokens, Token.at(END, "", chunk.tokens[-1].span)]
        for index in range(len(tokens)):
            if self._mistake(machine, tokens, index) is not None:
                return self._mistakes(tokens)
        return (machine.result,)

    def _mistakes(self, tokens: list[Token]) -> tuple[Diagnostic, ...]:
        """Those of a declaration that has some: only then is noted where to go on after one."""
        machine = self.automaton.start()
        lines = Lines(tokens)
        found: list[Diagnostic] = []
        index = 0
        while index < len(tokens):
            lines.note(index, machine)
            mistake = self._mistake(machine, tokens, index)
            if mistake is None:
                index += 1
                continue
            if found and mistake.span.line <= found[-1].span.line:
                break
            found.append(mistake)
            again = lines.after(index, wants_block=INDENT in machine.accepts)
            if again is None or len(found) == MOST_IN_ONE:
                break
            index, machine = again
        return tuple(found)

    def _mistake(self, machine: Machine, tokens: list[Token], index: int) -> Diagnostic | None:
        """Take a token, or say why it can't be taken."""
        token = tokens[index]
        kind = token.type
        if self.kind_of(token, machine) != kind:
            token.type = "NAME"
            if "NAME" in machine.choices and unusable(tokens, index):
                token.type = kind  # It may be read again, where it is a keyword.
                return mistakes.unusable_name(token.span, str(token))
        try:
            machine.feed(token)
        except Unexpected:
            expected = frozenset(self.written.get(each, each) for each in machine.accepts)
            mistake = explain(Stuck(tokens, index, expected))
            token.type = kind
            return mistake
        return None
