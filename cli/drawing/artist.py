"""The whole table as a seat sees it: boards first, then everything else, the players last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruledsl.scene.data import Scene, Stage
from ruledsl.texts.text import Phrases

from .boards import boards_lines
from .off_board import families, own, players, shelf, values
from .short_names import short_names
from .tableau import Tableau


class Artist:
    """Draws scenes upon one stage."""

    def __init__(self, stage: Stage, seats: int) -> None:
        self.stage = stage
        self.say = Phrases(stage.language)
        self.short_names = short_names(stage, seats)

    def draw(self, scene: Scene, columns: int, *, playing: bool = True) -> list[str]:
        """The table in lines of at most so many columns.

        What is offered stands out, and so does what has just happened; whoever is not `playing`
        only looks on.
        """
        drawn = self._tableau(scene, columns, playing=playing)
        return _apart([*self._boards(drawn), *_rest(drawn)])

    def draw_apart(
        self, scene: Scene, columns: int, beside: int, *, playing: bool = True
    ) -> tuple[list[str], list[str]]:
        """The boards in some columns, and all else in others `beside` them."""
        boards = self._tableau(scene, columns, playing=playing)
        rest = self._tableau(scene, beside, playing=playing)
        rest.signs = boards.signs
        return _apart(self._boards(boards)), _apart(_rest(rest))

    def _tableau(self, scene: Scene, columns: int, *, playing: bool) -> Tableau:
        return Tableau(self.stage, scene, self.say, self.short_names, columns, playing)

    def _boards(self, drawn: Tableau) -> list[list[str]]:
        return boards_lines(drawn)


def _rest(drawn: Tableau) -> list[list[str]]:
    return [
        *families(drawn),
        shelf(drawn),
        values(drawn),
        players(drawn),
        own(drawn) if drawn.playing else [],
    ]


def _apart(parts: Iterable[Sequence[str]]) -> list[str]:
    """Parts with an empty line between them."""
    lines: list[str] = []
    for part in filter(None, parts):
        lines += ["", *part] if lines else part
    return lines
