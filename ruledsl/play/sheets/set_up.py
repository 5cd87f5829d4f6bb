"""Set-up: what is done, and an example of how the table looks afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import attrs

from ruledsl.play.chance import Dice, Generator
from ruledsl.play.interpreter import Interpreter
from ruledsl.play.prose import begun
from ruledsl.play.running import take_first_options
from ruledsl.play.sheets.context import SheetContext
from ruledsl.play.sheets.course import Course
from ruledsl.play.sheets.entries import Entry
from ruledsl.table.table import Table
from ruledsl.table.things import Thing
from ruledsl.texts import sheets

MOST_PLACES = 6
"""Places that are named one by one."""
MOST_CHOICES = 500
"""Choices in set-up after which it is left as it is."""


@attrs.frozen
class SetUp:
    context: SheetContext
    course: Course

    def entries(self, *, example: bool) -> Iterator[Entry]:
        yield from self.course.set_up()
        if example:
            yield from self._example()

    def _example(self) -> Iterator[Entry]:
        dealt = {number: self._dealt(table) for number, table in self.context.tables.items()}
        places = list(dict.fromkeys(name for found in dealt.values() for name in found))
        if places:
            yield Entry(self.context.phrase(sheets.DEALT), head=True)
        for place in places:
            texts = {number: found.get(place, "–") for number, found in dealt.items()}
            yield Entry(f"{place}: {self.context.by_players(texts)}", 1)

    def _dealt(self, table: Table) -> dict[str, str]:
        """What lies where after set-up, by kind of place."""
        interpreter = _set_up(table)
        found: dict[str, str] = {}
        for kind in self.context.game.kinds.values():
            if kind.place is not None and self.context.is_shown(kind.name):
                groups: dict[str, list[Thing]] = {}
                for place in table.things(kind.name):
                    text = self._counted(interpreter.pos.contents[place])
                    groups.setdefault(text, []).append(place)
                if groups.keys() != {""}:
                    found[begun(self.context.words.kind(kind.name))] = self._laid(groups)
        return found

    def _laid(self, groups: dict[str, list[Thing]]) -> str:
        """Contents with their places; those of one place, or of all, without."""
        if len(groups) == 1:
            ((text, places),) = groups.items()
            return text if len(places) == 1 else self.context.phrase(sheets.EVERYWHERE, text=text)
        return "; ".join(
            f"{text} ({self._where(places)})" for text, places in groups.items() if text
        )

    def _where(self, places: list[Thing]) -> str:
        if len(places) > MOST_PLACES:
            return self.context.phrase(sheets.NUMBER_OF_PLACES, n=str(len(places)))
        words = self.context.words
        return ", ".join(
            ", ".join(words.value(index) for index in place.indexes.values()) or words.place(place)
            for place in places
        )

    def _counted(self, pieces: tuple[Thing, ...]) -> str:
        counts = Counter(piece.kind for piece in pieces)
        telling = self.context.telling
        phrases = (
            telling.grammar.some(telling.kind_noun(kind), str(number))
            for kind, number in counts.items()
        )
        return ", ".join(map(str, phrases))


def _set_up(table: Table) -> Interpreter:
    """A game after set-up, in which the first of all choices was taken."""
    interpreter = Interpreter(table, Dice(Generator(1)))
    take_first_options(interpreter.set_up(), MOST_CHOICES)
    return interpreter
