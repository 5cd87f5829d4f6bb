"""Whatever a stranger's rules say, a page of a report shows it and does nothing else."""

import re
from html.parser import HTMLParser

from ruledsl.diagnostics.source import Source
from ruledsl.lab.reporting.findings import findings_of
from ruledsl.lab.reporting.page import page_of
from ruledsl.lab.reporting.study import Setting, study_of
from ruledsl.library import Library
from ruledsl.play.loading import load_source
from tests.lab.small_games import FAIR, game_of

NAME = 'evil" onmouseover="alert(0)'
RULES = """game evil "</title><script>alert(1)</script>"
    players 2

option spare in 1..2 = 1 "<svg onload=alert(2)>"

step setup
    set active = Player(1)

step play
    choose "]]>--><script>alert(3)</script>"
        take
        never

action take "<img src=x onerror=alert(4)>"
    win you

action never "<script>alert(5)</script>"
    require spare > 1 "<script>alert(6)</script>"
    win you
"""


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.handlers: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.handlers.extend(name for name, _ in attrs if name.startswith("on"))


def test_names_and_texts_of_strangers_are_only_shown() -> None:
    game = load_source(Source(NAME, RULES), Library())
    study = study_of(game, Setting(game.players, 20, 0, 1, sampled=0))
    assert study is not None
    text = page_of(study, findings_of(study), ())
    tags = Tags()
    tags.feed(text)
    assert tags.names.isdisjoint({"script", "svg", "img", "iframe"})
    assert tags.handlers == []
    assert "&lt;script&gt;alert(5)" in text


def test_everything_counted_stands_in_tables_by_third_and_seat() -> None:
    game = game_of(FAIR)
    study = study_of(game, Setting((2,), 200, 0, 1, sampled=0))
    assert study is not None
    text = page_of(study, findings_of(study), ())
    table = re.search(r"<details><summary>Play: card (.*?)</details>", text, re.DOTALL)
    assert table is not None
    heads = re.findall(r"<th>(.*?)</th>", table[1])
    assert heads[-5:] == ["first third", "second", "last", "seat 1", "seat 2"]
    rows = {
        cells[0]: cells[1:]
        for row in re.findall(r"<tr>(<td>.*?)</tr>", table[1])
        if (cells := re.findall(r"<td>(.*?)</td>", row))
    }
    assert rows.keys() == {"ant", "bee", "cat"}
    for times, *_, one, other in rows.values():
        assert 1 < float(times) < 3
        assert 90 < int(one[:-2]) + int(other[:-2]) < 110
    (link,) = re.findall(r'href="#(.*?)">line', table[1].partition("</summary>")[0])
    assert f'id="{link}"' in text
