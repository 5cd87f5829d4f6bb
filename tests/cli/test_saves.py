"""Saves: nothing accepted is lost, one process at a time, and clear words for whatever is wrong."""

import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruledsl.cli.saves import FORMAT, Header, Save, SavedChoice, SaveError

KILLS = 200
HEADER = Header(
    FORMAT, "coin", None, {"goal": "2"}, 2, ("human", "random"), 2**63 + 1, "de", "0" * 64
)
CHOICES = tuple(SavedChoice(n % 3, f"place(card {n}, Spot {n % 4})", 1 + n % 2) for n in range(40))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed save with choices."""
    file = tmp_path / "game.save"
    with Save.create(file, HEADER) as save:
        for choice in CHOICES:
            save.add(choice)
    return file


def refusal(path: Path) -> str:
    """Why a file can't be opened; that it was not touched is checked."""
    before = {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}
    with pytest.raises(SaveError) as error:
        Save.open(path)
    after = {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}
    assert after == before
    return str(error.value)


def test_what_was_saved_is_there(path: Path) -> None:
    with Save.open(path) as save:
        assert save.header == HEADER
        assert save.choices == CHOICES
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_every_choice_is_synchronous(path: Path) -> None:
    with Save.open(path) as save:
        settings = [
            save._database.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous")
        ]
        assert settings == ["wal", 2]
        assert save._database.isolation_level is None


def test_choices_are_taken_back(path: Path) -> None:
    other = SavedChoice(7, "done", 2)
    with Save.open(path) as save:
        save.drop_last()
        save.drop_last()
        save.add(other)
        expected = save.choices
    assert expected == (*CHOICES[:-2], other)
    with Save.open(path) as save:
        assert save.choices == expected


def test_a_game_saved_later_takes_its_choices_along(tmp_path: Path) -> None:
    with Save.create(tmp_path / "late.save", HEADER, CHOICES) as save:
        assert save.choices == CHOICES
        save.add(CHOICES[0])
    with Save.open(tmp_path / "late.save") as save:
        assert save.choices == (*CHOICES, CHOICES[0])


def test_nothing_is_overwritten(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(SaveError, match="exists already"):
        Save.create(path, HEADER)
    assert path.read_bytes() == before


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="no such file or directory"):
        Save.create(tmp_path / "nowhere/game.save", HEADER)


# ------------------------------------------------------------ two at once


OPEN = "import sys; from pathlib import Path; from ruledsl.cli.saves import Save\n"


def test_the_second_process_is_refused(path: Path) -> None:
    hold = f"{OPEN}save = Save.open(Path(sys.argv[1])); print('open', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", hold, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == b"open\n"
        with pytest.raises(SaveError, match="is being played in another process"):
            Save.open(path)
        process.kill()
    # Its death has released the file.
    with Save.open(path) as save:
        assert save.choices == CHOICES


def test_the_first_keeps_its_hold(path: Path) -> None:
    with Save.open(path) as save:
        with pytest.raises(SaveError, match="is being played"):
            Save.open(path)
        second = subprocess.run(
            [sys.executable, "-c", f"{OPEN}Save.open(Path(sys.argv[1]))", path],
            capture_output=True,
            check=False,
        )
        assert b"is being played in another process" in second.stderr
        save.add(CHOICES[0])


# ------------------------------------------------------------ kill -9


def test_a_kill_at_any_moment_loses_nothing(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, Path(__file__).with_name("killing.py"), tmp_path, str(KILLS), "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    kills, longest = map(int, result.stdout.split())
    assert kills == KILLS
    assert longest > 10


# ------------------------------------------------------------ files that are no saves


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a saved game"),
        (b"game coin\n", "is not a saved game"),
        (b"SQLite format 3\0", "is not a saved game"),
        (b"SQLite format 3\0" + bytes(5000), "is not a saved game"),
    ],
)
def test_foreign_files(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "game.save"
    file.write_bytes(content)
    assert refusal(file) == f"`{file}` {message}"


def test_somebody_elses_database(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    database = sqlite3.connect(file)
    database.execute("CREATE TABLE header (game TEXT)")
    database.close()
    assert refusal(file) == f"`{file}` is not a saved game"


def test_no_file_and_no_folder(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none") == f"there is no file `{tmp_path / 'none'}`"
    assert refusal(tmp_path) == f"`{tmp_path}` is a folder, not a saved game"


def test_a_newer_format(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA user_version = {FORMAT + 1}")
    database.close()
    assert refusal(path) == f"`{path}` was saved by a newer version of ruledsl"


@pytest.mark.parametrize("part", [0.25, 0.5, 0.75, 0.99])
def test_a_truncated_file(path: Path, part: float) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * part)])
    assert re.search("is damaged|is not a saved game", refusal(path))


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM choices WHERE place = 3",
        "UPDATE choices SET code = 'x' WHERE place = 3",
        "UPDATE choices SET number = 'x' WHERE place = 3",
        "UPDATE header SET seed = '17'",
        "UPDATE header SET options = '{'",
        "DELETE FROM header",
        "INSERT INTO header SELECT * FROM header",
        "DROP TABLE choices",
        "ALTER TABLE choices RENAME COLUMN seat TO chair",
    ],
)
def test_altered_content(path: Path, change: str) -> None:
    database = sqlite3.connect(path)
    database.execute(change)
    database.commit()
    database.close()
    assert refusal(path) == f"`{path}` is damaged; nothing was changed in it"


@given(st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=40)), min_size=1))
def test_damage_is_noticed(
    tmp_path_factory: pytest.TempPathFactory, damages: list[tuple[float, bytes]]
) -> None:
    file = tmp_path_factory.mktemp("damaged") / "game.save"
    Save.create(file, HEADER, CHOICES).close()
    content = bytearray(file.read_bytes())
    for where, replacement in damages:
        at = int(where * len(content))
        content[at : at + len(replacement)] = replacement
    file.write_bytes(content)
    try:
        with Save.open(file) as save:
            # Then only unused bytes were hit.
            assert save.header == HEADER
            assert save.choices == CHOICES
    except SaveError:
        pass
