"""`ruledsl sweep`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Run


def test_options_and_named_numbers_without_editing(run: Run) -> None:
    words = ("--vary", "roof=7..9", "--vary", "hand_size=3..4", "--games", "400")
    result = run("sweep", "pied_piper", *words, "--aim", "30 to 40 choices")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert any(line.startswith("roof=7, hand_size=4") and "meets" in line for line in lines)
    assert any(line.startswith("roof=9") and "impossible" in line for line in lines)
    assert "how far from the aim (roof across, hand_size down; darker is further)" in lines
    assert any(line.startswith("meets the aim: ") for line in lines)


def test_as_json_and_nothing_meets_it(run: Run) -> None:
    result = run(
        "sweep",
        "pig",
        "--players",
        "2",
        "--vary",
        "goal=20..21",
        "--aim",
        "choices below 2",
        "--games",
        "100",
        "--json",
    )
    assert result.exit_code == 1
    document = json.loads(result.output)
    assert [each["verdict"] for each in document["settings"]] == ["misses", "misses"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--vary", "roof"), "varies nothing"),
        (("--vary", "roof=7..8", "--aim", "fun"), "is no aim"),
        (("--vary", "rouf=7..8"), "is called `rouf`"),
        (("--vary", "roof=7..8", "--players", "9"), "not 9"),
        (("--vary", "roof=1..900"), "too many"),
    ],
)
def test_refusals(run: Run, words: tuple[str, ...], said: str) -> None:
    result = run("sweep", "pied_piper", *words)
    assert result.exit_code == 2, result.output
    assert said in result.output


def test_the_file_stays_as_it_is(run: Run, folder: Path) -> None:
    file = folder / "good" / "coin.rules"
    before = file.read_bytes()
    run("sweep", "good/coin.rules", "--vary", "goal=1..3", "--games", "100")
    assert file.read_bytes() == before


def test_the_same_numbers_however_many_share_the_work(run: Run) -> None:
    words = ("sweep", "pig", "--players", "2", "--vary", "goal=20..22", "--games", "100", "--json")
    alone, shared = (run(*words, *more) for more in ((), ("--jobs", "2")))
    assert alone.stdout == shared.stdout != ""


def test_an_interrupt_prints_what_there_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ruledsl.cli.sweep.listed_games", interrupted)
    words = ("sweep", "pig", "--players", "2", "--vary", "goal=20..21")
    result = run(*words)
    assert result.exit_code == 130
    assert result.stdout.endswith("(interrupted)\n")
    assert json.loads(run(*words, "--json").stdout)["interrupted"] is True


@pytest.mark.extra
def test_a_page_with_a_map(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    out = tmp_path / "sweep.html"
    words = ("--vary", "roof=7..9", "--vary", "hand_size=3..4", "--games", "60", "--players", "2")
    aim = ("--aim", "30 to 40 choices")
    result = run("sweep", "pied_piper", *words, *aim, "--out", str(out))
    assert f"written: {out}" in result.output
    text = out.read_text(encoding="utf-8")
    assert text.count("<svg") == 1
    assert "<script" not in text
    assert "roof=9, hand_size=4" in text
    assert "The darker, the further from the aim." in text


def test_where_it_is_written_is_looked_at_first(run: Run) -> None:
    words = ("sweep", "pig", "--vary", "goal=20..21", "--out")
    assert "write `--out` with a name in `.html`" in run(*words, "sweep.pdf").output
    assert "there is no folder" in run(*words, "nowhere/sweep.html").output
