"""The whole table as a seat sees it: boards first, then everything else, the players last."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from ruledsl.scene.data import Scene, Stage
from ruledsl.texts import terminal
from ruledsl.texts.text import Phrases

from .boards import boards_lines
from .off_board import families, own, players, shelf, values
from .short_names import short_names
from .tableau import Tableau
from .text import fitted, flow, safe, styled, wrap


class Artist:
    """Draws scenes upon one stage."""

    def __init__(self, stage: Stage, seats: int) -> None:
        self.stage = stage
        self.say = Phrases(stage.language)
        self.short_names = short_names(stage, seats)

    def draw(
        self, scene: Scene, columns: int, rows: int | None = None, *, playing: bool = True
    ) -> list[str]:
        """The table in lines of at most so many columns, and if it can be, so many rows.

        What is offered stands out, and so does what has just happened; whoever is not `playing`
        only looks on.
        """

        def parts(*, dense: bool) -> list[list[str]]:
            drawn = self._tableau(scene, columns, playing=playing, dense=dense)
            boards = boards_lines(drawn)
            return [*self._aim(drawn), *boards, *_rest(drawn)]

        return _fitting(parts, rows)

    def draw_apart(
        self,
        scene: Scene,
        left: Room,
        right: Room,
        *,
        playing: bool = True,
    ) -> tuple[list[str], list[str]]:
        """The boards in a room on the left, and all else in one on the right.

        Where there is no room for that, all but the aim is on the left; and if that is too much,
        the first board stays there, and all else is packed.
        """
        for arranged in (self._split, self._below):
            kept, beside = arranged(scene, left, right, playing=playing)
            if len(_close(kept)) <= left.rows and len(_close(beside)) <= right.rows:
                break
        else:
            kept, beside = self._packed(scene, left, right, playing=playing)
        return _spaced(kept, left.rows), _spaced(beside, right.rows)

    def _split(
        self, scene: Scene, left: Room, right: Room, *, playing: bool
    ) -> tuple[list[list[str]], list[list[str]]]:
        drawn = self._tableau(scene, left.columns, playing=playing, dense=False)
        boards = boards_lines(drawn)
        drawn.columns = right.columns
        return boards, [*self._aim(drawn), *_rest(drawn)]

    def _below(
        self, scene: Scene, left: Room, right: Room, *, playing: bool
    ) -> tuple[list[list[str]], list[list[str]]]:
        drawn = self._tableau(scene, left.columns, playing=playing, dense=False)
        kept = [*boards_lines(drawn), *_rest(drawn)]
        drawn.columns = right.columns
        return kept, self._aim(drawn)

    def _packed(
        self, scene: Scene, left: Room, right: Room, *, playing: bool
    ) -> tuple[list[list[str]], list[list[str]]]:
        """All but the first board where it takes fewest lines, as far as there is room for it."""
        drawn, beside = (
            self._tableau(scene, room.columns, playing=playing, dense=True)
            for room in (left, right)
        )
        wide = [*boards_lines(drawn), *_rest(drawn)]
        boards = boards_lines(beside)
        # The first board is on the left, so its names are those of the left.
        beside.stems |= {board.id: drawn.stems.get(board.id, []) for board in self.stage.boards[:1]}
        narrow = [*boards, *_rest(beside)]
        kept = {0, *_best(wide[1:], narrow[1:], left.rows - len(wide[0]))}
        return (
            [part for at, part in enumerate(wide) if at in kept],
            [part for at, part in enumerate(narrow) if at not in kept],
        )

    def _tableau(self, scene: Scene, columns: int, *, playing: bool, dense: bool) -> Tableau:
        return Tableau(self.stage, scene, self.say, self.short_names, columns, playing, dense)

    def _aim(self, drawn: Tableau) -> list[list[str]]:
        """What it is all about, where there is room for it."""
        if not self.stage.aim or drawn.dense:
            return []
        text = self.say(terminal.AIM, aim=safe(self.stage.aim))
        return [wrap(styled(text, "dim"), drawn.columns, "  ")]


@attrs.frozen
class Room:
    """Columns and rows of a part of the screen."""

    columns: int
    rows: int


def _best(
    wide: Sequence[Sequence[str]], narrow: Sequence[Sequence[str]], rows: int
) -> tuple[int, ...]:
    """Which parts, counted from one, save most lines on the right in so many rows on the left."""
    best: list[tuple[int, tuple[int, ...]]] = [(0, ())] * (max(0, rows) + 1)
    for at, (here, there) in enumerate(zip(wide, narrow, strict=True), 1):
        for room in range(len(best) - 1, len(here) - 1, -1):
            saved, parts = best[room - len(here)]
            best[room] = max(best[room], (saved + len(there), (*parts, at)))
    return best[-1][1]


def _rest(drawn: Tableau) -> list[list[str]]:
    """All that is no board; what its signs mean comes last."""
    beside = families(drawn)
    single, stats = shelf(drawn), values(drawn)
    seats = players(drawn)
    hand = own(drawn) if drawn.playing else []
    meanings = [styled(text, "dim") for text in drawn.meanings("▶", "*", "( )", "✓", "–")]
    if drawn.dense:
        notes = [*drawn.notes, *(meant for stems in drawn.stems.values() for meant in stems)]
        items = [*single, *stats, *(styled(note, "dim") for note in notes), *meanings]
        return [*beside, fitted(items, drawn.columns, gap="   "), seats, hand]
    together = [flow(items, drawn.columns, gap="   ") for items in (single, stats)]
    return [*beside, *together, seats, hand, flow(meanings, drawn.columns, gap="   ")]


def _fitting(parts: Callable[..., list[list[str]]], rows: int | None) -> list[str]:
    """The parts as they are, or dense where they take more rows."""
    found = parts(dense=False)
    if rows is not None and len(_close(found)) > rows:
        found = parts(dense=True)
    return _spaced(found, rows)


def _spaced(parts: Sequence[Sequence[str]], rows: int | None) -> list[str]:
    """Parts with an empty line between them, if there is room for that."""
    apart: list[str] = []
    for part in filter(None, parts):
        apart += ["", *part] if apart else part
    return apart if rows is None or len(apart) <= rows else _close(parts)


def _close(parts: Sequence[Sequence[str]]) -> list[str]:
    return [line for part in parts for line in part if line]
