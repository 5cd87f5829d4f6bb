"""The repairs and rearrangements that an editor is promised, each by what it does to a text."""

from pathlib import Path

import pytest

from ruledsl.language_server.analysis import Analysis
from ruledsl.language_server.fixes import fixes
from ruledsl.language_server.refactorings import refactorings
from ruledsl.language_server.workspace import Workspace

GAME = """\
game small "Small"
    players 2
    rulebook RB 1..1 "The Book"

place heap of Stone
place box of Stone
piece Stone 5 in heap

define few = 2

step setup
    set active = Player(1)

step play
    repeat
        choose "How many?"
            take_some
        set active = active.next

action take_some(n in 1..few) "Take"    §RB-1
    require n <= count(heap)    "Not so many."
    move n from heap to box
    if empty(heap)
        win you
"""

GERMAN = """
language de
    small          "Klein"
    Stone          "Stein"
    box            "Schachtel"
    take_some      "Nehmen"
    "How many?"    "Wie viele?"
    "Not so many." "Nicht so viele."
"""


def opened(folder: Path, text: str) -> tuple[Workspace, Analysis]:
    workspace = Workspace()
    name = str(folder / "small.rules")
    workspace.open(name, text)
    analysis = workspace.analysis(name)
    assert analysis is not None
    return workspace, analysis


@pytest.mark.parametrize(
    ("text", "title", "mended"),
    [
        (GAME.replace("empty(heap)", "empty(hepa)"), "Write `heap`", GAME),
        (
            GAME.replace("win you", "win first(p in playing where p != you)"),
            "Write `sure( )` around it",
            GAME.replace("win you", "win sure(first(p in playing where p != you))"),
        ),
        (
            GAME.replace("win you", "win first(p in playing where p != you)"),
            "Require `first(p in playing where p != you) != none`",
            GAME.replace("win you", "win first(p in playing where p != you)").replace(
                '"Not so many."\n',
                '"Not so many."\n    require first(p in playing where p != you) != none'
                '    "This is not allowed."\n',
            ),
        ),
        (
            GAME.replace('    "Not so many."', ""),
            "Add a message",
            GAME.replace('"Not so many."', '"This is not allowed."'),
        ),
        (GAME + GERMAN, "Add a line for `de`", f'{GAME}{GERMAN}    heap "heap"\n'),
        (
            GAME.replace("        set active = active.next", "        set active = active.others"),
            "Write `the( )` around it",
            GAME.replace(
                "        set active = active.next", "        set active = the(active.others)"
            ),
        ),
        (
            GAME.replace(
                '    require n <= count(heap)    "Not so many."\n    move n from heap to box\n',
                '    move n from heap to box\n    require n <= count(heap)    "Not so many."\n',
            ),
            "Move the requirement up",
            GAME,
        ),
        (
            GAME + '\n    test "it begins"\n        players 2\n        then\n            few = 2\n',
            "Move it to the left",
            GAME + '\ntest "it begins"\n    players 2\n    then\n        few = 2\n',
        ),
        (
            GAME + GERMAN.replace('    box            "Schachtel"\n', ""),
            "Add all lines that `de` lacks",
            GAME
            + GERMAN.replace('    box            "Schachtel"\n', "")
            + '    heap "heap"\n    box "box"\n',
        ),
    ],
)
def test_a_hint_is_carried_out(tmp_path: Path, text: str, title: str, mended: str) -> None:
    workspace, analysis = opened(tmp_path, text)
    mistake, *others = analysis.diagnostics
    assert {each.code for each in others} <= {mistake.code}
    offered = {repair.title: repair for repair in fixes(workspace, analysis, mistake)}
    assert title in offered
    assert analysis.text.applied(offered[title].edits) == mended
    assert not opened(tmp_path, mended)[1].diagnostics


@pytest.mark.parametrize(
    ("needle", "title", "changes"),
    [
        ("few = 2", "Write `few` out", (("define few = 2\n", ""), ("1..few", "1..2"))),
        (
            "    if empty",
            "Mark it as assumed",
            (("(heap)\n        win", '(heap) assumed "the rulebook does not say"\n        win'),),
        ),
        (
            "    move n",
            "Make it a step",
            (
                ("    move n from heap to box\n", "    new_step(n)\n"),
                (
                    "        win you\n",
                    "        win you\n\nstep new_step(n: number)\n    move n from heap to box\n",
                ),
            ),
        ),
    ],
)
def test_a_text_is_rearranged(
    tmp_path: Path, needle: str, title: str, changes: tuple[tuple[str, str], ...]
) -> None:
    workspace, analysis = opened(tmp_path, GAME)
    at = GAME.index(needle)
    line, column = GAME.count("\n", 0, at) + 1, at - GAME.rfind("\n", 0, at)
    span = analysis.text.span(line, column, line, column)
    offered = {change.title: change for change in refactorings(workspace, analysis, span)}
    assert title in offered
    wanted = GAME
    for before, after in changes:
        assert before in wanted
        wanted = wanted.replace(before, after, 1)
    assert analysis.text.applied(offered[title].edits) == wanted
