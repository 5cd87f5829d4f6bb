"""One method for each request of the protocol: ask the workspace, put the answer in its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from ruledsl.diagnostics.source import Span
from ruledsl.language_server import completion, hover, navigation, renaming, signatures, swatches
from ruledsl.language_server.colouring import MODIFIERS, TYPES, colours
from ruledsl.language_server.fixes import fixes
from ruledsl.language_server.inlays import inlays
from ruledsl.language_server.layout import formatting, indentation
from ruledsl.language_server.lenses import Lens, Simulated, TestRun, lenses
from ruledsl.language_server.outline import entries, outline
from ruledsl.language_server.protocol import COMPLETIONS, SYMBOLS, Ruler, name_of, path_of, uri_of
from ruledsl.language_server.refactorings import refactorings
from ruledsl.language_server.repairs.repair import Repair
from ruledsl.language_server.structure import folds, selections
from ruledsl.language_server.texts import Place, Text
from ruledsl.language_server.workspace import Workspace
from ruledsl.model.occurrences import Symbol

if TYPE_CHECKING:
    from ruledsl.language_server.analysis import Analysis


class Host(Protocol):
    """What requests need of the server."""

    ruler: Ruler
    plays: bool
    tested: dict[str, dict[str, TestRun]]
    simulated: dict[str, Simulated]

    @property
    def files(self) -> Workspace: ...


class Requests:
    """Answers; an unknown file has none."""

    def __init__(self, host: Host) -> None:
        self.host = host

    @property
    def _ruler(self) -> Ruler:
        return self.host.ruler

    def _analysis(self, document: lsp.TextDocumentIdentifier) -> Analysis | None:
        return self.host.files.analysis(name_of(document.uri))

    def _place(self, analysis: Analysis, position: lsp.Position) -> Place:
        return self._ruler.place(analysis.text, position)

    # ------------------------------------------------------------ reading

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        found = hover.hover(analysis, self._place(analysis, params.position))
        if found is None:
            return None
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown)
        return lsp.Hover(text, self._ruler.range(analysis.text, found.span))

    def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return lsp.CompletionList(False, [])
        place = self._place(analysis, params.position)
        items = [
            lsp.CompletionItem(
                label=each.label,
                kind=COMPLETIONS[each.sort],
                detail=each.detail or None,
                sort_text=f"{each.order:05}",
                insert_text_format=lsp.InsertTextFormat.Snippet
                if each.is_snippet
                else lsp.InsertTextFormat.PlainText,
                text_edit=lsp.TextEdit(
                    self._ruler.range(analysis.text, each.span), each.insert or each.label
                ),
                filter_text=each.label,
            )
            for each in completion.completions(analysis, place)
        ]
        return lsp.CompletionList(False, items)

    def signature(self, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        found = signatures.signature(analysis, self._place(analysis, params.position))
        if not found:
            return None
        listed = [
            lsp.SignatureInformation(
                label=each.label,
                documentation=each.about or None,
                parameters=[lsp.ParameterInformation(label) for label in each.parameters],
                active_parameter=min(each.active, len(each.parameters) - 1),
            )
            for each in found
        ]
        return lsp.SignatureHelp(listed, active_signature=0, active_parameter=found[0].active)

    # ------------------------------------------------------------ going somewhere

    def definition(
        self, params: lsp.DefinitionParams | lsp.DeclarationParams
    ) -> list[lsp.Location] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        place = self._place(analysis, params.position)
        spans = navigation.definitions(self.host.files, analysis, place)
        return [self._ruler.location(analysis, span) for span in spans]

    def type_definition(self, params: lsp.TypeDefinitionParams) -> list[lsp.Location] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        spans = navigation.type_definitions(analysis, self._place(analysis, params.position))
        return [self._ruler.location(analysis, span) for span in spans]

    def implementation(self, params: lsp.ImplementationParams) -> list[lsp.Location] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        place = self._place(analysis, params.position)
        spans = navigation.implementations(self.host.files, analysis, place)
        return [self._location(span.file, span) for span in spans]

    def _location(self, file: str, span: Span) -> lsp.Location:
        home = self.host.files.analysis(file)
        assert home is not None, "an occurrence has a file"
        return self._ruler.location(home, span)

    def references(self, params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        found = analysis.at(self._place(analysis, params.position))
        declared = params.context.include_declaration
        spans = {
            each.span: None
            for symbol in dict.fromkeys(occurrence.symbol for occurrence in found)
            for each in navigation.references(self.host.files, analysis, symbol, declared=declared)
        }
        return [self._location(span.file, span) for span in spans]

    def highlights(self, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        found = analysis.at(self._place(analysis, params.position))
        spans = {
            each.span: each.declares
            for occurrence in found
            for each in analysis.by_symbol.get(occurrence.symbol, ())
            if each.span.file == analysis.name
        }
        kinds = (lsp.DocumentHighlightKind.Read, lsp.DocumentHighlightKind.Write)
        return [
            lsp.DocumentHighlight(self._ruler.range(analysis.text, span), kinds[declares])
            for span, declares in spans.items()
        ]

    def symbols(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        return [self._ruler.symbol(analysis.text, entry) for entry in outline(analysis)]

    def workspace_symbols(self, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
        wanted = params.query.casefold()
        found: list[lsp.SymbolInformation] = []
        for source in self.host.files.files():
            text = Text(source)
            for entry in entries(self.host.files.items(source)):
                if wanted in entry.name.casefold():
                    there = self._ruler.range(text, entry.span)
                    found.append(
                        lsp.SymbolInformation(
                            location=lsp.Location(uri_of(source.name), there),
                            name=entry.name,
                            kind=SYMBOLS[entry.sort],
                            container_name=source.name,
                        )
                    )
        return found

    # ------------------------------------------------------------ calls

    def call_hierarchy(
        self, params: lsp.CallHierarchyPrepareParams
    ) -> list[lsp.CallHierarchyItem] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        found = navigation.callable_at(analysis, self._place(analysis, params.position))
        return None if found is None else [self._ruler.call_item(analysis, found[1])]

    def _called(self, item: lsp.CallHierarchyItem) -> tuple[Analysis, Symbol] | None:
        analysis = self.host.files.analysis(name_of(item.uri))
        if analysis is None:
            return None
        place = self._place(analysis, item.selection_range.start)
        found = navigation.callable_at(analysis, place)
        return None if found is None else (analysis, found[0])

    def incoming_calls(
        self, params: lsp.CallHierarchyIncomingCallsParams
    ) -> list[lsp.CallHierarchyIncomingCall] | None:
        called = self._called(params.item)
        if called is None:
            return None
        analysis, symbol = called
        found = []
        for call in navigation.incoming_calls(self.host.files, analysis, symbol):
            home = self.host.files.analysis(call.entry.span.file)
            assert home is not None, "a call stands in a file"
            ranges = [self._ruler.location(home, span).range for span in call.spans]
            item = self._ruler.call_item(home, call.entry)
            found.append(lsp.CallHierarchyIncomingCall(item, ranges))
        return found

    def outgoing_calls(
        self, params: lsp.CallHierarchyOutgoingCallsParams
    ) -> list[lsp.CallHierarchyOutgoingCall] | None:
        called = self._called(params.item)
        if called is None:
            return None
        analysis, symbol = called
        return [
            lsp.CallHierarchyOutgoingCall(
                self._ruler.call_item(analysis, call.entry),
                [self._ruler.location(analysis, span).range for span in call.spans],
            )
            for call in navigation.outgoing_calls(analysis, symbol)
        ]

    # ------------------------------------------------------------ changing

    def prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        try:
            found = renaming.renamable(analysis, self._place(analysis, params.position))
        except renaming.Refused as refused:
            raise JsonRpcInvalidParams(str(refused)) from refused
        return self._ruler.range(analysis.text, found.span)

    def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        place = self._place(analysis, params.position)
        try:
            renamed = renaming.rename(self.host.files, analysis, place, params.new_name)
        except renaming.Refused as refused:
            raise JsonRpcInvalidParams(str(refused)) from refused
        changes = {}
        for file, edits in renamed.edits.items():
            home = self.host.files.analysis(file)
            assert home is not None, "what is renamed stands in a file"
            changes[uri_of(file)] = self._ruler.edits(home.text, edits)
        return lsp.WorkspaceEdit(changes=changes)

    def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        span = self._ruler.span(analysis.text, params.range)
        only = params.context.only
        found: list[lsp.CodeAction] = []
        if only is None or lsp.CodeActionKind.QuickFix in only:
            for mistake in analysis.diagnostics:
                lines = range(mistake.span.line, mistake.span.end_line + 1)
                here = any(span.line <= line <= span.end_line for line in lines)
                if here and mistake.span.file == analysis.name:
                    shown = self._ruler.diagnostic(analysis, mistake)
                    for number, repair in enumerate(fixes(self.host.files, analysis, mistake)):
                        action = self._action(analysis, repair, lsp.CodeActionKind.QuickFix)
                        action.diagnostics = [shown]
                        action.is_preferred = number == 0
                        found.append(action)
        if only is None or any(str(kind).startswith("refactor") for kind in _kinds(only)):
            changes = refactorings(self.host.files, analysis, span)
            refactor = lsp.CodeActionKind.Refactor
            found.extend(self._action(analysis, repair, refactor) for repair in changes)
        return found

    def _action(
        self, analysis: Analysis, repair: Repair, kind: lsp.CodeActionKind
    ) -> lsp.CodeAction:
        edits = self._ruler.edits(analysis.text, repair.edits)
        change = lsp.WorkspaceEdit(changes={uri_of(analysis.name): edits})
        return lsp.CodeAction(title=repair.title, kind=kind, edit=change)

    def formatting(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        return self._ruler.edits(analysis.text, formatting(analysis))

    def range_formatting(
        self, params: lsp.DocumentRangeFormattingParams
    ) -> list[lsp.TextEdit] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        first, last = params.range.start.line + 1, params.range.end.line + 1
        return self._ruler.edits(analysis.text, formatting(analysis, first, last))

    def typed(self, params: lsp.DocumentOnTypeFormattingParams) -> list[lsp.TextEdit] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        place = self._place(analysis, params.position)
        return self._ruler.edits(analysis.text, indentation(analysis, place))

    # ------------------------------------------------------------ showing

    def folding(self, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        return [
            lsp.FoldingRange(
                start_line=fold.first - 1,
                end_line=fold.last - 1,
                kind=lsp.FoldingRangeKind.Comment if fold.sort == "comment" else None,
            )
            for fold in folds(analysis)
        ]

    def tokens(self, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        data: list[int] = []
        line = start = 0
        for colour in colours(analysis):
            shown = self._ruler.range(analysis.text, colour.span)
            here, at = shown.start.line, shown.start.character
            if here != line:
                start = 0
            bits = sum(1 << MODIFIERS.index(modifier) for modifier in colour.modifiers)
            length = shown.end.character - at
            data += [here - line, at - start, length, TYPES.index(colour.type), bits]
            line, start = here, at
        return lsp.SemanticTokens(data=data)

    def inlays(self, params: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        first, last = params.range.start.line + 1, params.range.end.line + 1
        return [
            lsp.InlayHint(
                self._ruler.position(analysis.text, each.place.line, each.place.column),
                each.text,
                lsp.InlayHintKind.Type,
            )
            for each in inlays(analysis, first, last)
        ]

    def selections(self, params: lsp.SelectionRangeParams) -> list[lsp.SelectionRange] | None:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return None
        found = []
        for position in params.positions:
            larger: lsp.SelectionRange | None = None
            for span in reversed(selections(analysis, self._place(analysis, position))):
                larger = lsp.SelectionRange(self._ruler.range(analysis.text, span), larger)
            assert larger is not None, "the whole text is always around"
            found.append(larger)
        return found

    def swatches(self, params: lsp.DocumentColorParams) -> list[lsp.ColorInformation]:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return []
        return [
            lsp.ColorInformation(
                self._ruler.range(analysis.text, swatch.span),
                _colour(*swatch.value),
            )
            for swatch in swatches.swatches(analysis)
        ]

    def colour_names(self, params: lsp.ColorPresentationParams) -> list[lsp.ColorPresentation]:
        wanted = params.color
        parts = (round(255 * part) for part in (wanted.red, wanted.green, wanted.blue))
        return [lsp.ColorPresentation(name) for name in swatches.nearest_colours(*parts)[:3]]

    def links(self, params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return []
        return [
            lsp.DocumentLink(self._ruler.range(analysis.text, name), uri_of(file.file))
            for name, file in navigation.linked_files(analysis)
        ]

    def lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        analysis = self._analysis(params.text_document)
        if analysis is None:
            return []
        results = self.host.tested.get(analysis.name, {})
        figures = self.host.simulated.get(analysis.name)
        return [
            lsp.CodeLens(
                self._ruler.range(analysis.text, each.span),
                lsp.Command(each.title, each.command or "", arguments=_arguments(each)),
            )
            for each in lenses(analysis, results, figures)
            if each.command != "ruledsl.play" or self.host.plays
        ]


def _arguments(lens: Lens) -> list[str]:
    """Clients know files by their paths, wherever the server was started."""
    file, *others = lens.arguments or ("",)
    return [path_of(file), *others] if file else []


def _colour(red: int, green: int, blue: int) -> lsp.Color:
    return lsp.Color(red / 255, green / 255, blue / 255, 1.0)


def _kinds(only: object) -> list[str]:
    kinds = only if isinstance(only, list | tuple) else []
    return [str(getattr(kind, "value", kind)) for kind in kinds]
