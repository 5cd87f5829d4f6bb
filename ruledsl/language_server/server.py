"""The language server: what clients send is handed to the workspace, and answered.

Nothing is decided here. Texts are taken over as they change; what is wrong in them is said once
nobody has typed for a moment, first about the text itself, then about those that build on it.
The checker is loaded after the client has its first answer.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from ruledsl.language_server.colouring import MODIFIERS, TYPES
from ruledsl.language_server.protocol import Ruler, name_at, name_of, uri_of

if TYPE_CHECKING:
    from ruledsl.diagnostics.source import Span
    from ruledsl.language_server.analysis import Analysis
    from ruledsl.language_server.lenses import Simulated, TestRun
    from ruledsl.language_server.requests import Requests
    from ruledsl.language_server.workspace import Workspace

PAUSE = 0.03
"""Seconds without a change after which a text is checked."""
LONG_PAUSE = 0.4
"""Seconds after which the files that build on it are."""


class RulesServer(LanguageServer):
    """A server with its workspace, and what was found out so far by running things."""

    def __init__(self) -> None:
        super().__init__("ruledsl", _version())
        self.ruler = Ruler()
        self.plays = False
        """whether the client can start a game"""
        self.tested: dict[str, dict[str, TestRun]] = {}
        self.simulated: dict[str, Simulated] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}

    @cached_property
    def files(self) -> Workspace:
        from ruledsl.language_server.workspace import Workspace  # noqa: PLC0415 (loads the checker)

        return Workspace()

    @cached_property
    def requests(self) -> Requests:
        from ruledsl.language_server.requests import Requests  # noqa: PLC0415 (loads the checker)

        return Requests(self)

    def get_ready(self) -> None:
        """Load what the first text will need."""
        self.requests  # noqa: B018 (made once, then known)
        self.files  # noqa: B018 (made once, then known)
        gc.freeze()  # What is loaded now is never garbage.

    # ------------------------------------------------------------ texts

    def take(self, uri: str) -> None:
        """A text has changed: look at it, and at what builds on it, when there is time."""
        name = name_of(uri)
        document = self.workspace.get_text_document(uri)
        self.files.open(name, document.source)
        self._later(name, PAUSE, lambda: self.publish(name))
        self._later(f"{name} and others", LONG_PAUSE, lambda: self._publish_others(name))

    def _later(self, key: str, seconds: float, action: Any) -> None:
        waiting = self._waiting.pop(key, None)
        if waiting is not None:
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._waiting[key] = loop.call_later(seconds, action)

    def _publish_others(self, name: str) -> None:
        """Also get ready what will be asked about the text itself, and clear away garbage."""
        analysis = self.files.analysis(name)
        if analysis is not None:
            analysis.everywhere  # noqa: B018 (found once, then known)
        opened = set(self.files.opened())
        for number, other in enumerate(n for n in self.files.related(name) if n in opened):
            self._later(other, PAUSE * (number + 1), lambda other=other: self.publish(other))
        gc.collect()

    def publish(self, name: str) -> None:
        """Tell the client what is wrong in a text; clear away what the check has left behind
        while nobody waits: of a hundred checks it would take a second at once."""
        self._waiting.pop(name, None)
        if name not in self.files.opened():
            return
        analysis = self.files.analysis(name)
        if analysis is None:
            return
        uri = uri_of(name)
        document = self.workspace.text_documents.get(uri)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                uri=uri,
                version=None if document is None else document.version,
                diagnostics=[
                    self.ruler.diagnostic(analysis, each) for each in analysis.diagnostics
                ],
            )
        )
        self._later("garbage", PAUSE, lambda: gc.collect(1))

    def analysis(self, uri: str) -> Analysis | None:
        return self.files.analysis(name_of(uri))

    # ------------------------------------------------------------ running things

    async def run_tests(self, name: str, title: str | None) -> list[dict[str, object]]:
        """Run tests beside everything else, and show how they went above them."""
        analysis = self.files.analysis(name)
        if analysis is None:
            return []
        if analysis.game is None:
            raise ValueError("the rules have mistakes, so their tests can't be run")
        from ruledsl.language_server.lenses import run_tests  # noqa: PLC0415 (loads the checker)

        loop = asyncio.get_running_loop()
        runs = await loop.run_in_executor(None, run_tests, analysis, title)
        self.tested.setdefault(name, {}).update({run.title: run for run in runs})
        await self._refresh_lenses()
        return [
            {"title": run.title, "failure": run.failure, **self._where(analysis, run.span)}
            for run in runs
        ]

    def _where(self, analysis: Analysis, span: Span) -> dict[str, object]:
        place = self.ruler.location(analysis, span)
        return {"uri": place.uri, "line": place.range.start.line}

    async def simulate(self, name: str) -> str:
        analysis = self.files.analysis(name)
        if analysis is None or analysis.game is None:
            raise ValueError("the rules have mistakes, so they can't be tried out")
        from ruledsl.language_server.figures import figures  # noqa: PLC0415 (compiles games)
        from ruledsl.language_server.lenses import Simulated  # noqa: PLC0415 (loads the checker)

        loop = asyncio.get_running_loop()
        said = await loop.run_in_executor(None, figures, analysis.game)
        self.simulated[name] = Simulated(said, analysis.all_texts)
        await self._refresh_lenses()
        return said

    async def _refresh_lenses(self) -> None:
        asked = self.client_capabilities.workspace
        lenses = None if asked is None else asked.code_lens
        if lenses is not None and lenses.refresh_support:
            await self.workspace_code_lens_refresh_async(None)


def _version() -> str:
    try:
        return version("tabletop-rules")
    except PackageNotFoundError:
        return "0"


def make_server() -> RulesServer:
    """A server that answers everything it can; `start_io` lets it run."""
    server = RulesServer()

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        options = params.initialization_options
        server.plays = bool(isinstance(options, dict) and options.get("play"))

    @server.feature(lsp.INITIALIZED)
    def initialized(_: lsp.InitializedParams) -> None:
        encoding = server.server_capabilities.position_encoding
        server.ruler = Ruler(str(getattr(encoding, "value", encoding) or "utf-16"))
        server.get_ready()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.take(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.take(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.files.close(name_of(uri))
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        server.take(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_files(_: lsp.DidChangeWatchedFilesParams) -> None:
        for name in server.files.opened():
            server.publish(name)

    @server.command("ruledsl.runTest")
    async def run_one_test(path: str, title: str) -> list[dict[str, object]]:
        return await server.run_tests(name_at(path), title)

    @server.command("ruledsl.runTests")
    async def run_all_tests(path: str) -> list[dict[str, object]]:
        return await server.run_tests(name_at(path), None)

    @server.command("ruledsl.simulate")
    async def simulate(path: str) -> str:
        return await server.simulate(name_at(path))

    _register(server)
    return server


def _register(server: RulesServer) -> None:
    """Let every request be answered by the method that is for it."""
    plain = {
        lsp.TEXT_DOCUMENT_HOVER: "hover",
        lsp.TEXT_DOCUMENT_DEFINITION: "definition",
        lsp.TEXT_DOCUMENT_DECLARATION: "definition",
        lsp.TEXT_DOCUMENT_TYPE_DEFINITION: "type_definition",
        lsp.TEXT_DOCUMENT_IMPLEMENTATION: "implementation",
        lsp.TEXT_DOCUMENT_REFERENCES: "references",
        lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: "highlights",
        lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: "symbols",
        lsp.WORKSPACE_SYMBOL: "workspace_symbols",
        lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: "call_hierarchy",
        lsp.CALL_HIERARCHY_INCOMING_CALLS: "incoming_calls",
        lsp.CALL_HIERARCHY_OUTGOING_CALLS: "outgoing_calls",
        lsp.TEXT_DOCUMENT_PREPARE_RENAME: "prepare_rename",
        lsp.TEXT_DOCUMENT_FORMATTING: "formatting",
        lsp.TEXT_DOCUMENT_RANGE_FORMATTING: "range_formatting",
        lsp.TEXT_DOCUMENT_FOLDING_RANGE: "folding",
        lsp.TEXT_DOCUMENT_INLAY_HINT: "inlays",
        lsp.TEXT_DOCUMENT_SELECTION_RANGE: "selections",
        lsp.TEXT_DOCUMENT_DOCUMENT_COLOR: "swatches",
        lsp.TEXT_DOCUMENT_COLOR_PRESENTATION: "colour_names",
    }
    for name, method in plain.items():
        server.feature(name)(_answering(server, method))
    with_options: tuple[tuple[str, str, Any], ...] = (
        (
            lsp.TEXT_DOCUMENT_COMPLETION,
            "completion",
            lsp.CompletionOptions(trigger_characters=[".", "§"]),
        ),
        (
            lsp.TEXT_DOCUMENT_SIGNATURE_HELP,
            "signature",
            lsp.SignatureHelpOptions(trigger_characters=["(", ","]),
        ),
        (
            lsp.TEXT_DOCUMENT_RENAME,
            "rename",
            lsp.RenameOptions(prepare_provider=True),
        ),
        (
            lsp.TEXT_DOCUMENT_CODE_ACTION,
            "actions",
            lsp.CodeActionOptions(
                code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.Refactor]
            ),
        ),
        (
            lsp.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
            "typed",
            lsp.DocumentOnTypeFormattingOptions(
                first_trigger_character="\n", more_trigger_character=["n"]
            ),
        ),
        (
            lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
            "tokens",
            lsp.SemanticTokensLegend(token_types=list(TYPES), token_modifiers=list(MODIFIERS)),
        ),
        (lsp.TEXT_DOCUMENT_DOCUMENT_LINK, "links", lsp.DocumentLinkOptions()),
        (lsp.TEXT_DOCUMENT_CODE_LENS, "lenses", lsp.CodeLensOptions()),
    )
    for name, method, options in with_options:
        server.feature(name, options)(_answering(server, method))


def _answering(server: RulesServer, method: str) -> Callable[[Any], Any]:
    """A function of its own for each, as the framework writes on what it registers."""

    def answer(params: Any) -> Any:
        return getattr(server.requests, method)(params)

    return answer
