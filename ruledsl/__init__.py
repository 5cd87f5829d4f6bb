"""A rules language for tabletop games: load a game, play it, look at it as a seat sees it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruledsl.play.loading import Game, LoadError, load
    from ruledsl.play.match import Choice, IllegalChoice, Match

__all__ = ["Choice", "Game", "IllegalChoice", "LoadError", "Match", "load"]

_HOMES = {
    "Game": "ruledsl.play.loading",
    "LoadError": "ruledsl.play.loading",
    "load": "ruledsl.play.loading",
    "Choice": "ruledsl.play.match",
    "IllegalChoice": "ruledsl.play.match",
    "Match": "ruledsl.play.match",
}


def __getattr__(name: str) -> Any:
    """Import on first use, so that commands that only read files start quickly."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
