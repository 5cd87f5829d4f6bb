"""`ruledsl report`."""

from __future__ import annotations

import csv
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from .conftest import Run

FAST = ("--games", "300", "--skilled", "0")


class Links(HTMLParser):
    """Where a page leads to, and what it has names for."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        of = dict(attrs)
        if tag == "a":
            self.links.append(of.get("href") or "")
        if of.get("id"):
            self.names.add(of["id"] or "")
        if tag in ("script", "link", "img", "iframe"):
            self.loads.append(tag)


@pytest.mark.extra
def test_a_page_that_needs_nothing_else(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    out = tmp_path / "report.html"
    result = run("report", "rugrats", *FAST, "--players", "2,4", "--out", str(out))
    assert result.exit_code == 0, result.output
    text = out.read_text(encoding="utf-8")
    page = Links()
    page.feed(text)
    assert page.loads == []
    assert not re.search(r"(src|url)\s*[=(]\s*[\"']?https?:", text)
    assert {link.removeprefix("#") for link in page.links} <= page.names
    assert text.count("<svg") >= 5
    assert "Is every seat as good as another?" in text
    assert "What is it worth to have it?" in text


def test_in_the_terminal(run: Run) -> None:
    result = run("report", "pig", *FAST, "--players", "2")
    # For whom it holds stands before all that is said.
    assert result.output.splitlines()[1].startswith("Players choose at random ")
    assert "seat 1 wins" in result.output or "No seat is better" in result.output
    assert "choices in a game" in result.output
    assert "█" in result.output


def test_as_json_the_same_for_the_same_seed(run: Run) -> None:
    words = ("report", "pig:goal=20", *FAST, "--players", "2", "--seed", "4", "--json")
    one, other = run(*words), run(*words)
    assert one.output == other.output
    document = json.loads(one.output)
    assert document["players"]["2"]["seats"][0]["wins"]["low"] < 0.6
    assert {"action", "line", "roll"} <= {each["sort"] for each in document["counters"]}


def test_rows(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "rows.csv"
    run("report", "pig:goal=20", *FAST, "--players", "2", "--out", str(out))
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    throws = [row for row in rows if row["sort"] == "action" and row["name"] == "throw"]
    assert [row["seat"] for row in throws] == ["", "1", "2"]
    for row in throws:
        thirds = (row["first_third"], row["second_third"], row["last_third"])
        assert int(row["uses"]) == sum(map(int, thirds)) > 0
    everybody, *seats = (int(row["uses"]) for row in throws)
    assert everybody == sum(seats)


@pytest.mark.extra
def test_parquet(run: Run, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "rows.parquet"
    run("report", "pig:goal=20", *FAST, "--players", "2", "--out", str(out))
    table = parquet.read_table(out)
    assert table.num_rows > 20
    assert "first_third" in table.column_names


def test_without_the_extra_it_says_so(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    out = tmp_path / "report.html"
    result = run("report", "pig:goal=20", *FAST, "--players", "2", "--out", str(out))
    assert result.exit_code == 2
    assert "tabletop-rules[lab]" in result.output
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing",), "no game is called `nothing`"),
        (("pig", "--players", "two"), "no numbers of players"),
        (("pig", "--players", "99"), "not 99"),
        (("pig", "--out", "report.pdf"), "nothing that is written here"),
        (("pig", "--option", "goal=1000"), "goal"),
    ],
)
def test_refusals(run: Run, words: tuple[str, ...], said: str) -> None:
    result = run("report", *words, *FAST)
    assert result.exit_code == 2, result.output
    assert said in result.output


def test_the_same_numbers_however_many_processes(run: Run) -> None:
    words = ("report", "pig:goal=20", "--players", "2", "--games", "200", "--skilled", "6")
    one, two = (run(*words, "--personas", "2", "--jobs", jobs, "--json") for jobs in ("1", "2"))
    assert one.stdout == two.stdout
    assert json.loads(one.stdout)["ladder"]["games"] == 6


def test_an_interrupt_tells_what_there_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    words = ("report", "pig:goal=20", *FAST, "--players", "2")
    with monkeypatch.context() as patched:
        patched.setattr("ruledsl.lab.reporting.study.agency_of", interrupted)
        result = run(*words)
        assert result.exit_code == 130
        assert result.stdout.startswith("(interrupted: this is what there is)\n")
        assert "wins by seat" in result.stdout
        assert json.loads(run(*words, "--json").stdout)["interrupted"] is True
    monkeypatch.setattr("ruledsl.cli.report.CountedGames", interrupted)
    nothing = run(*words)
    assert nothing.exit_code == 130
    assert "interrupted before any game was over" in nothing.output
