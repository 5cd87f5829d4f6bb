"""Games that are kept in the platform's folder for data: those that go on, and the last ended."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from .saves import Header, Save, Saved, SavedChoice, SaveError, look

SUFFIX = ".game"
MOST_TRIES = 1000
"""Games of one name that are kept at once."""
MOST_OVER = 50
"""Games that are over and still kept; before them the oldest goes."""


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


def folder_of_ended() -> Path:
    """Where games go that are over."""
    return folder() / "over"


def keep(header: Header, choices: tuple[SavedChoice, ...] = ()) -> Save:
    """A new file for a game that begins; its name is short, for it may be typed."""
    place = folder()
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SaveError(f"can't keep the game in `{place}`: {error.strerror}") from error
    name = Path(header.variant or header.game).stem
    for number in range(1, MOST_TRIES):
        file = f"{name}-{number}{SUFFIX}"
        if not any((each / file).exists() for each in (place, folder_of_ended())):
            return Save.create(place / file, header, choices)
    raise SaveError(f"there are too many games in `{place}`")


def is_kept(path: Path) -> bool:
    """Whether it is a game that goes on and is kept here."""
    return path.parent == folder() and path.suffix == SUFFIX


def named(text: str) -> Path:
    """The file that is meant: one that is there, or a kept game by its name."""
    path = Path(text)
    file = text if text.endswith(SUFFIX) else f"{text}{SUFFIX}"
    try:
        if path.exists() or path.name != text:
            return path
        kept = (place / file for place in (folder(), folder_of_ended()))
        return next((each for each in kept if each.exists()), path)
    except OSError:  # a name that no file can have, which is told when it is opened
        return path


def short_name(path: Path) -> str:
    """How a save is called on the command line."""
    here = path.parent in (folder(), folder_of_ended()) and path.suffix == SUFFIX
    return path.stem if here else str(path)


def forget(save: Save) -> None:
    """A game that is written elsewhere is kept here no longer; other files stay."""
    if is_kept(save.path):
        save.close()
        _remove(save.path)


def end(save: Save) -> Path:
    """A game is over: from now on it is kept apart, or stays where somebody saved it."""
    if not is_kept(save.path):
        return save.path
    save.close()
    place = folder_of_ended()
    ended = place / save.path.name
    try:
        place.mkdir(exist_ok=True, mode=0o700)
        for path in _files(save.path):
            path.replace(place / path.name)
    except OSError as error:
        raise SaveError(f"can't keep the game in `{place}`: {error.strerror}") from error
    for path in _latest_first(place)[MOST_OVER:]:
        _remove(path)
    return ended


def names(*, ended: bool) -> Iterator[str]:
    """What kept games are called, those that have `ended` too or not."""
    places = (folder(), folder_of_ended()) if ended else (folder(),)
    return (path.stem for place in places for path in sorted(place.glob(f"*{SUFFIX}")))


def kept_games(place: Path) -> Iterator[tuple[str, Saved, datetime]]:
    """The games in a folder, the latest first: name, what it says, when it was played."""
    for path in _latest_first(place):
        try:
            saved = look(path)
        except SaveError:
            continue
        yield path.stem, saved, datetime.fromtimestamp(path.stat().st_mtime, UTC).astimezone()


def _latest_first(place: Path) -> list[Path]:
    return sorted(place.glob(f"*{SUFFIX}"), key=lambda path: -path.stat().st_mtime)


def _files(path: Path) -> list[Path]:
    """A save and what SQLite may have left beside it."""
    return [*path.parent.glob(f"{path.name}*")]


def _remove(path: Path) -> None:
    for each in _files(path):
        with suppress(OSError):
            each.unlink(missing_ok=True)
