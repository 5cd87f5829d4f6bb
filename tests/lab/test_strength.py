"""The table of strengths: who sits where, when a line is clear, and that runs leave lines alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import strength
from bench.strength import Pairing, Row


def test_seats_move_on() -> None:
    one = Pairing("pied_piper", 4, "medium", "random")
    assert [one.measured(game) for game in range(5)] == [[0], [1], [2], [3], [0]]
    assert one.fair == 0.25


def test_partners_sit_opposite_each_other() -> None:
    pair = Pairing("euchre", 4, "medium", "random")
    assert [pair.measured(game) for game in range(3)] == [[0, 2], [1, 3], [0, 2]]
    assert pair.fair == 0.5


def test_where_all_play_together_all_are_measured() -> None:
    assert Pairing("hanabi", 4, "medium", "random").measured(3) == [0, 1, 2, 3]


def test_a_line_is_clear_when_the_wide_interval_excludes_the_share() -> None:
    pairing = Pairing("chess", 2, "medium", "random")
    assert not strength.clear(pairing, Row(games=10, won=10), 0.0)
    assert strength.clear(pairing, Row(games=12, won=12), 0.0)
    assert strength.clear(pairing, Row(games=12, won=0), 0.0)
    assert not strength.clear(pairing, Row(games=100, won=60), 0.0)


def test_a_run_leaves_other_lines_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(strength, "FILE", tmp_path / "STRENGTH.md")
    monkeypatch.setattr(strength, "ROWS", tmp_path / "strength.json")
    strength.keep({"pig 2 medium random": Row(games=50, won=45.0)}, "yesterday.")
    before = (tmp_path / "STRENGTH.md").read_text()
    monkeypatch.setattr("sys.argv", ["strength", "--games", "tic_tac_toe", "--against", "random"])
    strength.main()
    assert "tic_tac_toe" in capsys.readouterr().out
    rows = strength.read()
    assert rows["pig 2 medium random"] == Row(games=50, won=45.0)
    assert rows["tic_tac_toe 2 medium random"].games >= 12
    after = (tmp_path / "STRENGTH.md").read_text()
    (line,) = (each for each in before.splitlines() if each.startswith("| pig"))
    assert line in after
    assert "| tic_tac_toe |" in after
