"""Saved games: a header and every accepted choice, each safe at once.

A save is written to by one process at a time. Whatever is wrong with a file is a `SaveError`; a
file that is no save is never written to.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ruledsl.model.game import CheckedGame
from ruledsl.play.match import Match

from .savefile import (
    FORMAT,
    Header,
    Saved,
    SavedChoice,
    SaveError,
    begin,
    claim,
    explained,
    look,
    seal_of,
)

__all__ = ["FORMAT", "Header", "Save", "SaveError", "Saved", "SavedChoice", "look", "rules_hash"]


def rules_hash(played: CheckedGame | Match) -> str:
    """The same for the same texts of the rules, wherever their files lie."""
    game = played.game if isinstance(played, Match) else played
    texts = sorted(source.text for source in game.sources.values())
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


class Save:
    """A save that this process writes to. Close it, or use it in a `with` statement."""

    def __init__(self, database: sqlite3.Connection, saved: Saved) -> None:
        self.path = saved.path
        self.header = saved.header
        self._database = database
        self._seals = [*saved.seals]
        self._choices = [*saved.choices]

    @classmethod
    def create(cls, path: Path, header: Header, choices: Iterable[SavedChoice] = ()) -> Save:
        """A new save, perhaps with choices made already; nothing that exists is overwritten."""
        return cls(*begin(path, header, tuple(choices)))

    @classmethod
    def open(cls, path: Path) -> Save:
        """Open a save for this process alone."""
        return cls(*claim(path))

    @property
    def choices(self) -> tuple[SavedChoice, ...]:
        return tuple(self._choices)

    @property
    def saved(self) -> Saved:
        """What stands in the file by now."""
        return Saved(self.path, self.header, self.choices, tuple(self._seals))

    def add(self, choice: SavedChoice) -> None:
        """Write down a choice; when this returns, it is safe."""
        seal = seal_of(self._seals[-1], choice)
        with explained(self.path):
            self._database.execute(
                "INSERT INTO choices VALUES (?, ?, ?, ?, ?)",
                (len(self._choices) + 1, choice.number, choice.code, choice.seat, seal),
            )
        self._seals.append(seal)
        self._choices.append(choice)

    def drop_last(self) -> None:
        """Take back the last choice."""
        assert self._choices, "there is a choice to take back"
        with explained(self.path):
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
