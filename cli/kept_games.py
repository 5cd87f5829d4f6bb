"""Games that are kept until they are over, in the platform's folder for data."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from .saves import Header, Save, Saved, SavedChoice, SaveError, look

SUFFIX = ".game"
MOST_TRIES = 1000
"""Games of one name that are kept at once."""


def folder() -> Path:
    """Where games are kept."""
    home = Path.home()
    given = os.environ.get("XDG_DATA_HOME")
    if given:
        base = Path(given)
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", home))
    else:
        base = home / ".local" / "share"
    return base / "ruledsl" / "games"


def keep(header: Header, choices: tuple[SavedChoice, ...] = ()) -> Save:
    """A new file for a game that begins; its name is short, for it may be typed."""
    place = folder()
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SaveError(f"can't keep the game in `{place}`: {error.strerror}") from error
    name = Path(header.variant or header.game).stem
    for number in range(1, MOST_TRIES):
        path = place / f"{name}-{number}{SUFFIX}"
        if not path.exists():
            return Save.create(path, header, choices)
    raise SaveError(f"there are too many games in `{place}`")


def is_kept(path: Path) -> bool:
    return path.parent == folder() and path.suffix == SUFFIX


def named(text: str) -> Path:
    """The file that is meant: one that is there, or a kept game by its name."""
    path = Path(text)
    kept = folder() / (text if text.endswith(SUFFIX) else f"{text}{SUFFIX}")
    try:
        return path if path.exists() or path.name != text or not kept.exists() else kept
    except OSError:  # a name that no file can have, which is told when it is opened
        return path


def short_name(path: Path) -> str:
    """How a save is called on the command line."""
    return path.stem if is_kept(path) else str(path)


def forget(save: Save) -> None:
    """A game that is over is kept no longer; other files stay."""
    if is_kept(save.path):
        save.close()
        for each in save.path.parent.glob(f"{save.path.name}*"):
            each.unlink(missing_ok=True)


def names() -> Iterator[str]:
    """What kept games are called."""
    return (path.stem for path in sorted(folder().glob(f"*{SUFFIX}")))


def kept_games() -> Iterator[tuple[str, Saved, datetime]]:
    """The games that were left, the latest first: name, what it says, when it was played."""
    place = folder()
    files = sorted(place.glob(f"*{SUFFIX}"), key=lambda path: -path.stat().st_mtime)
    for path in files:
        try:
            saved = look(path)
        except SaveError:
            continue
        yield path.stem, saved, datetime.fromtimestamp(path.stat().st_mtime, UTC).astimezone()
