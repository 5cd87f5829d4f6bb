"""Giving something another name everywhere, or the reason why that can't be done safely."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import attrs

from ruledsl.diagnostics.source import Span
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.navigation import references
from ruledsl.language_server.texts import Edit, Place, Text
from ruledsl.language_server.workspace import Workspace
from ruledsl.model.occurrences import Occurrence, Symbol


class Refused(Exception):
    """Why a name stays; the text is for whoever asked."""


@attrs.frozen
class Renaming:
    """The edits of each file."""

    edits: dict[str, tuple[Edit, ...]]


def renamable(analysis: Analysis, place: Place) -> Occurrence:
    """The name at a place, if it can get another one."""
    found = analysis.at(place)
    if not found:
        if analysis.resolved is None:
            raise Refused("first mend the mistakes in the text: until then names can't be followed")
        raise Refused("there is no name here that the rules declare")
    occurrence = found[0]
    if occurrence.symbol.sort == "word" or _is_built_in(analysis, occurrence.symbol):
        raise Refused(f"`{occurrence.symbol.name}` is a word of the language")
    return occurrence


def _is_built_in(analysis: Analysis, symbol: Symbol) -> bool:
    return symbol.sort != "index" and analysis.declaration(symbol) is None


def rename(workspace: Workspace, analysis: Analysis, place: Place, new: str) -> Renaming:
    """The edits that give a thing another name, in all files, with its translations and tests.

    They are tried out first: the rules have to mean the same afterwards.
    """
    occurrence = renamable(analysis, place)
    old = occurrence.symbol.name
    if new == old:
        return Renaming({})
    if not new.isidentifier():
        raise Refused(f"`{new}` is not a name: letters, digits and `_`, a letter first")
    family = _family(workspace, analysis, occurrence.symbol)
    broken = next((each for each in family if each.resolved is None), None)
    if broken is not None:
        raise Refused(f"first mend the mistakes in `{broken.name}`")
    spans = _spans(workspace, analysis, occurrence.symbol, old, new)
    spans |= dict(_in_translations(family, spans))
    editable = {source.name for source in workspace.files()}
    foreign = next((span.file for span in spans if span.file not in editable), None)
    if foreign is not None:
        raise Refused(f"`{old}` also stands in `{foreign}`, which lies elsewhere")
    edits: dict[str, list[Edit]] = defaultdict(list)
    for span, text in spans.items():
        edits[span.file].append(Edit(span, text))
    renaming = Renaming({file: tuple(found) for file, found in edits.items()})
    _try_out(workspace, family, renaming, old, new)
    return renaming


def _family(workspace: Workspace, analysis: Analysis, symbol: Symbol) -> tuple[Analysis, ...]:
    home = analysis.declaration(symbol)
    name = analysis.name if home is None or symbol.sort == "local" else home.file
    found = {each.name: each for each in (analysis, *workspace.family(name))}
    return tuple(found.values())


def _spans(
    workspace: Workspace, analysis: Analysis, symbol: Symbol, old: str, new: str
) -> dict[Span, str]:
    """Every place of the name, and of names that stand for the same thing in one breath."""
    symbols = {symbol}
    todo = [symbol]
    spans: dict[Span, str] = {}
    sharing: dict[Span, list[Symbol]] = defaultdict(list)
    for each in analysis.everywhere:
        sharing[each.span].append(each.symbol)
    while todo:
        for found in references(workspace, analysis, todo.pop()):
            spans[found.span] = new
            others = [o for o in sharing[found.span] if o not in symbols and o.name == old]
            symbols.update(others)
            todo.extend(others)
    for index in _derived(analysis, symbol):
        for found in references(workspace, analysis, index):
            spans[found.span] = new[:1].lower() + new[1:]
    return spans


def _in_translations(
    family: tuple[Analysis, ...], spans: dict[Span, str]
) -> Iterator[tuple[Span, str]]:
    """A text with the name in one of its values stands in language blocks, too, with its values."""
    for span, new in spans.items():
        home = next((each.text_of(span.file) for each in family if each.text_of(span.file)), None)
        line, at = ("" if home is None else home.line(span.line)), span.column - 1
        quote, brace = line.rfind('"', 0, at), line.rfind("{", 0, at)
        end = line.find('"', at)
        value = re.match(r"\{[^}]*\}", line[brace:]) if quote < brace else None
        if quote < 0 or end < 0 or value is None:
            continue
        phrase = line[quote : end + 1]
        for each in family:
            for number, other in enumerate(each.text.lines, 1):
                if other.lstrip().startswith(phrase):
                    for found in re.finditer(re.escape(value[0]), other):
                        start = found.start() + at - brace + 1
                        stop = start + span.end_column - span.column
                        yield each.text.span(number, start, number, stop), new


def _derived(analysis: Analysis, symbol: Symbol) -> list[Symbol]:
    """Indexes without a name of their own are called like their kind."""
    known = analysis.known
    if symbol.sort != "kind" or known is None:
        return []
    name = symbol.key[:1].lower() + symbol.key[1:]
    return [
        derived
        for kind in known.game.kinds.values()
        for index in kind.indexes
        if index.kind == symbol.key and index.name == name and not index.faces
        if analysis.declaration(derived := Symbol("index", f"{kind.name}.{name}")) is None
    ]


def _try_out(
    workspace: Workspace, family: tuple[Analysis, ...], renaming: Renaming, old: str, new: str
) -> None:
    """Check all files with the new name: nothing new may be wrong, nothing mean something else."""
    trial = workspace.copy()
    for file, edits in renaming.edits.items():
        source = workspace.source(file)
        assert source is not None
        trial.open(file, Text(source).applied(edits))
    for before in family:
        after = trial.analysis(before.name)
        assert after is not None
        worse = Counter(each.code.name for each in after.diagnostics)
        worse -= Counter(each.code.name for each in before.diagnostics)
        if worse:
            found = next(each for each in after.diagnostics if each.code.name in worse)
            where = "" if found.span.file == before.name else f" in `{found.span.file}`"
            raise Refused(f"`{new}` does not do: {found.message} (line {found.span.line}{where})")
        if _meaning(before) != _meaning(after):
            raise Refused(f"`{new}` would be taken for something else where `{old}` stands")


def _meaning(analysis: Analysis) -> frozenset[frozenset[tuple[str, int, int]]]:
    """Which places of a text stand for the same thing, whatever it is called."""
    lines: dict[tuple[str, int], list[Span]] = defaultdict(list)
    for span in {each.span for each in analysis.everywhere}:
        lines[span.file, span.line].append(span)
    places: dict[Span, tuple[str, int, int]] = {}
    for (file, line), spans in lines.items():
        for number, span in enumerate(sorted(spans)):
            places[span] = (file, line, number)
    return frozenset(
        frozenset(places[each.span] for each in found) for found in analysis.by_symbol.values()
    )
