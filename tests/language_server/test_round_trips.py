"""Renaming and formatting leave the meaning as it was: games go on in the same way."""

import re
from pathlib import Path

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.layout import formatting
from ruledsl.language_server.navigation import (
    callable_at,
    definitions,
    implementations,
    incoming_calls,
    outgoing_calls,
    references,
)
from ruledsl.language_server.refactorings import refactorings
from ruledsl.language_server.renaming import Refused, rename
from ruledsl.language_server.texts import Place, Text
from ruledsl.language_server.workspace import Workspace
from ruledsl.library import Library, display_name
from ruledsl.model.game import CheckedGame
from ruledsl.play.check import check_source
from tests.language_server.courses import courses, shipped_courses

GAMES = Path(__file__).parents[2] / "games"


def path_of(name: str) -> Path:
    (path,) = GAMES.rglob(f"{name}.rules")
    return path


def opened(*names: str) -> tuple[Workspace, list[Analysis]]:
    workspace = Workspace()
    paths = [path_of(name) for name in names]
    for path in paths:
        workspace.open(display_name(path), path.read_text("utf-8"))
    analyses = [workspace.analysis(display_name(path)) for path in paths]
    assert all(analyses)
    return workspace, [each for each in analyses if each is not None]


def checked(workspace: Workspace, name: str) -> CheckedGame | None:
    analysis = workspace.analysis(name)
    return None if analysis is None else analysis.game


def at(analysis: Analysis, needle: str, into: int = 0) -> Place:
    """Where a text holds something for the first time."""
    start = analysis.text.text.index(needle) + into
    before = analysis.text.text[:start]
    return Place(before.count("\n") + 1, start - (before.rfind("\n") + 1) + 1)


RENAMED = {
    "pied_piper": (
        ("piece Card", 7),
        ("    forward ", 5),
        ("define houses", 8),
        ("place hand", 7),
        ("state Tracker.floor", 15),
        ("step turn", 6),
    ),
    "hearts": (("define ", 8),),
    "chess": (("action ", 8),),
    "cards": (("type Suit", 6),),
    "tic_tac_toe": (("piece ", 7), ("action ", 8)),
}
"""Where names stand in games that get others."""


@pytest.mark.parametrize("game", RENAMED)
def test_renamed_things_play_as_before(game: str) -> None:
    workspace, (analysis,) = opened(game)
    family = [each.name for each in workspace.family(analysis.name) if _plays(each)]
    for number, (needle, into) in enumerate(RENAMED[game]):
        now = workspace.analysis(analysis.name)
        assert now is not None
        renaming = rename(workspace, now, at(now, needle, into), f"Another_name_{number}")
        assert analysis.name in renaming.edits
        for file, edits in renaming.edits.items():
            source = workspace.source(file)
            assert source is not None
            workspace.open(file, Text(source).applied(edits))
    assert family
    for name in family:
        assert courses(checked(workspace, name)) == shipped_courses(name)


def test_another_rule_would_be_noticed() -> None:
    path = path_of("tic_tac_toe")
    text = path.read_text("utf-8")
    other = text.replace("active.next", "active", 1)
    assert other != text
    changed = check_source(Source(str(path), other), Library())
    assert courses(changed.game) != shipped_courses(display_name(path))


def _plays(analysis: Analysis) -> bool:
    return analysis.game is not None and "play" in analysis.game.steps


def test_a_name_that_is_taken_is_refused_with_the_reason() -> None:
    workspace, (analysis,) = opened("pied_piper")
    place = at(analysis, "place deck", 7)
    for name, reason in (
        ("discard", "does not do"),
        ("not a name", "is not a name"),
        ("if", "does not do"),
    ):
        with pytest.raises(Refused, match=reason):
            rename(workspace, analysis, place, name)
    with pytest.raises(Refused, match="word of the language"):
        rename(workspace, analysis, at(analysis, "per Player", 5), "Person")


def test_a_rename_goes_through_libraries_variants_and_translations() -> None:
    workspace, (library, _) = opened("cards", "hearts")
    renaming = rename(workspace, library, at(library, "type Suit", 6), "Colour")
    files = {Path(file).stem for file in renaming.edits}
    assert {"cards", "hearts", "euchre"} <= files
    workspace, (base,) = opened("pied_piper")
    renaming = rename(workspace, base, at(base, "    forward ", 5), "onward_card")
    text = base.text.applied(renaming.edits[base.name])
    assert re.search(r'language de(?:.|\n)*onward_card\s+"', text)


@pytest.mark.parametrize("name", ["pied_piper", "hearts", "chess", "secret_rugrats"])
def test_formatting_keeps_the_meaning(name: str) -> None:
    path = path_of(name)
    tidy = path.read_text("utf-8")
    untidy = re.sub(r"(?m)^( +)", lambda match: match[1][: len(match[1]) // 2], tidy)
    untidy = re.sub(r"(?<=\S)  +(?=\S)", " ", untidy)
    assert untidy != tidy
    workspace = Workspace()
    workspace.open(str(path), untidy)
    analysis = workspace.analysis(str(path))
    assert analysis is not None
    after = analysis.text.applied(formatting(analysis))
    workspace.open(str(path), after)
    again = workspace.analysis(str(path))
    assert again is not None and formatting(again) == ()
    assert again.parsed.file == analysis.parsed.file
    assert courses(again.game) == shipped_courses(display_name(path))


def test_only_the_lines_asked_for_are_formatted() -> None:
    path = path_of("hearts")
    lines = path.read_text("utf-8").split("\n")
    blocks = [number for number, line in enumerate(lines) if line.startswith("    ")]
    first, last = blocks[0], blocks[-1]
    lines[first] = lines[first].rstrip() + "   "
    lines[last] = lines[last].rstrip() + "   "
    workspace = Workspace()
    workspace.open(str(path), "\n".join(lines))
    analysis = workspace.analysis(str(path))
    assert analysis is not None
    edits = formatting(analysis, last + 1, last + 1)
    assert {edit.span.line for edit in edits} == {last + 1}


# ---------------------------------------------------------------- going around


def test_from_a_change_to_the_base_and_back() -> None:
    workspace, (base, variant) = opened("pied_piper", "rugrats")
    changed = re.search(r"(?m)^replace \w+ (\w+)", variant.text.text)
    assert changed is not None
    place = at(variant, changed[0], len(changed[0]) - len(changed[1]))
    (there,) = definitions(workspace, variant, place)
    assert there.file == base.name
    back = implementations(workspace, base, Place(there.line, there.column))
    assert variant.name in {span.file for span in back}
    (file,) = definitions(workspace, variant, at(variant, " of pied_piper", 5))
    assert (file.file, file.line) == (base.name, 1)


def test_calls_lead_both_ways() -> None:
    workspace, (analysis,) = opened("pied_piper")
    found = callable_at(analysis, at(analysis, "step turn", 6))
    assert found is not None
    symbol, _ = found
    callers = {call.entry.name for call in incoming_calls(workspace, analysis, symbol)}
    called = {call.entry.name for call in outgoing_calls(analysis, symbol)}
    assert "play" in callers and called
    for occurrence in references(workspace, analysis, symbol):
        home = workspace.analysis(occurrence.span.file)
        assert home is not None and home.text.text_of(occurrence.span) == "turn"


def test_lines_become_a_step_and_a_definition_is_written_out() -> None:
    workspace, (analysis,) = opened("pied_piper")
    before = shipped_courses(analysis.name)
    done = set()
    for needle in ("step setup\n", "define copies"):
        place = at(analysis, needle, 8)
        line = place.line + (needle.startswith("step"))
        span = analysis.text.span(line, 9, line, 9)
        for change in refactorings(workspace, analysis, span):
            if change.title != "Mark it as assumed":
                text = analysis.text.applied(change.edits)
                after = check_source(Source(analysis.name, text), Library())
                assert courses(after.game) == before
                done.add(change.title)
    assert "Make it a step" in done
