"""`ruledsl check`: what is read, what is printed, and the exit code."""

import json
import os
from pathlib import Path

import pytest

from ruledsl.library import Library

from .conftest import BROKEN, GAME, Run


@pytest.mark.usefixtures("folder")
def test_good_files(run: Run) -> None:
    result = run("check", "--strict", "good")
    assert result.stdout == "no mistakes in 2 files\n"
    assert result.exit_code == 0
    assert run("check", "good/coin.rules").stdout == "no mistakes in 1 file\n"


@pytest.mark.usefixtures("folder")
def test_findings_are_shown_where_they_are(run: Run) -> None:
    result = run("check", "bad/broken.rules")
    assert result.exit_code == 1
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines[0].startswith("error[")
    assert lines[1].startswith(" --> bad/broken.rules:5:")
    assert lines[-1] == "1 error in 1 file"


@pytest.mark.usefixtures("folder")
def test_json(run: Run) -> None:
    result = run("check", "--json", "good", "bad")
    assert result.exit_code == 1
    (finding,) = json.loads(result.stdout)["mistakes"]
    assert set(finding) == {
        "file",
        "line",
        "column",
        "end_line",
        "end_column",
        "code",
        "severity",
        "message",
        "hint",
    }
    assert (finding["file"], finding["line"]) == ("bad/broken.rules", 5)
    assert finding["severity"] == "error"


@pytest.mark.usefixtures("folder")
def test_json_of_nothing_is_an_empty_list(run: Run) -> None:
    result = run("check", "--json", "good")
    assert json.loads(result.stdout)["mistakes"] == []
    assert result.exit_code == 0


@pytest.mark.usefixtures("folder")
def test_a_file_is_checked_once(run: Run) -> None:
    result = run("check", "bad", "bad/broken.rules", "./bad/../bad")
    assert result.stdout.endswith("1 error in 1 file\n")


@pytest.mark.usefixtures("folder")
def test_standard_input(run: Run) -> None:
    assert run("check", "-", text=GAME).exit_code == 0
    result = run("check", "-", text=BROKEN)
    assert result.exit_code == 1
    assert " --> <stdin>:5:" in result.stdout


def test_files_that_are_not_text_are_findings(run: Run, folder: Path) -> None:
    (folder / "good/latin.rules").write_bytes("game k\n    # Käse\n".encode("latin-1"))
    result = run("check", "good")
    assert result.exit_code == 1
    assert result.stdout.startswith("error[wrong-encoding]: the file is not text in UTF-8\n")
    assert " --> good/latin.rules:2:8\n" in result.stdout
    result = run("check", "-", text=b"\xff")
    assert " --> <stdin>:1:1\n" in result.stdout


@pytest.mark.parametrize(
    ("path", "message", "hint"),
    [
        ("goood", "no game, file or folder is called `goood`", "did you mean `good`?"),
        (
            "good/con.rules",
            "there is no file or folder `good/con.rules`",
            "did you mean `coin.rules`? (in `good`)",
        ),
        ("empty", "there are no rules files in `empty`", "their names end in `.rules`"),
    ],
)
def test_paths_where_nothing_is(run: Run, folder: Path, path: str, message: str, hint: str) -> None:
    (folder / "empty").mkdir()
    result = run("check", "good", path)
    assert result.exit_code == 2
    assert result.stderr == f"error: {message}\n  = hint: {hint}\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_what_may_not_be_read_does_not_hide_the_rest(run: Run, folder: Path) -> None:
    (folder / "bad/secret.rules").touch(0)
    result = run("check", "bad")
    assert result.exit_code == 2
    assert "1 error in 1 file" in result.stdout
    assert "permission denied" in result.stderr


@pytest.mark.usefixtures("folder")
def test_colours(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in run("check", "bad").stdout
    assert "\x1b[1;31merror" in run("check", "--color=always", "bad").stdout
    assert run("check", "--color=sometimes", "bad").exit_code == 2
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[1;31merror" in run("check", "--color=always", "bad").stdout


@pytest.mark.parametrize("command", [["check"], ["fmt", "--check"], ["list"]])
@pytest.mark.usefixtures("folder")
def test_games_are_taken_by_name_like_everywhere(run: Run, command: list[str]) -> None:
    name = Library().names()[0]
    assert run(*command, name.replace("_", "-")).exit_code == 0
    result = run(*command, f"{name}x")
    assert result.exit_code == 2
    assert f"no game, file or folder is called `{name}x`" in result.stderr
    assert f"did you mean `{name}`?" in result.stderr


@pytest.mark.usefixtures("folder")
def test_what_is_there_goes_before_a_game_of_the_same_name(run: Run, folder: Path) -> None:
    name = Library().names()[0]
    (folder / name).mkdir()
    assert "there are no rules files in" in run("check", name).stderr
