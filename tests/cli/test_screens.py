"""What players see of every game at three sizes, kept in files that people read.

A new game gets one when the tests first run; `UPDATE_SNAPSHOTS=1` draws all of them anew.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from ruledsl.cli.announcer import log_lines
from ruledsl.cli.drawing.artist import Artist
from ruledsl.cli.drawing.menu import menu_lines
from ruledsl.cli.drawing.panes import Panes, framed
from ruledsl.cli.drawing.text import finished, width, wrap
from ruledsl.play.match import Match
from ruledsl.scene.scene import scene_of, stage_of

from .test_drawing import SAY, games, played

SCREENS = Path(__file__).with_name("screens")
UPDATE = "UPDATE_SNAPSHOTS" in os.environ
COMPLETE = "CI" in os.environ
MOVES = 14
"""Choices after which the screen is looked at."""
SIZES = ((80, 24), (100, 40))
NARROW = 40


def panes_of(match: Match) -> Panes:
    """All that there is to show to whoever decides, or to the first seat at the end."""
    seat = match.seat or 1
    since = max(0, scene_of(match, seat).told - 12)
    scene = scene_of(match, seat, since)
    artist = Artist(stage_of(match), match.players)
    panes = Panes(
        draw=lambda columns: artist.draw(scene, columns),
        draw_apart=lambda columns, beside: artist.draw_apart(scene, columns, beside),
        menu=lambda columns: (
            []
            if scene.ask is None
            else [
                *wrap(match.prompt, columns, "  "),
                *menu_lines(scene.ask, columns, SAY),
            ]
        ),
    )
    panes.told = log_lines(scene)
    return panes


def screens(match: Match) -> str:
    panes = panes_of(match)
    shown = []
    for columns, rows in SIZES:
        told = panes.told
        panes.told = [
            line for text in told for line in wrap(text, panes.told_columns(columns), "    ")
        ]
        lines = framed(panes, columns, rows - 1).lines
        panes.told = told
        assert len(lines) <= rows - 1
        assert [line for line in lines if width(line) > columns] == []
        shown.append((f"{columns} × {rows}", lines))
    narrow = [*panes.draw(NARROW - 1), *panes.menu(NARROW - 1)]
    assert [line for line in narrow if width(line) > NARROW] == []
    shown.append((f"{NARROW} columns", tuple(narrow)))
    return "".join(f"{title}\n\n{_text(lines)}\n" for title, lines in shown)


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{finished(line, color=False).rstrip()}\n" for line in lines)


@pytest.mark.parametrize("name", games())
def test_screens(name: str) -> None:
    file = SCREENS / f"{name}.txt"
    text = screens(played(name, MOVES))
    if UPDATE or not (file.is_file() or COMPLETE):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
