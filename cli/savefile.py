"""The file of a saved game, read as what it may be: data from strangers.

A save is an SQLite file with two plain tables. Before anything in it is believed, its schema is
compared letter by letter, its structure is checked, and every value has its type and its limits.
Looking at a file changes nothing in it or beside it; only who has claimed a file writes to it.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs

FORMAT = 1
MARK = 0x52554C45
"""SQLite's application id of our files."""

MOST_BYTES = 64_000_000
MOST_CHOICES = 1_000_000
MOST_LETTERS = 100_000
"""of a code, a path, or all options together"""
MOST_LETTERS_TOLD = 5_000
"""of what messages repeat: a variant, a seat, a language, an option"""
MOST_PLAYERS = 64
SECONDS = 10.0
"""SQLite may take so long to read a file."""

_TABLES = {
    "header": """\
CREATE TABLE header (
    game TEXT NOT NULL,
    variant TEXT,
    options TEXT NOT NULL,
    players INTEGER NOT NULL,
    seats TEXT NOT NULL,
    seed TEXT NOT NULL,
    language TEXT NOT NULL,
    rules_hash TEXT NOT NULL,
    seal TEXT NOT NULL
)""",
    "choices": """\
CREATE TABLE choices (
    place INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    code TEXT NOT NULL,
    seat INTEGER NOT NULL,
    seal TEXT NOT NULL
)""",
}

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 10_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 50,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 2,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}

_TRIES = 5
"""Looks at a file that changes meanwhile."""


class SaveError(Exception):
    """A save that can't be made, opened or written; the text says why."""


class _Unbelievable(Exception):
    """What stands in a file can't be a saved game."""


@attrs.frozen
class Header:
    """What a match was started with."""

    format: int
    game: str
    """its name, or the path of its file, as it was given"""
    variant: str | None
    options: dict[str, str]
    players: int
    seats: tuple[str, ...]
    """who plays: `human`, or the name of a computer player"""
    seed: int
    language: str
    rules_hash: str


@attrs.frozen
class SavedChoice:
    """A choice: its number among the options, its code, and the seat that made it."""

    number: int
    code: str
    seat: int


@attrs.frozen
class Saved:
    """What a save says; `seals` has one for the header, and one for each choice."""

    path: Path
    header: Header
    choices: tuple[SavedChoice, ...]
    seals: tuple[str, ...]


def seal_of(before: str, part: Header | SavedChoice) -> str:
    """A digest of a part and of all before it: what was altered does not go unnoticed."""
    text = json.dumps([before, attrs.astuple(part)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# ------------------------------------------------------------ reading


def look(path: Path) -> Saved:
    """What a file says. Nothing is locked or written: it may be played elsewhere, or read-only."""
    for _ in range(_TRIES):
        before = _stamps(path)
        try:
            saved, problem = _looked(path), None
        except SaveError as error:
            saved, problem = None, error
        if _stamps(path) != before:
            continue
        if problem is not None:
            raise problem
        assert saved is not None
        return saved
    raise SaveError(f"`{path}` is being played in another process")


def _looked(path: Path) -> Saved:
    _check_file(path)
    log = companion(path, "-wal")
    with explained(path), _connected(path, "mode=ro&immutable=1") as database:
        _check_kind(path, database)
        if not log.is_file() or log.stat().st_size == 0:
            return _read(path, database)
        whole = database.serialize()
    # The last choices are in the log beside the file. SQLite would write to unite the two.
    if log.stat().st_size > MOST_BYTES:
        raise _too_large(path)
    try:
        with TemporaryDirectory(prefix="ruledsl-") as folder:
            copy = Path(folder) / "copy"
            copy.write_bytes(whole)
            companion(copy, "-wal").write_bytes(log.read_bytes())
            with explained(path), _connected(copy, "mode=rw") as database:
                _check_kind(path, database)
                return _read(path, database)
    except OSError as error:
        raise SaveError(f"can't copy `{path}` to read it: {reason(error)}") from error


def _check_file(path: Path) -> None:
    """Refuse what can be no file of ours, unopened."""
    # Only SQLite may open the file: closing it elsewhere in this process would drop its locks.
    try:
        status = path.stat()
    except FileNotFoundError:
        raise SaveError(f"there is no file `{path}`") from None
    except (OSError, ValueError) as error:
        raise SaveError(f"can't read `{path}`: {reason(error)}") from error
    if stat.S_ISDIR(status.st_mode):
        raise SaveError(f"`{path}` is a folder, not a saved game")
    if not stat.S_ISREG(status.st_mode):
        raise _foreign(path)
    if status.st_size > MOST_BYTES:
        raise _too_large(path)
    if not os.access(path, os.R_OK):
        raise SaveError(f"can't read `{path}`: permission denied")


def _check_kind(path: Path, database: sqlite3.Connection) -> None:
    try:
        (mark,) = database.execute("PRAGMA application_id").fetchone()
        (version,) = database.execute("PRAGMA user_version").fetchone()
    except (sqlite3.Error, UnicodeDecodeError):
        raise _foreign(path) from None
    if mark != MARK:
        raise _foreign(path)
    if version > FORMAT:
        raise SaveError(f"`{path}` was saved by a newer version of ruledsl")


def _read(path: Path, database: sqlite3.Connection) -> Saved:
    """Everything in a file, once it is known to be nothing else than a save."""
    with _deadline(path, database):
        schema = database.execute(
            "SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT 3"
        ).fetchall()
        if {*schema} != {("table", name, name, sql) for name, sql in _TABLES.items()}:
            raise damaged(path)
        if database.execute("PRAGMA integrity_check(1)").fetchall() != [("ok",)]:
            raise damaged(path)
        headers = database.execute("SELECT * FROM header LIMIT 2").fetchall()
        rows = database.execute(
            "SELECT place, number, code, seat, seal FROM choices ORDER BY place LIMIT ?",
            (MOST_CHOICES + 1,),
        ).fetchall()
    if len(rows) > MOST_CHOICES:
        raise _too_large(path)
    try:
        (header_row,) = headers
        header, seal = _header(header_row)
        seals = [seal]
        choices = []
        for expected, (place, number, code, seat, sealed) in enumerate(rows, 1):
            choice = SavedChoice(
                _number(number, 0, 2**62), _text(code), _number(seat, 1, header.players)
            )
            if place != expected or sealed != seal_of(seals[-1], choice):
                raise damaged(path)
            choices.append(choice)
            seals.append(sealed)
    except (_Unbelievable, ValueError, RecursionError):
        raise damaged(path) from None
    return Saved(path, header, tuple(choices), tuple(seals))


def _header(row: tuple[Any, ...]) -> tuple[Header, str]:
    game, variant, options, players, seats, seed, language, rules, seal = row
    number = _number(players, 1, MOST_PLAYERS)
    given = json.loads(_text(options))
    sitting = json.loads(_text(seats))
    if not isinstance(given, dict) or not isinstance(sitting, list) or len(sitting) != number:
        raise _Unbelievable
    header = Header(
        FORMAT,
        _text(game),
        None if variant is None else _word(variant),
        {_word(name): _word(value) for name, value in given.items()},
        number,
        tuple(_word(seat) for seat in sitting),
        _number(int(_text(seed)), 0, 10**100),
        _word(language),
        _text(rules),
    )
    if seal != seal_of("", header):
        raise _Unbelievable
    return header, seal


def _text(value: object) -> str:
    """A text that can be shown on one line."""
    if not isinstance(value, str) or len(value) > MOST_LETTERS or not value.isprintable():
        raise _Unbelievable
    return value


def _word(value: object) -> str:
    """A text that a message can repeat."""
    text = _text(value)
    if len(text) > MOST_LETTERS_TOLD:
        raise _Unbelievable
    return text


def _number(value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or not least <= value <= most:
        raise _Unbelievable
    return value


# ------------------------------------------------------------ writing


def claim(path: Path) -> tuple[sqlite3.Connection, Saved]:
    """Hold a file for this process alone, to write to it."""
    look(path)
    if companion(path, "-journal").exists():
        # Our files have none, and SQLite would do with other files what it says.
        raise SaveError(f"beside `{path}` lies a journal that is none of ours; delete it first")
    if not os.access(path, os.W_OK) or not os.access(path.absolute().parent, os.W_OK):
        raise SaveError(
            f"can't write `{path}`: it is read-only; `history` and `replay` can read it"
        )
    database = _open(path, "mode=rw")
    try:
        with explained(path):
            _hold(database)
            database.execute("BEGIN EXCLUSIVE")
            database.execute("COMMIT")
            return database, _read(path, database)
    except BaseException:
        database.close()
        raise


def begin(
    path: Path, header: Header, choices: tuple[SavedChoice, ...]
) -> tuple[sqlite3.Connection, Saved]:
    """Write a new file, where there is none, and hold it."""
    if not header.game.isprintable():
        raise SaveError(f"can't save a game of `{header.game}`: its name has signs that don't show")
    try:
        path.open("xb").close()
    except FileExistsError:
        raise SaveError(f"`{path}` exists already; choose another name") from None
    except (OSError, ValueError) as error:
        raise SaveError(f"can't write `{path}`: {reason(error)}") from error
    try:
        database = _open(path, "mode=rw")
        try:
            with explained(path):
                _hold(database)
                _write(database, header, choices)
                return database, _read(path, database)
        except BaseException:
            database.close()
            raise
    except BaseException:
        for left in (path, *(companion(path, end) for end in ("-journal", "-wal", "-shm"))):
            left.unlink(missing_ok=True)
        raise


def _hold(database: sqlite3.Connection) -> None:
    # Set before anything is read, this makes SQLite hold the file's lock until it is closed.
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    database.execute("PRAGMA synchronous = FULL")


def _write(database: sqlite3.Connection, header: Header, choices: tuple[SavedChoice, ...]) -> None:
    seal = seal_of("", header)
    rows = []
    chained = seal
    for place, choice in enumerate(choices, 1):
        chained = seal_of(chained, choice)
        rows.append((place, choice.number, choice.code, choice.seat, chained))
    # Until it is in the journal mode of later choices the file has no companion to get lost.
    database.executescript(
        f"BEGIN; PRAGMA application_id = {MARK}; PRAGMA user_version = {FORMAT};"
        + "".join(f"{sql};" for sql in _TABLES.values())
    )
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
    database.executemany("INSERT INTO choices VALUES (?, ?, ?, ?, ?)", rows)
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode = WAL")


# ------------------------------------------------------------ SQLite


def _open(path: Path, how: str) -> sqlite3.Connection:
    with explained(path):
        database = sqlite3.connect(
            f"{path.absolute().as_uri()}?{how}", uri=True, timeout=0, isolation_level=None
        )
        for limit, most in _LIMITS.items():
            database.setlimit(limit, most)
        for setting in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
            database.execute(f"PRAGMA {setting}")
        return database


@contextmanager
def _connected(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    database = _open(path, how)
    try:
        yield database
    finally:
        database.close()


@contextmanager
def _deadline(path: Path, database: sqlite3.Connection) -> Iterator[None]:
    """SQLite is stopped when it takes too long, or when somebody interrupts it."""
    until = time.monotonic() + SECONDS
    database.set_progress_handler(lambda: time.monotonic() > until, 10_000)
    try:
        yield
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "") != "SQLITE_INTERRUPT":
            raise
        if time.monotonic() <= until:
            # What is raised in the handler stops SQLite and is then forgotten.
            raise KeyboardInterrupt from None
        raise SaveError(f"`{path}` takes too long to read; it can't be a saved game") from None
    finally:
        database.set_progress_handler(None, 0)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """What SQLite says, as a `SaveError`."""
    try:
        yield
    except sqlite3.OperationalError as error:
        # Python's own errors, such as text that is no UTF-8, have no name.
        name = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT")
        match name.split("_")[1]:
            case "BUSY" | "LOCKED":
                raise SaveError(f"`{path}` is being played in another process") from None
            case "FULL" | "IOERR":
                raise SaveError(f"can't write `{path}`: is the disk full?") from error
            case "READONLY" | "CANTOPEN" | "PERM":
                raise SaveError(f"can't write `{path}`: permission denied") from error
            case _:
                raise damaged(path) from error
    except (sqlite3.Error, UnicodeDecodeError) as error:
        # Messages of SQLite quote what is damaged, and Python wants to decode them.
        raise damaged(path) from error


def damaged(path: Path) -> SaveError:
    return SaveError(f"`{path}` is damaged; nothing was changed in it")


def _foreign(path: Path) -> SaveError:
    return SaveError(f"`{path}` is not a saved game")


def _too_large(path: Path) -> SaveError:
    return SaveError(f"`{path}` is larger than any saved game")


def companion(path: Path, end: str) -> Path:
    """A file that SQLite keeps beside another."""
    return path.with_name(path.name + end)


def reason(error: OSError | ValueError) -> str:
    text = error.strerror if isinstance(error, OSError) else str(error)
    return (text or "unknown reason").lower()


def _stamps(path: Path) -> tuple[object, ...]:
    """What changes when a file is written to."""

    def stamp(file: Path) -> tuple[int, int, int] | None:
        try:
            status = file.stat()
        except (OSError, ValueError):
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino

    return stamp(path), stamp(companion(path, "-wal"))
