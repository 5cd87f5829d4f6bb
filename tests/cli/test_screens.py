"""What players see of every game at three sizes, kept in files that people read.

A new game gets one when the tests first run; `UPDATE_SNAPSHOTS=1` draws all of them anew.
"""

import os
import re
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

import pytest

from ruledsl.cli.announcer import Announcer, log_lines
from ruledsl.cli.drawing.panes import MenuRoom, Panes, Told, framed, printed
from ruledsl.cli.drawing.text import finished, plain, width
from ruledsl.cli.multiple_choice import Basket
from ruledsl.cli.screen import Screen
from ruledsl.play.match import Match
from ruledsl.players.seats import Human
from ruledsl.scene.scene import scene_of

from .test_drawing import games, load, played

SCREENS = Path(__file__).with_name("screens")
UPDATE = "UPDATE_SNAPSHOTS" in os.environ
COMPLETE = "CI" in os.environ
MOVES = 14
"""Choices after which the screen is looked at."""
SIZES = ((80, 24), (100, 40))
SHARED = {"pied_piper": (80, 24), "hameln": (100, 40), "ratzentanz": (100, 40)}
"""Sizes that suffice."""
WATCHED, EVERY = 131, 26
"""Choices of a game that is looked at now and then."""
NARROW = 40


def panes_of(match: Match) -> Panes:
    """All that there is to show to whoever decides, or to the first seat at the end."""
    seat = match.seat or 1
    screen = Screen(color=False, interactive=False)
    announcer = Announcer(match, screen, {seat: Human()})
    announcer.seen(seat, max(0, scene_of(match, seat).told - 12))
    announcer.table(seat)
    if match.decision is not None:
        several = match.decision.several and not match.decision.picked
        with redirect_stdout(StringIO()):
            announcer.choices(seat, Basket(match, match.decision) if several else None)
    scene = scene_of(match, seat, max(0, scene_of(match, seat).told - 12))
    screen.panes.told = [Told(line, "    ") for line in log_lines(scene)]
    return screen.panes


def screens(match: Match) -> str:
    panes = panes_of(match)
    shown = []
    for columns, rows in SIZES:
        lines = framed(panes, columns, rows - 1).lines
        assert len(lines) <= rows - 1
        assert [line for line in lines if width(line) > columns] == []
        shown.append((f"{columns} × {rows}", lines))
    narrow = [*panes.draw(NARROW - 1, None), *panes.menu(MenuRoom(NARROW - 1))]
    assert [line for line in narrow if width(line) > NARROW] == []
    shown.append((f"{NARROW} columns", tuple(narrow)))
    return "".join(f"{title}\n\n{_text(lines)}\n" for title, lines in shown)


SIGNS = "[*+·▶●○■▲◆★✚⬟"


def unexplained(screen: str) -> set[str]:
    """Signs that are drawn, and neither in a legend nor beside a player's name."""
    # Borders of boxes, citations, and cards called +1 are none.
    screen = re.sub(r"\+[-+]+|\[§|\+(?=\d)", "", screen)
    legend = {sign for found in re.findall(r"((?:\S+ )+)= \S", screen) for sign in found}
    named = set(re.findall(r"(\S) Player \d", screen))
    drawn = {sign for sign in screen if sign in SIGNS} | set(
        re.findall(r"(?:^| )(–)\*?(?: |$)", screen)
    )
    return drawn - legend - named


def signed(screen: str) -> set[int]:
    """The players who are told with their signs."""
    return {int(seat) for seat in re.findall(r"[●○■▲◆★✚⬟] Player (\d)", screen)}


def doubled(screen: str) -> list[str]:
    """Labels with nothing but themselves beside them."""
    return re.findall(r"(?m)(?:^|  )(\w[\w ]*): (?:\d+ × )?\1\*?(?=  |$)", screen)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("name", "size"), [*SHARED.items()])
def test_board_and_question_share_the_screen(
    name: str, size: tuple[int, int], language: str
) -> None:
    """At any moment of a game of any number of players, on the full screen and in plain lines;
    and the board is whole while news are read."""
    columns, rows = size
    for players in load(name).players:
        match = load(name).start(seed=1, players=players, language=language)
        random = Random(1)
        for number in range(WATCHED):
            if match.seat is None:
                break
            if number % EVERY == 0:
                panes = panes_of(match)
                for panes.reading in (None, 0):
                    frame = framed(panes, columns, rows - 1)
                    assert frame.hidden == 0
                    assert "…" not in {
                        plain(each).rpartition("│")[2].strip() for each in frame.lines
                    }
                    assert frame.told
                assert len(printed(panes, columns - 1, rows - 2)) <= rows - 2
            match.choose(random.randrange(len(match.options)))


def test_on_a_narrower_screen_things_stand_beside_the_board_if_that_shows_more() -> None:
    match = played("chess", MOVES)
    panes = panes_of(match)
    frame = framed(panes, 80, 23)
    assert frame.beside and frame.lacking == 0
    offered = {
        frame.option_at(found.start() + start, row)
        for row, (start, line) in frame.options.items()
        for found in re.finditer(r"(?<!\S)\d+\) ", line)
    }
    assert offered == set(range(1, len(match.options) + 1))
    panes.reading = 0
    assert framed(panes, 80, 23).beside == frame.beside
    panes.reading = None
    assert not framed(panes, 73, 23).beside
    assert not framed(panes_of(played("hameln", MOVES)), 80, 23).beside


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{finished(line, color=False).rstrip()}\n" for line in lines)


@pytest.mark.parametrize("name", games())
def test_screens(name: str) -> None:
    file = SCREENS / f"{name}.txt"
    match = played(name, MOVES)
    text = screens(match)
    for screen in re.split(r"\d+ × \d+\n|\d+ columns\n", text):
        if "PgDn" not in screen:
            assert unexplained(screen) == set()
            assert signed(screen) in (set(), set(range(1, match.players + 1)))
            assert signed(screen) or not re.search("(?:[●○■▲◆★✚⬟] )+= ", screen)
        assert doubled(screen) == []
        assert ("▶ = " in screen) == bool(re.search(r"▶ (?!=)", screen))
    if UPDATE or not (file.is_file() or COMPLETE):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
