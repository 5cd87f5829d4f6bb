"""From a name to what it stands for, to where it is used, and along calls."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.outline import Entry, entry_of
from ruledsl.language_server.texts import Place
from ruledsl.language_server.workspace import Workspace
from ruledsl.model.occurrences import Occurrence, Symbol
from ruledsl.syntax import ast

CALLED = ("step", "action", "trigger", "define")


def file_at(analysis: Analysis, place: Place) -> Span | None:
    """The beginning of the file whose name stands at a place after `use` or `variant of`."""
    return next((span for name, span in linked_files(analysis) if place.within(name)), None)


def linked_files(analysis: Analysis) -> Iterator[tuple[Span, Span]]:
    """Each name of a file that is built on, and where that file begins."""
    for name in analysis.needs:
        try:
            source = analysis.library.source(name.text, near=analysis.name)
        except LibraryError:
            continue
        if source is not None:
            yield name.span, Span(source.name, 1, 1, 1, 1)


def definitions(workspace: Workspace, analysis: Analysis, place: Place) -> tuple[Span, ...]:
    """Where what is named at a place is declared.

    From the name of something a variant changes, the way leads to the base.
    """
    file = file_at(analysis, place)
    if file is not None:
        return (file,)
    found = analysis.at(place)
    spans: dict[Span, None] = {}
    for occurrence in found:
        declared = _changed(workspace, analysis, occurrence)
        if declared is None:
            declared = analysis.declaration(occurrence.symbol)
        if declared is not None:
            spans[declared] = None
    return tuple(spans)


def _changed(workspace: Workspace, analysis: Analysis, occurrence: Occurrence) -> Span | None:
    """The declaration in a base, of something that is changed right here."""
    changes = (ast.Replace, ast.Extend, ast.Hook, ast.Remove)
    item = analysis.item_at(Place(occurrence.span.line, occurrence.span.column))
    entry = entry_of(item) if isinstance(item, changes) else None
    if entry is None or entry.span != occurrence.span:
        return None
    for base in bases(workspace, analysis):
        declared = base.declaration(occurrence.symbol)
        if declared is not None:
            return declared
    return None


def bases(workspace: Workspace, analysis: Analysis) -> Iterator[Analysis]:
    """What is known about the files that this one builds on directly."""
    for _, file in linked_files(analysis):
        base = workspace.analysis(file.file)
        if base is not None:
            yield base


def type_definitions(analysis: Analysis, place: Place) -> tuple[Span, ...]:
    """Where the kind of a value is declared."""
    spans: dict[Span, None] = {}
    for occurrence in analysis.at(place):
        kinds = getattr(occurrence.type, "kinds", ())
        for kind in kinds:
            declared = analysis.declaration(Symbol("kind", kind))
            if declared is not None:
                spans[declared] = None
    return tuple(spans)


def implementations(workspace: Workspace, analysis: Analysis, place: Place) -> tuple[Span, ...]:
    """Where variants change what is named at a place."""
    symbols = {occurrence.symbol for occurrence in analysis.at(place)}
    files = {span.file for symbol in symbols if (span := analysis.declaration(symbol)) is not None}
    found: dict[Span, None] = {}
    for file in files:
        for other in workspace.family(file):
            for span, symbol in _changes(other):
                if symbol in symbols:
                    found[span] = None
    return tuple(found)


def _changes(analysis: Analysis) -> Iterator[tuple[Span, Symbol]]:
    """What a file changes of its bases, and where."""
    for item in analysis.items:
        match item:
            case ast.Replace() | ast.Extend() | ast.Hook() | ast.Remove():
                for occurrence in _within(analysis, item.span):
                    entry = entry_of(item)
                    if isinstance(item, ast.Remove) or (
                        entry is not None and entry.span == occurrence.span
                    ):
                        yield occurrence.span, occurrence.symbol
            case _:
                pass


def references(
    workspace: Workspace, analysis: Analysis, symbol: Symbol, *, declared: bool = True
) -> tuple[Occurrence, ...]:
    """Where something is named, in all files that build on the one that declares it."""
    if symbol.sort in ("local", "word"):
        found = [each for each in analysis.everywhere if each.symbol == symbol]
        if symbol.sort == "word":
            found = [each for each in found if each.span.file == analysis.name]
        return tuple(each for each in found if declared or not each.declares)
    home = analysis.declaration(symbol)
    families = {analysis.name: analysis}
    for other in workspace.family(analysis.name if home is None else home.file):
        families[other.name] = other
    spans: dict[Span, Occurrence] = {}
    for other in families.values():
        for occurrence in other.by_symbol.get(symbol, ()):
            spans.setdefault(occurrence.span, occurrence)
    return tuple(each for each in spans.values() if declared or not each.declares)


# ---------------------------------------------------------------- calls


@attrs.frozen
class Call:
    """One rule names another: whose entry it is, and where the names stand."""

    entry: Entry
    spans: tuple[Span, ...]


def callable_at(analysis: Analysis, place: Place) -> tuple[Symbol, Entry] | None:
    """The step, action, trigger or definition named at a place."""
    for occurrence in analysis.at(place):
        if occurrence.symbol.sort in CALLED:
            declared = analysis.declaration(occurrence.symbol)
            entry = None if declared is None else _entry_at(analysis, declared)
            if entry is not None:
                return occurrence.symbol, entry
    return None


def incoming_calls(workspace: Workspace, analysis: Analysis, symbol: Symbol) -> tuple[Call, ...]:
    """Who calls, offers or waits for this."""
    found: dict[Span, tuple[Entry, list[Span]]] = {}
    for occurrence in references(workspace, analysis, symbol, declared=False):
        home = workspace.analysis(occurrence.span.file)
        entry = None if home is None else _entry_at(home, occurrence.span)
        if entry is not None and entry.span != occurrence.span:
            found.setdefault(entry.span, (entry, []))[1].append(occurrence.span)
    return tuple(Call(entry, tuple(spans)) for entry, spans in found.values())


def outgoing_calls(analysis: Analysis, symbol: Symbol) -> tuple[Call, ...]:
    """What this calls or offers, and the triggers that follow it."""
    declared = analysis.declaration(symbol)
    whole = None if declared is None else _entry_at(analysis, declared)
    if whole is None or declared is None:
        return ()
    found: dict[Symbol, list[Span]] = {}
    for occurrence in _within(analysis, whole.whole):
        if occurrence.symbol.sort in CALLED and not occurrence.declares:
            found.setdefault(occurrence.symbol, []).append(occurrence.span)
    known = analysis.known
    for trigger in () if known is None else known.game.triggers.values():
        if symbol.key in trigger.after:
            found.setdefault(Symbol("trigger", trigger.name), []).append(declared)
    calls = []
    for other, spans in found.items():
        at = analysis.declaration(other)
        entry = None if at is None else _entry_at(analysis, at)
        if entry is not None and other != symbol:
            calls.append(Call(entry, tuple(spans)))
    return tuple(calls)


def _entry_at(analysis: Analysis, span: Span) -> Entry | None:
    """The declaration around a name, in this file or one it builds on."""
    place = Place(span.line, span.column)
    if span.file == analysis.name:
        item = analysis.item_at(place)
    else:
        items = analysis.items_of(span.file)
        item = next((each for each in items if place.within(each.span)), None)
    return None if item is None else entry_of(item)


def _within(analysis: Analysis, whole: Span) -> Iterator[Occurrence]:
    if whole.file == analysis.name:
        for line in range(whole.line, whole.end_line + 1):
            yield from analysis.occurrences.get(line, ())
    else:
        for occurrence in analysis.everywhere:
            inside = whole.line <= occurrence.span.line <= whole.end_line
            if occurrence.span.file == whole.file and inside:
                yield occurrence
