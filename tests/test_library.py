"""Finding and reading rules files."""

import os
from pathlib import Path

import pytest

from ruledsl.diagnostics.source import Source
from ruledsl.diagnostics.unreadable import LibraryError
from ruledsl.library import READ_AT_MOST, Library, decode, missing, rules_files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library in a sub-folder of the current folder."""
    for name in (
        "shelf/b/go_fish.rules",
        "shelf/a/old-maid.rules",
        "shelf/a/notes.txt",
        "shelf/.hidden/x.rules",
        "mine/go_fish.rules",
        "mine/house_rules.rules",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {name}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shelf() -> Library:
    return Library((Path("shelf"),))


def test_names_are_those_of_the_files(folder: Path) -> None:
    assert shelf().names() == ("go_fish", "old_maid")
    assert shelf().names(near="mine/new.rules") == ("go_fish", "house_rules", "old_maid")
    assert [source.name for source in shelf().sources()] == [
        "shelf/a/old-maid.rules",
        "shelf/b/go_fish.rules",
    ]
    assert rules_files(folder / "nowhere") == ()


@pytest.mark.parametrize("name", ["old_maid", "old-maid"])
@pytest.mark.usefixtures("folder")
def test_hyphens_and_underscores_are_alike(name: str) -> None:
    source = Source("shelf/a/old-maid.rules", "# shelf/a/old-maid.rules\n")
    assert shelf().source(name) == source
    assert shelf().find(name) == source


@pytest.mark.usefixtures("folder")
def test_neighbours_come_first() -> None:
    near = shelf().source("go_fish", near="mine/house_rules.rules")
    assert near is not None
    assert near.name == "mine/go_fish.rules"
    far = shelf().source("old_maid", near="mine/house_rules.rules")
    assert far is not None
    assert far.name == "shelf/a/old-maid.rules"
    assert shelf().source("chess", near="<stdin>") is None


@pytest.mark.parametrize("path", ["mine/go_fish.rules", "./mine/../mine/go_fish.rules"])
def test_a_path_works_too_and_a_file_has_one_name(folder: Path, path: str) -> None:
    assert shelf().find(path).name == "mine/go_fish.rules"
    assert shelf().find(str(folder / path)).name == "mine/go_fish.rules"


@pytest.mark.usefixtures("folder")
def test_a_file_elsewhere_has_its_whole_path(monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = Path("mine/go_fish.rules").absolute()
    monkeypatch.chdir("shelf")
    assert shelf().find("../mine/go_fish.rules").name == str(elsewhere)


@pytest.mark.parametrize(
    ("asked", "message", "hint"),
    [
        ("go_fihs", "no game is called `go_fihs`", "did you mean `go_fish`?"),
        ("zebra", "no game is called `zebra`", "`ruledsl list` shows all games"),
        (
            "mine/gofish.rules",
            "there is no file or folder `mine/gofish.rules`",
            "did you mean `go_fish.rules`? (in `mine`)",
        ),
        ("mien/x.rules", "there is no file or folder `mien/x.rules`", "did you mean `mine`?"),
        ("mine/", "`mine` is a folder, not a file", "there is no game in it"),
        ("mine", "`mine` is a folder, not a file", "there is no game in it"),
        ("a\0.rules", "there is no file or folder `a\0.rules`", None),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_found_is_told(asked: str, message: str, hint: str | None) -> None:
    with pytest.raises(LibraryError) as error:
        shelf().find(asked)
    assert str(error.value) == message
    assert error.value.hint == hint


@pytest.mark.parametrize("asked", ["many", "many/", "./many"])
def test_a_folder_tells_which_games_are_in_it(folder: Path, asked: str) -> None:
    (folder / "many/deep").mkdir(parents=True)
    (folder / "many/latin.rules").write_bytes(b"game latin \xff\n")
    (folder / "many/words.rules").write_text('library words "Words"\n', encoding="utf-8")
    (folder / "many/deep/long.rules").write_text('variant long of a "L"\n', encoding="utf-8")
    (folder / "many/a.rules").write_text('# mine\ngame a "A"\n', encoding="utf-8")
    with pytest.raises(LibraryError) as error:
        shelf().find(asked)
    assert str(error.value) == "`many` is a folder, not a file"
    assert error.value.hint == "games in it: `many/a.rules`, `many/deep/long.rules`"
    for number in range(8):
        (folder / f"many/b{number}.rules").write_text('game b "B"\n', encoding="utf-8")
    with pytest.raises(LibraryError) as error:
        shelf().find(asked)
    assert error.value.hint is not None
    assert error.value.hint.endswith("`many/b6.rules`, …")


def test_a_folder_called_like_a_game_does_not_hide_it(folder: Path) -> None:
    (folder / "old_maid").mkdir()
    assert shelf().find("old_maid").name == "shelf/a/old-maid.rules"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read(folder: Path) -> None:
    (folder / "mine/go_fish.rules").chmod(0)
    with pytest.raises(LibraryError, match="permission denied"):
        shelf().find("mine/go_fish.rules")


def test_a_path_that_is_too_long() -> None:
    with pytest.raises(LibraryError, match="file name too long"):
        shelf().find("x" * 5_000 + ".rules")


def test_other_encodings_are_refused_at_their_line() -> None:
    with pytest.raises(LibraryError, match=r"`x` is not text in UTF-8 \(line 2\)") as error:
        decode("x", "game a\n  Käse".encode("latin-1"))
    found = error.value.diagnostic
    assert found is not None
    assert found.code.name == "wrong-encoding"
    assert (found.span.line, found.span.column) == (2, 4)


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert decode("x", b"\xef\xbb\xbfgame") == Source("x", "game")


def test_an_endless_file_is_cut() -> None:
    assert len(decode("x", b"\xc3" * READ_AT_MOST).text) < READ_AT_MOST


def test_missing_at_the_root() -> None:
    assert missing("/").hint is None


def test_shipped_games_are_found_without_a_path() -> None:
    assert "__init__" not in Library().names()
