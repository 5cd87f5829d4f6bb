"""Saves from strangers: whatever a file holds, it is refused in a sentence, and left alone."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

import ruledsl
from ruledsl.cli import savefile
from ruledsl.cli.saves import FORMAT, Header, Save, SavedChoice, SaveError, look, rules_hash

from .conftest import Run

GAME = """\
game pick "Pick"
    players 2

state Player.score: 0..9 = 0

step setup
    set active = Player(1)

step play
    repeat 3 times
        choose n in 1..3 "A number."
        add n to active.score
        set active = active.next

ranking p in playing
    highest p.score
"""
COMMANDS = ("history", "replay", "resume")


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The rules of a small game in the current folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    file = folder / "pick.rules"
    file.write_text(GAME, encoding="utf-8")
    return file


def header_of(rules: Path | str, **changes: Any) -> Header:
    match = ruledsl.load("pick.rules").start(2, seed=4)
    header = Header(
        FORMAT, str(rules), None, {}, 2, ("human", "random"), 4, "en", rules_hash(match)
    )
    return attrs.evolve(header, **changes)


CHOICE = SavedChoice(1, "2", 1)


@pytest.fixture
def save(rules: Path) -> Path:
    """A save with one choice."""
    file = rules.with_name("game.save")
    Save.create(file, header_of("pick.rules"), (CHOICE,)).close()
    return file


def altered(save: Path, *changes: str) -> None:
    database = sqlite3.connect(save)
    for change in changes:
        database.execute(change)
    database.commit()
    database.close()


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def refusals(run: Run, save: Path) -> Iterator[str]:
    """What every command says to a save that none can use; nothing is changed."""
    before = content(save.parent)
    for command in COMMANDS:
        result = run(command, save.name, text="1\n")
        assert result.exit_code in (1, 2), result.output
        assert result.stdout == ""
        assert "bug of ruledsl" not in result.stderr
        yield result.stderr
    assert content(save.parent) == before


# ------------------------------------------------------------ schemas

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(x) FROM n"
GONE = "CREATE TRIGGER gone AFTER INSERT ON choices BEGIN DELETE FROM choices; END"


@pytest.mark.parametrize(
    "changes",
    [
        ("ALTER TABLE header RENAME TO other", f"CREATE VIEW header AS {ENDLESS}"),
        ("DROP TABLE choices", f"CREATE VIEW choices AS {ENDLESS}"),
        (GONE,),
        ("CREATE INDEX quick ON choices (seat)",),
        ("CREATE TABLE more (x)",),
        ("ALTER TABLE choices ADD COLUMN more TEXT GENERATED ALWAYS AS (code || code)",),
        ("CREATE VIRTUAL TABLE more USING fts5(x)",),
    ],
)
def test_another_schema_is_no_save(run: Run, save: Path, changes: tuple[str, ...]) -> None:
    altered(save, *changes)
    for message in refusals(run, save):
        assert message == "error: `game.save` is damaged; nothing was changed in it\n"


def test_reading_has_a_deadline(save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(savefile, "SECONDS", 0.05)
    database = sqlite3.connect(save)
    with (
        pytest.raises(SaveError, match="takes too long to read"),
        savefile._deadline(save, database),
    ):
        database.execute(ENDLESS)
    database.close()


def test_an_interrupt_ends_reading(save: Path) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    database = sqlite3.connect(save)
    try:
        with pytest.raises(KeyboardInterrupt), savefile._deadline(save, database):
            database.execute(ENDLESS)
    finally:
        signal.signal(signal.SIGALRM, before)
        database.close()


# ------------------------------------------------------------ values, with seals that fit


def forged(save: Path, header: Header, choices: tuple[SavedChoice, ...] = (CHOICE,)) -> None:
    """Write a save with whatever it says, sealed as we would."""
    database = sqlite3.connect(save)
    database.execute("DELETE FROM header")
    database.execute("DELETE FROM choices")
    seal = savefile.seal_of("", header)
    database.execute(
        "INSERT INTO header VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            header.game,
            header.variant,
            json.dumps(header.options),
            header.players,
            json.dumps(header.seats),
            str(header.seed),
            header.language,
            header.rules_hash,
            seal,
        ),
    )
    for place, choice in enumerate(choices, 1):
        seal = savefile.seal_of(seal, choice)
        row = (place, choice.number, choice.code, choice.seat, seal)
        database.execute("INSERT INTO choices VALUES (?, ?, ?, ?, ?)", row)
    database.commit()
    database.close()


@pytest.mark.parametrize(
    "change",
    [
        {"options": [1, 2]},
        {"options": {"goal": {"deep": 1}}},
        {"options": {"goal": "\ud800"}},
        {"options": {"\x1b[2J": "1"}},
        {"players": 0},
        {"players": 10**9},
        {"seats": ("human",)},
        {"seats": ("human", ["random"])},
        {"seats": "hu"},
        {"seed": -1},
        {"language": "en\x1b]0;x\x07"},
        {"game": "pick\u202e.rules"},
        {"game": "x" * 5000},
        {"game": ""},
        {"variant": "\x9b2J"},
        {"variant": "x" * 5000},
        {"options": {"x" * 90_000: "1"}},
        {"seats": ("human", "x" * 90_000)},
        {"language": "x" * 90_000},
        {"rules_hash": "\n"},
    ],
)
def test_odd_headers(run: Run, save: Path, change: dict[str, Any]) -> None:
    forged(save, header_of("pick.rules", **change))
    for message in refusals(run, save):
        assert message.isprintable() or message.replace("\n", "").isprintable()
        assert len(message) < 12_000


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE header SET options = '" + "[" * 50_000 + "'",
        "UPDATE header SET options = x'7b7d'",
        "UPDATE header SET seed = '" + "9" * 5000 + "'",
        "UPDATE header SET players = 2.5",
        "UPDATE choices SET code = x'00ff'",
        "UPDATE choices SET code = CAST(x'ff' AS TEXT)",
        "UPDATE choices SET code = zeroblob(900000)",
        "UPDATE choices SET number = 'one'",
        "UPDATE choices SET seat = 1e300",
    ],
)
def test_odd_values(run: Run, save: Path, change: str) -> None:
    altered(save, change)
    for message in refusals(run, save):
        assert message == "error: `game.save` is damaged; nothing was changed in it\n"


@pytest.mark.parametrize(
    "choice",
    [
        SavedChoice(1, "2" * 90_000, 1),
        SavedChoice(-1, "2", 1),
        SavedChoice(2**61, "none", 1),
        SavedChoice(1, "\x1b[31m2", 1),
        SavedChoice(1, "((((" * 4_000, 1),
        SavedChoice(1, "@" * 9_000, 1),
        SavedChoice(1, "2", 0),
        SavedChoice(1, "2", 7),
    ],
)
def test_odd_choices(run: Run, save: Path, choice: SavedChoice) -> None:
    forged(save, header_of("pick.rules"), (choice,))
    for message in refusals(run, save):
        assert message.replace("\n", "").isprintable()


def test_a_flipped_bit_anywhere_in_what_is_used(run: Run, save: Path) -> None:
    whole = save.read_bytes()
    size = int.from_bytes(whole[16:18], "big")
    used = [at for at, byte in enumerate(whole) if byte or at % size < 12]
    generator = random.Random(7)
    for at in generator.sample(used, 150):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << generator.randrange(8)
        save.write_bytes(damaged)
        for command in COMMANDS[:2]:
            result = run(command, save.name)
            assert result.exit_code in (0, 1, 2), (at, result.output)
        for file in save.parent.glob("game.save-*"):
            file.unlink()


# ------------------------------------------------------------ files


def test_looking_changes_nothing_even_after_a_crash(run: Run, save: Path) -> None:
    crash = (
        "import os, sys; from pathlib import Path\n"
        "from ruledsl.cli.saves import Save, SavedChoice\n"
        "Save.open(Path(sys.argv[1])).add(SavedChoice(2, '3', 2)); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", crash, save], check=True)
    before = content(save.parent)
    assert before["game.save-wal"]
    assert len(look(save).choices) == 2
    assert "2. Player 2: A number: 3." in run("history", save.name).stdout
    assert content(save.parent) == before
    with Save.open(save) as opened:
        assert len(opened.choices) == 2


def test_a_running_game_can_be_looked_at(run: Run, save: Path) -> None:
    with Save.open(save) as playing:
        playing.add(SavedChoice(2, "3", 2))
        assert "2. Player 2: A number: 3." in run("history", save.name).stdout
        assert "is being played in another process" in run("resume", save.name).stderr
        playing.add(SavedChoice(0, "1", 1))
    assert len(look(save).choices) == 3


def test_read_only_files_are_read(run: Run, save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may: Callable[..., bool] = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode, **more: mode != os.W_OK and may(path, mode, **more)
    )
    save.chmod(0o444)
    save.parent.chmod(0o555)
    try:
        assert run("history", save.name).stdout.startswith("1. Player 1: A number: 2.\n")
        assert run("replay", save.name).exit_code == 0
        assert "it is read-only" in run("resume", save.name).stderr
    finally:
        save.parent.chmod(0o755)


def test_a_journal_of_somebody_else_is_not_followed(run: Run, save: Path) -> None:
    # A rollback journal can name a file that SQLite then deletes.
    save.with_name("game.save-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
    result = run("resume", save.name)
    assert result.exit_code == 2
    assert "lies a journal that is none of ours" in result.stderr
    assert run("history", save.name).exit_code == 0


def test_pipes_devices_and_huge_files_are_not_opened(run: Run, rules: Path) -> None:
    os.mkfifo("pipe.save")
    with Path("huge.save").open("wb") as huge:
        huge.truncate(10**11)
    for name in ("pipe.save", "huge.save", "/dev/zero", "x" * 3000, "a\0b"):
        for command in COMMANDS:
            result = run(command, name)
            assert result.exit_code == 2, name
            assert result.stderr.startswith("error: ")
    assert rules.exists()


# ------------------------------------------------------------ which rules a save can name

TREASURE = "step play\n    my treasure is xyzzy\n"


def named(save: Path, game: str) -> None:
    forged(save, header_of("pick.rules", game=game))


def test_a_save_reads_no_file_from_elsewhere(run: Run, save: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.rules").write_text(TREASURE)
    (tmp_path / "secret.txt").write_text(TREASURE)
    Path("notes.txt").write_text(TREASURE)
    Path("link.rules").symlink_to(tmp_path / "secret.rules")
    os.mkfifo(tmp_path / "pipe.rules")
    for game in (
        "../secret.rules",
        str(tmp_path / "secret.rules"),
        str(tmp_path / "secret.txt"),
        str(tmp_path),
        "./notes.txt",
        "notes.txt",
        "link.rules",
        "/dev/zero",
    ):
        named(save, game)
        for message in refusals(run, save):
            assert "xyzzy" not in message


def test_the_very_same_rules_elsewhere_are_used(run: Run, save: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "pick.rules"
    elsewhere.write_text(GAME, encoding="utf-8")
    named(save, str(elsewhere))
    assert run("history", save.name).stdout.startswith("1. Player 1: A number: 2.\n")
    elsewhere.write_text(GAME.replace('"Pick"', '"Another"'), encoding="utf-8")
    for message in refusals(run, save):
        assert "`--rules FILE` says which rules to use" in message
    said = run("history", save.name, "--rules", str(elsewhere))
    assert said.stdout.startswith("1. Player 1: A number: 2.\n")


def test_a_shipped_game_is_found_by_name_alone(run: Run, save: Path) -> None:
    Path("chess").write_text(TREASURE)
    forged(save, header_of("pick.rules", game="chess", rules_hash="0"), ())
    result = run("history", save.name)
    assert result.exit_code == 0
    assert "xyzzy" not in result.output
