"""Between the protocol's words and ours: places in units of UTF-16, files as addresses."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import attrs
from lsprotocol import types as lsp

from ruledsl import diagnostics as pages
from ruledsl.diagnostics.diagnostic import Diagnostic
from ruledsl.diagnostics.source import Span
from ruledsl.language_server.texts import Edit, Place, Text
from ruledsl.library import display_name

if TYPE_CHECKING:
    from ruledsl.language_server.analysis import Analysis
    from ruledsl.language_server.outline import Entry

UNNECESSARY = frozenset({"unused-name", "unreachable", "never-reached", "always-holds"})
"""Codes about what could be left out."""

SYMBOLS = {
    "game": lsp.SymbolKind.Module,
    "variant": lsp.SymbolKind.Module,
    "library": lsp.SymbolKind.Module,
    "use": lsp.SymbolKind.Namespace,
    "option": lsp.SymbolKind.Boolean,
    "type": lsp.SymbolKind.Enum,
    "piece": lsp.SymbolKind.Class,
    "place": lsp.SymbolKind.Struct,
    "state": lsp.SymbolKind.Field,
    "history": lsp.SymbolKind.Array,
    "define": lsp.SymbolKind.Function,
    "action": lsp.SymbolKind.Method,
    "step": lsp.SymbolKind.Method,
    "trigger": lsp.SymbolKind.Event,
    "ranking": lsp.SymbolKind.Operator,
    "looks": lsp.SymbolKind.Object,
    "notation": lsp.SymbolKind.Object,
    "language": lsp.SymbolKind.String,
    "rulebook": lsp.SymbolKind.String,
    "test": lsp.SymbolKind.Constant,
    "remove": lsp.SymbolKind.Null,
    "row": lsp.SymbolKind.EnumMember,
}

COMPLETIONS = {
    "kind": lsp.CompletionItemKind.Class,
    "range": lsp.CompletionItemKind.Enum,
    "value": lsp.CompletionItemKind.EnumMember,
    "column": lsp.CompletionItemKind.Property,
    "index": lsp.CompletionItemKind.Property,
    "state": lsp.CompletionItemKind.Field,
    "option": lsp.CompletionItemKind.Constant,
    "history": lsp.CompletionItemKind.Variable,
    "define": lsp.CompletionItemKind.Function,
    "step": lsp.CompletionItemKind.Method,
    "action": lsp.CompletionItemKind.Method,
    "trigger": lsp.CompletionItemKind.Event,
    "local": lsp.CompletionItemKind.Variable,
    "word": lsp.CompletionItemKind.Keyword,
    "function": lsp.CompletionItemKind.Function,
    "keyword": lsp.CompletionItemKind.Keyword,
    "snippet": lsp.CompletionItemKind.Snippet,
    "file": lsp.CompletionItemKind.File,
    "citation": lsp.CompletionItemKind.Reference,
}


# ---------------------------------------------------------------- files


def name_of(uri: str) -> str:
    """The name of a source, as the library would call it."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return uri
    path = unquote(parts.path)
    if len(path) > 2 and path[0] == "/" and path[2] == ":":  # /C:/games on Windows
        path = path[1:]
    return display_name(Path(path))


def uri_of(name: str) -> str:
    """The address of a source."""
    return name if _is_on_no_disk(name) else Path(name).absolute().as_uri()


def path_of(name: str) -> str:
    """Where a source lies; what lies on no disk keeps its name."""
    return name if _is_on_no_disk(name) else str(Path(name).absolute())


def name_at(path: str) -> str:
    """The name of the source that lies there, as the library would call it."""
    return path if _is_on_no_disk(path) else display_name(Path(path))


def _is_on_no_disk(name: str) -> bool:
    return urlsplit(name).scheme in ("untitled", "vscode-vfs", "git")


# ---------------------------------------------------------------- places


@attrs.frozen
class Ruler:
    """Measures texts in the units that client and server have agreed on."""

    encoding: str = "utf-16"

    def units(self, text: str) -> int:
        match self.encoding:
            case "utf-8":
                return len(text.encode("utf-8", "surrogatepass"))
            case "utf-32":
                return len(text)
            case _:
                return len(text) + sum(ord(sign) > 0xFFFF for sign in text)

    def position(self, text: Text, line: int, column: int) -> lsp.Position:
        if line > len(text.lines):
            return lsp.Position(len(text.lines), 0)
        return lsp.Position(max(line - 1, 0), self.units(text.line(line)[: column - 1]))

    def range(self, text: Text, span: Span) -> lsp.Range:
        return lsp.Range(
            self.position(text, span.line, span.column),
            self.position(text, span.end_line, span.end_column),
        )

    def place(self, text: Text, position: lsp.Position) -> Place:
        line = text.line(position.line + 1)
        left = position.character
        for column, sign in enumerate(line, 1):
            if left <= 0:
                return Place(position.line + 1, column)
            left -= self.units(sign)
        return Place(position.line + 1, len(line) + 1)

    def span(self, text: Text, wanted: lsp.Range) -> Span:
        start, end = self.place(text, wanted.start), self.place(text, wanted.end)
        return text.span(start.line, start.column, end.line, end.column)

    # ------------------------------------------------------------ things with places

    def location(self, analysis: Analysis, span: Span) -> lsp.Location:
        text = analysis.text_of(span.file)
        shown = _plain(span) if text is None else self.range(text, span)
        return lsp.Location(uri_of(span.file), shown)

    def edits(self, text: Text, edits: Sequence[Edit]) -> list[lsp.TextEdit]:
        return [lsp.TextEdit(self.range(text, edit.span), edit.text) for edit in edits]

    def symbol(self, text: Text, entry: Entry) -> lsp.DocumentSymbol:
        return lsp.DocumentSymbol(
            name=entry.name or "…",
            kind=SYMBOLS[entry.sort],
            range=self.range(text, entry.whole),
            selection_range=self.range(text, entry.span),
            detail=entry.detail,
            children=[self.symbol(text, child) for child in entry.children],
        )

    def call_item(self, analysis: Analysis, entry: Entry) -> lsp.CallHierarchyItem:
        file = entry.span.file
        return lsp.CallHierarchyItem(
            name=entry.name,
            kind=SYMBOLS[entry.sort],
            uri=uri_of(file),
            range=self.location(analysis, entry.whole).range,
            selection_range=self.location(analysis, entry.span).range,
            detail=entry.detail,
        )

    def diagnostic(self, analysis: Analysis, found: Diagnostic) -> lsp.Diagnostic:
        """A mistake; one in a file that is built on stands where that file is named."""
        here = found.span.file == analysis.name
        span = found.span if here else _named(analysis)
        notes = [(note.span, note.text) for note in found.notes if note.span.file]
        message = found.message + (f"\n{found.label}" if found.label else "")
        message += f"\nhint: {found.hint}" if found.hint else ""
        if not here:
            message = f"in `{found.span.file}`, line {found.span.line}: {message}"
            notes.insert(0, (found.span, found.label or found.message))
        page = files(pages) / "pages" / f"{found.code.name}.md"
        tags = [lsp.DiagnosticTag.Unnecessary] if found.code.name in UNNECESSARY else None
        return lsp.Diagnostic(
            range=self.range(analysis.text, span),
            message=message,
            severity=lsp.DiagnosticSeverity.Error
            if found.severity == "error"
            else lsp.DiagnosticSeverity.Warning,
            code=found.code.name,
            code_description=lsp.CodeDescription(Path(str(page)).as_uri()),
            source="ruledsl",
            tags=tags,
            related_information=[
                lsp.DiagnosticRelatedInformation(self.location(analysis, where), text)
                for where, text in notes
            ],
        )


def _plain(span: Span) -> lsp.Range:
    return lsp.Range(
        lsp.Position(max(span.line - 1, 0), max(span.column - 1, 0)),
        lsp.Position(max(span.end_line - 1, 0), max(span.end_column - 1, 0)),
    )


def _named(analysis: Analysis) -> Span:
    """Where a file names what it builds on."""
    names = [name.span for name in analysis.needs]
    return names[0] if names else analysis.text.span(1, 1, 1, 1)
