"""What the rules of a numbered rulebook say, in the words of the rules file, by language."""

from __future__ import annotations

from collections.abc import Iterable

from ruledsl.diagnostics import tables as declared
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.model.game import RulebookInfo, RuleTextInfo
from ruledsl.syntax import ast

OWN = "en"
"""The language of texts without a language of their own."""


def rule_texts(
    blocks: Iterable[ast.RuleTexts], rulebooks: tuple[RulebookInfo, ...]
) -> tuple[dict[str, dict[str, RuleTextInfo]], list[Diagnostic]]:
    """By rule, such as `PP-7`, and language; with lines that are about no rule, or say it again."""
    diagnostics: list[Diagnostic] = []
    books = {book.prefix: book for book in rulebooks}
    texts: dict[str, dict[str, RuleTextInfo]] = {}
    first: dict[tuple[str, str], Span] = {}
    for block in blocks:
        prefix = block.prefix.text
        language = OWN if block.language is None else block.language.text
        book = books.get(prefix)
        if book is None and books:
            why = f"the game has {', '.join(books)}"
            diagnostics.append(declared.unknown_citation(block.prefix.span, prefix, why, None))
        for line in block.lines:
            rule = f"{prefix}-{line.number.value}"
            if book is not None and not book.first <= line.number.value <= book.last:
                why = f"the book has {prefix}-{book.first} to {prefix}-{book.last}"
                diagnostics.append(declared.unknown_citation(line.number.span, rule, why, None))
            elif (rule, language) in first:
                before = first[rule, language]
                diagnostics.append(declared.repeated_rule(line.number.span, rule, before))
            else:
                first[rule, language] = line.number.span
                said = RuleTextInfo(block.section.value, line.text.value)
                texts.setdefault(rule, {})[language] = said
    return texts, diagnostics
