"""Long sheets one screen at a time, for people only."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run
from .keyboard import Keyboard


@pytest.mark.parametrize(
    ("words", "lines", "paged"),
    [
        (("show", "pied_piper"), 24, True),
        (("explain",), 24, True),
        (("list",), 24, True),
        (("explain", "unknown-name"), 200, False),
    ],
)
def test_what_does_not_fit_goes_through_the_pager(
    words: tuple[str, ...], lines: int, paged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGER", "sed 's/^/paged: /'")
    with Keyboard(*words, lines=lines) as keys:
        assert keys.leave() == 0
        assert ("paged: " in keys.text) == paged


def test_pipes_get_the_text(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PAGER", f"touch {tmp_path / 'paged'}")
    assert "unknown-name" in run("explain").stdout
    assert not (tmp_path / "paged").exists()
