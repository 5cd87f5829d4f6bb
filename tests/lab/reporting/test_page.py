"""Whatever a stranger's rules say, a page of a report shows it and does nothing else."""

from html.parser import HTMLParser

from ruledsl.diagnostics.source import Source
from ruledsl.lab.reporting.findings import findings_of
from ruledsl.lab.reporting.page import page_of
from ruledsl.lab.reporting.study import Setting, study_of
from ruledsl.library import Library
from ruledsl.play.loading import load_source

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
