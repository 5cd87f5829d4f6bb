"""What is shown where the mouse rests: facts about names, sentences behind citations."""

from __future__ import annotations

import re

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.language_server import words
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.facts import Fact, fact, type_of
from ruledsl.language_server.texts import Place
from ruledsl.model.citations import marks, rule_number
from ruledsl.model.rule_texts import OWN
from ruledsl.syntax import ast


@attrs.frozen
class Hover:
    """A text in Markdown, and what it is about."""

    markdown: str
    span: Span


def hover(analysis: Analysis, place: Place) -> Hover | None:
    """What there is to say about what stands at a place."""
    cited = citation_at(analysis, place)
    if cited is not None:
        return Hover(_cited(analysis, cited), cited.span)
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
    lines = (item for item in analysis.items if item.span.line <= place.line <= item.span.end_line)
    found = (mark for item in lines for mark in marks(item))
    cites = (mark for mark in found if isinstance(mark, ast.Cite))
    return next((cite for cite in cites if place.within(cite.span)), None)


def _cited(analysis: Analysis, cite: ast.Cite) -> str:
    number = rule_number(cite)
    parts = [f"**§{cite.rule}**"]
    if number is not None:
        known = analysis.known
        texts = {} if known is None else known.game.rule_texts.get("{}-{}".format(*number), {})
        for language, said in texts.items():
            parts.append(f"{said.text}" if language == OWN else f"{language}: {said.text}")
        books = () if known is None else known.game.rulebooks
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
