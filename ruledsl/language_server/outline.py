"""What a file declares, as a tree: for outlines, breadcrumbs and searches by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.language_server.analysis import Analysis
from ruledsl.model.symbols import row_names
from ruledsl.syntax import ast


@attrs.frozen
class Entry:
    """A declaration: `sort` is the word it begins with, `whole` all of its text."""

    name: str
    sort: str
    whole: Span
    span: Span
    detail: str = ""
    children: tuple[Entry, ...] = ()


def outline(analysis: Analysis) -> tuple[Entry, ...]:
    """The declarations of a file in order."""
    return entries(analysis.items)


def entries(items: Iterable[ast.Item]) -> tuple[Entry, ...]:
    return tuple(entry for item in items if (entry := entry_of(item)) is not None)


def entry_of(item: ast.Item) -> Entry | None:
    whole = item.span
    match item:
        case ast.Replace(declaration=inner) | ast.Extend(declaration=inner):
            entry = entry_of(inner)
            word = "replace" if isinstance(item, ast.Replace) else "extend"
            return None if entry is None else attrs.evolve(entry, whole=whole, detail=word)
        case ast.Hook(when=when, sort=sort, target=target):
            return Entry(target.text, sort, whole, target.span, f"{when} {sort}")
        case ast.Remove(targets=targets):
            listed = ", ".join(".".join(part.text for part in dotted.parts) for dotted in targets)
            return Entry(listed, "remove", whole, targets[0].span, "remove")
        case ast.Use(names=names):
            listed = ", ".join(name.text for name in names)
            return Entry(listed, "use", whole, names[0].span, "use")
        case ast.Ranking():
            return Entry("ranking", "ranking", whole, whole.first(len("ranking")))
        case ast.Looks():
            return Entry("looks", "looks", whole, whole.first(len("looks")))
        case ast.Notation():
            return Entry("notation", "notation", whole, whole.first(len("notation")))
        case ast.RuleTexts(section=section):
            return Entry(section.value, "rulebook", whole, section.span, "rulebook")
        case ast.Language(code=code):
            return Entry(code.text, "language", whole, code.span, "language")
        case ast.Test(title=title):
            return Entry(title.value, "test", whole, title.span, "test")
        case ast.State(owner=owner, name=name):
            shown = name.text if owner is None else f"{owner.text}.{name.text}"
            return Entry(shown, "state", whole, name.span, "state")
        case ast.TypeList() | ast.TypeTable() | ast.TypeProduct() | ast.Piece() | ast.Place():
            class_name = type(item).__name__.lower()
            word = "type" if class_name.startswith("type") else class_name
            rows = tuple(_rows(row_names(item)))
            return Entry(item.name.text, word, whole, item.name.span, word, rows)
        case ast.TypeRange(name=name) | ast.TypeForms(name=name):
            return Entry(name.text, "type", whole, name.span, "type")
        case (
            ast.Game()
            | ast.Library()
            | ast.Variant()
            | ast.Option()
            | ast.History()
            | ast.Define()
            | ast.Action()
            | ast.Step()
            | ast.Trigger()
        ):
            word = type(item).__name__.lower()
            heading = getattr(item, "title", None)
            detail = f"{word} “{heading.value}”" if heading else word
            return Entry(item.name.text, word, whole, item.name.span, detail)
        case _:
            assert_never(item)


def _rows(names: Iterable[ast.Name]) -> Iterator[Entry]:
    for name in names:
        yield Entry(name.text, "row", name.span, name.span)
