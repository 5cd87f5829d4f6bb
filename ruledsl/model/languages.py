"""Translations: what a player reads, and which languages lack it."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.diagnostics import names as found
from ruledsl.diagnostics import tables as declared
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.model.game import LanguageInfo
from ruledsl.model.symbols import Symbols, row_names
from ruledsl.syntax import ast

BASE_LANGUAGE = "en"
"""The language the rules are written in: names and texts are their own labels."""


@attrs.frozen
class Readable:
    """Something a player reads: a name (dotted for a row) or a text."""

    text: str
    is_name: bool
    span: Span


def readables(symbols: Symbols, header: ast.Game | ast.Variant | None) -> Iterator[Readable]:
    """Everything a player of this game reads."""
    if header is not None:
        yield Readable(header.name.text, True, header.name.span)
    for kind in symbols.kinds.values():
        yield Readable(kind.name.text, True, kind.name.span)
        for row in row_names(kind):
            if not isinstance(kind, ast.Place):
                yield Readable(f"{kind.name.text}.{row.text}", True, row.span)
    for option in symbols.options.values():
        yield from _titled(option.name, option.title)
    for action in symbols.actions.values():
        yield from _titled(action.name, action.title)
        yield from _texts(action.body)
    for steps in symbols.steps.values():
        for step in steps:
            yield from _texts(step.body)
    for trigger in symbols.triggers.values():
        yield from _titled(trigger.name, trigger.title)
        yield from _texts(trigger.body)


def _titled(name: ast.Name, title: ast.Text | None) -> Iterator[Readable]:
    if title is None:
        yield Readable(name.text, True, name.span)
    else:
        yield Readable(title.value, False, title.span)


def _texts(body: ast.Block) -> Iterator[Readable]:
    """Prompts and messages, and the names of actions on the spot."""
    for statement in body:
        match statement:
            case ast.Require(message=message):
                yield Readable(message.value, False, message.span)
            case ast.If(branches=branches):
                for branch in branches:
                    yield from _texts(branch.body)
            case ast.For(body=inner) | ast.Together(body=inner) | ast.Repeat(body=inner):
                yield from _texts(inner)
            case ast.ChooseValue():
                if statement.prompt is not None:
                    yield Readable(statement.prompt.value, False, statement.prompt.span)
                yield from _texts(statement.requirements)
                if statement.otherwise is not None:
                    yield from _texts(statement.otherwise.body)
            case ast.ChooseAction():
                if statement.prompt is not None:
                    yield Readable(statement.prompt.value, False, statement.prompt.span)
                for offer in statement.offers:
                    if isinstance(offer, ast.Action):
                        yield from _titled(offer.name, offer.title)
                        yield from _texts(offer.body)
                    else:
                        yield from _texts(offer.requirements)
                if statement.otherwise is not None:
                    yield from _texts(statement.otherwise.body)
            case _:
                pass


def languages(
    symbols: Symbols, header: ast.Game | ast.Variant | None, names: tuple[str, ...]
) -> tuple[dict[str, LanguageInfo], list[Diagnostic]]:
    """The languages with their texts; `names` may be translated too (the game, its variants)."""
    diagnostics: list[Diagnostic] = []
    read = list(readables(symbols, header))
    known_names = {*names, *(item.text for item in read if item.is_name)}
    known_names |= {name.rpartition(".")[2] for name in known_names}
    known_names |= {*symbols.actions, *symbols.options, *symbols.triggers}
    for kind in symbols.kinds.values():
        known_names |= {row.text for row in row_names(kind)}
        known_names |= {f"{kind.name.text}.{row.text}" for row in row_names(kind)}
    known_names |= {key.rpartition(".")[2] for key in symbols.states} | {*symbols.states}
    known_names |= {*symbols.kinds, *symbols.steps}
    known_texts = {item.text for item in read if not item.is_name}
    known_texts |= {step.title.value for s in symbols.steps.values() for step in s if step.title}
    result: dict[str, LanguageInfo] = {}
    for block in symbols.languages:
        info = result.setdefault(block.code.text, LanguageInfo(block.code.text, {}, {}))
        seen: dict[str, Span] = {}
        for phrase in block.phrases:
            if isinstance(phrase.key, ast.Text):
                text, table, known = phrase.key.value, info.texts, known_texts
            else:
                text = ".".join(part.text for part in phrase.key.parts)
                table, known = info.labels, known_names
            if text not in known:
                diagnostics.append(found.unknown_label(phrase.key.span, text, known))
            if text in seen:
                diagnostics.append(found.duplicate_label(phrase.key.span, text, seen[text]))
            seen[text] = phrase.key.span
            table[text] = phrase.text.value
    for code, info in result.items():
        if code != BASE_LANGUAGE:
            diagnostics.extend(_missing(read, info))
    return result, diagnostics


def _missing(read: list[Readable], info: LanguageInfo) -> Iterator[Diagnostic]:
    reported: set[str] = set()
    for item in read:
        if item.text in reported:
            continue
        if item.is_name:
            short = item.text.rpartition(".")[2]
            there = item.text in info.labels or short in info.labels
            shown = short
        else:
            there = item.text in info.texts
            shown = item.text
        if not there:
            reported.add(item.text)
            yield declared.missing_translation(item.span, shown, info.code)
