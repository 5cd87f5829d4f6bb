"""How a match is begun: all that another process needs to begin the same."""

from __future__ import annotations

import re
from collections.abc import Mapping

import attrs

from ruledsl.diagnostics.source import Source
from ruledsl.library import Library
from ruledsl.play.loading import Game, LoadError, load, load_source
from ruledsl.play.match import Match

LONGEST_RULES = 400_000
"""Letters of a rules file that somebody sends."""
NOWHERE = "(sent)"
"""The folder of rules that were sent: it has no other files, so nothing is found beside them."""

_DECLARED = re.compile(r"^(?:game|variant)[ ]+(\w+)", re.MULTILINE)


@attrs.frozen
class Recipe:
    """A game with its settings; `rules` is the text of a file that was sent."""

    game: str
    players: int
    seed: int
    variant: str | None = None
    options: Mapping[str, str] = attrs.Factory(dict)
    rules: str | None = None

    def load(self) -> Game:
        found = load(self.game) if self.rules is None else load_text(self.rules)
        return found if self.variant is None else found.variant(self.variant)

    def start(self, language: str = "en") -> Match:
        return self.load().start(self.players, None, self.options, self.seed, language)


def source_of(text: str) -> Source:
    """Rules that were sent, under the name that they declare."""
    declared = _DECLARED.search(text)
    name = "game" if declared is None else declared[1]
    return Source(f"{NOWHERE}/{name}.rules", text)


def load_text(text: str) -> Game:
    """A game from rules that were sent; they may build on shipped games."""
    if len(text) > LONGEST_RULES:
        raise LoadError(f"a rules file has at most {LONGEST_RULES:,} letters")
    return load_source(source_of(text), Library())
