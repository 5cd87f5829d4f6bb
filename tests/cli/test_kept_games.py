"""Games that are kept: those that go on, and a bounded number of those that are over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ruledsl.cli import kept_games
from ruledsl.cli.saves import FORMAT, Header, Save, SaveError

HEADER = Header(FORMAT, "go", None, {}, 2, ("human", "random"), 1, "en", "0" * 64)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_a_game_that_is_over_is_kept_apart_under_its_name() -> None:
    ended = kept_games.end(kept_games.keep(HEADER))
    assert kept_games.named("go-1") == ended
    assert kept_games.short_name(ended) == "go-1"
    assert [*kept_games.names(ended=False)] == []
    assert [*kept_games.names(ended=True)] == ["go-1"]
    assert [name for name, _, _ in kept_games.kept_games(kept_games.folder_of_ended())] == ["go-1"]
    with kept_games.keep(HEADER) as another:
        assert another.path.stem == "go-2"


def test_the_oldest_goes_where_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_games, "MOST_OVER", 2)
    for number in range(1, 4):
        save = kept_games.keep(HEADER)
        os.utime(save.path, (number, number))
        kept_games.end(save)
    assert [*kept_games.names(ended=True)] == ["go-2", "go-3"]


def test_a_game_that_somebody_saved_stays_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "my.game"
    save = Save.create(file, HEADER)
    assert kept_games.end(save) == file
    save.close()
    assert file.exists()
    assert [*kept_games.names(ended=True)] == []


def test_where_it_cant_be_kept_that_is_said() -> None:
    save = kept_games.keep(HEADER)
    kept_games.folder_of_ended().write_text("in the way", encoding="utf-8")
    with pytest.raises(SaveError, match="can't keep the game"):
        kept_games.end(save)
    save.close()
