"""What is told at the table."""

import re
from contextlib import redirect_stdout
from io import StringIO

import pytest

from ruledsl.cli.announcer import Announcer
from ruledsl.cli.drawing.end import ending_lines
from ruledsl.cli.drawing.text import finished
from ruledsl.cli.screen import Screen
from ruledsl.play.match import Match
from ruledsl.play.views import View
from ruledsl.players.seats import Human
from ruledsl.scene.data import Ending, Fact, Placing
from ruledsl.texts.text import Phrases

from .test_drawing import load


def told() -> str:
    """What the first player is told who chose, and then has waited for three others."""
    match = load("pied_piper").start(seed=11, players=4)
    while match.seat != 1:
        match.choose(0)
    shown = StringIO()
    screen = Screen(color=False, interactive=False)
    with redirect_stdout(shown):
        announcer = Announcer(match, screen, {1: Human()})
        announcer.news(1)
        shown.truncate(0)
        match.choose("Forward 1, character card 2")
        while match.seat == 1:
            match.choose(0)
        while match.seat != 1:
            match.choose(0)
        announcer.news(1)
    return shown.getvalue()


def test_what_came_of_ones_own_choice_is_told_however_much_followed() -> None:
    text = told()
    title, first, more = text.splitlines()[0:3]
    assert title.endswith("What happened:")
    assert first == "  Player 1 plays Forward 1 under character card 2, the Pied Piper."
    assert more.endswith(" more in between; `log` shows all)")


def test_where_there_is_room_nothing_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Screen, "most_news", 1000)
    text = told()
    assert "in between" not in text
    assert len(text.splitlines()) > 16


def test_a_single_sentence_is_never_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """To say so would take a line as well."""
    left_out = set()
    for room in range(1, 30):
        monkeypatch.setattr(Screen, "most_news", room)
        counted = re.search(r"\((\d+) more in between", told())
        left_out.add(int(counted[1]) if counted else 0)
    assert {0, 2, 3} <= left_out
    assert 1 not in left_out


def test_what_broke_a_tie_is_marked() -> None:
    def placing(seat: int, trackers: str) -> Placing:
        keys = (Fact("floor", "floor", "5"), Fact("trackers", "trackers", trackers))
        return Placing(seat, seat, 0, seat == 1, keys)

    ending = Ending("ended", (placing(1, "2"), placing(2, "0")), drawn=False)
    lines = ending_lines(ending, str, Phrases("en"), 79)
    assert [finished(line, color=False) for line in lines][2:] == [
        "1. 1: floor 5, trackers 2 (which decides)",
        "2. 2: floor 5, trackers 0 (which decides)",
    ]


def test_news_are_told_without_looking_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table may hold much, and whoever only looks on is told of each of many choices."""
    match = load("pied_piper").start(seed=11, players=4)
    announcer = Announcer(match, Screen(color=False, interactive=False), {})
    match.choose(0)
    looked: list[int | None] = []
    view = Match.view

    def counted(self: Match, seat: int | None) -> View:
        looked.append(seat)
        return view(self, seat)

    monkeypatch.setattr(Match, "view", counted)
    shown = StringIO()
    with redirect_stdout(shown):
        announcer.report()
    assert shown.getvalue()
    announcer.chosen(1)
    assert looked == []
    announcer.table(1)
    assert looked == [1]
