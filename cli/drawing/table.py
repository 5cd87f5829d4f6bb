"""The whole table as a seat sees it: boards first, then everything else, the players last."""

from __future__ import annotations

from ruledsl.play.views import View
from ruledsl.play.words import Words
from ruledsl.table.table import Table
from ruledsl.table.things import Thing

from ..phrases import Phrases
from .boards import grid, picture, row
from .easel import Easel
from .looks import Looks
from .plan import ground, plan_of
from .shelf import family, own, players, shelf, values


class Artist:
    """Draws the views of one table."""

    def __init__(self, table: Table, words: Words) -> None:
        self.table = table
        self.words = words
        self.say = Phrases(words.language)
        self.plan = plan_of(table)
        self.looks = Looks(table, words, self.plan)
        self.grounds = {kind: ground(table, kind) for kind in self.plan.grids}

    def draw(
        self,
        view: View,
        columns: int,
        marked: frozenset[Thing] = frozenset(),
        *,
        playing: bool = True,
    ) -> list[str]:
        """The table in lines of at most so many columns.

        Places offered as choices are `marked`; whoever is not `playing` only looks on.
        """
        easel = Easel(
            self.table,
            self.words,
            self.say,
            self.plan,
            self.looks,
            self.grounds,
            view,
            columns,
            marked,
            playing,
        )
        parts = [
            *(grid(easel, kind) for kind in self.plan.grids),
            *(picture(easel, kinds) for kinds in self.plan.pictures),
            *(row(easel, kind) for kind in self.plan.rows),
            *(family(easel, kind) for kind in self.plan.families),
            shelf(easel),
            values(easel),
            players(easel),
            own(easel) if playing else [],
        ]
        lines: list[str] = []
        for part in filter(None, parts):
            lines += ["", *part] if lines else part
        return lines
