"""Every feature of the server, asked by a real client about every shipped game."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from ruledsl.language_server.swatches import VALUES
from tests.language_server.editor import Editor, apply, drive, position_of

GAMES = Path(__file__).parents[2] / "games"
FILES = sorted(GAMES.rglob("*.rules"))
OFTEN = 4
"""In how many files a construct is looked at."""


WORDS = (
    *("step", "place", "piece", "type", "option", "action", "define", "trigger", "state"),
    *("move", "if", "set", "for", "require"),
)
NAMED = re.compile(rf"(?:    )?({'|'.join(WORDS)}) +(\w\w+)")


def names_in(text: str) -> list[tuple[str, lsp.Position]]:
    """The names behind the first words of lines, with those words."""
    return [
        (match[1], lsp.Position(number, match.start(2) + 1))
        for number, line in enumerate(text.split("\n"))
        if (match := NAMED.match(line))
    ]


def chosen(text: str, seen: Counter[str]) -> list[lsp.Position]:
    """A declaration, and one place of each construct that was met in few files so far."""
    found: dict[str, lsp.Position] = {}
    for word, place in names_in(text):
        if word not in found and (not found or seen[word] < OFTEN):
            found[word] = place
            seen[word] += 1
    return list(found.values())


async def about_the_whole(editor: Editor, document: lsp.TextDocumentIdentifier) -> None:
    """What is asked about a file."""
    text, client = editor.texts[document.uri], editor.client
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
    assert titles.count("▶ run test") == len(re.findall(r'(?m)^(?:replace )?test "', text))
    is_game = re.search(r"(?m)^(game|variant) ", text) is not None
    assert ("▶ play" in titles) == ("simulate" in titles) == is_game
    cites = re.search(r"(?m)^    rulebook ", text) is not None
    assert not cites or any(title.endswith("rules cited") for title in titles)
    links = await client.text_document_document_link_async(lsp.DocumentLinkParams(document))
    builds_on = "\nuse " in text or text.lstrip().startswith("variant") or "\nvariant " in text
    assert bool(links) == builds_on
    colours = await client.text_document_document_color_async(lsp.DocumentColorParams(document))
    block = re.search(r"(?m)^(?:extend |replace )?looks$(?:\n| .*)+", text)
    named = block is not None and not VALUES.keys().isdisjoint(block[0].split())
    assert bool(colours) == named
    for colour in (colours or ())[:1]:
        names = await client.text_document_color_presentation_async(
            lsp.ColorPresentationParams(document, colour.color, colour.range)
        )
        assert names and names[0].label in VALUES
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(text.count("\n"), 0))
    hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole))
    assert bool(hints) or "    let " not in text
    options = lsp.FormattingOptions(tab_size=4, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, options)
    )
    assert not edits, "shipped files are formatted"
    edits = await client.text_document_range_formatting_async(
        lsp.DocumentRangeFormattingParams(document, whole, options)
    )
    assert not edits


async def about_a_place(
    editor: Editor, document: lsp.TextDocumentIdentifier, place: lsp.Position
) -> set[str]:
    """What is asked about a name; which answers there were."""
    client = editor.client
    at = (document, place)
    asked = {
        "hover": client.text_document_hover_async(lsp.HoverParams(*at)),
        "definition": client.text_document_definition_async(lsp.DefinitionParams(*at)),
        "declaration": client.text_document_declaration_async(lsp.DeclarationParams(*at)),
        "type": client.text_document_type_definition_async(lsp.TypeDefinitionParams(*at)),
        "implementation": client.text_document_implementation_async(lsp.ImplementationParams(*at)),
        "highlight": client.text_document_document_highlight_async(
            lsp.DocumentHighlightParams(*at)
        ),
        "signature": client.text_document_signature_help_async(lsp.SignatureHelpParams(*at)),
        "references": client.text_document_references_async(
            lsp.ReferenceParams(lsp.ReferenceContext(include_declaration=True), *at)
        ),
        "selection": client.text_document_selection_range_async(
            lsp.SelectionRangeParams(document, [place])
        ),
    }
    answers: dict[str, object] = {name: await answer for name, answer in asked.items()}
    offered = await client.text_document_completion_async(lsp.CompletionParams(*at))
    assert isinstance(offered, lsp.CompletionList)
    answers["completion"] = offered.items
    calls = await client.text_document_prepare_call_hierarchy_async(
        lsp.CallHierarchyPrepareParams(*at)
    )
    for item in calls or ():
        coming = await client.call_hierarchy_incoming_calls_async(
            lsp.CallHierarchyIncomingCallsParams(item)
        )
        going = await client.call_hierarchy_outgoing_calls_async(
            lsp.CallHierarchyOutgoingCallsParams(item)
        )
        answers["calls"] = [*(coming or ()), *(going or ())]
    return {name for name, answer in answers.items() if answer}


async def one_name_less(editor: Editor, document: lsp.TextDocumentIdentifier) -> None:
    """A slip in the last line is marked, mended by what is offered, and gone."""
    text, client = editor.texts[document.uri], editor.client
    last = lsp.Position(text.count("\n"), 0)
    editor.type(document, lsp.Range(last, last), "\n# ä🎴\nstpe ü\n    skip\n")
    found = [each for each in await editor.mistakes(document) if each.range.start.line > last.line]
    assert [each.code for each in found] == ["unknown-declaration"]
    actions = await client.text_document_code_action_async(
        lsp.CodeActionParams(
            document,
            found[0].range,
            lsp.CodeActionContext(found, only=[lsp.CodeActionKind.QuickFix]),
        )
    )
    assert any(each.title == "Write `step`" for each in actions or ())
    editor.type(document, lsp.Range(last, lsp.Position(last.line + 4, 0)), "")


async def look_at(editor: Editor, path: Path, places: list[lsp.Position]) -> set[str]:
    """All requests about one file; what must be there is."""
    document = editor.open(path)
    assert await editor.mistakes(document) == [], "shipped files have no mistakes"
    await about_the_whole(editor, document)
    answered: set[str] = set()
    for place in places:
        answered |= await about_a_place(editor, document, place)
    assert not places or {"hover", "definition", "highlight", "references"} <= answered
    for place in places[:1]:
        actions = await editor.client.text_document_code_action_async(
            lsp.CodeActionParams(document, lsp.Range(place, place), lsp.CodeActionContext([]))
        )
        assert actions is not None
    await one_name_less(editor, document)
    assert await editor.mistakes(document) == []
    editor.close(document)
    return answered


async def look_at_all(editor: Editor, places: Callable[[str], list[lsp.Position]]) -> set[str]:
    answered: set[str] = set()
    for path in FILES:
        answered |= await look_at(editor, path, places(path.read_text("utf-8")))
    symbols = await editor.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("a"))
    assert symbols == [], "nothing is open any more"
    return answered


ANSWERED = {"type", "implementation", "completion", "selection", "calls", "declaration"}


def test_every_feature_works_on_every_game() -> None:
    assert FILES
    seen: Counter[str] = Counter()
    answered = drive(lambda editor: look_at_all(editor, lambda text: chosen(text, seen)))
    assert answered >= ANSWERED
    assert seen.keys() == {*WORDS}, "each construct is looked at"


@pytest.mark.soak
def test_every_feature_works_at_every_name() -> None:
    def everywhere(text: str) -> list[lsp.Position]:
        return [place for _, place in names_in(text)]

    assert drive(lambda editor: look_at_all(editor, everywhere)) >= ANSWERED


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


@pytest.mark.parametrize("is_inside", [True, False])
def test_what_stands_above_is_done_wherever_the_server_was_started(
    tmp_path: Path, *, is_inside: bool
) -> None:
    """Clients know files by their paths; the server, by their place below its own folder."""
    path = tmp_path / "heart.rules"
    text = f'{HEART}\ntest "it begins"\n    then\n        count(größe) = 12\n'
    path.write_text(text, "utf-8")

    async def look(editor: Editor) -> None:
        document, client = editor.open(path), editor.client
        assert await editor.mistakes(document) == []

        async def shown() -> dict[str, lsp.Command]:
            found = await client.text_document_code_lens_async(lsp.CodeLensParams(document))
            return {each.command.title: each.command for each in found or () if each.command}

        async def click(title: str) -> object:
            command = (await shown())[title]
            assert command.arguments is not None and command.arguments[0] == str(path)
            asked = lsp.ExecuteCommandParams(command.command, command.arguments)
            return await client.workspace_execute_command_async(asked)

        assert [*((await shown())["▶ play"].arguments or ())] == [str(path)]
        assert await click("▶ run test") and "✓ passed" in await shown()
        assert str(await click("simulate")).startswith("1000 games, 2 players: wins ")
        assert any(title.startswith("simulate: 1000 games") for title in await shown())
        editor.change(document, text.replace("piece Münze 12", "piece Münze 11"))
        assert await editor.mistakes(document) == []
        earlier = [title for title in await shown() if "before the last changes" in title]
        assert len(earlier) == 2
        assert await click("run 1 test")
        assert any(title.startswith("✗ line") for title in await shown())

    drive(look, folder=tmp_path if is_inside else None)


def test_names_of_the_whole_folder_are_found() -> None:
    async def look(editor: Editor) -> list[tuple[str, str, int]]:
        path = GAMES / "classics" / "tic_tac_toe.rules"
        assert await editor.mistakes(editor.open(path)) == []
        found = await editor.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("three"))
        return [
            (Path(each.location.uri).name, each.name, each.location.range.start.line)
            for each in found or ()
            if isinstance(each, lsp.SymbolInformation)
        ]

    found = drive(look)
    lines = (GAMES / "classics" / "tic_tac_toe.rules").read_text("utf-8").split("\n")
    (here,) = [line for file, name, line in found if (file, name) == ("tic_tac_toe.rules", "three")]
    assert lines[here].startswith("define three(")
    assert {file for file, _, _ in found} - {"tic_tac_toe.rules"}, "of files beside it, too"
