"""An editor without a screen: a real client of the protocol that drives the real server."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

Result = TypeVar("Result")

PROGRAM = str(Path(sys.executable).parent / "ruledsl")


class Editor:
    """Opens and edits files, asks the server, and keeps what it is told about mistakes."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.told: dict[str, lsp.PublishDiagnosticsParams] = {}
        self._news = asyncio.Event()
        self._versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.told[params.uri] = params
            self._news.set()

        @client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)  # type: ignore[untyped-decorator]
        def refresh(_: None) -> None:
            return None

    async def begin(self, encoding: lsp.PositionEncodingKind | None = None) -> lsp.InitializeResult:
        general = None
        if encoding is not None:
            general = lsp.GeneralClientCapabilities(position_encodings=[encoding])
        workspace = lsp.WorkspaceClientCapabilities(
            code_lens=lsp.CodeLensWorkspaceClientCapabilities(refresh_support=True)
        )
        answer = await self.client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(general=general, workspace=workspace),
                initialization_options={"play": True},
            )
        )
        self.client.initialized(lsp.InitializedParams())
        return answer

    def open(self, path: Path, text: str | None = None) -> lsp.TextDocumentIdentifier:
        uri = path.absolute().as_uri()
        self.texts[uri] = path.read_text("utf-8") if text is None else text
        self._versions[uri] = 1
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "rules", 1, self.texts[uri]))
        )
        return lsp.TextDocumentIdentifier(uri)

    def change(self, document: lsp.TextDocumentIdentifier, text: str) -> None:
        uri = document.uri
        self._versions[uri] += 1
        self.texts[uri] = text
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self._versions[uri], uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def type(self, document: lsp.TextDocumentIdentifier, where: lsp.Range, text: str) -> None:
        """An edit as an editor sends it; `texts` no longer knows the whole text."""
        self._versions[document.uri] += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self._versions[document.uri], document.uri),
                [lsp.TextDocumentContentChangePartial(where, text)],
            )
        )

    def close(self, document: lsp.TextDocumentIdentifier) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))

    async def mistakes(self, document: lsp.TextDocumentIdentifier) -> list[lsp.Diagnostic]:
        """What the server says about the newest version of a text."""
        wanted = self._versions[document.uri]
        while True:
            told = self.told.get(document.uri)
            if told is not None and told.version == wanted:
                return list(told.diagnostics)
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 120)


def drive(
    play: Callable[[Editor], Coroutine[Any, Any, Result]],
    encoding: lsp.PositionEncodingKind | None = None,
    folder: Path | None = None,
) -> Result:
    """Start a server in a folder, let an editor talk with it, and end it in good order."""

    async def session() -> Result:
        client = LanguageClient("test", "1")
        editor = Editor(client)
        await client.start_io(PROGRAM, "lsp", cwd=folder)
        try:
            await editor.begin(encoding)
            result = await play(editor)
            await client.shutdown_async(None)
            client.exit(None)
            await client.stop()  # type: ignore[no-untyped-call]
            return result
        finally:
            process = client._server
            if process is not None and process.returncode is None:
                process.kill()

    return asyncio.run(session())


def apply(text: str, edits: list[lsp.TextEdit]) -> str:
    """A text after edits, measured in UTF-16 as the protocol does."""
    lines = text.split("\n")

    def offset(position: lsp.Position) -> int:
        before = sum(len(line) + 1 for line in lines[: position.line])
        line = lines[position.line] if position.line < len(lines) else ""
        units = line.encode("utf-16-le")[: 2 * position.character]
        return min(before, len(text)) + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda each: offset(each.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def position_of(text: str, needle: str, into: int = 0) -> lsp.Position:
    """Where a text first holds another, in units of UTF-16."""
    at = text.index(needle) + into
    line = text.count("\n", 0, at)
    start = text.rfind("\n", 0, at) + 1
    return lsp.Position(line, len(text[start:at].encode("utf-16-le")) // 2)
