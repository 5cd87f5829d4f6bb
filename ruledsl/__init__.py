"""A rules language for tabletop games: load a game, play it, look at it as a seat sees it."""

from __future__ import annotations

from ruledsl.play.loading import Game, LoadError, load
from ruledsl.play.match import Choice, IllegalChoice, Match

__all__ = ["Choice", "Game", "IllegalChoice", "LoadError", "Match", "load"]
