"""What is shown where the mouse rests: facts about names, sentences behind citations."""

from __future__ import annotations

import re

import attrs

from ruledsl.diagnostics.source import Source, Span
from ruledsl.language_server import words
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.facts import Fact, fact, type_of
from ruledsl.language_server.texts import Place
from ruledsl.model.citations import marks, rule_number
from ruledsl.syntax import ast

_WORDS = re.compile(r"[*_`|:#>-]+")


@attrs.frozen
class Hover:
    """A text in Markdown, and what it is about."""

    markdown: str
    span: Span


def hover(analysis: Analysis, place: Place, rulebook: Source | None = None) -> Hover | None:
    """What there is to say about what stands at a place.

    A rulebook is a text with one numbered rule a line or paragraph, such as `PP-17 Draw a card.`
    """
    cited = citation_at(analysis, place)
    if cited is not None:
        return Hover(_cited(analysis, cited, rulebook), cited.span)
    found = analysis.at(place)
    known = analysis.known
    if found and known is not None:
        facts = (fact(analysis, each.symbol, type_of(known, each)) for each in found)
        said = [_markdown(each) for each in facts if each is not None]
        return Hover("\n\n---\n\n".join(dict.fromkeys(said)), found[0].span) if said else None
    translated = _translated(analysis, place)
    if translated is not None:
        return translated
    return _keyword(analysis, place)


def _markdown(about: Fact) -> str:
    parts = [f"```rules\n{about.heading}\n```"]
    if about.remark:
        parts.append(about.remark)
    parts.extend("- " + detail for detail in about.details[:1])
    if len(about.details) > 1:
        parts[-1] = "\n".join("- " + detail for detail in about.details)
    return "\n\n".join(parts)


def _keyword(analysis: Analysis, place: Place) -> Hover | None:
    word, span = analysis.text.word_at(place)
    if word in words.STATEMENTS and not analysis.text.line(place.line)[: span.column - 1].strip():
        return Hover(f"`{word}` {words.STATEMENTS[word]}.", span)
    if word in words.FUNCTIONS:
        form, meaning = words.FUNCTIONS[word]
        return Hover(f"```rules\n{form}\n```\n\n{meaning}", span)
    return None


def _translated(analysis: Analysis, place: Place) -> Hover | None:
    """A text that players read, in the other languages."""
    known = analysis.known
    if known is None:
        return None
    line = analysis.text.line(place.line)
    for match in re.finditer(r'"([^"]*)"', line):
        if match.start() + 1 <= place.column <= match.end() + 1:
            found = [
                f"- {language.code}: “{language.texts[match[1]]}”"
                for language in known.game.languages.values()
                if match[1] in language.texts
            ]
            span = analysis.text.span(place.line, match.start() + 1, place.line, match.end() + 1)
            return Hover("\n".join(found), span) if found else None
    return None


# ---------------------------------------------------------------- citations


def citation_at(analysis: Analysis, place: Place) -> ast.Cite | None:
    item = analysis.item_at(place)
    if item is None:
        return None
    cites = (mark for mark in marks(item) if isinstance(mark, ast.Cite))
    return next((cite for cite in cites if place.within(cite.span)), None)


def _cited(analysis: Analysis, cite: ast.Cite, rulebook: Source | None) -> str:
    number = rule_number(cite)
    parts = [f"**§{cite.rule}**"]
    if number is not None:
        sentence = None if rulebook is None else sentence_of(rulebook, *number)
        if sentence is not None:
            parts.append(sentence)
        books = () if analysis.known is None else analysis.known.game.rulebooks
        titles = [book.title for book in books if book.prefix == number[0] and book.title]
        parts.extend(titles)
        lines = sorted({each.span.line for each in cited_at(analysis, number)})
        others = [str(line) for line in lines if line != cite.span.line]
        if others:
            word = "line" if len(others) == 1 else "lines"
            parts.append(f"also cited in {word} {', '.join(others)}")
    return "\n\n".join(parts)


def cited_at(analysis: Analysis, number: tuple[str, int]) -> list[ast.Cite]:
    """Where a rule is cited in the text."""
    found = (mark for item in analysis.items for mark in marks(item))
    return [mark for mark in found if isinstance(mark, ast.Cite) and rule_number(mark) == number]


def sentence_of(rulebook: Source, prefix: str, number: int) -> str | None:
    """A numbered rule of a book: from its number to the next one or an empty line."""
    wanted = re.compile(rf"\W*{re.escape(prefix)}-0*{number}\b(.*)")
    any_rule = re.compile(rf"\W*{re.escape(prefix)}-\d+\b")
    lines = rulebook.text.split("\n")
    for at, line in enumerate(lines):
        match = wanted.match(line)
        if match is None:
            continue
        found = [match[1]]
        for further in lines[at + 1 :]:
            if not further.strip() or any_rule.match(further) or further.startswith("#"):
                break
            found.append(further)
        return _WORDS.sub(" ", " ".join(found)).strip()
    return None
