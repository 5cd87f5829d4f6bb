"""Saved games: a SQLite file with a header and every accepted choice, each safe at once.

A save is open in one process at a time. Whatever is wrong with a file is a `SaveError`; a file that
is no save is never written to.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs

from ruledsl.model.game import CheckedGame
from ruledsl.play.match import Match

FORMAT = 1
MARK = 0x52554C45
"""SQLite's application id of our files."""

_SCHEMA = """\
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
);
CREATE TABLE choices (
    place INTEGER PRIMARY KEY,
    number INTEGER NOT NULL,
    code TEXT NOT NULL,
    seat INTEGER NOT NULL,
    seal TEXT NOT NULL
);
"""


class SaveError(Exception):
    """A save that can't be made, opened or written; the text says why."""


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


def rules_hash(played: CheckedGame | Match) -> str:
    """The same for the same texts of the rules, wherever their files lie."""
    game = played.game if isinstance(played, Match) else played
    texts = sorted(source.text for source in game.sources.values())
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


class Save:
    """An open save. Close it, or use it in a `with` statement."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self._database = database
        self.header, seal = _read_header(path, database)
        self._seals = [seal]
        self._choices: list[SavedChoice] = []
        for choice, sealed in _read_choices(path, database):
            self._note(choice)
            if sealed != self._seals[-1]:
                raise _damaged(path)

    @classmethod
    def create(cls, path: Path, header: Header, choices: Iterable[SavedChoice] = ()) -> Save:
        """A new save, perhaps with choices made already; nothing that exists is overwritten."""
        try:
            path.open("xb").close()
        except FileExistsError:
            raise SaveError(f"`{path}` exists already; choose another name") from None
        except OSError as error:
            raise SaveError(f"can't write `{path}`: {_reason(error)}") from error
        try:
            database = _connect(path)
            with _explained(path):
                _write_new(database, header, tuple(choices))
            return _opened(path, database)
        except BaseException:
            for left in (path, *_companions(path)):
                left.unlink(missing_ok=True)
            raise

    @classmethod
    def open(cls, path: Path) -> Save:
        """Open a save for this process alone."""
        _check_kind(path)
        return _opened(path, _connect(path))

    @property
    def choices(self) -> tuple[SavedChoice, ...]:
        return tuple(self._choices)

    def add(self, choice: SavedChoice) -> None:
        """Write down a choice; when this returns, it is safe."""
        seal = _seal(self._seals[-1], choice)
        with _explained(self.path):
            self._database.execute(
                "INSERT INTO choices VALUES (?, ?, ?, ?, ?)",
                (len(self._choices) + 1, choice.number, choice.code, choice.seat, seal),
            )
        self._note(choice)

    def drop_last(self) -> None:
        """Take back the last choice."""
        assert self._choices, "there is a choice to take back"
        with _explained(self.path):
            self._database.execute("DELETE FROM choices WHERE place = ?", (len(self._choices),))
        self._choices.pop()
        self._seals.pop()

    def close(self) -> None:
        with suppress(sqlite3.Error):
            # Every choice is in the file or its journal; only tidying up can fail here.
            self._database.close()

    def __enter__(self) -> Save:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _note(self, choice: SavedChoice) -> None:
        self._seals.append(_seal(self._seals[-1], choice))
        self._choices.append(choice)


# ------------------------------------------------------------ the file


def _connect(path: Path) -> sqlite3.Connection:
    with _explained(path):
        database = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=0, isolation_level=None
        )
        # Set before anything is read, this makes SQLite hold the file's lock until it is closed.
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA synchronous = FULL")
        return database


def _check_kind(path: Path) -> None:
    """Refuse what is not one of our files, without locking it or changing a bit of it."""
    # Only SQLite may open the file: closing it elsewhere in this process would drop its locks.
    try:
        if stat.S_ISDIR(path.stat().st_mode):
            raise SaveError(f"`{path}` is a folder, not a saved game")
    except FileNotFoundError:
        raise SaveError(f"there is no file `{path}`") from None
    except OSError as error:
        raise SaveError(f"can't read `{path}`: {_reason(error)}") from error
    if not os.access(path, os.R_OK):
        raise SaveError(f"can't read `{path}`: permission denied")
    foreign = SaveError(f"`{path}` is not a saved game")
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        database = sqlite3.connect(uri, uri=True)
        try:
            (mark,) = database.execute("PRAGMA application_id").fetchone()
            (version,) = database.execute("PRAGMA user_version").fetchone()
        finally:
            database.close()
    except sqlite3.Error:
        raise foreign from None
    if mark != MARK:
        raise foreign
    if version > FORMAT:
        raise SaveError(f"`{path}` was saved by a newer version of ruledsl")


def _opened(path: Path, database: sqlite3.Connection) -> Save:
    try:
        with _explained(path):
            database.execute("BEGIN EXCLUSIVE")
            (sound,) = database.execute("PRAGMA quick_check(1)").fetchone()
            database.execute("COMMIT")
        if sound != "ok":
            raise _damaged(path)
        return Save(path, database)
    except BaseException:
        database.close()
        raise


def _write_new(
    database: sqlite3.Connection, header: Header, choices: tuple[SavedChoice, ...]
) -> None:
    seal = _seal("", header)
    rows = []
    chained = seal
    for place, choice in enumerate(choices, 1):
        chained = _seal(chained, choice)
        rows.append((place, choice.number, choice.code, choice.seat, chained))
    # Until it is in the journal mode of later choices the file has no companion to get lost.
    database.executescript(
        f"BEGIN; PRAGMA application_id = {MARK}; PRAGMA user_version = {FORMAT};{_SCHEMA}"
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


def _read_header(path: Path, database: sqlite3.Connection) -> tuple[Header, str]:
    with _explained(path):
        rows = database.execute("SELECT * FROM header").fetchall()
        (version,) = database.execute("PRAGMA user_version").fetchone()
    try:
        ((game, variant, options, players, seats, seed, language, rules, seal),) = rows
        header = Header(
            version,
            game,
            variant,
            json.loads(options),
            players,
            tuple(json.loads(seats)),
            int(seed),
            language,
            rules,
        )
    except (ValueError, TypeError):
        raise _damaged(path) from None
    if seal != _seal("", header):
        raise _damaged(path)
    return header, seal


def _read_choices(path: Path, database: sqlite3.Connection) -> Iterator[tuple[SavedChoice, str]]:
    with _explained(path):
        rows = database.execute(
            "SELECT place, number, code, seat, seal FROM choices ORDER BY place"
        ).fetchall()
    for expected, (place, number, code, seat, seal) in enumerate(rows, 1):
        if place != expected:
            raise _damaged(path)
        yield SavedChoice(number, code, seat), seal


def _seal(before: str, part: Header | SavedChoice) -> str:
    """A digest of a part and of all before it: what was altered does not go unnoticed."""
    text = json.dumps([before, attrs.astuple(part)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _companions(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + end) for end in ("-journal", "-wal", "-shm"))


@contextmanager
def _explained(path: Path) -> Iterator[None]:
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
                raise _damaged(path) from error
    except sqlite3.DatabaseError as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> SaveError:
    return SaveError(f"`{path}` is damaged; nothing was changed in it")


def _reason(error: OSError) -> str:
    return (error.strerror or "unknown reason").lower()
