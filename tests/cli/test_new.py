"""`ruledsl new`, and what `ruledsl lsp` says without its extra."""

import sys
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner

from ruledsl.cli.lsp import command as lsp
from ruledsl.cli.new import command as new
from ruledsl.library import Library
from ruledsl.play.check import check_source
from ruledsl.play.examples import run_tests
from ruledsl.syntax.format import format_file
from ruledsl.syntax.parser import parse

BASES = (None, "pied_piper", "hearts", "chess", "secret_rugrats")


@pytest.mark.parametrize("base", BASES)
def test_what_is_begun_is_clean_tested_and_tidy(tmp_path: Path, base: str | None) -> None:
    given = [] if base is None else ["--from", base]
    with chdir(tmp_path):
        outcome = CliRunner().invoke(new, ["my-game", *given], standalone_mode=False)
        assert outcome.exception is None, outcome.output
        source = Library().find("my_game.rules")
        checked = check_source(source, Library())
        assert checked.diagnostics == () and checked.game is not None
        ran = list(run_tests(checked.game))
        assert ran and not any(outcome.failure for outcome in ran)
        parsed = parse(source)
        assert format_file(parsed) == source.text
        assert any("Next:" in comment.text for comment in parsed.comments)


@pytest.mark.parametrize("name", ["3x", "a b", "", "ü/../x"])
def test_a_bad_name_is_refused(tmp_path: Path, name: str) -> None:
    with chdir(tmp_path):
        outcome = CliRunner().invoke(new, [name])
    assert outcome.exit_code == 2
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_over(tmp_path: Path) -> None:
    with chdir(tmp_path):
        Path("mine.rules").write_text("mine", "utf-8")
        outcome = CliRunner().invoke(new, ["mine"])
        assert outcome.exit_code == 2
        assert Path("mine.rules").read_text("utf-8") == "mine"


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("ruledsl.language_server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pygls.lsp.server", None)
    monkeypatch.setitem(sys.modules, "pygls", None)
    outcome = CliRunner().invoke(lsp, [])
    assert outcome.exit_code == 2
    assert "extra `editor`" in outcome.output
