"""Every feature of the server, asked by a real client about every shipped game."""

import re
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from ruledsl.library import Library
from ruledsl.play.check import check_source
from tests.language_server.editor import Editor, apply, drive, position_of

GAMES = Path(__file__).parents[2] / "games"
FILES = sorted(GAMES.rglob("*.rules"))


def names_in(text: str) -> list[lsp.Position]:
    """Some names behind the first word of a line, spread over all of the text."""
    found = [
        lsp.Position(number, match.start(1) + 1)
        for number, line in enumerate(text.split("\n"))
        if (
            match := re.match(
                r"(?:step|place|action|define|    move|    if|    set) +(\w\w+)", line
            )
        )
    ]
    return found[:: max(1, len(found) // 6)]


async def look_at(editor: Editor, path: Path) -> None:
    """All requests about one file; what must be there is."""
    document = editor.open(path)
    text = editor.texts[document.uri]
    client = editor.client
    found = await editor.mistakes(document)
    checked = check_source(Library().find(str(path)), Library())
    assert sorted(str(each.code) for each in found) == sorted(
        each.code.name for each in checked.diagnostics
    )
    outline = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert outline and len(outline) > 1
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
    assert folds
    tokens = await client.text_document_semantic_tokens_full_async(
        lsp.SemanticTokensParams(document)
    )
    assert tokens is not None and len(tokens.data) % 5 == 0
    assert bool(tokens.data) == bool(names_in(text)) or len(tokens.data) > 5
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(document))
    titles = [each.command.title for each in lenses or () if each.command]
    assert ("▶ run test" in titles) == ('\ntest "' in text)
    links = await client.text_document_document_link_async(lsp.DocumentLinkParams(document))
    builds_on = "\nuse " in text or text.lstrip().startswith("variant") or "\nvariant " in text
    assert bool(links) == builds_on
    await client.text_document_document_color_async(lsp.DocumentColorParams(document))
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(text.count("\n"), 0))
    hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole))
    assert bool(hints) or "    let " not in text
    options = lsp.FormattingOptions(tab_size=4, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, options)
    )
    assert not edits, "shipped files are formatted"
    places = names_in(text)
    selections = await client.text_document_selection_range_async(
        lsp.SelectionRangeParams(document, places)
    )
    assert selections is not None and len(selections) == len(places)
    hovers = definitions = completions = 0
    for place in places:
        hover = await client.text_document_hover_async(lsp.HoverParams(document, place))
        hovers += hover is not None
        there = await client.text_document_definition_async(lsp.DefinitionParams(document, place))
        definitions += bool(there)
        offered = await client.text_document_completion_async(lsp.CompletionParams(document, place))
        assert isinstance(offered, lsp.CompletionList)
        completions += bool(offered.items)
        await client.text_document_signature_help_async(lsp.SignatureHelpParams(document, place))
        await client.text_document_type_definition_async(lsp.TypeDefinitionParams(document, place))
        await client.text_document_document_highlight_async(
            lsp.DocumentHighlightParams(document, place)
        )
        actions = await client.text_document_code_action_async(
            lsp.CodeActionParams(document, lsp.Range(place, place), lsp.CodeActionContext([]))
        )
        assert actions is not None
    assert not places or (hovers and definitions)
    place = places[0] if places else lsp.Position(0, 0)
    await client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(include_declaration=True), document, place)
    )
    await client.text_document_implementation_async(lsp.ImplementationParams(document, place))
    editor.close(document)


def test_every_feature_works_on_every_game() -> None:
    async def look(editor: Editor) -> None:
        for path in FILES:
            await look_at(editor, path)

    assert FILES
    drive(look)


HEART = """\
game heart "Herz 🎴 größer"
    players 2

place größe of Münze      # Wie groß 🎴 der Haufen ist.
place box of Münze
piece Münze 12 in größe

step play
    repeat
        choose "🎴🎴 Wie viele?"
            nimm
        set active = active.next

step setup
    set active = Player(1)

action nimm(n in 1..3) "Nimm 🎴"
    require n <= count(größe)    "🎴 So viele sind nicht da."
    move n from größe to box     # 🎴🎴
    if empty(größe)
        win you
"""


@pytest.mark.parametrize("encoding", [None, *lsp.PositionEncodingKind])
def test_places_are_right_behind_umlauts_and_emoji(
    tmp_path: Path, encoding: lsp.PositionEncodingKind | None
) -> None:
    path = tmp_path / "heart.rules"
    path.write_text(HEART, "utf-8")
    line = HEART.split("\n").index("    if empty(größe)")
    width = {
        lsp.PositionEncodingKind.Utf8: len("größe".encode()),
    }.get(encoding or lsp.PositionEncodingKind.Utf16, len("größe"))

    async def look(editor: Editor) -> None:
        document = editor.open(path)
        assert await editor.mistakes(document) == []
        place = lsp.Position(line, len("    if empty(gr"))
        highlights = await editor.client.text_document_document_highlight_async(
            lsp.DocumentHighlightParams(document, place)
        )
        assert highlights is not None
        lengths = {each.range.end.character - each.range.start.character for each in highlights}
        assert len(highlights) == 5 and lengths == {width}
        if encoding in (None, lsp.PositionEncodingKind.Utf16):
            renamed = await editor.client.text_document_rename_async(
                lsp.RenameParams(document, place, "haufen")
            )
            assert renamed is not None and renamed.changes is not None
            text = apply(HEART, list(renamed.changes[document.uri]))
            assert text == HEART.replace("größe", "haufen").replace("haufenr", "größer")

    drive(look, encoding)


def test_an_edit_behind_an_emoji_lands_where_it_is_meant(tmp_path: Path) -> None:
    path = tmp_path / "heart.rules"
    path.write_text(HEART, "utf-8")

    async def look(editor: Editor) -> list[lsp.Diagnostic]:
        document = editor.open(path)
        assert await editor.mistakes(document) == []
        # In the comment behind two emoji, each of which is two units wide.
        end = position_of(HEART, "     # 🎴🎴\n", len("     # 🎴🎴"))
        editor.type(document, lsp.Range(end, end), " 🎴\n    move n from gröse to box")
        return await editor.mistakes(document)

    (mistake,) = drive(look)
    assert mistake.code == "unknown-name"
    assert mistake.range.start == lsp.Position(19, len("    move n from "))
