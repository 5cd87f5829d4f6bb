"""Citations of the numbered rulebook: which are wrong, which rules have none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from ruledsl.diagnostics import tables as declared
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.library import Library
from ruledsl.model.game import RulebookInfo
from ruledsl.syntax import ast
from ruledsl.syntax.walk import nodes

MARKS = (ast.Cite, ast.Assumed, ast.Reveals)
_CITED = re.compile(r"([A-Za-z][A-Za-z0-9]*)-0*([0-9]+)")


Marks: TypeAlias = Callable[[ast.Item], Iterable[ast.Mark]]
"""Finds the citations and assumptions of a declaration."""


def marks(node: Any) -> Iterator[ast.Mark]:
    """Every citation and assumption in a syntax tree."""
    return (part for part in nodes(node) if isinstance(part, MARKS))


def rule_number(cite: ast.Cite) -> tuple[str, int] | None:
    """`PP-07` as the book's prefix and the rule's number."""
    match = _CITED.fullmatch(cite.rule)
    return None if match is None else (match.group(1), int(match.group(2)))


def check_citations(
    declarations: tuple[ast.Item, ...], rulebooks: tuple[RulebookInfo, ...], marks: Marks = marks
) -> Iterator[Diagnostic]:
    """Citations of rules that no declared rulebook has."""
    books = {book.prefix: book for book in rulebooks}
    for mark in (mark for declaration in declarations for mark in marks(declaration)):
        if not isinstance(mark, ast.Cite):
            continue
        number = rule_number(mark)
        book = None if number is None else books.get(number[0])
        if number is None:
            form = "write the book's letters and the number: `§PP-17`"
            yield declared.unknown_citation(mark.span, mark.rule, "not a rule's number", form)
        elif book is None:
            why = "no such rulebook is declared"
            missing = f"add `rulebook {number[0]} 1..…` to the game"
            hint = None if books else missing
            yield declared.unknown_citation(mark.span, mark.rule, why, hint)
        elif not book.first <= number[1] <= book.last:
            why = f"the book has {book.prefix}-{book.first} to {book.prefix}-{book.last}"
            yield declared.unknown_citation(mark.span, mark.rule, why, None)


def cited_rules(declarations: tuple[ast.Item, ...], marks: Marks = marks) -> set[tuple[str, int]]:
    """The rules cited anywhere."""
    found = (mark for declaration in declarations for mark in marks(declaration))
    numbers = (rule_number(mark) for mark in found if isinstance(mark, ast.Cite))
    return {number for number in numbers if number is not None}


def uncited_rules(
    game: ast.Game,
    declarations: tuple[ast.Item, ...],
    rulebooks: tuple[RulebookInfo, ...],
    library: Library,
    marks: Marks = marks,
) -> Iterator[Diagnostic]:
    """Rules of the books that neither the game cites nor a file beside it, such as a variant."""
    cited = cited_rules((game, *declarations), marks)
    lines = (line for line in game.lines if isinstance(line, ast.Rulebook))
    for line, book in zip(lines, rulebooks, strict=True):
        rules = [(book.prefix, number) for number in range(book.first, book.last + 1)]
        if not cited.issuperset(rules):
            cited.update(_cited_beside(library, game.span.file))
        missing = [
            f"{prefix}-{number}" for prefix, number in rules if (prefix, number) not in cited
        ]
        if missing:
            yield declared.uncited_rule(line.span, missing)


def _cited_beside(library: Library, name: str) -> Iterator[tuple[str, int]]:
    for other in library.beside(name):
        for match in _CITED.finditer(other.text):
            if other.text[match.start() - 1] == "§":
                yield match.group(1), int(match.group(2))
