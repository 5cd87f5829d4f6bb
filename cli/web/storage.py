"""Where tables are kept: a save for each, and beside it who may sit where.

The saves are those of the terminal. What is beside them are the secrets of the seats, in a file
that only its owner may read, and the rules if somebody sent them.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from ..saves import FORMAT, Header, Save, Saved, SaveError, look
from .recipe import Recipe

_ID = re.compile(r"[A-Za-z0-9_-]{10,40}")
MOST_SECRETS_BYTES = 100_000


@attrs.frozen
class Kept:
    """A table as it is kept; each human seat has a secret."""

    id: str
    recipe: Recipe
    sitting: tuple[str, ...]
    secrets: tuple[str, ...]
    """one for each seat, a computer's too: nobody knows that one"""
    language: str

    def seat_of(self, secret: str) -> int | None:
        """The seat that a secret is for, in a time that tells nothing about it."""
        found = None
        for number, (own, who) in enumerate(zip(self.secrets, self.sitting, strict=True), 1):
            if secrets.compare_digest(own.encode(), secret.encode()) and who == "human":
                found = number
        return found


def new_secret() -> str:
    return secrets.token_urlsafe(18)


class Storage:
    """A folder of tables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def create(
        self, recipe: Recipe, sitting: Sequence[str], language: str, rules_hash: str
    ) -> tuple[Kept, Save]:
        """A new table; when this returns it is there for good."""
        name = new_secret()
        kept = Kept(name, recipe, tuple(sitting), tuple(new_secret() for _ in sitting), language)
        game = recipe.game
        if recipe.rules is not None:
            # The terminal goes on with it, too: it reads rules that lie beside a save.
            home = self.folder / name
            home.mkdir(mode=0o700)
            file = home / f"{recipe.game}.rules"
            file.write_text(recipe.rules, encoding="utf-8")
            game = str(file)
        self._write(kept)
        header = Header(
            FORMAT,
            game,
            recipe.variant,
            dict(recipe.options),
            recipe.players,
            tuple(sitting),
            recipe.seed,
            language,
            rules_hash,
        )
        return kept, Save.create(self.path(name), header)

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.save"

    def _write(self, kept: Kept) -> None:
        file = self.folder / f"{kept.id}.seats"
        data = {
            "game": kept.recipe.game,
            "rules": kept.recipe.rules,
            "secrets": list(kept.secrets),
        }
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            json.dump(data, stream)
            stream.flush()
            os.fsync(stream.fileno())

    def find(self, name: str) -> tuple[Kept, Saved] | None:
        """A table that is kept here."""
        if not _ID.fullmatch(name):
            return None
        try:
            saved = look(self.path(name))
            data: Any = json.loads((self.folder / f"{name}.seats").read_text(encoding="utf-8"))
            header = saved.header
            recipe = Recipe(
                str(data["game"]),
                header.players,
                header.seed,
                header.variant,
                header.options,
                data["rules"] if isinstance(data["rules"], str) else None,
            )
            known = tuple(map(str, data["secrets"]))
        except (OSError, SaveError, ValueError, KeyError, TypeError):
            return None
        if len(known) != header.players:
            return None
        return Kept(name, recipe, header.seats, known, header.language), saved

    def adopt(self, path: Path) -> tuple[Kept, Saved]:
        """A save from elsewhere: it stays where it is, and gets secrets for this time."""
        saved = look(path)
        header = saved.header
        recipe = Recipe(header.game, header.players, header.seed, header.variant, header.options)
        seats = tuple(new_secret() for _ in header.seats)
        return Kept(new_secret(), recipe, header.seats, seats, header.language), saved
