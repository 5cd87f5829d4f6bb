"""How a game ends, and who wins it."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from ruledsl.model import core
from ruledsl.model.walk import walk
from ruledsl.play.prose import begun
from ruledsl.play.sheets.book import Book
from ruledsl.play.sheets.context import SheetContext
from ruledsl.play.sheets.course import Course
from ruledsl.play.sheets.entries import Entry, under
from ruledsl.texts import sheets
from ruledsl.texts.commands import Topic

WAYS = {"highest": sheets.HIGHEST, "lowest": sheets.LOWEST}
TIED = {"highest": sheets.HIGHEST_OF_TIED, "lowest": sheets.LOWEST_OF_TIED}


@attrs.frozen
class Ending:
    context: SheetContext
    book: Book
    course: Course

    def entries(self) -> Iterator[Entry]:
        yield from self._ranking()
        yield from self._limit()

    def outcome(self, topic: Topic) -> Iterator[Entry]:
        """What is asked: in the words of the rulebook, else as the file says."""
        if topic == "win":
            yield from self.book.aim()
        title = self.context.phrase(sheets.END)
        told = [part for part in self.book.sections() if part.title == title]
        if told:
            yield from told[0].entries
            return
        procedures = list(self._deciding(topic))
        if not procedures and topic == "end":
            yield Entry(self.context.phrase(sheets.COURSE_OVER), head=True)
            yield from self.course.steps(["play"])
        yield from procedures
        yield from self._ranking() if topic == "win" else self._limit()

    def _deciding(self, topic: Topic) -> Iterator[Entry]:
        """What is done where somebody wins, or where the game ends, without the rest of it."""
        game, prose = self.context.game, self.context.prose
        for action in game.actions.values():
            body = tuple(part for part in action.body if _decides(part, topic))
            if body:
                title = begun(self.context.telling.action(action.key))
                yield Entry(title, head=True, trail=action.trail)
                yield from under(prose.block(body, prose.picked(action.picks)))
        for step in game.steps.values():
            for block in (step.body or (), *(row.body for row in step.rows)):
                body = tuple(part for part in block if _decides(part, topic))
                if body:
                    title = begun(prose.procedure(step.name))
                    yield Entry(title, head=True, trail=step.trail)
                    yield from under(prose.block(body, prose.knowing(step.params)))
        for trigger in game.triggers.values():
            if any(_decides(part, topic) for part in trigger.body):
                yield from self.course.trigger(trigger)

    def _ranking(self) -> Iterator[Entry]:
        phrase, sentence = self.context.phrase, self.context.sentence
        ranking = self.context.game.ranking
        if ranking is None:
            yield Entry(sentence(phrase(sheets.DRAW)))
            return
        player = self.context.telling.owning(ranking.local)
        for number, key in enumerate(ranking.keys):
            way = (WAYS if number == 0 else TIED)[key.way]
            text = phrase(way, a=str(player.said(key.value)))
            yield Entry(sentence(text), trail=key.trail)
        if ranking.team is not None:
            team = phrase(sheets.TEAM, a=str(player.said(ranking.team)))
            yield Entry(sentence(team))
        if ranking.no_tie:
            yield Entry(sentence(phrase(sheets.NO_TIE)))

    def _limit(self) -> Iterator[Entry]:
        most = self.context.game.limit
        if most is not None:
            limit = self.context.phrase(sheets.LIMIT, n=self.context.prose.said(most))
            yield Entry(self.context.sentence(limit))


def _decides(statement: core.Statement, topic: Topic) -> bool:
    """Whether somebody wins or loses there, or, if that is asked, the game ends."""
    return any(
        isinstance(part, core.Win)
        or (topic == "end" and isinstance(part, core.End) and part.target == "game")
        for part in walk((statement,))
    )
