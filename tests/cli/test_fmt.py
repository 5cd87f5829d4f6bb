"""`ruledsl fmt`: which files are changed, and how."""

from pathlib import Path

import pytest

from .conftest import BROKEN, GAME, Run

UGLY = GAME.replace("set active = Player(1)", "set   active=Player( 1 )")


def test_a_canonical_file_is_not_touched(run: Run, folder: Path) -> None:
    before = (folder / "good/coin.rules").stat()
    result = run("fmt", "good")
    assert result.exit_code == 0
    assert result.output == ""
    after = (folder / "good/coin.rules").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_other_layouts_are_replaced(run: Run, folder: Path) -> None:
    file = folder / "good/coin.rules"
    file.write_text(UGLY, encoding="utf-8")
    file.chmod(0o640)
    result = run("fmt", "good")
    assert result.exit_code == 0
    assert result.stdout == "changed good/coin.rules\n"
    assert file.read_text("utf-8") == GAME
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in (folder / "good").iterdir()) == [
        "coin.rules",
        "coin_long.rules",
    ]


def test_check_changes_nothing(run: Run, folder: Path) -> None:
    assert run("fmt", "--check", "good").exit_code == 0
    (folder / "good/coin.rules").write_text(UGLY, encoding="utf-8")
    result = run("fmt", "--check", "good")
    assert result.exit_code == 1
    assert result.stdout == "would change good/coin.rules\n"
    assert (folder / "good/coin.rules").read_text("utf-8") == UGLY


def test_files_with_syntax_errors_are_left_alone(run: Run, folder: Path) -> None:
    (folder / "bad/coin.rules").write_text(UGLY, encoding="utf-8")
    result = run("fmt", "bad")
    assert result.exit_code == 1
    assert "changed bad/coin.rules\n" in result.stdout
    assert " --> bad/broken.rules:5:" in result.stdout
    assert (folder / "bad/broken.rules").read_text("utf-8") == BROKEN
    assert (folder / "bad/coin.rules").read_text("utf-8") == GAME


def test_line_ends_and_byte_order_marks_go(run: Run, folder: Path) -> None:
    file = folder / "good/coin.rules"
    file.write_bytes(b"\xef\xbb\xbf" + GAME.replace("\n", "\r\n").encode())
    assert run("fmt", "good").exit_code == 0
    assert file.read_bytes() == GAME.encode()


def test_a_link_stays_a_link(run: Run, folder: Path) -> None:
    (folder / "elsewhere.txt").write_text(UGLY, encoding="utf-8")
    link = folder / "link.rules"
    link.symlink_to("elsewhere.txt")
    assert run("fmt", "link.rules").exit_code == 0
    assert link.is_symlink()
    assert (folder / "elsewhere.txt").read_text("utf-8") == GAME


@pytest.mark.usefixtures("folder")
def test_standard_input(run: Run) -> None:
    result = run("fmt", "-", text=UGLY)
    assert (result.exit_code, result.stdout) == (0, GAME)
    result = run("fmt", "-", text=BROKEN)
    assert (result.exit_code, result.stdout) == (1, "")
    assert " --> <stdin>:5:" in result.stderr
    assert run("fmt", "--check", "-", text=GAME).exit_code == 0
    assert run("fmt", "--check", "-", text=UGLY).exit_code == 1
    assert run("fmt", "-", "good").exit_code == 2


def test_names_that_look_alike_are_laid_out_too(run: Run, folder: Path) -> None:
    text = GAME.replace("score", "sсore")
    (folder / "good/coin.rules").write_text(text.replace("set active", "set  active"), "utf-8")
    result = run("fmt", "good/coin.rules")
    assert result.exit_code == 0, result.output
    assert (folder / "good/coin.rules").read_text("utf-8") == text
