"""The file that keeps what was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import results


def test_a_whole_run_leaves_nothing_of_those_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "FILE", tmp_path / "RESULTS.md")
    apart = results.APART[0]
    results.keep({"Old": "1", apart: "2"})
    results.keep({"Search": "3"})
    assert results.FILE.read_text().split("## ")[1:] == [
        "Old\n\n1\n\n",
        "Search\n\n3\n\n",
        f"{apart}\n\n2\n",
    ]
    results.keep({"Playouts": "4", "Search": "5"}, whole=True)
    assert results.FILE.read_text().split("## ")[1:] == [
        "Playouts\n\n4\n\n",
        "Search\n\n5\n\n",
        f"{apart}\n\n2\n",
    ]
