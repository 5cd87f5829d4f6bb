"""The whole table as a seat sees it: boards first, then everything else, the players last."""

from __future__ import annotations

from ruledsl.play.views import View
from ruledsl.play.words import Words
from ruledsl.scene.arrangement import arrangement_of, ground
from ruledsl.table.table import Table
from ruledsl.table.things import Thing
from ruledsl.texts.text import Phrases

from .boards import grid, picture, row
from .drawn_view import DrawnView
from .off_board import family, own, players, shelf, values
from .piece_names import PieceNames


class Artist:
    """Draws the views of one table."""

    def __init__(self, table: Table, words: Words) -> None:
        self.table = table
        self.words = words
        self.say = Phrases(words.language)
        self.arrangement = arrangement_of(table)
        self.naming = PieceNames(table, words, self.arrangement)
        self.grounds = {kind: ground(table, kind) for kind in self.arrangement.grids}

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
        drawn = DrawnView(
            self.table,
            self.words,
            self.say,
            self.arrangement,
            self.naming,
            self.grounds,
            view,
            columns,
            marked,
            playing,
        )
        parts = [
            *(grid(drawn, kind) for kind in self.arrangement.grids),
            *(picture(drawn, kinds) for kinds in self.arrangement.pictures),
            *(row(drawn, kind) for kind in self.arrangement.rows),
            *(family(drawn, kind) for kind in self.arrangement.families),
            shelf(drawn),
            values(drawn),
            players(drawn),
            own(drawn) if playing else [],
        ]
        lines: list[str] = []
        for part in filter(None, parts):
            lines += ["", *part] if lines else part
        return lines
